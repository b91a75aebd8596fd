"""Alpha-beta search with a table of bounds, for any game whose moves never repeat a position.

The value of a state is what the player to move can still gain: final points of his minus the other's, less the difference so far.
In a game without points the margin is 0 up to the end, so the value is WIN, DRAW or LOSS.

The table is an array of words, in buckets of four entries.  An entry is the words of `proving.search_key` and one word more:

    bits 0–15     lower bound + 2^15
    bits 16–31    upper bound + 2^15
    bits 32–39    1 + how often the number of nodes spent can be halved; 0 in an empty entry

Keys are compared in all words, so entries of different states are never confused.  In a full bucket the entry that cost the fewest nodes is
replaced.

A game with a `proving.deep_key` has a second table of that kind.  The states after all moves are looked up by the first key; by the second
only a state that this does not decide, before it is searched.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.prefetching import prefetch
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import proving
from ludometer.core.protocol.proving import NEVER
from ludometer.core.random import draw

BUCKET = 4
LOOKED_UP_AT_ONCE = 8  # moves whose entries are asked of memory together
_LOOKED_UP_FIRST = 4  # in the first group, because one of these often decides the bound

# Indices of `Run.control`, shared by the search and its caller
NODES, ENTRIES, STOP, DEEPEST = range(4)
TOO_DEEP = 2  # a value of STOP: there is no buffer for more moves; the caller sets 1

# Nodes with fewer moves are not looked up: searching them again costs less.
_FEWEST_MOVES_LOOKED_UP = 3

_NOTHING = -40000  # less than any value
_BIAS = np.int64(1 << 15)
_BOUND = np.uint64(0xFFFF)
_U16 = np.uint64(16)
_U32 = np.uint64(32)

# Columns of `Run.ahead`: what `proving.search_step` says, where the bucket of the key begins, and from KEY on the key
TAKE, LEAVE, BUCKET_AT, KEY = range(4)
_NOT_LOOKED_UP = np.uint64((1 << 64) - 1)  # instead of a bucket: a successor that is finished, or not worth remembering
_SEED = np.uint64(0x2545F4914F6CDD1D)


class Run(NamedTuple):
    """Arguments of a search that are the same at all depths."""

    least: int  # bounds of all values of the game
    most: int
    used: int  # words of a key
    tables: Any  # of `proving.search_tables`
    table: np.ndarray  # the transposition table, uint64
    deep: np.ndarray  # that of the deep keys; empty if the game has none
    buffers: np.ndarray  # (depth, moves) int32: a row for the moves of each node of a line
    ahead: np.ndarray  # (LOOKED_UP_AT_ONCE, KEY + words of a key) uint64: successors looked up together, see TAKE
    control: np.ndarray  # (4,) int64: NODES, ENTRIES, STOP, DEEPEST


@njit
def bucket_of(table, words, used):
    """The first word of the bucket for a key."""
    mixed = _SEED
    for index in range(used):
        mixed = draw(words[index] ^ mixed, mixed)
    width = used + 1
    buckets = np.uint64(table.size // (BUCKET * width))
    return np.int64(mixed & (buckets - np.uint64(1))) * BUCKET * width


@njit
def entry_of(table, first, words, used):
    """The first word of a key's entry in the bucket that begins here, or -1."""
    width = used + 1
    for entry in range(BUCKET):
        at = first + entry * width
        same = table[at + used] != U0
        for index in range(used):
            same &= table[at + index] == words[index]
        if same:
            return at
    return np.int64(-1)


@njit
def entry_ahead(table, ahead, place, used):
    """`entry_of` for a row of `ahead` that has a bucket."""
    width = used + 1
    for entry in range(BUCKET):
        at = np.int64(ahead[place, BUCKET_AT]) + entry * width
        same = table[at + used] != U0
        for index in range(used):
            same &= table[at + index] == ahead[place, KEY + index]
        if same:
            return at
    return np.int64(-1)


@njit
def look_ahead(rules, state, begun, moves, begin, size, tables, table, used, ahead):
    """Find the buckets of the successors by moves[begin : begin + size], and ask memory for them."""
    for place in range(size):
        after, take, leave = proving.search_step(rules, state, np.int64(moves[begin + place]))
        ahead[place, TAKE] = np.uint64(take)
        ahead[place, LEAVE] = np.uint64(leave)
        ahead[place, BUCKET_AT] = _NOT_LOOKED_UP
        if protocol.outcome(rules, after) == ONGOING and proving.worth_remembering(rules, after):
            words = proving.search_key_after(rules, tables, begun, state, after)
            first = bucket_of(table, words, used)
            prefetch(table, first)
            for index in range(used):
                ahead[place, KEY + index] = words[index]
            ahead[place, BUCKET_AT] = np.uint64(first)


@njit
def bounds_at(table, place):
    """(lower, upper) of the entry whose last word is here."""
    word = table[place]
    return np.int64(word & _BOUND) - _BIAS, np.int64((word >> _U16) & _BOUND) - _BIAS


