"""Re-checking tables of all positions from the rules alone.

Nothing here is shared with the solver but the meaning of the values (see `table_kernels`): images are made one by one with the game's
`transform`, entries are found by halving, and values follow from `legal_moves`, `play`, `outcome`, `margin` and `turn`.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.protocol import numbering, proving
from ludometer.core.random import draw

# Places in the array through which a kernel and its caller talk
STOP, CHECKED, WRONG = range(3)

# What is wrong with an entry
MISSING, OTHER_VALUE, OTHER_MOVES, OTHER_COUNT, OTHER_NUMBER = range(5)


class Listed(NamedTuple):
    """A table of listed positions (see `PositionTable`)."""

    reduced: bool  # whether one entry stands for all images of a position
    scored: bool
    keys: np.ndarray  # (positions, words) uint64
    values: np.ndarray  # (positions,) int16
    moves: np.ndarray  # (positions,) int16
    counts: np.ndarray  # (positions,) int16


class Found(NamedTuple):
    """How far a check is, and what it found."""

    control: np.ndarray  # (3,) int64: STOP, CHECKED, WRONG
    wrong: np.ndarray  # (k, 4) int64, the first wrong entries: what, entry, stored, right


@njit
def preference(value, scored):
    """Larger is better: points; else wins, the sooner the better, then draws, then losses, the later the better."""
    if scored:
        return np.float64(value)
    return 0.0 if value == 0 else 1.0 / value


@njit
def before_the_move(value, same_player, here, after_margin, scored):
    """What a move is worth to the player who makes it, from the value of the position it leads to."""
    if scored:
        final = value + after_margin
        return (final if same_player else -final) - here
    seen = value if same_player else -value
    return seen + 1 if seen > 0 else seen - 1 if seen < 0 else seen


@njit
def value_at_the_end(result, scored):
    if scored:
        return np.int64(0)
    return np.int64(result == WIN) - np.int64(result == LOSS)


@njit
def is_less(words, others, used):
    for index in range(used):
        if words[index] != others[index]:
            return words[index] < others[index]
    return False


@njit
def write_words(rules, state, words, used):
    packed = proving.pack(rules, state)
    for index in range(used):
        words[index] = packed[index]


@njit
def least_words(rules, state, reduced, used, least, other):
    """Write the least packed words among all images of a state into `least`; returns how many positions they stand for."""
    write_words(rules, state, least, used)
    if not reduced:
        return 1
    symmetries = protocol.symmetry_count(rules)
    equal = 1
    for symmetry in range(1, symmetries):
        write_words(rules, protocol.transform(rules, state, symmetry), other, used)
        if is_less(other, least, used):
            least[:] = other
            equal = 1
        elif not is_less(least, other, used):
            equal += 1
    return symmetries // equal


@njit
def entry_of(keys, words):
    """The row of `keys`, which ascend, that has these words, or −1."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if is_less(keys[middle], words, keys.shape[1]):
            low = middle + 1
        else:
            high = middle
    if low < keys.shape[0] and not is_less(words, keys[low], keys.shape[1]):
        return low
    return -1


@njit
def note(found, what, entry, stored, right):
    """Remember something wrong."""
    control, wrong = found.control, found.wrong
    if control[WRONG] < wrong.shape[0]:
        row = wrong[control[WRONG]]
        row[0], row[1], row[2], row[3] = what, entry, stored, right
    control[WRONG] += 1


@kernel
def check_from(rules, state, depth, listed, seen, buffers, words, found):
    """Check the entries of a state and of all that can follow, each once; returns the row of the state's entry, or −1.

    `seen` (positions, bool) has what is done; `buffers` (depth, moves) and `words` (depth, 2, words) a row for each move of a line.
    """
    control, keys, values, scored = found.control, listed.keys, listed.values, listed.scored
    mine = words[depth, 0]
    stands_for = least_words(rules, state, listed.reduced, keys.shape[1], mine, words[depth, 1])
    entry = entry_of(keys, mine)
    if entry < 0:
        note(found, MISSING, np.int64(-1), np.int64(depth), np.int64(0))
        return entry
    if seen[entry] or control[STOP] != 0:
        return entry
    seen[entry] = True
    control[CHECKED] += 1
    result = protocol.outcome(rules, state)
    right = value_at_the_end(result, scored)
    if result == ONGOING:
        here = np.int64(protocol.margin(rules, state))
        any_move = False
        for index in range(protocol.legal_moves(rules, state, buffers[depth])):
            after = protocol.play(rules, state, np.int64(buffers[depth, index]))
            place = check_from(rules, after, depth + 1, listed, seen, buffers, words, found)
            if place < 0:
                continue
            same = protocol.turn(rules, after) == protocol.turn(rules, state)
            worth = before_the_move(np.int64(values[place]), same, here, np.int64(protocol.margin(rules, after)), scored)
            if not any_move or preference(worth, scored) > preference(right, scored):
                right = worth
                any_move = True
    if control[STOP] != 0:
        return entry
    if values[entry] != right:
        note(found, OTHER_VALUE, entry, np.int64(values[entry]), right)
    if listed.moves[entry] != depth:
        note(found, OTHER_MOVES, entry, np.int64(listed.moves[entry]), np.int64(depth))
    if listed.counts[entry] != stands_for:
        note(found, OTHER_COUNT, entry, np.int64(listed.counts[entry]), np.int64(stands_for))
    return entry


