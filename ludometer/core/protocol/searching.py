"""What a game can tell a depth-first search (`agents.search`): evaluations, which moves look good, keys, how deep to look.

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
    """Names of the game's evaluations, the usual one first; none if it names none."""
    return tuple(SEARCHING.plain_member(game, "EVALUATIONS") or ())


def depth_rules(game: Game) -> tuple[str, ...]:
    """Names of the game's rules for the depth of a search, the usual one first."""
    return tuple(SEARCHING.plain_member(game, "DEPTH_RULES") or ())


@njit
def _margin_as_evaluation(rules, state, number):
    return np.float64(margin(rules, state))


@SEARCHING.function(_margin_as_evaluation)
def evaluate(rules, state, number):
    """How good an unfinished position looks to the player to move (float64); `number` is a place in the game's EVALUATIONS.

    The tuple EVALUATIONS names the game's evaluations, the usual one first.  An infinite value says that the game is decided.
    Fallback: the margin.
    """


@njit
def _promise_by_evaluation(rules, state, move, after, number):
    value = evaluate(rules, after, number)
    return value if turn(rules, after) == turn(rules, state) else -value


@SEARCHING.function(_promise_by_evaluation)
def promise(rules, state, move, after, number):
    """How good a move that leads to the unfinished state `after` looks to the player who makes it, for ordering moves.

    Fallback: what evaluation `number` says of `after`.
    """


@njit
def _key_anew(rules, state, known, move, after):
    return key(rules, after)


@SEARCHING.function(_key_anew)
def key_after(rules, state, known, move, after):
    """The key of `after`, to which `move` leads from `state`, whose key is `known`.  Fallback: work out `key(rules, after)`."""


@njit
def _no_opening(rules, state, word):
    return -1


@SEARCHING.function(_no_opening)
def opening_move(rules, state, word):
    """A move to make here without a search, chosen by the random `word`, or −1.  Fallback: −1."""


@njit
def _no_rule(rules, state, number):
    return 0


@SEARCHING.function(_no_rule)
def depth_rule(rules, state, number):
    """How many plies rule `number` of the game's tuple DEPTH_RULES wants searched here, at least 1.  Fallback: 0, no rule."""
