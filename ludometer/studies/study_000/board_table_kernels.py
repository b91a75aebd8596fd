"""The table of the study's tree search, compiled: visits and points by key.

An *entry* holds the visits and points of one board, state or node (see `Shared`).

    places      hash table: number of an entry + 1, or 0
    entries     in the order in which they were made; the entry of an unvisited child has no visits
    block       entries of the distinct children of one state, each with the lowest move that leads there; listed on the first visit

Memory latency dominates an iteration.  So counts are stored apart from rarely used fields, children listed together are adjacent, and
places and entries are prefetched as soon as a key is known.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined
from ludometer.core.compiling.dispatch import chosen_by_type
from ludometer.core.compiling.leaves import mix_leaves
from ludometer.core.compiling.prefetching import prefetch
from ludometer.core.protocol import tiling
from ludometer.core.random import draw


class Shared(IntEnum):
    """What has one entry."""

    NODES = 0  # a sequence of moves
    STATES = 1
    BOARDS = 2  # a board from the side of the player to move


UNLISTED = -1  # in `BLOCK.first`: the children have not been listed yet
LONGEST = 10_000  # positions of an iteration at most: selection can cycle in games with repetition
LISTED_PER_ENTRY = 2  # capacity of `listed`, per entry

_U1 = np.uint64(1)
_KEY_START = np.uint64(0x9E3779B97F4A7C15)
_FIRST_PLACES = 2**10  # places in use at first

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("visits", np.int32),  # iterations counted; 0: unvisited
        ("points", np.int32),  # of the player to move, 2 for a win, 1 for a draw
    ],
    align=True,
)
BLOCK = np.dtype(
    {
        "names": [
            "first",  # place of the first child in `listed`, or UNLISTED
            "children",  # number of children; negative once all of them are visited
            "listed_by",  # `first` of the block that listed this entry last
        ],
        "formats": [np.int32, np.int32, np.int32],
        "itemsize": 16,  # none straddles two cache lines
    }
)
CHILD = np.dtype([("entry", np.int32), ("move", np.int32), ("turned", np.int32)])  # turned 1: the other player is to move there
PLACES_PER_ENTRY = 4  # at most: half of the places in use are free, and their number is a power of two
BYTES_PER_ENTRY = ENTRY.itemsize + BLOCK.itemsize + LISTED_PER_ENTRY * CHILD.itemsize + PLACES_PER_ENTRY * 4

USE = np.dtype([("mask", np.uint64), ("entries", np.int64), ("listed", np.int64), ("path", np.uint64)])


class BoardTable(NamedTuple):
    """Statistics of a search, and its scratch buffers."""

    places: np.ndarray  # int32, a power of two: the first mask + 1 are in use
    entries: np.ndarray  # ENTRY
    blocks: np.ndarray  # BLOCK: of each entry
    listed: np.ndarray  # CHILD: all blocks, one after the other
    use: np.ndarray  # USE (1,): mask, number of entries and of listed children; path: key of the node the game has reached
    way: np.ndarray  # int32 (LONGEST,): entries on the path of the iteration
    keys: np.ndarray  # uint64 (LONGEST or more): keys of the states of the playout; before that, of the children being listed
    movers: np.ndarray  # int8 (LONGEST,): players to move on the path and in the playout
    bounds: np.ndarray  # float64 (move_bound,): scratch


def empty_table(entries: int, moves: int) -> BoardTable:
    """A table for at most `entries` entries.  The operating system provides the memory as the table grows into it."""
    places = 1 << max(_FIRST_PLACES.bit_length() - 1, (2 * entries - 1).bit_length())
    return BoardTable(
        places=np.zeros(places, np.int32),
        entries=np.empty(entries, ENTRY),
        blocks=np.empty(entries, BLOCK),
        listed=np.empty(LISTED_PER_ENTRY * entries, CHILD),
        use=np.zeros(1, USE),
        way=np.empty(LONGEST, np.int32),
        keys=np.empty(max(LONGEST, moves), np.uint64),
        movers=np.empty(LONGEST, np.int8),
        bounds=np.empty(moves),
    )


# ---- keys ----


@njit
def key_below(key, move):
    """The key of the node to which a move leads from the node with this key."""
    return draw(key, np.uint64(move) + _U1)


@njit
def _key_of_tiles(rules, state):
    mover, other = tiling.tiles_of_state(rules, state)
    return mix_leaves((mover, other), _KEY_START)


@njit
def _key_with_turn(rules, state):
    return protocol.key(rules, state)


def _board_key(rules, state):
    """Hash of a tile game's board from the side of the player to move; in other games the key of the state."""


