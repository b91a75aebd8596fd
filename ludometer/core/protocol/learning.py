"""What a game offers to learners (`agents.qlearning`): features, patterns of binary features, random states.

feature_names(rules)    plain Python: the names of the features
pattern_names(rules)    plain Python: the question that each bit of a pattern answers
LEARNING_SCORE          name of the evaluation whose changes are rewards; default: the margin
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
    """Names of the game's features, in their order; empty if it has none."""
    names = LEARNING.plain_member(game, "feature_names")
    return [] if names is None else list(names(game.rules))


def pattern_names(game: Game) -> list[str]:
    """The question that each bit of a pattern answers; empty if the game has no patterns."""
    names = LEARNING.plain_member(game, "pattern_names")
    return [] if names is None else list(names(game.rules))


def learning_score(game: Game) -> str:
    """Name of the evaluation whose changes are rewards; "" for the margin."""
    return str(LEARNING.plain_member(game, "LEARNING_SCORE") or "")


@njit
def _none(rules):
    return 0


@LEARNING.function(_none)
def feature_count(rules):
    """Number of features of a state.  Fallback: 0."""


@njit
def _no_features(rules, state, out):
    pass


@LEARNING.function(_no_features)
def features(rules, state, out):
    """Write the features of a state for its player to move into `out` (float64).  Fallback: write nothing."""


@njit
def _one_kind(rules):
    return 1


@LEARNING.function(_one_kind)
def move_kinds(rules):
    """Number of kinds of moves that a learner may distinguish.  Fallback: 1."""


@njit
def _only_kind(rules, state, move):
    return 0


@LEARNING.function(_only_kind)
def kind_of_move(rules, state, move):
    """The kind of a legal move in a state, from 0 to `move_kinds(rules)` − 1.  Fallback: 0."""


@LEARNING.function(_none)
def pattern_count(rules):
    """Number of patterns of binary features.  Fallback: 0."""


@njit
def _no_pattern(rules, state):
    return 0


@LEARNING.function(_no_pattern)
def feature_pattern(rules, state):
    """The binary features of a state for its player to move, as a number from 0 to `pattern_count(rules)` − 1."""


_MOST_RANDOM_PLIES = 400  # moves of the random game from which `random_state` is taken


@njit
def state_in_random_game(rules, key, buffer):
    """The state of a random game after a random number of its moves, fewer than all."""
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
    """A random ongoing state.  Fallback: the state of a random game after a random number of its moves."""
