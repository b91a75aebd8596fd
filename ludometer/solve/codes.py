"""One byte for the exact value of a position, for the player to move.

    0            draw (while solving: not decided yet)
    1 … 127      win in code − 1 moves
    128 … 254    loss in code − 128 moves
    255          only while solving: cannot be lost

Distances count single moves up to the end; a finished game has distance 0.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.outcome import DRAW, LOSS, WIN

UNDECIDED = np.uint8(0)
WIN_BASE = 1
LOSS_BASE = 128
SAFE = np.uint8(255)
LONGEST = 126  # the largest distance a code can say


@njit
def is_win(code):
    return WIN_BASE <= code < LOSS_BASE


@njit
def is_loss(code):
    return LOSS_BASE <= code < 255


def decode(code: int) -> tuple[int, int | None]:
    """(WIN, DRAW or LOSS; distance, None for a draw)."""
    if code == 0:
        return DRAW, None
    return (WIN, code - WIN_BASE) if code < LOSS_BASE else (LOSS, code - LOSS_BASE)


def histogram(counts: np.ndarray) -> dict[str, dict[int, int]]:
    """Counts by code (256) as {"win": {distance: count}, "loss": {…}}, zero counts left out."""
    wins = {code - WIN_BASE: int(counts[code]) for code in range(WIN_BASE, LOSS_BASE) if counts[code]}
    losses = {code - LOSS_BASE: int(counts[code]) for code in range(LOSS_BASE, 255) if counts[code]}
    return {"win": wins, "loss": losses}
