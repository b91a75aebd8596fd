"""Depth-first search, compiled once for each game: minimax, alpha-beta and expectimax with all their options.

Values are for the player to move and change sign only where the turn does, since in some games a player moves again.  A finished
game is worth ±WIN, or its margin where the margin counts; everything that is only an evaluation stays within ±MOST_CLAIMED.
With `early` a win is worth one less for each ply it takes, so that nearer wins and later losses are preferred.

A search ends early when the clock passes its deadline, when its nodes are used up or when it is told to stop; what it was working on is
then not used.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.agents.search_mind_kernels import (
    ALL_IMAGES,
    ALPHABETA,
    AS_LISTED,
    BOUNDS,
    CANONICAL,
    CUT,
    EACH_LOOKED_UP,
    EXACT_ONLY,
    EXPECTIMAX,
    FINISHED,
    GOES_ON,
    HISTORY,
    INNER,
    LEAF,
    MOST_CLAIMED,
    NO_CACHE,
    NODES_USED_UP,
    REMEMBERED,
    REVERSED,
    RULE_DEPTH,
    SHUFFLE_ALL,
    SHUFFLE_ROOT,
    TOLD_TO_STOP,
    UNPRUNED,
    WIN,
    SearchMind,
    StudyWays,
    UsualWays,
)
from ludometer.agents.transposition_kernels import EXACT, LOWER, LRU, UPPER, clear_table, find_entry, recent_slot_for, slot_for, touch
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import begin_game, decide
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import searching
from ludometer.core.random import below, draw

_MOVES_BETWEEN_LOOKS = 512  # at the clock and at requests to stop


# ---- values ----


@njit
def final_value(rules, settings, state, outcome, ply):
    """What a finished game is worth to the player to move, seen `ply` plies from the root."""
    if settings.by_margin:
        return np.float64(protocol.margin(rules, state))
    value = WIN - ply if settings.early else WIN
    return value if outcome > 0 else -value if outcome < 0 else 0.0


@njit
def below_a_win(claim):
    """An evaluation or promise, clipped below proven wins and losses."""
    return min(MOST_CLAIMED, max(-MOST_CLAIMED, claim))


@njit
def from_here(settings, value, ply):
    """A value at the root's scale as one in which wins are counted from the position itself."""
    if settings.early and not settings.by_margin:
        if value > MOST_CLAIMED:
            return value + ply
        if value < -MOST_CLAIMED:
            return value - ply
    return value


@njit
def from_root(settings, value, ply):
    """The inverse of `from_here`."""
    if settings.early and not settings.by_margin:
        if value > MOST_CLAIMED:
            return value - ply
        if value < -MOST_CLAIMED:
            return value + ply
    return value


@njit
def most_to_hope_for(settings, ply):
    """The highest value a position `ply` plies from the root can have: a win with the next move."""
    if settings.algorithm != ALPHABETA or settings.by_margin or not settings.ceiling:
        return np.inf
    return WIN - (ply + 1) if settings.early else WIN


# ---- what is remembered ----


@family(by="ways")
def key_of(rules, ways, state, key, move, after):
    """The key of `after`, to which a move leads from a state with this key."""


@key_of.for_class(UsualWays)
def _updated_key(rules, ways, state, key, move, after):
    return searching.key_after(rules, state, key, move, after)


@key_of.for_class(StudyWays)
def _key_as_wanted(rules, ways, state, key, move, after):
    if ways.keys_anew:
        return protocol.key(rules, after)
    return searching.key_after(rules, state, key, move, after)


@njit
def table_key(rules, settings, root_player, state, key):
    """Under which key a position stands in the table: its own, or the smallest among those of its images."""
    if settings.symmetry == CANONICAL:
        for symmetry in range(1, protocol.symmetry_count(rules)):
            key = min(key, protocol.key(rules, protocol.transform(rules, state, symmetry)))
    # What expectimax expects depends on whose search it is.
    return ~key if settings.algorithm == EXPECTIMAX and root_player else key


@inlined
def serves(entries, slot, depth):
    """Whether there is an entry and it holds for this depth: at equal remaining depth, or if its subtree reached the end of the game."""
    return slot >= 0 and (entries[slot].depth == depth or (entries[slot].whole != 0 and entries[slot].depth < depth))


@family(by="ways")
def other_slot(rules, ways, settings, table, root_player, state, depth):
    """The slot of an image of this position that serves at this depth, or −1."""


@other_slot.for_class(UsualWays)
def _no_other_slot(rules, ways, settings, table, root_player, state, depth):
    return np.int64(-1)


