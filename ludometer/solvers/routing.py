"""Which solver answers for a game, and which one wrote a folder of tables.  Loads no compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ludometer.solvers.acyclic.solver import AcyclicSolver
from ludometer.solvers.retrograde.solver import RetrogradeSolver
from ludometer.solvers.solver import NotAble, Solver
from ludometer.solvers.tiles.solver import TileSolver

if TYPE_CHECKING:
    from pathlib import Path

    from ludometer.core.game import Game
    from ludometer.core.position import Position

SOLVERS: tuple[Solver, ...] = (TileSolver(), RetrogradeSolver(), AcyclicSolver())  # the first that is able answers
LAST_RESORT = SOLVERS[1]  # takes any game, whatever it declares

Result = TypeVar("Result")


def solver_of(game: Game) -> Solver:
    """The solver that answers for this game."""
    return next(solver for solver in SOLVERS if solver.is_able(game))


def solver_of_layout(layout: str) -> Solver | None:
    """The solver whose tables have this layout; None if there is none."""
    return next((solver for solver in SOLVERS if layout in solver.layouts), None)


def solver_of_folder(game: Game, folder: Path) -> Solver:
    """The solver that wrote the tables in the folder of a game, or else the one that answers for the game."""
    from ludometer.solvers.files.table_files import TableError
    from ludometer.solvers.files.table_folders import read_manifest

    try:
        wrote = solver_of_layout(read_manifest(folder)["layout"])
    except TableError:
        wrote = None
    return wrote or solver_of(game)


def tried(game: Game, first: Solver, work: Callable[[Solver], Result]) -> Result:
    """What `work` gives for a solver, or for the last resort if the first one is not able after all."""
    try:
        return work(first)
    except NotAble:
        if first is LAST_RESORT:
            raise
        return work(LAST_RESORT)


def predecessors(position: Position) -> list[tuple[int, Position]]:
    """List (move, position before it) of every legal move that leads to this position, by number of the move.

    Finished positions have no moves and are not listed; a predecessor may be unreachable from the start.  Raises LudometerError for games
    whose solver cannot tell.

    >>> len(lm.predecessors(lm.game("quixo:3").start().play("A1>right")))
    8
    """
    return solver_of(position.game).predecessors(position)
