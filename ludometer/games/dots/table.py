"""A table of Dots-and-Boxes: the points still to be won depend on the drawn edges alone, so it has one entry for each set of edges."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core.bits import U0, Words, popcount
from ludometer.games.dots.rules import DotsState

MOST_EDGES_IN_TABLE = 40
_LOW_EDGES = 5  # sets of edges that differ only in the lowest edges are done together

_WORST = np.int8(-100)  # less than any number of boxes in a table


@njit
def edge_count(rules):
    return rules.rows * (rules.columns + 1) + (rules.rows + 1) * rules.columns


@njit
def position_estimate(rules):
    """Number of states: every set of edges can be drawn."""
    return 2.0 ** edge_count(rules)


@njit
def dense_size(rules):
    """One entry for each set of edges."""
    edges = edge_count(rules)
    return np.int64(1) << np.int64(edges) if edges <= MOST_EDGES_IN_TABLE else np.int64(0)


@njit
def dense_index(rules, state):
    """Bits from the lowest: the upright edges row by row, then the level ones without the gaps at the ends of rows."""
    columns = rules.columns
    index = np.int64(state.vertical[0])
    place = rules.rows * (columns + 1)
    for row in range(rules.rows + 1):
        index |= (np.int64(state.horizontal[0] >> np.uint64(row * (columns + 1))) & ((1 << columns) - 1)) << place
        place += columns
    return index


@njit
def dense_state(rules, index):
    """All closed boxes are the second player's; the first player is to move."""
    columns = rules.columns
    place = rules.rows * (columns + 1)
    vertical = wide(rules.empty, index & ((1 << place) - 1))
    level = 0
    for row in range(rules.rows + 1):
        level |= ((index >> place) & ((1 << columns) - 1)) << (row * (columns + 1))
        place += columns
    return DotsState(wide(rules.empty, level), vertical, rules.empty, U0)


def wide(like: Words, number: int) -> Words:
    """A number as the lowest word of a wide set."""
    return (np.uint64(number), *like[1:])


@overload(wide)
def _wide(like, number):
    return lambda like, number: (np.uint64(number),) + like[1:]


@njit
def sides_beside(rules):
    """For each edge, in the order of `dense_index`, the other three sides of the one or two boxes beside it (-1: no box)."""
    rows, columns = rules.rows, rules.columns
    first_level = rows * (columns + 1)
    others = np.full((edge_count(rules), 2), -1, np.int64)
    for row in range(rows):
        for column in range(columns):
            left = row * (columns + 1) + column
            upper = first_level + row * columns + column
            around = (left, left + 1, upper, upper + columns)
            box = (1 << around[0]) | (1 << around[1]) | (1 << around[2]) | (1 << around[3])
            for edge in around:
                others[edge, 0 if others[edge, 0] < 0 else 1] = box ^ (1 << edge)
    return others


@njit
def dense_fill(rules, values, begin, end):
    """Sets of edges that differ in the lowest few only lie side by side, and so do those with one more of the other edges."""
    edges = edge_count(rules)
    low = min(_LOW_EDGES, edges)
    size = 1 << low
    others = sides_beside(rules)
    best = np.empty(size, np.int8)
    for base in range(end - size, begin - 1, -size):
        best[:] = _WORST
        for edge in range(low, edges):
            if not base >> edge & 1:
                more = base | (1 << edge)
                gain_by_edge(best, values[more : more + size], others[edge, 0], others[edge, 1], base)
        for place in range(size - 1, -1, -1):
            drawn = base + place
            value = np.int64(best[place])
            for edge in range(low):
                if not place >> edge & 1:
                    after = np.int64(values[drawn | (1 << edge)])
                    won = 0
                    for side in range(2):
                        won += np.int64(others[edge, side] >= 0 and drawn & others[edge, side] == others[edge, side])
                    value = max(value, won + after if won > 0 else -after)
            values[drawn] = value if drawn + 1 < values.size else 0


@njit
def gain_by_edge(best, after, box, other_box, base):
    """Raise `best` to the value of drawing one edge, for all sets of edges base, base + 1, …  `after`: values with this edge drawn."""
    size = best.size
    low = size - 1
    closes = np.int8(box >= 0 and (box & ~low) & ~base == 0)
    closes_other = np.int8(other_box >= 0 and (other_box & ~low) & ~base == 0)
    if closes == 0 and closes_other == 0:
        for place in range(size):
            best[place] = max(best[place], np.int8(-after[place]))
        return
    needed = np.uint8(box & low)
    needed_other = np.uint8(other_box & low)
    for place in range(size):
        drawn = np.uint8(place)
        won = np.int8(0)
        if drawn & needed == needed:
            won += closes
        if drawn & needed_other == needed_other:
            won += closes_other
        value = np.int8(won + after[place]) if won > 0 else np.int8(-after[place])
        best[place] = max(best[place], value)


@njit
def dense_moves(rules, index):
    return popcount(np.uint64(index))
