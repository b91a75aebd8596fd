"""The retrograde solver as the rest of the package sees it.  Loads no compiler until asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ludometer.solvers.options import Abilities, SolveOptions, VerifyOptions
from ludometer.solvers.solver import Solver

if TYPE_CHECKING:
    from pathlib import Path

    from ludometer.core.game import Game
    from ludometer.solvers.check_findings import Findings
    from ludometer.solvers.forecasts import Forecast
    from ludometer.solvers.retrograde.solution import RetrogradeSolution
    from ludometer.solvers.solution import Solution


class RetrogradeSolver(Solver):
    """All positions that can be reached, valued from the end of the game; for games that can come back to a position."""

    layouts = frozenset({"retrograde 1"})
    devices = {"cpu": Abilities(workers=True, memory=True, pack=True)}

    def is_able(self, game: Game) -> bool:
        return game.kind.ply_limit is not None and not game.kind.scored

    def forecast(self, game: Game, options: SolveOptions, measure: bool) -> Forecast:
        from ludometer.solvers.retrograde.driver import forecast_retrograde

        return forecast_retrograde(game, options)

    def solve(self, game: Game, options: SolveOptions) -> Solution:
        from ludometer.solvers.retrograde.driver import solve_retrograde

        return solve_retrograde(game, options)

    def solve_small(self, game: Game, most: int, options: SolveOptions) -> Solution | None:
        from ludometer.solvers.retrograde.driver import solve_small

        return solve_small(game, most, options)

    def open(self, folder: Path, game: Game) -> Solution:
        from ludometer.solvers.retrograde.store import open_retrograde

        return open_retrograde(game, folder)

    def verify(self, solution: Solution, options: VerifyOptions) -> tuple[int, Findings]:
        from ludometer.solvers.retrograde.check import check_retrograde

        return check_retrograde(cast("RetrogradeSolution", solution), options)
