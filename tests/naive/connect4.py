"""Connect Four in plain Python: columns are strings that grow from the bottom."""

from __future__ import annotations


class NaiveConnect4:
    def __init__(self, columns: int, rows: int, line: int) -> None:
        self.columns, self.rows, self.line = columns, rows, line
        self.stacks = [""] * columns
        self.player = "X"

    def text(self) -> str:
        lines = []
        for height in range(self.rows - 1, -1, -1):
            lines.append("".join(stack[height] if height < len(stack) else "." for stack in self.stacks))
        return "/".join(lines) + " " + self.player.lower()

    def winner(self) -> str | None:
        """Try every cell as the beginning of a line in every direction."""
        for column in range(self.columns):
            for height in range(self.rows):
                for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                    discs = [self.disc(column + i * right, height + i * up) for i in range(self.line)]
                    if discs[0] and len(set(discs)) == 1:
                        return discs[0]
        return None

    def disc(self, column: int, height: int) -> str:
        if 0 <= column < self.columns and 0 <= height < len(self.stacks[column]):
            return self.stacks[column][height]
        return ""

    def result(self) -> str | None:
        winner = self.winner()
        if winner:
            return "1-0" if winner == "X" else "0-1"
        return "1/2-1/2" if all(len(stack) == self.rows for stack in self.stacks) else None

    def moves(self) -> list[str]:
        if self.result():
            return []
        return ["ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column] for column in range(self.columns) if len(self.stacks[column]) < self.rows]

    def play(self, move: str) -> NaiveConnect4:
        after = NaiveConnect4(self.columns, self.rows, self.line)
        after.stacks = list(self.stacks)
        after.stacks["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(move)] += self.player
        after.player = "O" if self.player == "X" else "X"
        return after
