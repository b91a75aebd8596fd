"""A confidence sequence: an interval for the score of a match that may be looked at after every pair, and acted upon.

Suppose the true mean score of a pair were m.  Then nobody could make money by betting, at fair odds, that pairs score more than
m: a gambler who stakes the share θ of his capital on every pair multiplies it by 1 − θ + θ·x/m when the pair scores x, and that
factor has mean 1.  Divide a capital of 1 among gamblers with stakes from nearly 0 to 1; together they still play a fair game, so the
chance that they *ever* own 2/α is at most α/2 (Ville's inequality).  Every m against which they got so rich is ruled out, at
that moment and for good.  Betting on less than m gives the upper end in the same way.  The capital depends on the counts of the
five pair scores only and falls as m rises, so the lower end is found by bisection.

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
SHARES = np.append(1 / (2 + np.abs(_POWERS)), 0.1 * (1 / (2 + np.abs(_POWERS))).sum())  # (22,) of the money at the start
SHARES /= SHARES.sum()
_LOG_SHARES = np.log(SHARES)

_RUINED = -1e250  # the logarithm of no money: times any count still a number, and exp of it is 0
_LOOKS_PER_DOUBLING = 1024

Array = NDArray[np.float64]


def log_capital(pentanomials: ArrayLike, mean: float) -> Array:
    """(…) log of what is left of 1 after betting, on pairs (…, 5), that they score more than `mean` (over 0)."""
    counts = np.asarray(pentanomials, dtype=np.float64)
    growth = np.logaddexp.reduce(counts @ _log_factors(mean) + np.log(SHARES), axis=-1)
    return np.asarray(growth)


def _log_factors(mean: float) -> Array:
    """(5, 22) log of the factor of each stake for each pair score."""
    factors = 1 - STAKES + STAKES * PAIR_SCORES[:, None] / mean
    return np.where(factors > 0, np.log(np.where(factors > 0, factors, 1.0)), _RUINED)


def anytime_lower_bound(pentanomial: ArrayLike, alpha: float) -> float:
    """The mean score is at least this, at whatever moment one looks, except with probability alpha.

    The probability covers all moments together.  Valid too where the results so far decided which games were played next.
    """
    return float(lower_bound(checked_pentanomial(pentanomial), -log(checked_error(alpha)), STAKES, _LOG_SHARES))


def anytime_upper_bound(pentanomial: ArrayLike, alpha: float) -> float:
    """The mean score is at most this, at whatever moment one looks, except with probability alpha."""
    return 1.0 - anytime_lower_bound(np.asarray(pentanomial)[::-1], alpha)


def anytime_interval(pentanomial: ArrayLike, alpha: float = 0.05) -> Interval:
    """Both bounds at alpha/2, from the counts alone: what a single look shows, without the looks before it."""
    return Interval(anytime_lower_bound(pentanomial, alpha / 2), anytime_upper_bound(pentanomial, alpha / 2))


@dataclass(frozen=True)
class ConfidenceSequence:
    """The interval of a match in progress: what is left after all looks so far; immutable, `after…` returns the next one.

    It depends on the order of the pairs through the looks: feed it the pairs, or blocks of them, in the order of their seeds,
    and it is the same for any number of workers.

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
        """Whether every mean score has been ruled out: an error of probability alpha, or pairs that are not alike."""
        return self.low > self.high

    @property
    def interval(self) -> Interval:
        """The true score is here, except with probability alpha; after a contradiction, that of the counts alone."""
        return anytime_interval(self.pentanomial, self.alpha) if self.contradicted else Interval(self.low, self.high)

    def after(self, pentanomial: ArrayLike) -> ConfidenceSequence:
        """With a block of pairs added, and one look after it."""
        block = checked_pentanomial(pentanomial)
        return self.after_looks((block + self.pentanomial)[None])[0]

    def after_looks(self, pentanomials: ArrayLike) -> list[ConfidenceSequence]:
        """The sequence after each of some looks, at which the counts of all pairs since the start were these, (looks, 5)."""
        counts = np.ascontiguousarray(pentanomials, np.float64)
        ends = look(counts, self.low, self.high, log(2 / self.alpha), STAKES, _LOG_SHARES)
        return [
            replace(self, pentanomial=tuple(int(count) for count in row), low=float(low), high=float(high))
            for row, (low, high) in zip(counts, ends)
        ]

    def after_each(self, scores: Iterable[float]) -> ConfidenceSequence:
        """With pairs added one by one, and a look after each.

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
    """When a match may end before its last game: legitimate with a confidence sequence, and with nothing else here."""

    width: float | None = None  # stop when the interval is at most so wide
    decided: bool = False  # stop when ½ is outside

    def __post_init__(self) -> None:
        if self.width is not None and not 0 < self.width < 1:
            raise LudometerError(f"a width to stop at lies between 0 and 1, not {self.width:g}")

    def reason(self, interval: Interval) -> str | None:
        """Why to stop now, `width` or `decided`; None to go on."""
        if self.decided and not interval.contains(0.5):
            return "decided"
        if self.width is not None and interval.width <= self.width:
            return "width"
        return None
