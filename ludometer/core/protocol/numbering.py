"""Dense numbering of states, which makes keys in tables unnecessary (`solvers.acyclic`, `agents.window`)."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.dispatch import Group
from ludometer.core.protocol import legal_moves, margin, move_bound, play, start, turn

NUMBERING = Group(
    "numbering",
    together=(("dense_size", "dense_index", "dense_state"),),
    needs={"dense_fill": "dense_size", "dense_moves": "dense_size"},
)


@njit
def _no_entries(rules):
    return 0


@NUMBERING.function(_no_entries)
def dense_size(rules):
    """Number of entries of a table indexed by state.  Fallback: 0, states are not numbered."""


@njit
def _no_number(rules, state):
    return np.int64(-1)


@NUMBERING.function(_no_number)
def dense_index(rules, state):
    """The number of a state, from 0 to `dense_size(rules)` − 1; a move leads to a higher one.

    States with the same number have the same continuations and remaining points.
    """


@njit
def _only_start(rules, index):
    return start(rules)


@NUMBERING.function(_only_start)
def dense_state(rules, index):
    """A state with this number."""


@njit
def _fill_by_playing(rules, values, begin, end):
    buffer = np.empty(move_bound(rules), np.int32)
    for index in range(end - 1, begin - 1, -1):
        state = dense_state(rules, index)
        here = margin(rules, state)
        best = np.int64(-32000)
        for place in range(legal_moves(rules, state, buffer)):
            after = play(rules, state, np.int64(buffer[place]))
            value = np.int64(margin(rules, after)) + np.int64(values[dense_index(rules, after)])
            best = max(best, (value if turn(rules, after) == turn(rules, state) else -value) - here)
        values[index] = 0 if best == -32000 else best


@NUMBERING.function(_fill_by_playing)
def dense_fill(rules, values, begin, end):
    """Write the gain of the player to move into entries begin..end of a table whose higher entries are filled.

    Fallback: play every legal move.
    """


@njit
def _no_moves_counted(rules, index):
    return 0


@NUMBERING.function(_no_moves_counted)
def dense_moves(rules, index):
    """Number of moves made in the states with this number.  Fallback: 0, unknown."""
