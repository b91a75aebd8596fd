"""Depth-first search, compiled once for each game: minimax, alpha-beta and expectimax with all their options.

Values are for the player to move and change sign only where the turn does, since in some games a player moves again.  A finished
game is worth ±WIN, or its margin where the margin counts; everything that is only an evaluation stays within ±MOST_CLAIMED.
With EARLY a win is worth one less for each ply it takes, so that nearer wins and later losses are preferred.

What steers a search and what it counts stands in one array, `numbers` (int64), under the names below.  When the clock passes
numbers[DEADLINE], or another thread sets numbers[STOP], the search returns at once, and what it was working on is not used.
"""

from __future__ import annotations

import time

import numpy as np
from numba import types

from ludometer.agents.transposition_kernels import BYTES_PER_ENTRY, EXACT, LOWER, UPPER, find_entry, inner, slot_for
from ludometer.core import protocol, searching
from ludometer.core.compilation import kernel
from ludometer.core.outcome import ONGOING
from ludometer.core.random import below, draw

# A thread that wakes up to stop a search comes late on a busy machine, so the search looks at the clock itself where it can.
HAS_CLOCK = hasattr(time, "CLOCK_MONOTONIC")
_CLOCK_MONOTONIC = np.int32(time.CLOCK_MONOTONIC if HAS_CLOCK else 0)
_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.CPointer(types.int64)))
_MOVES_BETWEEN_LOOKS = 512

WIN = 10_000.0
MOST_CLAIMED = 9_000.0

# Places in `numbers`.  First the settings …
(
    ALGORITHM,
    CACHE,
    SYMMETRY,
    ORDER,
    SHUFFLE,
    BEAM,
    EVALUATION,
    EARLY,
    BY_MARGIN,
    REPLACEMENT,
    MOST_NODES,  # 0: no limit
    ROOT_PLAYER,
    RANDOM_KEY,
    MOVE_BOUND,
    # … then what is counted
    STOP,  # 1: told to stop, 2: MOST_NODES reached
    NODES,  # positions looked at, the root included
    EXPANDED,  # positions whose moves were looked at
    LEAVES,  # positions evaluated because the depth was used up
    HITS,  # positions answered from the table
    PRUNED,  # moves not looked at because of a cut-off
    HORIZON,  # how often a value came to depend on the depth
    STORED,  # entries put into the table, including those forgotten since
    BEST_MOVE,  # at the root, in the iteration under way
    TRACED,  # nodes written to the trace
    UNTIL_LOOK,  # moves to go until the next look at the clock
    DEADLINE,  # nanoseconds on CLOCK_MONOTONIC; 0: none
    CLOCK,  # seconds, and in the next place nanoseconds, as the system writes them
) = range(27)
LENGTH = 28

MINIMAX, ALPHABETA, EXPECTIMAX = range(3)
NO_CACHE, EXACT_ONLY, BOUNDS = range(3)
NO_SYMMETRY, CANONICAL, ALL_IMAGES = range(3)
AS_LISTED, HEURISTIC, REVERSED, HISTORY = range(4)
NO_SHUFFLE, SHUFFLE_ROOT, SHUFFLE_ALL = range(3)

# A node of a search as it is kept for drawing.
TRACE = np.dtype(
    [
        ("parent", np.int32),  # place of the parent in the trace, −1 for the root
        ("move", np.int32),  # the move that led here, −1 for the root
        ("ply", np.int16),
        ("player", np.int8),  # who moves here
        ("kind", np.int8),
        ("bound", np.int8),  # whether the value is exact
        ("value", np.float64),  # for the player who moves here
        ("best", np.int32),  # the move chosen here, −1 if none
    ]
)
INNER, LEAF, FINISHED, REMEMBERED, CUT = range(5)  # kinds: CUT was never looked at
NO_TRACE = np.empty(0, TRACE)

RULE_DEPTH = 16  # the most plies a game's depth rule may ask for
BYTES_PER_KEY = BYTES_PER_ENTRY + 4  # with the place in the array of buckets


