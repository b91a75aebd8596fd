"""Confidence bounds for the mean pair score after a fixed number of pairs: Clopper–Pearson for five possible scores.

The lower bound is the α-quantile of Σ Dₖ·xₖ: the scores xₖ weighted with random shares D ~ Dirichlet(counts), after one more
pair with the score 0 was added to the data (Gaffke 2005; Learned-Miller and Thomas 2019).  If only 0 and 1 occur this is
the Clopper–Pearson bound.  With many pairs it is as narrow as the normal interval.  It needs no variance estimate and no
continuity correction.  For two-valued scores its coverage is a theorem.  For others it is a conjecture without a known
counterexample; the tests enumerate all outcomes of small matches and simulate larger ones.

The numbers are computed in `pair_bounds_kernels`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometer.arena.statistics.pair_counts import Interval, checked_error, checked_pentanomial

Array = NDArray[np.float64]


def share_below(weights: ArrayLike, mean: ArrayLike) -> Array:
    """P(Σ Dₖ·xₖ ≤ mean) for D ~ Dirichlet(weights); weights (…, 5) over the pair scores, mean (…) between 0 and 1."""
    from ludometer.arena.statistics.pair_bounds_kernels import shares_below

    weight, means = np.asarray(weights, dtype=np.float64), np.asarray(mean, dtype=np.float64)
    shape = np.broadcast_shapes(weight.shape[:-1], means.shape)
    rows = np.array(np.broadcast_to(weight, (*shape, 5))).reshape(-1, 5)  # copies: compiled code wants plain arrays
    return np.asarray(shares_below(rows, np.array(np.broadcast_to(means, shape)).ravel())).reshape(shape)


def p_value_above(pentanomials: ArrayLike, mean: ArrayLike) -> Array:
    """One-sided p-values of "the true mean score is at most `mean`": small if the pairs scored more; (…, 5) and (…)."""
    counts = np.array(pentanomials, dtype=np.float64)
    counts[..., 0] += 1
    return share_below(counts, mean)


def p_value_below(pentanomials: ArrayLike, mean: ArrayLike) -> Array:
    """One-sided p-values of "the true mean score is at least `mean`": small if the pairs scored less."""
    return p_value_above(np.asarray(pentanomials)[..., ::-1], 1 - np.asarray(mean, dtype=np.float64))


def lower_bounds(pentanomials: ArrayLike, alpha: ArrayLike) -> Array:
    """(rows,) lower bound of the mean score with confidence 1 − alpha, for each row of counts (rows, 5)."""
    from ludometer.arena.statistics.pair_bounds_kernels import quantiles

    counts = np.array(pentanomials, dtype=np.float64).reshape(-1, 5)
    counts[:, 0] += 1
    return np.asarray(quantiles(counts, np.array(np.broadcast_to(np.asarray(alpha, dtype=np.float64), len(counts)))))


def lower_bound(pentanomial: ArrayLike, alpha: float) -> float:
    """Lower bound of the mean score with confidence 1 − alpha; 0 without pairs."""
    return float(lower_bounds(checked_pentanomial(pentanomial), checked_error(alpha))[0])


def upper_bound(pentanomial: ArrayLike, alpha: float) -> float:
    """Upper bound of the mean score with confidence 1 − alpha; 1 without pairs."""
    return 1.0 - lower_bound(np.asarray(pentanomial)[::-1], alpha)


def score_interval(pentanomial: ArrayLike, alpha: float = 0.05) -> Interval:
    """Interval of a match score for a number of pairs fixed in advance, with alpha/2 on each side.

    >>> score_interval((10, 20, 40, 20, 10))
    Interval(low=0.44123..., high=0.55876...)
    """
    return Interval(lower_bound(pentanomial, alpha / 2), upper_bound(pentanomial, alpha / 2))


def pair_p_value(pentanomial: ArrayLike, mean: float = 0.5) -> float:
    """Two-sided p-value of "the true mean score is `mean`"; below alpha if and only if `score_interval` excludes it."""
    counts = checked_pentanomial(pentanomial)
    return min(1.0, 2 * float(min(p_value_above(counts, mean), p_value_below(counts, mean))))


def likelihood_of_superiority(pentanomial: ArrayLike) -> float:
    """Posterior probability that A's true score is above ½, with half a pair of each extreme score added to the data.

    If every pair was won or lost twice it is P(Beta(wins + ½, losses + ½) > ½).  It is ½ without pairs and never 0 or 1.
    """
    counts = checked_pentanomial(pentanomial)
    counts[0] += 0.5
    counts[4] += 0.5
    return 1.0 - float(share_below(counts, 0.5))
