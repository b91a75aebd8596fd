"""The study's Monte Carlo tree search with statistics in a table, compiled.

An iteration selects children from the root as long as all are visited, visits one that is not, and plays out at random.  The result is
counted at the entries on the path and at the new one, or with `enter_all` at all states of the playout.

Iteration i takes its random words from `substream(key, i)`, in the order in which it needs them.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.mcts_kernels import ANSWER_RESERVE, CHECK_INTERVAL, MOST_ITERATIONS, NOWHERE, Root, time_is_up
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide, observe, positions_visited
from ludometer.core.outcome import FIRST, ONGOING
from ludometer.core.random import below, draw, from_seed, substream
from ludometer.studies.study_000.board_table_kernels import (
    LONGEST,
    UNLISTED,
    BoardTable,
    Shared,
    clear,
    count_unvisited,
    entry_of,
    key_below,
    key_of_child,
    key_of_state,
    list_children,
    nth_unvisited,
    prefetch_entry,
    prefetch_place,
)

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_CHOICE = np.uint64(2**64 - 1)  # stream that breaks ties between moves

# 1/√n and ln n for n < 2048, bit for bit as calculated: a look-up is faster.
INVERSE_ROOTS = np.concatenate([[np.inf], 1.0 / np.sqrt(np.arange(1, 2048))])
LOGARITHMS = np.array([-np.inf, *(math.log(number) for number in range(1, 2048))])


class BoardSearchSettings(NamedTuple):
    """The options of `study000:mcts` for compiled code."""

    iterations: int  # per move
    exploration: float  # the square of the exploration constant
    shared: int  # a value of `Shared`
    enter_all: int  # 1: all states of a playout are entered; 0: the first one
    doubled: int  # 1: visits count twice in the upper confidence bound
    ties_at_random: int  # 1: ties between children and moves are broken at random; 0: the lowest move wins
    untried_half: int  # 1: an unvisited move counts half a point when the move is made; 0: it is not made
    horizon: int  # an iteration of `horizon` positions is drawn; 0: by the game's own limit
    by_visits: int  # 1: make the most visited move; 0: the move of best value
    reuse: int  # 1: the table is kept for the whole game
    nanoseconds: int  # per move, in place of a number of iterations; 0: no limit


class CompiledBoardSearch(NamedTuple):
    """A compiled player with one table."""

    settings: BoardSearchSettings
    table: BoardTable
    run: np.ndarray  # mcts_kernels.RUN (1,)
    root: Root
    stop: np.ndarray  # int64 (1,): nonzero once a stop is requested


# ---- a move ----


@positions_visited.for_class(CompiledBoardSearch)
def _count_positions(rules, player):
    return np.int64(player.run[0].positions)


@decide.for_class(CompiledBoardSearch)
def _decide_by_board_search(rules, player, state, plies_left, key, buffer):
    settings = player.settings
    if settings.iterations == 0 and settings.nanoseconds == 0:
        return np.int64(protocol.random_move(rules, state, key, buffer))
    return np.int64(search_boards(rules, player, state, plies_left, substream(from_seed(key), _U0), buffer))


@begin_game.for_class(CompiledBoardSearch)
def _begin_game(rules, player, state):
    player.run[0].node = NOWHERE


@observe.for_class(CompiledBoardSearch)
def _observe(rules, player, state, move, after):
    run = player.run[0]
    if run.node != NOWHERE:
        player.table.use[0].path = key_below(player.table.use[0].path, move)
        run.key = protocol.key(rules, after)


@kernel
def search_boards(rules, player, state, plies_left, key, buffer):
    """The selected move; statistics of all visited moves are written to `root`."""
    player = lend(player)
    settings, run = player.settings, player.run[0]
    run.deadline = 0
    iterations = settings.iterations
    if settings.nanoseconds > 0:
        run.deadline = nanoseconds() + max(0, settings.nanoseconds - ANSWER_RESERVE)
        iterations = MOST_ITERATIONS if protocol.count_moves(rules, state) > 1 else 1  # a forced move needs no search
    root = prepare_root_entry(rules, player, state)
    positions = LONGEST
    if settings.horizon > 0:
        positions = min(LONGEST, settings.horizon)
    elif plies_left != FOR_EVER:
        positions = min(LONGEST, plies_left + 1)
    while run.iterations < iterations:
        simulate(rules, player, state, root, positions, substream(key, np.uint64(run.iterations)), buffer)
        run.iterations += 1
        if run.iterations % CHECK_INTERVAL == 0 and time_is_up(player):
            break
    return choose_move(rules, player, state, player.table.entries[root].key, substream(key, _CHOICE), buffer)


@inlined
def prepare_root_entry(rules, player, state):
    """The position's entry, after clearing the table unless it is reused and half of it is free."""
    run, table, settings = player.run[0], player.table, player.settings
    run.iterations = run.playouts = run.positions = run.depth = 0
    here = protocol.key(rules, state)
    is_kept = settings.reuse and run.node != NOWHERE and run.key == here and 2 * table.use[0].entries < len(table.entries)
    if not is_kept:
        run.nodes = 0
        clear(table, key_of_state(rules, settings.shared, state))
    run.node = 0
    run.key = here
    return entry_of(table, table.use[0].path if settings.shared == Shared.NODES else key_of_state(rules, settings.shared, state))


