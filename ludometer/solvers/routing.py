"""Which solver answers for a game, and which one wrote a folder of tables.  Loads no compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludometer.solvers.acyclic.solver import AcyclicSolver
from ludometer.solvers.solver import Solver
from ludometer.solvers.tiles.solver import TileSolver

if TYPE_CHECKING:
    from ludometer.core.game import Game
    from ludometer.core.position import Position

SOLVERS: tuple[Solver, ...] = (TileSolver(), AcyclicSolver())  # the first that is able answers


def solver_of(game: Game) -> Solver:
    """The solver that answers for this game."""
    return next(solver for solver in SOLVERS if solver.is_able(game))


def solver_of_layout(layout: str) -> Solver | None:
    """The solver whose tables have this layout; None if there is none."""
    return next((solver for solver in SOLVERS if layout in solver.layouts), None)


def predecessors(position: Position) -> list[tuple[int, Position]]:
    """List (move, position before it) of every legal move that leads to this position, by number of the move.

    Finished positions have no moves and are not listed; a predecessor may be unreachable from the start.  Raises LudometerError for games
    whose solver cannot tell.

    >>> len(lm.predecessors(lm.game("quixo:3").start().play("A1>right")))
    8
    """
    return solver_of(position.game).predecessors(position)
