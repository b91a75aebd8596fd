"""Step 3 of retrograde analysis (see `tiles.kernels`) on a GPU: positions that may be lost, losses, and wins before them.

Positions that may be lost stand in lists (`collect`, `find_losses`, `compact`), or where memory does not suffice for that in the table
alone (`scan_losses`).  There they hold LOSS_BASE + their bound, as step 2 has left them, until that distance is reached, then
UNDECIDED.  A loss that is decided never becomes a win, so a win may overwrite all codes but those of nearer wins and finished games.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.solve.tiles.codes import LOSS_BASE, LOSS_IN_1, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solve.tiles.cuda.cells import copy_to, moves_at, own_target, packed_rank, seen_through, tiles_at
from ludometer.solve.tiles.cuda.layout import DROPPED, GROUPS, KEPT, LOST, PIECE_RANKS, SEEN, SELECTED, SYMMETRIES, TILE
from ludometer.solve.tiles.pairs import X_TO_MOVE

_LOST_MARK = 1 << 15  # beside the number of an entry in its tile of 2048


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
                if least <= code < 255 or (clear and code == UNDECIDED):
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
def first_blocker(board, place_of, x_tiles, o_tiles, at, replies, win, groups, seen, compress, ranks):
    """(1 + the first move from `at` on that does not lead to a win up to the code `win`, where it leads); 0 if there is none."""
    waiting = moves_at(board.takes, x_tiles if place_of.side == X_TO_MOVE else o_tiles)
    waiting = (waiting >> np.uint64(at)) << np.uint64(at)
    while waiting != 0:
        move = np.int32(cuda.ffs(waiting)) - 1
        waiting &= waiting - np.uint64(1)
        target, free, image = own_target(board, place_of.diagonal, x_tiles, o_tiles, move, groups, seen)
        where = (np.int64(target) - place_of.first) * place_of.columns + np.int64(packed_rank(compress, ranks, free, image))
        code = np.int32(replies[where])
        if not WIN_BASE <= code <= win:
            return np.int32(move + 1), np.uint32(where)
    return np.int32(0), np.uint32(0)


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
                    blocked, where = first_blocker(board, place_of, x_tiles, o_tiles, at, replies, win, groups, seen, compress, ranks)
                    if blocked == 0:
                        state = np.uint8(LOST)
                    else:
                        items.resume[item] = blocked
                        items.blocker[item] = where
        status[item] = state
        item += stride


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
    ranks = cuda.shared.array(PIECE_RANKS, np.uint32)
    found = cuda.shared.array(TILE, np.uint16)
    numbers = cuda.shared.array(3, np.int32)  # entries to look at, lost ones among them, others that wait for their bound or a blocker
    start = cuda.shared.array(1, np.int64)
    copy_to(groups, board.groups)
    copy_to(seen, small.seen)
    copy_to(compress, small.compress)
    copy_to(spread, small.spread)
    copy_to(ranks, small.ranks)
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
    if old == UNDECIDED or (old > code and old != LOSS_BASE):  # not a nearer win, not a finished game
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
                if old == UNDECIDED or (old > WIN_IN_1 and old != LOSS_BASE):
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
