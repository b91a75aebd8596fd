"""The tree of Monte Carlo tree search, compiled: its arrays, and the steps expand, select and backward.

All numbers of a node are stored at its slot in the arrays of `Tree`.  Slot 0 is the root; the children of a node fill one block of slots,
visited children first.  States are not stored: an iteration plays its way down from the root.

    slot      0      1     2     3     4     5   …
            root  [ a     b  |  c     d  ]  [ …      root: first 1, children 4, visited 2 (a and b)
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.outcome import FIRST, LOSS, ONGOING, WIN
from ludometer.core.random import below

UNVISITED = -1  # in `first`: the children have not been listed yet


class Tree(NamedTuple):
    """A search tree; every array has one entry per slot.  Before its first visit a slot has a valid `move` only."""

    move: np.ndarray  # int32: the move that leads here
    visits: np.ndarray  # int32: iterations that have passed through
    points: np.ndarray  # float64: their points for the player to move here; a win is 1, a draw ½
    value: np.ndarray  # float64: mean points for the player to move at the parent; −∞ for a proven loss of that player
    spread: np.ndarray  # float64: 1/√visits
    parent: np.ndarray  # int32: slot of the parent
    first: np.ndarray  # int32: slot of the first child, or UNVISITED
    children: np.ndarray  # int32: number of children, once listed
    explored: np.ndarray  # int32: number of visited children
    player: np.ndarray  # int8: the player to move
    result: np.ndarray  # int8: outcome for the player to move, final or proven; otherwise ONGOING


DTYPES = (np.int32, np.int32, *3 * (np.float64,), *4 * (np.int32,), *2 * (np.int8,))  # of the arrays of a Tree
BYTES_PER_SLOT = sum(np.dtype(kind).itemsize for kind in DTYPES)


def empty_tree(slots: int) -> Tree:
    """A tree of `slots` slots.  The operating system provides the memory as the tree grows into it."""
    return Tree(*(np.empty(slots, kind) for kind in DTYPES))


@njit
def set_node(rules, state, tree, node, parent):
    """Initialise a slot for the state reached there."""
    tree.visits[node] = 0
    tree.points[node] = 0.0
    tree.parent[node] = parent
    tree.first[node] = UNVISITED
    tree.children[node] = 0
    tree.explored[node] = 0
    tree.player[node] = protocol.turn(rules, state)
    tree.result[node] = protocol.outcome(rules, state)


@njit
def expand(tree, node, word):
    """A uniformly random unvisited child; its move is swapped into the block of visited ones."""
    explored = tree.explored[node]
    child = tree.first[node] + explored
    picked = child + below(word, tree.children[node] - explored)
    tree.move[child], tree.move[picked] = tree.move[picked], tree.move[child]
    tree.explored[node] = explored + 1
    return np.int64(child)


@njit(fastmath={"nnan", "nsz", "reassoc"})
def select(tree, node, exploration, bounds):
    """The child with the highest upper confidence bound value + √(exploration · ln N / n); the first visited one breaks ties."""
    first = np.int64(tree.first[node])
    count = np.int64(tree.children[node])
    scale = math.sqrt(exploration * math.log(np.float64(tree.visits[node])))
    # A loop without branches is vectorised; the search for the first maximum below is short.
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
    """The known outcome of a node for `player`, or ONGOING."""
    result = np.int64(tree.result[node])
    return result if result == ONGOING or tree.player[node] == player else -result


@njit(error_model="numpy")
def backward(tree, node, points):
    """Add an iteration worth `points` to the first player to a node and its ancestors."""
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
def backward_proof(tree, node):
    """Propagate the proven result of a node to its ancestors.

    A node is won as soon as one child is won for its player; it has the best value of its children once all are known.
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


# ---- reuse ----


@njit
def copy_subtree(source, node, target):
    """Copy the tree below a node of `source` into `target`, with the node as its root: (slots used, nodes).

    The copy is breadth first and its own queue: a copied slot keeps the place of its children in `source` until its turn comes.
    """
    source, target = lend(source), lend(target)
    copy_node(source, node, target, 0, 0)
    used = 1
    nodes = 1
    done = 0
    while done < used:
        first = np.int64(target.first[done])
        if first != UNVISITED:
            target.first[done] = used
            nodes += target.explored[done]
            for place in range(target.children[done]):
                copy_node(source, first + place, target, used, done)
                if place >= target.explored[done]:
                    target.first[used] = UNVISITED  # an unvisited child has a valid move only
                used += 1
        done += 1
    return used, nodes


@njit
def copy_node(source, slot, target, place, parent):
    """Copy one slot."""
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
