"""Perfect play from a table, compiled: look up every move and choose among the best."""

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

NOT_KNOWN = -1  # a distance missing from the table
UNKNOWN_DISTANCE = 1000  # stands for an unknown distance: an immediate win is better and an immediate loss worse

_U32 = np.uint64(32)
_LOWER_HALF = np.uint64(0xFFFFFFFF)


class TileLookup(NamedTuple):
    """The tables of a tile game, one after the other."""

    rows: Rows
    codes: np.ndarray  # uint8: codes of `solvers.tiles.codes`, or values packed four to a byte
    first: np.ndarray  # int64 [tiles of the mover, tiles of the other]: where the table of this class begins in `codes`, −1: none
    packed: int  # 1: values packed, without distances


class ListedLookup(NamedTuple):
    """The table of all reachable positions of a game without repetition."""

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


class CompiledOptimal(NamedTuple):
    """A compiled player with the tables of a solution."""

    lookup: Any  # one of the above
    steps: int  # 1: fastest wins and slowest losses only
    blunder: float  # probability of a random move
    ranks: np.ndarray  # int64 (move_bound, 2): scratch


@family(by="lookup")
def look_up(rules, lookup, state):
    """(True if the table has the state, its value for the player to move, moves to the end or NOT_KNOWN).

    The value is WIN, DRAW or LOSS; in scored games it is the margin at the end.
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
    """The result of `look_up` for an entry of a table of positions."""
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
def rank_moves(rules, player, state, moves):
    """Number of legal moves, or −1 if the table lacks one; writes the moves to `moves` and their ranks to player.ranks.

    Column 0 has the value for the player who moves; column 1 is larger for faster wins and slower losses.
    """
    player = lend(player)
    count = np.int64(protocol.legal_moves(rules, state, moves))
    for place in range(count):
        after = protocol.play(rules, state, np.int64(moves[place]))
        is_known, worth, distance = look_up(rules, player.lookup, after)
        if not is_known:
            return np.int64(-1)
        if protocol.turn(rules, after) != protocol.turn(rules, state):
            worth = -worth
        player.ranks[place, 0] = worth
        player.ranks[place, 1] = -worth * (UNKNOWN_DISTANCE if distance == NOT_KNOWN else distance + 1)
    return count


@njit
def choose(rules, player, state, key, moves):
    """(the move or NO_MOVE, number of moves it was chosen from, True for a blunder).

    Two independent uses of the key's 64 bits: the upper half decides whether to blunder, the lower half which move.
    """
    pick = key & _LOWER_HALF
    if np.float64(key >> _U32) / 4294967296.0 < player.blunder:
        count = np.int64(protocol.legal_moves(rules, state, moves))
        return np.int64(moves[np.int64(pick * np.uint64(count) >> _U32)]), count, True
    count = rank_moves(rules, player, state, moves)
    if count < 0:
        return np.int64(NO_MOVE), count, False
    ranks = player.ranks
    best, equal = 0, 0
    for place in range(count):
        nearer = player.steps and ranks[place, 1] > ranks[best, 1]
        if ranks[place, 0] > ranks[best, 0] or (ranks[place, 0] == ranks[best, 0] and nearer):
            best, equal = place, 0
        if is_equal(ranks, place, best, player.steps):
            equal += 1
    left = np.int64(pick * np.uint64(equal) >> _U32)
    for place in range(best, count):
        if is_equal(ranks, place, best, player.steps):
            if left == 0:
                return np.int64(moves[place]), np.int64(equal), False
            left -= 1
    return np.int64(NO_MOVE), np.int64(0), False


@njit
def is_equal(ranks, place, other, steps):
    """True if two moves have the same value, and with `steps` the same distance to the end."""
    return ranks[place, 0] == ranks[other, 0] and (not steps or ranks[place, 1] == ranks[other, 1])


@kernel
def choose_and_value(rules, player, state, key, moves):
    """`choose`, called from Python, and `look_up` of the state itself."""
    player = lend(player)
    return choose(rules, player, state, key, moves), look_up(rules, player.lookup, state)


@decide.for_class(CompiledOptimal)
def _decide_by_table(rules, player, state, plies_left, key, buffer):
    return choose(rules, player, state, key, buffer)[0]
