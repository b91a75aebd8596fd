"""Retrograde analysis of a tile game on the CPU, one pair of classes at a time (`lookup` explains the tables).

Retrograde analysis begins at the end: finished positions are known, and what is known of a position's successors decides the position
itself, over and over until nothing changes.  Because it never follows a line of play it does not mind games that go round in circles:
what is never decided is a draw.  Here:

1. Finished positions get their value; what can reach a lost one by moving an own tile is won in 1.
2. Every other position looks at all its successors with one tile more, which are known: the nearest loss makes it a win, a draw
   makes it safe, and if all are wins the farthest is a lower bound for its own loss.
3. For growing distance: a position all of whose successors are wins of at most that distance is lost one move later; the positions
   it can be reached from by moving an own tile are won another move later if they have nothing nearer.
4. What is left is a draw.

Step 3 keeps lists of the positions that may still be lost; each remembers the move that kept it from being lost and goes on there.
All steps look at stop[0] now and then and end early, with nothing of use, once it is set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol, tiling
from ludometer.core.bits import U0, U1, lowest_bit
from ludometer.core.compilation import kernel
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.solve.tiles.binomials import columns_of
from ludometer.solve.tiles.codes import LOSS_BASE, LOSS_IN_1, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1, is_loss, is_win, loss_before, win_before
from ludometer.solve.tiles.lookup import all_cells, moves_of, packed, permuted, rank, unpacked
from ludometer.solve.tiles.pairs import X_TO_MOVE

SOLVED, NO_CODE, STOPPED = range(3)  # how `solve_pair` ends
_BETWEEN_LOOKS = 4096  # list items between two looks at a request to stop


class Shape(NamedTuple):
    """The tables of a pair, both of which have this shape."""

    more: int  # X tiles
    fewer: int  # O tiles
    rows: int
    columns: int


class Side(NamedTuple):
    """One table of a pair, and those its moves lead to; each (rows · columns of its pair,) uint8 codes."""

    to_move: int  # X_TO_MOVE or O_TO_MOVE
    codes: np.ndarray
    replies: np.ndarray  # the pair's other table, reached by moving an own tile; the same table on the diagonal
    further: np.ndarray  # the table with one tile more, reached by taking a blank; empty on a full board


class Listed(NamedTuple):
    """Positions that may still be lost, with room for all entries of a table."""

    places: np.ndarray  # (entries,) uint32
    bounds: np.ndarray  # (entries,) uint8: the win code of the farthest successor with one tile more, so not lost sooner
    resume: np.ndarray  # (entries,) uint8: the move that kept it from being lost


_ONE = np.uint32(1)

# What a successor's code does to a position, without branches that a processor would have to guess.
_WIN_BY = np.array([255] * 128 + [WIN_IN_1, 255] + [code - 127 for code in range(130, 255)] + [255], np.int64)  # codes.win_before
_BOUND_BY = np.array([code if code < LOSS_BASE else 0 for code in range(256)], np.int64)


@kernel
def finish(rules, tables, shape, side, begin, end, lost, stop):
    """Step 1 for the rows begin..end of one table; the positions lost already go to `lost`, returns how many."""
    columns, codes = shape.columns, side.codes
    combinations = tables.combinations[tables.first_combination[tables.cells - shape.more, shape.fewer] :]
    spread, chunks = tables.spread, tables.permute.shape[2]
    losses = 0
    for row in range(begin, end):
        if stop[0] != 0:
            return losses
        x_tiles = tables.representatives[tables.first_row[shape.more] + row]
        free = all_cells(tables.cells) & ~x_tiles
        for column in range(columns):
            o_tiles = np.uint64(unpacked(spread, chunks, free, combinations[column]))
            if side.to_move == X_TO_MOVE:
                value = protocol.outcome(rules, tiling.state_of_tiles(rules, np.uint64(x_tiles), o_tiles))
            else:
                value = protocol.outcome(rules, tiling.state_of_tiles(rules, o_tiles, np.uint64(x_tiles)))
            code = UNDECIDED
            if value == WIN:
                code = np.uint8(WIN_BASE)
            elif value == LOSS:
                code = np.uint8(LOSS_BASE)
                lost[losses] = row * columns + column
                losses += 1
            elif value != ONGOING:
                code = SAFE
            codes[row * columns + column] = code
    return losses


@kernel
def fill(tables, shape, side, begin, end, listed, stop):
    """Step 2 for rows begin..end of a table.

    Positions that may be lost go to `listed` with their bound, a win code; returns how many, and the farthest win or bound seen
    (255 if a win in 2 turned up, which has no code).
    """
    more, fewer, columns = shape.more, shape.fewer, shape.columns
    x_to_move, codes, further = side.to_move == X_TO_MOVE, side.codes, side.further
    places, bounds = listed.places, listed.bounds
    cells, moves = tables.cells, tables.moves
    permute, compress, spread = tables.permute, tables.compress, tables.spread
    rank_low, rank_high, takes = tables.rank_low, tables.rank_high, tables.takes
    representatives, first_row = tables.representatives, tables.first_row
    chunks = permute.shape[2]
    edge_base = np.empty(moves, np.int64)
    edge_free = np.empty(moves, np.uint32)
    edge_symmetry = np.empty(moves, np.int64)
    edge_bit = np.empty(moves, np.uint32)
    combinations = tables.combinations[tables.first_combination[cells - more, fewer] :]
    everything = all_cells(cells)
    found, farthest = 0, 0
    if x_to_move:
        further_first, further_columns = first_row[more + 1], columns_of(cells, more + 1, fewer)
    else:
        further_first, further_columns = first_row[more], columns_of(cells, more, fewer + 1)
    for row in range(begin, end):
        if stop[0] != 0:
            return found, farthest
        x_tiles = representatives[first_row[more] + row]
        free = everything & ~x_tiles
        for move in range(moves):
            if x_tiles & (_ONE << np.uint32(tables.taken[move])) != 0:
                continue
            entered = _ONE << np.uint32(tables.entered[move])
            after = permuted(permute, move, 0, x_tiles)
            if x_to_move:
                after |= entered
            orbit = tables.orbit[after]
            target = np.int64(orbit >> np.uint32(3))
            symmetry = np.int64(orbit & np.uint32(7))
            edge_base[move] = (target - further_first) * further_columns
            edge_free[move] = everything & ~representatives[target]
            edge_symmetry[move] = symmetry
            edge_bit[move] = np.uint32(0) if x_to_move else permuted(permute, 2 * moves, symmetry, entered)
        for column in range(columns):
            place = row * columns + column
            if codes[place] != UNDECIDED:
                continue
            o_tiles = unpacked(spread, chunks, free, combinations[column])
            nearest = np.int64(255)
            bound = np.int64(WIN_BASE)
            drawn = False
            odd = False
            waiting = moves_of(takes, everything & ~(x_tiles | o_tiles))
            while waiting != U0:
                move = np.uint64(lowest_bit(waiting))
                waiting &= waiting - U1
                image = permuted(permute, move, edge_symmetry[move], o_tiles) | edge_bit[move]
                value = packed(compress, chunks, edge_free[move], image)
                code = further[np.uint64(edge_base[move] + rank(rank_low, rank_high, value))]
                nearest = min(nearest, _WIN_BY[code])
                bound = max(bound, _BOUND_BY[code])
                drawn |= code == UNDECIDED
                odd |= code == LOSS_IN_1
                if nearest == WIN_IN_1:
                    break
            if odd and nearest != WIN_IN_1:
                return found, 255
            if nearest < 255:
                codes[place] = np.uint8(nearest)
                farthest = max(farthest, nearest)
            elif drawn:
                codes[place] = SAFE
            else:
                places[found] = place
                bounds[found] = bound
                found += 1
                farthest = max(farthest, bound)
    return found, farthest


@kernel
def find_losses(tables, shape, side, win, listed, count, lost, stop):
    """Step 3, first half: positions all of whose successors are wins up to the code `win` move from `listed` to `lost`.

    Returns (still listed, number lost).
    """
    more, columns = shape.more, shape.columns
    diagonal, x_to_move = more == shape.fewer, side.to_move == X_TO_MOVE
    codes, replies = side.codes, side.replies
    places, bounds, resume = listed.places, listed.bounds, listed.resume
    moves, chunks = tables.moves, tables.permute.shape[2]
    permute, compress, spread = tables.permute, tables.compress, tables.spread
    rank_low, rank_high, takes = tables.rank_low, tables.rank_high, tables.takes
    orbit_of, representatives, first_row = tables.orbit, tables.representatives, tables.first_row
    combinations = tables.combinations[tables.first_combination[tables.cells - more, shape.fewer] :]
    everything = all_cells(tables.cells)
    edge_row = np.full(moves, -1, np.int64)  # the row for which the edge of a move is known
    edge_base = np.empty(moves, np.int64)
    edge_free = np.empty(moves, np.uint32)
    edge_symmetry = np.empty(moves, np.int64)
    kept, losses = 0, 0
    for item in range(count):
        if item % _BETWEEN_LOOKS == 0 and stop[0] != 0:
            return 0, 0
        place = np.int64(places[item])
        if codes[place] != UNDECIDED:
            continue
        move = np.int64(resume[item])
        if bounds[item] <= win:
            row = place // columns
            x_tiles = representatives[first_row[more] + row]
            o_tiles = unpacked(spread, chunks, everything & ~x_tiles, combinations[place - row * columns])
            mover = x_tiles if x_to_move else o_tiles
            waiting = (moves_of(takes, mover) >> np.uint64(move)) << np.uint64(move)
            blocked = False
            while waiting != U0:
                move = lowest_bit(waiting)
                waiting &= waiting - U1
                at = np.uint64(move)
                if diagonal or edge_row[at] != row:
                    orbit = orbit_of[permuted(permute, at, 0, o_tiles if diagonal else x_tiles)]
                    target = orbit >> np.uint32(3)
                    edge_row[at] = row
                    edge_base[at] = (np.int64(target) - first_row[more]) * columns
                    edge_free[at] = everything & ~representatives[target]
                    edge_symmetry[at] = np.int64(orbit & np.uint32(7))
                image = permuted(permute, at, edge_symmetry[at], x_tiles if diagonal else o_tiles)
                value = packed(compress, chunks, edge_free[at], image)
                code = replies[np.uint64(edge_base[at] + rank(rank_low, rank_high, value))]
                if not (is_win(code) and code <= win):
                    blocked = True
                    break
            if not blocked:
                lost[losses] = place
                losses += 1
                continue
        places[kept] = place
        bounds[kept] = bounds[item]
        resume[kept] = move
        kept += 1
    for item in range(losses):
        codes[lost[item]] = loss_before(win)
    return kept, losses


@kernel
def push_wins(tables, shape, side, lost, count, loss, stop):
    """Step 3, second half: what can reach the lost positions (code `loss`) by moving an own tile is won a move later.

    Returns False if a win in 2 turned up, which has no code.  `side` is that of the lost positions; the wins are in its `replies`.  A
    position whose X tiles are symmetric has several entries in its row: the win goes to all of them.
    """
    more, columns, replies = shape.more, shape.columns, side.replies
    diagonal, x_to_move = more == shape.fewer, side.to_move == X_TO_MOVE
    moves, chunks = tables.moves, tables.permute.shape[2]
    permute, compress, spread = tables.permute, tables.compress, tables.spread
    rank_low, rank_high, enters, kept_by = tables.rank_low, tables.rank_high, tables.enters, tables.kept_by
    orbit_of, representatives, first_row = tables.orbit, tables.representatives, tables.first_row
    combinations = tables.combinations[tables.first_combination[tables.cells - more, shape.fewer] :]
    everything = all_cells(tables.cells)
    edge_row = np.full(moves, -1, np.int64)
    edge_base = np.empty(moves, np.int64)
    edge_free = np.empty(moves, np.uint32)
    edge_symmetry = np.empty(moves, np.int64)
    edge_kept_by = np.empty(moves, np.uint8)
    code = np.uint8(win_before(loss) if loss != LOSS_IN_1 else WIN_IN_1)
    representable = True
    for item in range(count):
        if item % _BETWEEN_LOOKS == 0 and stop[0] != 0:
            return representable
        place = np.int64(lost[item])
        row = place // columns
        x_tiles = representatives[first_row[more] + row]
        o_tiles = unpacked(spread, chunks, everything & ~x_tiles, combinations[place - row * columns])
        moved = o_tiles if x_to_move else x_tiles
        waiting = moves_of(enters, moved)
        while waiting != U0:
            move = np.uint64(lowest_bit(waiting))
            waiting &= waiting - U1
            if diagonal or edge_row[move] != row:
                orbit = orbit_of[permuted(permute, np.uint64(moves) + move, 0, o_tiles if diagonal else x_tiles)]
                target = orbit >> np.uint32(3)
                edge_row[move] = row
                edge_base[move] = (np.int64(target) - first_row[more]) * columns
                edge_free[move] = everything & ~representatives[target]
                edge_symmetry[move] = np.int64(orbit & np.uint32(7))
                edge_kept_by[move] = kept_by[target]
            image = permuted(permute, np.uint64(moves) + move, edge_symmetry[move], x_tiles if diagonal else o_tiles)
            before = edge_base[move] + rank(rank_low, rank_high, packed(compress, chunks, edge_free[move], image))
            if loss == LOSS_IN_1:
                old = replies[before]
                representable &= (is_win(old) and old <= WIN_IN_1) or is_loss(old)
                continue
            _lower(replies, np.uint64(before), code)
            twins = np.uint64(edge_kept_by[move])
            while twins != U0:
                twin = permuted(permute, 2 * moves, lowest_bit(twins), image)
                twins &= twins - U1
                before = edge_base[move] + rank(rank_low, rank_high, packed(compress, chunks, edge_free[move], twin))
                _lower(replies, np.uint64(before), code)
    return representable


@njit
def _lower(codes, place, code):
    old = codes[place]
    codes[place] = code if (old == UNDECIDED) | (old == SAFE) | ((old > code) & (old < LOSS_BASE)) else old


@kernel
def close(tables, shape, codes, begin, end, counts):
    """Step 4 for rows begin..end, and the number of positions by code into `counts` (256), each with its weight."""
    for row in range(begin, end):
        weight = np.int64(tables.weight[tables.first_row[shape.more] + row])
        for place in range(row * shape.columns, (row + 1) * shape.columns):
            if codes[place] == SAFE:
                codes[place] = UNDECIDED
            counts[codes[place]] += weight


@kernel
def solve_pair(rules, tables, shape, x_side, o_side, x_listed, o_listed, lost, stop):
    """All steps but the last for one pair in one thread; returns SOLVED, NO_CODE if a value has none, or STOPPED.

    Fills the codes of both sides; on the diagonal, where there is one table, `o_side` and `o_listed` are empty.  `lost` has room for all
    entries of both tables (uint32).
    """
    rows = shape.rows
    diagonal = shape.more == shape.fewer
    x_lost = finish(rules, tables, shape, x_side, 0, rows, lost, stop)
    o_lost = 0
    if not diagonal:
        o_lost = finish(rules, tables, shape, o_side, 0, rows, lost[x_lost:], stop)
    push_wins(tables, shape, x_side, lost, x_lost, LOSS_BASE, stop)
    if not diagonal:
        push_wins(tables, shape, o_side, lost[x_lost:], o_lost, LOSS_BASE, stop)
    x_count, limit = fill(tables, shape, x_side, 0, rows, x_listed, stop)
    x_listed.resume[:x_count] = 0
    o_count = 0
    if not diagonal:
        o_count, o_limit = fill(tables, shape, o_side, 0, rows, o_listed, stop)
        o_listed.resume[:o_count] = 0
        limit = max(limit, o_limit)
    limit = max(limit, WIN_IN_1)  # finished losses have made wins in 1
    win = WIN_BASE
    while win <= limit:
        if stop[0] != 0:
            return STOPPED
        if limit >= LOSS_BASE - 1:
            return NO_CODE
        x_count, x_lost = find_losses(tables, shape, x_side, win, x_listed, x_count, lost, stop)
        o_lost = 0
        if not diagonal:
            o_count, o_lost = find_losses(tables, shape, o_side, win, o_listed, o_count, lost[x_lost:], stop)
        representable = push_wins(tables, shape, x_side, lost, x_lost, loss_before(win), stop)
        if not diagonal:
            representable &= push_wins(tables, shape, o_side, lost[x_lost:], o_lost, loss_before(win), stop)
        if not representable:
            return NO_CODE
        if x_lost + o_lost > 0:
            limit = max(limit, win + 1)
        win += 1
    return STOPPED if stop[0] != 0 else SOLVED
