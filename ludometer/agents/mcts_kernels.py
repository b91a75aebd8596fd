"""Monte Carlo tree search, compiled: the search, and what a tree says of the moves at its root.

Iteration i takes its random words from `substream(key, i)`: word 0 picks the child to expand, words 1, 2, … the moves of the playouts.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.agents.mcts_tree_kernels import (
    UNVISITED,
    Tree,
    backward,
    backward_proof,
    copy_subtree,
    expand,
    select,
    set_node,
    value_for,
)
from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide, observe, positions_visited
from ludometer.core.outcome import FIRST, LOSS, ONGOING, WIN
from ludometer.core.random import draw, from_seed, substream

NOWHERE = -1  # in `RUN.node`: the game has left the tree
MOST_ITERATIONS = 2**31 - 2  # visits are counted in 32 bits

ANSWER_RESERVE = 2_000_000  # nanoseconds kept for assembling the answer if time is limited
CHECK_INTERVAL = 8  # iterations, or playouts of one iteration, between two checks of the clock and of requests to stop

_U0 = np.uint64(0)
_U1 = np.uint64(1)

# State and counts of a search.
RUN = np.dtype(
    [
        ("active", np.int64),  # which of the two trees is in use
        ("node", np.int64),  # slot of the position the game has reached, or NOWHERE
        ("key", np.uint64),  # key of that position
        ("used", np.int64),  # slots in use
        ("nodes", np.int64),  # visited nodes, the root included
        ("kept", np.int64),  # visits of the root from earlier moves
        ("iterations", np.int64),  # of this move, as are the next three
        ("playouts", np.int64),
        ("positions", np.int64),  # moves made in the tree and in playouts
        ("depth", np.int64),
        ("deadline", np.int64),  # nanoseconds on the clock; 0: none
    ]
)


def new_run() -> np.ndarray:
    """RUN (1,) of a player that has not searched yet."""
    run = np.zeros(1, RUN)
    run["node"] = NOWHERE
    return run


class MctsSettings(NamedTuple):
    """The options of `agents.mcts` for compiled code."""

    iterations: int  # per move
    exploration: float  # the square of the exploration constant
    playouts: int  # per iteration
    by_margin: int  # 1: the margin of a game counts
    by_visits: int  # 1: make the most visited move; 0: the move of best value
    proven: int  # 1: prove results; the search ends when the root's is proven
    reuse: int  # 1: reuse the subtree of the position reached for the next move
    nanoseconds: int  # per move, in place of a number of iterations; 0: no limit


class Root(NamedTuple):
    """Statistics of the visited moves at the root, in the order of their first visit."""

    moves: np.ndarray  # int32 (move_bound,)
    visits: np.ndarray  # int64
    points: np.ndarray  # float64: of the player who makes the move
    known: np.ndarray  # int8: the proven outcome for that player, or ONGOING
    size: np.ndarray  # int64 (1,): number of moves listed


class CompiledMcts(NamedTuple):
    """A compiled player with one tree."""

    settings: MctsSettings
    trees: tuple[Tree, Tree]  # one in use and one to copy into; the second has no slots without `reuse`
    run: np.ndarray  # RUN (1,)
    root: Root
    bounds: np.ndarray  # float64 (move_bound,): scratch
    stop: np.ndarray  # int64 (1,): nonzero once a stop is requested


def empty_root(moves: int) -> Root:
    """Root statistics without moves, for at most `moves` of them."""
    return Root(np.zeros(moves, np.int32), np.zeros(moves, np.int64), np.zeros(moves), np.zeros(moves, np.int8), np.zeros(1, np.int64))


# ---- a move ----


@decide.for_class(CompiledMcts)
def _decide_by_tree_search(rules, player, state, plies_left, key, buffer):
    settings = player.settings
    if settings.iterations == 0 and settings.nanoseconds == 0:
        return np.int64(protocol.random_move(rules, state, key, buffer))
    search_tree(rules, player, state, plies_left, substream(from_seed(key), _U0), settings.iterations, buffer)
    player.root.size[0] = 0
    add_root_statistics(player, player.root)
    return np.int64(player.root.moves[preferred(player.root, settings.by_visits)])


@begin_game.for_class(CompiledMcts)
def _begin_game(rules, player, state):
    player.run[0].node = NOWHERE


@observe.for_class(CompiledMcts)
def _observe(rules, player, state, move, after):
    """Go to the child of the current node to which the move leads."""
    run = player.run[0]
    node = run.node
    if node == NOWHERE:
        return
    run.node = NOWHERE
    tree = player.trees[run.active]
    if player.settings.reuse and tree.first[node] != UNVISITED:
        for child in range(tree.first[node], tree.first[node] + tree.explored[node]):
            if tree.move[child] == move:
                run.node = child
                run.key = protocol.key(rules, after)


@positions_visited.for_class(CompiledMcts)
def _count_positions(rules, player):
    return np.int64(player.run[0].positions)


@kernel
def search_tree(rules, player, state, plies_left, key, iterations, buffer):
    """Search a position with `iterations` iterations, or until the time limit but with one at least."""
    player = lend(player)
    settings, run = player.settings, player.run[0]
    run.deadline = 0
    if settings.nanoseconds > 0:
        run.deadline = nanoseconds() + max(0, settings.nanoseconds - ANSWER_RESERVE)
        iterations = MOST_ITERATIONS if protocol.count_moves(rules, state) > 1 else 1  # a forced move needs no search
    prepare_root(rules, player, state)
    tree = lend(player.trees[run.active])
    simulate(rules, player, tree, state, plies_left, key, min(iterations, MOST_ITERATIONS - run.kept), buffer)


@inlined
def prepare_root(rules, player, state):
    """Make the position the root: of the subtree to be reused if there is one, otherwise of an empty tree."""
    run = player.run[0]
    run.iterations = run.playouts = run.positions = run.depth = run.kept = 0
    key = protocol.key(rules, state) if player.settings.reuse else _U0
    if player.settings.reuse and run.node != NOWHERE and run.key == key:
        if run.node > 0:
            other = 1 - run.active
            run.used, run.nodes = copy_subtree(player.trees[run.active], run.node, player.trees[other])
            run.active = other
        run.kept = player.trees[run.active].visits[0]
    else:
        run.active = 0
        run.used = run.nodes = 1
        set_node(rules, state, player.trees[0], 0, 0)
    run.node = 0
    run.key = key


@inlined
def time_is_up(player):
    """True if the deadline has passed or a stop is requested."""
    deadline = player.run[0].deadline
    return player.stop[0] != 0 or (deadline > 0 and nanoseconds() >= deadline)


@inlined
def simulate(rules, player, tree, state, plies_left, key, iterations, buffer):
    """Run iterations from the root's `state`.

    The game is drawn after `plies_left` more moves, in the tree and in playouts.  A full tree stops growing; iterations then play out
    from its leaves.
    """
    settings, run = player.settings, player.run[0]
    widest = protocol.move_bound(rules)
    while run.iterations < iterations and not (settings.proven and tree.result[0] != ONGOING):
        words = substream(key, np.uint64(run.iterations))
        node = np.int64(0)
        here = state
        depth = 0
        is_new = False
        while tree.result[node] == ONGOING and not is_new and depth != plies_left:
            if tree.first[node] == UNVISITED:
                if run.used + widest > len(tree.move):
                    break
                tree.first[node] = run.used
                tree.children[node] = protocol.legal_moves(rules, here, tree.move[run.used :])
                run.used += tree.children[node]
            is_new = tree.explored[node] < tree.children[node]
            if is_new:
                child = expand(tree, node, draw(words, _U0))
            else:
                child = select(tree, node, settings.exploration, player.bounds)
            here = protocol.play(rules, here, np.int64(tree.move[child]))
            if is_new:
                set_node(rules, here, tree, child, node)
            node = child
            depth += 1
        run.nodes += np.int64(is_new)
        run.depth = max(run.depth, depth)
        run.positions += depth
        if tree.result[node] == ONGOING:
            points = mean_playout(rules, player, here, words, FOR_EVER if plies_left == FOR_EVER else plies_left - depth, buffer)
        elif protocol.outcome(rules, here) == ONGOING:
            points = points_of(np.int64(tree.result[node]), np.int64(tree.player[node]))
        else:
            points = points_at_end(rules, here, settings.by_margin)
        backward(tree, node, points)
        if settings.proven and is_new and tree.result[node] != ONGOING:
            backward_proof(tree, node)
        run.iterations += 1
        if run.iterations % CHECK_INTERVAL == 0 and time_is_up(player):
            return


@njit
def points_of(outcome, player):
    """The first player's points for an outcome of `player`."""
    return 0.5 + 0.5 * (outcome if player == FIRST else -outcome)


