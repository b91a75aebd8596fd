"""What a game can show a learner (`agents.qlearning`): features, patterns of yes-or-no features, states to learn from.

feature_names(rules)    plain Python: the names of the features
pattern_names(rules)    plain Python: the question behind each bit of a pattern
LEARNING_SCORE          name of the evaluation whose changes reward a learner; by default the margin counts
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ludometer.core.compiling.dispatch import Group
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import outcome, play, random_move, start
from ludometer.core.random import below, draw

if TYPE_CHECKING:
    from ludometer.core.game import Game

LEARNING = Group(
    "learning",
    together=(
        ("feature_count", "features", "feature_names"),
        ("pattern_count", "feature_pattern", "pattern_names"),
        ("move_kinds", "kind_of_move"),
    ),
    plain=("feature_names", "pattern_names", "LEARNING_SCORE"),
)


def feature_names(game: Game) -> list[str]:
    """The names of the game's features, in their order; none if it has no features."""
    names = LEARNING.plain_member(game, "feature_names")
    return [] if names is None else list(names(game.rules))


def pattern_names(game: Game) -> list[str]:
    """The question behind each bit of a pattern; none if the game has no patterns."""
    names = LEARNING.plain_member(game, "pattern_names")
    return [] if names is None else list(names(game.rules))


def learning_score(game: Game) -> str:
    """The evaluation whose changes reward a learner, or "" for the margin."""
    return str(LEARNING.plain_member(game, "LEARNING_SCORE") or "")


@njit
def _none(rules):
    return 0


@LEARNING.function(_none)
def feature_count(rules):
    """How many features a learner sees of a state.  Fallback: 0, the game has none."""


@njit
def _no_features(rules, state, out):
    pass


@LEARNING.function(_no_features)
def features(rules, state, out):
    """Write the features of a state, as the player to move sees it, into `out` (float64).  Fallback: write nothing."""


@njit
def _one_kind(rules):
    return 1


@LEARNING.function(_one_kind)
def move_kinds(rules):
    """How many kinds of moves a learner may tell apart beside their numbers.  Fallback: 1, all are of one kind."""


@njit
def _only_kind(rules, state, move):
    return 0


@LEARNING.function(_only_kind)
def kind_of_move(rules, state, move):
    """The kind of a legal move in a state, from 0 to `move_kinds(rules)` − 1.  Fallback: 0."""


@LEARNING.function(_none)
def pattern_count(rules):
    """How many patterns of yes-or-no features there are.  Fallback: 0, the game has none."""


@njit
def _no_pattern(rules, state):
    return 0


@LEARNING.function(_no_pattern)
def feature_pattern(rules, state):
    """The yes-or-no features of a state, as the player to move sees it, as a number from 0 to `pattern_count(rules)` − 1."""


_MOST_RANDOM_PLIES = 400  # of the random game that `random_state` stops in


@njit
def state_in_random_game(rules, key, buffer):
    """A random game stopped after a random number of its moves, fewer than all."""
    plies = 0
    state = start(rules)
    while plies < _MOST_RANDOM_PLIES and outcome(rules, state) == ONGOING:
        state = play(rules, state, random_move(rules, state, draw(key, np.uint64(plies)), buffer))
        plies += 1
    stop = below(draw(key, np.uint64(_MOST_RANDOM_PLIES)), max(1, plies))
    state = start(rules)
    for ply in range(stop):
        state = play(rules, state, random_move(rules, state, draw(key, np.uint64(ply)), buffer))
    return state


@LEARNING.function(state_in_random_game)
def random_state(rules, key, buffer):
    """A random state in which the game goes on.  Fallback: a random game stopped after a random number of its moves."""
