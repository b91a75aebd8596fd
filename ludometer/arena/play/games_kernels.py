"""Whole games between two compiled players, many in one call."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide, observe, positions_visited
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.outcome import DRAW, FIRST, ONGOING
from ludometer.core.random import draw, from_seed, substream

GAME_WORD = np.uint64(int.from_bytes(b"game", "little"))  # stream(seed, "game") is substream(from_seed(seed), GAME_WORD)


class Outcomes(NamedTuple):
    """Results of games; every array has one entry per game."""

    result: np.ndarray  # int8: WIN, DRAW or LOSS of the first player
    margin: np.ndarray  # int32: points of the first player minus the second's at the end
    length: np.ndarray  # int32: moves made
    seconds: np.ndarray  # float64 (games, 2): thought by the first and by the second player; (0, 2) if not timed
    turns: np.ndarray  # int32 (games, 2): moves made by the first and by the second player
    positions: np.ndarray  # int64 (games, 2): visited by the decisions of the first and of the second player; −1 if a player does not count
    moves: np.ndarray  # int32 (games, room): the first `room` moves, −1 after the last


@njit
def opening_state(rules, state, key, plies, buffer):
    """The state after `plies` random moves; a move that would end the game is not made, and the opening ends there."""
    for ply in range(plies):
        after = protocol.play(rules, state, protocol.random_move(rules, state, draw(key, np.uint64(ply)), buffer))
        if protocol.outcome(rules, after) != ONGOING:
            return state
        state = after
    return state


@kernel
def open_games(rules, state, key, begin, plies, rows, buffer):
    """Write the leaves of random openings from `state`, number `begin` and following, into `rows` (openings × leaves, uint64)."""
    for number in range(len(rows)):
        opening = opening_state(rules, state, substream(key, np.uint64(begin + number)), plies, buffer)
        leaves = leaves_of(opening)
        for place in range(len(leaves)):
            rows[number, place] = leaves[place]


@kernel
def write_seeds(key, begin, bits, seeds):
    """The seeds of games `begin` and following of the match with this key: the upper `bits` of substream(key, number)."""
    for number in range(len(seeds)):
        seeds[number] = substream(key, np.uint64(begin + number)) >> np.uint64(64 - bits)


@kernel
def play_games(rules, players, turned, starts, seeds, ply_limit, outcomes, stop, buffer):
    """Play a game for each of the `seeds` (uint64) between two compiled players; returns the number of finished games.

    The first player plays first, with `turned` second.  Game g begins at starts[g] (or starts[0] if there is but one) and its move number
    `ply` is decided with the key stream(seed, "game", ply), as `play_game` has it; it is drawn after `ply_limit` moves (FOR_EVER: never).
    Ends early once stop[0] is set, or when a player has no move in a game, which is then not counted.
    """
    players = lend(players)
    clock = np.zeros(2, np.int64)
    timed = len(outcomes.seconds) > 0
    for game in range(len(seeds)):
        state = state_of_leaves(protocol.start(rules), starts[game if len(starts) > 1 else 0], 0)
        key = substream(from_seed(seeds[game]), GAME_WORD)
        begin_game(rules, players[0], state)
        begin_game(rules, players[1], state)
        clock[:] = 0
        ply = 0
        by_second = 0  # moves of the second player
        visited = np.int64(0)
        outcomes.positions[game, :] = 0
        now = nanoseconds() if timed else 0
        while protocol.outcome(rules, state) == ONGOING and ply != ply_limit:
            player = np.int64(protocol.turn(rules, state))
            left = FOR_EVER if ply_limit == FOR_EVER else ply_limit - ply
            if (player == FIRST) != turned:
                move = np.int64(decide(rules, players[0], state, left, substream(key, np.uint64(ply)), buffer))
                visited = np.int64(positions_visited(rules, players[0]))
            else:
                move = np.int64(decide(rules, players[1], state, left, substream(key, np.uint64(ply)), buffer))
                visited = np.int64(positions_visited(rules, players[1]))
            if move < 0 or stop[0] != 0:
                return game
            if timed:
                before, now = now, nanoseconds()
                clock[player] += now - before
            by_second += player
            if visited < 0:
                outcomes.positions[game, player] = -1
            else:
                outcomes.positions[game, player] += visited
            after = protocol.play(rules, state, move)
            observe(rules, players[0], state, move, after)
            observe(rules, players[1], state, move, after)
            if ply < outcomes.moves.shape[1]:
                outcomes.moves[game, ply] = move
            state = after
            ply += 1
        is_first = protocol.turn(rules, state) == FIRST
        result = np.int64(protocol.outcome(rules, state))
        margin = np.int64(protocol.margin(rules, state))
        outcomes.result[game] = DRAW if result == ONGOING else result if is_first else -result
        outcomes.margin[game] = margin if is_first else -margin
        outcomes.length[game] = ply
        outcomes.turns[game, 0] = ply - by_second
        outcomes.turns[game, 1] = by_second
        if timed:
            outcomes.seconds[game, 0] = 1e-9 * clock[0]
            outcomes.seconds[game, 1] = 1e-9 * clock[1]
    return len(seeds)
