"""Ladders against known answers: exact scores, exact accuracy, and the same points however they were measured."""

from __future__ import annotations

import contextlib
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from ludometer.arena.experiments.ladder import Ladder, ladder
from ludometer.arena.measurements.accuracy import Judging, judge
from ludometer.arena.measurements.random_states import random_states
from ludometer.arena.measurements.solutions import solution_of
from ludometer.arena.play.compiled_games import position_of
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.scheduler import Chunk
from ludometer.arena.work.series import fill
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from tests.naive import tictactoe_ladder

PLAIN = str(Path(__file__).parents[1] / "plain_tictactoe.py")


@pytest.mark.exhaustive
def test_minimax_at_tic_tac_toe_scores_what_the_naive_twin_computes() -> None:
    depths = (1, 2, 3)
    measured = ladder(PLAIN, agent="minimax:early=no", rungs=depths, versus="random", games=4000, seed=2)
    for depth, point in zip(depths, measured.points):
        exact = float(tictactoe_ladder.score(depth, 0))
        assert abs(point.value - exact) < 4 * sqrt(exact * (1 - exact) / 4000), (depth, point.value, exact)
        assert point.units == 2000 and point.more["games"] == 4000
    assert [point.budget for point in measured.points] == [1.0, 2.0, 3.0]


@pytest.mark.exhaustive
def test_rungs_against_each_other_are_rated_as_the_exact_scores_would_be() -> None:
    from ludometer.arena.statistics.ratings import HeadToHead, rate

    depths = (1, 2, 3)
    measured = ladder(PLAIN, agent="minimax:early=no", rungs=depths, versus="rungs", games=1000, seed=3)
    exact = []
    for a, b in ((1, 0), (2, 0), (2, 1)):
        chances = [float(chance) for chance in tictactoe_ladder.chances(depths[a], depths[b])]
        other = [float(chance) for chance in tictactoe_ladder.chances(depths[b], depths[a])]
        win, draw, loss = (chances[0] + other[2]) / 2, (chances[1] + other[1]) / 2, (chances[2] + other[0]) / 2
        exact.append(HeadToHead(a, b, tuple(round(1e6 * share) for share in (loss, 0.0, draw, 0.0, win))))
    ratings = rate(exact, 3, resamples=200).elo
    for point, elo in zip(measured.points[1:], ratings[1:]):
        assert point.interval.low - 25 < elo < point.interval.high + 25


def test_accuracy_of_random_moves_is_the_share_of_right_moves() -> None:
    """Exactly expected at the positions that were drawn; a perfect player is always right."""
    chosen, number = game("tictactoe"), 300
    solution = solution_of(chosen.reference)
    shares, losses = [], []
    for row in random_states(chosen, 5, 0, number):
        position = position_of(chosen, row)
        assert not position.is_over
        judged = [judge(solution, position, move) for move in position.legal]
        shares.append([np.mean([one[0] for one in judged]), np.mean([one[1] for one in judged])])
        losses.append(np.mean([one[2] for one in judged]))
    expected = np.mean(shares, axis=0)
    wants = [(Judging.of(chosen, agent, 5), number) for agent in ("random", "optimal", "optimal:steps")]
    units = fill(wants, Execution(workers=1))
    drawn, perfect, fastest = units
    for name, share in zip(("keeps", "best"), expected):
        assert abs(drawn[name].mean() - share) < 4 * sqrt(share * (1 - share) / number)
    assert abs(drawn["lost"].mean() - np.mean(losses)) < 4 * 0.5 / sqrt(number)
    assert perfect["keeps"].all() and not perfect["lost"].any() and not perfect["best"].all()
    assert fastest["best"].all() and fastest["keeps"].all()


def same(one: Ladder, other: Ladder) -> bool:
    """Equal but for what the clock decides."""
    keep = [{name: value for name, value in point.document().items() if "seconds" not in name} for point in one.points]
    return keep == [{name: value for name, value in point.document().items() if "seconds" not in name} for point in other.points]


@pytest.mark.parametrize("measure", ["outcome", "accuracy", "length"])
def test_a_ladder_that_was_stopped_goes_on_to_the_same_points(measure: str, tmp_path: Path) -> None:
    asked = {"agent": "mcts", "rungs": (2, 8), "measure": measure, "positions" if measure == "accuracy" else "games": 30, "seed": 4}
    whole = ladder("tictactoe", **asked, execution=Execution(workers=2))
    with Store(tmp_path / "kept.sqlite") as store:
        for patience in (1, 5, 20):
            stop = Stop()

            def lose_patience(done: int, wanted: int, what: str, stop: Stop = stop, patience: int = patience) -> None:
                if done >= patience:
                    stop.ask()

            with contextlib.suppress(Stopped):
                ladder("tictactoe", **asked, execution=Execution(store, workers=1, progress=lose_patience, stop=stop))
        again = ladder("tictactoe", **asked, execution=Execution(store, workers=1))
        assert same(whole, again) and again.run is not None
        run = store.run(again.run)
        assert (run.kind, run.done, run.wanted) == ("ladder", run.wanted, 60 if measure == "accuracy" else 30)


def test_several_games_agents_and_blunders_are_curves_of_their_own() -> None:
    measured = ladder(
        "tictactoe", "mnk:3,4,3", agent=["mcts", "mcts:c=0.5"], rungs=(2,), blunder=(0.0, 1.0), games=4, execution=Execution(workers=1)
    )
    assert len(measured.curves()) == 8
    assert {point.blunder for point in measured.points} == {0.0, 1.0}
    assert all(point.positions_per_move and point.positions_per_move > 2 for point in measured.points)


def test_units_are_kept_once_even_if_two_workers_did_them() -> None:
    judged = Judging.of("tictactoe", "random", 1)
    with Store.in_memory() as store:
        execution = Execution(store, workers=1)
        first = fill([(judged, 10)], execution)[0]
        longer = fill([(judged, 25)], execution)[0]
        assert store.missing(store.series(judged.key()), 25) == []
    assert (longer["keeps"][:10] == first["keeps"]).all() and len(longer["keeps"]) == 25
    assert Chunk(judged, 0, 1).subject == judged


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measure": "beauty"}, "outcome, accuracy, length"),
        ({"versus": "rungs", "rungs": (1,)}, "two rungs"),
        ({"versus": "random", "blunder": (0.1,)}, "no blunders"),
        ({"measure": "accuracy", "blunder": (0.1,)}, "no opponent"),
        ({"games": 3}, "even"),
        ({"positions": 30}, "positions are for accuracy"),
        ({"measure": "accuracy", "games": 30}, "positions instead of games"),
        ({"measure": "accuracy", "positions": 0}, "1 position or more"),
        ({"rungs": ("many",)}, "whole number"),
        ({"rungs": ()}, "at least one rung"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_is_played(options: dict[str, object], said: str) -> None:
    with pytest.raises(LudometerError, match=said):
        ladder("tictactoe", **options)  # type: ignore[arg-type]


def test_accuracy_needs_a_solution() -> None:
    with pytest.raises(LudometerError, match="out of reach|not solved"):
        ladder("ultimate", rungs=(1,), measure="accuracy", positions=4)
