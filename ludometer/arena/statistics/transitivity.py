"""Transitivity: how well a single rating scale describes a set of players.

Every score is written as a logit, L = log(s / (1 − s)).  On a single scale every L is a difference of two ratings.  T is the share
of ΣL² that the least-squares ratings explain: 1 for a perfect scale, 0 for rock, paper, scissors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from ludometer.arena.statistics.pair_counts import PAIR_SCORES
from ludometer.arena.statistics.ratings import ELO_PER_LOGIT, PSEUDO_GAMES, HeadToHead, counts_of, fit

WARNING_BELOW = 0.8

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Transitivity:
    """`value` is T, or None if all scores are ½.

    `misfit_p_value` is the p-value of "one scale is true" given the deviations from it.  It is None if every result fits some scale
    (fewer than three players, or pairings without a cycle).
    """

    value: float | None
    misfit_p_value: float | None

    @property
    def warning(self) -> bool:
        """Whether T is below 0.8: one rating scale does not describe this game, or there are too few games to tell."""
        return self.value is not None and self.value < WARNING_BELOW

    @property
    def within_chance(self) -> bool:
        """Whether the deviations are not significant at the 5 % level; a warning then asks for more games."""
        return self.misfit_p_value is None or self.misfit_p_value >= 0.05


def transitivity(pairings: Sequence[HeadToHead], players: int) -> Transitivity:
    """T = Σ(gᵢ − gⱼ)² / ΣLᵢⱼ² over the pairings played; g are least-squares numbers, the row means of L if all were played.

    Scores take half a drawn game a pairing, as ratings do, so that L is finite.
    """
    counts = counts_of(pairings, players)
    games = 2 * counts.sum(axis=1) + PSEUDO_GAMES
    scores = (2 * counts @ PAIR_SCORES + PSEUDO_GAMES / 2) / games
    logits = np.log(scores / (1 - scores))
    sides = np.zeros((len(pairings), players))
    for row, pairing in enumerate(pairings):
        sides[row, pairing.a], sides[row, pairing.b] = 1.0, -1.0
    total = float(logits @ logits)
    explained = sides @ np.linalg.lstsq(sides, logits, rcond=None)[0]
    value = float(explained @ explained) / total if total > 0 else None

    spare = len(pairings) - (players - 1)  # pairings beyond those that any scale can fit
    if spare < 1:
        return Transitivity(value, None)
    expected = 1 / (1 + np.exp(-sides @ fit(counts[None], pairings, players)[0] / ELO_PER_LOGIT))
    misfit = float((((scores - expected) / _score_errors(counts)) ** 2).sum())
    return Transitivity(value, float(chdtrc(spare, misfit)))


def _score_errors(counts: Array) -> Array:
    """(pairings,) standard errors of the scores from the spread of pairs, with half a pair of either extreme added."""
    padded = counts + np.array([0.5, 0, 0, 0, 0.5])
    pairs = padded.sum(axis=1)
    means = padded @ PAIR_SCORES / pairs
    variance = (padded * (PAIR_SCORES - means[:, None]) ** 2).sum(axis=1) / pairs
    return np.asarray(np.sqrt(variance / pairs))
