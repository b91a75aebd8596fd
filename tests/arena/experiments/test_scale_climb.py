"""Scales of synthetic players: depth, openness and contradictions have known answers."""

from __future__ import annotations

from math import log2

import pytest

from ludometer.arena.experiments.scale_climb import ScaleClimb
from ludometer.arena.experiments.scale_plan import ScalePlan, planned_games
from tests.arena.experiments.synthetic_players import budget_of, playing


def climbed(play, **changes) -> ScaleClimb:
    climb = ScaleClimb(ScalePlan("game", **{"rungs": 12, "precision": 0.3, **changes}), play)
    while climb.advance():
        pass
    return climb


def by_rung(*levels: float):
    """Levels of uct:1, uct:2, uct:4, …; the last one goes on for ever; all other players but perfect ones stand at 0."""

    def level(player: str) -> float:
        budget = budget_of(player)
        return levels[min(len(levels) - 1, int(log2(budget)))] if budget else 0.0

    return level


@pytest.mark.parametrize("seed", range(5))
def test_pure_chance_has_no_depth(seed: int) -> None:
    result = climbed(playing(lambda player: 0.0, seed)).result()
    assert result.depth.low - 0.1 <= 0 <= result.depth.high
    assert result.closed_by == "plateau"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("draws", [0.0, 0.6])
def test_three_levels_and_a_plateau(seed: int, draws: float) -> None:
    climb = climbed(playing(by_rung(1, 2, 3), seed, draws))
    result = climb.result()
    assert climb.ended == "closed" and result.closed_by == "plateau"
    assert result.depth.low - 0.1 <= 3 <= result.depth.high + 0.1
    assert result.depth.half_width < 0.3
    assert result.fits and not result.cycles


@pytest.mark.parametrize("seed", range(3))
def test_a_growing_scale_stays_open(seed: int) -> None:
    climb = climbed(playing(by_rung(*[0.5 * k for k in range(20)]), seed), rungs=9)
    result = climb.result()
    assert climb.ended == "rungs" and result.is_open and len(result.rungs) == 9
    sure = 0.001  # a single run: intervals of 99.9 %
    growth, level = result.fit.difference(9, 8, sure), result.level("uct:256", sure)
    assert growth.low <= 0.5 <= growth.high
    assert level.low <= 4 <= level.high


def test_a_search_at_its_horizon_is_not_closed() -> None:
    """Four rungs alike, and the next step after them is a large one: the match against 8 times the budget shows it."""
    levels = [0, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4]
    climb = climbed(playing(by_rung(*levels), 1), rungs=13)
    assert climb.result().depth.low > 3.5


def test_the_horizon_is_that_of_the_last_rung() -> None:
    """A rung after a horizon was tested is not judged by the match of an earlier one."""
    climb, tested = ScaleClimb(ScalePlan("game", 13, 0.3), playing(by_rung(0, 1, 2, 2, 2, 2, 2, 2, 4), 1)), 0
    while climb.advance():
        horizon = climb.result().horizon
        if horizon is not None:
            tested += 1
            assert horizon.b == climb.result().rungs[-1] and budget_of(horizon.a) == 8 * budget_of(horizon.b)
    assert tested


@pytest.mark.parametrize("perfect", [(), ("optimal",)])
def test_the_games_of_a_plan_are_those_that_are_played(perfect: tuple[str, ...]) -> None:
    def level(player: str) -> float:
        return 9.0 if player == "optimal" else by_rung(*[0.5 * k for k in range(20)])(player)

    climb = climbed(playing(level), rungs=8, perfect=perfect)
    result = climb.result()
    assert climb.ended == "rungs" and result.horizon is None
    assert sum(one.counts.games for one in result.contests) == planned_games(climb.plan)


@pytest.mark.parametrize("seed", range(3))
def test_perfect_play_closes_a_scale(seed: int) -> None:
    def level(player: str) -> float:
        return 4.0 if player == "optimal" else 3.95 if player == "optimal:steps" else by_rung(0, 1, 2, 3, 3.5, 3.8, 4)(player)

    climb = climbed(playing(level, seed, draws=0.8), perfect=("optimal", "optimal:steps"))
    result = climb.result()
    assert result.closed_by == "perfect play"
    assert result.depth.low - 0.1 <= 4 <= result.depth.high + 0.1
    mastery = result.mastery()
    assert mastery is not None and mastery[0].positions is not None
    assert mastery[0].low <= mastery[0].positions <= mastery[0].high


def test_perfect_play_that_is_not_reached_leaves_a_scale_open() -> None:
    def level(player: str) -> float:
        return 9.0 if player == "optimal" else by_rung(*[0.5 * k for k in range(20)])(player)

    result = climbed(playing(level), rungs=8, perfect=("optimal",)).result()
    assert result.is_open and result.best == "optimal"


def test_rock_paper_scissors_players_are_flagged() -> None:
    """Each rung beats its neighbour below and loses to the one below that."""

    def score(a: str, b: str) -> float | None:
        distance = (budget_of(a) or 0.5) / (budget_of(b) or 0.5)
        return {2: 0.75, 4: 0.25, 8: 0.5}.get(distance)

    result = climbed(playing(lambda player: 0.0, score=score), rungs=7).result()
    assert not result.fits and result.cycles


def test_a_stopped_stage_changes_nothing() -> None:
    calls = []

    def play(wanted, what):
        calls.append(what)
        return None if len(calls) == 4 else playing(by_rung(1, 2, 3))(wanted, what)

    climb = ScaleClimb(ScalePlan("game", 12, 0.3), play)
    assert [climb.advance() for _ in range(4)] == [True, True, True, False]
    assert climb.rungs == 3
    while climb.advance():
        pass
    assert climb.result() == climbed(playing(by_rung(1, 2, 3))).result()
