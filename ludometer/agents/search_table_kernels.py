"""How a search uses its transposition table, compiled: keys, look-ups and entries.

The functions with `variant` are those in which the variants of a search differ; see `search_player_kernels.Standard`.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.search_choices import Algorithm, Bound, Cache, NodeKind, Order, Symmetry
from ludometer.agents.search_player_kernels import MOST_CLAIMED
from ludometer.agents.transposition_kernels import clear_table, find_entry, slot_for
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.dispatch import family
from ludometer.core.protocol import searching


class Node(NamedTuple):
    """A position in the search tree."""

    depth: int  # plies left to the horizon
    ply: int  # plies from the root
    key: np.uint64  # of the position; 0 without a table
    place: int  # in the trace, or −1


class Window(NamedTuple):
    """The search window: values outside need not be exact."""

    alpha: float
    beta: float


class Result(NamedTuple):
    """What a search has found of a position."""

    value: float
    bound: int  # search_choices.Bound
    whole: int  # 1: searched to the end of the game


# ---- variants ----


def _updated_key(rules, variant, state, key, move, after):
    return searching.key_after(rules, state, key, move, after)


@family(by="variant", fallback=_updated_key)
def key_of(rules, variant, state, key, move, after):
    """The key of `after`, to which a move leads from a state with this key.  Fallback: updated by the move."""


def _no_image(rules, search, variant, state, depth):
    return np.int64(-1)


@family(by="variant", fallback=_no_image)
def slot_of_image(rules, search, variant, state, depth):
    """The slot of a symmetric position that is valid at this depth, or −1.  Fallback: −1."""


def _nothing_to_note(variant, table, slot):
    pass


@family(by="variant", fallback=_nothing_to_note)
def note_use(variant, table, slot):
    """Called when an entry answers a look-up or narrows its window.  Fallback: nothing."""


def _usual_slot(variant, table, key, depth):
    return slot_for(table, key, depth)


@family(by="variant", fallback=_usual_slot)
def slot_to_fill(variant, table, key, depth):
    """The slot for an entry with this key, or −1 if it is not stored.  Fallback: by the table's replacement."""


def _clear(variant, table):
    clear_table(table)


@family(by="variant", fallback=_clear)
def forget(variant, table):
    """Remove all entries.  Fallback: from the table alone."""


def _no_count(variant):
    pass


@family(by="variant", fallback=_no_count)
def note_cut(variant):
    """Called when a position is left before its value is known.  Fallback: nothing."""


def _zero(variant):
    return np.int64(0)


@family(by="variant", fallback=_zero)
def cuts_so_far(variant):
    """Number of calls of `note_cut`.  Fallback: 0."""


@njit
def usual_bound(variant, settings, bound, cuts):
    """The bound to store for tables of exact values or of bounds."""
    if bound == Bound.EXACT or settings.cache != Cache.EXACT or settings.order == Order.HISTORY:
        return np.int64(bound)
    return np.int64(-1)


@family(by="variant", fallback=usual_bound)
def bound_to_store(variant, settings, bound, cuts):
    """The bound with which a result is stored, or −1 if it is not; `cuts` is `cuts_so_far` before the position was searched.

    Fallback: exact values are stored always, bounds unless the table is for exact values.
    """


# ---- scales ----


@njit
def from_here(settings, value, ply):
    """Convert a value on the root's scale to one in which wins are counted from the position itself."""
    if settings.early and not settings.by_margin:
        if value > MOST_CLAIMED:
            return value + ply
        if value < -MOST_CLAIMED:
            return value - ply
    return value


@njit
def from_root(settings, value, ply):
    """The inverse of `from_here`."""
    if settings.early and not settings.by_margin:
        if value > MOST_CLAIMED:
            return value - ply
        if value < -MOST_CLAIMED:
            return value + ply
    return value


# ---- look-ups and entries ----


@njit
def table_key(rules, settings, root_player, state, key):
    """The key of a position in the table: its own, or the smallest of its symmetric positions."""
    if settings.symmetry == Symmetry.CANONICAL:
        for symmetry in range(1, protocol.symmetry_count(rules)):
            key = min(key, protocol.key(rules, protocol.transform(rules, state, symmetry)))
    # Values of expectimax depend on who moves at the root.
    return ~key if settings.algorithm == Algorithm.EXPECTIMAX and root_player else key


@inlined
def is_valid(entries, slot, depth):
    """True if there is an entry and it holds at this depth: it has the same depth, or was searched to the end of the game."""
    return slot >= 0 and (entries[slot].depth == depth or (entries[slot].whole != 0 and entries[slot].depth < depth))


@inlined
def look_up(rules, search, state, known, node, window):
    """(True if the table answers, its answer, the window); an entry that is only a bound may narrow the window.

    The root is always searched: a value alone would not say which move to make.
    """
    settings, run, entries = search.settings, search.run[0], search.table.entries
    if settings.cache == Cache.NONE or node.ply == 0:
        return False, 0.0, window
    slot = find_entry(search.table, known)
    if not is_valid(entries, slot, node.depth):
        slot = np.int64(slot_of_image(rules, search, search.variant, state, node.depth))
        if slot < 0:
            return False, 0.0, window
    note_use(search.variant, search.table, slot)
    value = from_root(settings, entries[slot].value, node.ply)
    bound = entries[slot].bound
    if bound != Bound.EXACT and settings.cache != Cache.BOUNDS:
        return False, 0.0, window
    # The result depends on the depth if the entry did, even if the entry is only a bound.
    run.horizon += np.int64(entries[slot].whole == 0)
    if bound == Bound.EXACT or (bound == Bound.LOWER and value >= window.beta) or (bound == Bound.UPPER and value <= window.alpha):
        run.hits += 1
        if node.place >= 0:
            search.trace[node.place].kind = NodeKind.REMEMBERED
            search.trace[node.place].bound = bound
        return True, value, window
    if bound == Bound.LOWER:
        return False, 0.0, Window(max(window.alpha, value), window.beta)
    return False, 0.0, Window(window.alpha, min(window.beta, value))


@inlined
def remember(rules, search, state, known, node, result):
    """Store a position under this key and, with `Symmetry.ALL`, under those of all symmetric positions."""
    table, settings = lend(search.table), search.settings
    images = protocol.symmetry_count(rules) if settings.symmetry == Symmetry.ALL else 1
    for symmetry in range(images):
        key = known
        if symmetry > 0:
            image = protocol.key(rules, protocol.transform(rules, state, symmetry))
            key = table_key(rules, settings, search.run[0].root_player, state, image)
        slot = np.int64(slot_to_fill(search.variant, table, key, node.depth))
        if slot >= 0:
            entry = table.entries[slot]
            entry.value = from_here(settings, result.value, node.ply)
            entry.depth = node.depth
            entry.bound = result.bound
            entry.whole = result.whole
