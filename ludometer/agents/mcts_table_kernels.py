"""Monte Carlo tree search with its statistics in a table, compiled: as the program of the Quixo study kept them, and step by step nearer
to the tree of `mcts_kernels`.

An *entry* holds the visits and points of what the settings take for one thing: a board as the player to move sees it, a state, or a node
of the tree (a sequence of moves).  An iteration walks down from the root as long as all children are explored, explores one that is not,
plays out at random, and counts the result at the entries on its way: those walked through and the new one, or all states of the
playout too.

    places      hash table: number of an entry + 1, or 0
    entries     in the order in which they were made; a child not explored yet has one without visits
    block       entries of the different children of one state, each with a move that leads there; made when first needed

Most of the time of an iteration is waiting for memory.  So what is counted is kept apart from what is seldom needed, children made
together lie side by side, and places and entries are fetched ahead as soon as a key is known.

Iteration i takes its chance from the words of `substream(key, i)`, in the order in which it needs them.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.mcts_kernels import _BETWEEN_LOOKS, _RESERVE, MOST_ITERATIONS, NOWHERE, UNOPENED, Root, time_is_up
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide, observe
from ludometer.core.compiling.dispatch import chosen_by_type
from ludometer.core.compiling.leaves import mix_leaves
from ludometer.core.compiling.prefetching import prefetch
from ludometer.core.outcome import FIRST, ONGOING
from ludometer.core.protocol import tiling
from ludometer.core.random import below, draw, from_seed, substream

NODES, STATES, BOARDS = range(3)  # what shares an entry
LONGEST = 10_000  # positions of an iteration, whatever the settings say: where states come back, choosing can go round in circles
LISTED_PER_ENTRY = 2  # room in blocks, for each entry

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_CHOICE = np.uint64(2**64 - 1)  # number of the stream that decides between equal moves at the end
_KEY_START = np.uint64(0x9E3779B97F4A7C15)
_SMALLEST = 2**10  # places in use at first

# 1/√n and ln n for small n, to the last bit as they would be calculated: looking them up is faster.
INVERSE_ROOTS = np.concatenate([[np.inf], 1.0 / np.sqrt(np.arange(1, 2048))])
LOGARITHMS = np.array([-np.inf, *(math.log(number) for number in range(1, 2048))])

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("visits", np.int32),  # how often iterations have counted it; 0: not explored
        ("points", np.int32),  # of the player to move there, 2 for a win, 1 for a draw
    ],
    align=True,
)
BLOCK = np.dtype(
    {
        "names": [
            "first",  # where its block begins, or UNOPENED
            "children",  # length of the block; negative once all of them are explored
            "listed_by",  # block that has listed the entry last
        ],
        "formats": [np.int32, np.int32, np.int32],
        "itemsize": 16,  # none lies across two lines of a cache
    }
)
CHILD = np.dtype([("entry", np.int32), ("move", np.int32), ("turned", np.int32)])  # turned 1: the other player moves there
PLACES_PER_ENTRY = 4  # at most: one half of the places in use is free, and their number is a power of two
BYTES_PER_ENTRY = ENTRY.itemsize + BLOCK.itemsize + LISTED_PER_ENTRY * CHILD.itemsize + PLACES_PER_ENTRY * 4


class TableSettings(NamedTuple):
    """How iterations go and which move they speak for."""

    iterations: int  # per move
    exploration: float  # the square of the exploration constant
    shared: int  # NODES, STATES or BOARDS
    enter_all: int  # 1: all states of a playout are entered; 0: the first one
    doubled: int  # 1: visits count twice in the upper confidence bound
    ties_at_random: int  # 1: chance decides between equal children and moves; 0: the lowest move is taken
    untried_half: int  # 1: a move not explored counts half a point when the move is made; 0: it is not made
    horizon: int  # an iteration with so many positions is drawn; 0: as the game that is played
    by_visits: int  # 1: the move made is the one most visited, not the one of best value
    reuse: int  # 1: the table is kept for the whole game
    nanoseconds: int  # per move, in place of a number of iterations; 0: no limit


USE = np.dtype([("mask", np.uint64), ("entries", np.int64), ("listed", np.int64), ("path", np.uint64)])


class Table(NamedTuple):
    places: np.ndarray  # int32, a power of two: the first mask + 1 of them are in use
    entries: np.ndarray  # ENTRY
    blocks: np.ndarray  # BLOCK: of each entry
    listed: np.ndarray  # CHILD: all blocks, one after the other
    use: np.ndarray  # USE (1,): mask, entries and slots of blocks in use; path: key of the node where the game stands
    way: np.ndarray  # int32 (LONGEST,): entries that the iteration will count at …
    keys: np.ndarray  # uint64 (LONGEST or more): … keys of the states of its playout (before that, of the children listed) …
    movers: np.ndarray  # int8 (LONGEST,): … and who was to move in all of these
    bounds: np.ndarray  # float64 (move_bound,): room to work in


class TableMind(NamedTuple):
    """A player with one table."""

    settings: TableSettings
    table: Table
    growth: np.ndarray  # mcts_kernels.GROWTH (1,)
    root: Root
    stop: np.ndarray  # int64 (1,): not 0 once somebody asks for an end


def empty_table(entries: int, moves: int) -> Table:
    """A table with room for so many entries.  The memory is taken only as the table grows into it."""
    places = 1 << max(_SMALLEST.bit_length() - 1, (2 * entries - 1).bit_length())
    return Table(
        places=np.zeros(places, np.int32),
        entries=np.empty(entries, ENTRY),
        blocks=np.empty(entries, BLOCK),
        listed=np.empty(LISTED_PER_ENTRY * entries, CHILD),
        use=np.zeros(1, USE),
        way=np.empty(LONGEST, np.int32),
        keys=np.empty(max(LONGEST, moves), np.uint64),
        movers=np.empty(LONGEST, np.int8),
        bounds=np.empty(moves),
    )


# ---- a move ----


@decide.for_class(TableMind)
def _decide_by_table(rules, mind, state, plies_left, key, buffer):
    settings = mind.settings
    if settings.iterations == 0 and settings.nanoseconds == 0:
        return np.int64(protocol.random_move(rules, state, key, buffer))
    return np.int64(search_table(rules, mind, state, plies_left, substream(from_seed(key), _U0), buffer))


@begin_game.for_class(TableMind)
def _forget_the_table(rules, mind, state):
    mind.growth[0].node = NOWHERE


@observe.for_class(TableMind)
def _follow_the_game(rules, mind, state, move, after):
    growth = mind.growth[0]
    if growth.node != NOWHERE:
        mind.table.use[0].path = key_below(mind.table.use[0].path, move)
        growth.key = protocol.key(rules, after)


@kernel
def search_table(rules, mind, state, plies_left, key, buffer):
    """The move that the iterations speak for; what they found of all moves is written to the mind's `root`."""
    mind = lend(mind)
    settings, growth = mind.settings, mind.growth[0]
    growth.deadline = 0
    iterations = settings.iterations
    if settings.nanoseconds > 0:
        growth.deadline = nanoseconds() + max(0, settings.nanoseconds - _RESERVE)
        iterations = MOST_ITERATIONS if protocol.count_moves(rules, state) > 1 else 1  # a forced move needs no thought
    root = take_root_entry(rules, mind, state)
    positions = LONGEST
    if settings.horizon > 0:
        positions = min(LONGEST, settings.horizon)
    elif plies_left != FOR_EVER:
        positions = min(LONGEST, plies_left + 1)
    while growth.iterations < iterations:
        run_iteration(rules, mind, state, root, positions, substream(key, np.uint64(growth.iterations)), buffer)
        growth.iterations += 1
        if growth.iterations % _BETWEEN_LOOKS == 0 and time_is_up(mind):
            break
    return choose_move(rules, mind, state, mind.table.entries[root].key, substream(key, _CHOICE), buffer)


