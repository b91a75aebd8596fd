"""Nim and Chomp in plain Python."""

from __future__ import annotations


class NaiveNim:
    def __init__(self, piles: tuple[int, ...], player: str = "x") -> None:
        self.piles, self.player = piles, player

    def text(self) -> str:
        return ",".join(str(pile) for pile in self.piles) + " " + self.player

    def moves(self) -> list[str]:
        return [f"{'ABCDEFGH'[place]}-{taken}" for place, pile in enumerate(self.piles) for taken in range(1, pile + 1)]

    def result(self) -> str | None:
        if sum(self.piles):
            return None
        return "0-1" if self.player == "x" else "1-0"

    def play(self, move: str) -> NaiveNim:
        piles = list(self.piles)
        piles["ABCDEFGH".index(move[0])] -= int(move[2:])
        return NaiveNim(tuple(piles), "o" if self.player == "x" else "x")


class NaiveChomp:
    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.left = {(row, column) for row in range(rows) for column in range(columns)}
        self.player = "x"

    def text(self) -> str:
        lines = ["".join("#" if (row, column) in self.left else "." for column in range(self.columns)) for row in range(self.rows)]
        return "/".join(lines) + " " + self.player

    def moves(self) -> list[str]:
        return ["ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column] + str(row + 1) for row, column in self.left if (row, column) != (0, 0)]

    def result(self) -> str | None:
        if len(self.left) > 1:
            return None
        return "0-1" if self.player == "x" else "1-0"

    def play(self, move: str) -> NaiveChomp:
        row, column = int(move[1:]) - 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(move[0])
        after = NaiveChomp(self.rows, self.columns)
        after.left = {(r, c) for r, c in self.left if r < row or c < column}
        after.player = "o" if self.player == "x" else "x"
        return after
