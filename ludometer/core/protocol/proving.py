"""What a game without repetition offers to the exact solvers (`solvers.acyclic`): exact keys, bounds, sufficient moves."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.dispatch import Group
from ludometer.core.compiling.leaves import leaves_of
from ludometer.core.protocol import legal_moves, margin, play, symmetry_count, transform, turn

PROVING = Group(
    "proving",
    needs={"packed_words": "pack", "search_step": "search_moves", "search_key_after": "search_key_begun", "deep_key": "deep_words"},
)

NEVER = -(1 << 20)  # less than any gain: an impossible choice


@njit
def _all_leaves(rules, state):
    return leaves_of(state)


@PROVING.function(_all_leaves)
def pack(rules, state):
    """A tuple of words that differs whenever the possible continuations or points differ.  Fallback: all leaves.

    Unlike `key` it is no hash: values stored under these words are exact.
    """


@njit
def _every_word(rules):
    return 0


@PROVING.function(_every_word)
def packed_words(rules):
    """Number of words of `pack` in use; the others are zero.  Fallback: 0, all are in use."""


@njit
def _least_image(rules, state):
    least = pack(rules, state)
    equal = 1
    for symmetry in range(1, symmetry_count(rules)):
        words = pack(rules, transform(rules, state, symmetry))
        if words < least:
            least = words
            equal = 1
        elif words == least:
            equal += 1
    return least, equal


@PROVING.function(_least_image)
def canonical(rules, state):
    """The canonical form: (the least `pack` among all images of a state, the number of symmetries that give it).  Fallback: try all."""


@njit
def _least_words(rules, state):
    return canonical(rules, state)[0]


@PROVING.function(_least_words)
def search_key(rules, state):
    """Cache key in the form of `pack`, equal only for states with the same remaining gain.

    Fallback: the canonical form; a game may identify more states.
    """


@njit
def _always(rules, state):
    return True


@PROVING.function(_always)
def worth_remembering(rules, state):
    """Whether a search looks up and stores a state in its transposition table.  Fallback: always."""


@njit
def _any_points(rules, state):
    return -32000, 32000


@PROVING.function(_any_points)
def value_bounds(rules, state):
    """Bounds (least, most) on the remaining gain of the player to move, as a difference of points.  Fallback: no bounds.

    In a game without points the gain is WIN, DRAW or LOSS.
    """


@njit
def _all_legal_moves(rules, tables, state, buffer):
    return legal_moves(rules, state, buffer)


@PROVING.function(_all_legal_moves)
def search_moves(rules, tables, state, buffer):
    """Write moves for `search_step` into `buffer`, most promising first, and return their number; one of them is optimal.

    `state` is ongoing.  Fallback: the legal moves.
    """


@njit
def _one_move(rules, state, move):
    after = play(rules, state, move)
    here, there = margin(rules, state), margin(rules, after)
    if turn(rules, after) == turn(rules, state):
        return after, NEVER, here - there
    return after, here + there, NEVER


@PROVING.function(_one_move)
def search_step(rules, state, move):
    """(after, take, leave) of a move of `search_moves`, which may stand for several legal moves in a row.  Fallback: `play`.

    The move is worth −max(take + v, leave − v), where v is the remaining gain of the player to move in `after`, 0 if the game is over:
    the opponent chooses between moving there and leaving the move to the other player.  NEVER: this choice does not exist.
    """


@njit
def _no_tables(rules):
    return np.empty((0, 0), np.uint64)


@PROVING.function(_no_tables)
def search_tables(rules):
    """A two-dimensional array computed once per search for the functions below, which may write to it.  Fallback: empty."""


@njit
def _nothing_begun(rules, tables, state):
    return 0


@PROVING.function(_nothing_begun)
def search_key_begun(rules, tables, state):
    """The common part of the keys of all states after this one, for `search_key_after`.  Fallback: nothing."""


@njit
def _key_of_after(rules, tables, begun, state, after):
    return search_key(rules, after)


@PROVING.function(_key_of_after)
def search_key_after(rules, tables, begun, state, after):
    """`search_key` of `after`, one step after `state`; `begun` is `search_key_begun` of `state`.  Fallback: `search_key`."""


@njit
def _no_words(rules):
    return 0


@PROVING.function(_no_words)
def deep_words(rules):
    """Number of words of `deep_key` in use.  Fallback: 0, there is no such key."""


@njit
def _no_key(rules, tables, state):
    return (np.uint64(0),)


@PROVING.function(_no_key)
def deep_key(rules, tables, state):
    """Like `search_key`, for states about to be searched deeply: it may cost more and should identify more states.

    It is equal only for states with the same remaining gain.
    """


@njit
def _not_known(rules):
    return 0.0


@PROVING.function(_not_known)
def position_estimate(rules):
    """Estimated number of positions up to symmetry (float64).  Fallback: 0, unknown."""
