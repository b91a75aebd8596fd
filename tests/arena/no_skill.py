"""A game in which nothing matters: three moves of two kinds, and who moves first wins."""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import LOSS, ONGOING

GAME = GameKind(name=__file__, title="No Skill", syntax="no_skill.py", listed=(), modules=(__name__, "ludometer.core.gridgame"))
PLIES = np.uint64(3)


class NoSkillRules(NamedTuple):
    rows: int
    columns: int


class NoSkillState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64
    plies: np.uint64


def rules_from_text(text):
    return NoSkillRules(1, 2)


@njit
def start(rules):
    return NoSkillState(U0, U0, U0, U0)


@njit
def move_bound(rules):
    return 2


@njit
def legal_moves(rules, state, buffer):
    if state.plies == PLIES:
        return 0
    buffer[0], buffer[1] = 0, 1
    return 2


@njit
def play(rules, state, move):
    return NoSkillState(state.other, state.mover, state.turn ^ U1, state.plies + U1)


@njit
def turn(rules, state):
    return state.turn


@njit
def outcome(rules, state):
    return LOSS if state.plies == PLIES else ONGOING
