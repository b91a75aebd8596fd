"""Asking a table of keys and values, and counting it."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import proving
from ludometer.solvers.retrograde.keys import entry_of_key, least_key, orbit_size, read_key, state_of_key, write_key


@kernel
def keys_around(rules, state, layout, symmetries, successors, moves, keys, facts):
    """Write the key of a state and, if `successors`, of the state after each legal move; returns how many those are.

    `moves` gets the legal moves, `keys` (flat) the keys, and facts[i] (1 + moves, 3): whether key i holds all bits of the state, who is to
    move and whether the game is over.
    """
    count = protocol.legal_moves(rules, state, moves) if successors else 0
    for index in range(count + 1):
        seen = state if index == 0 else protocol.play(rules, state, np.int64(moves[index - 1]))
        key, fits = least_key(rules, seen, layout, symmetries)
        write_key(keys, index, key)
        facts[index, 0] = np.int64(fits)
        facts[index, 1] = np.int64(protocol.turn(rules, seen))
        facts[index, 2] = np.int64(protocol.outcome(rules, seen) != ONGOING)
    return count


@kernel
def entries_of(layout, keys, wanted, count, entries):
    """Write the numbers of the first `count` keys of `wanted` among `keys` (flat, ascending) into `entries`; −1 for those not there."""
    for index in range(count):
        entries[index] = entry_of_key(layout, keys, read_key(layout, wanted, index))


@kernel
def count_values(rules, like, layout, symmetries, keys, values, begin, end, least, totals):
    """Add entries begin..end to totals[value − least], each as often as it stands for positions."""
    for number in range(begin, end):
        state = state_of_key(layout, like, read_key(layout, keys, number))
        totals[np.int64(values[number]) - least] += orbit_size(rules, state, layout, symmetries)


@kernel
def state_of_entry(like, layout, keys, number):
    """The state whose key is number `number`."""
    return state_of_key(layout, like, read_key(layout, keys, number))


@kernel
def look_up_rows(rules, like, layout, symmetries, keys, values, rows, found):
    """(entry or −1, its value, whether the game is over) of each state of `rows` (states, leaves) into `found` (states, 3)."""
    for index in range(rows.shape[0]):
        state = state_of_leaves(like, rows[index], 0)
        key, fits = least_key(rules, state, layout, symmetries)
        entry = entry_of_key(layout, keys, key) if fits else np.int64(-1)
        found[index, 0] = entry
        found[index, 1] = np.int64(values[entry]) if entry >= 0 else np.int64(0)
        found[index, 2] = np.int64(protocol.outcome(rules, state) != ONGOING)


@kernel
def write_orbit_sizes(rules, like, layout, symmetries, keys, begin, end, sizes):
    """How many positions entries begin..end stand for."""
    for number in range(begin, end):
        sizes[number] = orbit_size(rules, state_of_key(layout, like, read_key(layout, keys, number)), layout, symmetries)


@kernel
def write_images(rules, like, layout, symmetries, keys, entries, images, rows):
    """The leaves of image images[i] of each entry into `rows` (entries, leaves); image 0 is the entry's own state."""
    for index in range(entries.size):
        state = state_of_key(layout, like, read_key(layout, keys, entries[index]))
        if images[index] > 0:
            state = protocol.transform(rules, state, symmetries[images[index] - 1])
        leaves = leaves_of(state)
        for leaf in range(len(leaves)):
            rows[index, leaf] = leaves[leaf]


@kernel
def block_of_keys(layout, first, wanted):
    """The number of the last key of `first` (flat, ascending) that is not larger than the key `wanted`, or −1."""
    key = read_key(layout, wanted, 0)
    low, high = 0, first.size // len(layout.words)
    while low < high:
        middle = (low + high) // 2
        if key < read_key(layout, first, middle):
            high = middle
        else:
            low = middle + 1
    return np.int64(low - 1)


@kernel
def estimated_positions(rules):
    """About how many positions there are up to symmetry, 0 if the game does not say."""
    return np.float64(proving.position_estimate(rules))
