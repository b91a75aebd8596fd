"""Compiled parts of the window agent: the table of a small board, and what its windows on a large board say of each move."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import decide
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import numbering
from ludometer.core.random import below

# Columns of `opinions`: what the windows around a move say, all for the player to move.
SUM, TOP = range(2)
COLUMNS = 2
NO_VALUE = -32000  # no window says anything


CAREFUL, SUMMED, AT_RANDOM = range(3)  # choices, see `agents.window`


class Layout(NamedTuple):
    """The windows of one shape on a board."""

    rules: Any  # of the small game
    values: np.ndarray  # int8 [state number]: what the player to move still gains there
    bits: np.ndarray  # int64 [small move]: what it adds to the number of a state
    places: np.ndarray  # int32 [window, small move]: the move on the large board, −1 for none


class WindowMind(NamedTuple):
    """A player who asks windows."""

    layouts: tuple[Layout, Layout]  # both ways to turn a window; the second has no windows where there is but one way
    choice: int
    is_open: np.ndarray  # bool [move]: room to work in, as are the next three
    opinions: np.ndarray  # int64 [move, column]
    gains: np.ndarray  # int64 [place among the legal moves]
    best: np.ndarray  # int32: the moves to choose from …
    choices: np.ndarray  # int64 (1,): … and how many there are


@kernel
def table_size(rules):
    """How many entries a table of this game has; 0 if its states are not numbered."""
    return np.int64(numbering.dense_size(rules))


@kernel
def fill_table(rules, values):
    """Write into values[state number] what the player to move still gains with best play."""
    numbering.dense_fill(rules, values, 0, values.size)


@kernel
def move_bits(rules, moves, bits):
    """For each of these moves, in bits[move], what it adds to the number of a state."""
    begin = protocol.start(rules)
    for place in range(moves.size):
        move = np.int64(moves[place])
        bits[move] = numbering.dense_index(rules, protocol.play(rules, begin, move))


@njit
def ask_windows(layout, is_open, opinions):
    """Add what all windows of one layout say of the open moves to opinions[move, column]; is_open[move]: whether it can be made.

    A move is worth what it gains in the window and what follows there.

        SUM   what it is worth, all windows together
        TOP   the highest value of a window in which no move is better (NO_VALUE: in none)
    """
    rules, values, bits, places = layout.rules, layout.values, layout.bits, layout.places
    for window in range(places.shape[0]):
        index = np.int64(0)
        for move in range(places.shape[1]):
            place = places[window, move]
            if place >= 0 and not is_open[place]:
                index |= bits[move]
        state = numbering.dense_state(rules, index)
        here = np.int64(protocol.margin(rules, state))
        best = np.int64(values[index])
        for move in range(places.shape[1]):
            place = places[window, move]
            if place < 0 or not is_open[place]:
                continue
            after = protocol.play(rules, state, move)
            worth = np.int64(protocol.margin(rules, after)) + np.int64(values[numbering.dense_index(rules, after)])
            worth = (worth if protocol.turn(rules, after) == protocol.turn(rules, state) else -worth) - here
            opinions[place, SUM] += worth
            if worth == best:
                opinions[place, TOP] = max(opinions[place, TOP], best)


@njit
def margin_of(rules, state, player):
    """Points of this player minus the other's."""
    lead = np.int64(protocol.margin(rules, state))
    return lead if protocol.turn(rules, state) == player else -lead


@njit
def scoring_move(rules, state, buffer):
    """A move that wins points and the right to move again, or −1."""
    if protocol.outcome(rules, state) != ONGOING:
        return np.int64(-1)
    mover = protocol.turn(rules, state)
    lead = protocol.margin(rules, state)
    for number in range(protocol.legal_moves(rules, state, buffer)):
        move = np.int64(buffer[number])
        after = protocol.play(rules, state, move)
        if protocol.turn(rules, after) == mover and protocol.margin(rules, after) > lead:
            return move
    return np.int64(-1)


@njit
def take_all(rules, state, buffer):
    """The state after the player to move has won all points that can be won one after the other."""
    move = scoring_move(rules, state, buffer)
    while move >= 0:
        state = protocol.play(rules, state, move)
        move = scoring_move(rules, state, buffer)
    return state


