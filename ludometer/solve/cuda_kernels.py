"""The retrograde solver of tile games on a GPU: the steps of `solve.retrograde_kernels`, one thread or block per piece of work.

The sets, tables and codes are the same, and so are the small functions that permute, pack and rank; what differs is the order of
work.  Step 2, the bulk of it, gives a block a row and first builds, in shared memory, the way every move changes a column:
a column is a set of at most 25 packed cells, cut into chunks, and each chunk's image under each move is looked up.

While step 2 runs, a position that may be lost holds the code of the loss its bound allows; `collect` turns these into a list.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.core import protocol, tiling
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.solve.codes import LOSS_BASE, LOSS_IN_1, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solve.tiles import O_TO_MOVE, X_TO_MOVE

MOST_MOVES = 64  # moves a kernel has room for
PERMUTED = 44 * 192  # entries of shared memory for images of chunks
MOST_CELLS = 25
PLACES = MOST_MOVES * MOST_CELLS
RANKS = 2048
TILE = 2048  # list items a block compacts at a time
SYMMETRIES = 8
DROPPED, KEPT, LOST = 0, 1, 2  # what became of a list item

_ONE = np.uint32(1)
_ZERO = np.uint32(0)


# Small tables, copied to shared memory by each block (see `cuda._small_tables` for their making).  Cells are cut into pieces of 5.
PIECES = 5
PIECE = 32  # values of a piece
SEEN = SYMMETRIES * PIECES * PIECE  # (symmetry, piece, value): a piece of cells through a symmetry
SELECTED = PIECE * PIECE  # (selected cells, value): the value's bits at these cells packed together, or spread over them
MOST_BELOW = 13  # tiles that can lie below a piece
PIECE_RANKS = 21 * MOST_BELOW * PIECE  # (packed places below, tiles below, packed value): what a piece adds to a rank
GROUPS = 2 * MOST_MOVES * 4  # (move or reverse, 4): cells that stay, two groups that shift, and their four shifts in one word


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
    """The colex rank of the cells of `mask` among the cells `selected`."""
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
def finish(rules, representatives, combinations, spread_table, everything, side, columns, entries, codes):
    """Step 1, a thread per entry: the value of finished positions."""
    spread = cuda.shared.array(SELECTED, np.uint8)
    copy_to(spread, spread_table)
    cuda.syncthreads()
    place = cuda.grid(1)
    stride = cuda.gridsize(1)
    while place < entries:
        row = np.uint32(place) // np.uint32(columns)
        x_tiles = np.uint32(representatives[row])
        o_tiles = unpack(spread, everything & ~x_tiles, combinations[np.uint32(place) - row * np.uint32(columns)])
        if side == X_TO_MOVE:
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


@cuda.jit
def fill(
    side, rows, columns, length, bits, chunks, everything, representatives, combinations, taken, entered, after, orbit,
    all_representatives, first_target, target_columns, group_table, ranks, codes, further, trouble,
):  # fmt: skip
    """Step 2, a block per row.  `after` (move, symmetry, cell) is where a cell's content goes; `ranks` as in `cuda._rank_chunks`.

    `trouble[0]` is set if a win in 2 turned up, which has no code.
    """
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
    size = 1 << bits
    table = chunks * size
    low_mask = np.uint32(size - 1)
    for index in range(thread, ranks.size, threads):
        chunk_ranks[index] = ranks[index]
    row = cuda.blockIdx.x
    while row < rows:
        x_tiles = np.uint32(representatives[row])
        free = everything & ~x_tiles
        if thread < MOST_CELLS and (free >> np.uint32(thread)) & _ONE != 0:
            free_cell[cuda.popc(free & ((_ONE << np.uint32(thread)) - _ONE))] = thread
        if thread == 0:
            count = 0
            for move in range(taken.size):
                if (x_tiles >> np.uint32(taken[move])) & _ONE == 0:
                    edge_move[count] = move
                    count += 1
            edge_count[0] = count
        cuda.syncthreads()
        edges = edge_count[0]
        for edge in range(thread, edges, threads):
            move = edge_move[edge]
            put = _ONE << np.uint32(entered[move])
            moved = carried(group_table, move, x_tiles)
            if side == X_TO_MOVE:
                moved |= put
            found = orbit[moved]
            target = found >> np.uint32(3)
            symmetry = np.int32(found & np.uint32(7))
            edge_symmetry[edge] = symmetry
            target_free = everything & ~np.uint32(all_representatives[target])
            edge_free[edge] = target_free
            edge_base[edge] = np.uint32((np.int64(target) - first_target) * target_columns)
            edge_taken[edge] = cuda.popc(free & ((_ONE << np.uint32(taken[move])) - _ONE))
            edge_bit[edge] = _ZERO
            if side == O_TO_MOVE:
                cell = after[move, symmetry, taken[move]]
                edge_bit[edge] = _ONE << np.uint32(cuda.popc(target_free & ((_ONE << np.uint32(cell)) - _ONE)))
        cuda.syncthreads()
        for index in range(thread, edges * length, threads):
            edge = index // length
            place = index - edge * length
            cell = np.uint32(after[edge_move[edge], edge_symmetry[edge], free_cell[place]])
            goes_to[edge * MOST_CELLS + place] = cuda.popc(edge_free[edge] & ((_ONE << cell) - _ONE))
        cuda.syncthreads()
        for index in range(thread, edges * table, threads):
            edge = index // table
            chunk = (index - edge * table) // size
            value = index - edge * table - chunk * size
            image = np.uint32(0)
            for bit in range(bits):
                place = chunk * bits + bit
                if (value >> bit) & 1 != 0 and place < length and place != edge_taken[edge]:
                    image |= _ONE << np.uint32(goes_to[edge * MOST_CELLS + place])
            permuted_chunks[index] = image
        for index in range(thread, table, threads):
            chunk = index // size
            value = index - chunk * size
            stopped = np.uint64(0)
            for edge in range(edges):
                place = edge_taken[edge] - chunk * bits
                if 0 <= place < bits and (value >> place) & 1 != 0:
                    stopped |= np.uint64(1) << np.uint64(edge)
            blocked[index] = stopped
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
def count_listed(codes, entries, counters, which):
    """Add the number of entries that `collect` with `clear` will list to `counters[which]`."""
    number = cuda.shared.array(1, np.int64)
    if cuda.threadIdx.x == 0:
        number[0] = 0
    cuda.syncthreads()
    here = np.int64(0)
    place = cuda.grid(1)
    while place < entries:
        here += np.int64(LOSS_BASE < codes[place] < 255)
        place += cuda.gridsize(1)
    cuda.atomic.add(number, 0, here)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(counters, which, number[0])


@cuda.jit
def collect(codes, begin, end, listed, bounds, counters, which, least, clear):
    """Append the entries begin..end with a loss code of at least `least` to `listed`; `clear` sets them undecided and notes their bound.

    `counters[which]` is the length of the list.
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
            start[0] = cuda.atomic.add(counters, which, number[0])
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
def own_target(diagonal, x_tiles, o_tiles, way, groups, seen, orbit, representatives, everything):
    """(row reached by an own-tile move or its reverse, its free cells, the image of the other tiles there)."""
    x_after = carried(groups, way, x_tiles)
    o_after = carried(groups, way, o_tiles)
    if diagonal:
        x_after, o_after = o_after, x_after
    found = orbit[x_after]
    target = found >> np.uint32(3)
    free = everything & ~np.uint32(representatives[target])
    return target, free, seen_through(seen, np.int32(found & np.uint32(7)), o_after)