@inner
def final_value(rules, state, outcome, ply, numbers):
    """What a finished game is worth to the player to move, seen `ply` plies from the root."""
    if numbers[BY_MARGIN]:
        return np.float64(protocol.margin(rules, state))
    value = WIN - ply if numbers[EARLY] else WIN
    return value if outcome > 0 else -value if outcome < 0 else 0.0


@inner
def leaf_value(rules, state, numbers):
    """What the evaluation says, kept apart from real wins and losses."""
    value = searching.evaluate(rules, state, numbers[EVALUATION])
    return min(MOST_CLAIMED, max(-MOST_CLAIMED, value))


@inner
def from_here(value, ply, numbers):
    """A value at the root's scale as one in which wins are counted from the position itself."""
    if numbers[EARLY] and not numbers[BY_MARGIN]:
        if value > MOST_CLAIMED:
            return value + ply
        if value < -MOST_CLAIMED:
            return value - ply
    return value


@inner
def from_root(value, ply, numbers):
    """The inverse of `from_here`."""
    if numbers[EARLY] and not numbers[BY_MARGIN]:
        if value > MOST_CLAIMED:
            return value - ply
        if value < -MOST_CLAIMED:
            return value + ply
    return value


@inner
def table_key(rules, state, key, numbers):
    """Under which key a position stands in the table: its own, or the smallest among those of its images."""
    if numbers[SYMMETRY] == CANONICAL:
        for symmetry in range(1, protocol.symmetry_count(rules)):
            key = min(key, protocol.key(rules, protocol.transform(rules, state, symmetry)))
    # What expectimax expects depends on whose search it is.
    return ~key if numbers[ALGORITHM] == EXPECTIMAX and numbers[ROOT_PLAYER] else key


@inner
def remember(rules, state, key, depth, value, bound, whole, numbers, entries, heads):
    """Enter a position into the table under this key and, if so wanted, under those of all its images."""
    images = protocol.symmetry_count(rules) if numbers[SYMMETRY] == ALL_IMAGES else 1
    for symmetry in range(images):
        if symmetry > 0:
            key = table_key(rules, state, protocol.key(rules, protocol.transform(rules, state, symmetry)), numbers)
        slot, numbers[STORED] = slot_for(entries, heads, key, depth, numbers[REPLACEMENT], numbers[STORED])
        if slot >= 0:
            entries[slot].value = value
            entries[slot].depth = depth
            entries[slot].bound = bound
            entries[slot].whole = whole


@inner
def sort_moves(moves, promises, count):
    """Put the most promising first; equals stay in their order."""
    for place in range(1, count):
        move, hope = moves[place], promises[place]
        before = place - 1
        while before >= 0 and promises[before] < hope:
            moves[before + 1], promises[before + 1] = moves[before], promises[before]
            before -= 1
        moves[before + 1], promises[before + 1] = move, hope


@inner
def shuffle_moves(moves, count, numbers):
    key = np.uint64(numbers[RANDOM_KEY]) ^ np.uint64(numbers[EXPANDED])
    for place in range(count - 1, 0, -1):
        other = below(draw(key, np.uint64(place)), place + 1)
        moves[place], moves[other] = moves[other], moves[place]


