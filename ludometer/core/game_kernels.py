"""The few compiled functions through which Python touches a game; everything else is built of them."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel


@kernel
def begin(rules):
    """The starting state and the length a move buffer needs."""
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
    """The state seen through a symmetry."""
    return protocol.transform(rules, state, symmetry)


@kernel
def image_of_move(rules, move, symmetry):
    """The move seen through a symmetry, and how many symmetries there are."""
    return np.int64(protocol.transform_move(rules, move, symmetry)), np.int64(protocol.symmetry_count(rules))


@kernel
def hash_of(rules, state):
    """The 64-bit key of a state."""
    return protocol.key(rules, state)
