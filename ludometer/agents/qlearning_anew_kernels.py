"""Q-learning before the first move of every game, compiled: chance in the training comes from the game's own random key."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludometer.agents.qlearning_kernels import FeatureMemory, Lessons, LinearMemory, PatternMemory, RandomOpponent, best_move, train
from ludometer.agents.search_mind_kernels import SearchMind
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import NO_MOVE, begin_game, decide
from ludometer.core.compiling.dispatch import family
from ludometer.core.random import draw, from_seed, substream, unit

_U0 = np.uint64(0)
_U1 = np.uint64(1)


class AnewMind(NamedTuple):
    """A player that is trained before its first move of each game, by chance that depends on the game."""

    memory: LinearMemory | FeatureMemory | PatternMemory
    lessons: Lessons
    opponent: RandomOpponent | SearchMind  # in the training
    games: int  # of the training
    noise: float  # of the weights it begins with
    seed: int  # decides about the training too
    moves: np.ndarray  # int32: room for the moves of a training game
    is_trained: np.ndarray  # int64 (1,): 1 once it is trained for this game
    stop: np.ndarray  # int64 (1,): not 0 once somebody asks for an end


@family(by="memory")
def forget(memory, noise, key):
    """Make the memory one that knows nothing; weights of a linear learner are random, between −noise and noise."""


@forget.for_class(LinearMemory)
def _forget_linear(memory, noise, key):
    moves, features = memory.weights.shape
    for move in range(moves):
        for feature in range(features):
            memory.weights[move, feature] = noise * (2.0 * unit(draw(key, np.uint64(move * features + feature))) - 1.0)


@forget.for_class(FeatureMemory)
def _forget_weights(memory, noise, key):
    memory.weights[:] = 0.0


@forget.for_class(PatternMemory)
def _forget_patterns(memory, noise, key):
    memory.values[:] = 0.0
    memory.visits[:] = 0


@family(by="memory")
def is_sound(memory):
    """Whether all numbers learnt are finite."""


@is_sound.for_class(LinearMemory, FeatureMemory)
def _sound_weights(memory):
    return np.isfinite(memory.weights).all()


@is_sound.for_class(PatternMemory)
def _sound_patterns(memory):
    return np.isfinite(memory.values).all()


@kernel
def train_anew(rules, mind, key, buffer):
    """Train the mind for the game in which `key` is that of its first move; False if it was stopped or has diverged."""
    mind = lend(mind)
    own = substream(from_seed(key), np.uint64(mind.seed))
    forget(mind.memory, mind.noise, substream(own, _U0))
    train(rules, mind.memory, mind.lessons, mind.opponent, substream(own, _U1), 0, mind.games, mind.moves, buffer, mind.stop)
    mind.is_trained[0] = np.int64(mind.stop[0] == 0 and is_sound(mind.memory))
    return mind.is_trained[0] != 0


@begin_game.for_class(AnewMind)
def _forget_the_last_game(rules, mind, state):
    mind.is_trained[0] = 0


@decide.for_class(AnewMind)
def _decide_after_training(rules, mind, state, plies_left, key, buffer):
    if mind.is_trained[0] == 0 and not train_anew(rules, mind, key, buffer):
        return np.int64(NO_MOVE)
    return best_move(rules, mind.memory, state, key, buffer)[0]