@njit
def points_at_end(rules, state, by_margin):
    """The first player's points in a finished game: 1, ½ or 0; with `by_margin` ½ + ½ m/(1 + |m|) for a margin of m."""
    player = np.int64(protocol.turn(rules, state))
    if not by_margin:
        return points_of(np.int64(protocol.outcome(rules, state)), player)
    margin = np.float64(protocol.margin(rules, state))
    share = 0.5 * margin / (1.0 + abs(margin))
    return 0.5 + (share if player == FIRST else -share)


@inlined
def mean_playout(rules, player, state, words, plies_left, buffer):
    """The first player's mean points in random playouts from a state; a playout of `plies_left` moves is drawn."""
    total = 0.0
    counter = _U1
    done = 0
    while done < player.settings.playouts and (done == 0 or done % CHECK_INTERVAL != 0 or not time_is_up(player)):
        here = state
        plies = 0
        while protocol.outcome(rules, here) == ONGOING and plies != plies_left:
            here = protocol.play(rules, here, protocol.random_move(rules, here, draw(words, counter), buffer))
            counter += _U1
            plies += 1
        total += 0.5 if protocol.outcome(rules, here) == ONGOING else points_at_end(rules, here, player.settings.by_margin)
        done += 1
    player.run[0].playouts += done
    player.run[0].positions += np.int64(counter - _U1)
    return total / done


