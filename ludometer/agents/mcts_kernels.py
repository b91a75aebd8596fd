"""Monte Carlo tree search, compiled: the tree as plain arrays, and the four steps select, expand, play out, back up.

All numbers of a node stand at its slot in the arrays of `Tree`.  Slot 0 is the root; the children of a node fill one block of
slots, those explored so far first.  States are not kept: an iteration plays its way down from the root.

    slot      0      1     2     3     4     5   …
            root  [ a     b  |  c     d  ]  [ …      root: first 1, children 4, explored 2 (a and b)

Iteration i takes its chance from the words of `substream(key, i)`: word 0 picks the child to explore, the words from 1 on the
moves of the playouts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compilation import kernel
from ludometer.core.outcome import FIRST, LOSS, ONGOING, WIN
from ludometer.core.random import below, draw, substream

UNOPENED = -1  # in `first`: the children have not been listed yet

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


def empty_tree(slots: int) -> Tree:
    """A tree with room for so many slots.  The memory is taken only as the tree grows into it."""
    return Tree(*(np.empty(slots, kind) for kind in KINDS))


@kernel
def plant(rules, state, tree):
    """Make the tree a root alone: slots used."""
    put_node(rules, state, tree, 0, 0)
    return 1


@kernel
def search(rules, state, tree, used, key, begin, end, exploration, playouts, ply_limit, by_margin, prove, buffer, bounds):
    """Run the iterations `begin` to `end` − 1 from the root's `state`: (slots used, iterations, new nodes, playouts, depth).

    `exploration` is the square of the exploration constant.  Playouts of `ply_limit` moves (0: no limit) are drawn.  With
    `by_margin` the size of a win counts too; with `prove` results are proven, and the search ends with the root's.  When all
    slots are used the tree grows no more, and iterations play out from its leaves.  `buffer` (int32) and `bounds` (float64)
    have room for `move_bound(rules)` numbers.
    """
    deepest = 0
    nodes = 0
    played = 0
    widest = protocol.move_bound(rules)
    for iteration in range(begin, end):
        if prove and tree.result[0] != ONGOING:
            return used, iteration - begin, nodes, played, deepest
        words = substream(key, np.uint64(iteration))
        node = 0
        here = state
        depth = 0
        is_new = False
        while tree.result[node] == ONGOING and not is_new:
            if tree.first[node] == UNOPENED:
                if used + widest > len(tree.move):
                    break
                tree.first[node] = used
                tree.children[node] = protocol.legal_moves(rules, here, tree.move[used:])
                used += tree.children[node]
            is_new = tree.explored[node] < tree.children[node]
            child = pick_unexplored(tree, node, draw(words, _U0)) if is_new else most_promising(tree, node, exploration, bounds)
            here = protocol.play(rules, here, np.int64(tree.move[child]))
            if is_new:
                put_node(rules, here, tree, child, node)
            node = child
            depth += 1
        nodes += np.int64(is_new)
        deepest = max(deepest, depth)
        if tree.result[node] == ONGOING:
            points = play_out_points(rules, here, words, playouts, ply_limit, by_margin, buffer)
            played += playouts
        elif protocol.outcome(rules, here) == ONGOING:
            points = points_of(np.int64(tree.result[node]), np.int64(tree.player[node]))
        else:
            points = points_at_end(rules, here, by_margin)
        back_up(tree, node, points)
        if prove and is_new and tree.result[node] != ONGOING:
            back_up_proof(tree, node)
    return used, end - begin, nodes, played, deepest


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


@njit
def play_out_points(rules, state, words, playouts, ply_limit, by_margin, buffer):
    """The first player's mean points over random playouts from a state."""
    total = 0.0
    counter = _U1
    for _ in range(playouts):
        here = state
        plies = 0
        while protocol.outcome(rules, here) == ONGOING and (ply_limit == 0 or plies < ply_limit):
            here = protocol.play(rules, here, protocol.random_move(rules, here, draw(words, counter), buffer))
            counter += _U1
            plies += 1
        total += 0.5 if protocol.outcome(rules, here) == ONGOING else points_at_end(rules, here, by_margin)
    return total / playouts


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


@kernel
def find_reply(rules, state, tree, move, wanted, moves, stack):
    """The node reached by `move` from the root and any replies of the opponent, in the state whose key is `wanted`.

    Of several such nodes the one most visited; −1 if the tree has none.  `state` is the root's.  `moves` and `stack` (int32)
    have room for all slots in use.
    """
    found = np.int64(-1)
    waiting = 0
    for child in range(tree.first[0], tree.first[0] + tree.explored[0]):
        if tree.move[child] == move:
            stack[0] = child
            waiting = 1
    while waiting > 0:
        waiting -= 1
        node = np.int64(stack[waiting])
        length = 0
        above = node
        while above != 0:
            moves[length] = tree.move[above]
            above = np.int64(tree.parent[above])
            length += 1
        here = state
        for place in range(length - 1, -1, -1):
            here = protocol.play(rules, here, np.int64(moves[place]))
        if protocol.key(rules, here) == wanted and (found < 0 or tree.visits[node] > tree.visits[found]):
            found = node
        if tree.player[node] != tree.player[0] and tree.first[node] != UNOPENED:
            for child in range(tree.first[node], tree.first[node] + tree.explored[node]):
                stack[waiting] = child
                waiting += 1
    return found


@kernel
def keep_subtree(source, node, target):
    """Copy the tree below a node of `source` into `target`, the node as its root: (slots used, nodes).

    A copied slot holds its old children's place until its turn comes, so the queue of what is left to copy is the copy itself.
    """
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
