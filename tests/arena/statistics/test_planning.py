"""Plans of matches: numbers worked out by hand, and the power that they promise."""

from __future__ import annotations

from math import sqrt

import pytest
from scipy.stats import norm

from ludometer.arena.statistics.planning import pairs_for_difference, pairs_for_equivalence, pairs_for_interval


def test_numbers_of_pairs_by_hand() -> None:
    """With independent games the variance of a pair is 1/8; the quantiles are 1.9600, 1.6449, 1.2816 and 0.8416."""
    assert pairs_for_interval(0.1) == 49  # 0.125 · (1.96 / 0.1)² = 48.02
    assert pairs_for_equivalence(0.05) == 429  # 0.125 · ((1.6449 + 1.2816) / 0.05)² = 428.2
    assert pairs_for_difference(0.6) == 97  # ((1.96 · 0.35355 + 0.8416 · 0.34641) / 0.1)² = 96.9


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("margin", [0.02, 0.1])
def test_equal_players_are_found_equal_as_often_as_promised(margin: float, power: float) -> None:
    """Both one-sided tests must reject: the score has to stay within the margin less 1.645 standard errors, on either side."""

    def found(pairs: int) -> float:
        error = sqrt(0.125 / pairs)
        return float(norm.cdf(margin / error - norm.ppf(0.95)) - norm.cdf(norm.ppf(0.95) - margin / error))

    pairs = pairs_for_equivalence(margin, power=power)
    assert found(pairs) >= power > found(pairs - 1)