@njit
def least_given(rules, state, buffer, moves):
    """The fewest points that the opponent can take one after the other after a move of the player to move."""
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


@njit
def after_reply(rules, state, player, buffer, further):
    """The margin of `player`, whose opponent is to move, takes all he can, and then moves on and gives as little as he can."""
    state = take_all(rules, state, buffer)
    return margin_of(rules, state, player) + least_given(rules, state, buffer, further)


@njit
def best_pause(rules, state, player, buffer, further, moves):
    """The highest margin `player`, who is to move, gets by a move that wins him nothing."""
    best = np.int64(NO_VALUE)
    for number in range(protocol.legal_moves(rules, state, moves)):
        after = protocol.play(rules, state, np.int64(moves[number]))
        if protocol.turn(rules, after) != player:
            best = max(best, after_reply(rules, after, player, buffer, further))
    return best


@njit
def count_gains(rules, state, candidates, gains):
    """For each move, in gains[place]: the points it leads to for the player who makes it, as far as simple play shows.

    After a move that wins nothing the opponent takes all he can and moves on with what gives the least.  A move that wins points is
    followed by more such moves; at each of them the player may stop instead, with what then does best.
    """
    bound = protocol.move_bound(rules)
    buffer = np.empty(bound, np.int32)
    further = np.empty(bound, np.int32)
    moves = np.empty(bound, np.int32)
    player = protocol.turn(rules, state)
    here = margin_of(rules, state, player)
    for place in range(candidates.size):
        after = protocol.play(rules, state, np.int64(candidates[place]))
        if protocol.turn(rules, after) != player:
            gains[place] = after_reply(rules, after, player, buffer, further) - here
            continue
        best = np.int64(NO_VALUE)
        while protocol.outcome(rules, after) == ONGOING:
            best = max(best, best_pause(rules, after, player, buffer, further, moves))
            move = scoring_move(rules, after, buffer)
            if move < 0:
                break
            after = protocol.play(rules, after, move)
        if protocol.outcome(rules, after) != ONGOING:
            best = max(best, margin_of(rules, after, player))
        gains[place] = best - here


@kernel
def gather_opinions(rules, mind, state, moves):
    """Write what all windows say into mind.opinions, and the legal moves into `moves`; returns how many these are."""
    count = np.int64(protocol.legal_moves(rules, state, moves))
    mind.is_open[:] = False
    for place in range(count):
        mind.is_open[moves[place]] = True
    mind.opinions[:, SUM] = 0
    mind.opinions[:, TOP] = NO_VALUE
    ask_windows(mind.layouts[0], mind.is_open, mind.opinions)
    ask_windows(mind.layouts[1], mind.is_open, mind.opinions)
    return count


@njit
def find_best(rules, mind, state, moves):
    """Write the moves to choose from into mind.best, mind.choices[0] of them; returns the rank they share."""
    count = gather_opinions(rules, mind, state, moves)
    gains = mind.gains[:count]
    gains[:] = 0
    if mind.choice == CAREFUL and len(mind.layouts[0].places) + len(mind.layouts[1].places) > 1:
        count_gains(rules, state, moves[:count], gains)
    column = TOP if mind.choice == AT_RANDOM else SUM
    top_gain, top = gains[0], mind.opinions[moves[0], column]
    mind.choices[0] = 0
    for place in range(count):
        move = np.int64(moves[place])
        gain, opinion = gains[place], mind.opinions[move, column]
        if gain > top_gain or (gain == top_gain and opinion > top):
            top_gain, top = gain, opinion
            mind.choices[0] = 0
        if gain == top_gain and opinion == top:
            mind.best[mind.choices[0]] = move
            mind.choices[0] += 1
    return top_gain, top


@kernel
def best_and_ranks(rules, mind, state, moves):
    """`find_best`, called from Python: (gain, what the windows say) of the moves to choose from."""
    return find_best(rules, mind, state, moves)


@decide.for_class(WindowMind)
def _decide_by_windows(rules, mind, state, plies_left, key, buffer):
    find_best(rules, mind, state, buffer)
    return np.int64(mind.best[below(key, mind.choices[0])])
