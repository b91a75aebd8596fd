"""Teeko in plain Python: men are sets of (row, column)."""

from __future__ import annotations

from itertools import combinations


def square(corner_row: int, corner_column: int, side: int) -> frozenset[tuple[int, int]]:
    """The corners of a square of so many points a side."""
    return frozenset((corner_row + down, corner_column + right) for down in (0, side - 1) for right in (0, side - 1))


def goals(advanced: bool) -> set[frozenset[tuple[int, int]]]:
    """All sets of four points that win."""
    points = [(row, column) for row in range(5) for column in range(5)]
    lines = set()
    for row, column in points:
        for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
            line = frozenset((row + i * down, column + i * right) for i in range(4))
            if line <= set(points):
                lines.add(line)
    sides = (2, 3, 4, 5) if advanced else (2,)
    squares = {square(row, column, side) for row, column in points for side in sides}
    return lines | {each for each in squares if each <= set(points)}


class NaiveTeeko:
    def __init__(self, advanced: bool = False) -> None:
        self.goals = goals(advanced)
        self.men: dict[str, frozenset[tuple[int, int]]] = {"X": frozenset(), "O": frozenset()}
        self.player = "X"

    def name(self, point: tuple[int, int]) -> str:
        return "ABCDE"[point[1]] + str(point[0] + 1)

    def text(self) -> str:
        rows = ["".join(next((p for p in "XO" if (r, c) in self.men[p]), ".") for c in range(5)) for r in range(5)]
        return "/".join(rows) + " " + self.player.lower()

    def afterwards(self) -> dict[str, frozenset[tuple[int, int]]]:
        """The mover's men after each move."""
        if self.result():
            return {}
        own = self.men[self.player]
        empty = [(r, c) for r in range(5) for c in range(5) if (r, c) not in self.men["X"] | self.men["O"]]
        if len(own) < 4:
            return {self.name(point): own | {point} for point in empty}
        near = [(man, point) for man in own for point in empty if max(abs(man[0] - point[0]), abs(man[1] - point[1])) == 1]
        return {f"{self.name(man)}-{self.name(point)}": own - {man} | {point} for man, point in near}

    def result(self) -> str | None:
        if any(frozenset(four) in self.goals for four in combinations(self.men["X"], 4)):
            return "1-0"
        return "0-1" if any(frozenset(four) in self.goals for four in combinations(self.men["O"], 4)) else None

    def moves(self) -> list[str]:
        return list(self.afterwards())

    def play(self, move: str) -> NaiveTeeko:
        after = NaiveTeeko.__new__(NaiveTeeko)
        after.goals = self.goals
        after.men = {**self.men, self.player: self.afterwards()[move]}
        after.player = "O" if self.player == "X" else "X"
        return after
