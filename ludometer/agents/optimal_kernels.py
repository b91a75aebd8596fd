"""Perfect play from a table, compiled: look every move up and choose among the best."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import popcount
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import NO_MOVE, decide
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.protocol import numbering, tiling
from ludometer.solvers.acyclic.table_kernels import entry_of as entry_of_words
from ludometer.solvers.acyclic.table_kernels import identify
from ludometer.solvers.retrograde.keys import KeyLayout, entry_of_key, least_key
from ludometer.solvers.tiles.codes import LOSS_BASE, LOSS_IN_1, WIN_BASE, is_win
from ludometer.solvers.tiles.index import Rows, entry_of
from ludometer.solvers.tiles.packing import code_at

NOT_KNOWN = -1  # a distance that the table does not have
LONG_WAY = 1000  # an unknown distance counts as this: a win at once is better and a loss at once worse

_U32 = np.uint64(32)
_LOWER_HALF = np.uint64(0xFFFFFFFF)


class TileLookup(NamedTuple):
    """The tables of a tile game, one behind the other."""

    rows: Rows
    codes: np.ndarray  # uint8: codes of `solvers.tiles.codes`, or values packed four to a byte
    first: np.ndarray  # int64 [tiles of the mover, tiles of the other]: where the table of this class begins in `codes`, −1: none
    packed: int  # 1: values packed, without distances


class ListedLookup(NamedTuple):
    """The table of all positions of a game without repetition that can be reached."""

    keys: np.ndarray  # uint64 (positions, words), ascending
    values: np.ndarray  # int16, see `solvers.acyclic.table_kernels`
    reduced: int  # 1: one entry stands for all images of a position
    scored: int  # 1: values are points still to be gained


class DenseLookup(NamedTuple):
    """The table of a game whose states are numbered."""

    values: np.ndarray  # int8 [number of the state]
    scored: int


class KeyLookup(NamedTuple):
    """The table of all positions of a game that can be reached, found by retrograde analysis."""

    layout: KeyLayout
    symmetries: np.ndarray  # int64
    keys: np.ndarray  # flat uint64, ascending
    values: np.ndarray  # int8 or int16, see `solvers.retrograde.solution`
    exact: int  # 1: values have distances


class OptimalMind(NamedTuple):
    """A player who has solved the game."""

    lookup: Any  # one of the above
    steps: int  # 1: fastest wins and slowest losses only
    blunder: float  # probability of a random move
    ranks: np.ndarray  # int64 (move_bound, 2): room to work in


@family(by="lookup")
def look_up(rules, lookup, state):
    """(whether the table has the state, what it is worth to the player to move, moves to the end or NOT_KNOWN).

    It is worth WIN, DRAW or LOSS, in games with points the margin at the end.
    """


@look_up.for_class(TileLookup)
def _look_up_tiles(rules, lookup, state):
    mover, other = tiling.tiles_of_state(rules, state)
    first = lookup.first[popcount(mover), popcount(other)]
    if first < 0:
        return False, np.int64(0), np.int64(0)
    code = code_at(lookup.codes[first:], lookup.packed, entry_of(rules, state, lookup.rows))
    if code == 0:
        return True, np.int64(DRAW), np.int64(NOT_KNOWN)
    exact = not lookup.packed or protocol.outcome(rules, state) != ONGOING
    if is_win(code):
        distance = 0 if code == WIN_BASE else 2 * code - 3
        return True, np.int64(WIN), np.int64(distance if exact else NOT_KNOWN)
    distance = code - LOSS_BASE if code <= LOSS_IN_1 else 2 * (code - LOSS_IN_1)
    return True, np.int64(LOSS), np.int64(distance if exact else NOT_KNOWN)


@njit
def value_stored(rules, state, stored, scored):
    """What `look_up` returns for an entry of a table of positions."""
    if scored:
        return True, np.int64(protocol.margin(rules, state)) + stored, np.int64(NOT_KNOWN)
    sign = np.int64(stored > 0) - np.int64(stored < 0)
    return True, sign, np.int64(NOT_KNOWN) if sign == DRAW else abs(stored) - 1


@look_up.for_class(ListedLookup)
def _look_up_listed(rules, lookup, state):
    entry = entry_of_words(lookup.keys, identify(rules, state, lookup.reduced)[0], lookup.keys.shape[1])
    if entry < 0:
        return False, np.int64(0), np.int64(0)
    return value_stored(rules, state, np.int64(lookup.values[entry]), lookup.scored)


@look_up.for_class(KeyLookup)
def _look_up_key(rules, lookup, state):
    key, fits = least_key(rules, state, lookup.layout, lookup.symmetries)
    entry = entry_of_key(lookup.layout, lookup.keys, key)
    if entry < 0 or not fits:
        return False, np.int64(0), np.int64(0)
    known, worth, distance = value_stored(rules, state, np.int64(lookup.values[entry]), 0)
    if not lookup.exact and worth != DRAW:
        distance = np.int64(0 if protocol.outcome(rules, state) != ONGOING else NOT_KNOWN)
    return known, worth, distance


@look_up.for_class(DenseLookup)
def _look_up_dense(rules, lookup, state):
    return value_stored(rules, state, np.int64(lookup.values[numbering.dense_index(rules, state)]), lookup.scored)


@njit
def rank_moves(rules, mind, state, moves):
    """(how many legal moves there are, −1 if the table lacks one): `moves` gets them, mind.ranks what each is worth to its maker.

    Column 0 has the worth; column 1 is larger for faster wins and slower losses.
    """
    mind = lend(mind)
    count = np.int64(protocol.legal_moves(rules, state, moves))
    for place in range(count):
        after = protocol.play(rules, state, np.int64(moves[place]))
        is_known, worth, distance = look_up(rules, mind.lookup, after)
        if not is_known:
            return np.int64(-1)
        if protocol.turn(rules, after) != protocol.turn(rules, state):
            worth = -worth
        mind.ranks[place, 0] = worth
        mind.ranks[place, 1] = -worth * (LONG_WAY if distance == NOT_KNOWN else distance + 1)
    return count


@njit
def choose(rules, mind, state, key, moves):
    """(the move or NO_MOVE, how many moves it was chosen from, whether it is a blunder).

    Two independent uses of the key's 64 bits: the upper half decides whether to blunder, the lower half which move.
    """
    pick = key & _LOWER_HALF
    if np.float64(key >> _U32) / 4294967296.0 < mind.blunder:
        count = np.int64(protocol.legal_moves(rules, state, moves))
        return np.int64(moves[np.int64(pick * np.uint64(count) >> _U32)]), count, True
    count = rank_moves(rules, mind, state, moves)
    if count < 0:
        return np.int64(NO_MOVE), count, False
    ranks = mind.ranks
    best, equal = 0, 0
    for place in range(count):
        nearer = mind.steps and ranks[place, 1] > ranks[best, 1]
        if ranks[place, 0] > ranks[best, 0] or (ranks[place, 0] == ranks[best, 0] and nearer):
            best, equal = place, 0
        if is_equal(ranks, place, best, mind.steps):
            equal += 1
    left = np.int64(pick * np.uint64(equal) >> _U32)
    for place in range(best, count):
        if is_equal(ranks, place, best, mind.steps):
            if left == 0:
                return np.int64(moves[place]), np.int64(equal), False
            left -= 1
    return np.int64(NO_MOVE), np.int64(0), False


@njit
def is_equal(ranks, place, other, steps):
    """Whether two moves are worth the same, with `steps` also as near to the end."""
    return ranks[place, 0] == ranks[other, 0] and (not steps or ranks[place, 1] == ranks[other, 1])


@kernel
def choose_and_value(rules, mind, state, key, moves):
    """`choose`, called from Python, and `look_up` of the state itself."""
    mind = lend(mind)
    return choose(rules, mind, state, key, moves), look_up(rules, mind.lookup, state)


@decide.for_class(OptimalMind)
def _decide_by_table(rules, mind, state, plies_left, key, buffer):
    return choose(rules, mind, state, key, buffer)[0]
