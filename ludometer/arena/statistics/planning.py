"""Sample sizes for a difference, for an interval and for an equivalence test.

All sizes are numbers of seat-swapped pairs.  The variance of a pair's score is p(1 − p) times a *dispersion*.  The dispersion is ½ for
two independent games without draws, less with draws or a strong first-move advantage, and at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, sqrt

from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from ludometer.arena.statistics.pair_bounds import p_value_above, p_value_below
from ludometer.arena.statistics.pair_counts import checked_error
from ludometer.core.errors import LudometerError

INDEPENDENT_GAMES = 0.5  # dispersion of two independent games without draws


def pairs_for_difference(score: float, alpha: float = 0.05, power: float = 0.8, dispersion: float = INDEPENDENT_GAMES) -> int:
    """Number of pairs at which a two-sided test of equal strength has the given power against this true score.

    >>> pairs_for_difference(0.6)
    97
    """
    _check(score, alpha, power, dispersion)
    if score == 0.5:
        raise LudometerError("no number of games shows a difference between equal players; give a score other than 0.5")
    even, true = sqrt(dispersion * 0.25), sqrt(dispersion * score * (1 - score))
    return ceil(((float(ndtri(1 - alpha / 2)) * even + float(ndtri(power)) * true) / (score - 0.5)) ** 2)


def pairs_for_interval(half_width: float, score: float = 0.5, alpha: float = 0.05, dispersion: float = INDEPENDENT_GAMES) -> int:
    """Number of pairs at which the interval of a score has this half width."""
    _check(score, alpha, 0.5, dispersion)
    if not 0 < half_width < 0.5:
        raise LudometerError(f"the half width of a score's interval lies between 0 and 0.5, not {half_width:g}")
    return ceil(dispersion * score * (1 - score) * (float(ndtri(1 - alpha / 2)) / half_width) ** 2)


def pairs_for_equivalence(margin: float, alpha: float = 0.05, power: float = 0.8, dispersion: float = INDEPENDENT_GAMES) -> int:
    """Number of pairs at which two one-sided tests show with the given power that equal players score within `margin` of ½."""
    _check(0.5, alpha, power, dispersion)
    if not 0 < margin < 0.5:
        raise LudometerError(f"a margin of equivalence lies between 0 and 0.5, not {margin:g}")
    both = float(ndtri(1 - alpha)) + float(ndtri((1 + power) / 2))
    return ceil(dispersion * 0.25 * (both / margin) ** 2)


def power_of(pairs: int, score: float, alpha: float = 0.05, dispersion: float = INDEPENDENT_GAMES) -> float:
    """Power of a two-sided test of equal strength with `pairs` pairs against this true score (normal approximation)."""
    _check(score, alpha, 0.5, dispersion)
    even, true = sqrt(dispersion * 0.25), sqrt(dispersion * score * (1 - score))
    if true == 0:
        return 1.0 if pairs else 0.0
    away, limit = abs(score - 0.5) * sqrt(pairs), float(ndtri(1 - alpha / 2)) * even
    return float(ndtr((away - limit) / true) + ndtr((-away - limit) / true))


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests of "the true score lies within the margin of ½"."""

    margin: float
    p_value: float  # the larger of the two
    alpha: float

    @property
    def is_shown(self) -> bool:
        return self.p_value <= self.alpha


def equivalence(pentanomial: ArrayLike, margin: float, alpha: float = 0.05) -> Equivalence:
    """Test equivalence with the exact bounds of `pair_bounds`."""
    checked_error(alpha)
    if not 0 < margin < 0.5:
        raise LudometerError(f"a margin of equivalence lies between 0 and 0.5, not {margin:g}")
    above = float(p_value_above(pentanomial, 0.5 - margin))
    below = float(p_value_below(pentanomial, 0.5 + margin))
    return Equivalence(margin, max(above, below), alpha)


def games_that_decide(estimate: float, standard_error: float, games: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """Number of games that decides a difference with the given power if it is as large as measured; infinite for a difference of 0.

    `estimate` is the difference from its null value, and `standard_error` its error after `games` games.
    """
    checked_error(alpha)
    if estimate == 0:
        return inf
    needed = (float(ndtri(1 - alpha / 2)) + float(ndtri(power))) * standard_error / abs(estimate)
    return games * max(1.0, needed**2)


def _check(score: float, alpha: float, power: float, dispersion: float) -> None:
    checked_error(alpha)
    if not 0 <= score <= 1:
        raise LudometerError(f"a score lies between 0 and 1, not {score:g}")
    if not 0 < power < 1:
        raise LudometerError(f"the power of a test lies between 0 and 1, not {power:g}")
    if not 0 < dispersion <= 1:
        raise LudometerError(f"a dispersion lies above 0 and is at most 1, not {dispersion:g}")
