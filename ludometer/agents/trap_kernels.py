"""Perfect play that sets traps, compiled: among the moves that keep the value, the one after which a tree search errs most.

After each such move the opponent's reply is chosen by a tree search, several times with different keys.  A reply errs if it is worth less
than the best one, by the table.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.mcts_kernels import CompiledMcts
from ludometer.agents.optimal_kernels import look_up
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compiled_player import NO_MOVE, begin_game, decide
from ludometer.core.outcome import ONGOING
from ludometer.core.random import draw, from_seed, substream

_TIES = np.uint64(1 << 32)  # word of the key that decides between equal moves
_U32 = np.uint64(32)


class CompiledTrapper(NamedTuple):
    """A player who has solved the game and expects a tree search as opponent."""

    lookup: Any  # see `optimal_kernels`
    victim: CompiledMcts  # searches the opponent's replies
    replies: int  # searched after each move
    worth: np.ndarray  # int64 (move_bound,): of each move, for its maker
    errors: np.ndarray  # int64 (move_bound,): points lost by all replies together
    moves: np.ndarray  # int32 (move_bound,)


@njit
def _worth_of_moves(rules, player, state, moves):
    """Number of legal moves, or −1 if the table lacks one; player.worth gets the worth of each for its maker."""
    count = np.int64(protocol.legal_moves(rules, state, moves))
    for place in range(count):
        after = protocol.play(rules, state, np.int64(moves[place]))
        is_known, worth, _ = look_up(rules, player.lookup, after)
        if not is_known:
            return np.int64(-1)
        player.worth[place] = worth if protocol.turn(rules, after) == protocol.turn(rules, state) else -worth
    return count


@njit
def _points_lost(rules, player, state, plies_left, key, buffer):
    """Points that the replies of the tree search to `state` lose together; 0 if the table lacks a position."""
    is_known, best, _ = look_up(rules, player.lookup, state)
    lost = np.int64(0)
    if not is_known:
        return lost
    for number in range(player.replies):
        begin_game(rules, player.victim, state)
        reply = np.int64(decide(rules, player.victim, state, plies_left, substream(key, np.uint64(number)), buffer))
        if reply == NO_MOVE:
            return lost
        after = protocol.play(rules, state, reply)
        is_known, worth, _ = look_up(rules, player.lookup, after)
        if is_known:
            lost += best - (worth if protocol.turn(rules, after) == protocol.turn(rules, state) else -worth)
    return lost


@decide.for_class(CompiledTrapper)
def _decide_by_traps(rules, player, state, plies_left, key, buffer):
    player = lend(player)
    count = _worth_of_moves(rules, player, state, player.moves)
    if count < 0:
        return np.int64(NO_MOVE)
    best = player.worth[0]
    for place in range(count):
        best = max(best, player.worth[place])
    most, equal = np.int64(-1), 0
    for place in range(count):
        player.errors[place] = -1
        if player.worth[place] == best:
            after = protocol.play(rules, state, np.int64(player.moves[place]))
            player.errors[place] = 0
            if protocol.outcome(rules, after) == ONGOING and protocol.turn(rules, after) != protocol.turn(rules, state):
                left = plies_left if plies_left <= 0 else plies_left - 1
                place_key = substream(from_seed(key), np.uint64(player.moves[place]))
                player.errors[place] = _points_lost(rules, player, after, left, place_key, buffer)
            if player.errors[place] > most:
                most, equal = player.errors[place], 0
            equal += player.errors[place] == most
    pick = np.int64((draw(from_seed(key), _TIES) >> _U32) * np.uint64(equal) >> _U32)
    for place in range(count):
        if player.errors[place] == most:
            if pick == 0:
                return np.int64(player.moves[place])
            pick -= 1
    return np.int64(NO_MOVE)
