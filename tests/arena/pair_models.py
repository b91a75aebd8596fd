"""Players who are dice: how pairs of games come out when the true score and draw rate are known."""

from __future__ import annotations

import numpy as np

SCORES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
DRAW_RATES = (0.0, 0.04, 0.3, 0.6, 0.9)


def possible(score: float, draws: float) -> bool:
    """Whether a player can have this score with this share of draws."""
    return draws <= 2 * min(score, 1 - score) + 1e-12


def pair_chances(score: float, draws: float = 0.0, alike: float = 0.0) -> np.ndarray:
    """(5,) the chances of the pair scores 0, ¼, ½, ¾, 1; in a share `alike` of the pairs both games end alike for A."""
    assert possible(score, draws)
    game = np.maximum([1 - score - draws / 2, draws, score - draws / 2], 0.0)
    together = np.zeros(5)
    together[[0, 2, 4]] = game
    return (1 - alike) * np.convolve(game, game) + alike * together


MODELS = [(score, draws, alike) for score in SCORES for draws in DRAW_RATES if possible(score, draws) for alike in (0.0, 0.7)]