@inner
def order_moves(rules, state, key, depth, ply, count, moves, promises, numbers, entries, heads):
    """Bring the moves into the order in which they are tried; returns how many of them are.

    What counts is the result of a move that ends the game, else the value last found for it, if wanted, else its promise.
    """
    if numbers[SHUFFLE] == SHUFFLE_ALL or (numbers[SHUFFLE] == SHUFFLE_ROOT and ply == 0):
        shuffle_moves(moves, count, numbers)
    beam = numbers[BEAM]
    is_cut = 0 < beam < count
    # One ply before the end every move is looked at anyway: ordering would cost as much as it could save.
    if not is_cut and (numbers[ORDER] == AS_LISTED or depth == 1):
        return count
    for place in range(count):
        move = np.int64(moves[place])
        after = protocol.play(rules, state, move)
        outcome = protocol.outcome(rules, after)
        turn_passes = protocol.turn(rules, after) != protocol.turn(rules, state)
        hope = 2 * WIN * outcome
        slot = np.int64(-1)
        if outcome == ONGOING and numbers[ORDER] == HISTORY:
            slot = find_entry(entries, heads, table_key(rules, after, searching.key_after(rules, state, key, move, after), numbers))
            if slot >= 0:
                hope = entries[slot].value
        if turn_passes:
            hope = -hope
        if outcome == ONGOING and slot < 0:
            hope = searching.promise(rules, state, move, after, numbers[EVALUATION])
        promises[place] = -hope if numbers[ORDER] == REVERSED and not is_cut else hope
    sort_moves(moves, promises, count)
    if is_cut:
        numbers[HORIZON] += 1
        return beam
    return count


if HAS_CLOCK:

    @inner
    def look_at_clock(numbers, moves):
        """Stop when the deadline has passed; `moves` says how much work was done since the last call."""
        numbers[UNTIL_LOOK] -= moves
        if numbers[UNTIL_LOOK] < 0 and numbers[DEADLINE] > 0:
            numbers[UNTIL_LOOK] = _MOVES_BETWEEN_LOOKS
            _clock_gettime(_CLOCK_MONOTONIC, numbers[CLOCK:].ctypes)
            if numbers[CLOCK] * 1_000_000_000 + numbers[CLOCK + 1] >= numbers[DEADLINE]:
                numbers[STOP] = 1

else:

    @inner
    def look_at_clock(numbers, moves):
        """Without a clock a thread sets numbers[STOP]."""


@inner
def note(trace, parent, move, ply, player, numbers):
    """Write a node to the trace, as an inner one; returns its place, or −1 when nothing is traced or the trace is full."""
    place = numbers[TRACED]
    if place >= len(trace):
        return np.int64(-1)
    numbers[TRACED] += 1
    trace[place].parent = parent
    trace[place].move = move
    trace[place].ply = ply
    trace[place].player = player
    trace[place].kind = INNER
    trace[place].bound = EXACT
    trace[place].value = 0.0
    trace[place].best = -1
    return place


