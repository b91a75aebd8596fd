"""Finding the number of a position among all positions.

A directory is a hash table of numbers, `slots` (uint32): 0 is empty, n + 1 is position n of the ascending keys.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.prefetching import prefetch
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.solvers.retrograde.atomics import add, replace_if
from ludometer.solvers.retrograde.keys import KeyLayout, hash_of_key, least_key, read_key, state_of_key, write_key

SAME_PLAYER = np.uint32(1 << 31)  # set in an edge if the move leaves the turn with the player who made it
NUMBER = np.uint32((1 << 31) - 1)  # the bits of an edge that are the number of a position
NOT_FOUND = np.uint32((1 << 32) - 1)


class Listing(NamedTuple):
    """All positions of a game and how to find one."""

    layout: KeyLayout
    symmetries: np.ndarray  # int64
    keys: np.ndarray  # flat uint64, ascending
    slots: np.ndarray  # uint32, the directory


@kernel
def enter_numbers(layout, keys, begin, end, slots):
    """Enter positions begin..end into the directory."""
    last = np.uint64(slots.size - 1)
    for number in range(begin, end):
        place = np.int64(hash_of_key(read_key(layout, keys, number)) & last)
        while slots[place] != 0 or replace_if(slots, place, 0, number + 1) != 0:
            place = np.int64(np.uint64(place + 1) & last)


@njit
def number_from(listing, place, key):
    """The number of the position with this key, looked for from slot `place` on; NOT_FOUND if there is none."""
    last = np.uint64(listing.slots.size - 1)
    while True:
        entry = listing.slots[place]
        if entry == 0:
            return NOT_FOUND
        number = entry - np.uint32(1)
        if read_key(listing.layout, listing.keys, np.int64(number)) == key:
            return np.uint32(number)
        place = np.int64(np.uint64(place + 1) & last)


@kernel
def successors(rules, like, listing, begin, end, buffer, waiting, places, edges, degrees, values):
    """Write the edges of the moves of positions begin..end into `edges` (uint32), one position after the other; returns how many.

    degrees[p] is the number of moves of p.  Finished positions have none, and get their value (see `rounds`).  An edge to a position that
    is not listed is NOT_FOUND.  `buffer`, `waiting` (keys) and `places` are scratch space for the moves of 64 positions and 1 more.
    """
    layout, width = listing.layout, len(listing.layout.words)
    last = np.uint64(listing.slots.size - 1)
    written = 0
    for first in range(begin, end, 64):
        count = 0
        for number in range(first, min(first + 64, end)):
            state = state_of_key(layout, like, read_key(layout, listing.keys, number))
            result = protocol.outcome(rules, state)
            if result != ONGOING:
                degrees[number] = 0
                values[number] = 1 if result == WIN else -1 if result == LOSS else 0
                continue
            moves = protocol.legal_moves(rules, state, buffer)
            degrees[number] = moves
            for index in range(moves):
                after = protocol.play(rules, state, np.int64(buffer[index]))
                key = least_key(rules, after, layout, listing.symmetries)[0]
                place = np.int64(hash_of_key(key) & last)
                prefetch(listing.slots, place)
                write_key(waiting, count, key)
                places[count] = place
                same = protocol.turn(rules, after) == protocol.turn(rules, state)
                edges[written + count] = SAME_PLAYER if same else 0
                count += 1
        for index in range(count):
            entry = listing.slots[places[index]]
            if entry != 0:
                prefetch(listing.keys, (np.int64(entry) - 1) * width)
        for index in range(count):
            number_found = number_from(listing, places[index], read_key(layout, waiting, index))
            edges[written + index] = NOT_FOUND if number_found == NOT_FOUND else edges[written + index] | number_found
        written += count
    return written


@kernel
def count_predecessors(edges, count, first):
    """Add the edges to first[p + 1] (int64) for the position p that each leads to; returns how many lead to none."""
    lost = 0
    for index in range(count):
        if edges[index] == NOT_FOUND:
            lost += 1
        else:
            add(first, np.int64(edges[index] & NUMBER) + 1, 1)
    return lost


@kernel
def enter_predecessors(edges, begin, end, degrees, first, predecessors):
    """Write the edges of positions begin..end, reversed, to where `first` says, which moves on by one with each."""
    written = 0
    for number in range(begin, end):
        for _ in range(degrees[number]):
            edge = edges[written]
            written += 1
            place = add(first, np.int64(edge & NUMBER), 1)
            predecessors[place] = np.uint32(number) | (edge & SAME_PLAYER)