@cuda.jit
def find_losses(
    side, diagonal, columns, first, everything, representatives, combinations, taken_moves, group_table, seen_table, compress_table,
    spread_table, rank_table, orbit, codes, replies, win, listed, bounds, resume, blocker, status, counters, which,
):  # fmt: skip
    """Step 3, first half, a thread per listed position: are all its successors wins up to the code `win`?

    `status` gets DROPPED, KEPT or LOST.  `taken_moves` (chunk of 8 cells, value) are the moves that take one of these cells, as bits.
    """
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(PIECE_RANKS, np.uint32)
    copy_to(groups, group_table)
    copy_to(seen, seen_table)
    copy_to(compress, compress_table)
    copy_to(spread, spread_table)
    copy_to(ranks, rank_table)
    cuda.syncthreads()
    item = cuda.grid(1)
    stride = cuda.gridsize(1)
    while item < counters[which]:
        state = np.uint8(KEPT)
        if bounds[item] <= win:
            at = np.int32(resume[item])
            ready = True
            if at > 0:
                code = np.int32(replies[blocker[item]])
                ready = WIN_BASE <= code <= win
            if ready:
                place = np.uint32(listed[item])
                if codes[place] != UNDECIDED:
                    state = np.uint8(DROPPED)
                else:
                    row = place // np.uint32(columns)
                    x_tiles = np.uint32(representatives[first + row])
                    o_tiles = unpack(spread, everything & ~x_tiles, combinations[place - row * np.uint32(columns)])
                    mover = x_tiles if side == X_TO_MOVE else o_tiles
                    waiting = np.uint64(0)
                    for chunk in range(taken_moves.shape[0]):
                        waiting |= taken_moves[chunk, (mover >> np.uint32(8 * chunk)) & np.uint32(255)]
                    waiting = (waiting >> np.uint64(at)) << np.uint64(at)
                    while ready and waiting != 0:
                        move = np.int32(cuda.ffs(waiting)) - 1
                        waiting &= waiting - np.uint64(1)
                        target, free, image = own_target(diagonal, x_tiles, o_tiles, move, groups, seen, orbit, representatives, everything)
                        where = (np.int64(target) - first) * columns + np.int64(packed_rank(compress, ranks, free, image))
                        code = np.int32(replies[where])
                        ready = WIN_BASE <= code <= win
                        if not ready:
                            resume[item] = move + 1
                            blocker[item] = np.uint32(where)
                    if ready:
                        state = np.uint8(LOST)
        status[item] = state
        item += stride


