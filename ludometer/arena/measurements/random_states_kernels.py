"""Compiled kernels that draw random states and count choices in games."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol.learning import random_state, state_in_random_game
from ludometer.core.random import draw, substream


@kernel
def draw_states(rules, key, begin, rows, buffer):
    """Write the leaves of random non-terminal states, from number `begin` on, into `rows` (states × leaves, uint64)."""
    for number in range(len(rows)):
        leaves = leaves_of(random_state(rules, substream(key, np.uint64(begin + number)), buffer))
        for place in range(len(leaves)):
            rows[number, place] = leaves[place]


@kernel
def draw_game_states(rules, key, begin, rows, buffer):
    """Write the leaves of states of random games, even if the game draws its own random states; arguments as of `draw_states`."""
    for number in range(len(rows)):
        leaves = leaves_of(state_in_random_game(rules, substream(key, np.uint64(begin + number)), buffer))
        for place in range(len(leaves)):
            rows[number, place] = leaves[place]


@kernel
def count_choices(rules, row, moves, choices, keys):
    """Replay `moves` (int32) from the state with the leaves `row`: the number of legal moves before each of them, and the key after it."""
    state = state_of_leaves(protocol.start(rules), row, 0)
    for ply in range(len(moves)):
        choices[ply] = protocol.count_moves(rules, state)
        state = protocol.play(rules, state, np.int64(moves[ply]))
        keys[ply] = protocol.key(rules, state)


@kernel
def draw_keys(rules, key, plies, keys, buffer):
    """Write to `keys` (uint64) the keys of states after `plies` moves of random games; returns the number of such states."""
    count = 0
    for number in range(len(keys)):
        words = substream(key, np.uint64(number))
        state = protocol.start(rules)
        ply = 0
        while ply < plies and protocol.outcome(rules, state) == ONGOING:
            state = protocol.play(rules, state, protocol.random_move(rules, state, draw(words, np.uint64(ply)), buffer))
            ply += 1
        if ply == plies:
            keys[count] = protocol.key(rules, state)
            count += 1
    return count
