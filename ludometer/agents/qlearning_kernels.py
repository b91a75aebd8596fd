"""Q-learning, compiled: one training loop for every kind of memory and of lessons."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.qlearning_memory_kernels import best_move, correct, free_pairs, look_at, quality, sign_between
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import learning, searching
from ludometer.core.random import draw, substream, unit

LONGEST_GAME = 1000  # moves of a training game, if the game has no ply limit of its own
MOST_STARTS = 1000  # of one training game; nothing is learnt from a game that has not ended within its length by then
SCORE_OF_WIN = 500.0  # points of a won position, in the units of the score whose changes are rewards

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_U2 = np.uint64(2)
_U3 = np.uint64(3)


class Lessons(NamedTuple):
    """How a learner is trained, for compiled code."""

    alpha: float  # the learning rate of game i is alpha · (1 − decay)^i
    decay: float
    normalised: int  # 1: a learning rate of 1 makes the quality equal to its target
    gamma: float  # discount of the next state's value
    epsilon: float  # probability of a random move …
    exploring: int  # … in the games before this one
    score: int  # evaluation whose changes are rewards (−1: the margin) …
    score_share: float  # … times this
    random_starts: int  # 1: games begin in random states; 0: at the start
    whole_games: int  # 1: learn backwards from the end of each game; 0: after every move
    has_opponent: int  # 1: the first player of odd games and the second of even ones is the opponent


def _best_legal(rules, memory, lessons, state, buffer):
    return best_move(rules, memory, state, _U0, buffer)[1]


@family(by="lessons", fallback=_best_legal)
def state_value(rules, memory, lessons, state, buffer):
    """The value of an unfinished state for the player to move.  Fallback: the highest quality of a legal move."""


def _full_result(lessons):
    return 1.0


@family(by="lessons", fallback=_full_result)
def result_discount(lessons):
    """Factor of the result of a game.  Fallback: 1."""


def _never(lessons):
    return False


@family(by="lessons", fallback=_never)
def restarts(lessons):
    """True if a game that does not end within its length begins again.  Fallback: it is learnt from as far as it goes."""


class RandomOpponent(NamedTuple):
    """An opponent that moves at random."""

    nothing: int


@decide.for_class(RandomOpponent)
def _decide_at_random(rules, player, state, plies_left, key, buffer):
    return protocol.random_move(rules, state, key, buffer)


@njit
def score_of(rules, state, score):
    """The score of an unfinished position for the player to move: an evaluation by number, or the margin for −1.

    Evaluations are clipped to the score of a won game.
    """
    if score < 0:
        return np.float64(protocol.margin(rules, state))
    return min(SCORE_OF_WIN, max(-SCORE_OF_WIN, searching.evaluate(rules, state, score)))


@njit
def learn_from(rules, memory, lessons, rate, before, move, after, buffer):
    """Move the quality of one move towards its target: the reward and the discounted value of the next state."""
    sign = sign_between(rules, before, after)
    share = lessons.score_share
    owned = share * score_of(rules, before, lessons.score) if share > 0.0 else 0.0
    result = protocol.outcome(rules, after)
    if result != ONGOING:
        target = sign * result * result_discount(lessons) - owned
    else:
        gained = sign * share * score_of(rules, after, lessons.score) if share > 0.0 else 0.0
        target = gained - owned + lessons.gamma * sign * state_value(rules, memory, lessons, after, buffer)
    look_at(rules, memory, before)
    correct(rules, memory, before, move, rate * (target - quality(rules, memory, before, move)), lessons.normalised)


@njit
def learn_backwards(rules, memory, lessons, rate, first, last, moves, plies, buffer):
    """Learn from a whole game, its last move first; `first` and `last` are its first and last states."""
    after = last
    for ply in range(plies - 1, -1, -1):
        # States are not stored: replaying the game costs little beside the learning.
        before = first
        for earlier in range(ply):
            before = protocol.play(rules, before, np.int64(moves[earlier]))
        learn_from(rules, memory, lessons, rate, before, np.int64(moves[ply]), after, buffer)
        after = before


@kernel
def train(rules, memory, lessons, opponent, key, begin, end, moves, buffer, stop):
    """Play and learn from the training games `begin` to `end` − 1: (games played, moves made).

    `opponent` is a compiled player of one side, if the lessons have one; the moves of both sides are learnt from.  A game has at most
    len(moves) moves; `buffer` (int32) holds `move_bound(rules)` moves.  Ends early if the memory might not hold another game, and once
    stop[0] is set.
    """
    memory = lend(memory)
    made = 0
    for game in range(begin, end):
        if free_pairs(memory) < len(moves) or stop[0] != 0:
            return game - begin, made
        words = substream(key, np.uint64(game))
        rate = lessons.alpha * (1.0 - lessons.decay) ** game
        chance = lessons.epsilon if game < lessons.exploring else 0.0
        first = protocol.start(rules)
        if lessons.random_starts:
            first = learning.random_state(rules, substream(words, _U1), buffer)
        state = first
        plies = 0
        begin_game(rules, opponent, first)
        step = _U0  # counts the plies of earlier starts as well
        starts = 1
        while protocol.outcome(rules, state) == ONGOING and (plies < len(moves) or restarts(lessons)):
            if plies == len(moves):
                plies = 0
                state = first
                starts += 1
                begin_game(rules, opponent, first)
                if starts > MOST_STARTS or stop[0] != 0:
                    break
            word = draw(words, _U3 * step)
            random_word = draw(words, _U3 * step + _U1)
            tie_word = draw(words, _U3 * step + _U2)
            if lessons.has_opponent and protocol.turn(rules, state) == (game & 1):
                move = np.int64(decide(rules, opponent, state, FOR_EVER, random_word, buffer))
            elif unit(word) < chance:
                move = np.int64(protocol.random_move(rules, state, random_word, buffer))
            else:
                move = best_move(rules, memory, state, tie_word, buffer)[0]
            after = protocol.play(rules, state, move)
            if not lessons.whole_games:
                learn_from(rules, memory, lessons, rate, state, move, after, buffer)
            moves[plies] = move
            plies += 1
            step += _U1
            state = after
        made += np.int64(step)
        if lessons.whole_games:
            learn_backwards(rules, memory, lessons, rate, first, state, moves, plies, buffer)
    return end - begin, made
