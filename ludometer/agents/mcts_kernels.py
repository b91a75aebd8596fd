"""Monte Carlo tree search, compiled: the tree as plain arrays, and the four steps select, expand, play out, back up.

All numbers of a node stand at its slot in the arrays of `Tree`.  Slot 0 is the root; the children of a node fill one block of
slots, those explored so far first.  States are not kept: an iteration plays its way down from the root.

    slot      0      1     2     3     4     5   …
            root  [ a     b  |  c     d  ]  [ …      root: first 1, children 4, explored 2 (a and b)

Iteration i takes its chance from the words of `substream(key, i)`: word 0 picks the child to explore, the words from 1 on the
moves of the playouts.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.borrowing import inlined, lend
from ludometer.core.compiling.clock import nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide, observe
from ludometer.core.outcome import FIRST, LOSS, ONGOING, WIN
from ludometer.core.random import below, draw, from_seed, substream

UNOPENED = -1  # in `first`: the children have not been listed yet
NOWHERE = -1  # in `GROWTH.node`: the game has left the tree
MOST_ITERATIONS = 2**31 - 2  # visits are counted in 32 bits

_RESERVE = 2_000_000  # nanoseconds kept for putting the answer together when time is limited
_BETWEEN_LOOKS = 8  # iterations, or playouts of one iteration, between two looks at the clock and at requests to stop

_U0 = np.uint64(0)
_U1 = np.uint64(1)


class Tree(NamedTuple):
    """A search tree; every array has one entry per slot.  Beside `move`, a slot means nothing before it is explored."""

    move: np.ndarray  # int32: the move that leads here
    visits: np.ndarray  # int32: iterations that have passed through
    points: np.ndarray  # float64: what they brought the player to move here, 1 for a win, ½ for a draw
    value: np.ndarray  # float64: mean points of the player to move at the parent; −∞ if that player is known to lose here
    spread: np.ndarray  # float64: 1/√visits
    parent: np.ndarray  # int32
    first: np.ndarray  # int32: slot of the first child, or UNOPENED
    children: np.ndarray  # int32: how many children there are, once opened
    explored: np.ndarray  # int32: how many of them have been explored
    player: np.ndarray  # int8: who is to move here
    result: np.ndarray  # int8: ONGOING, or the outcome for the player to move, by the rules or proven


KINDS = (np.int32, np.int32, *3 * (np.float64,), *4 * (np.int32,), *2 * (np.int8,))  # of the arrays of a Tree
BYTES_PER_SLOT = sum(np.dtype(kind).itemsize for kind in KINDS)

# How far a tree has grown.
GROWTH = np.dtype(
    [
        ("active", np.int64),  # which of the mind's two trees is in use
        ("node", np.int64),  # where in it the game stands, or NOWHERE
        ("key", np.uint64),  # of the state there
        ("used", np.int64),  # slots
        ("nodes", np.int64),  # explored, the root included
        ("kept", np.int64),  # visits of the root that earlier moves have left
        ("iterations", np.int64),  # since the position became the root, as are the next three
        ("playouts", np.int64),
        ("positions", np.int64),  # visited: moves made in the tree and in playouts
        ("depth", np.int64),
        ("deadline", np.int64),  # nanoseconds on the clock; 0: none
    ]
)


class Settings(NamedTuple):
    """How a tree grows and which move it speaks for."""

    iterations: int  # per move
    exploration: float  # the square of the exploration constant
    playouts: int  # per iteration
    by_margin: int  # 1: the size of a win counts too
    by_visits: int  # 1: the move made is the one most visited, not the one of best value
    proven: int  # 1: results are proven, and the search ends with the root's
    reuse: int  # 1: the part of the tree that is still of use is kept for the next move
    nanoseconds: int  # per move, in place of a number of iterations; 0: no limit


class Root(NamedTuple):
    """What trees say of the moves at their root, in the order of exploration."""

    moves: np.ndarray  # int32 (move_bound,)
    visits: np.ndarray  # int64
    points: np.ndarray  # float64: of the player who makes the move
    known: np.ndarray  # int8: ONGOING, or the proven outcome for that player
    size: np.ndarray  # int64 (1,): how many moves there are


class MctsMind(NamedTuple):
    """A player with one tree."""

    settings: Settings
    trees: tuple[Tree, Tree]  # one in use and one to copy into; the second has no slots without `reuse`
    growth: np.ndarray  # GROWTH (1,)
    root: Root
    bounds: np.ndarray  # float64 (move_bound,): room to work in
    stop: np.ndarray  # int64 (1,): not 0 once somebody asks for an end


def empty_tree(slots: int) -> Tree:
    """A tree with room for so many slots.  The memory is taken only as the tree grows into it."""
    return Tree(*(np.empty(slots, kind) for kind in KINDS))


def empty_root(moves: int) -> Root:
    return Root(np.zeros(moves, np.int32), np.zeros(moves, np.int64), np.zeros(moves), np.zeros(moves, np.int8), np.zeros(1, np.int64))


# ---- a move ----


@decide.for_class(MctsMind)
def _decide_by_tree_search(rules, mind, state, plies_left, key, buffer):
    settings = mind.settings
    if settings.iterations == 0 and settings.nanoseconds == 0:
        return np.int64(protocol.random_move(rules, state, key, buffer))
    grow_tree(rules, mind, state, plies_left, substream(from_seed(key), _U0), settings.iterations, buffer)
    mind.root.size[0] = 0
    gather(mind, mind.root)
    return np.int64(mind.root.moves[preferred(mind.root, settings.by_visits)])


@begin_game.for_class(MctsMind)
def _forget_the_tree(rules, mind, state):
    mind.growth[0].node = NOWHERE


@observe.for_class(MctsMind)
def _follow(rules, mind, state, move, after):
    """Go to the child of the current node to which the move leads."""
    growth = mind.growth[0]
    node = growth.node
    if node == NOWHERE:
        return
    growth.node = NOWHERE
    tree = mind.trees[growth.active]
    if mind.settings.reuse and tree.first[node] != UNOPENED:
        for child in range(tree.first[node], tree.first[node] + tree.explored[node]):
            if tree.move[child] == move:
                growth.node = child
                growth.key = protocol.key(rules, after)


@kernel
def grow_tree(rules, mind, state, plies_left, key, iterations, buffer):
    """Search a position: grow its tree by so many iterations, or as long as time allows but by one at least."""
    mind = lend(mind)
    settings, growth = mind.settings, mind.growth[0]
    growth.deadline = 0
    if settings.nanoseconds > 0:
        growth.deadline = nanoseconds() + max(0, settings.nanoseconds - _RESERVE)
        iterations = MOST_ITERATIONS if protocol.count_moves(rules, state) > 1 else 1  # a forced move needs no thought
    take_root(rules, mind, state)
    tree = lend(mind.trees[growth.active])
    grow(rules, mind, tree, state, plies_left, key, min(iterations, MOST_ITERATIONS - growth.kept), buffer)


@inlined
def take_root(rules, mind, state):
    """Make the position the root of the tree, with what the tree already knows of it."""
    growth = mind.growth[0]
    growth.iterations = growth.playouts = growth.positions = growth.depth = growth.kept = 0
    key = protocol.key(rules, state) if mind.settings.reuse else _U0
    if mind.settings.reuse and growth.node != NOWHERE and growth.key == key:
        if growth.node > 0:
            other = 1 - growth.active
            growth.used, growth.nodes = keep_subtree(mind.trees[growth.active], growth.node, mind.trees[other])
            growth.active = other
        growth.kept = mind.trees[growth.active].visits[0]
    else:
        growth.active = 0
        growth.used = growth.nodes = 1
        put_node(rules, state, mind.trees[0], 0, 0)
    growth.node = 0
    growth.key = key


@inlined
def time_is_up(mind):
    """Whether the deadline has passed or somebody asks for an end."""
    deadline = mind.growth[0].deadline
    return mind.stop[0] != 0 or (deadline > 0 and nanoseconds() >= deadline)


@inlined
def grow(rules, mind, tree, state, plies_left, key, iterations, buffer):
    """Run iterations from the root's `state`.

    A game is drawn after `plies_left` more moves, in the tree and in playouts.  When all slots are used the tree grows no more, and
    iterations play out from its leaves.
    """
    settings, growth = mind.settings, mind.growth[0]
    widest = protocol.move_bound(rules)
    while growth.iterations < iterations and not (settings.proven and tree.result[0] != ONGOING):
        words = substream(key, np.uint64(growth.iterations))
        node = np.int64(0)
        here = state
        depth = 0
        is_new = False
        while tree.result[node] == ONGOING and not is_new and depth != plies_left:
            if tree.first[node] == UNOPENED:
                if growth.used + widest > len(tree.move):
                    break
                tree.first[node] = growth.used
                tree.children[node] = protocol.legal_moves(rules, here, tree.move[growth.used :])
                growth.used += tree.children[node]
            is_new = tree.explored[node] < tree.children[node]
            if is_new:
                child = pick_unexplored(tree, node, draw(words, _U0))
            else:
                child = most_promising(tree, node, settings.exploration, mind.bounds)
            here = protocol.play(rules, here, np.int64(tree.move[child]))
            if is_new:
                put_node(rules, here, tree, child, node)
            node = child
            depth += 1
        growth.nodes += np.int64(is_new)
        growth.depth = max(growth.depth, depth)
        growth.positions += depth
        if tree.result[node] == ONGOING:
            points = play_out_points(rules, mind, here, words, FOR_EVER if plies_left == FOR_EVER else plies_left - depth, buffer)
        elif protocol.outcome(rules, here) == ONGOING:
            points = points_of(np.int64(tree.result[node]), np.int64(tree.player[node]))
        else:
            points = points_at_end(rules, here, settings.by_margin)
        back_up(tree, node, points)
        if settings.proven and is_new and tree.result[node] != ONGOING:
            back_up_proof(tree, node)
        growth.iterations += 1
        if growth.iterations % _BETWEEN_LOOKS == 0 and time_is_up(mind):
            return


@njit
def put_node(rules, state, tree, node, parent):
    """Fill in a slot for a state just reached."""
    tree.visits[node] = 0
    tree.points[node] = 0.0
    tree.parent[node] = parent
    tree.first[node] = UNOPENED
    tree.children[node] = 0
    tree.explored[node] = 0
    tree.player[node] = protocol.turn(rules, state)
    tree.result[node] = protocol.outcome(rules, state)


@njit
def pick_unexplored(tree, node, word):
    """A uniformly random child not explored yet; its move trades places so that the explored ones stay together."""
    explored = tree.explored[node]
    child = tree.first[node] + explored
    picked = child + below(word, tree.children[node] - explored)
    tree.move[child], tree.move[picked] = tree.move[picked], tree.move[child]
    tree.explored[node] = explored + 1
    return np.int64(child)


@njit(fastmath={"nnan", "nsz", "reassoc"})
def most_promising(tree, node, exploration, bounds):
    """The child with the highest upper confidence bound value + √(exploration · ln N / n), of equal ones the first explored."""
    first = np.int64(tree.first[node])
    count = np.int64(tree.children[node])
    scale = math.sqrt(exploration * math.log(np.float64(tree.visits[node])))
    # Written so that the compiler handles several children at once: this loop has no branch, the next one little to do.
    highest = -np.inf
    for place in range(count):
        bounds[place] = tree.value[first + place] + scale * tree.spread[first + place]
        highest = max(highest, bounds[place])
    best = 0
    while best < count - 1 and bounds[best] != highest:
        best += 1
    return first + best


@njit
def value_for(tree, node, player):
    """The known outcome of a node for a player, or ONGOING."""
    result = np.int64(tree.result[node])
    return result if result == ONGOING or tree.player[node] == player else -result


@njit
def points_of(outcome, player):
    """Points of the first player for an outcome that is `player`'s."""
    return 0.5 + 0.5 * (outcome if player == FIRST else -outcome)