@inlined
def take_root_entry(rules, mind, state):
    """Clear the table unless it is kept from the last move and half of it is free; returns the position's entry."""
    growth, table, settings = mind.growth[0], mind.table, mind.settings
    growth.iterations = growth.playouts = growth.positions = growth.depth = 0
    here = protocol.key(rules, state)
    is_kept = settings.reuse and growth.node != NOWHERE and growth.key == here and 2 * table.use[0].entries < len(table.entries)
    if not is_kept:
        growth.nodes = 0
        clear(table, key_of_state(rules, settings.shared, state))
    growth.node = 0
    growth.key = here
    return entry_of(table, table.use[0].path if settings.shared == NODES else key_of_state(rules, settings.shared, state))


@inlined
def run_iteration(rules, mind, state, root, positions, words, buffer):
    """Walk down, explore, play out and count; an iteration with so many positions ends in a draw."""
    table, settings, growth = mind.table, mind.settings, mind.growth[0]
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
        if table.blocks[entry].first == UNOPENED and not list_children(rules, table, settings.shared, here, entry, buffer):
            break
        unexplored = 0 if table.blocks[entry].children < 0 else count_unexplored(table, entry)
        is_new = unexplored > 0
        if is_new:
            place = nth_unexplored(table, entry, below(draw(words, counter), unexplored))
            counter += _U1
        else:
            place, ties = most_promising_child(table, settings, entry)
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
    growth.depth = max(growth.depth, made)
    growth.playouts += np.int64(result == ONGOING)
    while made + 1 < positions and result == ONGOING:
        move = np.int64(protocol.random_move(rules, here, draw(words, counter), buffer))
        counter += _U1
        here = protocol.play(rules, here, move)
        result = np.int64(protocol.outcome(rules, here))
        made += 1
        if settings.enter_all:
            here_key = key_of_child(rules, settings.shared, here, here_key, move)
            fetch_place(table, here_key)
            table.keys[met] = here_key
            table.movers[entered + met] = protocol.turn(rules, here)
            met += 1
    growth.positions += made
    half_points = first_players_half_points(rules, here, result)
    growth.nodes += count_result(table, entered, half_points) + enter_and_count(table, entered, met, half_points)


