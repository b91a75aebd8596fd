"""The study's Q-learning, compiled: its lessons, weights by kind of move, and training before the first move of every game."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.qlearning_kernels import Lessons, RandomOpponent, restarts, result_discount, state_value, train
from ludometer.agents.qlearning_memory_kernels import (
    LinearMemory,
    best_move,
    correct,
    correct_linear,
    decide_by_quality,
    linear_quality,
    look_at,
    look_at_features,
    product_with_row,
    quality,
    row_of,
)
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import NO_MOVE, begin_game, decide
from ludometer.core.protocol import learning
from ludometer.core.random import draw, from_seed, substream, unit

_U0 = np.uint64(0)
_U1 = np.uint64(1)


class KindMemory(NamedTuple):
    """Weights by kind of move, move and feature."""

    weights: np.ndarray  # float64 (kinds · moves, features): the moves of kind 0 first
    seen: np.ndarray  # float64 (features,): scratch, the features of the current state


@row_of.for_class(KindMemory)
def _row_of_kind(rules, memory, state, move):
    return protocol.move_bound(rules) * learning.kind_of_move(rules, state, move) + move


look_at.for_class(KindMemory)(look_at_features)
quality.for_class(KindMemory)(linear_quality)
correct.for_class(KindMemory)(correct_linear)
decide.for_class(KindMemory)(decide_by_quality)


class StudyLessons(NamedTuple):
    """The lessons of `study000:qlearning`: those of `qlearning_kernels.Lessons`, and three more."""

    alpha: float
    decay: float
    normalised: int
    gamma: float
    epsilon: float
    exploring: int
    score: int
    score_share: float
    random_starts: int
    whole_games: int
    has_opponent: int
    all_moves: int = 0  # 1: the value of a state is the highest quality of all rows of weights, of legal moves or not
    discounted: int = 0  # 1: the result of a game is discounted
    begins_again: int = 0  # 1: a game that does not end within its length begins again


def study_lessons(lessons: Lessons, all_moves: bool, discounted: bool, begins_again: bool) -> StudyLessons:
    """Usual lessons with the study's three settings."""
    return StudyLessons(*lessons, int(all_moves), int(discounted), int(begins_again))


@state_value.for_class(StudyLessons)
def _highest_quality(rules, memory, lessons, state, buffer):
    return highest_row(rules, memory, state) if lessons.all_moves else best_move(rules, memory, state, _U0, buffer)[1]


@result_discount.for_class(StudyLessons)
def _discount(lessons):
    return lessons.gamma if lessons.discounted else 1.0


@restarts.for_class(StudyLessons)
def _begins_again(lessons):
    return lessons.begins_again


@njit
def highest_row(rules, memory, state):
    """The highest quality that any row of weights gives to a state."""
    look_at(rules, memory, state)
    highest = -np.inf
    for row in range(len(memory.weights)):
        highest = max(highest, product_with_row(memory, row))
    return highest


class CompiledLearner(NamedTuple):
    """A compiled player that is trained before its first move of each game, with random numbers of that game."""

    memory: LinearMemory | KindMemory
    lessons: StudyLessons
    games: int  # of the training
    noise: float  # bound of the initial weights
    seed: int  # enters the training as well
    moves: np.ndarray  # int32 (longest training game,): scratch
    is_trained: np.ndarray  # int64 (1,): 1 once it is trained for this game
    stop: np.ndarray  # int64 (1,): nonzero once a stop is requested


@njit
def forget(memory, noise, key):
    """Set all weights to random numbers between −noise and noise."""
    rows, features = memory.weights.shape
    for row in range(rows):
        for feature in range(features):
            memory.weights[row, feature] = noise * (2.0 * unit(draw(key, np.uint64(row * features + feature))) - 1.0)


@kernel
def train_anew(rules, player, key, buffer):
    """Train the player for the game whose first move has this key; False if it was stopped or has diverged."""
    player = lend(player)
    own = substream(from_seed(key), np.uint64(player.seed))
    forget(player.memory, player.noise, substream(own, _U0))
    train(rules, player.memory, player.lessons, RandomOpponent(0), substream(own, _U1), 0, player.games, player.moves, buffer, player.stop)
    player.is_trained[0] = np.int64(player.stop[0] == 0 and np.isfinite(player.memory.weights).all())
    return player.is_trained[0] != 0


@begin_game.for_class(CompiledLearner)
def _begin_game(rules, player, state):
    player.is_trained[0] = 0


@decide.for_class(CompiledLearner)
def _decide_after_training(rules, player, state, plies_left, key, buffer):
    if player.is_trained[0] == 0 and not train_anew(rules, player, key, buffer):
        return np.int64(NO_MOVE)
    return best_move(rules, player.memory, state, key, buffer)[0]
