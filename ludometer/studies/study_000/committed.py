"""Data that stand beside this module: points read off the report's figures, and totals of the 5×5 game, which takes a GPU to solve."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ludometer.studies.entry import NotRun
from ludometer.studies.laboratory import Laboratory

SOLVE_5X5 = "ludometer solve quixo:5 --device cuda --values-only (94 s on an H200; 26.6 GB of disk)"


@dataclass(frozen=True)
class Digitised:
    """A figure of the report: curves by name over common rungs.  A point that another one hides is None."""

    rungs: tuple[int, ...]
    curves: dict[str, tuple[float | None, ...]]

    def at(self, curve: str, rung: int) -> float | None:
        """The point of a curve at a rung; None if it is hidden or not drawn."""
        return self.curves[curve][self.rungs.index(rung)] if rung in self.rungs else None


@cache
def digitised(figure: str) -> Digitised:
    """A figure by its name in figures.json."""
    found = _read("figures.json")[figure]
    return Digitised(tuple(found["rungs"]), {name: tuple(points) for name, points in found["curves"].items()})


@cache
def totals_5x5() -> dict[str, Any]:
    """What solving 5×5 on a GPU counted: win, loss, draw, and the classes (n, n) and (n + 1, n) in the order mover, other."""
    found: dict[str, Any] = _read("quixo-5x5.json")
    return found


@cache
def _read(name: str) -> Any:
    return json.loads((Path(__file__).parent / name).read_text())


def has_table_5x5(lab: Laboratory) -> bool:
    """Whether games can be played against the perfect player of 5×5 here, and are: they take long."""
    if not lab.full:
        return False
    try:
        table_5x5(lab)
    except NotRun:
        return False
    return True


WITHOUT_5X5 = f"without 5×5, which needs a table of its values: {SOLVE_5X5}"


def table_5x5(lab: Laboratory) -> Any:
    """Table of 5×5 values of this machine; raises NotRun if it has not been solved."""
    try:
        found = lab.solution("quixo:5")
    except NotRun as error:
        raise NotRun(f"needs a table of 5×5 values: {SOLVE_5X5}") from error
    if getattr(found, "keep", "values") == "none":
        raise NotRun(f"needs a table of 5×5 values, and only totals were kept: {SOLVE_5X5}")
    return found
