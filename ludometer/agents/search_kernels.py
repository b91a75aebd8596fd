"""Depth-first search, compiled once for each game: minimax, alpha-beta and expectimax with all their options.

Values are for the player to move and change sign only when the turn passes, since in some games a player moves again.  A finished game is
worth ±WIN, or its margin with `by_margin`; evaluations are clipped to ±MOST_CLAIMED.  With `early` a win is worth one less for each ply it
takes, so that nearer wins and later losses are preferred.

A search ends early at its deadline, when its nodes are used up or when a stop is requested; the unfinished iteration is discarded.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.agents.search_choices import Algorithm, Bound, NodeKind, Status
from ludometer.agents.search_ordering_kernels import below_a_win, order_moves
from ludometer.agents.search_player_kernels import MOST_CLAIMED, RULE_DEPTH, WIN, CompiledSearch
from ludometer.agents.search_table_kernels import (
    Node,
    Result,
    Window,
    bound_to_store,
    cuts_so_far,
    forget,
    key_of,
    look_up,
    note_cut,
    remember,
    table_key,
)
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import begin_game, decide, positions_visited
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import searching

_CHECK_INTERVAL = 512  # moves between two checks of the clock and of requests to stop

# ---- variants ----


def _yes(variant):
    return True


@family(by="variant", fallback=_yes)
def narrows_root(variant):
    """True if the best move so far narrows the window of the next one at the root.  Fallback: True."""


@family(by="variant", fallback=_yes)
def has_ceiling(variant):
    """True if the search cuts off after a move that wins at once.  Fallback: True."""


# ---- values ----


@njit
def final_value(rules, settings, state, outcome, ply):
    """The value of a finished game for the player to move, `ply` plies from the root."""
    if settings.by_margin:
        return np.float64(protocol.margin(rules, state))
    value = WIN - ply if settings.early else WIN
    return value if outcome > 0 else -value if outcome < 0 else 0.0


@njit
def highest_possible(settings, variant, ply):
    """The highest value that a position `ply` plies from the root can have: a win with the next move."""
    if settings.algorithm != Algorithm.ALPHABETA or settings.by_margin or not has_ceiling(variant):
        return np.inf
    return WIN - (ply + 1) if settings.early else WIN


# ---- limits and trace ----


@inlined
def check_limits(search, moves):
    """Set the status once the deadline has passed or a stop is requested; `moves` is the work since the last call."""
    run = search.run[0]
    run.until_check -= moves
    if run.until_check < 0:
        run.until_check = _CHECK_INTERVAL
        if search.stop[0] != 0 or (run.deadline > 0 and nanoseconds() >= run.deadline):
            run.status = Status.STOPPED


@njit
def add_to_trace(runs, trace, parent, move, ply, player, kind):
    """Write a node to the trace; returns its place, or −1 if the trace is full."""
    run = runs[0]
    place = run.traced
    if place >= len(trace):
        return np.int64(-1)
    run.traced += 1
    node = trace[place]
    node.parent = parent
    node.move = move
    node.ply = ply
    node.player = player
    node.kind = kind
    node.bound = Bound.EXACT
    node.value = 0.0
    node.best = -1
    return place


# ---- the search ----


@kernel
def value_at(rules, search, state, node, window):
    """The value of an unfinished position for the player to move, searched `node.depth` ≥ 1 plies deep.

    Alpha-beta returns the exact value if it lies inside the window, and a bound otherwise.  At ply 0 the best move is written to
    `run.best_move`.
    """
    search = lend(search)
    settings, run, trace, variant = search.settings, search.run[0], search.trace, search.variant
    if run.status != Status.RUNNING:
        return 0.0
    ply, place = node.ply, node.place
    prunes = settings.algorithm == Algorithm.ALPHABETA
    has_table = len(search.table.entries) > 0
    horizon, cuts = run.horizon, cuts_so_far(variant)
    known = np.uint64(0)
    if has_table:
        known = table_key(rules, settings, run.root_player, state, node.key)
        is_answered, answer, window = look_up(rules, search, state, known, node, window)
        if is_answered:
            return answer
    highest = highest_possible(settings, variant, ply)
    if highest <= window.alpha:
        note_cut(variant)
        if place >= 0:
            trace[place].bound = Bound.UPPER
        return highest
    run.expanded += 1
    mover = protocol.turn(rules, state)
    moves = search.scratch.moves[ply]
    count = np.int64(protocol.legal_moves(rules, state, moves))
    check_limits(search, count)
    tried = order_moves(rules, search, state, node, count)
    best = -np.inf
    total = 0.0
    lowest = window.alpha
    for index in range(tried):
        move = np.int64(moves[index])
        after = protocol.play(rules, state, move)
        outcome = protocol.outcome(rules, after)
        next_player = protocol.turn(rules, after)
        turn_passes = next_player != mover
        run.nodes += 1
        kind = NodeKind.FINISHED if outcome != ONGOING else NodeKind.LEAF if node.depth <= 1 else NodeKind.INNER
        child = add_to_trace(search.run, trace, place, move, ply + 1, next_player, kind) if len(trace) > 0 else np.int64(-1)
        if kind == NodeKind.FINISHED:
            value = final_value(rules, settings, after, outcome, ply + 1)
        elif kind == NodeKind.LEAF:
            value = below_a_win(searching.evaluate(rules, after, settings.evaluation))
            run.leaves += 1
            run.horizon += 1
        else:
            if run.nodes >= settings.most_nodes > 0:
                run.status = Status.NODES_USED_UP
            key_there = key_of(rules, variant, state, node.key, move, after) if has_table else np.uint64(0)
            low = (-window.beta if turn_passes else lowest) if prunes else -np.inf
            high = (-lowest if turn_passes else window.beta) if prunes else np.inf
            value = value_at(rules, search, after, Node(node.depth - 1, ply + 1, key_there, child), Window(low, high))
            if run.status != Status.RUNNING:
                return 0.0
        if child >= 0:
            trace[child].value = value
        if turn_passes:
            value = -value
        total += value
        if value > best:
            best = value
            if ply == 0:
                run.best_move = move
            if place >= 0:
                trace[place].best = move
        if ply > 0 or narrows_root(variant):
            lowest = max(lowest, best)
        if prunes and best >= min(window.beta, highest):
            note_cut(variant)
            run.pruned += tried - index - 1
            if len(trace) > 0:
                for further in range(index + 1, tried):
                    add_to_trace(search.run, trace, place, np.int64(moves[further]), ply + 1, 1 - mover, NodeKind.CUT)
            break
    if settings.algorithm == Algorithm.EXPECTIMAX and mover != run.root_player:
        best = total / tried
        if place >= 0:
            trace[place].best = -1
    bound = Bound.LOWER if prunes and best >= window.beta else Bound.UPPER if prunes and best <= window.alpha else Bound.EXACT
    stored = bound_to_store(variant, settings, bound, cuts)
    if place >= 0:
        trace[place].bound = bound if stored < 0 else stored
    if has_table and stored >= 0:
        remember(rules, search, state, known, node, Result(best, stored, np.int64(run.horizon == horizon)))
    return best


@njit
def is_decided(settings, value):
    """True for the value of a won or lost game, which no deeper search would change."""
    if settings.by_margin:
        return False
    # A mean of wins and draws decides nothing.
    return abs(value) >= (WIN if settings.algorithm == Algorithm.EXPECTIMAX else MOST_CLAIMED + 1)


@njit
def begin_run(rules, search, state, key):
    """Prepare a search of this position."""
    run = search.run[0]
    run.root_player = protocol.turn(rules, state)
    run.key = key
    run.until_check = 0
    run.status = Status.RUNNING
    run.nodes = run.expanded = run.leaves = run.hits = run.pruned = 0
    run.traced = run.reached = run.is_whole = run.is_decided = 0
    run.value = np.nan
    limit = search.settings.nanoseconds
    run.deadline = nanoseconds() + limit if limit > 0 else np.int64(0)


@njit
def deepen(rules, search, state, first, last):
    """The best move by iterative deepening from `first` to `last` plies.

    Ends before that once the game is decided or searched to its end, and when stopped.  If not even the first iteration was completed, the
    best move of that iteration so far.
    """
    settings, run = search.settings, search.run[0]
    protocol.legal_moves(rules, state, search.scratch.moves[0])
    chosen = np.int64(search.scratch.moves[0, 0])
    key = protocol.key(rules, state) if len(search.table.entries) > 0 else np.uint64(0)
    for depth in range(first, last + 1):
        run.best_move = -1
        run.horizon = 0
        run.traced = 0
        run.nodes += 1
        root = np.int64(-1)
        if len(search.trace) > 0:
            root = add_to_trace(search.run, search.trace, -1, -1, 0, run.root_player, NodeKind.INNER)
        value = value_at(rules, search, state, Node(depth, np.int64(0), key, root), Window(-np.inf, np.inf))
        if run.status != Status.RUNNING:
            return chosen if run.reached > 0 or run.best_move < 0 else run.best_move
        chosen = run.best_move
        run.value = value
        run.reached = depth
        run.is_whole = np.int64(run.horizon == 0)
        run.is_decided = np.int64(is_decided(settings, value))
        if root >= 0:
            search.trace[root].value = value
        if run.is_whole or run.is_decided:
            break
    return chosen


@positions_visited.for_class(CompiledSearch)
def _count_positions(rules, player):
    return np.int64(player.run[0].nodes)


@decide.for_class(CompiledSearch)
def _decide_by_search(rules, player, state, plies_left, key, buffer):
    settings = player.settings
    begin_run(rules, player, state, key)
    depth = np.int64(settings.depth)
    if settings.depth_rule >= 0:
        opening = np.int64(searching.opening_move(rules, state, key))
        if opening >= 0:
            return opening
        wanted = np.int64(searching.depth_rule(rules, state, settings.depth_rule))
        depth = min(np.int64(RULE_DEPTH), max(np.int64(1), wanted))
    return deepen(rules, player, state, np.int64(1) if settings.deepens else depth, depth)


@begin_game.for_class(CompiledSearch)
def _begin_game(rules, player, state):
    forget(player.variant, player.table)


@kernel
def evaluation_of(rules, state, number):
    """A static evaluation for the player to move, by its place in EVALUATIONS."""
    return searching.evaluate(rules, state, number)