@njit
def points_at_end(rules, state, by_margin):
    """Points of the first player in a finished game: 1, ½ or 0; by margin, the nearer to 1 or 0 the larger the margin is."""
    player = np.int64(protocol.turn(rules, state))
    if not by_margin:
        return points_of(np.int64(protocol.outcome(rules, state)), player)
    margin = np.float64(protocol.margin(rules, state))
    share = 0.5 * margin / (1.0 + abs(margin))
    return 0.5 + (share if player == FIRST else -share)


@inlined
def play_out_points(rules, mind, state, words, plies_left, buffer):
    """The first player's mean points over random playouts from a state; one that is not over after `plies_left` moves is a draw."""
    total = 0.0
    counter = _U1
    done = 0
    while done < mind.settings.playouts and (done == 0 or done % _BETWEEN_LOOKS != 0 or not time_is_up(mind)):
        here = state
        plies = 0
        while protocol.outcome(rules, here) == ONGOING and plies != plies_left:
            here = protocol.play(rules, here, protocol.random_move(rules, here, draw(words, counter), buffer))
            counter += _U1
            plies += 1
        total += 0.5 if protocol.outcome(rules, here) == ONGOING else points_at_end(rules, here, mind.settings.by_margin)
        done += 1
    mind.growth[0].playouts += done
    mind.growth[0].positions += np.int64(counter - _U1)
    return total / done


