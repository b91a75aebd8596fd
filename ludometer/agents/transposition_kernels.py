"""A transposition table, compiled: a hash table of searched positions with a fixed number of entries and a choice of what to forget.

Each bucket is a chain: `heads` holds the slot of its newest entry, entries of one bucket are linked through their field `next`.  Slots are
filled in order, so a table is emptied by forgetting how many are in use: a head left over from before names a slot that is not in use, or
whose entry belongs to another bucket.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.compiling.borrowing import inlined, lend

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("value", np.float64),  # for the player to move; wins and losses counted from this position, not from the root
        ("next", np.int32),  # slot of the next entry of the bucket, or −1
        ("depth", np.int16),  # plies searched below
        ("bound", np.int8),  # EXACT, LOWER or UPPER
        ("whole", np.int8),  # 1: nothing below was cut off by the horizon, so it holds for greater depths too
    ]
)

BYTES_PER_ENTRY = ENTRY.itemsize

EXACT, LOWER, UPPER = range(3)
KEEP, FIFO, DEEP, LRU = range(4)  # keep the first ones; forget the oldest, the shallowest of a few old ones, the least recently used
CANDIDATES = 4  # so many old entries are compared by DEEP


# How a table is used.
USE = np.dtype(
    [
        ("stored", np.int64),  # entries that came so far, including those since forgotten
        ("replacement", np.int64),  # KEEP, FIFO, DEEP or LRU
        ("least_recent", np.int64),  # slot of the entry not used for longest, −1 if there is none; with LRU
        ("most_recent", np.int64),  # slot of the entry used last
    ]
)


class Table(NamedTuple):
    """A transposition table."""

    entries: np.ndarray  # ENTRY (limit,)
    heads: np.ndarray  # int32, a power of two long: the slot of a bucket's newest entry, if that is in use and of this bucket
    use: np.ndarray  # USE (1,)


def new_table(limit: int, replacement: int = DEEP) -> Table:
    """An empty table for at most `limit` entries.  Memory is only used as it fills."""
    buckets = 1 << max(0, limit - 1).bit_length()
    return Table(np.empty(limit, ENTRY), np.zeros(buckets, np.int32), np.array([(0, replacement, -1, -1)], USE))


@njit
def clear_table(table):
    table.use[0].stored = 0
    table.use[0].least_recent = table.use[0].most_recent = -1


@inlined
def _bucket_of(table, key):
    return np.int64(key & np.uint64(len(table.heads) - 1))


@inlined
def _head_of(table, bucket):
    """The slot of a bucket's newest entry, or −1."""
    slot = np.int64(table.heads[bucket])
    if 0 <= slot < min(table.use[0].stored, len(table.entries)) and _bucket_of(table, table.entries[slot].key) == bucket:
        return slot
    return np.int64(-1)


@njit
def find_entry(table, key):
    """The slot of this key, or −1."""
    table = lend(table)
    slot = _head_of(table, _bucket_of(table, key))
    while slot >= 0 and table.entries[slot].key != key:
        slot = np.int64(table.entries[slot].next)
    return slot


@inlined
def _unlink(table, slot):
    """Take an entry out of its bucket."""
    bucket = _bucket_of(table, table.entries[slot].key)
    after = table.entries[slot].next
    place = np.int64(table.heads[bucket])
    if place == slot:
        table.heads[bucket] = after
        return
    while table.entries[place].next != slot:
        place = np.int64(table.entries[place].next)
    table.entries[place].next = after


@inlined
def _link(table, slot, key):
    """Make a slot the newest entry of its bucket."""
    bucket = _bucket_of(table, key)
    head = _head_of(table, bucket)
    table.use[0].stored += 1
    table.entries[slot].key = key
    table.entries[slot].next = head
    table.heads[bucket] = slot


@inlined
def _slot_to_reuse(table, depth):
    """The slot of a full table whose entry gives way to a new one of this depth, or −1."""
    limit = len(table.entries)
    if limit == 0 or table.use[0].replacement == KEEP:
        return np.int64(-1)
    slot = table.use[0].stored % limit
    if table.use[0].replacement == FIFO:
        return slot
    for further in range(1, CANDIDATES):
        other = (table.use[0].stored + further) % limit
        if table.entries[other].depth < table.entries[slot].depth:
            slot = other
    return slot if table.entries[slot].depth <= depth else np.int64(-1)


@njit
def slot_for(table, key, depth):
    """The slot into which an entry with this key goes, linked already, or −1 when it is not kept."""
    table = lend(table)
    slot = find_entry(table, key)
    if slot >= 0:
        return slot
    slot = table.use[0].stored
    if slot >= len(table.entries):
        slot = np.int64(_slot_to_reuse(table, depth))
        if slot < 0:
            table.use[0].stored += 1
            return slot
        _unlink(table, slot)
    _link(table, slot, key)
    return slot


# ---- forgetting what was not used for longest ----

BEFORE, AFTER = range(2)  # columns of `recency`


def new_recency(limit: int) -> np.ndarray:
    """int32 (limit, 2): slots of the entries used just before and just after each, −1 if none; a table with LRU needs it beside."""
    return np.empty((limit, 2), np.int32)


@njit
def _forget_use(table, recency, slot):
    """Take an entry out of the list of entries by their last use."""
    use = table.use[0]
    before, after = np.int64(recency[slot, BEFORE]), np.int64(recency[slot, AFTER])
    if before >= 0:
        recency[before, AFTER] = after
    else:
        use.least_recent = after
    if after >= 0:
        recency[after, BEFORE] = before
    else:
        use.most_recent = before


@njit
def _note_use(table, recency, slot):
    """Enter an entry as the one used last."""
    use = table.use[0]
    recency[slot, BEFORE] = use.most_recent
    recency[slot, AFTER] = -1
    if use.most_recent >= 0:
        recency[use.most_recent, AFTER] = slot
    else:
        use.least_recent = slot
    use.most_recent = slot


@njit
def touch(table, recency, slot):
    """An entry is used: it becomes the last one to be forgotten."""
    if table.use[0].most_recent != slot:
        _forget_use(table, recency, slot)
        _note_use(table, recency, slot)


@njit
def recent_slot_for(table, recency, key):
    """`slot_for` of a table that forgets the entry not used for longest."""
    table = lend(table)
    slot = find_entry(table, key)
    if slot >= 0:
        touch(table, recency, slot)
        return slot
    slot = table.use[0].stored
    if slot >= len(table.entries):
        slot = table.use[0].least_recent
        _unlink(table, slot)
        _forget_use(table, recency, slot)
    _note_use(table, recency, slot)
    _link(table, slot, key)
    return slot
