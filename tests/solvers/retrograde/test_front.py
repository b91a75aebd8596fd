"""What people call does not care which solver answers: solve, probe, the perfect player, analyze, verify, the longest wins."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import chisquare

import ludometer as lm
from ludometer.agents.optimal import OptimalAgent, lookup_of
from ludometer.checks.game_contract import check_game
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream
from ludometer.solvers import forecast, open_solution, solution_for
from ludometer.solvers.acyclic.solution import PositionTable
from ludometer.solvers.longest_wins import longest_wins
from ludometer.solvers.retrograde.solution import RetrogradeSolution
from ludometer.solvers.solution import OutsideTable
from tests.naive.circles import all_positions, values_of
from tests.solvers.retrograde.files_from_the_docs import LEAP, ROOM
from tests.solvers.retrograde.games import written


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for name, text in (("leap.py", LEAP), ("room.py", ROOM)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def check_with_twin(game: lm.Game, solution: lm.Solution) -> None:
    known = values_of(game.start())
    assert {position: solution.value(position) for position in known} == known
    assert solution.summary()["states"] == len(known)


def test_a_game_in_circles_with_captures_written_from_the_docs(games: Path, tmp_path: Path) -> None:
    game = lm.game(str(games / "leap.py"))
    check_game(game)
    solution = lm.solve(game, tables=tmp_path)
    assert isinstance(solution, RetrogradeSolution)
    check_with_twin(game, solution)
    values = {solution.value(position).outcome for position in all_positions(game.start())}
    assert values == {-1, 0, 1}
    assert lm.verify(solution)["ok"]


def test_a_game_with_passes_written_from_the_docs(games: Path) -> None:
    game = lm.game(str(games / "room.py"))
    check_game(game)
    solution = lm.solve(game)
    assert isinstance(solution, PositionTable)  # it never comes back to a position
    check_with_twin(game, solution)


def test_a_game_that_does_not_say_it_can_repeat_is_found_out(games: Path, tmp_path: Path) -> None:
    game = lm.game(f"{written(games, 'undeclared.py')}:7,80,4,0")
    assert game.kind.ply_limit is None
    solution = lm.solve(game, tables=tmp_path)
    assert isinstance(solution, RetrogradeSolution)
    check_with_twin(game, solution)
    assert isinstance(open_solution(game, tmp_path), RetrogradeSolution)
    assert lm.solve(game, tables=tmp_path).summary()["reused"]
    assert isinstance(solution_for(game), RetrogradeSolution)  # on the spot
    assert solution_for(game).summary()["states"] == solution.summary()["states"]


def test_the_perfect_player(games: Path) -> None:
    """Compiled play chooses among the moves that the probe names."""
    game = lm.game(f"{written(games, 'graph.py')}:5,120,5,1")
    solution = lm.solve(game)
    assert lookup_of(solution) is not None
    for steps in (False, True):
        agent = OptimalAgent(game, "optimal", steps=steps, solution=solution)
        for number, position in enumerate(all_positions(game.start())):
            if position.is_over:
                continue
            probe = solution.probe(position)
            decision = agent.choose(position, stream(1, number))
            assert decision.move in (probe.best if steps else probe.keeping)
            assert decision.report["distance"] == probe.value.distance


def test_the_perfect_player_with_values_only(games: Path, tmp_path: Path) -> None:
    game = lm.game(str(games / "leap.py"))
    solution = lm.solve(game, tables=tmp_path, keep="values")
    agent = OptimalAgent(game, "optimal", solution=solution)
    for number, position in enumerate(all_positions(game.start())):
        if not position.is_over:
            probe = solution.probe(position)
            assert agent.choose(position, stream(2, number)).move in probe.keeping
    with pytest.raises(LudometerError, match="distances"):
        longest_wins(solution)


def test_longest_wins_are_the_longest(games: Path) -> None:
    game = lm.game(f"{written(games, 'graph.py')}:5,120,5,0")
    solution = lm.solve(game)
    known = [value.distance for value in values_of(game.start()).values() if value.outcome > 0]
    found = longest_wins(solution, count=2)
    assert found.distance == max(known) and found.complete
    assert all(solution.value(position).distance == found.distance for position in found.positions)


def test_options(games: Path) -> None:
    game = lm.game(str(games / "leap.py"))
    expected = forecast(game, workers=2, memory=10**9)
    assert (expected.states, expected.entries, expected.limit, expected.where) == (None, None, 10**9, "2 cores")
    assert forecast("morris:6").entries == 2_660_288
    with pytest.raises(LudometerError, match="is solved on the cpu"):
        lm.solve(game, device="cuda")
    with pytest.raises(LudometerError, match="404 positions up to symmetry; .* the least that works is"):
        lm.solve(game, memory=1000)


@pytest.mark.parametrize("keep", ["distances", "values"])
def test_many_values_are_those_of_single_positions(games: Path, keep: str) -> None:
    game = lm.game(written(games, "pong.py"))
    solution = lm.solve(game, keep=keep)
    positions = all_positions(game.start())
    values = solution.values(positions)
    assert [values.value(index) for index in range(len(positions))] == [solution.value(position) for position in positions]
    with pytest.raises(OutsideTable, match="state 1 cannot be reached"):
        solution.values(["start", ".XO.. x"])


@pytest.mark.parametrize("by", ["uniform", "class", "distance"])
def test_samples_are_as_likely_as_they_should_be(games: Path, by: str) -> None:
    game = lm.game(written(games, "pong.py"))
    solution = lm.solve(game)
    positions = all_positions(game.start())
    strata = Counter(solution.value(position) if by == "distance" else None for position in positions)
    share = {p: 1 / len(strata) / strata[solution.value(p) if by == "distance" else None] for p in positions}
    sample = solution.sample(20_000, by=by, seed=3)
    assert sample.probabilities is not None
    assert sample.probabilities.tolist() == pytest.approx([share[position] for position in sample.states])
    seen = Counter(sample.states)
    assert chisquare([seen[p] for p in positions], [20_000 * share[p] for p in positions]).pvalue > 1e-4
