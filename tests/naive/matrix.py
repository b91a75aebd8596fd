"""Matrix games the slow and obvious way: a dictionary from pairs of actions to pairs of payoffs."""

from __future__ import annotations

from fractions import Fraction

F = Fraction
Table = dict[tuple[str, str], tuple[Fraction, Fraction]]

DISPERSION: Table = {
    ("A", "A"): (F(-1), F(-1)),
    ("A", "B"): (F(1), F(1)),
    ("B", "A"): (F(1), F(1)),
    ("B", "B"): (F(-1), F(-1)),
}
SEXES: Table = {
    ("O", "O"): (F(3), F(2)),
    ("O", "M"): (F(0), F(0)),
    ("M", "O"): (F(0), F(0)),
    ("M", "M"): (F(2), F(3)),
}
PRISONERS: Table = {
    ("C", "C"): (F(-1), F(-1)),
    ("C", "D"): (F(-4), F(0)),
    ("D", "C"): (F(0), F(-4)),
    ("D", "D"): (F(-3), F(-3)),
}
BRPS: Table = {
    ("R", "R"): (F(0), F(0)),
    ("R", "P"): (F(-1, 4), F(1, 4)),
    ("R", "S"): (F(1, 2), F(-1, 2)),
    ("P", "R"): (F(1, 4), F(-1, 4)),
    ("P", "P"): (F(0), F(0)),
    ("P", "S"): (F(-1, 20), F(1, 20)),
    ("S", "R"): (F(-1, 2), F(1, 2)),
    ("S", "P"): (F(1, 20), F(-1, 20)),
    ("S", "S"): (F(0), F(0)),
}
BENCHMARKS = {"dispersion": DISPERSION, "sexes": SEXES, "prisoners": PRISONERS, "brps": BRPS}


class NaiveMatrix:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.chosen: list[str] = []

    def moves(self) -> list[str]:
        if len(self.chosen) == 2:
            return []
        return list(dict.fromkeys(pair[len(self.chosen)] for pair in self.table))

    def play(self, action: str) -> None:
        assert action in self.moves()
        self.chosen.append(action)

    def payoffs(self) -> tuple[Fraction, Fraction] | None:
        return self.table[self.chosen[0], self.chosen[1]] if len(self.chosen) == 2 else None

    def text(self) -> str:
        return " ".join((self.chosen + [".", "."])[:2])
