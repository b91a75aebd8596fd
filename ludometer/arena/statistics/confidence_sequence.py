"""Confidence sequence: an interval for the score of a match that stays valid if it is inspected after every pair.

Suppose the true mean score of a pair is m.  A gambler bets at fair odds that pairs score more than m and stakes the share θ of the
capital on every pair.  A pair with score x multiplies the capital by 1 − θ + θ·x/m, a factor with mean 1.  A capital of 1 is divided
among gamblers with stakes from nearly 0 to 1.  Their total is a nonnegative martingale, so the probability that it *ever* reaches
2/α is at most α/2 (Ville's inequality).  Every m against which it reached 2/α is excluded from then on.  Betting on less than m
gives the upper end in the same way.  The capital depends on the counts of the five pair scores only and falls as m rises, so the
lower end is found by bisection.

This is the hedged, grid-Kelly form of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2024).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometer.arena.statistics.confidence_sequence_kernels import look, lower_bound
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, Interval, checked_error, checked_pentanomial, pentanomial_of
from ludometer.core.errors import LudometerError

# The stakes: θ = 1/(1 + 2^k) for k = −6 … 14, and θ = 1.  Small stakes win slowly and serve long matches.
_POWERS = np.arange(-6, 15)
STAKES = np.append(1 / (1 + 2.0**_POWERS), 1.0)  # (22,)
SHARES = np.append(1 / (2 + np.abs(_POWERS)), 0.1 * (1 / (2 + np.abs(_POWERS))).sum())  # (22,) of the initial capital
SHARES /= SHARES.sum()
_LOG_SHARES = np.log(SHARES)

_RUINED = -1e250  # stands for log 0: finite when multiplied by a count, and its exp is 0
_LOOKS_PER_DOUBLING = 1024

Array = NDArray[np.float64]


def log_capital(pentanomials: ArrayLike, mean: float) -> Array:
    """(…) log of the capital, initially 1, after betting on pairs (…, 5) that they score more than `mean`, which is above 0."""
    counts = np.asarray(pentanomials, dtype=np.float64)
    growth = np.logaddexp.reduce(counts @ _log_factors(mean) + np.log(SHARES), axis=-1)
    return np.asarray(growth)


def _log_factors(mean: float) -> Array:
    """(5, 22) log of the factor by which each pair score multiplies the capital at each stake."""
    factors = 1 - STAKES + STAKES * PAIR_SCORES[:, None] / mean
    return np.where(factors > 0, np.log(np.where(factors > 0, factors, 1.0)), _RUINED)


def anytime_lower_bound(pentanomial: ArrayLike, alpha: float) -> float:
    """Lower bound of the mean score that fails at any time with probability alpha at most.

    The probability covers all looks together.  The bound is also valid if earlier results decided which games were played next.
    """
    return float(lower_bound(checked_pentanomial(pentanomial), -log(checked_error(alpha)), STAKES, _LOG_SHARES))


def anytime_upper_bound(pentanomial: ArrayLike, alpha: float) -> float:
    """Upper bound of the mean score that fails at any time with probability alpha at most."""
    return 1.0 - anytime_lower_bound(np.asarray(pentanomial)[::-1], alpha)


def anytime_interval(pentanomial: ArrayLike, alpha: float = 0.05) -> Interval:
    """Both bounds at alpha/2 from the counts of a single look, ignoring earlier looks."""
    return Interval(anytime_lower_bound(pentanomial, alpha / 2), anytime_upper_bound(pentanomial, alpha / 2))


@dataclass(frozen=True)
class ConfidenceSequence:
    """Running intersection of the intervals of a match in progress.  Immutable: the `after…` methods return the next sequence.

    The result depends on the order of the pairs through the looks.  Pairs, or blocks of them, are added in the order of their seeds,
    so that it is the same for any number of workers.

    >>> start = ConfidenceSequence()
    >>> start.after((0, 0, 1, 3, 16)).after((0, 0, 0, 2, 18)).interval.low > 0.5
    True
    """

    alpha: float = 0.05
    pentanomial: tuple[int, ...] = (0, 0, 0, 0, 0)
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        checked_error(self.alpha)

    @property
    def pairs(self) -> int:
        return sum(self.pentanomial)

    @property
    def contradicted(self) -> bool:
        """Whether every mean score is excluded: an event of probability alpha, or pairs that are not identically distributed."""
        return self.low > self.high

    @property
    def interval(self) -> Interval:
        """Interval of the true score with confidence 1 − alpha; after a contradiction, the interval of the counts alone."""
        return anytime_interval(self.pentanomial, self.alpha) if self.contradicted else Interval(self.low, self.high)

    def after(self, pentanomial: ArrayLike) -> ConfidenceSequence:
        """The sequence after adding a block of pairs and looking once."""
        block = checked_pentanomial(pentanomial)
        return self.after_looks((block + self.pentanomial)[None])[0]

    def after_looks(self, pentanomials: ArrayLike) -> list[ConfidenceSequence]:
        """The sequence after each look, given the counts of all pairs up to it, (looks, 5)."""
        counts = np.ascontiguousarray(pentanomials, np.float64)
        ends = look(counts, self.low, self.high, log(2 / self.alpha), STAKES, _LOG_SHARES)
        return [
            replace(self, pentanomial=tuple(int(count) for count in row), low=float(low), high=float(high))
            for row, (low, high) in zip(counts, ends)
        ]

    def after_each(self, scores: Iterable[float]) -> ConfidenceSequence:
        """The sequence after adding pairs one by one and looking after each.

        Beyond 2,048 pairs there are 1,024 looks between n and 2n pairs, at fixed numbers of pairs.
        """
        current, waiting = self, np.zeros(5, dtype=np.int64)
        pairs = self.pairs
        for score in scores:
            waiting += pentanomial_of([score])
            pairs += 1
            if pairs % max(1, 1 << pairs.bit_length() - 1 >> _LOOKS_PER_DOUBLING.bit_length() - 1) == 0:
                current, waiting = current.after(waiting), np.zeros(5, dtype=np.int64)
        if waiting.any():
            counts = tuple(mine + int(more) for mine, more in zip(current.pentanomial, waiting))
            current = replace(current, pentanomial=counts)
        return current


@dataclass(frozen=True)
class StoppingRule:
    """When a match may end before its last game.  Only a confidence sequence makes this valid."""

    width: float | None = None  # stop when the interval is no wider than this
    decided: bool = False  # stop when ½ is outside

    def __post_init__(self) -> None:
        if self.width is not None and not 0 < self.width < 1:
            raise LudometerError(f"a width to stop at lies between 0 and 1, not {self.width:g}")

    def reason(self, interval: Interval) -> str | None:
        """Reason to stop, `width` or `decided`; None to continue."""
        if self.decided and not interval.contains(0.5):
            return "decided"
        if self.width is not None and interval.width <= self.width:
            return "width"
        return None