@njit(error_model="numpy")
def back_up(tree, node, points):
    """Count an iteration that brought the first player `points` at a node and all above it."""
    while True:
        parent = np.int64(tree.parent[node])
        tree.visits[node] += 1
        tree.points[node] += points if tree.player[node] == FIRST else 1.0 - points
        rate = tree.points[node] / tree.visits[node]
        tree.value[node] = rate if tree.player[node] == tree.player[parent] else 1.0 - rate
        tree.spread[node] = 1.0 / math.sqrt(tree.visits[node])
        if node == 0:
            return
        node = parent


@njit
def back_up_proof(tree, node):
    """A node's result has become known: see what follows for those above it.

    A node is won as soon as one child is won for its player; it has the best of its children's values when all are known.
    """
    while node != 0:
        parent = np.int64(tree.parent[node])
        mover = tree.player[parent]
        best = value_for(tree, node, mover)
        if best == LOSS:
            tree.value[node] = -np.inf
        if best != WIN:
            if tree.explored[parent] < tree.children[parent]:
                return
            for sibling in range(tree.first[parent], tree.first[parent] + tree.children[parent]):
                value = value_for(tree, sibling, mover)
                if value == ONGOING:
                    return
                best = max(best, value)
        tree.result[parent] = best
        node = parent


