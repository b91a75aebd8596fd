"""Clobber in plain Python: a list of rows from the top."""

from __future__ import annotations


class NaiveClobber:
    def __init__(self, rows: int, columns: int) -> None:
        self.board = [["XO"[(row + column) % 2] for column in range(columns)] for row in range(rows)]
        self.player = "X"

    def text(self) -> str:
        return "/".join("".join(row) for row in self.board) + " " + self.player.lower()

    def steps(self) -> dict[str, tuple[int, int, int, int]]:
        opponent = "O" if self.player == "X" else "X"
        found = {}
        for row, line in enumerate(self.board):
            for column, symbol in enumerate(line):
                for r, c in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]:
                    inside = 0 <= r < len(self.board) and 0 <= c < len(line)
                    if symbol == self.player and inside and self.board[r][c] == opponent:
                        found[f"{self.name(row, column)}-{self.name(r, c)}"] = (row, column, r, c)
        return found

    def name(self, row: int, column: int) -> str:
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column] + str(row + 1)

    def moves(self) -> list[str]:
        return list(self.steps())

    def result(self) -> str | None:
        if self.steps():
            return None
        return "0-1" if self.player == "X" else "1-0"

    def play(self, move: str) -> NaiveClobber:
        row, column, to_row, to_column = self.steps()[move]
        after = NaiveClobber(1, 1)
        after.board = [list(line) for line in self.board]
        after.board[row][column] = "."
        after.board[to_row][to_column] = self.player
        after.player = "O" if self.player == "X" else "X"
        return after
