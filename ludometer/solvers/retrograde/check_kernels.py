"""Re-checking tables by retrograde analysis from the rules alone.

Only the meaning of keys and values is shared with the solver: leaves are packed and unpacked one by one, images are made with the game's
`transform`, entries are found by binary search, and a value follows from those of all successors.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.solvers.retrograde.atomics import replace_if

# What is wrong with an entry
NOT_LEAST, MISSING, OTHER_VALUE, NO_MOVES = range(4)

# How far an entry is, see `check_entries`
UNSEEN, SEEN, CHECKED = range(3)


class Table(NamedTuple):
    """A table of positions."""

    words: np.ndarray  # int64 (leaves,): the word of a key that holds the leaf
    shifts: np.ndarray  # uint64 (leaves,): the lowest bit of the leaf in that word
    masks: np.ndarray  # uint64 (leaves,): the bits of the leaf
    symmetries: np.ndarray  # int64: under which positions are taken for one
    keys: np.ndarray  # uint64 (positions, words), ascending
    values: np.ndarray  # int8 or int16 (positions,)
    exact: bool  # whether values have distances


@njit
def pack_leaves(table, leaves, key):
    """Write the key of these leaves; returns whether it holds all of their bits."""
    key[:] = 0
    fits = True
    for leaf in range(len(leaves)):
        fits = fits and (leaves[leaf] & ~table.masks[leaf]) == 0
        key[table.words[leaf]] |= (leaves[leaf] & table.masks[leaf]) << table.shifts[leaf]
    return fits


@njit
def compare(key, other):
    """−1, 0 or 1 as the first key is smaller, equal or larger."""
    for word in range(key.size):
        if key[word] != other[word]:
            return -1 if key[word] < other[word] else 1
    return 0


@njit
def entry_of_state(rules, state, table, least, other):
    """(the entry of a state or −1, how many of the symmetries leave its key as it is).  `least` gets the key of its least image."""
    fits = pack_leaves(table, leaves_of(state), least)
    equal = 1
    for symmetry in table.symmetries:
        fits = pack_leaves(table, leaves_of(protocol.transform(rules, state, symmetry)), other) and fits
        order = compare(other, least)
        if order < 0:
            least[:] = other
            equal = 1
        elif order == 0:
            equal += 1
    low, high = 0, table.keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if compare(table.keys[middle], least) < 0:
            low = middle + 1
        else:
            high = middle
    found = fits and low < table.keys.shape[0] and compare(table.keys[low], least) == 0
    return np.int64(low if found else -1), equal


@kernel
def entry_of_start(rules, table, least, other):
    """The entry of the first position, or −1."""
    return entry_of_state(rules, protocol.start(rules), table, least, other)[0]


@njit
def follows(best, seen, exact):
    """The better of two values for the player to move, each seen from before the move that leads there."""
    if not exact:
        return max(best, seen)
    # A win is better the sooner it comes, a loss the later it does.
    rank_best = 0.0 if best == 0 else 1.0 / best
    rank_seen = 0.0 if seen == 0 else 1.0 / seen
    return seen if rank_seen > rank_best else best


@kernel
def check_entries(rules, like, table, begin, end, wanted, marks, buffer, scratch, wrong, counts, least_value):
    """Check those of entries begin..end that are marked `wanted` in `marks` (uint8); mark them CHECKED and their successors SEEN.

    Returns (entries checked, errors).  The positions they stand for are added to counts[value − least_value], and `wrong` (k, 4) gets the
    first errors: what, entry, stored, right.  `scratch` (2, words) is scratch space for keys.
    """
    checked, errors = 0, 0
    leaves = np.empty(table.words.size, np.uint64)
    for entry in range(begin, end):
        if marks[entry] != wanted:
            continue
        marks[entry] = CHECKED
        checked += 1
        for leaf in range(leaves.size):
            leaves[leaf] = (table.keys[entry, table.words[leaf]] >> table.shifts[leaf]) & table.masks[leaf]
        state = state_of_leaves(like, leaves, 0)
        own, equal = entry_of_state(rules, state, table, scratch[0], scratch[1])
        stored = np.int64(table.values[entry])
        counts[stored - least_value] += (table.symmetries.size + 1) // equal
        if own != entry:
            errors = note(wrong, errors, NOT_LEAST, entry, own, 0)
        result = protocol.outcome(rules, state)
        right = np.int64(0)
        if result != ONGOING:
            right = np.int64(result == WIN) - np.int64(result == LOSS)
        else:
            moves = protocol.legal_moves(rules, state, buffer)
            if moves == 0:
                errors = note(wrong, errors, NO_MOVES, entry, 0, 0)
            for index in range(moves):
                after = protocol.play(rules, state, np.int64(buffer[index]))
                place = entry_of_state(rules, after, table, scratch[0], scratch[1])[0]
                if place < 0:
                    errors = note(wrong, errors, MISSING, entry, np.int64(buffer[index]), 0)
                    continue
                if marks[place] == UNSEEN:
                    replace_if(marks, place, UNSEEN, SEEN)  # another thread may be at it
                value = np.int64(table.values[place])
                if protocol.turn(rules, after) != protocol.turn(rules, state):
                    value = -value
                if table.exact and value != 0:
                    value += 1 if value > 0 else -1
                right = value if index == 0 else follows(right, value, table.exact)
        if stored != right:
            errors = note(wrong, errors, OTHER_VALUE, entry, stored, right)
    return checked, errors


@njit
def note(wrong, errors, what, entry, stored, right):
    """Record an error while `wrong` has rows left; returns the number of errors so far."""
    if errors < wrong.shape[0]:
        wrong[errors, 0], wrong[errors, 1], wrong[errors, 2], wrong[errors, 3] = what, entry, stored, right
    return errors + 1


@kernel
def first_disorder(keys, begin, end):
    """The first of entries begin..end (1 at least) whose key is not larger than the one before it, or −1."""
    for entry in range(begin, end):
        if compare(keys[entry - 1], keys[entry]) >= 0:
            return np.int64(entry)
    return np.int64(-1)
