"""A row at a time on a GPU: a move takes all columns of a row, sets of packed cells, to columns of one other row.

Packed cells are cut into chunks (layout.Cut), two of 9 cells or, of more than 18, up to five of 5, for which images and ranks are looked up
in shared memory.  That takes a fourth of the look-ups that single positions take (`cells`), once the tables for the row are made.
Look-ups bound the speed.  Numbers in the innermost loops are unsigned, since an index that may be negative costs Numba a
comparison, and cut to 32 bits, since it adds up in 64.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.solvers.tiles.cuda.layout import MOST_CELLS, NINE

_ONE = np.uint32(1)
_ZERO = np.uint32(0)
_NINE_BITS = np.uint32(NINE - 1)
RANKS_HERE, RANKS_THERE = np.uint32(NINE), np.uint32(2 * NINE)  # where ranks of high chunks begin: of columns, of those with a tile more


@cuda.jit(device=True)
def packed_place(selected, cell):
    """The place of a cell among the cells `selected`."""
    return np.int32(cuda.popc(selected & ((_ONE << cell) - _ONE)))


@cuda.jit(device=True)
def image_of_bits(goes_to, first, cells, at, value):
    """Where the cells go that are set in `value`, packed cells from `at` on; `goes_to` says it of each from `first` on."""
    image = _ZERO
    while value != 0:
        if value & 1 != 0 and at < cells:
            image |= _ONE << np.uint32(goes_to[first + at])
        value >>= 1
        at += 1
    return np.uint32(image)


@cuda.jit(device=True)
def cut_images(cut, cells, goes_to, edge, images, start):
    """Where one edge takes each value of each chunk of the first `cells` packed cells, into `images` from `start` on.

    `goes_to` says it for each edge and single cell.
    """
    first = edge * MOST_CELLS
    if cut.bits == 9:
        for index in range(cuda.threadIdx.x, NINE // 2, cuda.blockDim.x):  # four values each
            at = 9 * (index >> 7)
            image = image_of_bits(goes_to, first, cells, at + 2, index & 127)
            one = image_of_bits(goes_to, first, cells, at, 1)
            two = image_of_bits(goes_to, first, cells, at + 1, 1)
            place = start + 4 * index
            images[place] = image
            images[place + 1] = image | one
            images[place + 2] = image | two
            images[place + 3] = image | one | two
    else:
        for index in range(cuda.threadIdx.x, 32 * cut.chunks, cuda.blockDim.x):
            images[start + index] = image_of_bits(goes_to, first, cells, 5 * (index >> 5), index & 31)


@cuda.jit(device=True)
def image_of(cut, images, start, mask):
    """Where an edge takes a set of packed cells; the images of its chunks stand from `start` on."""
    if cut.bits == 9:
        return np.uint32(images[np.uint32(start + (mask & _NINE_BITS))] | images[np.uint32(start + NINE + (mask >> np.uint32(9)))])
    image = _ZERO
    for chunk in range(cut.chunks):
        image |= images[start + 32 * chunk + np.int32((mask >> np.uint32(5 * chunk)) & np.uint32(31))]
    return np.uint32(image)


@cuda.jit(device=True)
def rank_of(cut, ranks, mask, high):
    """The colexicographic rank of a set of packed cells; `high` is RANKS_HERE or RANKS_THERE (see `tables.nine_ranks`, `five_ranks`)."""
    if cut.bits == 9:
        return np.uint32(np.uint32(ranks[np.uint32(mask & _NINE_BITS)]) + np.uint32(ranks[np.uint32(high + (mask >> np.uint32(9)))]))
    rank = _ZERO
    below = 0
    for chunk in range(cut.chunks):
        part = np.int32((mask >> np.uint32(5 * chunk)) & np.uint32(31))
        rank += np.uint32(ranks[((chunk + 5 * (chunk * (chunk - 1) // 2)) + below) * 32 + part])
        below += cuda.popc(part)
    return np.uint32(rank)