@inlined
def outcome_there(rules, table, state, entry):
    """The outcome of an entry's state: where children are listed the game goes on."""
    return np.int64(ONGOING) if table.blocks[entry].first != UNOPENED else np.int64(protocol.outcome(rules, state))


@inlined
def first_players_half_points(rules, state, result):
    """2, 1 or 0 for the first player's win, a draw (also a game that is not over), a loss."""
    if result == ONGOING:
        return 1
    return 1 + (result if protocol.turn(rules, state) == FIRST else -result)


@inlined
def count_result(table, entered, half_points):
    """Count an iteration at the entries on its way; returns how many of them had no visits before."""
    explored = 0
    for step in range(entered):
        entry = table.entries[table.way[step]]
        explored += np.int64(entry.visits == 0)
        entry.visits += 1
        entry.points += half_points if table.movers[step] == FIRST else 2 - half_points
    return explored


@inlined
def enter_and_count(table, entered, met, half_points):
    """The same for the states of its playout.  Known by their keys so far, they are entered as long as there is room."""
    for step in range(met):
        fetch_entry(table, table.keys[step])
    explored = 0
    for step in range(met):
        found = entry_of(table, table.keys[step])
        if found >= 0:
            entry = table.entries[found]
            explored += np.int64(entry.visits == 0)
            entry.visits += 1
            entry.points += half_points if table.movers[entered + step] == FIRST else 2 - half_points
    return explored


# ---- children ----


@inlined
def list_children(rules, table, shared, state, entry, buffer):
    """Make the block of an entry: its different children, each once, with the lowest move that leads there.  False: no room is left."""
    use = table.use[0]
    count = protocol.legal_moves(rules, state, buffer)
    if use.listed + count > len(table.listed) or use.entries + count > len(table.entries):
        return False
    first = use.listed
    here_key = table.entries[entry].key
    player = protocol.turn(rules, state)
    for number in range(count):
        move = np.int64(buffer[number])
        after = protocol.play(rules, state, move)
        table.keys[number] = key_of_child(rules, shared, after, here_key, move)
        fetch_place(table, table.keys[number])
        table.listed[first + number].move = move
        table.listed[first + number].turned = protocol.turn(rules, after) != player
    for number in range(count):
        prefetch(table.blocks, fetch_entry(table, table.keys[number]))
    for number in range(count):
        child = entry_of(table, table.keys[number])
        if table.blocks[child].listed_by != first:
            table.blocks[child].listed_by = first
            table.listed[use.listed].entry = child
            table.listed[use.listed].move = table.listed[first + number].move
            table.listed[use.listed].turned = table.listed[first + number].turned
            use.listed += 1
    table.blocks[entry].first = first
    table.blocks[entry].children = use.listed - first
    return True


@inlined
def count_unexplored(table, entry):
    """How many children are unexplored; notes in the entry when there are none, since none will be again."""
    first = np.int64(table.blocks[entry].first)
    count = 0
    for place in range(first, first + table.blocks[entry].children):
        count += np.int64(table.entries[table.listed[place].entry].visits == 0)
    if count == 0:
        table.blocks[entry].children = -table.blocks[entry].children
    return count


@inlined
def nth_unexplored(table, entry, number):
    """The place in `listed` of an unexplored child, counted from 0."""
    place = np.int64(table.blocks[entry].first)
    while True:
        if table.entries[table.listed[place].entry].visits == 0:
            if number == 0:
                return place
            number -= 1
        place += 1


