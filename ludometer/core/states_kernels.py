"""Kernels over many states.  A state is a row of its uint64 leaves, in the order of `leaves_of`."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.protocol import learning
from ludometer.core.random import substream


@kernel
def draw_states(rules, key, begin, rows, buffer):
    """Write random ongoing states number `begin`, `begin + 1`, … into `rows`; state i depends on `key` and i alone."""
    for number in range(len(rows)):
        leaves = leaves_of(learning.random_state(rules, substream(key, np.uint64(begin + number)), buffer))
        for place in range(len(leaves)):
            rows[number, place] = leaves[place]


@kernel
def inspect_states(rules, rows, turns, outcomes, margins, keys, counts):
    """Write the player to move, outcome, margin, key and number of legal moves of each state."""
    start = protocol.start(rules)
    for number in range(len(rows)):
        state = state_of_leaves(start, rows[number], 0)
        turns[number] = protocol.turn(rules, state)
        outcomes[number] = protocol.outcome(rules, state)
        margins[number] = protocol.margin(rules, state)
        keys[number] = protocol.key(rules, state)
        counts[number] = protocol.count_moves(rules, state)


@kernel
def list_moves(rules, rows, starts, flat, buffer):
    """Write the legal moves of state i into flat[starts[i] : starts[i + 1]]."""
    start = protocol.start(rules)
    for number in range(len(rows)):
        count = protocol.legal_moves(rules, state_of_leaves(start, rows[number], 0), buffer)
        for place in range(count):
            flat[starts[number] + place] = buffer[place]


@kernel
def play_moves(rules, rows, moves, buffer, played):
    """Write the state after moves[i] in state i into played[i].  Stop at the first illegal move and return its index, otherwise −1."""
    start = protocol.start(rules)
    for number in range(len(rows)):
        state = state_of_leaves(start, rows[number], 0)
        count = protocol.legal_moves(rules, state, buffer)
        place = np.searchsorted(buffer[:count], moves[number])
        if place == count or buffer[place] != moves[number]:
            return number
        leaves = leaves_of(protocol.play(rules, state, np.int64(moves[number])))
        for place in range(len(leaves)):
            played[number, place] = leaves[place]
    return -1


@kernel
def write_features(rules, rows, features):
    """Write the features of state i, as its player to move sees it, into features[i]."""
    start = protocol.start(rules)
    for number in range(len(rows)):
        learning.features(rules, state_of_leaves(start, rows[number], 0), features[number])