@other_slot.for_class(StudyWays)
def _slot_of_an_image(rules, ways, settings, table, root_player, state, depth):
    images = protocol.symmetry_count(rules) if settings.symmetry == EACH_LOOKED_UP else 1
    for symmetry in range(1, images):
        key = protocol.key(rules, protocol.transform(rules, state, symmetry))
        slot = find_entry(table, table_key(rules, settings, root_player, state, key))
        if serves(table.entries, slot, depth):
            return slot
    return np.int64(-1)


@family(by="ways")
def note_use(ways, table, slot):
    """An entry gives an answer, or a part of one."""


@note_use.for_class(UsualWays)
def _take_no_note(ways, table, slot):
    pass


@note_use.for_class(StudyWays)
def _note_recent_use(ways, table, slot):
    if table.use[0].replacement == LRU:
        touch(table, ways.recency, slot)


@family(by="ways")
def slot_to_fill(ways, table, key, depth):
    """The slot into which an entry with this key goes, or −1 when it is not kept."""


@slot_to_fill.for_class(UsualWays)
def _usual_slot(ways, table, key, depth):
    return slot_for(table, key, depth)


@slot_to_fill.for_class(StudyWays)
def _slot_by_use(ways, table, key, depth):
    if table.use[0].replacement == LRU:
        return recent_slot_for(table, ways.recency, key)
    return slot_for(table, key, depth)


@inlined
def look_up(rules, mind, state, known, depth, ply, alpha, beta, place):
    """(whether the table answers, its answer, alpha, beta): an answer that is only a bound may narrow the window.

    The root is always searched: a value alone would not say which move to make.
    """
    settings, run, entries = mind.settings, mind.run[0], mind.table.entries
    if settings.cache == NO_CACHE or ply == 0:
        return False, 0.0, alpha, beta
    slot = find_entry(mind.table, known)
    if not serves(entries, slot, depth):
        slot = np.int64(other_slot(rules, mind.ways, settings, mind.table, run.root_player, state, depth))
        if slot < 0:
            return False, 0.0, alpha, beta
    note_use(mind.ways, mind.table, slot)
    value = from_root(settings, entries[slot].value, ply)
    bound = entries[slot].bound
    if bound != EXACT and settings.cache != BOUNDS:
        return False, 0.0, alpha, beta
    # What follows depends on what the entry depended on, even where it is only a part of the answer.
    run.horizon += np.int64(entries[slot].whole == 0)
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        run.hits += 1
        if place >= 0:
            mind.trace[place].kind = REMEMBERED
            mind.trace[place].bound = bound
        return True, value, alpha, beta
    return (False, 0.0, max(alpha, value), beta) if bound == LOWER else (False, 0.0, alpha, min(beta, value))


@njit
def remember(rules, ways, settings, table, root_player, state, known, depth, value, bound, whole):
    """Enter a position into the table under this key and, if so wanted, under those of all its images."""
    table = lend(table)
    images = protocol.symmetry_count(rules) if settings.symmetry == ALL_IMAGES else 1
    for symmetry in range(images):
        key = known
        if symmetry > 0:
            key = table_key(rules, settings, root_player, state, protocol.key(rules, protocol.transform(rules, state, symmetry)))
        slot = np.int64(slot_to_fill(ways, table, key, depth))
        if slot >= 0:
            entry = table.entries[slot]
            entry.value = value
            entry.depth = depth
            entry.bound = bound
            entry.whole = whole


# ---- move ordering ----


@njit
def sort_moves(moves, promises, count):
    """Put the most promising first; equals stay in their order."""
    for place in range(1, count):
        move, hope = moves[place], promises[place]
        before = place - 1
        while before >= 0 and promises[before] < hope:
            moves[before + 1], promises[before + 1] = moves[before], promises[before]
            before -= 1
        moves[before + 1], promises[before + 1] = move, hope


@njit
def shuffle_moves(moves, count, key):
    for place in range(count - 1, 0, -1):
        other = below(draw(key, np.uint64(place)), place + 1)
        moves[place], moves[other] = moves[other], moves[place]


@inlined
def promise_of(rules, mind, state, key, move):
    """What a move promises its maker: its result if it ends the game, else the value last found for it, if wanted, else an evaluation."""
    settings = mind.settings
    after = protocol.play(rules, state, move)
    outcome = protocol.outcome(rules, after)
    turn_passes = protocol.turn(rules, after) != protocol.turn(rules, state)
    if outcome != ONGOING:
        return -2 * WIN * outcome if turn_passes else 2 * WIN * outcome
    if settings.order == HISTORY:
        key_there = key_of(rules, mind.ways, state, key, move, after)
        slot = find_entry(mind.table, table_key(rules, settings, mind.run[0].root_player, after, key_there))
        if slot >= 0:
            return -mind.table.entries[slot].value if turn_passes else mind.table.entries[slot].value
    return below_a_win(searching.promise(rules, state, move, after, settings.evaluation))


