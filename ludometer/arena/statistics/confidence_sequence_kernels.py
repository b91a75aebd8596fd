"""Compiled kernels of `confidence_sequence`: one look takes a few microseconds."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.compilation import kernel

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_HALVINGS = 8  # of the bracket before the secant method begins
_STEPS = 100  # of the secant method, at most
_CLOSE = 1e-13  # of the bracket, where it ends


@njit
def _log_capital(counts, mean, stakes, log_shares, scratch):
    """Log of the capital after betting that pairs score more than `mean`; see `confidence_sequence.log_capital`."""
    most = -np.inf
    for gambler in range(len(stakes)):
        wealth = log_shares[gambler]
        for k in range(5):
            if counts[k] > 0:
                factor = 1.0 - stakes[gambler] + stakes[gambler] * _SCORES[k] / mean
                wealth += counts[k] * np.log(factor) if factor > 0 else -np.inf
        scratch[gambler] = wealth
        most = max(most, wealth)
    if most == -np.inf:
        return most
    total = 0.0
    for gambler in range(len(stakes)):
        total += np.exp(scratch[gambler] - most)
    return most + np.log(total)


@njit
def _lower_bound(counts, goal, stakes, log_shares, scratch):
    """Mean at which the capital is exp(goal), by bisection and then the Illinois form of the secant method."""
    pairs = 0.0
    points = 0.0
    for k in range(5):
        pairs += counts[k]
        points += counts[k] * _SCORES[k]
    if points == 0:
        return 0.0
    high = points / pairs
    low = high * np.exp(-goal) / 1e6  # a bound lower than this is reported as 0
    at_low = _log_capital(counts, low, stakes, log_shares, scratch) - goal
    if at_low <= 0:
        return 0.0
    at_high = _log_capital(counts, high, stakes, log_shares, scratch) - goal
    side = 0
    for step in range(_HALVINGS + _STEPS):
        middle = (low + high) / 2 if step < _HALVINGS else (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high:
            return middle if low <= middle <= high else (low + high) / 2
        value = _log_capital(counts, middle, stakes, log_shares, scratch) - goal
        if value > 0:
            low, at_low = middle, value
            if side > 0:
                at_high /= 2
            side = 1
        else:
            high, at_high = middle, value
            if side < 0:
                at_low /= 2
            side = -1
        if high - low < _CLOSE or value == 0:
            return middle
    return (low + high) / 2


@kernel
def lower_bound(counts, goal, stakes, log_shares):
    """Lower end of the interval for counts (5,) float64; `goal` is log(1/alpha), `stakes` and `log_shares` are (n,) float64."""
    return _lower_bound(counts, goal, stakes, log_shares, np.empty(len(stakes)))


@kernel
def look(pentanomials, low, high, goal, stakes, log_shares):
    """(looks, 2) both ends of the sequence after each look, given the counts `pentanomials` (looks, 5), float64.

    `low` and `high` are the ends before the first look.  The interval never widens.
    """
    ends = np.empty((len(pentanomials), 2))
    scratch = np.empty(len(stakes))
    mirrored = np.empty(5)
    for place in range(len(pentanomials)):
        counts = pentanomials[place]
        if low == 0 or _log_capital(counts, low, stakes, log_shares, scratch) >= goal:
            low = max(low, _lower_bound(counts, goal, stakes, log_shares, scratch))
        for k in range(5):
            mirrored[k] = counts[4 - k]
        if high == 1 or _log_capital(mirrored, 1.0 - high, stakes, log_shares, scratch) >= goal:
            high = min(high, 1.0 - _lower_bound(mirrored, goal, stakes, log_shares, scratch))
        ends[place, 0] = low
        ends[place, 1] = high
    return ends


@kernel
def count_tables(results, ends):
    """(ends, 9) int64: `PairCounts.table` of the first ends[i] pairs; `results` is int8 [game], `ends` int64 and ascending."""
    tables = np.zeros((len(ends), 9), np.int64)
    counts = np.zeros(9, np.int64)
    pair = 0
    for place in range(len(ends)):
        while pair < ends[place]:
            counts[3 * (1 + np.int64(results[2 * pair])) + 1 - np.int64(results[2 * pair + 1])] += 1
            pair += 1
        tables[place] = counts
    return tables
