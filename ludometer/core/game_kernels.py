"""The compiled functions through which Python reaches a game."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel


@kernel
def begin(rules):
    """The starting state and the length of a move buffer."""
    return protocol.start(rules), protocol.move_bound(rules)


@kernel
def look(rules, state, buffer):
    """(player to move, outcome, margin, number of legal moves); the moves themselves go into `buffer`."""
    return (
        np.int64(protocol.turn(rules, state)),
        np.int64(protocol.outcome(rules, state)),
        np.int64(protocol.margin(rules, state)),
        np.int64(protocol.legal_moves(rules, state, buffer)),
    )


@kernel
def advance(rules, state, move):
    """The state after a legal move."""
    return protocol.play(rules, state, move)


@kernel
def image(rules, state, symmetry):
    """The image of the state under a symmetry."""
    return protocol.transform(rules, state, symmetry)


@kernel
def image_of_move(rules, move, symmetry):
    """The image of the move under a symmetry, and the number of symmetries."""
    return np.int64(protocol.transform_move(rules, move, symmetry)), np.int64(protocol.symmetry_count(rules))


@kernel
def hash_of(rules, state):
    """The 64-bit key of a state."""
    return protocol.key(rules, state)
