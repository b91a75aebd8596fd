"""Compiled parts of the window agent: the table of a small board, and what its windows on a large board say of each move."""

from __future__ import annotations

import numpy as np

from numba import njit

from ludometer.core import protocol
from ludometer.core.compilation import kernel
from ludometer.core.outcome import ONGOING

# Columns of `opinions`: what the windows around a move say, all for the player to move.
COUNT, SUM, REGRET, TOP = range(4)
COLUMNS = 4
NO_VALUE = -32000  # no window says anything


@kernel
def table_size(rules):
    """How many entries a table of this game has; 0 if its states are not numbered."""
    return np.int64(protocol.dense_size(rules))


@kernel
def fill_table(rules, values):
    """Write into values[state number] what the player to move still gains with best play."""
    protocol.dense_fill(rules, values, 0, values.size)


@kernel
def move_bits(rules, moves, bits):
    """For each of these moves, in bits[move], what it adds to the number of a state."""
    begin = protocol.start(rules)
    for place in range(moves.size):
        move = np.int64(moves[place])
        bits[move] = protocol.dense_index(rules, protocol.play(rules, begin, move))


@kernel
def ask_windows(rules, values, bits, places, is_open, opinions):
    """Add what all windows of one layout say of the open moves to opinions[move, column].

    `values` is the table of the window, places[window, move] a move on the large board (−1: none), is_open[move] whether it can be
    made.  A move is worth what it gains in the window and what follows there; its regret is that less the window's best.

        COUNT   how many windows have this move
        SUM     what it is worth, all windows together
        REGRET  its regrets, all windows together (0 or less)
        TOP     the highest value of a window in which no move is better (NO_VALUE: in none)
    """
    for window in range(places.shape[0]):
        index = np.int64(0)
        for move in range(places.shape[1]):
            place = places[window, move]
            if place >= 0 and not is_open[place]:
                index |= bits[move]
        state = protocol.dense_state(rules, index)
        here = np.int64(protocol.margin(rules, state))
        best = np.int64(values[index])
        for move in range(places.shape[1]):
            place = places[window, move]
            if place < 0 or not is_open[place]:
                continue
            after = protocol.play(rules, state, move)
            worth = np.int64(protocol.margin(rules, after)) + np.int64(values[protocol.dense_index(rules, after)])
            worth = (worth if protocol.turn(rules, after) == protocol.turn(rules, state) else -worth) - here
            opinions[place, COUNT] += 1
            opinions[place, SUM] += worth
            opinions[place, REGRET] += worth - best
            if worth == best:
                opinions[place, TOP] = max(opinions[place, TOP], best)


@njit
def take_all(rules, state, buffer):
    """The state after the player to move has won all points that can be won one after the other without a pause."""
    taker = protocol.turn(rules, state)
    found = True
    while found and protocol.outcome(rules, state) == ONGOING:
        found = False
        lead = protocol.margin(rules, state)
        for number in range(protocol.legal_moves(rules, state, buffer)):
            after = protocol.play(rules, state, np.int64(buffer[number]))
            if protocol.turn(rules, after) == taker and protocol.margin(rules, after) > lead:
                state = after
                found = True
                break
    return state


@njit
def margin_of(rules, state, player):
    """Points of this player minus the other's."""
    lead = np.int64(protocol.margin(rules, state))
    return lead if protocol.turn(rules, state) == player else -lead


@njit
def least_given(rules, state, buffer, moves):
    """The fewest points that the opponent of the player to move can take at once after a move of his."""
    if protocol.outcome(rules, state) != ONGOING:
        return np.int64(0)
    mover = protocol.turn(rules, state)
    here = margin_of(rules, state, mover)
    least = np.int64(-NO_VALUE)
    for number in range(protocol.legal_moves(rules, state, moves)):
        after = take_all(rules, protocol.play(rules, state, np.int64(moves[number])), buffer)
        least = min(least, here - margin_of(rules, after, mover))
        if least <= 0:
            break
    return least


@kernel
def count_gains(rules, state, moves, gains):
    """For each move, in gains[place]: what it leads to if both players take all that can be taken, for the one who makes it.

    Points won at once count, and those that can then be won one after the other without a pause, by either player; who has won the
    last of them must move on, and gives the other as little as he can.
    """
    buffer = np.empty(protocol.move_bound(rules), np.int32)
    further = np.empty(protocol.move_bound(rules), np.int32)
    mover = protocol.turn(rules, state)
    here = margin_of(rules, state, mover)
    for place in range(moves.size):
        after = take_all(rules, protocol.play(rules, state, np.int64(moves[place])), buffer)
        given = least_given(rules, after, buffer, further)
        gains[place] = margin_of(rules, after, mover) - here - (given if protocol.turn(rules, after) == mover else -given)
