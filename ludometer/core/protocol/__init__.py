"""The protocol of games: the thirteen functions on which all algorithms are built.

A game defines these as module-level functions with exactly these parameter names.  `rules` is a NamedTuple of integers (and optionally
arrays) whose class belongs to that game alone; `state` is a NamedTuple in which every leaf is a uint64; a move is an integer from 0
to `move_bound(rules)` − 1.

    required   start  legal_moves  play  turn  outcome  move_bound
    optional   count_moves  random_move  margin  key  symmetry_count  transform  transform_move

The docstring of each optional function gives its fallback.  Functions for single algorithms form further groups:

    core.searching   evaluations, move ordering, incremental keys        for depth-first search
    core.learning    features and patterns                               for Q-learning
    core.proving     exact keys, bounds, moves that need not be tried    for the solvers of games without repetition
    core.numbering   a number for every state                            for tables without keys
    core.tiling      states made of two players' tiles                   for retrograde analysis
    core.windows     small boards inside a large one                     for the sliding window

`core.compiling.dispatch` explains how a call finds the game's function.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.dispatch import Group
from ludometer.core.compiling.leaves import mix_leaves
from ludometer.core.outcome import DRAW, ONGOING
from ludometer.core.random import below

PROTOCOL = Group("protocol", together=(("symmetry_count", "transform", "transform_move"),))

_KEY_START = np.uint64(0x9E3779B97F4A7C15)  # not zero, so that an empty board has a key of its own


@PROTOCOL.required
def start(rules):
    """The state at the beginning of a game."""


@PROTOCOL.required
def move_bound(rules):
    """Every move is below this number; a buffer of this length holds all legal moves."""


@PROTOCOL.required
def legal_moves(rules, state, buffer):
    """Write the legal moves, ascending, into `buffer` (int32) and return their number, 0 if the game is over."""


@PROTOCOL.required
def play(rules, state, move):
    """The state after a legal move.  The result of an illegal move is undefined."""


@PROTOCOL.required
def turn(rules, state):
    """The player to move: FIRST (0) or SECOND (1)."""


@PROTOCOL.required
def outcome(rules, state):
    """ONGOING, or WIN, DRAW, LOSS for the player to move."""


@njit
def _count_by_listing(rules, state):
    buffer = np.empty(move_bound(rules), np.int32)
    return legal_moves(rules, state, buffer)


@PROTOCOL.function(_count_by_listing)
def count_moves(rules, state):
    """Number of legal moves.  Fallback: list them."""


@njit
def _random_from_list(rules, state, word, buffer):
    return np.int64(buffer[below(word, legal_moves(rules, state, buffer))])


@PROTOCOL.function(_random_from_list)
def random_move(rules, state, word, buffer):
    """A uniformly random legal move chosen by the random `word`; the game is not over.  Fallback: list and pick."""


@njit
def _margin_of_outcome(rules, state):
    value = outcome(rules, state)
    return DRAW if value == ONGOING else value


@PROTOCOL.function(_margin_of_outcome)
def margin(rules, state):
    """Points of the player to move minus the other's, so far.  Fallback: the outcome, 0 while it is open."""


@njit
def _key_of_leaves(rules, state):
    return mix_leaves(state, _KEY_START)


@PROTOCOL.function(_key_of_leaves)
def key(rules, state):
    """A 64-bit hash of everything that determines the rest of the game.  Fallback: mix all leaves of the state."""


@njit
def _only_identity(rules):
    return 1


@PROTOCOL.function(_only_identity)
def symmetry_count(rules):
    """Number of symmetries of the game; number 0 is the identity.  Fallback: 1."""


@njit
def _same_state(rules, state, symmetry):
    return state


@PROTOCOL.function(_same_state)
def transform(rules, state, symmetry):
    """The image of the state under a symmetry.  Fallback: the state itself."""


@njit
def _same_move(rules, move, symmetry):
    return move


@PROTOCOL.function(_same_move)
def transform_move(rules, move, symmetry):
    """The image of the move under a symmetry.  Fallback: the move itself."""
