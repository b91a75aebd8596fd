"""Kernels of the window agent: the table of a small board, and the values of moves in its windows on a large board."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.window import Choice
from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import decide
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import numbering
from ludometer.core.random import below

# Columns of `opinions`: values of a move in the windows that contain it, for the player to move.
SUM, TOP = range(2)
COLUMNS = 2
NO_VALUE = -32000  # no window contains the move


class Layout(NamedTuple):
    """The windows of one shape on a board."""

    rules: Any  # of the small game
    values: np.ndarray  # int8 [state number]: gain of the player to move there
    bits: np.ndarray  # int64 [small move]: addend of the move in the number of a state
    places: np.ndarray  # int32 [window, small move]: the move on the large board, −1 for none


class CompiledWindow(NamedTuple):
    """A compiled player that looks at windows."""

    layouts: tuple[Layout, Layout]  # both orientations of the window; the second is empty for square windows
    choice: int  # agents.window.Choice
    is_open: np.ndarray  # bool [move]: scratch, as are the next three
    opinions: np.ndarray  # int64 [move, column]
    gains: np.ndarray  # int64 [place among the legal moves]
    best: np.ndarray  # int32: the moves to choose from
    choices: np.ndarray  # int64 (1,): their number


@kernel
def table_size(rules):
    """Number of entries of a table of this game; 0 if its states are not numbered."""
    return np.int64(numbering.dense_size(rules))


@kernel
def fill_table(rules, values):
    """Write the gain of the player to move with best play into values[state number]."""
    numbering.dense_fill(rules, values, 0, values.size)


@kernel
def move_bits(rules, moves, bits):
    """Write into bits[move] what each of these moves adds to the number of a state."""
    begin = protocol.start(rules)
    for place in range(moves.size):
        move = np.int64(moves[place])
        bits[move] = numbering.dense_index(rules, protocol.play(rules, begin, move))


@njit
def ask_windows(layout, is_open, opinions):
    """Add the values of the moves in `is_open` in all windows of one layout to opinions[move, column].

    The value of a move in a window is its gain there and that of what follows.

        SUM   the sum over all windows
        TOP   the highest value of a window in which the move is best, or NO_VALUE
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
    """The state after the player to move has taken all points that can be taken in sequence."""
    move = scoring_move(rules, state, buffer)
    while move >= 0:
        state = protocol.play(rules, state, move)
        move = scoring_move(rules, state, buffer)
    return state


@njit
def least_given(rules, state, buffer, moves):
    """The fewest points that a move of the player to move leaves the opponent to take in sequence."""
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
    """The margin of `player` after the opponent has taken all points in sequence and then left as few as possible."""
    state = take_all(rules, state, buffer)
    return margin_of(rules, state, player) + least_given(rules, state, buffer, further)


@njit
def best_pause(rules, state, player, buffer, further, moves):
    """The highest margin of `player`, who is to move, by a move that wins no points."""
    best = np.int64(NO_VALUE)
    for number in range(protocol.legal_moves(rules, state, moves)):
        after = protocol.play(rules, state, np.int64(moves[number]))
        if protocol.turn(rules, after) != player:
            best = max(best, after_reply(rules, after, player, buffer, further))
    return best


@njit
def count_gains(rules, state, candidates, gains):
    """Write into gains[place] the points that each move leads to by simple play, for the player who makes it.

    After a move that wins no points the opponent takes all points in sequence and then leaves as few as possible.  A move that wins
    points is followed by more such moves; at each of them the player may stop instead and make the best move that wins none.
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
def gather_opinions(rules, player, state, moves):
    """Write the values of all moves into player.opinions and the legal moves into `moves`; returns their number."""
    count = np.int64(protocol.legal_moves(rules, state, moves))
    player.is_open[:] = False
    for place in range(count):
        player.is_open[moves[place]] = True
    player.opinions[:, SUM] = 0
    player.opinions[:, TOP] = NO_VALUE
    ask_windows(player.layouts[0], player.is_open, player.opinions)
    ask_windows(player.layouts[1], player.is_open, player.opinions)
    return count


@njit
def find_best(rules, player, state, moves):
    """Write the moves to choose from into player.best, player.choices[0] of them; returns their common rank."""
    count = gather_opinions(rules, player, state, moves)
    gains = player.gains[:count]
    gains[:] = 0
    if player.choice == Choice.CAREFUL and len(player.layouts[0].places) + len(player.layouts[1].places) > 1:
        count_gains(rules, state, moves[:count], gains)
    column = TOP if player.choice == Choice.RANDOM else SUM
    top_gain, top = gains[0], player.opinions[moves[0], column]
    player.choices[0] = 0
    for place in range(count):
        move = np.int64(moves[place])
        gain, opinion = gains[place], player.opinions[move, column]
        if gain > top_gain or (gain == top_gain and opinion > top):
            top_gain, top = gain, opinion
            player.choices[0] = 0
        if gain == top_gain and opinion == top:
            player.best[player.choices[0]] = move
            player.choices[0] += 1
    return top_gain, top


@kernel
def best_and_ranks(rules, player, state, moves):
    """`find_best`, called from Python: (gain, value) of the moves to choose from."""
    return find_best(rules, player, state, moves)


@decide.for_class(CompiledWindow)
def _decide_by_windows(rules, player, state, plies_left, key, buffer):
    find_best(rules, player, state, buffer)
    return np.int64(player.best[below(key, player.choices[0])])
