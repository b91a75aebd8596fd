"""What a game offers to depth-first search (`agents.search`): evaluations, move ordering, incremental keys, depth rules.

EVALUATIONS = ("windows", "lines")    names of the game's evaluations, the usual one first; `number` below is a place in this tuple
DEPTH_RULES = ("losing",)             names of its rules for the depth of a search
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ludometer.core.compiling.dispatch import Group
from ludometer.core.protocol import key, margin, turn

if TYPE_CHECKING:
    from ludometer.core.game import Game

SEARCHING = Group(
    "searching",
    together=(("DEPTH_RULES", "depth_rule"),),
    needs={"EVALUATIONS": "evaluate"},
    plain=("EVALUATIONS", "DEPTH_RULES"),
)


def evaluations(game: Game) -> tuple[str, ...]:
    """Names of the game's evaluations, the default first; empty if it has none."""
    return tuple(SEARCHING.plain_member(game, "EVALUATIONS") or ())


def depth_rules(game: Game) -> tuple[str, ...]:
    """Names of the game's rules for the depth of a search, the default first."""
    return tuple(SEARCHING.plain_member(game, "DEPTH_RULES") or ())


@njit
def _margin_as_evaluation(rules, state, number):
    return np.float64(margin(rules, state))


@SEARCHING.function(_margin_as_evaluation)
def evaluate(rules, state, number):
    """Static evaluation of an ongoing state for the player to move (float64); `number` is an index into the game's EVALUATIONS.

    An infinite value means that the game is decided.  Fallback: the margin.
    """


@njit
def _promise_by_evaluation(rules, state, move, after, number):
    value = evaluate(rules, after, number)
    return value if turn(rules, after) == turn(rules, state) else -value


@SEARCHING.function(_promise_by_evaluation)
def promise(rules, state, move, after, number):
    """Value for move ordering of a move to the ongoing state `after`, for the player who makes it.

    Fallback: evaluation `number` of `after`.
    """


@njit
def _key_anew(rules, state, known, move, after):
    return key(rules, after)


@SEARCHING.function(_key_anew)
def key_after(rules, state, known, move, after):
    """The key of `after`, to which `move` leads from `state`, whose key is `known`.  Fallback: compute `key(rules, after)`."""


@njit
def _no_opening(rules, state, word):
    return -1


@SEARCHING.function(_no_opening)
def opening_move(rules, state, word):
    """A move to make without a search, chosen by the random `word`, or −1.  Fallback: −1."""


@njit
def _no_rule(rules, state, number):
    return 0


@SEARCHING.function(_no_rule)
def depth_rule(rules, state, number):
    """Depth in plies by rule `number` of the game's DEPTH_RULES, at least 1.  Fallback: 0, no rule."""
