"""One byte for the exact value of a position, for the player to move.

    0            draw (while solving: not decided yet)
    1 … 127      win in 0, 1, 3, 5, … 251 moves
    128 … 254    loss in 0, 1, 2, 4, … 250 moves
    255          only while solving: cannot be lost

Distances count single moves up to the end; a finished game has distance 0.  When players move in turn and a game ends against the
player to move, wins take an odd number of moves and losses an even one.  Quixo adds wins in 0 and losses in exactly 1 (every
move completes a line of the opponent).  A win in 2, which would need a loss in 1 after the best move, has no code:
a solver that meets one says so and stops.

Larger codes of one kind are farther away, so codes of wins (or of losses) are compared as they are.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.outcome import DRAW, LOSS, WIN

UNDECIDED = np.uint8(0)
WIN_BASE = 1  # won already
WIN_IN_1 = 2
NO_CODE = 127  # a win of this code is beyond what codes can say: too far away, or in exactly 2 moves
LOSS_BASE = 128  # lost already
LOSS_IN_1 = 129
SAFE = np.uint8(255)


@njit
def is_win(code):
    return WIN_BASE <= code < LOSS_BASE


@njit
def is_loss(code):
    return LOSS_BASE <= code < 255


@njit
def win_before(loss_code):
    """The code one move before this loss of the opponent; 0 before a loss in 1, which has none."""
    if loss_code == LOSS_BASE:
        return WIN_IN_1
    return 0 if loss_code == LOSS_IN_1 else loss_code - 127


@njit
def loss_before(win_code):
    """The code one move before the opponent's win, when it is the farthest he can be driven to."""
    return LOSS_BASE + win_code


def decode(code: int) -> tuple[int, int | None]:
    """(WIN, DRAW or LOSS; distance, None for a draw)."""
    if code == 0:
        return DRAW, None
    if code < LOSS_BASE:
        return WIN, 0 if code == WIN_BASE else 2 * code - 3
    return LOSS, code - LOSS_BASE if code <= LOSS_IN_1 else 2 * (code - LOSS_IN_1)


def histogram(counts: np.ndarray) -> dict[str, dict[int, int]]:
    """Counts by code (256) as {"win": {distance: count}, "loss": {…}}, zero counts left out."""
    found: dict[str, dict[int, int]] = {"win": {}, "loss": {}}
    for code in range(1, 255):
        if counts[code]:
            outcome, distance = decode(code)
            assert distance is not None
            found["win" if outcome == WIN else "loss"][distance] = int(counts[code])
    return found
