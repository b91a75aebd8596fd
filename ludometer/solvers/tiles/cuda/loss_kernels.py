"""Step 3 of retrograde analysis (see `tiles.kernels`) on a GPU, first half: positions that may be lost, and those that are.

Positions that may be lost stand in lists (`collect`, `find_losses`, `compact`), or where memory does not suffice for that in the table
alone (`scan_losses`).  There they hold LOSS_BASE + their bound, as step 2 has left them, until that distance is reached, then
UNDECIDED.  A loss that is decided never becomes a win, so a win may overwrite all codes but those of nearer wins and finished games.

A position waits until the distance has reached its bound, and then for one successor that is no near win of the opponent, its blocker.
Most wait most of the time.  So a block first looks which of its positions need not wait any longer, and then shares these out
among its threads: the threads of a warp go the same way.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.solvers.tiles.codes import LOSS_BASE, NO_CODE, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.cuda.cells import copy_small, moves_at, own_target, packed_rank, tiles_at
from ludometer.solvers.tiles.cuda.layout import COUNTERS, GONE, GROUPS, MARKED, RANKS, SEEN, SELECTED, TAKEN, TILE
from ludometer.solvers.tiles.pairs import X_TO_MOVE

_LOST_MARK = 1 << 15  # beside the number of an entry in its tile of 2048


@cuda.jit
def set_counters(counters, x_listed, o_listed):
    """Set all counters to 0 but the first of each side; to launch this takes less time than to copy as many numbers."""
    for index in range(cuda.threadIdx.x, COUNTERS, cuda.blockDim.x):
        counters[index] = x_listed if index == 0 else o_listed if index == COUNTERS // 2 else 0


@cuda.jit
def count_listed(codes, settled, counters, trouble):
    """Add the number of entries that `collect` with `clear` will list to `counters[0]`; `trouble[0]` is set if there is a win in 2.

    A thread takes MARKED entries at a time, and marks finished positions and wins in 1 as settled.
    """
    number = cuda.shared.array(1, np.int64)
    if cuda.threadIdx.x == 0:
        number[0] = 0
    cuda.syncthreads()
    here = np.int64(0)
    group = cuda.grid(1)
    while group < settled.size:
        bits = np.uint32(0)
        for index in range(MARKED):
            place = np.int64(group) * MARKED + index
            if place < codes.size:
                code = codes[place]
                here += np.int64(LOSS_BASE < code < SAFE)
                bits |= np.uint32(code in (WIN_BASE, WIN_IN_1, LOSS_BASE)) << np.uint32(index)
                if code == NO_CODE:
                    trouble[0] = 1
        settled[group] = bits
        group += cuda.gridsize(1)
    cuda.atomic.add(number, 0, here)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(counters, 0, number[0])


@cuda.jit
def collect(codes, begin, end, listed, waits, counters, least, most, clear):
    """Append the entries begin..end with a loss code of `least` to `most` to `listed`; `clear` sets them undecided and notes their bound.

    With `clear`, entries that are undecided already are listed too, without a bound.  `counters[0]` is the length of the list.
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
                if least <= code <= most or (clear and code == UNDECIDED):
                    slot = cuda.atomic.add(number, 0, 1)
                    found[slot] = np.uint32(place)
                    found_bound[slot] = np.uint8(code - LOSS_BASE) if clear and code != UNDECIDED else np.uint8(0)
                    if clear:
                        codes[place] = np.uint8(UNDECIDED)
        cuda.syncthreads()
        if thread == 0:
            start[0] = cuda.atomic.add(counters, 0, number[0])
        cuda.syncthreads()
        for index in range(thread, number[0], threads):
            if start[0] + index < listed.size:
                listed[start[0] + index] = found[index]
                if clear:
                    waits[start[0] + index] = found_bound[index]  # and not for a blocker yet
        cuda.syncthreads()
        tile += cuda.gridDim.x