@cuda.jit
def compact(listed, bounds, resume, blocker, status, counters, which, new_listed, new_bounds, new_resume, new_blocker, lost, codes, loss):
    """Copy the KEPT items to the new list (length into `counters[which + 1]`) and the LOST ones, now coded so, to `lost`
    (length into `counters[which + 2]`).
    """
    kept_items = cuda.shared.array(TILE, np.int32)
    lost_items = cuda.shared.array(TILE, np.int32)
    numbers = cuda.shared.array(2, np.int32)
    starts = cuda.shared.array(2, np.int64)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    tile = cuda.blockIdx.x
    count = counters[which]
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
            starts[thread] = cuda.atomic.add(counters, which + 1 + thread, numbers[thread])
        cuda.syncthreads()
        for index in range(thread, numbers[0], threads):
            item = np.int64(tile) * TILE + kept_items[index]
            new_listed[starts[0] + index] = listed[item]
            new_bounds[starts[0] + index] = bounds[item]
            new_resume[starts[0] + index] = resume[item]
            new_blocker[starts[0] + index] = blocker[item]
        for index in range(thread, numbers[1], threads):
            item = np.int64(tile) * TILE + lost_items[index]
            lost[starts[1] + index] = listed[item]
            codes[listed[item]] = np.uint8(loss)
        cuda.syncthreads()
        tile += cuda.gridDim.x


@cuda.jit(device=True)
def lower(codes, place, code):
    old = codes[place]
    if old == UNDECIDED or old == SAFE or (WIN_BASE <= old < LOSS_BASE and old > code):  # noqa: SIM109
        codes[place] = code


@cuda.jit
def push_wins(
    side, diagonal, columns, first, everything, representatives, combinations, entering_moves, group_table, seen_table, compress_table,
    spread_table, rank_table, orbit, weight, moves, lost, counters, which, loss, replies, trouble,
):  # fmt: skip
    """Step 3, second half, a thread per lost position: what reaches it by moving an own tile is won a move later."""
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(PIECE_RANKS, np.uint32)
    copy_to(groups, group_table)
    copy_to(seen, seen_table)
    copy_to(compress, compress_table)
    copy_to(spread, spread_table)
    copy_to(ranks, rank_table)
    cuda.syncthreads()
    item = cuda.grid(1)
    stride = cuda.gridsize(1)
    win = np.uint8(WIN_IN_1 if loss <= LOSS_IN_1 else loss - 127)  # codes.win_before
    while item < counters[which]:
        place = np.uint32(lost[item])
        row = place // np.uint32(columns)
        x_tiles = np.uint32(representatives[first + row])
        o_tiles = unpack(spread, everything & ~x_tiles, combinations[place - row * np.uint32(columns)])
        moved = o_tiles if side == X_TO_MOVE else x_tiles
        waiting = np.uint64(0)
        for chunk in range(entering_moves.shape[0]):
            waiting |= entering_moves[chunk, (moved >> np.uint32(8 * chunk)) & np.uint32(255)]
        while waiting != 0:
            move = np.int32(cuda.ffs(waiting)) - 1
            waiting &= waiting - np.uint64(1)
            target, free, image = own_target(diagonal, x_tiles, o_tiles, moves + move, groups, seen, orbit, representatives, everything)
            base = (np.int64(target) - first) * columns
            before = base + np.int64(packed_rank(compress, ranks, free, image))
            if loss == LOSS_IN_1:
                old = replies[before]
                if old == UNDECIDED or old == SAFE or WIN_IN_1 < old < LOSS_BASE:  # noqa: SIM109
                    trouble[0] = 1  # a win in 2
                continue
            lower(replies, before, win)
            if weight[target] != SYMMETRIES:
                representative = np.uint32(representatives[target])
                for symmetry in range(1, SYMMETRIES):
                    if seen_through(seen, symmetry, representative) == representative:
                        twin = seen_through(seen, symmetry, image)
                        lower(replies, base + np.int64(packed_rank(compress, ranks, free, twin)), win)
        item += stride


@cuda.jit
def close(codes, entries, columns, weight, counts):
    """Step 4, and the number of positions by code into `counts` (256, int64), each with its row's weight."""
    by_code = cuda.shared.array(256, np.uint32)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    for index in range(thread, 256, threads):
        by_code[index] = 0
    cuda.syncthreads()
    place = cuda.grid(1)
    stride = cuda.gridsize(1)
    while place < entries:
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
def pack_values(codes, packed):
    """Two bits for each entry, four to a byte, as in `solve.packing`."""
    place = cuda.grid(1)
    while place < packed.size:
        byte = np.uint8(0)
        for part in range(4):
            entry = np.int64(place) * 4 + part
            if entry < codes.size:
                code = codes[entry]
                if code >= 128:
                    byte |= np.uint8(2 << (2 * part))
                elif code > 0:
                    byte |= np.uint8(1 << (2 * part))
        packed[place] = byte
        place += cuda.gridsize(1)
