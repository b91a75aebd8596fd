"""Levels: known scores, coverage of the intervals, contradictions."""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np
import pytest

from ludometer.arena.statistics.levels import fit_levels, levels_of_score, score_of_levels
from ludometer.arena.statistics.ratings import HeadToHead
from ludometer.core.errors import LudometerError
from tests.arena.experiments.synthetic_players import played_pairs


def test_a_level_is_75_percent() -> None:
    assert score_of_levels(1) == 0.75 and levels_of_score(0.75) == pytest.approx(1)
    assert [levels_of_score(score) for score in (0.0, 0.5, 1.0)] == [-inf, 0.0, inf]
    assert levels_of_score(score_of_levels(2.7)) == pytest.approx(2.7)
    with pytest.raises(LudometerError, match="between 0 and 1"):
        levels_of_score(1.2)


def test_two_players_by_hand() -> None:
    """100 pairs at a score of 0.75 and half a drawn game: logit of 75.125 / 100.25, and its error from independent games."""
    fit = fit_levels([HeadToHead(1, 0, (6, 0, 38, 0, 56))], players=2)
    score = (0.5 * 38 + 56 + 0.125) / 100.25
    assert fit.levels == pytest.approx((0.0, log(score / (1 - score)) / log(3)))
    squares = 6 * score**2 + 38.25 * (score - 0.5) ** 2 + 56 * (1 - score) ** 2
    error = sqrt(squares / 100.25 / 100.25) / (score * (1 - score)) / log(3)
    assert fit.standard_error(1, 0) == pytest.approx(error)
    found = fit.difference(1, 0)
    assert found.low == pytest.approx(found.level - 1.96 * error, abs=0.1) and found.high > found.level + 1.9 * error
    assert fit.degrees == 0 and fit.inflation == 1.0 and fit.p_value == 1.0


def test_intervals_are_mirrored_and_levels_do_not_depend_on_the_anchor() -> None:
    matches = [HeadToHead(1, 0, (2, 1, 10, 3, 14)), HeadToHead(2, 1, (5, 0, 12, 1, 12)), HeadToHead(2, 0, (0, 0, 4, 2, 24))]
    one, other = fit_levels(matches, 3), fit_levels(matches, 3, anchor=2)
    for a, b in ((1, 0), (2, 0), (2, 1)):
        found, turned = one.difference(a, b), other.difference(b, a)
        assert found.level == pytest.approx(-turned.level, abs=1e-6)
        assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low), abs=1e-4)
        assert one.standard_error(a, b) == pytest.approx(other.standard_error(a, b), rel=1e-6)


def test_a_player_who_won_everything_has_a_lower_bound() -> None:
    """30 pairs won: by the rule of three the score is at least 0.9 or so; above there is no close bound."""
    found = fit_levels([HeadToHead(1, 0, (0, 0, 0, 0, 30))], 2).difference(1, 0)
    assert 1.5 < found.low < 4 < found.level < 6 < found.high


def test_contradictions_widen_intervals() -> None:
    even, won = (10, 0, 20, 0, 10), (1, 0, 8, 0, 31)
    agreeing = fit_levels([HeadToHead(1, 0, even), HeadToHead(2, 1, even), HeadToHead(2, 0, even)], 3)
    cyclic = fit_levels([HeadToHead(1, 0, won), HeadToHead(2, 1, won), HeadToHead(0, 2, won)], 3)
    assert agreeing.inflation == 1 and agreeing.p_value > 0.9
    assert cyclic.inflation > 3 and cyclic.p_value < 1e-6
    assert cyclic.difference(2, 0).half_width > 3 * agreeing.difference(2, 0).half_width


COVERED = {
    "nine rungs": ([0, 1, 2, 3, 4, 5, 6, 7, 8], 40, 0.0),
    "drawish top": ([0, 1, 2, 3, 3, 3], 60, 0.9),
    "large steps": ([0, 2.5, 5], 60, 0.0),
    "one far step": ([0, 2.5], 60, 0.0),
    "equal players": ([0, 0, 0, 0], 100, 0.5),
}


@pytest.mark.parametrize("case", COVERED)
def test_intervals_cover_the_truth(case: str) -> None:
    """400 simulated scales: 95 % intervals of the last level hold in 92 % to 98.5 % (3 standard errors of the count)."""
    levels, pairs, draws = COVERED[case]
    chance, last, runs = np.random.default_rng(7), len(levels) - 1, 400
    held = 0
    for _ in range(runs):
        matches = [
            HeadToHead.of(k, j, played_pairs(score_of_levels(levels[k] - levels[j]), pairs, draws, chance))
            for k in range(1, last + 1)
            for j in range(max(0, k - 3), k)
        ]
        found = fit_levels(matches, last + 1).difference(last, 0)
        held += found.low <= levels[-1] <= found.high
    assert 0.917 <= held / runs <= 0.985


def test_intervals_are_widened_by_the_inflation() -> None:
    """Many pairs make a likelihood nearly normal: the profile interval reaches 1.96 inflated standard errors, no less."""
    one, other = (300, 0, 400, 0, 300), (200, 0, 400, 0, 400)
    fit = fit_levels([HeadToHead(1, 0, other), HeadToHead(2, 1, one), HeadToHead(0, 2, other)], 3)
    assert fit.inflation > 3
    assert fit.difference(2, 0).half_width == pytest.approx(1.96 * fit.standard_error(2, 0), rel=0.05)