@njit
def check_one(rules, state, listed, buffer, words, found):
    """Check the value of one position against those that follow it."""
    reduced, scored, keys, values = listed.reduced, listed.scored, listed.keys, listed.values
    entry = np.int64(-1)
    least_words(rules, state, reduced, keys.shape[1], words[0], words[1])
    entry = entry_of(keys, words[0])
    if entry < 0:
        note(found, MISSING, entry, np.int64(-1), np.int64(0))
        return
    result = protocol.outcome(rules, state)
    right = value_at_the_end(result, scored)
    if result == ONGOING:
        here = np.int64(protocol.margin(rules, state))
        for index in range(protocol.legal_moves(rules, state, buffer)):
            after = protocol.play(rules, state, np.int64(buffer[index]))
            least_words(rules, after, reduced, keys.shape[1], words[0], words[1])
            place = entry_of(keys, words[0])
            if place < 0:
                note(found, MISSING, place, np.int64(-1), np.int64(0))
                return
            same = protocol.turn(rules, after) == protocol.turn(rules, state)
            worth = before_the_move(np.int64(values[place]), same, here, np.int64(protocol.margin(rules, after)), scored)
            if index == 0 or preference(worth, scored) > preference(right, scored):
                right = worth
    if values[entry] != right:
        note(found, OTHER_VALUE, entry, np.int64(values[entry]), right)


@kernel
def check_random_games(rules, state, sample, key, listed, buffer, words, found):
    """Check the positions of random games, `sample` of them."""
    control = found.control
    begin = state
    while control[CHECKED] < sample and control[STOP] == 0:
        check_one(rules, state, listed, buffer, words, found)
        control[CHECKED] += 1
        if protocol.outcome(rules, state) != ONGOING:
            state = begin
        else:
            word = draw(key, np.uint64(control[CHECKED]))
            state = protocol.play(rules, state, np.int64(protocol.random_move(rules, state, word, buffer)))


@kernel
def check_dense(rules, values, chosen, begin, end, buffer, wrong):
    """Check entries begin..end of a table in which states are numbered, or chosen[begin:end] if `chosen` is not empty.

    The first wrong ones go to `wrong` (k, 4): what, entry, stored, right; returns how many are wrong.
    """
    errors = 0
    for item in range(begin, end):
        entry = np.int64(chosen[item]) if chosen.size > 0 else np.int64(item)
        state = numbering.dense_state(rules, entry)
        here = np.int64(protocol.margin(rules, state))
        right = np.int64(0)
        what = OTHER_VALUE
        count = protocol.legal_moves(rules, state, buffer)
        for index in range(count):
            after = protocol.play(rules, state, np.int64(buffer[index]))
            place = np.int64(numbering.dense_index(rules, after))
            same = protocol.turn(rules, after) == protocol.turn(rules, state)
            worth = before_the_move(np.int64(values[place]), same, here, np.int64(protocol.margin(rules, after)), True)
            right = worth if index == 0 else max(right, worth)
        if numbering.dense_index(rules, state) != entry:
            what = OTHER_NUMBER
        if what == OTHER_NUMBER or right != values[entry]:
            if errors < wrong.shape[0]:
                wrong[errors, 0] = what
                wrong[errors, 1] = entry
                wrong[errors, 2] = values[entry]
                wrong[errors, 3] = right
            errors += 1
    return errors


@kernel
def state_of_entry(rules, entry):
    """A state with this number."""
    return numbering.dense_state(rules, np.int64(entry))
