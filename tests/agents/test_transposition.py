"""The transposition table against a slow twin: a list of slots and a dictionary."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludometer.agents.search_choices import Replacement
from ludometer.agents.transposition_kernels import CANDIDATES, Table, clear_table, find_entry, new_table, slot_for
from ludometer.core.compiling.compilation import kernel


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

    def find(self, key: int) -> int:
        return next((place for place, (known, _) in enumerate(self.slots) if known == key), -1)

    def put(self, key: int, depth: int) -> int:
        slot = self.find(key)
        if slot >= 0:
            self.slots[slot] = (key, depth)
            return slot
        number, self.stored = self.stored, self.stored + 1
        if number < self.limit:
            self.slots.append((key, depth))
            return number
        if self.replacement == Replacement.KEEP:
            return -1
        slot = number % self.limit
        if self.replacement == Replacement.DEEP:
            candidates = [(number + further) % self.limit for further in range(CANDIDATES)]
            slot = min(candidates, key=lambda place: self.slots[place][1])
            if self.slots[slot][1] > depth:
                return -1
        self.slots[slot] = (key, depth)
        return slot


@pytest.mark.parametrize("replacement", list(Replacement))
@pytest.mark.parametrize("limit", [1, 5, 13])
def test_the_table_is_the_twins(limit: int, replacement: int) -> None:
    """Few keys in few buckets, so that chains grow and entries give way; now and then all is forgotten at once."""
    source = random.Random(limit)
    table, twin = new_table(limit, replacement), Twin(limit, replacement)
    for step in range(3000):
        key = source.randrange(40) << source.choice((0, 3, 58))
        if source.random() < 0.01:
            clear(table)
            twin.clear()
        elif source.random() < 0.5:
            depth = source.randrange(4)
            assert put(table, np.uint64(key), depth) == twin.put(key, depth), step
        else:
            assert find(table, np.uint64(key)) == twin.find(key), step
        assert table.use[0]["stored"] == twin.stored


def fill(replacement: int) -> Table:
    """Four entries of depth 3 under the keys 0 to 3."""
    table = new_table(4, replacement)
    assert [put(table, np.uint64(key), 3) for key in range(4)] == [0, 1, 2, 3]
    return table


def test_entries_of_equal_depth_give_way_and_deeper_ones_stay() -> None:
    table = fill(Replacement.DEEP)
    assert put(table, np.uint64(9), 3) == 0  # equal depth replaces
    assert put(table, np.uint64(10), 2) == -1 and find(table, np.uint64(10)) == -1
    assert find(table, np.uint64(9)) == 0 and find(table, np.uint64(0)) == -1


def test_what_a_full_table_does() -> None:
    kept, oldest = fill(Replacement.KEEP), fill(Replacement.FIFO)
    assert put(kept, np.uint64(9), 9) == -1 and find(kept, np.uint64(0)) == 0
    assert put(oldest, np.uint64(9), 0) == 0 and find(oldest, np.uint64(0)) == -1
    assert put(oldest, np.uint64(10), 0) == 1
