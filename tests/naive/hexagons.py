"""Hex in plain Python: a list of rows, and a search for a chain from side to side."""

from __future__ import annotations


class NaiveHex:
    def __init__(self, size: int, swap: bool = False) -> None:
        self.size, self.swap = size, swap
        self.board = [["."] * size for _ in range(size)]
        self.player = "X"

    def text(self) -> str:
        return "/".join("".join(row) for row in self.board) + " " + self.player.lower()

    def has_chain(self, player: str) -> bool:
        inside = range(self.size)
        begin = [(0, i) if player == "X" else (i, 0) for i in inside]
        waiting = [(r, c) for r, c in begin if self.board[r][c] == player]
        seen = set(waiting)
        while waiting:
            r, c = waiting.pop()
            if (r if player == "X" else c) == self.size - 1:
                return True
            for to in ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)):
                if to[0] in inside and to[1] in inside and to not in seen and self.board[to[0]][to[1]] == player:
                    seen.add(to)
                    waiting.append(to)
        return False

    def result(self) -> str | None:
        return "1-0" if self.has_chain("X") else "0-1" if self.has_chain("O") else None

    def moves(self) -> list[str]:
        if self.result():
            return []
        free = [(r, c) for r in range(self.size) for c in range(self.size) if self.board[r][c] == "."]
        symbols = "".join(symbol for row in self.board for symbol in row if symbol != ".")
        may_swap = self.swap and self.player == "O" and symbols == "X"
        return [self.name(r, c) for r, c in free] + (["swap"] if may_swap else [])

    def name(self, row: int, column: int) -> str:
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column] + str(row + 1)

    def play(self, move: str) -> NaiveHex:
        after = NaiveHex(self.size, self.swap)
        after.board = [list(row) for row in self.board]
        after.player = "O" if self.player == "X" else "X"
        if move == "swap":
            ((row, column),) = [(r, c) for r in range(self.size) for c in range(self.size) if self.board[r][c] == "X"]
            after.board[row][column] = "."
            after.board[column][row] = "O"
        else:
            after.board[int(move[1:]) - 1]["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(move[0])] = self.player
        return after
