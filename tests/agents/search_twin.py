"""The slow twin of the search: plain recursion over all moves, and a loop that compares the two on random positions."""

from __future__ import annotations

import numpy as np

from ludometer.agents import search_kernels as kernels
from ludometer.core import protocol, searching
from ludometer.core.compilation import kernel
from ludometer.core.outcome import ONGOING
from ludometer.core.random import below, draw, substream

VALUE, NODES, STOPPED = range(3)  # what can go wrong: another value, more nodes than minimax, stopped without being told to


@kernel
def plain_value(rules, state, depth, ply, numbers):
    """The value of a position for the player to move, as the definitions of minimax and expectimax have it."""
    outcome = protocol.outcome(rules, state)
    if outcome != ONGOING:
        if numbers[kernels.BY_MARGIN]:
            return np.float64(protocol.margin(rules, state))
        return outcome * (kernels.WIN - ply if numbers[kernels.EARLY] else kernels.WIN)
    if depth == 0:
        return min(kernels.MOST_CLAIMED, max(-kernels.MOST_CLAIMED, searching.evaluate(rules, state, numbers[kernels.EVALUATION])))
    moves = np.empty(protocol.move_bound(rules), np.int32)
    count = protocol.legal_moves(rules, state, moves)
    best, total = -np.inf, 0.0
    for index in range(count):
        after = protocol.play(rules, state, np.int64(moves[index]))
        value = plain_value(rules, after, depth - 1, ply + 1, numbers)
        if protocol.turn(rules, after) != protocol.turn(rules, state):
            value = -value
        best = max(best, value)
        total += value
    if numbers[kernels.ALGORITHM] == kernels.EXPECTIMAX and protocol.turn(rules, state) != numbers[kernels.ROOT_PLAYER]:
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


@kernel
def value_found(rules, state, depth, numbers, moves, promises, entries, heads, trace):
    """The search at this depth; with the order by history it deepens from one ply on, as the agent does."""
    key = protocol.key(rules, state)
    heads[:] = -1
    numbers[kernels.STORED] = 0
    found = 0.0
    first = np.int64(1) if numbers[kernels.ORDER] == kernels.HISTORY else np.int64(depth)
    ply, place = np.int64(0), np.int64(-1)
    for level in range(first, depth + 1):
        numbers[kernels.HORIZON] = 0
        numbers[kernels.NODES] = 1
        found = kernels.search(rules, state, level, ply, -np.inf, np.inf, key, place, numbers, moves, promises, entries, heads, trace)
    return found


@kernel
def compare(rules, key, positions, most_moves, last_plies, depth, choices, per_position, memories, tables, workspace):
    """Compare the search with the plain one: (positions compared, −1 or what went wrong, where, with which choice).

    `choices` is an array of settings; each position is searched with `per_position` of them in turn, in a table of one of the
    sizes `memories`.  With last_plies > 0 the positions are that near to the end of a random game and searched to its end.
    `tables` is (entries, heads, an empty table's entries, trace), `workspace` is (moves, promises).
    """
    entries, heads, nothing, trace = tables
    moves, promises = workspace
    turns_of = np.zeros(len(choices), np.int64)
    compared, choice = 0, 0
    for number in range(positions):
        game = substream(key, np.uint64(number))
        length = below(draw(game, np.uint64(1_000_000)), most_moves + 1)
        if last_plies > 0:
            _, whole = random_state(rules, game, 10_000, moves)
            length = max(0, whole - 1 - below(draw(game, np.uint64(1_000_001)), last_plies))
        state, _ = random_state(rules, game, length, moves)
        if protocol.outcome(rules, state) != ONGOING:
            continue
        compared += 1
        known = np.full((3, 2, 2), np.nan)  # plain values by algorithm, early and margin
        for _ in range(per_position):
            choice = (choice + 1) % len(choices)
            numbers = choices[choice].copy()
            numbers[kernels.ROOT_PLAYER] = protocol.turn(rules, state)
            numbers[kernels.RANDOM_KEY] = np.int64(game >> np.uint64(1))
            turns_of[choice] += 1
            uses_table = numbers[kernels.CACHE] != kernels.NO_CACHE or numbers[kernels.ORDER] == kernels.HISTORY
            memory = memories[turns_of[choice] % len(memories)]
            table = entries[:memory] if uses_table else nothing
            searched = value_found(rules, state, depth, numbers, moves, promises, table, heads, trace)
            if numbers[kernels.STOP] != 0:
                return compared, STOPPED, number, choice
            means = numbers[kernels.ALGORITHM], numbers[kernels.EARLY], numbers[kernels.BY_MARGIN]
            if np.isnan(known[means]):
                known[means] = plain_value(rules, state, np.int64(depth), np.int64(0), numbers)
            if abs(searched - known[means]) > 1e-9:
                return compared, VALUE, number, choice
            if numbers[kernels.ALGORITHM] == kernels.ALPHABETA and numbers[kernels.CACHE] == kernels.NO_CACHE:
                visited = numbers[kernels.NODES]
                numbers[kernels.ALGORITHM] = kernels.MINIMAX
                value_found(rules, state, depth, numbers, moves, promises, table, heads, trace)
                if visited > numbers[kernels.NODES]:
                    return compared, NODES, number, choice
    return compared, -1, -1, -1
