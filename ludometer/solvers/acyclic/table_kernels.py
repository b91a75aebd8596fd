"""Every position of a game without repetition, found and valued depth first.

Positions are entered into a table of slots, an array of words.  A slot is the packed words of a position (of its least image, if
symmetries are used) and one word more:

    bits 0–15     value + 2^15, see below
    bits 16–31    moves made before the position, when it was first met
    bits 32–47    how many positions it stands for
    bits 48–49    0 empty, 1 being explored, 2 done

The value is for the player to move.  In a game with points: what he gains from here on.  Else: 0 draw, d + 1 a win in d moves,
−d − 1 a loss in d moves.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.protocol import numbering, proving
from ludometer.core.random import draw

# Indices of `control`, shared by a kernel and its caller
STATUS, FOUND = range(2)
# Values of the status; 1 is set by the caller
GOES_ON, STOPPED, FULL, REPEATS, TOO_LONG, TOO_LARGE = range(6)

LARGEST_VALUE = 32000

_BIAS = np.int64(1 << 15)
_SIXTEEN_BITS = np.uint64(0xFFFF)
_U16 = np.uint64(16)
_U32 = np.uint64(32)
_U48 = np.uint64(48)
_BEGUN = np.uint64(1) << _U48
_DONE = np.uint64(2) << _U48
_SEED = np.uint64(0x2545F4914F6CDD1D)
_FAR = 100_000  # ranks any win above a draw and a draw above any loss
_NOTHING = -(1 << 40)  # less than any rank


@njit
def slot_of(slots, words, used):
    """The place of the slot that holds these words, or of the empty one where they belong."""
    width = used + 1
    mixed = _SEED
    for index in range(used):
        mixed = draw(words[index] ^ mixed, mixed)
    count = slots.size // width
    slot = np.int64(mixed & np.uint64(count - 1))
    while True:
        at = slot * width
        if slots[at + used] == U0:
            return at
        same = True
        for index in range(used):
            same &= slots[at + index] == words[index]
        if same:
            return at
        slot = (slot + 1) & (count - 1)


@njit
def value_in(word):
    return np.int64(word & _SIXTEEN_BITS) - _BIAS


@njit
def one_move_earlier(value):
    """The value of a win or loss seen from one move before."""
    if value == 0:
        return value
    return value + 1 if value > 0 else value - 1


@njit
def rank(value, scored):
    """Larger is better: more points; else a fast win, a draw, a slow loss."""
    if scored or value == 0:
        return value
    return _FAR - value if value > 0 else -_FAR - value


@kernel
def identify(rules, state, reduced):
    """(packed words of a state or of its least image, how many positions these stand for)."""
    if reduced:
        words, equal = proving.canonical(rules, state)
        return words, protocol.symmetry_count(rules) // equal
    return proving.pack(rules, state), 1


@kernel
def explore(rules, state, depth, reduced, scored, used, most, slots, buffers, control):
    """The value of a state; all that can follow is entered into `slots` (at most `most` positions).

    `buffers` (depth × moves, int32) has a row for each move of a line.  Meaningless once control[STATUS] is set.
    """
    if control[STATUS] != GOES_ON:
        return np.int64(0)
    words, stands_for = identify(rules, state, reduced)
    at = slot_of(slots, words, used)
    if slots[at + used] != U0:
        if slots[at + used] >= _DONE:
            return value_in(slots[at + used])
        control[STATUS] = REPEATS
        return np.int64(0)
    if control[FOUND] >= most:
        control[STATUS] = FULL
        return np.int64(0)
    if depth >= buffers.shape[0]:
        control[STATUS] = TOO_LONG
        return np.int64(0)
    control[FOUND] += 1
    for index in range(used):
        slots[at + index] = words[index]
    slots[at + used] = _BEGUN
    result = protocol.outcome(rules, state)
    value = np.int64(0)
    if result == ONGOING:
        here = np.int64(protocol.margin(rules, state))
        player = protocol.turn(rules, state)
        moves = buffers[depth]
        best = np.int64(_NOTHING)
        for index in range(protocol.legal_moves(rules, state, moves)):
            after = protocol.play(rules, state, np.int64(moves[index]))
            seen = explore(rules, after, depth + 1, reduced, scored, used, most, slots, buffers, control)
            if scored:
                seen += np.int64(protocol.margin(rules, after))
            if protocol.turn(rules, after) != player:
                seen = -seen
            seen = seen - here if scored else one_move_earlier(seen)
            if rank(seen, scored) > best:
                best = rank(seen, scored)
                value = seen
    elif not scored:
        value = np.int64(result == WIN) - np.int64(result == LOSS)
    if abs(value) > LARGEST_VALUE:
        control[STATUS] = TOO_LARGE
    if control[STATUS] == GOES_ON:
        slots[at + used] = np.uint64(value + _BIAS) | (np.uint64(depth) << _U16) | (np.uint64(stands_for) << _U32) | _DONE
    return value


@kernel
def move_over(slots, wider, used):
    """Enter what is done in `slots` into the larger, empty array `wider`; returns how many positions that were."""
    width = used + 1
    moved = 0
    for at in range(0, slots.size, width):
        if slots[at + used] >= _DONE:
            to = slot_of(wider, slots[at : at + used], used)
            for index in range(width):
                wider[to + index] = slots[at + index]
            moved += 1
    return moved


@kernel
def gather(slots, used, keys, values, moves_made, stands_for):
    """Write all positions of `slots` into arrays, in no particular order."""
    width = used + 1
    place = 0
    for at in range(0, slots.size, width):
        word = slots[at + used]
        if word >= _DONE:
            for index in range(used):
                keys[place, index] = slots[at + index]
            values[place] = value_in(word)
            moves_made[place] = np.int64((word >> _U16) & _SIXTEEN_BITS)
            stands_for[place] = np.int64((word >> _U32) & _SIXTEEN_BITS)
            place += 1


@kernel
def facts(rules, state):
    """(words of a packed state, how many are in use or 0 for all, whether all symmetries leave the state as it is,
    estimate of the number of positions, entries of a dense table, the least and the most that can be gained)."""
    least, most = proving.value_bounds(rules, state)
    fixed = proving.canonical(rules, state)[1] == protocol.symmetry_count(rules)
    return (
        len(proving.pack(rules, state)),
        np.int64(proving.packed_words(rules)),
        fixed,
        np.float64(proving.position_estimate(rules)),
        np.int64(numbering.dense_size(rules)),
        np.int64(least),
        np.int64(most),
    )


@kernel
def fill(rules, values, begin, end):
    """Entries begin..end of a dense table."""
    numbering.dense_fill(rules, values, begin, end)


@njit
def entry_of(keys, words, used):
    """The row of the ascending `keys` (positions × words) that has these words, or −1."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        less = False
        for index in range(used):
            if keys[middle, index] != words[index]:
                less = keys[middle, index] < words[index]
                break
        if less:
            low = middle + 1
        else:
            high = middle
    if low == keys.shape[0]:
        return np.int64(-1)
    for index in range(used):
        if keys[low, index] != words[index]:
            return np.int64(-1)
    return np.int64(low)


