"""The alpha-beta player of the tic-tac-toe study as it really ran, compiled: its counts of visited states come out to the digit.

What the report leaves out, and what is needed for equal counts:

values      A position is worth a pair (result, ply) and pairs are compared result first; negating a pair negates both parts, so
            earlier wins are preferred.  Here a pair is one number: WON − ply for a win, ply − WON for a loss, ± the last ply for a draw.
            The first window is (−WON, WON), so that no win is ever as good as its upper end and the search never stops at one.
table       Unlimited, one for each player and game, with exact values and bounds.  The root is looked up too: later turns cost 1.
order       Moves in reading order, sorted by the evaluation of the board after them, seen by the player who moved.
evaluation  Win: +∞; full board: 0; the opponent has a slice with k − 1 marks, even if its last cell is taken: −∞; two such slices of
            one's own, even at one cell: +∞; else the marks in slices that belong to one side alone, ours minus theirs.
slices      Every line of at least k cells is cut at the offsets 0 … N − k; on diagonals shorter than N the last slices have fewer than k
            cells, and count.
known moves A board after the move that is in the table is evaluated by its stored result times infinity, with the sign that is right only
            where the opponent of the searching player has moved; a draw makes that 0 · ∞, which is not a number (NaN).
sorting     A NaN compares as false with everything, so the order depends on how the sorting algorithm goes about: Python's finds a
            first run and inserts the other moves into it by bisection.
again       A position that is expanded for a second time, because its bound did not suffice, is searched in reading order.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import popcount
from ludometer.core.compiling.compilation import kernel

WON = 1000  # more than twice any number of plies
_DECIDED = WON // 2
_EXACT, _UPPER, _LOWER = range(3)
_FLAGS = 4
_CELLS = 32  # more than there are cells
_OFFSET = 2 * WON  # makes values positive

_TABLE_BITS = 21  # more than twice the positions that any of the searches meets
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HASH_SHIFT = np.uint64(64 - _TABLE_BITS)
_U1 = np.uint64(1)


class Table(NamedTuple):
    """What a player remembers: a number for each position met."""

    keys: np.ndarray  # int64 (2^21,): the key of the position plus one; 0: free
    entries: np.ndarray  # int64 (2^21,)


class Scratch(NamedTuple):
    """Room to work in."""

    moves: np.ndarray  # int64 (cells, cells): the moves at each ply
    ranks: np.ndarray  # float64 (cells, cells)


class Board(NamedTuple):
    """The lines of an N×N board."""

    size: int
    line: int  # k
    windows: np.ndarray  # uint64: k cells in a row, wherever they lie: a line
    slices: np.ndarray  # uint64: what the evaluation looks at
    powers: np.ndarray  # int64 (cells,): powers of three, for the key of a position


def cells_of_lines(size: int, line: int) -> list[list[int]]:
    """Rows, columns and diagonals of at least `line` cells; cell number = row · size + column."""
    found = [[row * size + column for column in range(size)] for row in range(size)]
    found += [[row * size + column for row in range(size)] for column in range(size)]
    for offset in range(line - size, size - line + 1):
        falling = [row * size + row + offset for row in range(size) if 0 <= row + offset < size]
        rising = [row * size + size - 1 - row + offset for row in range(size) if 0 <= size - 1 - row + offset < size]
        found += [falling, rising]
    return found


def new_board(size: int, line: int) -> Board:
    """The board with `size` rows and columns and `line` in a row to win."""
    windows, slices = [], []
    for cells in cells_of_lines(size, line):
        for offset in range(size - line + 1):
            part = cells[offset : offset + line]
            slices.append(sum(1 << cell for cell in part))
            if len(part) == line:
                windows.append(slices[-1])
    powers = [3**cell for cell in range(size * size)]
    return Board(size, line, np.array(windows, np.uint64), np.array(slices, np.uint64), np.array(powers, np.int64))


def new_table() -> Table:
    """An empty table.  Memory is only used as it fills."""
    return Table(np.zeros(1 << _TABLE_BITS, np.int64), np.zeros(1 << _TABLE_BITS, np.int64))


@njit
def place_of(table, key):
    """The place of a position in the table, or the free one where it belongs."""
    place = np.int64((np.uint64(key) * _SPREAD) >> _HASH_SHIFT)
    while table.keys[place] != 0 and table.keys[place] != key + 1:
        place = (place + 1) % len(table.keys)
    return place


@njit
def is_known(table, key):
    return table.keys[place_of(table, key)] != 0


@njit
def entry_of(table, key):
    """What is kept of a position that is known."""
    return table.entries[place_of(table, key)]


@njit
def enter(table, key, entry):
    place = place_of(table, key)
    table.keys[place] = key + 1
    table.entries[place] = entry


def new_scratch(board: Board) -> Scratch:
    cells = board.size**2
    return Scratch(np.empty((cells, cells), np.int64), np.empty((cells, cells)))


@njit
def has_line(board, marks):
    found = False
    for window in board.windows:
        found |= marks & window == window
    return found


@njit
def evaluation(board, ours, theirs):
    """What the player with the marks `ours` thinks of a board after a move of his."""
    if has_line(board, ours):
        return np.inf
    if popcount(ours | theirs) == board.size * board.size:
        return 0.0
    total, threats, endangered = 0.0, 0, False
    for part in board.slices:
        mine, other = popcount(ours & part), popcount(theirs & part)
        if other == 0:
            total += mine
        elif mine == 0:
            total -= other
        threats += mine == board.line - 1
        endangered |= other == board.line - 1
    return -np.inf if endangered else np.inf if threats > 1 else total


@njit
def sort_as_python_does(ranks, moves, count):
    """Sort moves by ascending rank: the first run as it is (turned round if it falls), the others inserted into it by bisection.

    With numbers alone any stable sort does the same; where a NaN stands, the comparisons made decide.
    """
    run = min(count, 2)
    if count > 1 and ranks[1] < ranks[0]:
        while run < count and ranks[run] < ranks[run - 1]:
            run += 1
        for place in range(run // 2):
            other = run - 1 - place
            ranks[place], ranks[other] = ranks[other], ranks[place]
            moves[place], moves[other] = moves[other], moves[place]
    else:
        while run < count and not ranks[run] < ranks[run - 1]:
            run += 1
    for place in range(run, count):
        rank, move = ranks[place], moves[place]
        low, high = 0, place
        while low < high:
            middle = (low + high) // 2
            if rank < ranks[middle]:
                high = middle
            else:
                low = middle + 1
        for later in range(place, low, -1):
            ranks[later], moves[later] = ranks[later - 1], moves[later - 1]
        ranks[low], moves[low] = rank, move


@njit
def stored(value, move, flag):
    """An entry of the table as one number."""
    return ((value + _OFFSET) * _CELLS + move) * _FLAGS + flag


@njit
def value_of(entry):
    return entry // (_FLAGS * _CELLS) - _OFFSET


@njit
def rank_of(board, table, ours, theirs, key, is_agents_move):
    """By which a move is sorted, the lowest first; `key` is that of the board after it, `ours` the marks of the player who made it."""
    if not is_known(table, key):
        return -evaluation(board, ours, theirs)
    value = value_of(entry_of(table, key))
    if abs(value) < _DECIDED:
        return np.nan
    signed = value if is_agents_move else -value
    return -np.inf if signed > 0 else np.inf


@kernel
def search(board, table, counts, scratch, marks, key, ply, alpha, beta, agent):
    """(value for the player to move, his move): marks[0] are those of the player who began, `agent` is 0 or 1, counts[0] states visited."""
    again = is_known(table, key)
    first_alpha = alpha
    if again:
        entry = entry_of(table, key)
        value, flag = value_of(entry), entry % _FLAGS
        if flag == _UPPER:
            beta = min(beta, value)
        elif flag == _LOWER:
            alpha = max(alpha, value)
        if flag == _EXACT or alpha >= beta:
            return value, (entry // _FLAGS) % _CELLS
    player = ply % 2
    cells = board.size * board.size
    taken = marks[0] | marks[1]
    moves, ranks = scratch.moves[ply], scratch.ranks[ply]
    count = 0
    for cell in range(cells):
        if not (taken >> np.uint64(cell)) & _U1:
            moves[count] = cell
            there = key + (2 - player) * board.powers[cell]
            mark = _U1 << np.uint64(cell)
            ranks[count] = 0.0 if again else rank_of(board, table, marks[player] | mark, marks[1 - player], there, player == agent)
            count += 1
    if not again:
        sort_as_python_does(ranks, moves, count)
    best, best_move = -WON, -1
    for place in range(count):
        cell = moves[place]
        counts[0] += 1
        made = marks[player] | (_U1 << np.uint64(cell))
        if has_line(board, made):
            value = WON - (ply + 1)
        elif count == 1:
            value = -cells
        else:
            after = (made, marks[1]) if player == 0 else (marks[0], made)
            there = key + (2 - player) * board.powers[cell]
            value = -search(board, table, counts, scratch, after, there, ply + 1, -beta, -alpha, agent)[0]
        if value > best:
            best, best_move = value, cell
        alpha = max(alpha, best)
        if best >= beta:
            break
    flag = _UPPER if best <= first_alpha else _LOWER if best >= beta else _EXACT
    enter(table, key, stored(best, best_move, flag))
    return best, best_move