@kernel
def search(rules, state, depth, ply, alpha, beta, key, place, numbers, moves, promises, entries, heads, trace):
    """The value of an unfinished position for the player to move, searched `depth` ≥ 1 plies deep.

    Alpha-beta returns the exact value if it lies between `alpha` and `beta`, and a bound for it otherwise.  `moves` (int32) and
    `promises` (float64) hold move_bound places for each ply, `key` is the position's key (0 will do without a table), `place` its
    place in the trace or −1.  With ply 0 the best move is found in numbers[BEST_MOVE] afterwards.
    """
    if numbers[STOP] != 0:
        return 0.0
    algorithm = numbers[ALGORITHM]
    prunes = algorithm == ALPHABETA
    known = np.uint64(0)
    horizon = numbers[HORIZON]
    if len(entries) > 0:
        known = table_key(rules, state, key, numbers)
        # The root is always searched: a value alone would not say which move to make.
        slot = find_entry(entries, heads, known) if numbers[CACHE] != NO_CACHE and ply > 0 else np.int64(-1)
        if slot >= 0 and (entries[slot].depth == depth or (entries[slot].whole != 0 and entries[slot].depth < depth)):
            value = from_root(entries[slot].value, ply, numbers)
            bound = entries[slot].bound
            if bound == EXACT or numbers[CACHE] == BOUNDS:
                # What follows depends on what the entry depended on, even where it is only a part of the answer.
                numbers[HORIZON] += np.int64(entries[slot].whole == 0)
                if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                    numbers[HITS] += 1
                    if place >= 0:
                        trace[place].kind = REMEMBERED
                        trace[place].bound = bound
                    return value
                if bound == LOWER:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
    # Nothing can be better than to win with the next move.
    best_possible = np.inf
    if prunes and not numbers[BY_MARGIN]:
        best_possible = WIN - (ply + 1) if numbers[EARLY] else WIN
        if best_possible <= alpha:
            if place >= 0:
                trace[place].bound = UPPER
            return best_possible
    numbers[EXPANDED] += 1
    player = protocol.turn(rules, state)
    is_average = algorithm == EXPECTIMAX and player != numbers[ROOT_PLAYER]
    first = ply * numbers[MOVE_BOUND]
    own_moves = moves[first : first + numbers[MOVE_BOUND]]
    count = np.int64(protocol.legal_moves(rules, state, own_moves))
    look_at_clock(numbers, count)
    tried = order_moves(
        rules, state, key, depth, ply, count, own_moves, promises[first : first + numbers[MOVE_BOUND]], numbers, entries, heads
    )
    best = -np.inf
    total = 0.0
    lowest = alpha
    for index in range(tried):
        move = np.int64(own_moves[index])
        after = protocol.play(rules, state, move)
        outcome = protocol.outcome(rules, after)
        next_player = protocol.turn(rules, after)
        turn_passes = next_player != player
        child = np.int64(-1)
        numbers[NODES] += 1
        if len(trace) > 0:
            child = note(trace, place, move, ply + 1, next_player, numbers)
        if outcome != ONGOING:
            value = final_value(rules, after, outcome, ply + 1, numbers)
            if child >= 0:
                trace[child].kind = FINISHED
        elif depth <= 1:
            value = leaf_value(rules, after, numbers)
            numbers[LEAVES] += 1
            numbers[HORIZON] += 1
            if child >= 0:
                trace[child].kind = LEAF
        else:
            if numbers[NODES] >= numbers[MOST_NODES] > 0:
                numbers[STOP] = 2
            key_there = np.uint64(0)
            if len(entries) > 0:
                key_there = searching.key_after(rules, state, key, move, after)
            low = (-beta if turn_passes else lowest) if prunes else -np.inf
            high = (-lowest if turn_passes else beta) if prunes else np.inf
            value = search(rules, after, depth - 1, ply + 1, low, high, key_there, child, numbers, moves, promises, entries, heads, trace)
            if numbers[STOP] != 0:
                return 0.0
        if child >= 0:
            trace[child].value = value
        if turn_passes:
            value = -value
        total += value
        if value > best:
            best = value
            if ply == 0:
                numbers[BEST_MOVE] = move
            if place >= 0:
                trace[place].best = move
        lowest = max(lowest, best)
        if prunes and best >= min(beta, best_possible):
            numbers[PRUNED] += tried - index - 1
            if len(trace) > 0:
                for further in range(index + 1, tried):
                    cut = note(trace, place, np.int64(own_moves[further]), ply + 1, 1 - player, numbers)
                    if cut >= 0:
                        trace[cut].kind = CUT
            break
    if is_average:
        best = total / tried
        if place >= 0:
            trace[place].best = -1
    bound = EXACT
    if prunes and best >= beta:
        bound = LOWER
    elif prunes and best <= alpha:
        bound = UPPER
    if place >= 0:
        trace[place].bound = bound
    if len(entries) > 0 and (bound == EXACT or numbers[CACHE] != EXACT_ONLY or numbers[ORDER] == HISTORY):
        whole = np.int64(numbers[HORIZON] == horizon)
        remember(rules, state, known, depth, from_here(best, ply, numbers), bound, whole, numbers, entries, heads)
    return best


@kernel
def opening_and_depth(rules, state, word, number):
    """(the game's opening move here or −1, the depth its rule asks for)."""
    wanted = np.int64(searching.depth_rule(rules, state, number))
    return np.int64(searching.opening_move(rules, state, word)), min(np.int64(RULE_DEPTH), max(np.int64(1), wanted))


@kernel
def evaluation_of(rules, state, number):
    return searching.evaluate(rules, state, number)
