"""The transposition table against a slow twin: a list of slots and a dictionary."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludometer.agents.transposition_kernels import (
    CANDIDATES,
    DEEP,
    FIFO,
    KEEP,
    LRU,
    Table,
    clear_table,
    find_entry,
    new_recency,
    new_table,
    recent_slot_for,
    slot_for,
    touch,
)
from ludometer.core.compiling.compilation import kernel


@kernel
def put_recent(table, recency, key):
    return recent_slot_for(table, recency, key)


@kernel
def put(table, key, depth):
    slot = slot_for(table, key, depth)
    if slot >= 0:
        table.entries[slot].depth = depth
    return slot


@kernel
def find(table, key):
    return find_entry(table, key)


@kernel
def use(table, recency, key):
    slot = find_entry(table, key)
    if slot >= 0:
        touch(table, recency, slot)
    return slot


@kernel
def clear(table):
    clear_table(table)


class Twin:
    """What the table should hold: for each slot a key and a depth."""

    def __init__(self, limit: int, replacement: int) -> None:
        self.limit, self.replacement = limit, replacement
        self.clear()

    def clear(self) -> None:
        self.slots: list[tuple[int, int]] = []
        self.stored = 0
        self.used: list[int] = []  # slots, the one used last at the end

    def find(self, key: int) -> int:
        return next((place for place, (known, _) in enumerate(self.slots) if known == key), -1)

    def use(self, key: int) -> int:
        slot = self.find(key)
        if slot >= 0:
            self.used = [other for other in self.used if other != slot] + [slot]
        return slot

    def put(self, key: int, depth: int) -> int:
        slot = self._put(key, depth)
        self.use(key)
        return slot

    def _put(self, key: int, depth: int) -> int:
        slot = self.find(key)
        if slot >= 0:
            self.slots[slot] = (key, depth)
            return slot
        number, self.stored = self.stored, self.stored + 1
        if number < self.limit:
            self.slots.append((key, depth))
            return number
        if self.replacement == KEEP:
            return -1
        slot = self.used[0] if self.replacement == LRU else number % self.limit
        if self.replacement == DEEP:
            candidates = [(number + further) % self.limit for further in range(CANDIDATES)]
            slot = min(candidates, key=lambda place: self.slots[place][1])
            if self.slots[slot][1] > depth:
                return -1
        self.slots[slot] = (key, depth)
        return slot


@pytest.mark.parametrize("replacement", [KEEP, FIFO, DEEP, LRU])
@pytest.mark.parametrize("limit", [1, 5, 13])
def test_the_table_is_the_twins(limit: int, replacement: int) -> None:
    """Few keys in few buckets, so that chains grow and entries give way; now and then all is forgotten at once."""
    source = random.Random(limit)
    table, twin, recency = new_table(limit, replacement), Twin(limit, replacement), new_recency(limit)
    for step in range(3000):
        key = source.randrange(40) << source.choice((0, 3, 58))
        if source.random() < 0.01:
            clear(table)
            twin.clear()
        elif source.random() < 0.5:
            depth = source.randrange(4)
            slot = put_recent(table, recency, np.uint64(key)) if replacement == LRU else put(table, np.uint64(key), depth)
            assert slot == twin.put(key, depth), step
        elif replacement == LRU:
            assert use(table, recency, np.uint64(key)) == twin.use(key), step
        else:
            assert find(table, np.uint64(key)) == twin.find(key), step
        assert table.use[0]["stored"] == twin.stored


def fill(replacement: int) -> Table:
    """Four entries of depth 3 under the keys 0 to 3."""
    table = new_table(4, replacement)
    assert [put(table, np.uint64(key), 3) for key in range(4)] == [0, 1, 2, 3]
    return table


def test_entries_of_equal_depth_give_way_and_deeper_ones_stay() -> None:
    table = fill(DEEP)
    assert put(table, np.uint64(9), 3) == 0  # equal depth replaces
    assert put(table, np.uint64(10), 2) == -1 and find(table, np.uint64(10)) == -1
    assert find(table, np.uint64(9)) == 0 and find(table, np.uint64(0)) == -1


def test_what_a_full_table_does() -> None:
    kept, oldest = fill(KEEP), fill(FIFO)
    assert put(kept, np.uint64(9), 9) == -1 and find(kept, np.uint64(0)) == 0
    assert put(oldest, np.uint64(9), 0) == 0 and find(oldest, np.uint64(0)) == -1
    assert put(oldest, np.uint64(10), 0) == 1


def test_the_least_recently_used_gives_way() -> None:
    table, recency = new_table(4, LRU), new_recency(4)
    assert [put_recent(table, recency, np.uint64(key)) for key in range(4)] == [0, 1, 2, 3]
    assert use(table, recency, np.uint64(0)) == 0  # now key 1 was not used for longest
    assert put_recent(table, recency, np.uint64(9)) == 1 and find(table, np.uint64(1)) == -1 and find(table, np.uint64(0)) == 0
    assert put_recent(table, recency, np.uint64(2)) == 2  # storing again is use too
    assert put_recent(table, recency, np.uint64(10)) == 3 and find(table, np.uint64(3)) == -1
