"""Breakthrough in plain Python: a list of rows from the top; x goes up, o goes down."""

from __future__ import annotations


class NaiveBreakthrough:
    def __init__(self, rows: int, columns: int, filled: int) -> None:
        middle = [["."] * columns for _ in range(rows - 2 * filled)]
        self.board = [["O"] * columns for _ in range(filled)] + middle + [["X"] * columns for _ in range(filled)]
        self.player = "X"

    def text(self) -> str:
        return "/".join("".join(row) for row in self.board) + " " + self.player.lower()

    def steps(self) -> dict[str, tuple[int, int, int, int]]:
        rows, columns = len(self.board), len(self.board[0])
        ahead = -1 if self.player == "X" else 1
        found = {}
        for row in range(rows):
            for column in range(columns):
                if self.board[row][column] != self.player or not 0 <= row + ahead < rows:
                    continue
                for side in (-1, 0, 1):
                    if not 0 <= column + side < columns:
                        continue
                    target = self.board[row + ahead][column + side]
                    if target == "." or (side != 0 and target != self.player):
                        text = f"{self.name(row, column)}-{self.name(row + ahead, column + side)}"
                        found[text] = (row, column, row + ahead, column + side)
        return found

    def name(self, row: int, column: int) -> str:
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column] + str(row + 1)

    def result(self) -> str | None:
        men = [symbol for row in self.board for symbol in row]
        if "X" in self.board[0] or "O" not in men:
            return "1-0"
        if "O" in self.board[-1] or "X" not in men:
            return "0-1"
        if not self.steps():
            return "0-1" if self.player == "X" else "1-0"
        return None

    def moves(self) -> list[str]:
        return [] if self.result() else list(self.steps())

    def play(self, move: str) -> NaiveBreakthrough:
        row, column, to_row, to_column = self.steps()[move]
        after = NaiveBreakthrough(2, 1, 1)
        after.board = [list(line) for line in self.board]
        after.board[row][column] = "."
        after.board[to_row][to_column] = self.player
        after.player = "O" if self.player == "X" else "X"
        return after
