"""Perft: the number of move sequences of exactly a given length, the standard check of a move generator."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.position import Position


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves start here; a finished game has none further."""
    if depth < 0:
        raise LudometerError(f"a perft depth is 0 or more, not {depth}")
    if depth == 0:
        return 1
    buffers = np.empty((depth, position.game.move_bound), np.int32)
    return int(_count_sequences(position.game.rules, position.state, depth, buffers))


@kernel
def _count_sequences(rules, state, depth, buffers):
    """Depth-first; `buffers[d - 1]` (depth × move_bound, int32) holds the moves of a node with d moves to go."""
    if depth == 1:
        return np.int64(protocol.count_moves(rules, state))
    moves = buffers[depth - 1]
    nodes = np.int64(0)
    for index in range(protocol.legal_moves(rules, state, moves)):
        nodes += _count_sequences(rules, protocol.play(rules, state, np.int64(moves[index])), depth - 1, buffers)
    return nodes
