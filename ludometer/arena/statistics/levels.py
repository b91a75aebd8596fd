"""Levels: the strengths of several players on the scale of a game, from the pairs of games that they played.

A *level* is the difference in strength at which the better player scores 75 %.  A player x levels above another is expected to score
1/(1 + 3^−x).  One player, usually random play, is pinned at level 0.

    fit = fit_levels([HeadToHead(1, 0, (2, 0, 11, 0, 37))], players=2)
    fit.difference(1, 0)        # LevelEstimate(level=1.52…, low=…, high=…)

The levels maximise a quasi-likelihood: each match counts its score with the variance that its pairs showed, relative to the variance
p(1 − p) of a single game without draws.  Intervals are profile intervals, so they remain valid for scores near 0 and 1, where a normal
interval does not.  If the matches contradict each other (χ² above its degrees of freedom), one scale does not fit and the intervals
are widened by the root of χ²/df.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import chdtrc, expit, log_expit, ndtri

from ludometer.arena.statistics.pair_counts import PAIR_SCORES, Interval, checked_error
from ludometer.arena.statistics.ratings import HeadToHead, counts_of
from ludometer.core.errors import LudometerError

LOGITS_PER_LEVEL = log(3)  # logit(0.75)
PSEUDO_PAIRS = 0.25  # half a drawn game is added to every match, so that the levels are finite

_TOLERANCE = 1e-10  # of a level, in logits
_LONGEST_STEP = 2.0  # of Newton's method, in logits
_NEWTON_STEPS = 500
_FARTHEST = 60.0  # logits: bounds beyond this are reported as infinite

Array = NDArray[np.float64]


def score_of_levels(difference: float) -> float:
    """Expected score of a player who stands `difference` levels above the opponent.

    >>> score_of_levels(1.0)
    0.75
    """
    return 1 / (1 + exp(-LOGITS_PER_LEVEL * difference))


def levels_of_score(score: float) -> float:
    """Difference in levels at which a player is expected to score this; infinite at 0 and 1.

    >>> round(levels_of_score(0.9), 6)
    2.0
    """
    if not 0 <= score <= 1:
        raise LudometerError(f"a score lies between 0 and 1, not {score:g}")
    if score in (0, 1):
        return inf if score else -inf
    return log(score / (1 - score)) / LOGITS_PER_LEVEL


@dataclass(frozen=True)
class LevelEstimate:
    """A difference in levels with its confidence interval; a bound is infinite if the games do not give one."""

    level: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class LevelFit:
    """Levels of players 0 … n − 1, and how well one scale fits their matches."""

    levels: tuple[float, ...]  # the anchor's is 0
    chi_square: float  # of the matches against the fitted scores
    degrees: int  # of freedom: matches that the levels do not need
    residuals: tuple[float, ...]  # of each match, in standard errors
    _data: _Matches = field(repr=False, compare=False)

    @property
    def inflation(self) -> float:
        """Factor by which intervals are widened: the root of χ²/df, at least 1."""
        return sqrt(max(1.0, self.chi_square / self.degrees)) if self.degrees else 1.0

    @property
    def p_value(self) -> float:
        """Of "one scale fits": small if the matches contradict each other; 1 if nothing can contradict."""
        return float(chdtrc(self.degrees, self.chi_square)) if self.degrees else 1.0

    @cached_property
    def _covariance(self) -> Array:
        """(players, players) of the levels in logits, before inflation; 0 for the anchor."""
        size = len(self.levels)
        whole = np.zeros((size, size))
        free = self._data.free
        logits = np.array(self.levels)[free] * LOGITS_PER_LEVEL
        whole[np.ix_(free, free)] = np.linalg.inv(self._data.curvature(logits))
        return whole

    def standard_error(self, a: int, b: int) -> float:
        """Of the difference of two levels, inflated; from the curvature at the maximum."""
        spread = self._covariance
        return self.inflation * sqrt(max(0.0, spread[a, a] + spread[b, b] - 2 * spread[a, b])) / LOGITS_PER_LEVEL

    def combination(self, weights: Array, alpha: float = 0.05) -> LevelEstimate:
        """A weighted sum of levels, (players,) weights, with a normal interval: for levels interpolated between two players."""
        error = self.inflation * sqrt(max(0.0, float(weights @ self._covariance @ weights))) / LOGITS_PER_LEVEL
        level, reach = float(weights @ np.array(self.levels)), float(ndtri(1 - checked_error(alpha) / 2)) * error
        return LevelEstimate(level, level - reach, level + reach)

    def difference(self, a: int, b: int, alpha: float = 0.05) -> LevelEstimate:
        """How many levels `a` stands above `b`, with a profile interval of confidence 1 − alpha."""
        checked_error(alpha)
        found = self.levels[a] - self.levels[b]
        if a == b:
            return LevelEstimate(0.0, 0.0, 0.0)
        drop = float(ndtri(1 - alpha / 2)) ** 2 / 2 * self.inflation**2
        bounds = [self._data.bound(np.array(self.levels) * LOGITS_PER_LEVEL, a, b, side, drop) for side in (-1, 1)]
        return LevelEstimate(found, bounds[0] / LOGITS_PER_LEVEL, bounds[1] / LOGITS_PER_LEVEL)


@dataclass(frozen=True)
class _Matches:
    """The matches as arrays, and their quasi-likelihood as a function of the strengths in logits."""

    sides: Array  # (matches, players): +1 for a, −1 for b
    scores: Array  # (matches,) of a, the pseudo-draw included
    weights: Array  # (matches,) pairs over dispersion: how many independent games without draws a match is worth
    anchor: int

    @classmethod
    def of(cls, matches: Sequence[HeadToHead], players: int, anchor: int) -> _Matches:
        counts = counts_of(matches, players)
        pairs = counts.sum(axis=1) + PSEUDO_PAIRS
        scores = (counts @ PAIR_SCORES + PSEUDO_PAIRS / 2) / pairs
        squares = (counts * (PAIR_SCORES - scores[:, None]) ** 2).sum(axis=1) + PSEUDO_PAIRS * (0.5 - scores) ** 2
        dispersion = np.maximum(squares / pairs / (scores * (1 - scores)), 1 / (4 * pairs))
        sides = np.zeros((len(matches), players))
        for row, match in enumerate(matches):
            sides[row, match.a], sides[row, match.b] = 1.0, -1.0
        return cls(sides, scores, pairs / dispersion, anchor)

    @property
    def free(self) -> NDArray[np.intp]:
        """Players other than the anchor."""
        return np.delete(np.arange(self.sides.shape[1]), self.anchor)

    def expected(self, strengths: Array) -> Array:
        """(matches,) scores that these strengths, (free players,) in logits, predict."""
        return np.asarray(expit(self.sides[:, self.free] @ strengths))

    def curvature(self, strengths: Array) -> Array:
        """Negative second derivative of the quasi-likelihood."""
        expected = self.expected(strengths)
        sides = self.sides[:, self.free]
        return (sides * (self.weights * expected * (1 - expected))[:, None]).T @ sides

    def likelihood(self, strengths: Array) -> float:
        """Logarithm of the quasi-likelihood of strengths (free players,)."""
        logits = self.sides[:, self.free] @ strengths
        return float(self.weights @ (self.scores * log_expit(logits) + (1 - self.scores) * log_expit(-logits)))

    def maximum(self, start: Array, directions: Array | None = None) -> Array:
        """Strengths (free players,) of the highest quasi-likelihood among start + span(directions); default: among all."""
        strengths = start.copy()
        sides = self.sides[:, self.free]
        basis = np.eye(len(start)) if directions is None else directions
        if not basis.size:
            return strengths
        for _ in range(_NEWTON_STEPS):
            slope = basis.T @ (sides.T @ (self.weights * (self.scores - self.expected(strengths))))
            step = basis @ np.linalg.lstsq(basis.T @ self.curvature(strengths) @ basis, slope, rcond=None)[0]
            longest = float(np.abs(step).max(initial=0.0))
            strengths = strengths + step * min(1.0, _LONGEST_STEP / max(longest, _TOLERANCE))
            if longest < _TOLERANCE:
                return strengths
        raise LudometerError("the levels do not converge: one match has far more games than the others")

    def bound(self, best: Array, a: int, b: int, side: int, drop: float) -> float:
        """The largest (side 1) or smallest (side −1) strength of a over b whose profile likelihood is at most `drop` below the best."""
        free = self.free
        contrast = np.zeros(self.sides.shape[1])
        contrast[a], contrast[b] = 1.0, -1.0
        contrast = contrast[free]
        towards = contrast / (contrast @ contrast)
        # All directions that leave the difference of a and b as it is.
        others = np.linalg.svd(contrast[None, :])[2][1:].T
        top = self.likelihood(best[free])
        middle = float(contrast @ best[free])

        def above(away: float) -> float:
            start = best[free] + towards * side * away
            return top - self.likelihood(self.maximum(start, others)) - drop

        far = 0.5
        while above(far) < 0:
            far *= 2
            if far > _FARTHEST:
                return side * inf
        return middle + side * float(brentq(above, 0.0, far, xtol=1e-6))


def fit_levels(matches: Sequence[HeadToHead], players: int, anchor: int = 0) -> LevelFit:
    """The levels of all players; raises LudometerError if players are not linked by games."""
    data = _Matches.of(matches, players, anchor)
    strengths = data.maximum(np.zeros(players - 1))
    expected = data.expected(strengths)
    residuals = (data.scores - expected) * np.sqrt(data.weights / (expected * (1 - expected)))
    levels = np.zeros(players)
    levels[data.free] = strengths / LOGITS_PER_LEVEL
    return LevelFit(
        levels=tuple(levels.tolist()),
        chi_square=float(residuals @ residuals),
        degrees=len(matches) - (players - 1),
        residuals=tuple(residuals.tolist()),
        _data=data,
    )
