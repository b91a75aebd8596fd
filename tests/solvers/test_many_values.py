"""Values of many positions at once: the same as one at a time, at the edges too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.core.states import States
from ludometer.solvers.acyclic.solution import ProvenSolution
from ludometer.solvers.solution import OutsideTable, Solution, Value
from tests.solvers.solving_tiles import solve_tiles
from tests.solvers.test_routing import AlwaysDrawn


def positions_of(spec: str, number: int) -> list[Position]:
    """Positions of random games, finished ones included."""
    game = lm.game(spec)
    generator = np.random.default_rng(2)
    found = [game.start()]
    while len(found) < number:
        last = found[-1]
        found.append(game.start() if last.is_over else last.play(int(generator.choice(last.legal))))
    assert any(position.is_over for position in found)
    return found


def as_one_by_one(solution: Solution, positions: list[Position]) -> None:
    found = solution.values(positions)
    one_by_one = [solution.value(position) for position in positions]
    # Where the distance of a draw is known to be 0, arrays say so; values of single positions may leave it out.
    for place, value in enumerate(one_by_one):
        assert found.value(place) == value, str(positions[place])
    assert found.outcomes.dtype == np.int8 and found.distances.dtype == np.int32
    assert (found.margins is not None) == solution.game.kind.scored
    by_rows = solution.values(solution.game.states(positions))
    assert all(np.array_equal(one, other) for one, other in zip(found, by_rows))


@pytest.mark.parametrize("pack", [False, True])
@pytest.mark.parametrize("keep", ["distances", "values"])
@pytest.mark.parametrize("in_folder", [True, False])
def test_tile_games(keep: str, pack: bool, in_folder: bool, tmp_path: Path) -> None:
    if pack and not in_folder:
        pytest.skip("only tables in folders are packed")
    solution = solve_tiles(lm.game("quixo:3"), keep=keep, folder=tmp_path if in_folder else None, pack=pack)
    as_one_by_one(solution, positions_of("quixo:3", 300))


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:2,3,2", "dots:1x2", "dots:2x2"])
def test_games_without_repetition(spec: str, tmp_path: Path) -> None:
    as_one_by_one(lm.solve(spec, tables=tmp_path), positions_of(spec, 300))


def test_values_found_by_search() -> None:
    as_one_by_one(ProvenSolution(lm.game("tictactoe"), memory_mb=1), positions_of("tictactoe", 20))
    assert AlwaysDrawn(lm.game("tictactoe")).values(["start"]).value(0) == Value(0)


@pytest.mark.parametrize("spec", ["quixo:2", "tictactoe", "dots:1x1"])
def test_no_position_at_all(spec: str) -> None:
    assert [len(array) for array in lm.solve(spec).values([])[:2]] == [0, 0]


@pytest.mark.parametrize("spec", ["quixo:2", "tictactoe", "dots:1x1"])
def test_positions_of_another_game_are_refused(spec: str) -> None:
    with pytest.raises(LudometerError, match="of mnk:2,3,2, not of"):
        lm.solve(spec).values([lm.game("mnk:2,3,2").start()])


def test_what_is_no_position_is_refused() -> None:
    quixo, rows = lm.solve("quixo:2"), lm.game("quixo:2").states(["start", "start"]).rows
    both, beyond = rows.copy(), rows.copy()
    both[1, :2] = 3
    beyond[1, 0] = 1 << 4
    for wrong in (both, beyond):
        with pytest.raises(OutsideTable, match="row 1 is no position of quixo:2"):
            quixo.values(States(quixo.game, wrong))
    table = lm.solve("tictactoe")
    unreachable = table.game.states(["start", "XX./.../... x"])
    with pytest.raises(OutsideTable, match="state 1 cannot be reached"):
        table.values(unreachable)
    dots = lm.solve("dots:1x1")
    far = dots.game.states(["start"]).rows + np.uint64(1 << 40)
    with pytest.raises(OutsideTable, match="state 0"):
        dots.values(States(dots.game, far))


def test_totals_alone_have_no_values() -> None:
    with pytest.raises(OutsideTable, match="only totals were kept"):
        solve_tiles(lm.game("quixo:2"), keep="none").values(["start"])
