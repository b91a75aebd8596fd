"""Alpha-beta as the reports' programs search, compiled: a variant of the search in `agents.search_kernels`."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.search_choices import Bound
from ludometer.agents.search_kernels import has_ceiling, narrows_root
from ludometer.agents.search_table_kernels import (
    bound_to_store,
    cuts_so_far,
    forget,
    is_valid,
    key_of,
    note_cut,
    note_use,
    slot_of_image,
    slot_to_fill,
    table_key,
    usual_bound,
)
from ludometer.agents.transposition_kernels import clear_table, find_entry, link, slot_for, unlink
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.protocol import searching

# Columns of `recency`: slots of the entries used just before and just after, −1 if none.
BEFORE, AFTER = 0, 1
# Places of `ends`: slots of the entries used least and most recently, −1 if none.
LEAST_RECENT, MOST_RECENT = 0, 1


class ReportVariant(NamedTuple):
    """What the programs of the reports do differently from `search_player_kernels.Standard`; 1: yes."""

    new_keys: int  # keys are recomputed for every position, not updated by moves
    all_looked_up: int  # the table is asked for all symmetric positions
    unpruned_only: int  # the table stores only values of positions below which nothing was cut off
    full_root: int  # every move of the root is searched with the full window
    no_ceiling: int  # the search goes on after a move that wins at once
    lru: int  # a full table replaces the least recently used entry
    recency: np.ndarray  # int32 (limit, 2): list of the entries by their last use; (0, 2) without `lru`
    ends: np.ndarray  # int64 (2,): ends of that list
    cuts: np.ndarray  # int64 (1,): positions left before their value was known


def new_recency(limit: int) -> np.ndarray:
    """An uninitialised list for `limit` entries."""
    return np.empty((limit, 2), np.int32)


def new_ends() -> np.ndarray:
    """The ends of an empty list."""
    return np.full(2, -1, np.int64)


# ---- least recently used ----


@njit
def remove_from_list(variant, slot):
    """Remove an entry from the list of entries by last use."""
    recency, ends = variant.recency, variant.ends
    before, after = np.int64(recency[slot, BEFORE]), np.int64(recency[slot, AFTER])
    if before >= 0:
        recency[before, AFTER] = after
    else:
        ends[LEAST_RECENT] = after
    if after >= 0:
        recency[after, BEFORE] = before
    else:
        ends[MOST_RECENT] = before


@njit
def append_to_list(variant, slot):
    """Make an entry the most recently used one."""
    recency, ends = variant.recency, variant.ends
    recency[slot, BEFORE] = ends[MOST_RECENT]
    recency[slot, AFTER] = -1
    if ends[MOST_RECENT] >= 0:
        recency[ends[MOST_RECENT], AFTER] = slot
    else:
        ends[LEAST_RECENT] = slot
    ends[MOST_RECENT] = slot


@njit
def touch(variant, slot):
    """Note the use of an entry."""
    if variant.ends[MOST_RECENT] != slot:
        remove_from_list(variant, slot)
        append_to_list(variant, slot)


@njit
def recent_slot_for(variant, table, key):
    """The linked slot for an entry with this key; a full table replaces its least recently used entry."""
    table = lend(table)
    slot = find_entry(table, key)
    if slot >= 0:
        touch(variant, slot)
        return slot
    slot = table.use[0].stored
    if slot >= len(table.entries):
        slot = variant.ends[LEAST_RECENT]
        unlink(table, slot)
        remove_from_list(variant, slot)
    append_to_list(variant, slot)
    link(table, slot, key)
    return slot


# ---- the variant ----


@key_of.for_class(ReportVariant)
def _key(rules, variant, state, key, move, after):
    if variant.new_keys:
        return protocol.key(rules, after)
    return searching.key_after(rules, state, key, move, after)


@slot_of_image.for_class(ReportVariant)
def _slot_of_image(rules, search, variant, state, depth):
    images = protocol.symmetry_count(rules) if variant.all_looked_up else 1
    for symmetry in range(1, images):
        key = protocol.key(rules, protocol.transform(rules, state, symmetry))
        slot = find_entry(search.table, table_key(rules, search.settings, search.run[0].root_player, state, key))
        if is_valid(search.table.entries, slot, depth):
            return slot
    return np.int64(-1)


@note_use.for_class(ReportVariant)
def _note_use(variant, table, slot):
    if variant.lru:
        touch(variant, slot)


@slot_to_fill.for_class(ReportVariant)
def _slot_to_fill(variant, table, key, depth):
    if variant.lru:
        return recent_slot_for(variant, table, key)
    return slot_for(table, key, depth)


@forget.for_class(ReportVariant)
def _forget(variant, table):
    clear_table(table)
    variant.ends[:] = -1


@note_cut.for_class(ReportVariant)
def _note_cut(variant):
    variant.cuts[0] += 1


@cuts_so_far.for_class(ReportVariant)
def _cuts_so_far(variant):
    return variant.cuts[0]


@bound_to_store.for_class(ReportVariant)
def _bound_to_store(variant, settings, bound, cuts):
    if variant.unpruned_only:
        # If nothing was cut off, the value is exact whatever the window.
        return np.int64(Bound.EXACT) if variant.cuts[0] == cuts else np.int64(-1)
    return usual_bound(variant, settings, bound, cuts)


@narrows_root.for_class(ReportVariant)
def _narrows_root(variant):
    return not variant.full_root


@has_ceiling.for_class(ReportVariant)
def _has_ceiling(variant):
    return not variant.no_ceiling
