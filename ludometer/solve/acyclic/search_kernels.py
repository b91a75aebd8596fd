"""Alpha-beta search with a table of bounds, for any game whose moves never repeat a position.

The value of a state is what the player to move can still gain: final points of his minus the other's, less the difference so far.
In a game without points the margin is 0 up to the end, so the value is WIN, DRAW or LOSS.

The table is an array of words, in buckets of four entries.  An entry is the words of `proving.search_key` and one word more:

    bits 0–15     lower bound + 2^15
    bits 16–31    upper bound + 2^15
    bits 32–39    1 + how often the number of nodes spent can be halved; 0 in an empty entry

Two states share an entry only if their keys are equal in all words, so nothing is ever mistaken.  In a full bucket the
entry that was cheapest to find out gives way.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core import protocol, proving
from ludometer.core.bits import U0
from ludometer.core.compilation import kernel
from ludometer.core.outcome import ONGOING
from ludometer.core.random import draw

BUCKET = 4

# Places in the array through which the search and its caller talk
NODES, ENTRIES, STOP, DEEPEST = range(4)
TOO_DEEP = 2  # a value of STOP: there is no buffer for more moves; the caller sets 1

# Nodes with fewer moves than this are not looked up: finding them out again costs less.
_FEWEST_MOVES_LOOKED_UP = 3

_BIAS = np.int64(1 << 15)
_BOUND = np.uint64(0xFFFF)
_U16 = np.uint64(16)
_U32 = np.uint64(32)
_SEED = np.uint64(0x2545F4914F6CDD1D)


@njit
def place_of(table, words, used):
    """(first word of the bucket for a key, first word of its entry there or -1)."""
    mixed = _SEED
    for index in range(used):
        mixed = draw(words[index] ^ mixed, mixed)
    width = used + 1
    buckets = np.uint64(table.size // (BUCKET * width))
    first = np.int64(mixed & (buckets - np.uint64(1))) * BUCKET * width
    for entry in range(BUCKET):
        at = first + entry * width
        if table[at + used] == U0:
            continue
        same = True
        for index in range(used):
            same &= table[at + index] == words[index]
        if same:
            return first, at
    return first, np.int64(-1)


@njit
def bounds_at(table, place):
    """(lower, upper) of the entry whose last word is here."""
    word = table[place]
    return np.int64(word & _BOUND) - _BIAS, np.int64((word >> _U16) & _BOUND) - _BIAS


@njit
def keep(table, control, words, used, lower, upper, work):
    """Enter the bounds of a key; `work` is the number of nodes they cost."""
    first, at = place_of(table, words, used)
    effort = np.uint64(1)
    while work > 0:
        effort += np.uint64(1)
        work >>= 1
    if at < 0:
        least = np.uint64(1 << 30)
        for entry in range(BUCKET):
            here = first + entry * (used + 1)
            spent = table[here + used] >> _U32
            if spent < least:
                least = spent
                at = here
        if least == U0:
            control[ENTRIES] += 1
        for index in range(used):
            table[at + index] = words[index]
    table[at + used] = np.uint64(lower + _BIAS) | (np.uint64(upper + _BIAS) << _U16) | (effort << _U32)


@kernel
def search(rules, state, alpha, beta, depth, least, most, used, table, buffers, control):
    """The value of an unfinished state if it lies between alpha and beta; else a bound of it on that side.

    `least` and `most` bound all values of the game; `buffers` (depth × moves, int32) has a row for each move of a line.
    Meaningless once control[STOP] is set.
    """
    control[NODES] += 1
    if depth >= buffers.shape[0]:
        control[STOP] = TOO_DEEP
    if control[STOP] != 0:
        return np.int64(0)
    lower, upper = proving.value_bounds(rules, state)
    lower = max(np.int64(lower), least)
    upper = min(np.int64(upper), most)
    if lower >= beta or lower == upper:
        return lower
    if upper <= alpha:
        return upper
    moves = buffers[depth]
    count = proving.search_moves(rules, state, moves)
    looked_up = count >= _FEWEST_MOVES_LOOKED_UP and proving.worth_remembering(rules, state)
    words = proving.pack(rules, state)
    if looked_up:
        words = proving.search_key(rules, state)
        at = place_of(table, words, used)[1]
        if at >= 0:
            known_lower, known_upper = bounds_at(table, at + used)
            lower = max(lower, known_lower)
            upper = min(upper, known_upper)
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
    here = np.int64(protocol.margin(rules, state))
    player = protocol.turn(rules, state)
    begun = control[NODES]
    alpha = max(alpha, lower)
    beta = min(beta, upper)
    floor = alpha
    best = np.int64(-40000)
    if looked_up:
        # What the table knows of the moves may end the matter before anything is searched; and known failures are left out.
        kept = 0
        for index in range(count):
            after = proving.search_play(rules, state, np.int64(moves[index]))
            if protocol.outcome(rules, after) == ONGOING and proving.worth_remembering(rules, after):
                at = place_of(table, proving.search_key(rules, after), used)[1]
                if at >= 0:
                    known_lower, known_upper = bounds_at(table, at + used)
                    gain = np.int64(protocol.margin(rules, after))
                    if protocol.turn(rules, after) == player:
                        known_lower, known_upper = gain + known_lower - here, gain + known_upper - here
                    else:
                        known_lower, known_upper = -(gain + known_upper) - here, -(gain + known_lower) - here
                    if known_lower >= beta:
                        return known_lower
                    if known_upper <= alpha:
                        best = max(best, known_upper)
                        continue
            moves[kept] = moves[index]
            kept += 1
        count = kept
    for index in range(count):
        after = proving.search_play(rules, state, np.int64(moves[index]))
        gain = np.int64(protocol.margin(rules, after))
        same = protocol.turn(rules, after) == player
        value = gain
        if protocol.outcome(rules, after) == ONGOING:
            low, high = (alpha, beta) if same else (-beta, -alpha)
            shift = gain - here if same else gain + here
            value += search(rules, after, low - shift, high - shift, depth + 1, least, most, used, table, buffers, control)
        value = (value if same else -value) - here
        if value > best:
            best = value
            alpha = max(alpha, best)
            if best >= beta:
                break
    if control[STOP] != 0:
        return np.int64(0)
    if looked_up:
        if best >= beta:
            lower = max(lower, best)
        elif best <= floor:
            upper = min(upper, best)
        else:
            lower, upper = best, best
        keep(table, control, words, used, lower, upper, control[NODES] - begun)
    return best