@njit
def work_at(table, place):
    """Approximate number of nodes that the entry with this last word has cost."""
    return np.int64(1) << np.int64(table[place] >> _U32) >> 2


@njit
def keep(table, control, words, used, lower, upper, work):
    """Enter the bounds of a key; `work` is the number of nodes they cost."""
    first = bucket_of(table, words, used)
    at = entry_of(table, first, words, used)
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


@njit
def worth_at_least(take, leave, lower, upper):
    """What a step is worth at least, see `proving.search_step`, if the state after it is worth `lower` to `upper`."""
    return -max(take + upper, leave - lower)


@njit
def worth_at_most(take, leave, lower, upper):
    return -max(max(take + lower, leave - upper), (take + leave + 1) >> 1)


@kernel
def search(rules, state, bound, depth, run):
    """A number ≥ bound that the value of an unfinished state is at least, or one < bound that it is at most.

    `run` is a `Run`.  Meaningless once control[STOP] is set.
    """
    control, table, deep, ahead, used = run.control, run.table, run.deep, run.ahead, run.used
    control[NODES] += 1
    if depth >= run.buffers.shape[0]:
        control[STOP] = TOO_DEEP
    if control[STOP] != 0:
        return np.int64(0)
    lower, upper = proving.value_bounds(rules, state)
    lower = max(np.int64(lower), run.least)
    upper = min(np.int64(upper), run.most)
    if lower >= bound or lower == upper:
        return lower
    if upper < bound:
        return upper
    moves = run.buffers[depth]
    count = proving.search_moves(rules, run.tables, state, moves)
    looked_up = count >= _FEWEST_MOVES_LOOKED_UP and proving.worth_remembering(rules, state)
    words = proving.pack(rules, state)
    best = np.int64(_NOTHING)
    spent = control[NODES]
    if looked_up:
        begun = proving.search_key_begun(rules, run.tables, state)
        words = proving.search_key_after(rules, run.tables, begun, state, state)
        here = bucket_of(table, words, used)
        prefetch(table, here)
        # Entries of the successors may decide the bound before anything is searched.  Moves known to fail are left out.
        kept = 0
        group = size = 0
        while group + size < count:
            group += size
            size = min(LOOKED_UP_AT_ONCE if group > 0 else _LOOKED_UP_FIRST, count - group)
            look_ahead(rules, state, begun, moves, group, size, run.tables, table, used, ahead)
            if group == 0:
                at = entry_of(table, here, words, used)
                if at >= 0:
                    known_lower, known_upper = bounds_at(table, at + used)
                    lower = max(lower, known_lower)
                    upper = min(upper, known_upper)
                    if lower >= bound or lower == upper:
                        return lower
                    if upper < bound:
                        return upper
            for place in range(size):
                at = entry_ahead(table, ahead, place, used) if ahead[place, BUCKET_AT] != _NOT_LOOKED_UP else np.int64(-1)
                if at >= 0:
                    known_lower, known_upper = bounds_at(table, at + used)
                    take, leave = np.int64(ahead[place, TAKE]), np.int64(ahead[place, LEAVE])
                    value = worth_at_least(take, leave, known_lower, known_upper)
                    if value >= bound:
                        return value
                    value = worth_at_most(take, leave, known_lower, known_upper)
                    if value < bound:
                        best = max(best, value)
                        continue
                moves[kept] = moves[group + place]
                kept += 1
        count = kept
    deep_used = np.int64(proving.deep_words(rules))
    if looked_up and deep_used > 0:
        deep_key = proving.deep_key(rules, run.tables, state)
        at = entry_of(deep, bucket_of(deep, deep_key, deep_used), deep_key, deep_used)
        if at >= 0:
            known_lower, known_upper = bounds_at(deep, at + deep_used)
            lower = max(lower, known_lower)
            upper = min(upper, known_upper)
            if lower >= bound or upper < bound:
                keep(table, control, words, used, lower, upper, work_at(deep, at + deep_used))
                return lower if lower >= bound else upper
    for index in range(count):
        after, take, leave = proving.search_step(rules, state, np.int64(moves[index]))
        take, leave = np.int64(take), np.int64(leave)
        low = high = np.int64(0)
        value = worth_at_most(take, leave, NEVER, -NEVER)
        if protocol.outcome(rules, after) == ONGOING:
            if value >= bound and take > NEVER:
                high = search(rules, after, 1 - bound - take, depth + 1, run)
                value = -take - high
            if value >= bound and leave > NEVER:
                low = search(rules, after, bound + leave, depth + 1, run)
                value = low - leave
        if value >= bound:
            value = worth_at_least(take, leave, low, high)
        best = max(best, value)
        if best >= bound:
            break
    if control[STOP] != 0:
        return np.int64(0)
    if looked_up:
        if best >= bound:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        spent = control[NODES] - spent
        keep(table, control, words, used, lower, upper, spent)
        if deep_used > 0:
            keep(deep, control, deep_key, deep_used, lower, upper, spent)
    return best
