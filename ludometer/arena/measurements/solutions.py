"""Exact solutions for measurements, each opened once in a process."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ludometer.games import game as find_game

if TYPE_CHECKING:
    from ludometer.solvers.solution import Solution


@lru_cache(maxsize=4)
def solution_of(game: str, tables: str = "") -> Solution:
    """The solution of a game, by its reference and the folder of tables; raises LudometerError if there is none.

    An empty `tables` stands for the user's folder.  Small games are solved on demand.
    """
    from ludometer.solvers import solution_for

    return solution_for(find_game(game), tables or None)


def knows_distances(solution: Solution) -> bool:
    """Whether a solution has distances, which tell fast wins from slow ones."""
    return getattr(solution, "keep", "distances") == "distances"
