"""Bootstrap over pairs: the sampling distribution of estimates that depend on several pairings.

Each pairing (two players and all their pairs) is resampled separately.  Pairs are drawn from the observed ones and from half a
pair of each extreme score.  Without these half pairs a pairing whose pairs all ended alike would have no variance, and two drawn
pairs would prove equality.  The shift that they cause is subtracted from the intervals.  Estimates are computed for all samples
at once, from an array of counts (samples, pairings, 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from ludometer.arena.statistics.pair_counts import Interval, checked_error
from ludometer.core.errors import LudometerError

_EXTREMES = np.array([0.5, 0.0, 0.0, 0.0, 0.5])

Method = Literal["bca", "percentile"]
Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Samples to compute an estimate on: the data, the distribution drawn from, the resamples, and the data with one pair left out.

    >>> from ludometer.arena.statistics.pair_counts import PAIR_SCORES
    >>> bootstrap = Bootstrap.over([(10, 20, 40, 20, 10)], resamples=1000, seed=1)
    >>> scores = bootstrap.samples[:, 0] @ PAIR_SCORES / bootstrap.samples[:, 0].sum(axis=1)
    >>> bootstrap.interval(scores)                  # of the mean score
    Interval(low=0.44..., high=0.55...)
    """

    samples: Array  # (2 + resamples + left out, pairings, 5) counts
    resamples: int
    pairing: NDArray[np.int64]  # (left out,) pairing from which a pair was left out
    times: Array  # (left out,) number of pairs like the one left out

    @classmethod
    def over(cls, pentanomials: ArrayLike, resamples: int = 2000, seed: int = 0) -> Bootstrap:
        """Resample these pairings, counts (pairings, 5); the same seed gives the same samples.  Raises LudometerError."""
        counts = np.asarray(pentanomials, dtype=np.float64)
        if counts.ndim != 2 or counts.shape[1] != 5 or (counts < 0).any() or not counts.any(axis=1).all():
            raise LudometerError("a bootstrap takes five counts for each pairing, and at least one pair in each")
        if resamples < 100:
            raise LudometerError(f"a bootstrap takes at least 100 resamples, not {resamples}")
        random = np.random.Generator(np.random.Philox(seed))
        pairs = np.rint(counts.sum(axis=1)).astype(np.int64)
        shares = (counts + _EXTREMES) / (pairs + 1)[:, None]
        drawn = random.multinomial(pairs, shares, size=(resamples, len(counts)))
        pairing, kind = np.nonzero((counts > 0) & (pairs > 1)[:, None])
        without = np.repeat(counts[None], len(pairing), axis=0)
        without[np.arange(len(pairing)), pairing, kind] -= 1
        samples = np.concatenate([counts[None], (shares * pairs[:, None])[None], drawn, without])
        return cls(samples, resamples, pairing, counts[pairing, kind])

    def drawn(self, values: Array) -> Array:
        """Values of an estimate on the resamples, given its values on all `samples` (first axis)."""
        return values[2 : 2 + self.resamples]

    def interval(self, values: Array, alpha: float = 0.05, method: Method = "bca") -> Interval:
        """Confidence interval of an estimate, given its values on all `samples`.

        `bca` corrects the percentiles for bias and skewness (Efron 1987).  Infinite values are allowed.
        """
        estimate, in_urn = float(values[0]), float(values[1])
        ordered = np.sort(self.drawn(values))
        ends = np.array([checked_error(alpha) / 2, 1 - alpha / 2])
        if method == "bca" and np.isfinite(in_urn):
            ends = self._corrected(ends, in_urn, ordered, values[2 + self.resamples :])
        low, high = ordered[np.clip((ends * self.resamples).astype(np.int64), 0, self.resamples - 1)]
        shift = estimate - in_urn if np.isfinite(estimate) and np.isfinite(in_urn) else 0.0
        return Interval(float(low + shift), float(high + shift))

    def _corrected(self, ends: Array, in_urn: float, ordered: Array, without: Array) -> Array:
        """The percentiles to read instead of `ends`."""
        below = (np.searchsorted(ordered, in_urn, "left") + np.searchsorted(ordered, in_urn, "right")) / 2
        bias = ndtri(np.clip(below / self.resamples, 0.5 / self.resamples, 1 - 0.5 / self.resamples))
        shifted = bias + ndtri(ends)
        return np.asarray(ndtr(bias + shifted / (1 - self._acceleration(without) * shifted)))

    def _acceleration(self, without: Array) -> float:
        """Acceleration constant of BCa: a sixth of the skewness of the pairs' influence."""
        if not len(without) or not np.isfinite(without).all():
            return 0.0
        pairs = np.bincount(self.pairing, self.times)
        means = np.bincount(self.pairing, self.times * without) / np.maximum(pairs, 1)
        influence = (pairs[self.pairing] - 1) * (means[self.pairing] - without) / pairs[self.pairing]
        spread = (self.times * influence**2).sum()
        return float((self.times * influence**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0
