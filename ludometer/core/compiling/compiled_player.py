"""Minds: agents as compiled code sees them, so that whole games can be played without Python.

A mind is a NamedTuple of numbers and arrays whose class belongs to one kind of agent.  Which agent's `decide` runs is chosen while
compiling, by the type of `mind`, as `core.protocol` chooses a game's functions by the type of `rules`.  A mind serves one player in one
thread: its arrays hold what the player remembers of the game, and room to work in.

    class GreedyMind(NamedTuple): …

    @decide.for_class(GreedyMind)
    def _(rules, mind, state, plies_left, key, buffer): …

Only `decide` is needed; agents that remember nothing of the game leave `begin_game` and `observe` out.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.dispatch import family

NO_MOVE = -1  # the agent has no answer here, or was told to stop before it had one
FOR_EVER = -1  # plies left in a game that is never drawn for its length


@family(by="mind")
def decide(rules, mind, state, plies_left, key, buffer):
    """The move for an unfinished state, or NO_MOVE; all chance comes from `key`.

    The game is drawn after `plies_left` more moves, or goes on FOR_EVER.  `buffer` (int32) has room for `move_bound(rules)` moves.
    """


def _nothing_kept(rules, mind, state):
    pass


@family(by="mind", fallback=_nothing_kept)
def begin_game(rules, mind, state):
    """A new game begins at `state`: forget the last one.  Fallback: nothing was remembered."""


def _not_watched(rules, mind, state, move, after):
    pass


@family(by="mind", fallback=_not_watched)
def observe(rules, mind, state, move, after):
    """A move was made, by this player or the other one, and led from `state` to `after`.  Fallback: nothing is made of it."""


@kernel
def ask(rules, mind, state, plies_left, key, buffer):
    """`decide`, called from Python."""
    return np.int64(decide(lend(rules), lend(mind), state, plies_left, key, buffer))


@kernel
def tell_begin(rules, mind, state):
    """`begin_game`, called from Python."""
    begin_game(rules, mind, state)


@kernel
def tell_move(rules, mind, state, move, after):
    """`observe`, called from Python."""
    observe(rules, mind, state, move, after)
