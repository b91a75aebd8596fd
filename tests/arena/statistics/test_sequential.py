"""Looks at a running match: compiled numbers against their slow twins."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from ludometer.arena.statistics.confidence_sequence import ConfidenceSequence, StoppingRule, anytime_lower_bound, log_capital
from ludometer.arena.statistics.confidence_sequence_kernels import count_tables
from ludometer.arena.statistics.pair_counts import PairCounts, mean_score
from ludometer.arena.statistics.sequential import Sequential, looks
from ludometer.arena.statistics.sprt import Sprt

counts = st.tuples(*[st.integers(0, 400)] * 5)


def slow_lower_bound(pentanomial: tuple[int, ...], alpha: float) -> float:
    """The same bound by SciPy's root finder on the NumPy form of the capital."""
    goal, score = -log(alpha), mean_score(pentanomial)
    least = score * alpha / 1e6
    if not any(pentanomial[1:]) or log_capital(pentanomial, least) <= goal:
        return 0.0
    return float(brentq(lambda mean: float(log_capital(pentanomial, mean)) - goal, least, score, xtol=1e-13, rtol=1e-13))


@given(counts, st.sampled_from([0.5, 0.05, 0.025, 1e-6]))
def test_the_compiled_bound_is_that_of_the_slow_twin(pentanomial: tuple[int, ...], alpha: float) -> None:
    assert anytime_lower_bound(pentanomial, alpha) == pytest.approx(slow_lower_bound(pentanomial, alpha), abs=1e-10)


@pytest.mark.parametrize("pentanomial", [(0, 0, 0, 0, 10**7), (10**7, 0, 0, 0, 1), (0, 0, 10**8, 0, 0), (5, 0, 0, 0, 0), (10**6,) * 5])
def test_extreme_counts(pentanomial: tuple[int, ...]) -> None:
    assert anytime_lower_bound(pentanomial, 0.025) == pytest.approx(slow_lower_bound(pentanomial, 0.025), abs=1e-10)


def slow_look(sequence: tuple[float, float], pentanomial: tuple[int, ...]) -> tuple[float, float]:
    return max(sequence[0], slow_lower_bound(pentanomial, 0.025)), min(sequence[1], 1 - slow_lower_bound(pentanomial[::-1], 0.025))


def test_a_sequence_of_looks_is_that_of_the_slow_twin() -> None:
    chance = np.random.default_rng(5)
    blocks = chance.multinomial(7, [0.1, 0.2, 0.3, 0.2, 0.2], 40)
    totals = np.cumsum(blocks, axis=0)
    slow = (0.0, 1.0)
    for row, fast in zip(totals, ConfidenceSequence().after_looks(totals)):
        slow = slow_look(slow, tuple(row.tolist()))
        assert (fast.low, fast.high) == pytest.approx(slow, abs=1e-10) and fast.pentanomial == tuple(row.tolist())


@given(st.integers(0, 3000), st.integers(0, 900), st.integers(1, 4000))
def test_looks_are_at_fixed_numbers_of_pairs(before: int, count: int, last: int) -> None:
    def is_look(number: int) -> bool:
        return number == last or number % max(1, 2 ** (number.bit_length() - 1) // 64) == 0

    assert looks(before, count, last) == [number - before for number in range(before + 1, before + count + 1) if is_look(number)]


@given(st.lists(st.integers(-1, 1), max_size=60).filter(lambda games: len(games) % 2 == 0), st.data())
def test_counting(games: list[int], data: st.DataObject) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, len(games) // 2), min_size=1, max_size=5)))
    found = count_tables(np.array(games, np.int8), np.array(ends))
    assert [tuple(row.tolist()) for row in found] == [PairCounts.from_results(games[: 2 * end]).table for end in ends]


@pytest.mark.exhaustive
@settings(max_examples=12)
@given(st.lists(st.integers(1, 200), min_size=1, max_size=12), st.integers(0, 2**32))
def test_the_end_does_not_depend_on_the_cut(cuts: list[int], seed: int) -> None:
    """In blocks of any sizes: the same end, counts, interval and history as pair by pair."""
    results = np.random.default_rng(seed).choice(np.array([-1, 0, 1], np.int8), 1000, p=[0.3, 0.2, 0.5])
    results[1::2] *= -1
    one, other = (Sequential(500, StoppingRule(width=0.12, decided=True), Sprt(0, 100)) for _ in range(2))
    for pair in range(500):
        if one.has_enough:
            break
        assert one.watch(results[2 * pair : 2 * pair + 2]) == 1
    at = 0
    for size in [*cuts, 500]:
        block = results[2 * at : 2 * (at + size)]
        counted = other.watch(block)
        at += counted
        if other.has_enough or at == 500:
            break
        assert counted == len(block) // 2
    assert (one.ended, one.counts, one.sequence, one.history, one.decision) == (
        other.ended,
        other.counts,
        other.sequence,
        other.history,
        other.decision,
    )
    assert other.pairs == at and other.watch(results[:2]) == (0 if other.has_enough else 1)