@inlined
def order_moves(rules, mind, state, key, depth, ply, count):
    """Bring the moves of this ply into the order in which they are tried; returns how many of them are."""
    settings, run = mind.settings, mind.run[0]
    moves, promises = mind.scratch.moves[ply], mind.scratch.promises[ply]
    if settings.shuffle == SHUFFLE_ALL or (settings.shuffle == SHUFFLE_ROOT and ply == 0):
        shuffle_moves(moves, count, run.key ^ np.uint64(run.expanded))
    is_cut = 0 < settings.beam < count
    # One ply before the horizon every move is looked at anyway: ordering would cost as much as it could save.
    if not is_cut and (settings.order == AS_LISTED or depth == 1):
        return count
    for place in range(count):
        promise = promise_of(rules, mind, state, key, np.int64(moves[place]))
        promises[place] = -promise if settings.order == REVERSED and not is_cut else promise
    sort_moves(moves, promises, count)
    if is_cut:
        run.horizon += 1
        return np.int64(settings.beam)
    return count


# ---- limits and trace ----


@inlined
def look_around(mind, moves):
    """Stop when the deadline has passed or somebody asks for it; `moves` says how much work was done since the last call."""
    run = mind.run[0]
    run.until_look -= moves
    if run.until_look < 0:
        run.until_look = _MOVES_BETWEEN_LOOKS
        if mind.stop[0] != 0 or (run.deadline > 0 and nanoseconds() >= run.deadline):
            run.stopped = TOLD_TO_STOP


@njit
def note(runs, trace, parent, move, ply, player, kind):
    """Write a node to the trace; returns its place, or −1 when the trace is full."""
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
    node.bound = EXACT
    node.value = 0.0
    node.best = -1
    return place


# ---- the search ----


@kernel
def search(rules, mind, state, depth, ply, alpha, beta, key, place):
    """The value of an unfinished position for the player to move, searched `depth` ≥ 1 plies deep.

    Alpha-beta returns the exact value if it lies between `alpha` and `beta`, and a bound for it otherwise.  `key` is the position's key
    (0 will do without a table), `place` its place in the trace or −1.  With ply 0 the best move is found in run.best_move afterwards.
    """
    mind = lend(mind)
    settings, run, trace = mind.settings, mind.run[0], mind.trace
    if run.stopped != GOES_ON:
        return 0.0
    prunes = settings.algorithm == ALPHABETA
    has_table = len(mind.table.entries) > 0
    horizon, cuts = run.horizon, run.cuts
    known = np.uint64(0)
    if has_table:
        known = table_key(rules, settings, run.root_player, state, key)
        is_answered, answer, alpha, beta = look_up(rules, mind, state, known, depth, ply, alpha, beta, place)
        if is_answered:
            return answer
    highest = most_to_hope_for(settings, ply)
    if highest <= alpha:
        run.cuts += 1
        if place >= 0:
            trace[place].bound = UPPER
        return highest
    run.expanded += 1
    player = protocol.turn(rules, state)
    moves = mind.scratch.moves[ply]
    count = np.int64(protocol.legal_moves(rules, state, moves))
    look_around(mind, count)
    tried = order_moves(rules, mind, state, key, depth, ply, count)
    best = -np.inf
    total = 0.0
    lowest = alpha
    for index in range(tried):
        move = np.int64(moves[index])
        after = protocol.play(rules, state, move)
        outcome = protocol.outcome(rules, after)
        next_player = protocol.turn(rules, after)
        turn_passes = next_player != player
        run.nodes += 1
        kind = FINISHED if outcome != ONGOING else LEAF if depth <= 1 else INNER
        child = note(mind.run, trace, place, move, ply + 1, next_player, kind) if len(trace) > 0 else np.int64(-1)
        if kind == FINISHED:
            value = final_value(rules, settings, after, outcome, ply + 1)
        elif kind == LEAF:
            value = below_a_win(searching.evaluate(rules, after, settings.evaluation))
            run.leaves += 1
            run.horizon += 1
        else:
            if run.nodes >= settings.most_nodes > 0:
                run.stopped = NODES_USED_UP
            key_there = key_of(rules, mind.ways, state, key, move, after) if has_table else np.uint64(0)
            low = (-beta if turn_passes else lowest) if prunes else -np.inf
            high = (-lowest if turn_passes else beta) if prunes else np.inf
            value = search(rules, mind, after, depth - 1, ply + 1, low, high, key_there, child)
            if run.stopped != GOES_ON:
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
        if ply > 0 or not settings.full_root:
            lowest = max(lowest, best)
        if prunes and best >= min(beta, highest):
            run.cuts += 1
            run.pruned += tried - index - 1
            if len(trace) > 0:
                for further in range(index + 1, tried):
                    note(mind.run, trace, place, np.int64(moves[further]), ply + 1, 1 - player, CUT)
            break
    if settings.algorithm == EXPECTIMAX and player != run.root_player:
        best = total / tried
        if place >= 0:
            trace[place].best = -1
    bound = LOWER if prunes and best >= beta else UPPER if prunes and best <= alpha else EXACT
    is_kept = bound == EXACT or settings.cache != EXACT_ONLY or settings.order == HISTORY
    if settings.cache == UNPRUNED:
        # Where nothing was cut off the value is exact, whatever the window.
        is_kept = run.cuts == cuts
        bound = EXACT if is_kept else bound
    if place >= 0:
        trace[place].bound = bound
    if has_table and is_kept:
        whole = np.int64(run.horizon == horizon)
        value = from_here(settings, best, ply)
        remember(rules, mind.ways, settings, mind.table, run.root_player, state, known, depth, value, bound, whole)
    return best