@cuda.jit(device=True)
def first_blocker(board, place_of, x_tiles, o_tiles, at, replies, win, groups, seen, compress, ranks):
    """(1 + the first move from `at` on that does not lead to a win up to the code `win`, where it leads); 0 if there is none."""
    waiting = moves_at(board, TAKEN, x_tiles if place_of.side == X_TO_MOVE else o_tiles)
    waiting = (waiting >> np.uint64(at)) << np.uint64(at)
    while waiting != 0:
        move = np.int32(cuda.ffs(waiting)) - 1
        waiting &= waiting - np.uint64(1)
        target, free, image = own_target(board, place_of.diagonal, x_tiles, o_tiles, move, groups, seen)
        base = np.uint32((np.int64(target) - place_of.first) * place_of.columns)
        where = np.uint32(base + packed_rank(place_of.cut, compress, ranks, free, image))
        code = np.int32(replies[where])
        if not WIN_BASE <= code <= win:
            return np.int32(move + 1), where
    return np.int32(0), np.uint32(0)


@cuda.jit
def find_losses(board, small, place_of, codes, replies, win, items, tile_size, lost, counters):
    """Step 3, first half, a block per `tile_size` of the counters[0] listed positions: are all successors wins up to the code `win`?

    Those that are lost get their code and are appended to `lost` (length in `counters[2]`).  They, and those that are won meanwhile,
    are GONE from the list; how many these are is added to `counters[1]`.
    """
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(RANKS, np.uint16)
    found = cuda.shared.array(TILE, np.uint16)
    numbers = cuda.shared.array(3, np.int32)  # positions that need not wait, lost ones among them, those that are gone
    start = cuda.shared.array(1, np.int64)
    copy_small(small, place_of.cut, groups, seen, compress, spread, ranks)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    loss = LOSS_BASE + win
    count = counters[0]
    first = np.int64(cuda.blockIdx.x) * tile_size
    while first < count:
        cuda.syncthreads()
        if thread < 3:
            numbers[thread] = 0
        cuda.syncthreads()
        for index in range(thread, min(np.int64(tile_size), count - first), threads):
            wait = np.int32(items.waits[first + index])
            blocker = items.blocker[first + index]
            if wait & 255 <= win:
                ready = True
                if wait > 255:
                    code = np.int32(replies[blocker])
                    ready = WIN_BASE <= code <= win
                if ready:
                    found[cuda.atomic.add(numbers, 0, 1)] = index
        cuda.syncthreads()
        mine = 0
        gone = 0
        for index in range(thread, numbers[0], threads):
            item = first + np.int64(found[index])
            wait = np.int32(items.waits[item])
            place = np.uint32(items.places[item])
            if codes[place] != UNDECIDED:
                items.waits[item] = GONE
                gone += 1
            else:
                x_tiles, o_tiles = tiles_at(board, place_of, spread, place)
                blocked, where = first_blocker(board, place_of, x_tiles, o_tiles, wait >> 8, replies, win, groups, seen, compress, ranks)
                if blocked == 0:
                    items.waits[item] = GONE
                    found[index] |= np.uint16(_LOST_MARK)
                    mine += 1
                else:
                    items.waits[item] = np.uint16(blocked << 8 | wait & 255)
                    items.blocker[item] = where
        slot = np.int64(0)
        if mine > 0:
            slot += cuda.atomic.add(numbers, 1, mine)
        if mine + gone > 0:
            cuda.atomic.add(numbers, 2, mine + gone)
        cuda.syncthreads()
        if thread == 0 and numbers[2] > 0:
            start[0] = cuda.atomic.add(counters, 2, np.int64(numbers[1]))
            cuda.atomic.add(counters, 1, np.int64(numbers[2]))
        cuda.syncthreads()
        if mine > 0:
            slot += start[0]
            for index in range(thread, numbers[0], threads):
                if found[index] & np.uint16(_LOST_MARK) != 0:
                    place = np.uint32(items.places[first + np.int64(found[index] & np.uint16(_LOST_MARK - 1))])
                    lost[slot] = place
                    codes[place] = np.uint8(loss)
                    slot += 1
        first += np.int64(cuda.gridDim.x) * tile_size


