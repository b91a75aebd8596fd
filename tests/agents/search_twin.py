"""The slow twin of the search: plain recursion over all moves, and a loop that compares the two on random positions."""

from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.agents import search_kernels as kernels
from ludometer.agents import search_player_kernels as players
from ludometer.agents.search_choices import Algorithm, Cache, Order, Status
from ludometer.agents.search_player_kernels import Standard
from ludometer.agents.search_table_kernels import Node, Window, forget
from ludometer.agents.transposition_kernels import Table
from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import searching
from ludometer.core.random import below, draw, substream
from ludometer.studies.report_search_kernels import ReportVariant

REPLACEMENTS = 4  # those of the table, and the least recently used entry in a variant that has it
SETTINGS = len(players.SearchSettings._fields)
VALUE, NODES, STOPPED = range(3)  # what can go wrong: another value, more nodes than minimax, stopped without being told to


@kernel
def plain_value(rules, state, depth, ply, settings, root_player):
    """The value of a position for the player to move, as the definitions of minimax and expectimax have it."""
    outcome = protocol.outcome(rules, state)
    if outcome != ONGOING:
        if settings.by_margin:
            return np.float64(protocol.margin(rules, state))
        return outcome * (players.WIN - ply if settings.early else players.WIN)
    if depth == 0:
        return min(players.MOST_CLAIMED, max(-players.MOST_CLAIMED, searching.evaluate(rules, state, settings.evaluation)))
    moves = np.empty(protocol.move_bound(rules), np.int32)
    count = protocol.legal_moves(rules, state, moves)
    best, total = -np.inf, 0.0
    for index in range(count):
        after = protocol.play(rules, state, np.int64(moves[index]))
        value = plain_value(rules, after, depth - 1, ply + 1, settings, root_player)
        if protocol.turn(rules, after) != protocol.turn(rules, state):
            value = -value
        best = max(best, value)
        total += value
    if settings.algorithm == Algorithm.EXPECTIMAX and protocol.turn(rules, state) != root_player:
        return total / count
    return best


@kernel
def random_state(rules, key, length, buffer):
    """(the state after at most `length` random moves, moves made)."""
    state = protocol.start(rules)
    made = 0
    while made < length and protocol.outcome(rules, state) == ONGOING:
        state = protocol.play(rules, state, protocol.random_move(rules, state, draw(key, np.uint64(made)), buffer))
        made += 1
    return state, made


@njit
def value_found(rules, player, state, depth):
    """The search at this depth, in an empty table; with the order by history it deepens from one ply on, as the agent does."""
    run = player.run[0]
    key = protocol.key(rules, state)
    forget(player.variant, player.table)
    found = 0.0
    first = np.int64(1) if player.settings.order == Order.HISTORY else np.int64(depth)
    for level in range(first, depth + 1):
        run.horizon = 0
        run.nodes = 1
        found = kernels.value_at(rules, player, state, Node(level, np.int64(0), key, np.int64(-1)), Window(-np.inf, np.inf))
    return found


@njit
def settings_in(row):
    """The settings written in a row of numbers."""
    return players.SearchSettings(
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12], row[13],
    )  # fmt: skip


@family(by="variant")
def variant_in(variant, row, replacement):
    """The variant written in a row of numbers after its settings."""


@variant_in.for_class(Standard)
def _standard(variant, row, replacement):
    return variant


@variant_in.for_class(ReportVariant)
def _report(variant, row, replacement):
    lru = np.int64(replacement == REPLACEMENTS - 1)
    return ReportVariant(
        variant.new_keys, row[SETTINGS], row[SETTINGS + 1], row[SETTINGS + 2], row[SETTINGS + 3], lru, variant.recency, variant.ends,
        variant.cuts,
    )  # fmt: skip


@kernel
def compare(rules, like, key, positions, most_moves, last_plies, depth, choices, per_position, memories):
    """Compare the search with the plain one: (positions compared, −1 or what went wrong, where, with which choice).

    `like` is a compiled player with buffers large enough for all.  `choices` has rows of settings and of a variant; each position is
    searched with `per_position` of them in turn, in a table of one of the sizes `memories`.  With last_plies > 0 the positions are that
    near to the end of a random game and searched to its end.
    """
    buffer = like.scratch.moves[0]
    run = like.run[0]
    turns_of = np.zeros(len(choices), np.int64)
    compared, choice = 0, 0
    for number in range(positions):
        game = substream(key, np.uint64(number))
        length = below(draw(game, np.uint64(1_000_000)), most_moves + 1)
        if last_plies > 0:
            _, whole = random_state(rules, game, 10_000, buffer)
            length = max(0, whole - 1 - below(draw(game, np.uint64(1_000_001)), last_plies))
        state, _ = random_state(rules, game, length, buffer)
        if protocol.outcome(rules, state) != ONGOING:
            continue
        compared += 1
        known = np.full((3, 2, 2), np.nan)  # plain values by algorithm, early and margin
        for _ in range(per_position):
            choice = (choice + 1) % len(choices)
            settings = settings_in(choices[choice])
            turns_of[choice] += 1
            uses_table = settings.cache != Cache.NONE or settings.order == Order.HISTORY
            memory = memories[turns_of[choice] % len(memories)] if uses_table else 0
            table = Table(like.table.entries[:memory], like.table.heads, like.table.use)
            replacement = turns_of[choice] % REPLACEMENTS
            table.use[0].replacement = min(replacement, REPLACEMENTS - 2)
            variant = variant_in(like.variant, choices[choice], replacement)
            player = players.CompiledSearch(settings, table, like.scratch, like.run, like.trace, like.stop, variant)
            kernels.begin_run(rules, player, state, game)
            searched = value_found(rules, player, state, depth)
            if run.status != Status.RUNNING:
                return compared, STOPPED, number, choice
            means = settings.algorithm, settings.early, settings.by_margin
            if np.isnan(known[means]):
                known[means] = plain_value(rules, state, np.int64(depth), np.int64(0), settings, run.root_player)
            if abs(searched - known[means]) > 1e-9:
                return compared, VALUE, number, choice
            if settings.algorithm == Algorithm.ALPHABETA and settings.cache == Cache.NONE:
                visited = run.nodes
                row = choices[choice].copy()
                row[0] = Algorithm.MINIMAX
                player = players.CompiledSearch(settings_in(row), table, like.scratch, like.run, like.trace, like.stop, variant)
                value_found(rules, player, state, depth)
                if visited > run.nodes:
                    return compared, NODES, number, choice
    return compared, -1, -1, -1
