"""Totals of many games: spreads against NumPy, sums against one pass over all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.arena.measurements.pairings import Tallies
from ludometer.arena.measurements.totals import PairTotals, Spread
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.work.store import Store

numbers = st.lists(st.integers(-50, 80), min_size=1, max_size=40)


@given(numbers, st.floats(0, 1))
def test_a_spread_says_what_numpy_says(values: list[int], share: float) -> None:
    spread = Spread.of(values)
    assert (spread.count, spread.total, spread.lowest, spread.highest) == (len(values), sum(values), min(values), max(values))
    assert spread.mean == pytest.approx(np.mean(values))
    assert spread.deviation == pytest.approx(np.std(values, ddof=1) if len(values) > 1 else 0.0, abs=1e-9)
    assert spread.quantile(share) == sorted(values)[max(0, int(np.ceil(share * len(values))) - 1)]


@given(numbers, numbers)
def test_spreads_add_up(one: list[int], other: list[int]) -> None:
    assert Spread.of(one) + Spread.of(other) == Spread.of(one + other)
    assert Spread() + Spread.of(one) == Spread.of(one) + Spread() == Spread.of(one)


def test_totals_add_up() -> None:
    chance = np.random.default_rng(1)
    arrays = {
        "results": chance.integers(-1, 2, 40).astype(np.int8),
        "lengths": chance.integers(5, 9, 40).astype(np.uint16),
        "margins": chance.integers(-9, 9, 40).astype(np.int16),
        "thinking": chance.integers(1, 9, (20, 4)).astype(np.float32),
    }
    whole = PairTotals.of(arrays, 4.0)
    first, rest = ({name: array[part] for name, array in arrays.items()} for part in (slice(0, 12), slice(12, None)))
    first["thinking"], rest["thinking"] = arrays["thinking"][:6], arrays["thinking"][6:]
    added = PairTotals() + PairTotals.of(first, 1.0) + PairTotals.of(rest, 3.0)
    assert added == whole and whole.counts == PairCounts.from_results(arrays["results"])
    seconds, moves = arrays["thinking"][:, 0].sum(), arrays["thinking"][:, 1].sum()
    assert whole.seconds_per_move[0] == pytest.approx(seconds / moves) and PairTotals().seconds_per_move == (None, None)


def test_a_part_of_a_chunk_took_a_part_of_its_seconds() -> None:
    pairs = {"results": np.ones(20, np.int8), "lengths": np.full(20, 5, np.uint16), "margins": np.zeros(20, np.int16)}
    with Store.in_memory() as store:
        series = store.series({"a": 1})
        assert store.add(series, 0, 10, 5.0, pairs)
        totals, _ = Tallies(store).totals(series, 4)
    assert (totals.pairs, totals.seconds) == (4, 2.0)
