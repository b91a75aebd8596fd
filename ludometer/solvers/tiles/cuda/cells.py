"""Sets of cells on a GPU, moved, transformed, packed and ranked with small tables in shared memory (see `tables`).

Look-ups in these tables bound the speed of step 3.  Indices are unsigned and cut to 32 bits, see `rows`.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import cuda
from numba.core import config

from ludometer.solvers.tiles.cuda.layout import GROUPS, PIECE, PIECES, SELECTED
from ludometer.solvers.tiles.cuda.rows import RANKS_HERE, rank_of


def registers(most: int) -> dict[str, int]:
    """Option of `cuda.jit` that limits the registers of a thread to `most`; empty in the simulator."""
    return {} if config.ENABLE_CUDASIM else {"max_registers": most}


@cuda.jit(device=True)
def copy_to(shared, table, first):
    """Fill an array in shared memory with a table from `first` on."""
    for index in range(cuda.threadIdx.x, min(shared.size, table.size - first), cuda.blockDim.x):
        shared[index] = table[first + index]


@cuda.jit(device=True)
def copy_small(small, cut, groups, seen, compress, spread, ranks):
    """Fill the arrays in shared memory that step 3 needs.  Threads must synchronize before they read them."""
    copy_to(groups, small.words, 0)
    copy_to(seen, small.words, GROUPS)
    copy_to(ranks, cut.ranks, 0)
    copy_to(compress, small.bytes, 0)
    copy_to(spread, small.bytes, SELECTED)


@cuda.jit(device=True)
def carried(groups, way, mask):
    """A set of cells after a move or its reverse: some stay, two groups shift."""
    base = np.uint32(np.uint32(way) * np.uint32(4))
    shifts = groups[np.uint32(base + np.uint32(3))]
    five = np.uint32(31)
    image = mask & groups[base]
    image |= ((mask & groups[np.uint32(base + np.uint32(1))]) << (shifts & five)) >> ((shifts >> np.uint32(5)) & five)
    image |= ((mask & groups[np.uint32(base + np.uint32(2))]) << ((shifts >> np.uint32(10)) & five)) >> ((shifts >> np.uint32(15)) & five)
    return image


@cuda.jit(device=True)
def seen_through(seen, symmetry, mask):
    """A set of cells through a symmetry."""
    image = np.uint32(0)
    first = np.uint32(np.uint32(symmetry) * np.uint32(PIECES * PIECE))
    for piece in range(PIECES):
        image |= seen[np.uint32(first + np.uint32(piece * PIECE) + ((mask >> np.uint32(5 * piece)) & np.uint32(31)))]
    return image


@cuda.jit(device=True)
def packed_rank(cut, compress, ranks, selected, mask):
    """The colexicographic rank of the cells of `mask` among the cells `selected`, which are cut into chunks."""
    packed = np.uint32(0)
    places = np.uint32(0)
    for piece in range(PIECES):
        here = np.uint32((selected >> np.uint32(5 * piece)) & np.uint32(31))
        value = compress[np.uint32(here * np.uint32(PIECE) + ((mask >> np.uint32(5 * piece)) & np.uint32(31)))]
        packed |= np.uint32(np.uint32(value) << places)
        places = np.uint32(places + np.uint32(cuda.popc(here)))
    return rank_of(cut, ranks, packed, RANKS_HERE)


@cuda.jit(device=True)
def unpack(spread, selected, value):
    """Spread packed bits over the cells `selected`."""
    mask = np.uint32(0)
    for piece in range(PIECES):
        here = np.uint32((selected >> np.uint32(5 * piece)) & np.uint32(31))
        mask |= np.uint32(spread[np.uint32(here * np.uint32(PIECE) + (value & np.uint32(31)))]) << np.uint32(5 * piece)
        value >>= np.uint32(cuda.popc(here))
    return mask


@cuda.jit(device=True)
def tiles_at(board, place_of, spread, place):
    """(X tiles, O tiles) of an entry."""
    columns = np.uint32(place_of.columns)
    row = place // columns
    x_tiles = np.uint32(board.representatives[place_of.first + row])
    return x_tiles, unpack(spread, board.everything & ~x_tiles, place_of.combinations[place - row * columns])


@cuda.jit(device=True)
def moves_at(board, which, cells):
    """The moves that take one of these cells (TAKEN) or whose tile enters one (ENTERED), as bits."""
    found = np.uint64(0)
    for chunk in range(board.ways.shape[1]):
        found |= board.ways[which, chunk, (cells >> np.uint32(8 * chunk)) & np.uint32(255)]
    return found


@cuda.jit(device=True)
def own_target(board, diagonal, x_tiles, o_tiles, way, groups, seen):
    """(row reached by an own-tile move or its reverse, its free cells, the image of the other tiles there)."""
    x_after = carried(groups, way, x_tiles)
    o_after = carried(groups, way, o_tiles)
    if diagonal:
        x_after, o_after = o_after, x_after
    found = board.orbit[x_after]
    target = found >> np.uint32(3)
    free = board.everything & ~np.uint32(board.representatives[target])
    return target, free, seen_through(seen, found & np.uint32(7), o_after)
