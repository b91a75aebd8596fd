"""Compiled players: agents as compiled code sees them, so that whole games are played without Python.

A compiled player is a NamedTuple of numbers and arrays whose class belongs to one kind of agent.  Its class selects the `decide` that runs,
at compile time, as the class of `rules` selects a game's functions.  It serves one player in one thread: its arrays hold what the player
remembers of the game, and scratch buffers.

    class CompiledGreedy(NamedTuple): …

    @decide.for_class(CompiledGreedy)
    def _(rules, player, state, plies_left, key, buffer): …

Only `decide` is required; agents that remember nothing of the game leave out `begin_game` and `observe`.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.dispatch import family

NO_MOVE = -1  # the agent has no answer here, or was stopped before it had one
FOR_EVER = -1  # plies left in a game that is never drawn for its length


@family(by="player")
def decide(rules, player, state, plies_left, key, buffer):
    """The move for an unfinished state, or NO_MOVE; all chance comes from `key`.

    The game is drawn after `plies_left` more moves, or goes on FOR_EVER.  `buffer` (int32) holds `move_bound(rules)` moves.
    """


def _nothing_kept(rules, player, state):
    pass


@family(by="player", fallback=_nothing_kept)
def begin_game(rules, player, state):
    """A new game begins at `state`: forget the last one.  Fallback: nothing was remembered."""


def _not_watched(rules, player, state, move, after):
    pass


@family(by="player", fallback=_not_watched)
def observe(rules, player, state, move, after):
    """A move was made, by this player or the other one, and led from `state` to `after`.  Fallback: ignored."""


def _not_counted(rules, player):
    return np.int64(-1)


@family(by="player", fallback=_not_counted)
def positions_visited(rules, player):
    """Positions that the last decision visited, in the tree and in playouts.  Fallback: −1, they are not counted."""


@kernel
def ask(rules, player, state, plies_left, key, buffer):
    """`decide`, called from Python."""
    return np.int64(decide(lend(rules), lend(player), state, plies_left, key, buffer))


@kernel
def tell_begin(rules, player, state):
    """`begin_game`, called from Python."""
    begin_game(rules, player, state)


@kernel
def tell_move(rules, player, state, move, after):
    """`observe`, called from Python."""
    observe(rules, player, state, move, after)