@inlined
def most_promising_child(table, settings, entry):
    """(place in `listed` of the first child of highest upper confidence bound, how many have that bound; 1 if it does not matter)."""
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
        spread = INVERSE_ROOTS[visits] if visits < len(INVERSE_ROOTS) else 1.0 / math.sqrt(visits)
        rate = 0.5 * table.entries[child.entry].points * (spread * spread)
        bound = (1.0 - rate if child.turned else rate) + scale * spread
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
    """The place of a child whose bound equals that of the one at `place`, counted from 0."""
    first = np.int64(table.blocks[entry].first)
    at = place - first
    highest = table.bounds[at]
    while number > 0:
        at += 1
        number -= np.int64(table.bounds[at] == highest)
    return first + at


# ---- keys and entries ----


@njit
def key_below(key, move):
    """The key of the node to which a move leads from the node with this key."""
    return draw(key, np.uint64(move) + _U1)


@njit
def _key_of_tiles(rules, state):
    mover, other = tiling.tiles_of_state(rules, state)
    return mix_leaves((mover, other), _KEY_START)


@njit
def _key_with_turn(rules, state):
    return protocol.key(rules, state)


def _board_key(rules, state):
    """A hash of a tile game's board as the player to move sees it, whoever that is; of the state in other games."""


board_key = chosen_by_type(
    _board_key,
    lambda rules_class: (
        _key_with_turn
        if tiling.TILES.implementation(rules_class, "tiles_of_state") is tiling.TILES.fallbacks["tiles_of_state"]
        else _key_of_tiles
    ),
)


@njit
def key_of_state(rules, shared, state):
    """The key of a state's entry; for nodes, of the root's."""
    return board_key(rules, state) if shared == BOARDS else protocol.key(rules, state)


@njit
def key_of_child(rules, shared, state, parent_key, move):
    """The key of the entry of a state that this move has led to."""
    return key_below(parent_key, move) if shared == NODES else key_of_state(rules, shared, state)


@njit
def clear(table, path):
    """Forget all entries but one new one, the root's, with key `path`."""
    use = table.use[0]
    places = np.int64(use.mask) + 1
    table.places[:places] = 0
    while places > 8 * use.entries and places > _SMALLEST:
        places //= 2  # the next search is thought to need as many as this one
    use.mask = np.uint64(max(_SMALLEST, places) - 1)
    use.entries = use.listed = 0
    use.path = path
    entry_of(table, path)


@inlined
def fetch_place(table, key):
    """Ask for the place where the search for this key begins."""
    prefetch(table.places, key & table.use[0].mask)


@inlined
def fetch_entry(table, key):
    """Ask for the entry that the search for this key will see first, or for the one made next; returns its number."""
    number = np.int64(table.places[key & table.use[0].mask])
    number = number - 1 if number > 0 else np.int64(table.use[0].entries)
    prefetch(table.entries, number)
    return number


@inlined
def entry_of(table, key):
    """The entry with this key, a new one if there is none; −1 if there is none and no room."""
    use = table.use[0]
    place = key & use.mask
    while table.places[place] != 0:
        found = np.int64(table.places[place]) - 1
        if table.entries[found].key == key:
            return found
        place = (place + _U1) & use.mask
    made = use.entries
    if made == len(table.entries):
        return np.int64(-1)
    use.entries += 1
    table.places[place] = use.entries
    entry = table.entries[made]
    entry.key = key
    entry.visits = 0
    entry.points = 0
    block = table.blocks[made]
    block.first = UNOPENED
    block.children = 0
    block.listed_by = UNOPENED
    if 2 * use.entries > np.int64(use.mask):
        spread_out(table)
    return made


@njit
def spread_out(table):
    """Use twice as many places."""
    use = table.use[0]
    places = 2 * (np.int64(use.mask) + 1)
    use.mask = np.uint64(places - 1)
    table.places[:places] = 0
    for number in range(use.entries):
        place = table.entries[number].key & use.mask
        while table.places[place] != 0:
            place = (place + _U1) & use.mask
        table.places[place] = number + 1


# ---- what the table says ----


@njit
def choose_move(rules, mind, state, here_key, word, buffer):
    """The move of best value or most visits; also lists all explored moves in `root`."""
    table, settings, root = mind.table, mind.settings, mind.root
    count = protocol.legal_moves(rules, state, buffer)
    player = protocol.turn(rules, state)
    root.size[0] = 0
    chosen = np.int64(buffer[0])
    best_points, best_visits, best_of = np.int64(-1), np.int64(-1), np.int64(1)  # below everything
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
            points = 2 * visits - points if protocol.turn(rules, after) != player else points
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
