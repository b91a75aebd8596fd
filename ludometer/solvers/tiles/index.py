"""Where a position of a tile game stands in its table, computed plainly from the game's own functions.

The solver finds entries by large look-up tables (`lookup`).  Here the same numbers come from the definition alone: try every
symmetry, search the row, count the column.  Probing uses this because it needs no preparation, verification because it
shares nothing with the solver.

A column is a colexicographic rank: sets of k cells are compared by their largest cell, then the next largest; the rank of the set
c₁ < … < cₖ is C(c₁, 1) + … + C(cₖ, k), the number of sets before it (docs/tables.md explains why).
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0, U1, lowest_bit, popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.binomials import WAYS


class Rows(NamedTuple):
    """The rows of all tables: sets of X tiles up to symmetry, each named by its least image."""

    representatives: np.ndarray  # (rows of all sizes,) uint32, ascending among those of one size
    first_row: np.ndarray  # (cells + 2,) int64: where the representatives with a tiles begin


@njit
def sides(rules, state):
    """(X tiles, O tiles): X is the side with more tiles, the player to move if both have the same number."""
    mover, other = tiling.tiles_of_state(rules, state)
    if popcount(mover) >= popcount(other):
        return mover, other
    return other, mover


@njit
def least_image(rules, state):
    """(X tiles, O tiles) of the image whose X tiles are the least number; of several such images the first."""
    best_x, best_o = sides(rules, state)
    for symmetry in range(1, protocol.symmetry_count(rules)):
        x_tiles, o_tiles = sides(rules, protocol.transform(rules, state, symmetry))
        if x_tiles < best_x:
            best_x, best_o = x_tiles, o_tiles
    return best_x, best_o


@njit
def column_of(cells, x_tiles, o_tiles):
    """The colexicographic rank of the O tiles among the cells without X tiles."""
    rank, free, seen = np.int64(0), 0, 0
    for cell in range(cells):
        bit = U1 << np.uint64(cell)
        if x_tiles & bit != U0:
            continue
        if o_tiles & bit != U0:
            seen += 1
            rank += WAYS[free, seen]
        free += 1
    return rank


@njit
def o_tiles_of(cells, x_tiles, count, column):
    """The O tiles of a column, given their number: the inverse of `column_of`."""
    o_tiles = U0
    free = cells - popcount(x_tiles)
    for cell in range(cells - 1, -1, -1):
        bit = U1 << np.uint64(cell)
        if x_tiles & bit != U0:
            continue
        free -= 1
        if count > 0 and WAYS[free, count] <= column:
            column -= WAYS[free, count]
            count -= 1
            o_tiles |= bit
    return o_tiles


@njit
def row_of(representatives, begin, end, x_tiles):
    """The place of `x_tiles` in the ascending representatives[begin:end], counted from `begin`."""
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if np.uint64(representatives[middle]) < x_tiles:
            low = middle + 1
        else:
            high = middle
    return low - begin


@njit
def entry_of(rules, state, rows):
    """The entry of a state in the table of its class."""
    cells = tiling.tile_cells(rules)
    x_tiles, o_tiles = least_image(rules, state)
    more = popcount(x_tiles)
    columns = WAYS[cells - more, popcount(o_tiles)]
    row = row_of(rows.representatives, rows.first_row[more], rows.first_row[more + 1], x_tiles)
    return row * columns + column_of(cells, x_tiles, o_tiles)


@kernel
def locate(rules, state, rows):
    """(tiles of the mover, tiles of the other, entry) of a state; the two numbers name its class."""
    mover, other = tiling.tiles_of_state(rules, state)
    return popcount(mover), popcount(other), entry_of(rules, state, rows)


@kernel
def locate_successors(rules, state, rows, moves, places):
    """Where the state itself and the states after its legal moves stand: one call for all that a probe looks up.

    `moves` gets the legal moves.  Row 0 of `places` (1 + legal moves, 4) gets `locate` of the state and whether the game is over
    there, row 1 + i the same of the state after move i.  Returns how many moves there are.
    """
    count = protocol.legal_moves(rules, state, moves)
    for number in range(count + 1):
        seen = state if number == 0 else protocol.play(rules, state, np.int64(moves[number - 1]))
        mover, other = tiling.tiles_of_state(rules, seen)
        places[number, 0] = popcount(mover)
        places[number, 1] = popcount(other)
        places[number, 2] = entry_of(rules, seen, rows)
        places[number, 3] = np.int64(protocol.outcome(rules, seen) != ONGOING)
    return count


@kernel
def image_of_cell(rules, cell, symmetry):
    """The cell where a single tile is seen through a symmetry."""
    state = tiling.state_of_tiles(rules, U1 << np.uint64(cell), U0)
    tiles, _ = tiling.tiles_of_state(rules, protocol.transform(rules, state, symmetry))
    return lowest_bit(tiles)


@kernel
def state_with_tiles(rules, mover, other):
    """The state with these tiles."""
    return tiling.state_of_tiles(rules, mover, other)
