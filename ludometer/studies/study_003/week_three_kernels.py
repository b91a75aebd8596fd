"""The tic-tac-toe study's alpha-beta player of its third week, compiled: before bounds were remembered.

values      (result, ply of the end); the window narrows by results alone, from (−2, 2) anew at every move of the root.
table       Values of positions below which nothing was cut off.  They answer for a position where the table is in use.
order       As listed, or sorted by the evaluation of the board after the move (of `emulation_kernels`), or by the opposite.  Even where the
            table gives no answers, a board in it is evaluated by its stored result, with the sign that is right only where the opponent
            of the searching player has moved; a draw counts as 0.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.studies.study_003.emulation_kernels import WON, enter, entry_of, evaluation, has_line, is_known, sort_as_python_does

NOTHING = 2  # beyond any result

_U1 = np.uint64(1)


@njit
def result_of(value):
    """The result in a value, WON · result − ply of the end."""
    return (value + WON // 2) // WON


@njit
def negated(value):
    """The same end seen by the other player: the result changes its sign, the ply does not."""
    return value - 2 * WON * result_of(value)


@njit
def rank_of(board, table, ours, theirs, key, is_agents_move):
    """By which a move is sorted, the lowest first."""
    if not is_known(table, key):
        return -evaluation(board, ours, theirs)
    result = result_of(entry_of(table, key))
    if result == 0:
        return 0.0
    return -np.inf if (result > 0) == is_agents_move else np.inf


@njit
def list_moves(board, table, scratch, marks, key, ply, agent, order):
    """Write the moves of a position into the row of its ply, in their order; returns how many there are."""
    player = ply % 2
    taken = marks[0] | marks[1]
    moves, ranks = scratch.moves[ply], scratch.ranks[ply]
    count = 0
    for cell in range(board.size * board.size):
        mark = _U1 << np.uint64(cell)
        if not taken & mark:
            there = key + (2 - player) * board.powers[cell]
            moves[count] = cell
            ranks[count] = order * rank_of(board, table, marks[player] | mark, marks[1 - player], there, player == agent) if order else 0.0
            count += 1
    if order:
        sort_as_python_does(ranks, moves, count)
    return count


@kernel
def search(board, table, counts, scratch, marks, key, ply, root, alpha, beta, agent, order, answers):
    """(value for the player to move, whether something was cut off below).

    `root` is the ply of the root, `order` 0 for moves as listed, 1 for the best evaluation first, −1 for the worst; `answers` says
    whether the table is in use.  counts[0] are the states visited, counts[1] is the move chosen at the root, the first of the best.
    """
    player = ply % 2
    if has_line(board, marks[1 - player]):
        return -WON - ply, False
    if popcount(marks[0] | marks[1]) == board.size * board.size:
        return -ply, False
    if answers and ply > root and is_known(table, key):
        return entry_of(table, key), False
    count = list_moves(board, table, scratch, marks, key, ply, agent, order)
    best, pruned = -NOTHING * WON, False
    for place in range(count):
        cell = scratch.moves[ply, place]
        counts[0] += 1
        made = marks[player] | (_U1 << np.uint64(cell))
        after = (made, marks[1]) if player == 0 else (marks[0], made)
        there = key + (2 - player) * board.powers[cell]
        low, high = (-NOTHING, NOTHING) if ply == root else (-beta, -alpha)
        value, below = search(board, table, counts, scratch, after, there, ply + 1, root, low, high, agent, order, answers)
        if negated(value) > best:
            best = negated(value)
            if ply == root:
                counts[1] = cell
        pruned |= below
        if result_of(best) >= beta:
            return best, True
        alpha = max(alpha, result_of(best))
    if not pruned and ply > root:
        enter(table, key, best)
    return best, pruned
