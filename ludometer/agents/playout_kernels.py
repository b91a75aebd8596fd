"""Random playouts, compiled: the inner loop of Monte Carlo agents and of speed measurements."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import DRAW, FIRST, ONGOING
from ludometer.core.random import draw, substream


@kernel
def play_out(rules, state, key, ply_limit, buffer):
    """Random moves to the end, or to `ply_limit` moves (0: no limit): (outcome for the first player, moves made).

    A game cut off by the limit counts as a draw.  `buffer` (int32) holds `move_bound(rules)` moves.
    """
    plies = 0
    value = protocol.outcome(rules, state)
    while value == ONGOING:
        if plies == ply_limit and ply_limit > 0:
            return np.int64(DRAW), plies
        state = protocol.play(rules, state, protocol.random_move(rules, state, draw(key, np.uint64(plies)), buffer))
        value = protocol.outcome(rules, state)
        plies += 1
    return np.int64(value if protocol.turn(rules, state) == FIRST else -value), plies


@kernel
def count_playouts(rules, state, games, key, ply_limit, buffer):
    """Play `games` random games: (moves made, wins of the first player, draws, wins of the second)."""
    moves, wins, draws = 0, 0, 0
    for game in range(games):
        value, plies = play_out(rules, state, substream(key, np.uint64(game)), ply_limit, buffer)
        moves += plies
        wins += np.int64(value > 0)
        draws += np.int64(value == 0)
    return moves, wins, draws, games - wins - draws
