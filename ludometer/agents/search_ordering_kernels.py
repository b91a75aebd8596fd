"""Move ordering of a depth-first search, compiled."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.agents.search_choices import Order, Shuffle
from ludometer.agents.search_player_kernels import MOST_CLAIMED, WIN
from ludometer.agents.search_table_kernels import key_of, table_key
from ludometer.agents.transposition_kernels import find_entry
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import searching
from ludometer.core.random import below, draw


@njit
def below_a_win(claim):
    """An evaluation or promise, clipped below proven wins and losses."""
    return min(MOST_CLAIMED, max(-MOST_CLAIMED, claim))


@njit
def sort_moves(moves, promises, count):
    """Sort by descending promise; the sort is stable."""
    for place in range(1, count):
        move, hope = moves[place], promises[place]
        before = place - 1
        while before >= 0 and promises[before] < hope:
            moves[before + 1], promises[before + 1] = moves[before], promises[before]
            before -= 1
        moves[before + 1], promises[before + 1] = move, hope


@njit
def shuffle_moves(moves, count, key):
    """Shuffle with the random words of `key`."""
    for place in range(count - 1, 0, -1):
        other = below(draw(key, np.uint64(place)), place + 1)
        moves[place], moves[other] = moves[other], moves[place]


@inlined
def promise_of(rules, search, state, key, move):
    """The promise of a move to the player who makes it.

    The result if it ends the game; with `Order.HISTORY` the value found last, if there is one; otherwise the static evaluation.
    """
    settings = search.settings
    after = protocol.play(rules, state, move)
    outcome = protocol.outcome(rules, after)
    turn_passes = protocol.turn(rules, after) != protocol.turn(rules, state)
    if outcome != ONGOING:
        return -2 * WIN * outcome if turn_passes else 2 * WIN * outcome
    if settings.order == Order.HISTORY:
        key_there = key_of(rules, search.variant, state, key, move, after)
        slot = find_entry(search.table, table_key(rules, settings, search.run[0].root_player, after, key_there))
        if slot >= 0:
            return -search.table.entries[slot].value if turn_passes else search.table.entries[slot].value
    return below_a_win(searching.promise(rules, state, move, after, settings.evaluation))


@inlined
def order_moves(rules, search, state, node, count):
    """Order the moves of this ply; returns the number of moves to search."""
    settings, run = search.settings, search.run[0]
    moves, promises = search.scratch.moves[node.ply], search.scratch.promises[node.ply]
    if settings.shuffle == Shuffle.YES or (settings.shuffle == Shuffle.ROOT and node.ply == 0):
        shuffle_moves(moves, count, run.key ^ np.uint64(run.expanded))
    is_cut = 0 < settings.beam < count
    # One ply before the horizon every move is visited anyway: ordering would cost as much as it could save.
    if not is_cut and (settings.order == Order.NONE or node.depth == 1):
        return count
    for place in range(count):
        promise = promise_of(rules, search, state, node.key, np.int64(moves[place]))
        promises[place] = -promise if settings.order == Order.REVERSED and not is_cut else promise
    sort_moves(moves, promises, count)
    if is_cut:
        run.horizon += 1
        return np.int64(settings.beam)
    return count
