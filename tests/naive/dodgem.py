"""Dodgem in plain Python.  Rows count from the bottom, as in most books; x drives right, o drives up."""

from __future__ import annotations


class NaiveDodgem:
    def __init__(self, size: int) -> None:
        self.size = size
        self.cars = {"X": {(0, row) for row in range(1, size)}, "O": {(column, 0) for column in range(1, size)}}
        self.player = "X"

    def name(self, place: tuple[int, int]) -> str:
        return "ABCDEFGH"[place[0]] + str(self.size - place[1])

    def text(self) -> str:
        lines = []
        for row in range(self.size - 1, -1, -1):
            symbols = ["X" if (c, row) in self.cars["X"] else "O" if (c, row) in self.cars["O"] else "." for c in range(self.size)]
            lines.append("".join(symbols))
        return "/".join(lines) + " " + self.player.lower()

    def steps(self) -> dict[str, tuple[tuple[int, int], tuple[int, int] | None]]:
        """Text of a move -> (where a car is, where it goes or None)."""
        ways = [(1, 0), (0, 1), (0, -1)] if self.player == "X" else [(0, 1), (1, 0), (-1, 0)]
        taken = self.cars["X"] | self.cars["O"]
        found = {}
        for column, row in self.cars[self.player]:
            for number, (right, up) in enumerate(ways):
                target = (column + right, row + up)
                if number == 0 and self.size in target:
                    found[f"{self.name((column, row))}-off"] = ((column, row), None)
                elif 0 <= target[0] < self.size and 0 <= target[1] < self.size and target not in taken:
                    found[f"{self.name((column, row))}-{self.name(target)}"] = ((column, row), target)
        return found

    def result(self) -> str | None:
        wins = {"X": "1-0", "O": "0-1"}
        opponent = "O" if self.player == "X" else "X"
        if not self.cars[opponent]:
            return wins[opponent]
        return None if self.steps() else wins[self.player]

    def moves(self) -> list[str]:
        return [] if self.result() else list(self.steps())

    def play(self, move: str) -> NaiveDodgem:
        source, target = self.steps()[move]
        after = NaiveDodgem(self.size)
        after.cars = {player: set(cars) for player, cars in self.cars.items()}
        after.cars[self.player].remove(source)
        if target:
            after.cars[self.player].add(target)
        after.player = "O" if self.player == "X" else "X"
        return after