@cuda.jit
def scan_losses(board, small, place_of, codes, replies, win, begin, end, lost, counters):
    """Step 3, first half, without lists, a block per 2048 of the entries begin..end.

    Those found lost get their code and are appended to `lost` (length in `counters[2]`); how many others may still be lost is
    added to `counters[1]`.
    """
    groups = cuda.shared.array(GROUPS, np.uint32)
    seen = cuda.shared.array(SEEN, np.uint32)
    compress = cuda.shared.array(SELECTED, np.uint8)
    spread = cuda.shared.array(SELECTED, np.uint8)
    ranks = cuda.shared.array(RANKS, np.uint16)
    found = cuda.shared.array(TILE, np.uint16)
    numbers = cuda.shared.array(3, np.int32)  # entries to look at, lost ones among them, others that wait for their bound or a blocker
    start = cuda.shared.array(1, np.int64)
    copy_small(small, place_of.cut, groups, seen, compress, spread, ranks)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    loss = LOSS_BASE + win
    tile = cuda.blockIdx.x
    while begin + np.int64(tile) * TILE < end:
        first = begin + np.int64(tile) * TILE
        cuda.syncthreads()
        if thread < 3:
            numbers[thread] = 0
        cuda.syncthreads()
        still = 0
        for index in range(thread, TILE, threads):
            if first + index < end:
                code = np.int32(codes[first + index])
                if code == UNDECIDED or code == loss:  # noqa: SIM109
                    found[cuda.atomic.add(numbers, 0, 1)] = index
                    if code == loss:
                        codes[first + index] = np.uint8(UNDECIDED)
                elif loss < code < 255:
                    still += 1
        cuda.syncthreads()
        mine = 0
        for index in range(thread, numbers[0], threads):
            place = np.uint32(first + np.int64(found[index]))
            x_tiles, o_tiles = tiles_at(board, place_of, spread, place)
            blocked, _ = first_blocker(board, place_of, x_tiles, o_tiles, 0, replies, win, groups, seen, compress, ranks)
            if blocked == 0:
                found[index] |= np.uint16(_LOST_MARK)
                mine += 1
            else:
                still += 1
        slot = np.int64(cuda.atomic.add(numbers, 1, mine))
        cuda.atomic.add(numbers, 2, still)
        cuda.syncthreads()
        if thread == 0:
            start[0] = cuda.atomic.add(counters, 2, np.int64(numbers[1]))
            cuda.atomic.add(counters, 1, np.int64(numbers[2]))
        cuda.syncthreads()
        if mine > 0:
            slot += start[0]
            for index in range(thread, numbers[0], threads):
                if found[index] & np.uint16(_LOST_MARK) != 0:
                    place = np.uint32(first + np.int64(found[index] & np.uint16(_LOST_MARK - 1)))
                    lost[slot] = place
                    codes[place] = np.uint8(loss)
                    slot += 1
        tile += cuda.gridDim.x


@cuda.jit
def compact(codes, items, counters, kept):
    """Copy those of the counters[0] items that are undecided to another list (length into `counters[3]`).

    Some are won although their blocker is not; nothing but this finds them.
    """
    kept_items = cuda.shared.array(TILE, np.uint16)
    number = cuda.shared.array(1, np.int32)
    start = cuda.shared.array(1, np.int64)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    tile = cuda.blockIdx.x
    count = counters[0]
    while np.int64(tile) * TILE < count:
        first = np.int64(tile) * TILE
        if thread == 0:
            number[0] = 0
        cuda.syncthreads()
        for index in range(thread, min(np.int64(TILE), count - first), threads):
            if items.waits[first + index] != GONE and codes[items.places[first + index]] == UNDECIDED:
                kept_items[cuda.atomic.add(number, 0, 1)] = index
        cuda.syncthreads()
        if thread == 0:
            start[0] = cuda.atomic.add(counters, 3, np.int64(number[0]))
        cuda.syncthreads()
        for index in range(thread, number[0], threads):
            item = first + np.int64(kept_items[index])
            kept.places[start[0] + index] = items.places[item]
            kept.waits[start[0] + index] = items.waits[item]
            kept.blocker[start[0] + index] = items.blocker[item]
        cuda.syncthreads()
        tile += cuda.gridDim.x
