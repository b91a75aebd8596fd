"""Retrograde analysis of a tile game on a GPU: the steps of `tiles.kernels`, one thread or block per piece of work.

The sets, tables and codes are the same, and so are the small functions that permute, pack and rank; what differs is the order of
work.  Step 2, the bulk of it, gives a block a row and first builds, in shared memory, the way every move changes a column:
a column is a set of at most 25 packed cells, cut into chunks, and each chunk's image under each move is looked up.

While step 2 runs, a position that may be lost holds the code of the loss its bound allows; `collect` turns these into a list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from ludometer.core import protocol, tiling
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.solve.tiles.codes import LOSS_BASE, LOSS_IN_1, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solve.tiles.pairs import O_TO_MOVE, X_TO_MOVE

MOST_MOVES = 44  # moves a kernel has room for in shared memory
PERMUTED = MOST_MOVES * 192  # images of chunks: a move has up to 3 chunks of 6 cells or 5 of 5
MOST_CELLS = 25
PLACES = MOST_MOVES * MOST_CELLS
RANKS = 2048
TILE = 2048  # list items a block compacts at a time
SYMMETRIES = 8
DROPPED, KEPT, LOST = 0, 1, 2  # what became of a list item

_ONE = np.uint32(1)
_ZERO = np.uint32(0)


# Small tables, copied to shared memory by each block (see `solver.small_tables` for their making).  Cells are cut into pieces of 5.
PIECES = 5
PIECE = 32  # values of a piece
SEEN = SYMMETRIES * PIECES * PIECE  # (symmetry, piece, value): a piece of cells through a symmetry
SELECTED = PIECE * PIECE  # (selected cells, value): the value's bits at these cells packed together, or spread over them
MOST_BELOW = 13  # tiles that can lie below a piece
PIECE_RANKS = 21 * MOST_BELOW * PIECE  # (packed places below, tiles below, packed value): what a piece adds to a rank
GROUPS = 2 * MOST_MOVES * 4  # (move or reverse, 4): cells that stay, two groups that shift, and their four shifts in one word


# Arrays on the card that belong together.  A kernel takes them as NamedTuples, which cost no more than loose arguments.


class Board(NamedTuple):
    """The look-up tables of a board (see `lookup.TileTables`), on the card."""

    everything: np.uint32  # the set of all cells
    moves: int
    taken: Any  # (moves,) int64
    entered: Any  # (moves,) int64
    takes: Any  # (chunks of 8 cells, 256) uint64
    enters: Any  # (chunks of 8 cells, 256) uint64
    after: Any  # (moves, symmetries, cells) uint8: where a cell's content goes
    groups: Any  # GROUPS uint32
    orbit: Any  # (2^cells,) uint32
    representatives: Any  # (rows of all sizes,) uint32
    weight: Any  # (rows of all sizes,) uint8


class Small(NamedTuple):
    """What each block copies to shared memory."""

    seen: Any  # SEEN uint32
    compress: Any  # SELECTED uint8
    spread: Any  # SELECTED uint8
    ranks: Any  # PIECE_RANKS uint32


class Place(NamedTuple):
    """One side of a pair."""

    side: int  # X_TO_MOVE or O_TO_MOVE
    diagonal: bool
    rows: int
    columns: int
    first: int  # the first row of its size
    combinations: Any  # (columns,) uint32: columns as sets of packed cells


class Target(NamedTuple):
    """Where moves that take a blank lead, and how columns are cut into chunks for finding it."""

    first: int  # the first row of that size
    columns: int
    codes: Any  # uint8
    length: int  # cells without an X tile
    bits: int  # of a chunk
    chunks: int
    ranks: Any  # uint32, as in `solver.rank_chunks`


class Edges(NamedTuple):
    """The moves that take no X tile of a row, in shared memory."""

    move: Any  # (MOST_MOVES,) int32
    symmetry: Any  # int32: the one that leads to the representative of the row it goes to
    free: Any  # uint32: the cells without an X tile there
    base: Any  # uint32: the first entry of that row
    bit: Any  # uint32: the packed cell the mover's new tile is on, if it is an O tile
    taken: Any  # int32: the packed cell it takes
    number: Any  # (1,) int32: how many


class Items(NamedTuple):
    """A list of positions that may still be lost."""

    places: Any  # uint32
    bounds: Any  # uint8
    resume: Any  # uint8
    blocker: Any  # uint32: the successor that kept it from being lost


@cuda.jit(device=True)
def copy_to(shared, table):
    for index in range(cuda.threadIdx.x, table.size, cuda.blockDim.x):
        shared[index] = table[index]


@cuda.jit(device=True)
def carried(groups, way, mask):
    """A set of cells after a move or its reverse: some stay, two groups shift."""
    base = way * 4
    shifts = groups[base + 3]
    five = np.uint32(31)
    image = mask & groups[base]
    image |= ((mask & groups[base + 1]) << (shifts & five)) >> ((shifts >> np.uint32(5)) & five)
    image |= ((mask & groups[base + 2]) << ((shifts >> np.uint32(10)) & five)) >> ((shifts >> np.uint32(15)) & five)
    return image


@cuda.jit(device=True)
def seen_through(seen, symmetry, mask):
    """A set of cells through a symmetry."""
    image = np.uint32(0)
    for piece in range(PIECES):
        image |= seen[(symmetry * PIECES + piece) * PIECE + np.int32((mask >> np.uint32(5 * piece)) & np.uint32(31))]
    return image


@cuda.jit(device=True)
def packed_rank(compress, ranks, selected, mask):
    """The colexicographic rank of the cells of `mask` among the cells `selected`."""
    rank = np.uint32(0)
    places = 0
    below = 0
    for piece in range(PIECES):
        here = np.int32((selected >> np.uint32(5 * piece)) & np.uint32(31))
        value = np.int32(compress[here * PIECE + np.int32((mask >> np.uint32(5 * piece)) & np.uint32(31))])
        rank += ranks[(places * MOST_BELOW + below) * PIECE + value]
        places += cuda.popc(here)
        below += cuda.popc(value)
    return rank


@cuda.jit(device=True)
def unpack(spread, selected, value):
    """Spread packed bits over the cells `selected`."""
    mask = np.uint32(0)
    for piece in range(PIECES):
        here = np.int32((selected >> np.uint32(5 * piece)) & np.uint32(31))
        mask |= np.uint32(spread[here * PIECE + np.int32(value & np.uint32(31))]) << np.uint32(5 * piece)
        value >>= np.uint32(cuda.popc(here))
    return mask


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


@cuda.jit
def count_listed(codes, counters, which):
    """Add the number of entries that `collect` with `clear` will list to `counters[which]`."""
    number = cuda.shared.array(1, np.int64)
    if cuda.threadIdx.x == 0:
        number[0] = 0
    cuda.syncthreads()
    here = np.int64(0)
    place = cuda.grid(1)
    while place < codes.size:
        here += np.int64(LOSS_BASE < codes[place] < 255)
        place += cuda.gridsize(1)
    cuda.atomic.add(number, 0, here)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(counters, which, number[0])


@cuda.jit
def collect(codes, begin, end, listed, bounds, counters, least, clear):
    """Append the entries begin..end with a loss code of at least `least` to `listed`; `clear` sets them undecided and notes their bound.

    `counters[0]` is the length of the list.
    """
    found = cuda.shared.array(TILE, np.uint32)
    found_bound = cuda.shared.array(TILE, np.uint8)
    number = cuda.shared.array(1, np.int32)
    start = cuda.shared.array(1, np.int64)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    tile = cuda.blockIdx.x
    while begin + np.int64(tile) * TILE < end:
        if thread == 0:
            number[0] = 0
        cuda.syncthreads()
        for index in range(thread, TILE, threads):
            place = begin + np.int64(tile) * TILE + index
            if place < end:
                code = np.int32(codes[place])
                if least <= code < 255:
                    slot = cuda.atomic.add(number, 0, 1)
                    found[slot] = np.uint32(place)
                    found_bound[slot] = np.uint8(code - LOSS_BASE) if clear else np.uint8(0)
                    if clear:
                        codes[place] = np.uint8(UNDECIDED)
        cuda.syncthreads()
        if thread == 0:
            start[0] = cuda.atomic.add(counters, 0, number[0])
        cuda.syncthreads()
        for index in range(thread, number[0], threads):
            if start[0] + index < listed.size:
                listed[start[0] + index] = found[index]
                bounds[start[0] + index] = found_bound[index]
        cuda.syncthreads()
        tile += cuda.gridDim.x


@cuda.jit
def clear(array, count):
    """Set the first items to zero."""
    index = cuda.grid(1)
    while index < count:
        array[index] = 0
        index += cuda.gridsize(1)


@cuda.jit(device=True)
def tiles_at(board, place_of, spread, place):
    """(X tiles, O tiles) of an entry."""
    columns = np.uint32(place_of.columns)
    row = place // columns
    x_tiles = np.uint32(board.representatives[place_of.first + row])
    return x_tiles, unpack(spread, board.everything & ~x_tiles, place_of.combinations[place - row * columns])


@cuda.jit(device=True)
def moves_at(table, cells):
    """The moves that `takes` or `enters` names for a set of cells, as bits."""
    found = np.uint64(0)
    for chunk in range(table.shape[0]):
        found |= table[chunk, (cells >> np.uint32(8 * chunk)) & np.uint32(255)]
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
    return target, free, seen_through(seen, np.int32(found & np.uint32(7)), o_after)


@cuda.jit
def find_losses(board, small, place_of, codes, replies, win, items, status, counters):
    """Step 3, first half, a thread per listed position: are all its successors wins up to the code `win`?

    `status` gets DROPPED, KEPT or LOST for each of the counters[0] items.
    """
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(PIECE_RANKS, np.uint32)
    copy_to(groups, board.groups)
    copy_to(seen, small.seen)
    copy_to(compress, small.compress)
    copy_to(spread, small.spread)
    copy_to(ranks, small.ranks)
    cuda.syncthreads()
    item = cuda.grid(1)
    stride = cuda.gridsize(1)
    while item < counters[0]:
        state = np.uint8(KEPT)
        if items.bounds[item] <= win:
            at = np.int32(items.resume[item])
            ready = True
            if at > 0:
                code = np.int32(replies[items.blocker[item]])
                ready = WIN_BASE <= code <= win
            if ready:
                place = np.uint32(items.places[item])
                if codes[place] != UNDECIDED:
                    state = np.uint8(DROPPED)
                else:
                    x_tiles, o_tiles = tiles_at(board, place_of, spread, place)
                    waiting = moves_at(board.takes, x_tiles if place_of.side == X_TO_MOVE else o_tiles)
                    waiting = (waiting >> np.uint64(at)) << np.uint64(at)
                    while ready and waiting != 0:
                        move = np.int32(cuda.ffs(waiting)) - 1
                        waiting &= waiting - np.uint64(1)
                        target, free, image = own_target(board, place_of.diagonal, x_tiles, o_tiles, move, groups, seen)
                        where = (np.int64(target) - place_of.first) * place_of.columns + np.int64(packed_rank(compress, ranks, free, image))
                        code = np.int32(replies[where])
                        ready = WIN_BASE <= code <= win
                        if not ready:
                            items.resume[item] = move + 1
                            items.blocker[item] = np.uint32(where)
                    if ready:
                        state = np.uint8(LOST)
        status[item] = state
        item += stride


@cuda.jit
def compact(items, status, counters, kept, lost, codes, loss):
    """Copy the KEPT of counters[0] items to another list (length into `counters[1]`) and the LOST ones, now coded so, to `lost`
    (length into `counters[2]`).
    """
    kept_items = cuda.shared.array(TILE, np.int32)
    lost_items = cuda.shared.array(TILE, np.int32)
    numbers = cuda.shared.array(2, np.int32)
    starts = cuda.shared.array(2, np.int64)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    tile = cuda.blockIdx.x
    count = counters[0]
    while tile * TILE < count:
        if thread < 2:
            numbers[thread] = 0
        cuda.syncthreads()
        for index in range(thread, TILE, threads):
            item = np.int64(tile) * TILE + index
            if item < count:
                if status[item] == KEPT:
                    kept_items[cuda.atomic.add(numbers, 0, 1)] = index
                elif status[item] == LOST:
                    lost_items[cuda.atomic.add(numbers, 1, 1)] = index
        cuda.syncthreads()
        if thread < 2:
            starts[thread] = cuda.atomic.add(counters, 1 + thread, numbers[thread])
        cuda.syncthreads()
        for index in range(thread, numbers[0], threads):
            item = np.int64(tile) * TILE + kept_items[index]
            kept.places[starts[0] + index] = items.places[item]
            kept.bounds[starts[0] + index] = items.bounds[item]
            kept.resume[starts[0] + index] = items.resume[item]
            kept.blocker[starts[0] + index] = items.blocker[item]
        for index in range(thread, numbers[1], threads):
            item = np.int64(tile) * TILE + lost_items[index]
            lost[starts[1] + index] = items.places[item]
            codes[items.places[item]] = np.uint8(loss)
        cuda.syncthreads()
        tile += cuda.gridDim.x


@cuda.jit(device=True)
def lower(codes, place, code):
    old = codes[place]
    if old == UNDECIDED or old == SAFE or (WIN_BASE <= old < LOSS_BASE and old > code):  # noqa: SIM109
        codes[place] = code


@cuda.jit
def push_wins(board, small, place_of, lost, counters, which, loss, replies, trouble):
    """Step 3, second half, a thread per lost position: what reaches it by moving an own tile is won a move later.

    `counters[which]` is the length of `lost`; `trouble[0]` is set if a win in 2 turned up, which has no code.
    """
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(PIECE_RANKS, np.uint32)
    copy_to(groups, board.groups)
    copy_to(seen, small.seen)
    copy_to(compress, small.compress)
    copy_to(spread, small.spread)
    copy_to(ranks, small.ranks)
    cuda.syncthreads()
    item = cuda.grid(1)
    stride = cuda.gridsize(1)
    win = np.uint8(WIN_IN_1 if loss <= LOSS_IN_1 else loss - 127)  # codes.win_before
    while item < counters[which]:
        x_tiles, o_tiles = tiles_at(board, place_of, spread, np.uint32(lost[item]))
        waiting = moves_at(board.enters, o_tiles if place_of.side == X_TO_MOVE else x_tiles)
        while waiting != 0:
            move = np.int32(cuda.ffs(waiting)) - 1
            waiting &= waiting - np.uint64(1)
            target, free, image = own_target(board, place_of.diagonal, x_tiles, o_tiles, board.moves + move, groups, seen)
            base = (np.int64(target) - place_of.first) * place_of.columns
            before = base + np.int64(packed_rank(compress, ranks, free, image))
            if loss == LOSS_IN_1:
                old = replies[before]
                if old == UNDECIDED or old == SAFE or WIN_IN_1 < old < LOSS_BASE:  # noqa: SIM109
                    trouble[0] = 1  # a win in 2
                continue
            lower(replies, before, win)
            if board.weight[target] != SYMMETRIES:
                representative = np.uint32(board.representatives[target])
                for symmetry in range(1, SYMMETRIES):
                    if seen_through(seen, symmetry, representative) == representative:
                        twin = seen_through(seen, symmetry, image)
                        lower(replies, base + np.int64(packed_rank(compress, ranks, free, twin)), win)
        item += stride


@cuda.jit
def close(codes, columns, weight, counts):
    """Step 4, and the number of positions by code into `counts` (256, int64), each with its row's weight."""
    by_code = cuda.shared.array(256, np.uint32)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    for index in range(thread, 256, threads):
        by_code[index] = 0
    cuda.syncthreads()
    place = cuda.grid(1)
    stride = cuda.gridsize(1)
    while place < codes.size:
        code = codes[place]
        if code == SAFE:
            code = np.uint8(UNDECIDED)
            codes[place] = code
        cuda.atomic.add(by_code, np.int32(code), np.uint32(weight[np.uint32(place) // np.uint32(columns)]))
        place += stride
    cuda.syncthreads()
    for index in range(thread, 256, threads):
        cuda.atomic.add(counts, index, np.int64(by_code[index]))


@cuda.jit
def find_code(codes, code, first):
    """`first[0]` becomes the first entry with this code if that is smaller than what it was."""
    place = cuda.grid(1)
    while place < codes.size:
        if codes[place] == code:
            cuda.atomic.min(first, 0, place)
            break
        place += cuda.gridsize(1)


@cuda.jit
def pack_values(codes, packed, marked):
    """Two bits for each entry, four to a byte, as in `tiles.packing`; `marked`: with 3 for finished games and wins in one."""
    place = cuda.grid(1)
    while place < packed.size:
        byte = np.uint8(0)
        for part in range(4):
            entry = np.int64(place) * 4 + part
            if entry < codes.size:
                code = codes[entry]
                if marked and code in (WIN_BASE, LOSS_BASE, WIN_IN_1):
                    byte |= np.uint8(3 << (2 * part))
                elif code >= 128:
                    byte |= np.uint8(2 << (2 * part))
                elif code > 0:
                    byte |= np.uint8(1 << (2 * part))
        packed[place] = byte
        place += cuda.gridsize(1)
