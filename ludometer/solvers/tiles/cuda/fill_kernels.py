"""Steps 1 and 2 of retrograde analysis (see `tiles.kernels`) on a GPU: finished positions, and successors with one tile more.

Step 2, the bulk of the work, gives a block a row and goes through the moves that take a blank, one after the other.  All columns of the row
that allow a move lead to one row of the further table, each to a different entry.  So the block reads that row from front to
back and finds, for each entry there, the column it comes from: a column is a set of packed cells, cut into chunks, and each chunk's
image under the move is looked up in shared memory.  The best successor of a column so far is one byte in shared memory, its rank:

    1 … 127      all won for the opponent, the farthest of these wins
    128          one is drawn
    129 … 252    one is lost for the opponent: a win, 255 − rank is its code
    253          one is lost in exactly 1 move: a win in 2, which has no code, unless a move of an own tile wins at once
    254          one is lost already: a win in 1
    255          the value is known already

A better successor has a higher rank, so a column takes the highest.

While step 2 runs, a position that may be lost holds the code of the loss its bound allows; `loss_kernels.collect` turns these into a list.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import cuda, uint8

from ludometer.core import protocol
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.codes import LOSS_BASE, NO_CODE, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.cuda.cells import carried, copy_to, registers, unpack
from ludometer.solvers.tiles.cuda.layout import IMAGES, MOST_CELLS, MOST_MOVES, PLACES, RANKS, SELECTED, TWO_IMAGES, Edges
from ludometer.solvers.tiles.cuda.rows import RANKS_HERE, RANKS_THERE, cut_images, image_of, packed_place, rank_of
from ludometer.solvers.tiles.pairs import O_TO_MOVE, X_TO_MOVE

_ONE = np.uint32(1)
_DRAWN, _LOST_IN_1, _WON_IN_1, _KNOWN = 128, 253, 254, 255  # ranks


@cuda.jit(device=True)
def code_at_once(outcome):
    """The code of a position that is finished, else UNDECIDED."""
    if outcome == ONGOING:
        return np.uint8(UNDECIDED)
    if outcome == WIN:
        return np.uint8(WIN_BASE)
    return np.uint8(LOSS_BASE) if outcome == LOSS else np.uint8(SAFE)


@cuda.jit
def finish(rules, board, small, place_of, x_codes, o_codes):
    """Step 1, a thread per entry: the value of finished positions, X to move and O to move; of a diagonal pair both tables are one."""
    spread = cuda.shared.array(SELECTED, np.uint8)
    copy_to(spread, small.bytes, SELECTED)
    cuda.syncthreads()
    columns = np.uint32(place_of.columns)
    place = cuda.grid(1)
    stride = cuda.gridsize(1)
    while place < x_codes.size:
        row = np.uint32(place) // columns
        x_tiles = np.uint32(board.representatives[place_of.first + row])
        o_tiles = unpack(spread, board.everything & ~x_tiles, place_of.combinations[np.uint32(place) - row * columns])
        x_codes[place] = code_at_once(protocol.outcome(rules, tiling.state_of_tiles(rules, np.uint64(x_tiles), np.uint64(o_tiles))))
        if not place_of.diagonal:
            o_codes[place] = code_at_once(protocol.outcome(rules, tiling.state_of_tiles(rules, np.uint64(o_tiles), np.uint64(x_tiles))))
        place += stride


@cuda.jit(device=True)
def list_edges(board, moves, place, target, x_tiles, edges):
    """Where the moves that take no X tile of a row lead, one thread each, into `edges` (Edges)."""
    free = board.everything & ~x_tiles
    for edge in range(cuda.threadIdx.x, edges.number[0], cuda.blockDim.x):
        move = edges.move[edge]
        moved = carried(moves.groups, move, x_tiles)
        if place.side == X_TO_MOVE:
            moved |= _ONE << np.uint32(moves.entered[move])
        found = board.orbit[moved]
        row = found >> np.uint32(3)
        symmetry = np.int32(found & np.uint32(7))
        target_free = board.everything & ~np.uint32(board.representatives[row])
        edges.symmetry[edge] = symmetry
        edges.free[edge] = target_free
        edges.base[edge] = np.uint32((np.int64(row) - target.first) * target.columns)
        edges.taken[edge] = packed_place(free, np.uint32(moves.taken[move]))
        edges.new[edge] = MOST_CELLS
        if place.side == O_TO_MOVE:
            edges.new[edge] = packed_place(target_free, np.uint32(moves.after[move, symmetry, moves.taken[move]]))


@cuda.jit(device=True)
def list_origins(board, moves, x_tiles, edges, comes_from):
    """For each edge and each packed cell of the further row but that of a new O tile: the packed cell here that its content comes from."""
    free = board.everything & ~x_tiles
    for index in range(cuda.threadIdx.x, edges.number[0] * MOST_CELLS, cuda.blockDim.x):
        edge = index // MOST_CELLS
        cell = np.uint32(index - edge * MOST_CELLS)
        at = packed_place(free, cell)
        if (free >> cell) & _ONE != 0 and at != edges.taken[edge]:
            to = packed_place(edges.free[edge], np.uint32(moves.after[edges.move[edge], edges.symmetry[edge], cell]))
            comes_from[edge * MOST_CELLS + to - np.int32(to > edges.new[edge])] = at


@cuda.jit(device=True)
def take_edge(place, target, known, images, start, ranks, base, new):
    """Go through the entries that one edge leads to: columns take the higher rank."""
    low = np.uint32((_ONE << np.uint32(new)) - _ONE)
    number = np.uint32(cuda.threadIdx.x)
    while number < np.uint32(target.number):
        mask = np.uint32(target.combinations[number])
        where = np.uint32(base + number)
        if place.side == O_TO_MOVE:
            with_new = np.uint32((mask & low) | (low + _ONE) | ((mask & ~low) << _ONE))
            where = np.uint32(base + rank_of(place.cut, ranks, with_new, RANKS_THERE))
        code = np.int32(target.codes[where])
        column = rank_of(place.cut, ranks, image_of(place.cut, images, start, mask), RANKS_HERE)
        rank = code
        if code >= LOSS_BASE:
            rank = _WON_IN_1 + LOSS_BASE - code
        elif code == UNDECIDED:
            rank = _DRAWN
        if rank > known[column]:
            known[column] = rank
        number = np.uint32(number + np.uint32(cuda.blockDim.x))


@cuda.jit(device=True)
def code_of(rank):
    """The code of a column with this rank of its successors."""
    if rank < _DRAWN:
        return np.uint8(LOSS_BASE + rank)  # codes.loss_before
    if rank == _DRAWN:
        return np.uint8(SAFE)
    if rank == _LOST_IN_1:
        return np.uint8(NO_CODE)
    if rank == _WON_IN_1:
        return np.uint8(WIN_IN_1)
    return np.uint8(255 - rank)  # codes.win_before


@cuda.jit(**registers(40))  # so that more blocks are at work at a time; measured
def fill(board, moves, place, target, codes):
    """Step 2, a block per row."""
    known = cuda.shared.array(0, uint8)  # as large as the launch says: a byte for each column
    images = cuda.shared.array(TWO_IMAGES, np.uint32)
    ranks = cuda.shared.array(RANKS, np.uint16)
    comes_from = cuda.shared.array(PLACES, np.uint8)
    edge_move = cuda.shared.array(MOST_MOVES, np.int32)
    edge_symmetry = cuda.shared.array(MOST_MOVES, np.int32)
    edge_free = cuda.shared.array(MOST_MOVES, np.uint32)
    edge_base = cuda.shared.array(MOST_MOVES, np.uint32)
    edge_taken = cuda.shared.array(MOST_MOVES, np.int32)
    edge_new = cuda.shared.array(MOST_MOVES, np.int32)
    edge_number = cuda.shared.array(1, np.int32)
    edges = Edges(edge_move, edge_symmetry, edge_free, edge_base, edge_taken, edge_new, edge_number)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    for index in range(thread, place.cut.ranks.size, threads):
        ranks[index] = place.cut.ranks[index]
    row = cuda.blockIdx.x
    while row < place.rows:
        x_tiles = np.uint32(board.representatives[place.first + row])
        first = np.int64(row) * place.columns
        if thread == 0:
            count = 0
            for move in range(board.moves):
                if (x_tiles >> np.uint32(moves.taken[move])) & _ONE == 0:
                    edge_move[count] = move
                    count += 1
            edge_number[0] = count
        for column in range(thread, place.columns, threads):
            known[column] = WIN_BASE if codes[first + column] == UNDECIDED else _KNOWN
        cuda.syncthreads()
        list_edges(board, moves, place, target, x_tiles, edges)
        cuda.syncthreads()
        list_origins(board, moves, x_tiles, edges, comes_from)
        cuda.syncthreads()
        for edge in range(edge_number[0]):
            start = np.uint32((edge & 1) * IMAGES)
            cut_images(place.cut, place.cut.length - 1, comes_from, edge, images, start)
            cuda.syncthreads()  # all threads have finished the edge before
            take_edge(place, target, known, images, start, ranks, edge_base[edge], edge_new[edge])
        cuda.syncthreads()
        for column in range(thread, place.columns, threads):
            rank = np.int32(known[column])
            if rank != _KNOWN:
                codes[first + column] = code_of(rank)
        cuda.syncthreads()
        row += cuda.gridDim.x
