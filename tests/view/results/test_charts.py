"""Charts as data: which points they have."""

from __future__ import annotations

import pytest

from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.sequential import MatchSnapshot
from ludometer.view.results.chart_data import match_chart
from tests.view.handmade import match_result


@pytest.mark.parametrize(("number", "points"), [(1, 1), (160, 160), (161, 81), (162, 82), (500, 126)])
def test_the_chart_of_a_match_ends_with_its_last_look(number: int, points: int) -> None:
    """Of more than 160 looks every second, third, … is drawn, and the last in any case."""
    looks = [MatchSnapshot(PairCounts((0, 0, 0, 0, pairs, 0, 0, 0, 0)), Interval(0.4, 0.6)) for pairs in range(1, number + 1)]
    (series,) = match_chart(match_result(history=looks))["series"]
    assert len(series["points"]) == points
    assert series["points"][0][0] == 2 and series["points"][-1][0] == 2 * number
