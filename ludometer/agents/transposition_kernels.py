"""A table of searched positions, compiled: a hash table with a fixed number of entries and a choice of what to forget.

`heads` (int32, a power of two long) holds for each bucket the slot of its newest entry, or −1; entries of one bucket are linked
through their field `next`.  All numbers that change, and the settings, are in the array `numbers` of the search.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("value", np.float64),  # for the player to move; wins and losses counted from this position, not from the root
        ("next", np.int32),  # slot of the next entry of the bucket, or −1
        ("depth", np.int16),  # plies searched below
        ("bound", np.int8),  # EXACT, LOWER or UPPER
        ("whole", np.int8),  # 1: nothing below was cut off by the depth, so it holds for greater depths too
    ]
)
inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # called from compiled code only

BYTES_PER_ENTRY = ENTRY.itemsize

EXACT, LOWER, UPPER = range(3)
KEEP, FIFO, DEEP = range(3)  # replacement: keep the first ones; forget the oldest; forget the shallowest of a few old ones
CANDIDATES = 4  # so many old entries are compared by DEEP


def new_table(limit: int) -> tuple[np.ndarray, np.ndarray]:
    """(entries, heads) of an empty table for at most `limit` entries.  Memory is only used as it fills."""
    buckets = 1 << max(0, limit - 1).bit_length()
    return np.empty(limit, ENTRY), np.full(buckets, -1, np.int32)


@inner
def find_entry(entries, heads, key):
    """The slot of this key, or −1."""
    slot = np.int64(heads[np.int64(key & np.uint64(len(heads) - 1))])
    while slot >= 0 and entries[slot].key != key:
        slot = np.int64(entries[slot].next)
    return slot


@inner
def _unlink(entries, heads, slot):
    """Take an entry out of its bucket."""
    bucket = np.int64(entries[slot].key & np.uint64(len(heads) - 1))
    after = entries[slot].next
    place = np.int64(heads[bucket])
    if place == slot:
        heads[bucket] = after
        return
    while entries[place].next != slot:
        place = np.int64(entries[place].next)
    entries[place].next = after


@inner
def _slot_to_reuse(entries, depth, replacement, stored):
    """The slot of a full table whose entry gives way to a new one of this depth, or −1."""
    limit = len(entries)
    if limit == 0 or replacement == KEEP:
        return np.int64(-1)
    slot = stored % limit
    if replacement == FIFO:
        return slot
    for further in range(1, CANDIDATES):
        other = (stored + further) % limit
        if entries[other].depth < entries[slot].depth:
            slot = other
    return slot if entries[slot].depth <= depth else np.int64(-1)


@inner
def slot_for(entries, heads, key, depth, replacement, stored):
    """(the slot into which an entry with this key goes, linked already, or −1 when it is not kept; `stored` afterwards).

    `stored` counts all entries that came so far, including those since forgotten.
    """
    slot = find_entry(entries, heads, key)
    if slot >= 0:
        return slot, stored
    slot = np.int64(stored)
    if stored >= len(entries):
        slot = np.int64(_slot_to_reuse(entries, depth, replacement, stored))
        if slot < 0:
            return slot, stored + 1
        _unlink(entries, heads, slot)
    bucket = np.int64(key & np.uint64(len(heads) - 1))
    entries[slot].key = key
    entries[slot].next = heads[bucket]
    heads[bucket] = slot
    return slot, stored + 1