@inlined
def simulate(rules, player, state, root, positions, words, buffer):
    """One iteration: select, expand, play out and count; an iteration of `positions` positions is drawn."""
    table, settings, run = player.table, player.settings, player.run[0]
    here = state
    entry = np.int64(root)
    here_key = table.entries[root].key
    table.way[0] = root
    table.movers[0] = protocol.turn(rules, here)
    entered = 1
    made = 0
    counter = _U0
    is_new = False
    result = outcome_there(rules, table, here, entry)
    while not is_new and made + 1 < positions and result == ONGOING:
        if table.blocks[entry].first == UNLISTED and not list_children(rules, table, settings.shared, here, entry, buffer):
            break
        unvisited = 0 if table.blocks[entry].children < 0 else count_unvisited(table, entry)
        is_new = unvisited > 0
        if is_new:
            place = nth_unvisited(table, entry, below(draw(words, counter), unvisited))
            counter += _U1
        else:
            place, ties = select_child(table, settings, entry)
            if ties > 1:
                place = nth_of_equal(table, entry, place, below(draw(words, counter), ties))
                counter += _U1
        here = protocol.play(rules, here, np.int64(table.listed[place].move))
        entry = np.int64(table.listed[place].entry)
        here_key = table.entries[entry].key
        result = outcome_there(rules, table, here, entry)
        table.way[entered] = entry
        table.movers[entered] = protocol.turn(rules, here)
        entered += 1
        made += 1
    met = 0
    run.depth = max(run.depth, made)
    run.playouts += np.int64(result == ONGOING)
    while made + 1 < positions and result == ONGOING:
        move = np.int64(protocol.random_move(rules, here, draw(words, counter), buffer))
        counter += _U1
        here = protocol.play(rules, here, move)
        result = np.int64(protocol.outcome(rules, here))
        made += 1
        if settings.enter_all:
            here_key = key_of_child(rules, settings.shared, here, here_key, move)
            prefetch_place(table, here_key)
            table.keys[met] = here_key
            table.movers[entered + met] = protocol.turn(rules, here)
            met += 1
    run.positions += made
    half_points = first_players_half_points(rules, here, result)
    run.nodes += count_result(table, entered, half_points) + enter_and_count(table, entered, met, half_points)


@inlined
def outcome_there(rules, table, state, entry):
    """The outcome of an entry's state; a state with listed children is not over."""
    return np.int64(ONGOING) if table.blocks[entry].first != UNLISTED else np.int64(protocol.outcome(rules, state))


@inlined
def first_players_half_points(rules, state, result):
    """2, 1 or 0 for a win, draw or loss of the first player; an unfinished game is a draw."""
    if result == ONGOING:
        return 1
    return 1 + (result if protocol.turn(rules, state) == FIRST else -result)


