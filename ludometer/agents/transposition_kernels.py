"""A transposition table, compiled: a hash table of searched positions with a fixed number of entries and a choice of replacement.

Each bucket is a chain: `heads` holds the slot of its newest entry, and the entries of a bucket are linked by their field `next`.  Slots are
filled in order, so a table is cleared by setting the number of entries to 0: a stale head names a slot that is not in use, or whose entry
belongs to another bucket.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.search_choices import Replacement
from ludometer.core.compiling.borrowing import inlined, lend

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("value", np.float64),  # for the player to move; wins and losses counted from this position, not from the root
        ("next", np.int32),  # slot of the next entry of the bucket, or −1
        ("depth", np.int16),  # plies searched below
        ("bound", np.int8),  # search_choices.Bound
        ("whole", np.int8),  # 1: searched to the end of the game, so valid at any greater depth
    ]
)

BYTES_PER_ENTRY = ENTRY.itemsize

CANDIDATES = 4  # old entries compared by Replacement.DEEP

# State of a table.
USE = np.dtype(
    [
        ("stored", np.int64),  # entries stored so far, including those replaced since
        ("replacement", np.int64),  # search_choices.Replacement
    ]
)


class Table(NamedTuple):
    """A transposition table."""

    entries: np.ndarray  # ENTRY (limit,)
    heads: np.ndarray  # int32, a power of two long: slot of the bucket's newest entry, if it is in use and of this bucket
    use: np.ndarray  # USE (1,)


def new_table(limit: int, replacement: int = Replacement.DEEP) -> Table:
    """An empty table for at most `limit` entries.  The operating system provides the memory as it fills."""
    buckets = 1 << max(0, limit - 1).bit_length()
    return Table(np.empty(limit, ENTRY), np.zeros(buckets, np.int32), np.array([(0, replacement)], USE))


@njit
def clear_table(table):
    """Remove all entries."""
    table.use[0].stored = 0


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
def unlink(table, slot):
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
def link(table, slot, key):
    """Make a slot the newest entry of its bucket."""
    bucket = _bucket_of(table, key)
    head = _head_of(table, bucket)
    table.use[0].stored += 1
    table.entries[slot].key = key
    table.entries[slot].next = head
    table.heads[bucket] = slot


@inlined
def _slot_to_reuse(table, depth):
    """The slot of a full table whose entry is replaced by a new one of this depth, or −1."""
    limit = len(table.entries)
    if limit == 0 or table.use[0].replacement == Replacement.KEEP:
        return np.int64(-1)
    slot = table.use[0].stored % limit
    if table.use[0].replacement == Replacement.FIFO:
        return slot
    for further in range(1, CANDIDATES):
        other = (table.use[0].stored + further) % limit
        if table.entries[other].depth < table.entries[slot].depth:
            slot = other
    return slot if table.entries[slot].depth <= depth else np.int64(-1)


@njit
def slot_for(table, key, depth):
    """The linked slot for an entry with this key, or −1 if it is not stored."""
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
        unlink(table, slot)
    link(table, slot, key)
    return slot