@njit
def is_decided(settings, value):
    """Whether a value is that of a won or lost game, which no deeper search would change."""
    if settings.by_margin:
        return False
    # An average of wins and draws decides nothing.
    return abs(value) >= (WIN if settings.algorithm == EXPECTIMAX else MOST_CLAIMED + 1)


@njit
def begin_run(rules, mind, state, key):
    """Get ready for a search of this position."""
    run = mind.run[0]
    run.root_player = protocol.turn(rules, state)
    run.key = key
    run.until_look = 0
    run.stopped = GOES_ON
    run.nodes = run.expanded = run.leaves = run.hits = run.pruned = 0
    run.traced = run.reached = run.is_whole = run.is_decided = 0
    run.value = np.nan
    limit = mind.settings.nanoseconds
    run.deadline = nanoseconds() + limit if limit > 0 else np.int64(0)


@njit
def deepen(rules, mind, state, first, last):
    """Search with growing depth, from `first` to `last` plies; returns the best move.

    Ends before that when the game is decided or searched to all its ends, and when stopped.  If not even the first search was completed,
    the move is the best one so far.
    """
    settings, run = mind.settings, mind.run[0]
    protocol.legal_moves(rules, state, mind.scratch.moves[0])
    chosen = np.int64(mind.scratch.moves[0, 0])
    key = protocol.key(rules, state) if len(mind.table.entries) > 0 else np.uint64(0)
    for depth in range(first, last + 1):
        run.best_move = -1
        run.horizon = run.cuts = 0
        run.traced = 0
        run.nodes += 1
        root = np.int64(-1)
        if len(mind.trace) > 0:
            root = note(mind.run, mind.trace, -1, -1, 0, run.root_player, INNER)
        value = search(rules, mind, state, depth, np.int64(0), -np.inf, np.inf, key, root)
        if run.stopped != GOES_ON:
            return chosen if run.reached > 0 or run.best_move < 0 else run.best_move
        chosen = run.best_move
        run.value = value
        run.reached = depth
        run.is_whole = np.int64(run.horizon == 0)
        run.is_decided = np.int64(is_decided(settings, value))
        if root >= 0:
            mind.trace[root].value = value
        if run.is_whole or run.is_decided:
            break
    return chosen


@decide.for_class(SearchMind)
def _decide_by_search(rules, mind, state, plies_left, key, buffer):
    settings = mind.settings
    begin_run(rules, mind, state, key)
    depth = np.int64(settings.depth)
    if settings.depth_rule >= 0:
        opening = np.int64(searching.opening_move(rules, state, key))
        if opening >= 0:
            return opening
        wanted = np.int64(searching.depth_rule(rules, state, settings.depth_rule))
        depth = min(np.int64(RULE_DEPTH), max(np.int64(1), wanted))
    return deepen(rules, mind, state, np.int64(1) if settings.deepens else depth, depth)


@begin_game.for_class(SearchMind)
def _forget_the_last_game(rules, mind, state):
    clear_table(mind.table)


@kernel
def evaluation_of(rules, state, number):
    return searching.evaluate(rules, state, number)