@inlined
def count_result(table, entered, half_points):
    """Count the result at the entries on the path; returns the number of entries visited for the first time."""
    explored = 0
    for step in range(entered):
        entry = table.entries[table.way[step]]
        explored += np.int64(entry.visits == 0)
        entry.visits += 1
        entry.points += half_points if table.movers[step] == FIRST else 2 - half_points
    return explored


@inlined
def enter_and_count(table, entered, met, half_points):
    """The same for the states of the playout, which are entered until the table is full."""
    for step in range(met):
        prefetch_entry(table, table.keys[step])
    explored = 0
    for step in range(met):
        found = entry_of(table, table.keys[step])
        if found >= 0:
            entry = table.entries[found]
            explored += np.int64(entry.visits == 0)
            entry.visits += 1
            entry.points += half_points if table.movers[entered + step] == FIRST else 2 - half_points
    return explored


# ---- selection ----


@inlined
def select_child(table, settings, entry):
    """(place in `listed` of the first child with the highest upper confidence bound, number of children with that bound).

    The number is 1 if ties are not broken at random.
    """
    first = np.int64(table.blocks[entry].first)
    count = -np.int64(table.blocks[entry].children)
    times = 1 + settings.doubled
    seen = times * max(1, np.int64(table.entries[entry].visits))
    logarithm = LOGARITHMS[seen] if seen < len(LOGARITHMS) else math.log(np.float64(seen))
    scale = math.sqrt(settings.exploration * logarithm / times)
    highest = -np.inf
    for number in range(count):
        child = table.listed[first + number]
        visits = np.int64(table.entries[child.entry].visits)
        inverse_root = INVERSE_ROOTS[visits] if visits < len(INVERSE_ROOTS) else 1.0 / math.sqrt(visits)
        rate = 0.5 * table.entries[child.entry].points * (inverse_root * inverse_root)
        bound = (1.0 - rate if child.turned else rate) + scale * inverse_root
        table.bounds[number] = bound
        highest = max(highest, bound)
    best = 0
    while table.bounds[best] != highest:
        best += 1
    ties = 1
    if settings.ties_at_random:
        for number in range(best + 1, count):
            ties += np.int64(table.bounds[number] == highest)
    return first + best, ties


@inlined
def nth_of_equal(table, entry, place, number):
    """The place of child `number`, counted from 0, among those whose bound equals that of the child at `place`."""
    first = np.int64(table.blocks[entry].first)
    at = place - first
    highest = table.bounds[at]
    while number > 0:
        at += 1
        number -= np.int64(table.bounds[at] == highest)
    return first + at


# ---- the move ----


@njit
def choose_move(rules, player, state, here_key, word, buffer):
    """The move of best value or most visits; statistics of all visited moves are written to `root`."""
    table, settings, root = player.table, player.settings, player.root
    count = protocol.legal_moves(rules, state, buffer)
    mover = protocol.turn(rules, state)
    root.size[0] = 0
    chosen = np.int64(buffer[0])
    best_points, best_visits, best_of = np.int64(-1), np.int64(-1), np.int64(1)  # less than any move has
    ties = 0
    for number in range(count):
        move = np.int64(buffer[number])
        after = protocol.play(rules, state, move)
        child = entry_of(table, key_of_child(rules, settings.shared, after, here_key, move))
        visits = np.int64(table.entries[child].visits) if child >= 0 else np.int64(0)
        if visits == 0 and not settings.untried_half:
            continue
        points, points_of = np.int64(1), np.int64(1)  # half a point of one
        if visits > 0:
            points, points_of = np.int64(table.entries[child].points), visits
            points = 2 * visits - points if protocol.turn(rules, after) != mover else points
            place = root.size[0]
            root.moves[place] = move
            root.visits[place] = visits
            root.points[place] = 0.5 * points
            root.known[place] = ONGOING
            root.size[0] += 1
        better = visits - best_visits if settings.by_visits else points * best_of - best_points * points_of
        if better > 0:
            chosen, best_points, best_visits, best_of, ties = move, points, visits, points_of, 1
        elif better == 0:
            ties += 1
            if settings.ties_at_random and below(draw(word, np.uint64(ties)), ties) == 0:
                chosen = move
    return chosen