# ---- what the tree says ----


@kernel
def gather(mind, root):
    """Add what a tree says of the moves at its root to `root`, which other trees may have written to before."""
    growth = mind.growth[0]
    tree = mind.trees[growth.active]
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
        if mind.settings.proven and tree.result[child] != ONGOING:
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
    """The place of the move to make: a proven win, else one not known to lose, of best value or most visited; of equal ones the first."""
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


# ---- the tree of the next move ----


@njit
def keep_subtree(source, node, target):
    """Copy the tree below a node of `source` into `target`, the node as its root: (slots used, nodes).

    A copied slot holds its old children's place until its turn comes, so the queue of what is left to copy is the copy itself.
    """
    source, target = lend(source), lend(target)
    copy_slot(source, node, target, 0, 0)
    used = 1
    nodes = 1
    done = 0
    while done < used:
        first = np.int64(target.first[done])
        if first != UNOPENED:
            target.first[done] = used
            nodes += target.explored[done]
            for place in range(target.children[done]):
                copy_slot(source, first + place, target, used, done)
                if place >= target.explored[done]:
                    target.first[used] = UNOPENED  # never explored: nothing but the move was there
                used += 1
        done += 1
    return used, nodes


@njit
def copy_slot(source, slot, target, place, parent):
    target.move[place] = source.move[slot]
    target.visits[place] = source.visits[slot]
    target.points[place] = source.points[slot]
    target.value[place] = source.value[slot]
    target.spread[place] = source.spread[slot]
    target.parent[place] = parent
    target.first[place] = source.first[slot]
    target.children[place] = source.children[slot]
    target.explored[place] = source.explored[slot]
    target.player[place] = source.player[slot]
    target.result[place] = source.result[slot]
