"""The solver of games without repetition as the rest of the package sees it.  Loads no compiler until asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ludometer.solvers.options import Abilities, SolveOptions, VerifyOptions
from ludometer.solvers.solver import Solver

if TYPE_CHECKING:
    from pathlib import Path

    from ludometer.core.game import Game
    from ludometer.solvers.acyclic.solution import PositionTable, ProvenSolution
    from ludometer.solvers.check_findings import Findings
    from ludometer.solvers.forecasts import Forecast
    from ludometer.solvers.solution import Solution


class AcyclicSolver(Solver):
    """A table of all positions where it fits into memory, else a proof of the start by search."""

    layouts = frozenset({"positions 1", "proven start 1"})
    devices = {"cpu": Abilities()}

    def is_able(self, game: Game) -> bool:
        return True  # a game that comes back to a position is found out while it is solved

    def forecast(self, game: Game, options: SolveOptions, measure: bool) -> Forecast:
        from ludometer.solvers.acyclic.driver import forecast_acyclic

        return forecast_acyclic(game, stored=options.folder is not None)

    def solve(self, game: Game, options: SolveOptions) -> Solution:
        from ludometer.solvers.acyclic.driver import solve_acyclic

        return solve_acyclic(game, options)

    def solve_small(self, game: Game, most: int, options: SolveOptions) -> Solution | None:
        from ludometer.solvers.acyclic.table import TableTooLarge, make_table

        try:
            return make_table(game, options.progress, most=most, stop=options.stop)
        except TableTooLarge:
            return None

    def open(self, folder: Path, game: Game) -> Solution:
        from ludometer.solvers.acyclic.store import open_acyclic

        return open_acyclic(game, folder)

    def verify(self, solution: Solution, options: VerifyOptions) -> tuple[int, Findings]:
        from ludometer.solvers.acyclic.check import check_positions, check_proven
        from ludometer.solvers.acyclic.solution import PROVEN_LAYOUT

        if solution.layout == PROVEN_LAYOUT:
            return check_proven(cast("ProvenSolution", solution), options)
        return check_positions(cast("PositionTable", solution), options)
