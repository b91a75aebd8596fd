"""The generalised sequential probability ratio test on pairs: is A better by elo1, or only by elo0?

After every pair the log-likelihood ratio (LLR) of "the score is that of elo1" against "… of elo0" is compared with two fixed
bounds (Wald 1945).  The score does not fix the probabilities of the five pair scores, so each hypothesis is represented by the
distribution with that mean which makes the observed pairs most likely (the *generalised* ratio, as Van den Bergh derived it for
fishtest).  With p̂ the observed frequencies it is p = p̂ / (1 + t·(x − s)), with the t that gives the mean s.

The error rates alpha and beta are asymptotic: good when elo0 and elo1 are so close that a decision takes some dozen pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometer.arena.statistics.match_statistics import score_of_elo
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, checked_error
from ludometer.core.errors import LudometerError

_TRACE = 1e-3  # pairs added to each of the five counts, so that no score is impossible
_HALVINGS = 60

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Sprt:
    """The test of elo0 against elo1: `alpha` bounds accepting elo1 when elo0 is true, `beta` the reverse.

    >>> Sprt(0, 50).decision((0, 10, 100, 60, 30))
    'elo1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise LudometerError(f"a sequential test takes elo0 below elo1, as in 0,20, not {self.elo0:g},{self.elo1:g}")
        checked_error(self.alpha)
        checked_error(self.beta)
        if self.alpha + self.beta >= 1:
            raise LudometerError(f"the two error probabilities must add up to less than 1, not {self.alpha + self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the LLR: elo0 is accepted at or below the first, elo1 at or above the second."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: ArrayLike) -> float:
        """Log-likelihood ratio of these pairs; positive values favour elo1."""
        return float(log_likelihood_ratios(pentanomial, score_of_elo(self.elo0), score_of_elo(self.elo1)))

    def decision(self, pentanomial: ArrayLike) -> str:
        """`elo0`, `elo1` or `continue`."""
        return self._decide(self.llr(pentanomial))

    def decisions(self, pentanomials: ArrayLike) -> list[str]:
        """Decision at each row of counts (looks, 5)."""
        ratios = log_likelihood_ratios(pentanomials, score_of_elo(self.elo0), score_of_elo(self.elo1))
        return [self._decide(float(ratio)) for ratio in ratios]

    def run(self, scores: ArrayLike) -> tuple[str, int]:
        """Decision of the test when it looks after every pair, and the number of pairs used."""
        places = np.rint(np.asarray(scores, dtype=np.float64) * 4).astype(np.int64)
        counts = np.cumsum(places[:, None] == np.arange(5), axis=0)
        ratios = log_likelihood_ratios(counts, score_of_elo(self.elo0), score_of_elo(self.elo1))
        low, high = self.bounds
        over = np.flatnonzero((ratios <= low) | (ratios >= high))
        if not len(over):
            return "continue", len(places)
        return self._decide(float(ratios[over[0]])), int(over[0]) + 1

    def _decide(self, ratio: float) -> str:
        low, high = self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else "continue"


def log_likelihood_ratios(pentanomials: ArrayLike, score0: float, score1: float) -> Array:
    """(…) for counts (…, 5): log of the highest likelihood with mean score1, minus that with mean score0; 0 without pairs."""
    counts = np.asarray(pentanomials, dtype=np.float64)
    ratios = _log_penalty(counts + _TRACE, score0) - _log_penalty(counts + _TRACE, score1)
    return np.where(counts.any(axis=-1), ratios, 0.0)


def _log_penalty(counts: Array, score: float) -> Array:
    """Loss of log-likelihood when the mean is constrained to `score`, against the observed frequencies."""
    offsets = PAIR_SCORES - score
    low = np.full(counts.shape[:-1], -1 / offsets[-1])  # 1 + t·offset must stay positive
    high = np.full(counts.shape[:-1], -1 / offsets[0])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        slope = (counts * offsets / (1 + middle[..., None] * offsets)).sum(axis=-1)
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    tilt = 1 + ((low + high) / 2)[..., None] * offsets
    return np.asarray((counts * np.log(tilt)).sum(axis=-1))
