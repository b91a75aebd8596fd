"""The solver of tile games as the rest of the package sees it.  Loads no compiler until asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ludometer.solvers.options import Abilities, SolveOptions, VerifyOptions
from ludometer.solvers.solver import Solver

if TYPE_CHECKING:
    from pathlib import Path

    from ludometer.core.game import Game
    from ludometer.core.position import Position
    from ludometer.solvers.check_findings import Findings
    from ludometer.solvers.forecasts import Forecast
    from ludometer.solvers.solution import Solution
    from ludometer.solvers.tiles.solution import TileSolution


class TileSolver(Solver):
    """Retrograde analysis by pairs of classes, for games whose states are two sets of tiles (`core.protocol.tiling`)."""

    layouts = frozenset({"tile classes 1"})
    devices = {
        "cpu": Abilities(workers=True, memory=True, pack=True, executor=True),
        "cuda": Abilities(memory=True, pack=True, check=True, executor=True),
    }

    def is_able(self, game: Game) -> bool:
        from ludometer.solvers.tiles.board import is_tile_game

        return is_tile_game(game)

    def forecast(self, game: Game, options: SolveOptions, measure: bool) -> Forecast:
        from ludometer.solvers.tiles.forecasting import forecast_tiles

        return forecast_tiles(game, options, measure)

    def solve(self, game: Game, options: SolveOptions) -> Solution:
        from ludometer.solvers.tiles.driver import solve_tiles

        return solve_tiles(game, options)

    def open(self, folder: Path, game: Game) -> Solution:
        from ludometer.solvers.tiles.solution import open_solution

        return open_solution(folder, game)

    def verify(self, solution: Solution, options: VerifyOptions) -> tuple[int, Findings]:
        from ludometer.solvers.tiles.check import check_tile_entries

        return check_tile_entries(cast("TileSolution", solution), options)

    def predecessors(self, position: Position) -> list[tuple[int, Position]]:
        from ludometer.solvers.tiles.predecessors import predecessors

        return predecessors(position)
