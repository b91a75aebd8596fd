"""Confidence interval of a mean."""

from __future__ import annotations

import numpy as np

from ludometer.arena.statistics.pair_counts import Interval


def mean_interval(values: np.ndarray, alpha: float = 0.05) -> Interval:
    """Student's interval for the mean of independent numbers; infinite for fewer than two numbers."""
    from scipy.special import stdtrit

    count = len(values)
    if count < 2:
        return Interval(float("-inf"), float("inf"))
    mean, deviation = float(np.mean(values, dtype=np.float64)), float(np.std(values, ddof=1, dtype=np.float64))
    half = float(stdtrit(count - 1, 1 - alpha / 2)) * deviation / count**0.5
    return Interval(mean - half, mean + half)
