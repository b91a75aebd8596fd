"""A further solver joins by one entry: everything that people call goes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.solvers import routing, solution_cache, solution_for
from ludometer.solvers.acyclic.solution import PositionTable
from ludometer.solvers.check_findings import Findings
from ludometer.solvers.files.table_folders import open_folder, store_arrays
from ludometer.solvers.forecasts import Forecast
from ludometer.solvers.options import Abilities, SolveOptions, VerifyOptions
from ludometer.solvers.solution import Solution, Value
from ludometer.solvers.solver import Solver


class AlwaysDrawn(Solution):
    """Every position is drawn."""

    layout = "always drawn 1"
    keep = "values"
    entries = 1

    def __init__(self, game: Game) -> None:
        self.game = game

    def value(self, position: Position, stop=None) -> Value:
        return Value(0)

    def summary(self) -> dict:
        return {"game": self.game.spec}


class DrawSolver(Solver):
    layouts = frozenset({AlwaysDrawn.layout})
    devices = {"cpu": Abilities(memory=True), "abacus": Abilities()}

    def __init__(self) -> None:
        self.seen: list[SolveOptions | VerifyOptions] = []

    def is_able(self, game: Game) -> bool:
        return game.spec == "mnk:3,3,3"

    def forecast(self, game: Game, options: SolveOptions, measure: bool) -> Forecast:
        self.seen.append(options)
        return Forecast(states=1, entries=1, memory=1, disk=1, seconds=1.0, where="by hand", workers=None)

    def solve(self, game: Game, options: SolveOptions) -> Solution:
        self.seen.append(options)
        if options.folder is not None:
            store_arrays(options.folder, game, AlwaysDrawn.layout, {}, {})
        return AlwaysDrawn(game)

    def open(self, folder: Path, game: Game) -> Solution:
        open_folder(folder, game, AlwaysDrawn.layout)
        return AlwaysDrawn(game)

    def verify(self, solution: Solution, options: VerifyOptions) -> tuple[int, Findings]:
        self.seen.append(options)
        return 1, Findings()


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> DrawSolver:
    solver = DrawSolver()
    monkeypatch.setattr(routing, "SOLVERS", (solver, *routing.SOLVERS))
    monkeypatch.setattr(solution_cache, "_solved_here", solution_cache._Shared())
    return solver


def test_everything_goes_to_the_solver_that_is_able(joined: DrawSolver, tmp_path: Path) -> None:
    game = lm.game("tictactoe")
    assert lm.forecast(game, memory=10).where == "by hand" and joined.seen[-1].memory == 10
    assert isinstance(lm.solve(game, device="abacus", tables=tmp_path), AlwaysDrawn)
    assert joined.seen[-1] == SolveOptions(device="abacus", folder=tmp_path / "mnk-3-3-3", stop=joined.seen[-1].stop)
    assert isinstance(lm.open_solution(game, tmp_path), AlwaysDrawn)
    assert isinstance(solution_for(game, tmp_path / "none"), AlwaysDrawn)
    assert lm.verify(tmp_path / "mnk-3-3-3", seed=7) == {"ok": True, "checked": 1, "errors": []} and joined.seen[-1].seed == 7
    assert lm.open_solution(game, tmp_path).probe(game.start()).value == Value(0)
    with pytest.raises(LudometerError, match="predecessors are known for games of tiles only"):
        lm.predecessors(game.start())


def test_options_are_compared_with_what_it_declares(joined: DrawSolver) -> None:
    for given, message in (({"workers": 2}, "leave out workers"), ({"device": "cuda"}, "devices are cpu, abacus")):
        for ask in (lm.solve, lm.forecast):
            with pytest.raises(LudometerError, match=message):
                ask("tictactoe", **given)
    assert not joined.seen


def test_tables_are_opened_by_the_solver_that_wrote_them(tmp_path: Path) -> None:
    """Also where another one answers for the game: the last resort writes tables of games that the first solver gave up."""
    game = lm.game("tictactoe")
    assert routing.solver_of_folder(game, tmp_path) is routing.solver_of(game) is not routing.LAST_RESORT
    (layout,) = routing.LAST_RESORT.layouts
    store_arrays(tmp_path / "tables", game, layout, {}, {})
    assert routing.solver_of_folder(game, tmp_path / "tables") is routing.LAST_RESORT


def test_other_games_are_answered_as_before(joined: DrawSolver) -> None:
    assert isinstance(lm.solve("dots:1x2"), PositionTable) and not joined.seen
