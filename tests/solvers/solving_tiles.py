"""Solving tile games straight with their driver, in the way that its tests name options."""

from __future__ import annotations

from typing import Any

from ludometer.core.game import Game
from ludometer.solvers.options import SolveOptions, check_options
from ludometer.solvers.tiles import driver
from ludometer.solvers.tiles.solution import TileSolution
from ludometer.solvers.tiles.solver import TileSolver


def solve_tiles(game: Game, **given: Any) -> TileSolution:
    """`driver.solve_tiles` with options checked before, as `solve` does."""
    options = SolveOptions(**given)
    check_options(game.spec, options, TileSolver.devices)
    return driver.solve_tiles(game, options)
