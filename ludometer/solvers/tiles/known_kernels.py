"""What the rules say of a position without a table: that the game is over, or that a move wins it.

Packed tables leave such entries to their readers: what is stored there means nothing (`tiles.filling`).
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0, popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import LOSS, ONGOING, WIN
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.codes import LOSS_BASE, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.index import entry_of, o_tiles_of
from ludometer.solvers.tiles.packing import LEFT_OUT

NOT_KNOWN = -1
_WIN_BITS, _LOSS_BITS = 1, 2


@njit
def code_when_over(rules, state):
    """The code of a finished game; NOT_KNOWN while it goes on."""
    value = protocol.outcome(rules, state)
    if value == ONGOING:
        return NOT_KNOWN
    if value == WIN:
        return WIN_BASE
    return LOSS_BASE if value == LOSS else 0


@njit
def wins_at_once(rules, state, moves):
    """Whether a move ends the game against the opponent; `moves` is room for the legal moves."""
    for index in range(protocol.legal_moves(rules, state, moves)):
        if protocol.outcome(rules, protocol.play(rules, state, np.int64(moves[index]))) == LOSS:
            return True
    return False


@njit
def known_code(rules, state, moves):
    """The code of a position that the rules decide at once: finished, or won in 1; else NOT_KNOWN."""
    code = code_when_over(rules, state)
    if code == NOT_KNOWN and wins_at_once(rules, state, moves):
        return WIN_IN_1
    return code


@kernel
def locate_known(rules, state, rows):
    """(tiles of the mover, tiles of the other, entry, known code) of a state; see `index.locate` and `known_code`."""
    mover, other = tiling.tiles_of_state(rules, state)
    moves = np.empty(protocol.move_bound(rules), np.int32)
    code = known_code(rules, state, moves)
    return popcount(mover), popcount(other), entry_of(rules, state, rows) if code == NOT_KNOWN else np.int64(0), code


@kernel
def locate_known_successors(rules, state, rows, moves, places):
    """As `index.locate_successors`, but the last column of `places` gets the known code, and a known place has no entry."""
    count = protocol.legal_moves(rules, state, moves)
    room = np.empty(protocol.move_bound(rules), np.int32)
    for number in range(count + 1):
        seen = state if number == 0 else protocol.play(rules, state, np.int64(moves[number - 1]))
        mover, other = tiling.tiles_of_state(rules, seen)
        code = known_code(rules, seen, room)
        places[number, 0] = popcount(mover)
        places[number, 1] = popcount(other)
        places[number, 2] = entry_of(rules, seen, rows) if code == NOT_KNOWN else 0
        places[number, 3] = code
    return count


@kernel
def restore_entries(rules, rows, mover, other, are_values, begin, end, table, stop):
    """Put what the rules decide back into the entries begin..end of a class, stored as codes or as values four to a byte.

    A stored win can only be hiding a finished game: if the game goes on it is a win, whether a reader was to find it or not.
    Ends early once stop[0] is set.
    """
    moves = np.empty(protocol.move_bound(rules), np.int32)
    walk = _start(rules, rows, mover, other)
    for entry in range(begin, end):
        if entry & 255 == 0 and stop[0] != 0:
            return
        walk = _step(rows, walk, entry)
        state = _state(rules, walk, entry)
        stored = _stored(table, are_values, entry)
        code = code_when_over(rules, state)
        if code == NOT_KNOWN and not (are_values and stored == _WIN_BITS) and wins_at_once(rules, state, moves):
            code = WIN_IN_1
        if code == NOT_KNOWN:
            continue
        if are_values:
            _store(table, entry, 0 if code == 0 else _LOSS_BITS if code == LOSS_BASE else _WIN_BITS)
        else:
            table[entry] = code


@kernel
def mark_entries(rules, rows, mover, other, begin, end, table, stop):
    """Write LEFT_OUT into the entries begin..end of a class, values four to a byte, that the rules decide.

    Ends early once stop[0] is set.
    """
    moves = np.empty(protocol.move_bound(rules), np.int32)
    walk = _start(rules, rows, mover, other)
    for entry in range(begin, end):
        if entry & 255 == 0 and stop[0] != 0:
            return
        stored = _stored(table, True, entry)
        if stored == 0:
            continue
        walk = _step(rows, walk, entry)
        state = _state(rules, walk, entry)
        if code_when_over(rules, state) != NOT_KNOWN or (stored == _WIN_BITS and wins_at_once(rules, state, moves)):
            _store(table, entry, LEFT_OUT)


@njit
def _start(rules, rows, mover, other):
    """(cells, first row, O tiles, columns, whether X is to move, row, X tiles) before the first entry of a class."""
    cells = np.int64(tiling.tile_cells(rules))
    more, fewer = max(mover, other), min(mover, other)
    return cells, np.int64(rows.first_row[more]), np.int64(fewer), np.int64(WAYS[cells - more, fewer]), mover >= other, np.int64(-1), U0


@njit
def _step(rows, walk, entry):
    cells, first, fewer, columns, x_to_move, row, x_tiles = walk
    if entry // columns != row:
        row = entry // columns
        x_tiles = np.uint64(rows.representatives[first + row])
    return cells, first, fewer, columns, x_to_move, row, x_tiles


@njit
def _state(rules, walk, entry):
    cells, _first, fewer, columns, x_to_move, row, x_tiles = walk
    o_tiles = o_tiles_of(cells, x_tiles, fewer, entry - row * columns)
    if x_to_move:
        return tiling.state_of_tiles(rules, x_tiles, o_tiles)
    return tiling.state_of_tiles(rules, o_tiles, x_tiles)


@njit
def _stored(table, are_values, entry):
    if are_values:
        return (np.int64(table[entry >> 2]) >> (2 * (entry & 3))) & 3
    return np.int64(table[entry])


@njit
def _store(table, entry, bits):
    shift = 2 * (entry & 3)
    table[entry >> 2] = np.uint8((np.int64(table[entry >> 2]) & ~(3 << shift)) | (bits << shift))
