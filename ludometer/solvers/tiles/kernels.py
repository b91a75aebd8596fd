"""Retrograde analysis of a tile game on the CPU, one pair of classes at a time, row by row (`lookup` explains the tables).

Retrograde analysis begins at the end: finished positions are known, and what is known of a position's successors decides the position
itself, over and over until nothing changes.  Because it never follows a line of play it does not mind games that go round in circles:
what is never decided is a draw.  Here:

1. `fill`: finished positions get their value.  Every other position looks at all its successors with one tile more, which are known: the
   nearest loss makes it a win, a draw makes it safe, and if all are wins the farthest is a lower bound for its own loss.
2. `push_wins`: what can reach a lost position by moving an own tile is won in 1.
3. For growing distance, `find_losses`: a position all of whose successors are wins of at most that distance is lost one move later;
   `push_wins`: the positions it can be reached from by moving an own tile are won another move later if they have nothing nearer.
4. `close`: what is left is a draw.

Any number of threads share the rows of a table in each of these.  `find_losses` reads wins of at most the present distance, which are all
known, and writes only to rows of its own; all that `push_wins` writes is one and the same number, and it reads none that it has written as
anything else.  So the result does not depend on threads or on the order of rows.

While a pair is being solved, a code LOSS_BASE + w beyond the present distance says that the position is not lost sooner than that; a code
UNDECIDED, that it would be lost at once if only its own tiles' moves allowed it.  Nothing else is kept: what is to be looked at again is
found by reading the row.  Steps can be repeated from where they began with the same result.

For one row and one move the new row is the same for all columns.  `aim` says which it is and cuts the permutation of columns into two
tables, so that the place of a successor is found with four look-ups in small tables and one in a row of the target.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0, U1, lowest_bit, popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.codes import LOSS_BASE, LOSS_IN_1, NO_CODE, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.lookup import all_cells, packed, permuted, rank, rank_from, unpacked
from ludometer.solvers.tiles.pairs import X_TO_MOVE

_FEW = 12  # positions of a row up to which it does not pay to cut a permutation into halves
_RANKED_AT_ONCE = 12  # cells up to which one look-up ranks a set
_ONE = np.uint32(1)
_ZERO = np.uint32(0)
_WORD = np.uint64(0xFFFFFFFF)

# Preference of a player for moving to a successor with this code: nearer losses, then draws, then farther wins.
_PREFERENCE = np.array([128, *range(1, 128), *(code ^ 127 for code in range(128, 255)), 0], np.uint8)
# The code of a position by the preference of its best successor with one tile more; without any, only moves of own tiles can delay a loss.
_CODE_BY = np.array(
    [LOSS_BASE + WIN_BASE]
    + [LOSS_BASE + win for win in range(1, 128)]
    + [SAFE]
    + [(preferred ^ 127) - 127 for preferred in range(129, 254)]
    + [NO_CODE, WIN_IN_1],
    np.uint8,
)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)


class Shape(NamedTuple):
    """The tables of a pair, both of which have this shape, and what its columns are."""

    more: int  # X tiles
    fewer: int  # O tiles
    rows: int
    columns: int
    tiles: np.ndarray  # (columns,) uint32: columns as sets of packed cells
    without: np.ndarray  # (packed cells, …) uint64: the columns without this cell, ascending; each times 2^32, and its tiles


class Halves(NamedTuple):
    """How sets of packed cells are cut in two and ranked."""

    bits: int  # cells of the lower half
    rank_bits: int  # the same for ranks; all cells if these are few
    low: np.ndarray  # (2^rank_bits,) uint16: colexicographic rank of the lower half
    high: np.ndarray  # (rank_bits + 1, 2^others) uint32: what the upper half adds, by the number of bits set below; (0, 0) if there is none


class Side(NamedTuple):
    """One table of a pair while it is solved, and data of its rows."""

    to_move: int  # X_TO_MOVE or O_TO_MOVE
    codes: np.ndarray  # (rows · columns, and up to 7 more) uint8
    words: np.ndarray  # the same bytes as uint64
    wins: np.ndarray  # (rows, 2) uint64: codes of wins that `fill` found, as bits
    bounds: np.ndarray  # (rows, 2) uint64: for positions that may be lost the farthest win of their successors with one tile more, as bits
    is_open: np.ndarray  # (rows,) bool: positions are UNDECIDED
    awake: np.ndarray  # (rows,) bool: a successor of the row may have become a win of the present distance
    fresh: np.ndarray  # (rows,) bool: it has new wins
    lost: np.ndarray  # (rows,) bool: it has positions lost at the present distance
    settled: np.ndarray  # (rows,) bool: all its positions are finished or won in 1


class Target(NamedTuple):
    """Where one move, or its reverse, leads from a row."""

    way: int  # the move, or its reverse, as the look-up tables number them
    symmetry: int  # that turns the row reached into its representative
    free: np.uint32  # cells without X tiles there
    base: np.uint64  # the first entry of the row reached


class Row(NamedTuple):
    """Scratch for one row."""

    cells: np.ndarray  # (N,) uint8: the cell that each packed cell is
    low: np.ndarray  # uint32: where the lower half of a column goes, for one move; see `_aim`
    high: np.ndarray  # uint32
    sets: np.ndarray  # (_FEW,) uint32: the O tiles of a few columns
    moves: np.ndarray  # (M,) int64: the moves in question
    targets: np.ndarray  # (M,) uint32: what `orbit` says of the row each of them leads to


def halves(length: int, cells: int) -> Halves:
    """The cut for sets of `length` packed cells."""
    bits = length - length // 2
    rank_bits = length if length <= _RANKED_AT_ONCE else bits
    low = np.zeros(1 << rank_bits, np.uint16)
    high = np.zeros((rank_bits + 1, 1 << (length - rank_bits)) if rank_bits < length else (0, 0), np.uint32)
    _rank_halves(rank_bits, low, high, cells)
    return Halves(bits, rank_bits, low, high)


@kernel
def _rank_halves(bits, low, high, cells):
    for value in range(low.size):
        low[value] = rank_from(value, 0, 0, cells)
    for below in range(high.shape[0]):
        for value in range(high.shape[1]):
            high[below, value] = rank_from(value, bits, below, cells)


def columns_without(tiles: np.ndarray, length: int) -> np.ndarray:
    """For each packed cell the columns that leave it free; all have as many."""
    found = [np.flatnonzero(tiles >> np.uint32(cell) & _ONE == 0) for cell in range(length)]
    columns = np.array(found, np.uint64).reshape(length, found[0].size if found else 0)
    both: np.ndarray = columns << np.uint64(32) | tiles[columns]
    return both


@njit
def new_row(cells, moves):
    """Room for a row of a board of this size."""
    half = 1 << (cells - cells // 2)
    low, high = np.empty(half, np.uint32), np.empty(half, np.uint32)
    return Row(np.empty(cells, np.uint8), low, high, np.empty(_FEW, np.uint32), np.empty(moves, np.int64), np.empty(moves, np.uint32))


@njit
def _list_cells(free, cells):
    """The cells of the set `free`, ascending, into `cells`."""
    at = U0
    while free != _ZERO:
        cells[at] = lowest_bit(np.uint64(free))
        free &= free - _ONE
        at += U1


@njit
def _aim(carry, way, symmetry, cells, length, target_free, bits, low, high):
    """Where the packed cells of a row go when a move (or its reverse) and a symmetry are applied: `low` and `high`, by halves."""
    low[U0] = _ZERO
    high[U0] = _ZERO
    for place in range(length):
        cell = np.uint32(carry[way, symmetry, cells[place]])
        bit = _ONE << cell
        image = _ONE << np.uint32(popcount(np.uint64(target_free & (bit - _ONE))))
        if target_free & bit == _ZERO:
            image = _ZERO
        if place < bits:
            _add_cell(low, place, image)
        else:
            _add_cell(high, place - bits, image)


@njit
def _add_cell(images, number, image):
    """The images of sets with this cell, behind those of the sets of the cells before it."""
    size = U1 << np.uint64(number)
    for value in range(size):
        images[size + np.uint64(value)] = images[np.uint64(value)] | image


@njit
def _spread(cells, length, bits, low, high):
    """Which cells the packed cells of a row are: `low` and `high`, by halves."""
    low[U0] = _ZERO
    high[U0] = _ZERO
    for place in range(length):
        image = _ONE << np.uint32(cells[place])
        if place < bits:
            _add_cell(low, place, image)
        else:
            _add_cell(high, place - bits, image)


@njit
def _through(low, high, bits, tiles):
    """A column, as a set of packed cells, after what `_aim` was asked about."""
    return low[np.uint64(tiles & ((_ONE << bits) - _ONE))] | high[np.uint64(tiles >> bits)]


@njit
def _ranked(rank_low, rank_high, bits, image):
    """The column that a set of packed cells is."""
    if rank_high.size == 0:
        return np.uint64(rank_low[np.uint64(image)])
    part = image & ((_ONE << bits) - _ONE)
    return np.uint64(np.uint32(rank_low[np.uint64(part)]) + rank_high[np.uint64(popcount(np.uint64(part))), np.uint64(image >> bits)])


@njit
def _list_targets(permute, orbit_of, cell_of, want, x_tiles, first_way, moves, targets):
    """The moves whose cell `cell_of` is an X tile (or is none, if `want` is False) and where they lead; returns how many."""
    count = 0
    for move in range(cell_of.size):
        if (x_tiles & (_ONE << np.uint32(cell_of[move])) != _ZERO) == want:
            moves[count] = move
            targets[count] = orbit_of[permuted(permute, first_way + move, 0, x_tiles)]
            count += 1
    return count


@kernel
def fill(rules, tables, shape, halves_of, side, further, begin, end, codes, stop):
    """Step 1 for rows begin..end of one table into `codes`, in which `begin` is the first row.

    `further`: the table with one tile more that taking a blank leads to (empty on a full board); `halves_of` cuts its columns.
    """
    cells, more, width = tables.cells, shape.more, shape.columns
    x_to_move = side.to_move == X_TO_MOVE
    permute, carry, orbit_of = tables.permute, tables.carry, tables.orbit
    representatives, entered_by = tables.representatives, tables.entered
    tiles, without = shape.tiles, shape.without
    bits, rank_low, rank_high = np.uint32(halves_of.rank_bits), halves_of.low, halves_of.high
    length = cells - more
    own_bits = np.uint32(length - length // 2)
    everything = all_cells(cells)
    room = new_row(cells, tables.moves)
    low, high = room.low, room.high
    preferred = np.empty(width, np.uint8)
    further_more = more + 1 if x_to_move else more
    further_first = tables.first_row[further_more]
    further_columns = WAYS[cells - further_more, shape.fewer if x_to_move else shape.fewer + 1] if further.size > 0 else 0
    for row in range(begin, end):
        if stop[0] != 0:
            return
        x_tiles = representatives[tables.first_row[more] + row]
        free = everything & ~x_tiles
        _list_cells(free, room.cells)
        _spread(room.cells, length, own_bits, low, high)
        base = np.uint64((row - begin) * width)
        going_on = _finish(rules, x_to_move, np.uint64(x_tiles), tiles, low, high, own_bits, codes, base)
        preferred[:] = 0
        if further.size > 0 and going_on > 0:
            count = 0
            for move in range(tables.moves):
                if x_tiles & (_ONE << np.uint32(tables.taken[move])) == _ZERO:
                    after = permuted(permute, move, 0, x_tiles)
                    if x_to_move:
                        after |= _ONE << np.uint32(entered_by[move])
                    room.moves[count] = move
                    room.targets[count] = orbit_of[after]
                    count += 1
            for index in range(count):
                move, orbit = room.moves[index], room.targets[index]
                target = np.int64(orbit >> np.uint32(3))
                target_free = everything & ~representatives[target]
                _aim(carry, move, np.int64(orbit & np.uint32(7)), room.cells, length, target_free, own_bits, low, high)
                first = np.uint64((target - further_first) * further_columns)
                place = popcount(np.uint64(free & ((_ONE << np.uint32(tables.taken[move])) - _ONE)))
                put = _ZERO if x_to_move else _through(low, high, own_bits, _ONE << np.uint32(place))
                _look_further(without[place], own_bits, low, high, put, bits, rank_low, rank_high, further, first, preferred)
        for column in range(width):
            if codes[base + np.uint64(column)] == UNDECIDED:
                codes[base + np.uint64(column)] = _CODE_BY[np.uint64(preferred[column])]
        note_codes(codes[np.int64(base) : np.int64(base) + width], side.wins[row], side.bounds[row])


@njit
def _finish(rules, x_to_move, x_tiles, tiles, low, high, bits, codes, base):
    """The codes of finished positions of a row, from `base` on; the others are UNDECIDED.  Returns how many these are.

    `low` and `high` are those of `_spread`.
    """
    going_on = 0
    for column in range(tiles.size):
        o_tiles = np.uint64(_through(low, high, bits, tiles[np.uint64(column)]))
        if x_to_move:
            value = protocol.outcome(rules, tiling.state_of_tiles(rules, x_tiles, o_tiles))
        else:
            value = protocol.outcome(rules, tiling.state_of_tiles(rules, o_tiles, x_tiles))
        code = SAFE
        if value == ONGOING:
            code = UNDECIDED
            going_on += 1
        elif value == WIN:
            code = np.uint8(WIN_BASE)
        elif value == LOSS:
            code = np.uint8(LOSS_BASE)
        codes[base + np.uint64(column)] = code
    return going_on


@njit
def note_codes(codes, wins, bounds):
    """The codes of wins and of bounds that a row has when it is filled, as bits."""
    wins[:] = U0
    bounds[:] = U0
    for index in range(codes.size):
        code = np.uint64(codes[np.uint64(index)])
        half = (code >> np.uint64(6)) & U1
        if code < np.uint64(LOSS_BASE):
            wins[half] |= U1 << (code & np.uint64(63))
        elif code != np.uint64(SAFE):
            bounds[half] |= U1 << (code & np.uint64(63))


@kernel
def note_rows(shape, side, begin, end):
    """What `fill` notes of rows begin..end, from codes that come from elsewhere; rows with UNDECIDED positions are open."""
    for row in range(begin, end):
        note_codes(side.codes[row * shape.columns : (row + 1) * shape.columns], side.wins[row], side.bounds[row])
        side.is_open[row] = side.wins[row, 0] & U1 != U0


@kernel
def settle(shape, side, begin, end):
    """Find the rows begin..end of one table to which no win can be added any more."""
    for row in range(begin, end):
        place, last = np.uint64(row * shape.columns), np.uint64((row + 1) * shape.columns)
        while place < last and side.codes[place] in (WIN_BASE, WIN_IN_1, LOSS_BASE):
            place += U1
        side.settled[row] = place == last


@njit
def _look_further(which, own_bits, low, high, put, bits, rank_low, rank_high, further, base, preferred):
    """Raise `preferred` to the preference of the successor by one move, for the columns that allow it."""
    for index in range(which.size):
        both = which[np.uint64(index)]
        column = both >> np.uint64(32)
        image = _through(low, high, own_bits, np.uint32(both & _WORD)) | put
        code = further[base + _ranked(rank_low, rank_high, bits, image)]
        preferred[column] = max(preferred[column], _PREFERENCE[np.uint64(code)])


@kernel
def find_losses(tables, shape, halves_of, side, other, win, begin, end, stop):
    """Step 3, first half, for rows begin..end of one table: positions all of whose successors are wins up to the code `win` are lost.

    Returns how many.
    """
    width = shape.columns
    items = np.empty(width + 8, np.uint32)
    room = new_row(tables.cells, tables.moves)
    waiting = np.uint8(LOSS_BASE + win)
    codes = side.codes
    half, bit = (win >> 6) & 1, U1 << np.uint64(win & 63)
    found = 0
    for row in range(begin, end):
        if stop[0] != 0:
            return found
        side.lost[row] = False
        if side.bounds[row, half] & bit == U0 and not (side.is_open[row] and side.awake[row]):
            continue
        base = np.uint64(row * width)
        count = _list_open(codes, side.words, base, width, waiting, items)
        lost = 0
        if count > 0:
            lost = _lost_of(tables, shape, halves_of, side.to_move, row, win, items, count, other, room)
        for index in range(lost):
            codes[base + np.uint64(items[index])] = waiting
        for index in range(lost, count):
            codes[base + np.uint64(items[index])] = UNDECIDED
        side.is_open[row] = lost < count
        side.lost[row] = lost > 0
        found += lost
    return found


@njit
def _list_open(codes, words, base, width, waiting, items):
    """The columns of a row whose code is UNDECIDED or `waiting`, ascending, into `items`; returns how many."""
    count = U0
    end = base + np.uint64(width)
    pattern = np.uint64(waiting) * _EVERY_BYTE
    for at in range(base >> np.uint64(3), (end + np.uint64(7)) >> np.uint64(3)):
        word = words[at]
        other = word ^ pattern
        if ((word - _EVERY_BYTE) & ~word | (other - _EVERY_BYTE) & ~other) & _HIGH_BITS == U0:
            continue
        first = np.uint64(at) << np.uint64(3)
        for place in range(max(first, base), min(first + np.uint64(8), end)):
            code = codes[place]
            items[count] = place - base
            count += np.uint64((code == UNDECIDED) | (code == waiting))
    return np.int64(count)


@njit
def _lost_of(tables, shape, halves_of, to_move, row, win, items, count, other, room):
    """Of the first `count` columns in `items` those all of whose successors by an own tile are wins up to the code `win`, at its front.

    Returns how many; the others come behind them.
    """
    cells, more, width = tables.cells, shape.more, shape.columns
    x_to_move = to_move == X_TO_MOVE
    permute, representatives, taken_by = tables.permute, tables.representatives, tables.taken
    first = tables.first_row[more]
    everything = all_cells(cells)
    x_tiles = representatives[first + row]
    free = everything & ~x_tiles
    tiles = shape.tiles
    bits = np.uint32(halves_of.bits)
    listed = False
    _list_cells(free, room.cells)
    moves = _list_targets(permute, tables.orbit, taken_by, x_to_move, x_tiles, 0, room.moves, room.targets)
    replies = other.codes
    left = count
    for index in range(moves):
        move, orbit = room.moves[index], room.targets[index]
        row_reached = np.int64(orbit >> np.uint32(3))
        if win >= WIN_IN_1 and other.settled[row_reached - first] and other.bounds[row_reached - first, 0] & U1 == U0:
            continue  # all are won by now
        free_there = everything & ~representatives[row_reached]
        target = Target(move, np.int64(orbit & np.uint32(7)), free_there, np.uint64((row_reached - first) * width))
        taken = _ZERO if x_to_move else _ONE << np.uint32(taken_by[move])
        if left <= _FEW:
            if not listed:
                for item in range(left):
                    room.sets[item] = unpacked(tables.spread, permute.shape[2], free, tiles[np.uint64(items[item])])
                listed = True
            left = _keep_few(tables, target, taken, replies, win, items, room.sets, left)
        else:
            needed = _ZERO if x_to_move else _ONE << np.uint32(popcount(np.uint64(free & (taken - _ONE))))
            _aim(tables.carry, move, target.symmetry, room.cells, cells - more, target.free, bits, room.low, room.high)
            left = _keep_won(tiles, room, halves_of, needed, replies, target.base, win, items, left)
        if left == 0:
            return 0
    return left


@njit
def _keep_won(tiles, room, halves_of, needed, replies, base, win, items, left):
    """Move the items among the first `left` whose successor by one move is a win up to `win`, or that do not allow it, to the front.

    `room.low` and `room.high` say where the move leads (`_aim`).  Returns how many they are.
    """
    bits, rank_bits = np.uint32(halves_of.bits), np.uint32(halves_of.rank_bits)
    low, high, rank_low, rank_high = room.low, room.high, halves_of.low, halves_of.high
    kept = U0
    for index in range(left):
        item = items[np.uint64(index)]
        column = tiles[np.uint64(item)]
        code = replies[base + _ranked(rank_low, rank_high, rank_bits, _through(low, high, bits, column))]
        items[np.uint64(index)] = items[kept]
        items[kept] = item
        kept += np.uint64((np.uint8(code - np.uint8(1)) < win) | (column & needed != needed))
    return np.int64(kept)


@njit
def _keep_few(tables, target, taken, replies, win, items, sets, left):
    """As `_keep_won` for a few items, whose O tiles are `sets`, without the tables of `_aim`."""
    permute, compress, rank_low, rank_high = tables.permute, tables.compress, tables.rank_low, tables.rank_high
    kept = U0
    for index in range(left):
        at = np.uint64(index)
        item, o_tiles = items[at], sets[at]
        code = np.uint8(WIN_BASE)
        if o_tiles & taken == taken:
            image = packed(compress, permute.shape[2], target.free, permuted(permute, target.way, target.symmetry, o_tiles))
            code = replies[target.base + np.uint64(rank(rank_low, rank_high, image))]
        items[at], sets[at] = items[kept], sets[kept]
        items[kept], sets[kept] = item, o_tiles
        kept += np.uint64(np.uint8(code - np.uint8(1)) < win)
    return np.int64(kept)


@kernel
def push_wins(tables, shape, halves_of, side, other, loss, begin, end, stop):
    """Step 3, second half, for rows begin..end of one table: what can reach a position of the code `loss` by moving an own tile is won a
    move later, in the other table.

    Returns 1 if a win in 2 turned up, which has no code.
    """
    width = shape.columns
    lost = np.empty(width, np.uint32)
    room = new_row(tables.cells, tables.moves)
    codes = side.codes
    trouble = 0
    for row in range(begin, end):
        if stop[0] != 0:
            return trouble
        if not side.lost[row]:
            continue
        count = U0
        base = np.uint64(row * width)
        for column in range(width):
            lost[count] = column
            count += np.uint64(codes[base + np.uint64(column)] == loss)
        trouble |= _push_row(tables, shape, halves_of, side.to_move, row, lost[: np.int64(count)], loss, other, room)
    return trouble


@njit
def _push_row(tables, shape, halves_of, to_move, row, lost, loss, other, room):
    """What can reach the lost positions of a row (columns `lost`, code `loss`) by moving an own tile is won a move later.

    Returns 1 if a win in 2 turned up.
    """
    cells, more, width = tables.cells, shape.more, shape.columns
    x_to_move = to_move == X_TO_MOVE
    permute, representatives = tables.permute, tables.representatives
    first = tables.first_row[more]
    everything = all_cells(cells)
    x_tiles = representatives[first + row]
    free = everything & ~x_tiles
    bits = np.uint32(halves_of.bits)
    tiles, spread, chunks = shape.tiles, tables.spread, permute.shape[2]
    few = lost.size <= _FEW or loss == LOSS_IN_1
    code = np.uint8(WIN_IN_1 if loss == LOSS_BASE else loss - 127)  # codes.win_before
    trouble = 0
    if few:
        sets = room.sets if lost.size <= _FEW else np.empty(lost.size, np.uint32)
        for item in range(lost.size):
            sets[item] = unpacked(spread, chunks, free, tiles[np.uint64(lost[item])])
    else:
        sets = room.sets
        _list_cells(free, room.cells)
    # The player who has just moved is the other one.
    moves = _list_targets(permute, tables.orbit, tables.entered, not x_to_move, x_tiles, tables.moves, room.moves, room.targets)
    for index in range(moves):
        way, orbit = tables.moves + room.moves[index], room.targets[index]
        row_reached = np.int64(orbit >> np.uint32(3))
        if other.settled[row_reached - first] and loss != LOSS_IN_1:
            continue
        free_there = everything & ~representatives[row_reached]
        target = Target(way, np.int64(orbit & np.uint32(7)), free_there, np.uint64((row_reached - first) * width))
        entered = _ONE << np.uint32(tables.entered[room.moves[index]]) if x_to_move else _ZERO
        twins = np.uint64(tables.kept_by[row_reached])
        if few:
            trouble |= _push_few(tables, target, entered, twins, other.codes, code, loss, sets, lost.size)
        else:
            needed = _ONE << np.uint32(popcount(np.uint64(free & (entered - _ONE)))) if x_to_move else _ZERO
            _aim(tables.carry, way, target.symmetry, room.cells, cells - more, target.free, bits, room.low, room.high)
            _push_many(tiles, room, halves_of, needed, other.codes, target.base, code, loss, lost)
            while twins != U0:  # aim once more, at the images of the row reached under the symmetries that keep it
                kept = tables.composed[target.symmetry, lowest_bit(twins)]
                twins &= twins - U1
                _aim(tables.carry, way, kept, room.cells, cells - more, target.free, bits, room.low, room.high)
                _push_many(tiles, room, halves_of, needed, other.codes, target.base, code, loss, lost)
        other.fresh[row_reached - first] = True
    return trouble


@njit
def _push_many(tiles, room, halves_of, needed, codes, base, code, loss, lost):
    """Enter wins of this code before the positions `lost`, by the move that `room.low` and `room.high` stand for (`_aim`)."""
    bits, rank_bits = np.uint32(halves_of.bits), np.uint32(halves_of.rank_bits)
    low, high, rank_low, rank_high = room.low, room.high, halves_of.low, halves_of.high
    for index in range(lost.size):
        column = tiles[np.uint64(lost[np.uint64(index)])]
        place = base + _ranked(rank_low, rank_high, rank_bits, _through(low, high, bits, column))
        old = codes[place]
        later = (old == UNDECIDED) | (old > loss) | ((old > code) & (old < LOSS_BASE))
        codes[place] = code if later & (column & needed == needed) else old


@njit
def _push_few(tables, target, entered, kept_by, codes, code, loss, sets, count):
    """As `_push_many` for `count` positions whose O tiles are `sets`, without the tables of `_aim`.

    The wins also go to all images under the symmetries `kept_by`.  Returns 1 if a win in 2 turned up.
    """
    permute, compress, rank_low, rank_high = tables.permute, tables.compress, tables.rank_low, tables.rank_high
    chunks = permute.shape[2]
    trouble = 0
    for index in range(count):
        o_tiles = sets[np.uint64(index)]
        if o_tiles & entered != entered:
            continue
        image = permuted(permute, target.way, target.symmetry, o_tiles)
        twins = kept_by
        twin = image
        while True:
            place = target.base + np.uint64(rank(rank_low, rank_high, packed(compress, chunks, target.free, twin)))
            old = codes[place]
            if loss == LOSS_IN_1:  # the win before it would be one in 2
                trouble |= np.int64(old != LOSS_BASE and np.uint8(old - np.uint8(1)) >= WIN_IN_1)
            else:
                later = (old == UNDECIDED) | (old > loss) | ((old > code) & (old < LOSS_BASE))
                codes[place] = code if later else old
            if twins == U0:
                break
            twin = permuted(permute, permute.shape[0] - 1, lowest_bit(twins), image)
            twins &= twins - U1
    return trouble


@kernel
def wake(tables, shape, side, other, begin, end, stop):
    """Rows of the other table from which a fresh row begin..end of this one can be reached are awake."""
    room = new_row(tables.cells, tables.moves)
    first = tables.first_row[shape.more]
    before = side.to_move != X_TO_MOVE  # whether the player who moves there is X
    for row in range(begin, end):
        if stop[0] != 0:
            return
        if not side.fresh[row]:
            continue
        x_tiles = tables.representatives[first + row]
        moves = _list_targets(tables.permute, tables.orbit, tables.entered, before, x_tiles, tables.moves, room.moves, room.targets)
        for index in range(moves):
            other.awake[np.int64(room.targets[index] >> np.uint32(3)) - first] = True


@kernel
def mirror(tables, shape, side, other, begin, end, stop):
    """Rows begin..end of the table of a diagonal pair as it is when O is to move, in `other`: colours are exchanged."""
    cells, width = tables.cells, shape.columns
    permute, spread, compress, chunks = tables.permute, tables.spread, tables.compress, tables.permute.shape[2]
    rank_low, rank_high = tables.rank_low, tables.rank_high
    first = tables.first_row[shape.more]
    everything = all_cells(cells)
    for row in range(begin, end):
        if stop[0] != 0:
            return
        x_tiles = tables.representatives[first + row]
        free = everything & ~x_tiles
        for column in range(width):
            orbit = tables.orbit[unpacked(spread, chunks, free, shape.tiles[column])]
            target = np.int64(orbit >> np.uint32(3))
            image = permuted(permute, 2 * tables.moves, orbit & np.uint32(7), x_tiles)
            value = packed(compress, chunks, everything & ~tables.representatives[target], image)
            place = (target - first) * width + rank(rank_low, rank_high, value)
            other.codes[row * width + column] = side.codes[place]


@kernel
def close(tables, shape, codes, begin, end, counts):
    """Step 4 for rows begin..end, and the number of positions by code into `counts` (256), each with its weight."""
    for row in range(begin, end):
        weight = np.int64(tables.weight[tables.first_row[shape.more] + row])
        for place in range(row * shape.columns, (row + 1) * shape.columns):
            code = codes[place]
            if code == SAFE:
                code = UNDECIDED
                codes[place] = code
            counts[code] += weight
