"""What the counts of a scale say, with numbers worked out by hand."""

from __future__ import annotations

from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.statistics.scale_results import Contest, ScaleResult


def close_to_perfect(pairs: int) -> ScaleResult:
    """One rung that scores one half against perfect play: half of the pairs are won twice, half lost twice."""
    contests = (
        Contest("uct:1", "random", PairCounts((20, 0, 0, 0, 60, 0, 0, 0, 120))),
        Contest("optimal", "uct:1", PairCounts((pairs // 2, 0, 0, 0, 0, 0, 0, 0, pairs // 2))),
    )
    return ScaleResult("random", ("uct:1",), (1.0,), ("optimal",), contests)


def test_closing_is_a_one_sided_statement_of_five_percent() -> None:
    """The error is 2 / (√n ln 3) levels: 1.645 of them are less than 0.1 level from 897 pairs on, 1.96 of them from 1274 on."""
    for pairs, closed in ((800, False), (1000, True), (1200, True), (1400, True)):
        result = close_to_perfect(pairs)
        assert result.reaches_perfect is closed and result.closed_by == ("perfect play" if closed else "")
    assert close_to_perfect(1200).fit.difference(2, 1).high > 0.1
