"""Finding all positions: a hash table of keys that several threads fill at once.

The table is a flat array of words, zero where it is empty.  A slot is a key whose first word is 2 larger than that of the position's key;
a first word of 1 marks a slot whose other words are being written.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0, U1
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of
from ludometer.core.compiling.prefetching import prefetch
from ludometer.core.outcome import ONGOING
from ludometer.solvers.retrograde.atomics import add, load, replace_if, store
from ludometer.solvers.retrograde.keys import hash_of_key, least_key, read_key, state_of_key, write_key

# Places in the array through which kernels and their caller talk
STATUS, FOUND = range(2)
# Values of the status
GOES_ON, NO_ROOM_IN_KEY, STUCK = range(3)

BATCH = 128  # keys looked up together, so that the memory they need is asked for ahead

_BEING_WRITTEN = U1
_MARKS = np.uint64(2)  # first words that mean something else than a key


@njit
def insert(slots, key):
    """Enter a key into the table; returns whether it is new."""
    width = len(key)
    last = slots.size // width - 1
    first = key[0] + _MARKS
    place = np.int64(hash_of_key(key) & np.uint64(last))
    while True:
        at = place * width
        found = load(slots, at)
        if found == U0:
            found = replace_if(slots, at, U0, first if width == 1 else _BEING_WRITTEN)
            if found == U0:
                for word in range(1, width):
                    slots[at + word] = key[word]
                store(slots, at, first)
                return True
        while found == _BEING_WRITTEN:
            found = load(slots, at)
        same = found == first
        for word in range(1, width):
            same = same and slots[at + word] == key[word]
        if same:
            return False
        place = (place + 1) & last


@njit
def insert_waiting(layout, slots, waiting, count, new, written):
    """Enter the first `count` keys of `waiting`; those that are new are appended to `new`.  Returns how many that has then."""
    for index in range(count):
        key = read_key(layout, waiting, index)
        if insert(slots, key):
            write_key(new, written, key)
            written += 1
    return written


@kernel
def expand(rules, like, layout, symmetries, frontier, begin, end, slots, limit, control, buffer, waiting, new, bits):
    """Enter all successors of positions begin..end of `frontier`; returns (the position that comes next, number of new keys).

    Ends early once the table has `limit` positions (control[FOUND]), or when control[STATUS] is set: NO_ROOM_IN_KEY if a key lacks bits,
    and then `bits` has those of the state; STUCK for a state without moves in which the game is not over.
    `buffer` (move_bound, int32), `waiting` and `new` (keys) are scratch space.
    """
    width = len(layout.words)
    last = np.uint64(slots.size // width - 1)
    position, count, written, told = begin, 0, 0, 0
    while position < end and load(control, STATUS) == GOES_ON and load(control, FOUND) < limit:
        state = state_of_key(layout, like, read_key(layout, frontier, position))
        position += 1
        if protocol.outcome(rules, state) == ONGOING:
            moves = protocol.legal_moves(rules, state, buffer)
            if moves == 0:
                store(control, STATUS, STUCK)
            for index in range(moves):
                after = protocol.play(rules, state, np.int64(buffer[index]))
                key, fits = least_key(rules, after, layout, symmetries)
                if not fits:
                    note_bits(rules, after, symmetries, bits)
                    store(control, STATUS, NO_ROOM_IN_KEY)
                    return position, written
                prefetch(slots, np.int64(hash_of_key(key) & last) * width)
                write_key(waiting, count, key)
                count += 1
        if count >= BATCH or position == end:
            written = insert_waiting(layout, slots, waiting, count, new, written)
            count = 0
            add(control, FOUND, written - told)
            told = written
    written = insert_waiting(layout, slots, waiting, count, new, written)
    add(control, FOUND, written - told)
    return position, written


@njit
def note_bits(rules, state, symmetries, bits):
    """Add the bits of a state and its images to `bits` (leaves, uint64)."""
    leaves = leaves_of(state)
    for leaf in range(len(leaves)):
        bits[leaf] |= leaves[leaf]
    for symmetry in symmetries:
        leaves = leaves_of(protocol.transform(rules, state, symmetry))
        for leaf in range(len(leaves)):
            bits[leaf] |= leaves[leaf]


@kernel
def bits_of_images(rules, like, layout, symmetries, keys, begin, end, bits):
    """Add the bits of positions begin..end of `keys` and of their images to `bits` (leaves, uint64)."""
    for index in range(begin, end):
        note_bits(rules, state_of_key(layout, like, read_key(layout, keys, index)), symmetries, bits)


@kernel
def enter_keys(layout, keys, begin, end, slots):
    """Enter keys begin..end of a flat array; returns how many of them are new."""
    new = 0
    for index in range(begin, end):
        new += insert(slots, read_key(layout, keys, index))
    return new


@kernel
def move_slots(layout, slots, begin, end, wider):
    """Enter the keys of slots begin..end into the larger table `wider`."""
    width = len(layout.words)
    for slot in range(begin, end):
        if slots[slot * width] != U0:
            insert(wider, unmarked(read_key(layout, slots, slot)))


@njit
def unmarked(slot):
    """The key of a slot."""
    return (slot[0] - _MARKS,) + slot[1:]


@kernel
def first_key(rules, state, layout, symmetries):
    """`least_key` for Python."""
    return least_key(rules, state, layout, symmetries)