board_key = chosen_by_type(
    _board_key,
    lambda rules_class: (
        _key_with_turn
        if tiling.TILES.implementation(rules_class, "tiles_of_state") is tiling.TILES.fallbacks["tiles_of_state"]
        else _key_of_tiles
    ),
)


@njit
def key_of_state(rules, shared, state):
    """The key of a state's entry; with `Shared.NODES`, of the root's."""
    return board_key(rules, state) if shared == Shared.BOARDS else protocol.key(rules, state)


@njit
def key_of_child(rules, shared, state, parent_key, move):
    """The key of the entry of the state that this move led to."""
    return key_below(parent_key, move) if shared == Shared.NODES else key_of_state(rules, shared, state)


# ---- entries ----


@njit
def clear(table, path):
    """Remove all entries and make the root's, with key `path`."""
    use = table.use[0]
    places = np.int64(use.mask) + 1
    table.places[:places] = 0
    while places > 8 * use.entries and places > _FIRST_PLACES:
        places //= 2  # sized for a search of about as many entries as the last one
    use.mask = np.uint64(max(_FIRST_PLACES, places) - 1)
    use.entries = use.listed = 0
    use.path = path
    entry_of(table, path)


@inlined
def prefetch_place(table, key):
    """Prefetch the place where the probe for this key begins."""
    prefetch(table.places, key & table.use[0].mask)


@inlined
def prefetch_entry(table, key):
    """Prefetch the entry that the probe for this key sees first, or the next new one; returns its number."""
    number = np.int64(table.places[key & table.use[0].mask])
    number = number - 1 if number > 0 else np.int64(table.use[0].entries)
    prefetch(table.entries, number)
    return number


@inlined
def entry_of(table, key):
    """The entry with this key, a new one if there is none; −1 if the table is full."""
    use = table.use[0]
    place = key & use.mask
    while table.places[place] != 0:
        found = np.int64(table.places[place]) - 1
        if table.entries[found].key == key:
            return found
        place = (place + _U1) & use.mask
    made = use.entries
    if made == len(table.entries):
        return np.int64(-1)
    use.entries += 1
    table.places[place] = use.entries
    entry = table.entries[made]
    entry.key = key
    entry.visits = 0
    entry.points = 0
    block = table.blocks[made]
    block.first = UNLISTED
    block.children = 0
    block.listed_by = UNLISTED
    if 2 * use.entries > np.int64(use.mask):
        double_places(table)
    return made


@njit
def double_places(table):
    """Rehash into twice as many places."""
    use = table.use[0]
    places = 2 * (np.int64(use.mask) + 1)
    use.mask = np.uint64(places - 1)
    table.places[:places] = 0
    for number in range(use.entries):
        place = table.entries[number].key & use.mask
        while table.places[place] != 0:
            place = (place + _U1) & use.mask
        table.places[place] = number + 1


# ---- children ----


@inlined
def list_children(rules, table, shared, state, entry, buffer):
    """List the distinct children of an entry, each with the lowest move that leads there; False if the table is full."""
    use = table.use[0]
    count = protocol.legal_moves(rules, state, buffer)
    if use.listed + count > len(table.listed) or use.entries + count > len(table.entries):
        return False
    first = use.listed
    here_key = table.entries[entry].key
    player = protocol.turn(rules, state)
    for number in range(count):
        move = np.int64(buffer[number])
        after = protocol.play(rules, state, move)
        table.keys[number] = key_of_child(rules, shared, after, here_key, move)
        prefetch_place(table, table.keys[number])
        table.listed[first + number].move = move
        table.listed[first + number].turned = protocol.turn(rules, after) != player
    for number in range(count):
        prefetch(table.blocks, prefetch_entry(table, table.keys[number]))
    for number in range(count):
        child = entry_of(table, table.keys[number])
        if table.blocks[child].listed_by != first:
            table.blocks[child].listed_by = first
            table.listed[use.listed].entry = child
            table.listed[use.listed].move = table.listed[first + number].move
            table.listed[use.listed].turned = table.listed[first + number].turned
            use.listed += 1
    table.blocks[entry].first = first
    table.blocks[entry].children = use.listed - first
    return True


@inlined
def count_unvisited(table, entry):
    """Number of unvisited children; a count of 0 is final and noted in the block."""
    first = np.int64(table.blocks[entry].first)
    count = 0
    for place in range(first, first + table.blocks[entry].children):
        count += np.int64(table.entries[table.listed[place].entry].visits == 0)
    if count == 0:
        table.blocks[entry].children = -table.blocks[entry].children
    return count


@inlined
def nth_unvisited(table, entry, number):
    """The place in `listed` of unvisited child `number`, counted from 0."""
    place = np.int64(table.blocks[entry].first)
    while True:
        if table.entries[table.listed[place].entry].visits == 0:
            if number == 0:
                return place
            number -= 1
        place += 1
