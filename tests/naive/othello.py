"""Othello in plain Python: a list of rows from the top."""

from __future__ import annotations

WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
OPPONENT = {"X": "O", "O": "X"}


class NaiveOthello:
    def __init__(self, size: int) -> None:
        self.size = size
        self.board = [["."] * size for _ in range(size)]
        middle = size // 2
        for row, column, symbol in ((-1, -1, "O"), (0, 0, "O"), (-1, 0, "X"), (0, -1, "X")):
            self.board[middle + row][middle + column] = symbol
        self.player = "X"

    def text(self) -> str:
        return "/".join("".join(row) for row in self.board) + " " + self.player.lower()

    def flips(self, player: str, row: int, column: int) -> list[tuple[int, int]]:
        """The discs turned by putting one here."""
        if self.board[row][column] != ".":
            return []
        found = []
        for down, right in WAYS:
            line = []
            r, c = row + down, column + right
            while 0 <= r < self.size and 0 <= c < self.size and self.board[r][c] == OPPONENT[player]:
                line.append((r, c))
                r, c = r + down, c + right
            if 0 <= r < self.size and 0 <= c < self.size and self.board[r][c] == player:
                found += line
        return found

    def cells(self, player: str) -> list[tuple[int, int]]:
        return [(r, c) for r in range(self.size) for c in range(self.size) if self.flips(player, r, c)]

    def moves(self) -> list[str]:
        own = self.cells(self.player)
        if not own:
            return ["pass"] if self.cells(OPPONENT[self.player]) else []
        return ["ABCDEFGH"[column] + str(row + 1) for row, column in own]

    def margin(self) -> int:
        return sum(row.count("X") - row.count("O") for row in self.board)

    def result(self) -> str | None:
        if self.moves():
            return None
        return "1-0" if self.margin() > 0 else "0-1" if self.margin() < 0 else "1/2-1/2"

    def play(self, move: str) -> NaiveOthello:
        after = NaiveOthello(self.size)
        after.board = [list(row) for row in self.board]
        after.player = OPPONENT[self.player]
        if move != "pass":
            row, column = int(move[1:]) - 1, "ABCDEFGH".index(move[0])
            for r, c in [(row, column), *self.flips(self.player, row, column)]:
                after.board[r][c] = self.player
        return after
