"""Steps 1 and 2 of retrograde analysis (see `tiles.kernels`) on a GPU: finished positions, and successors with one tile more.

Step 2, the bulk of the work, gives a block a row and first builds, in shared memory, the way every move changes a column:
a column is a set of at most 25 packed cells, cut into chunks, and each chunk's image under each move is looked up.

While step 2 runs, a position that may be lost holds the code of the loss its bound allows; `loss_kernels.collect` turns these into a list.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.core import protocol, tiling
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.solve.tiles.codes import LOSS_BASE, LOSS_IN_1, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solve.tiles.cuda.cells import carried, copy_to, unpack
from ludometer.solve.tiles.cuda.layout import MOST_CELLS, MOST_MOVES, PERMUTED, PLACES, RANKS, SELECTED, Edges
from ludometer.solve.tiles.pairs import O_TO_MOVE, X_TO_MOVE

_ONE = np.uint32(1)
_ZERO = np.uint32(0)


@cuda.jit
def finish(rules, board, small, place_of, codes):
    """Step 1, a thread per entry: the value of finished positions."""
    spread = cuda.shared.array(SELECTED, np.uint8)
    copy_to(spread, small.spread)
    cuda.syncthreads()
    columns = np.uint32(place_of.columns)
    place = cuda.grid(1)
    stride = cuda.gridsize(1)
    while place < codes.size:
        row = np.uint32(place) // columns
        x_tiles = np.uint32(board.representatives[place_of.first + row])
        o_tiles = unpack(spread, board.everything & ~x_tiles, place_of.combinations[np.uint32(place) - row * columns])
        if place_of.side == X_TO_MOVE:
            value = protocol.outcome(rules, tiling.state_of_tiles(rules, np.uint64(x_tiles), np.uint64(o_tiles)))
        else:
            value = protocol.outcome(rules, tiling.state_of_tiles(rules, np.uint64(o_tiles), np.uint64(x_tiles)))
        code = np.uint8(UNDECIDED)
        if value == WIN:
            code = np.uint8(WIN_BASE)
        elif value == LOSS:
            code = np.uint8(LOSS_BASE)
        elif value != ONGOING:
            code = np.uint8(SAFE)
        codes[place] = code
        place += stride


@cuda.jit(device=True)
def list_edges(board, place, target, x_tiles, edges):
    """The moves that take no X tile of a row, one thread each, into `edges` (Edges)."""
    free = board.everything & ~x_tiles
    for edge in range(cuda.threadIdx.x, edges.number[0], cuda.blockDim.x):
        move = edges.move[edge]
        put = _ONE << np.uint32(board.entered[move])
        moved = carried(board.groups, move, x_tiles)
        if place.side == X_TO_MOVE:
            moved |= put
        found = board.orbit[moved]
        row = found >> np.uint32(3)
        symmetry = np.int32(found & np.uint32(7))
        edges.symmetry[edge] = symmetry
        target_free = board.everything & ~np.uint32(board.representatives[row])
        edges.free[edge] = target_free
        edges.base[edge] = np.uint32((np.int64(row) - target.first) * target.columns)
        edges.taken[edge] = cuda.popc(free & ((_ONE << np.uint32(board.taken[move])) - _ONE))
        edges.bit[edge] = _ZERO
        if place.side == O_TO_MOVE:
            cell = board.after[move, symmetry, board.taken[move]]
            edges.bit[edge] = _ONE << np.uint32(cuda.popc(target_free & ((_ONE << np.uint32(cell)) - _ONE)))


@cuda.jit(device=True)
def cut_edges(target, edge_taken, edges, goes_to, permuted_chunks, blocked):
    """What every edge makes of each chunk's value, and the edges a chunk's value blocks: `permuted_chunks`, `blocked`."""
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    size = 1 << target.bits
    table = target.chunks * size
    for index in range(thread, edges * table, threads):
        edge = index // table
        chunk = (index - edge * table) // size
        value = index - edge * table - chunk * size
        image = np.uint32(0)
        for bit in range(target.bits):
            place = chunk * target.bits + bit
            if (value >> bit) & 1 != 0 and place < target.length and place != edge_taken[edge]:
                image |= _ONE << np.uint32(goes_to[edge * MOST_CELLS + place])
        permuted_chunks[index] = image
    for index in range(thread, table, threads):
        chunk = index // size
        value = index - chunk * size
        stopped = np.uint64(0)
        for edge in range(edges):
            place = edge_taken[edge] - chunk * target.bits
            if 0 <= place < target.bits and (value >> place) & 1 != 0:
                stopped |= np.uint64(1) << np.uint64(edge)
        blocked[index] = stopped


@cuda.jit
def fill(board, place, target, codes, trouble):
    """Step 2, a block per row; `trouble[0]` is set if a win in 2 turned up, which has no code."""
    permuted_chunks = cuda.shared.array(PERMUTED, np.uint32)
    chunk_ranks = cuda.shared.array(RANKS, np.uint32)
    blocked = cuda.shared.array(192, np.uint64)
    goes_to = cuda.shared.array(PLACES, np.uint8)
    free_cell = cuda.shared.array(32, np.uint8)
    edge_move = cuda.shared.array(MOST_MOVES, np.int32)
    edge_symmetry = cuda.shared.array(MOST_MOVES, np.int32)
    edge_free = cuda.shared.array(MOST_MOVES, np.uint32)
    edge_base = cuda.shared.array(MOST_MOVES, np.uint32)
    edge_bit = cuda.shared.array(MOST_MOVES, np.uint32)
    edge_taken = cuda.shared.array(MOST_MOVES, np.int32)
    edge_count = cuda.shared.array(1, np.int32)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    columns, combinations, further = place.columns, place.combinations, target.codes
    bits, chunks, length = target.bits, target.chunks, target.length
    size = 1 << bits
    table = chunks * size
    low_mask = np.uint32(size - 1)
    copy_to(chunk_ranks, target.ranks)
    row = cuda.blockIdx.x
    while row < place.rows:
        x_tiles = np.uint32(board.representatives[place.first + row])
        free = board.everything & ~x_tiles
        for cell in range(thread, MOST_CELLS, threads):
            if (free >> np.uint32(cell)) & _ONE != 0:
                free_cell[cuda.popc(free & ((_ONE << np.uint32(cell)) - _ONE))] = cell
        if thread == 0:
            count = 0
            for move in range(board.moves):
                if (x_tiles >> np.uint32(board.taken[move])) & _ONE == 0:
                    edge_move[count] = move
                    count += 1
            edge_count[0] = count
        cuda.syncthreads()
        edges = edge_count[0]
        list_edges(board, place, target, x_tiles, Edges(edge_move, edge_symmetry, edge_free, edge_base, edge_bit, edge_taken, edge_count))
        cuda.syncthreads()
        for index in range(thread, edges * length, threads):
            edge = index // length
            at = index - edge * length
            goes = np.uint32(board.after[edge_move[edge], edge_symmetry[edge], free_cell[at]])
            goes_to[edge * MOST_CELLS + at] = cuda.popc(edge_free[edge] & ((_ONE << goes) - _ONE))
        cuda.syncthreads()
        cut_edges(target, edge_taken, edges, goes_to, permuted_chunks, blocked)
        cuda.syncthreads()
        everyone = (np.uint64(1) << np.uint64(edges)) - np.uint64(1)
        for column in range(thread, columns, threads):
            entry = np.int64(row) * columns + column
            if codes[entry] == UNDECIDED:
                tiles = combinations[column]
                stopped = np.uint64(0)
                for chunk in range(chunks):
                    stopped |= blocked[chunk * size + np.int32((tiles >> np.uint32(chunk * bits)) & low_mask)]
                open_edges = everyone & ~stopped
                low = np.int32(tiles & np.uint32(63))
                middle = np.int32((tiles >> np.uint32(6)) & np.uint32(63))
                high = np.int32((tiles >> np.uint32(12)) & np.uint32(63))
                nearest = np.int32(255)
                bound = np.int32(WIN_BASE)
                drawn = False
                odd = False
                while open_edges != 0:
                    edge = np.int32(cuda.ffs(open_edges)) - 1
                    open_edges &= open_edges - np.uint64(1)
                    image = edge_bit[edge]
                    base = edge * table
                    where = edge_base[edge]
                    # In `chunk_ranks`, chunk c has a block of `size` ranks for each number 0 … c·bits of tiles below it.
                    if chunks == 3 and bits == 6:  # nearly all the work: written out
                        image |= permuted_chunks[base + low]
                        image |= permuted_chunks[base + 64 + middle]
                        image |= permuted_chunks[base + 128 + high]
                        part = np.int32(image & np.uint32(63))
                        below = cuda.popc(part)
                        where += chunk_ranks[part]
                        part = np.int32((image >> np.uint32(6)) & np.uint32(63))
                        where += chunk_ranks[(1 + below) * 64 + part]
                        below += cuda.popc(part)
                        where += chunk_ranks[(8 + below) * 64 + np.int32(image >> np.uint32(12))]
                    else:
                        for chunk in range(chunks):
                            image |= permuted_chunks[base + chunk * size + np.int32((tiles >> np.uint32(chunk * bits)) & low_mask)]
                        below = 0
                        for chunk in range(chunks):
                            part = np.int32((image >> np.uint32(chunk * bits)) & low_mask)
                            where += chunk_ranks[((chunk + bits * (chunk * (chunk - 1) // 2)) + below) * size + part]
                            below += cuda.popc(part)
                    code = np.int32(further[where])
                    if code > LOSS_IN_1:
                        nearest = min(nearest, code - 127)  # codes.win_before
                    elif code == LOSS_BASE:
                        nearest = np.int32(WIN_IN_1)
                        break
                    elif code == LOSS_IN_1:
                        odd = True
                    elif code >= WIN_BASE:
                        bound = max(bound, code)
                    else:
                        drawn = True
                if odd and nearest != WIN_IN_1:
                    trouble[0] = 1
                if nearest < 255:
                    codes[entry] = np.uint8(nearest)
                elif drawn:
                    codes[entry] = np.uint8(SAFE)
                else:
                    codes[entry] = np.uint8(LOSS_BASE + bound)  # codes.loss_before
        cuda.syncthreads()
        row += cuda.gridDim.x