@njit
def write_found(rules, state, entry, values, row):
    """What a look-up says of a state: its entry or −1, the stored value, the player to move and the margin so far."""
    row[0] = entry
    row[1] = np.int64(values[entry]) if entry >= 0 else np.int64(0)
    row[2] = np.int64(protocol.turn(rules, state))
    row[3] = np.int64(protocol.margin(rules, state))


@kernel
def look_up(rules, state, successors, reduced, keys, values, moves, found):
    """The state's entry into row 0 of `found` (1 + legal moves, 4) and, if `successors`, that after move i into row 1 + i.

    `moves` gets the legal moves; returns how many rows beside the first there are.
    """
    used = keys.shape[1]
    write_found(rules, state, entry_of(keys, identify(rules, state, reduced)[0], used), values, found[0])
    count = protocol.legal_moves(rules, state, moves) if successors else 0
    for index in range(count):
        after = protocol.play(rules, state, np.int64(moves[index]))
        write_found(rules, after, entry_of(keys, identify(rules, after, reduced)[0], used), values, found[index + 1])
    return count


@kernel
def look_up_dense(rules, state, successors, values, moves, found):
    """As `look_up`, in a table of numbered states."""
    write_found(rules, state, np.int64(numbering.dense_index(rules, state)), values, found[0])
    count = protocol.legal_moves(rules, state, moves) if successors else 0
    for index in range(count):
        after = protocol.play(rules, state, np.int64(moves[index]))
        write_found(rules, after, np.int64(numbering.dense_index(rules, after)), values, found[index + 1])
    return count


@kernel
def count_dense(rules, values, least, counts):
    """Add up the entries of a dense table by moves made (first axis) and value − least (second axis).

    Returns how many rows `counts` should have; if it has fewer, entries are left out.
    """
    rows = np.int64(0)
    for index in range(values.size):
        moves = np.int64(numbering.dense_moves(rules, index))
        rows = max(rows, moves + 1)
        if moves < counts.shape[0]:
            counts[moves, np.int64(values[index]) - least] += 1
    return rows
