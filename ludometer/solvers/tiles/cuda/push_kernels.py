"""Step 3 of retrograde analysis (see `tiles.kernels`) on a GPU, second half: the wins before positions that are lost.

A lost position has about 14 moves back, each to another entry.  Distances grow, so the first win entered is the nearest, and most moves
back change nothing.  A bit for each entry (`settled`) says so, so that the entry itself is read and written once.  Look-ups in shared
memory then bound the speed.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.solvers.tiles.codes import LOSS_BASE, LOSS_IN_1, UNDECIDED, WIN_IN_1
from ludometer.solvers.tiles.cuda.cells import copy_small, moves_at, own_target, packed_rank, seen_through, tiles_at
from ludometer.solvers.tiles.cuda.layout import ENTERED, GROUPS, RANKS, SEEN, SELECTED, SYMMETRIES
from ludometer.solvers.tiles.pairs import X_TO_MOVE


@cuda.jit
def clear(settled):
    """Set all marks to 0."""
    place = cuda.grid(1)
    while place < settled.size:
        settled[place] = 0
        place += cuda.gridsize(1)


@cuda.jit(device=True)
def lower(codes, settled, place, code):
    """Enter a win, unless there is a nearer one; either way the entry is settled.

    Several threads may mark entries of one byte at a time, and one of the marks be lost: then the entry is looked at once more.
    """
    bits = settled[place >> np.uint32(3)]
    bit = np.uint8(1 << (place & np.uint32(7)))
    if bits & bit != 0:
        return False
    settled[place >> np.uint32(3)] = np.uint8(bits | bit)
    old = codes[place]
    if old == UNDECIDED or (old > code and old != LOSS_BASE):  # not a nearer win, not a finished game
        codes[place] = code
    return True


@cuda.jit(device=True)
def lower_twins(codes, settled, base, x_tiles, free, o_tiles, code, cut, seen, compress, ranks):
    """The same for the images of a position through the symmetries that leave its X tiles where they are."""
    for symmetry in range(1, SYMMETRIES):
        if seen_through(seen, symmetry, x_tiles) == x_tiles:
            twin = seen_through(seen, symmetry, o_tiles)
            lower(codes, settled, np.uint32(base + packed_rank(cut, compress, ranks, free, twin)), code)


@cuda.jit
def push_wins(board, small, place_of, lost, counters, which, loss, replies, settled, trouble):
    """Step 3, second half, a thread per lost position: what reaches it by moving an own tile is won a move later.

    `counters[which]` is the length of `lost`; `settled` belongs to the table `replies`; `trouble[0]` is set if a win in 2 turned up, which
    has no code.
    """
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(RANKS, np.uint16)
    copy_small(small, place_of.cut, groups, seen, compress, spread, ranks)
    cuda.syncthreads()
    item = cuda.grid(1)
    stride = cuda.gridsize(1)
    win = np.uint8(WIN_IN_1 if loss <= LOSS_IN_1 else loss - 127)  # codes.win_before
    while item < counters[which]:
        x_tiles, o_tiles = tiles_at(board, place_of, spread, np.uint32(lost[item]))
        waiting = moves_at(board, ENTERED, o_tiles if place_of.side == X_TO_MOVE else x_tiles)
        while waiting != 0:
            move = np.int32(cuda.ffs(waiting)) - 1
            waiting &= waiting - np.uint64(1)
            target, free, image = own_target(board, place_of.diagonal, x_tiles, o_tiles, board.moves + move, groups, seen)
            base = np.uint32((np.int64(target) - place_of.first) * place_of.columns)
            before = np.uint32(base + packed_rank(place_of.cut, compress, ranks, free, image))
            if loss == LOSS_IN_1:
                old = replies[before]
                if old == UNDECIDED or (old > WIN_IN_1 and old != LOSS_BASE):
                    trouble[0] = 1  # a win in 2
                continue
            if lower(replies, settled, before, win) and board.weight[target] != SYMMETRIES:
                lower_twins(replies, settled, base, board.everything & ~free, free, image, win, place_of.cut, seen, compress, ranks)
        item += stride
