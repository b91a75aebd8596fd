"""What a game without repetition can tell the exact solvers (`solvers.acyclic`): exact keys, bounds, moves that need not be tried."""

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

NEVER = -(1 << 20)  # less than any gain: what cannot be had


@njit
def _all_leaves(rules, state):
    return leaves_of(state)


@PROVING.function(_all_leaves)
def pack(rules, state):
    """A tuple of words that differs whenever the moves and points that can still follow differ.  Fallback: all leaves.

    Nothing is lost here as in `key`: what is stored under these words is exact.
    """


@njit
def _every_word(rules):
    return 0


@PROVING.function(_every_word)
def packed_words(rules):
    """How many of the words of `pack` are in use, the others being zero.  Fallback: 0, all of them."""


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
    """(the least `pack` among all images of a state under the symmetries, how many symmetries give it).  Fallback: try all."""


@njit
def _least_words(rules, state):
    return canonical(rules, state)[0]


@PROVING.function(_least_words)
def search_key(rules, state):
    """Words of the form of `pack` that are equal only for states with the same points still to be won.

    Fallback: the least image; a game may find more states alike.
    """


@njit
def _always(rules, state):
    return True


@PROVING.function(_always)
def worth_remembering(rules, state):
    """Whether a search should look a state up by its `search_key` and keep what it finds out.  Fallback: always."""


@njit
def _any_points(rules, state):
    return -32000, 32000


@PROVING.function(_any_points)
def value_bounds(rules, state):
    """The least and the most the player to move can still gain, as a difference of points.  Fallback: no bounds.

    In a game without points the gain is WIN, DRAW or LOSS.
    """


@njit
def _all_legal_moves(rules, tables, state, buffer):
    return legal_moves(rules, state, buffer)


@PROVING.function(_all_legal_moves)
def search_moves(rules, tables, state, buffer):
    """Write moves for `search_step` into `buffer`, most promising first; among them is one as good as any legal move.

    The game goes on in `state`.  Fallback: the legal moves.
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

    The move is worth −max(take + v, leave − v), where v is what the player to move in `after` can still gain there, 0 if the game is
    over: the opponent has the choice of going on himself or of leaving that to the other.  NEVER: there is no such choice.
    """


@njit
def _no_tables(rules):
    return np.empty((0, 0), np.uint64)


@PROVING.function(_no_tables)
def search_tables(rules):
    """Words that a search works out once for the functions below (a two-dimensional array); they may write to it.  Fallback: none."""


@njit
def _nothing_begun(rules, tables, state):
    return 0


@PROVING.function(_nothing_begun)
def search_key_begun(rules, tables, state):
    """What the keys of all states after this one have in common, for `search_key_after`.  Fallback: nothing."""


@njit
def _key_of_after(rules, tables, begun, state, after):
    return search_key(rules, after)


@PROVING.function(_key_of_after)
def search_key_after(rules, tables, begun, state, after):
    """`search_key` of `after`, which one step led to from `state`; `begun` is `search_key_begun` of that.  Fallback: `search_key`."""


@njit
def _no_words(rules):
    return 0


@PROVING.function(_no_words)
def deep_words(rules):
    """How many words of `deep_key` are in use.  Fallback: 0, there is no such key."""


@njit
def _no_key(rules, tables, state):
    return (np.uint64(0),)


@PROVING.function(_no_key)
def deep_key(rules, tables, state):
    """Like `search_key`, for states about to be searched at length: it may cost more and should find more of them alike.

    Words that are equal only for states with the same points still to be won.
    """


@njit
def _not_known(rules):
    return 0.0


@PROVING.function(_not_known)
def position_estimate(rules):
    """About how many positions there are up to symmetry (float64).  Fallback: 0, not known."""