# ---- statistics at the root ----


@kernel
def add_root_statistics(player, root):
    """Add the statistics of the moves at a tree's root to `root`, which may have those of other trees already."""
    run = player.run[0]
    tree = player.trees[run.active]
    for child in range(tree.first[0], tree.first[0] + tree.explored[0]):
        place = 0
        while place < root.size[0] and root.moves[place] != tree.move[child]:
            place += 1
        if place == root.size[0]:
            root.size[0] += 1
            root.moves[place] = tree.move[child]
            root.visits[place] = 0
            root.points[place] = 0.0
            root.known[place] = ONGOING
        turned = tree.player[child] != tree.player[0]
        root.visits[place] += tree.visits[child]
        root.points[place] += tree.visits[child] - tree.points[child] if turned else tree.points[child]
        if player.settings.proven and tree.result[child] != ONGOING:
            root.known[place] = value_for(tree, child, tree.player[0])


@njit
def value_of(root, place):
    """The expected points of the player who makes this move: 1 is a win, ½ a draw."""
    known = np.int64(root.known[place])
    if known != ONGOING:
        return 0.5 + 0.5 * known
    return 1.0 - (root.visits[place] - root.points[place]) / root.visits[place]


@kernel
def preferred(root, by_visits):
    """The place in `root` of the move to make, the first of equal ones.

    Proven wins come first and proven losses last; otherwise the value decides, or with `by_visits` the number of visits.
    """
    best = 0
    for place in range(1, root.size[0]):
        known, best_known = root.known[place], root.known[best]
        sure = np.int64(known == WIN) - np.int64(known == LOSS)
        best_sure = np.int64(best_known == WIN) - np.int64(best_known == LOSS)
        is_better = sure > best_sure
        if sure == best_sure:
            value, best_value = value_of(root, place), value_of(root, best)
            if by_visits or sure != 0:
                more, equal = root.visits[place] > root.visits[best], root.visits[place] == root.visits[best]
                is_better = more or (equal and value > best_value)
            else:
                is_better = value > best_value
        if is_better:
            best = place
    return best
