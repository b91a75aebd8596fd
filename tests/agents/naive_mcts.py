"""Monte Carlo tree search as the Quixo study describes it, step by step on positions: the slow twin of `agents.mcts_kernels`."""

from __future__ import annotations

import math

import numpy as np

from ludometer.core.random import below, draw, substream

POINTS = {1: 1.0, 0: 0.5, -1: 0.0}


class Node:
    """A state of the tree: w and n as the study calls them, and the children explored so far by move."""

    def __init__(self, position):
        self.position = position
        self.wins = 0.0  # of the player to move here
        self.passes = 0
        self.children = {}
        self.unexplored = list(position.legal)


def run_iterations(position, key, iterations, plies_left=10**9):
    """The root of the tree after so many iterations; a game is drawn after `plies_left` moves."""
    root = Node(position)
    for iteration in range(iterations):
        run_iteration(root, substream(key, np.uint64(iteration)), plies_left)
    return root


def run_iteration(root, words, plies_left):
    path = [root]
    while not path[-1].position.is_over and len(path) - 1 < plies_left:
        node = path[-1]
        if node.unexplored:
            path.append(expand(node, draw(np.uint64(words), np.uint64(0))))
            break
        path.append(select(node))
    winner_points = points_by_player(playout(path[-1].position, words, plies_left - len(path) + 1))
    for node in path:
        node.passes += 1
        node.wins += winner_points[node.position.player]


def expand(node, word):
    """A uniformly random child that has not been explored; like the fast one, the list trades places."""
    index = below(np.uint64(word), len(node.unexplored))
    node.unexplored[0], node.unexplored[index] = node.unexplored[index], node.unexplored[0]
    move = node.unexplored.pop(0)
    child = Node(node.position.play(move))
    node.children[move] = child
    return child


def select(node):
    """The child with the highest upper confidence bound; seen by the player to move, a child of the other's is 1 − w/n."""
    best, best_bound = None, -math.inf
    for child in node.children.values():
        rate = child.wins / child.passes
        value = rate if child.position.player == node.position.player else 1 - rate
        bound = value + math.sqrt(2 * (math.log(node.passes) / child.passes))
        if bound > best_bound:
            best, best_bound = child, bound
    return best


def playout(position, words, plies_left):
    counter = 1
    while not position.is_over and counter <= plies_left:
        word = draw(np.uint64(words), np.uint64(counter))
        position = position.play(position.legal[below(np.uint64(word), len(position.legal))])
        counter += 1
    return position


def points_by_player(final):
    mover = POINTS[final.outcome] if final.is_over else 0.5
    return {final.player: mover, 1 - final.player: 1 - mover}


def best_move(root):
    """The study's choice: the lowest w/n among the children (the highest for a child in which the same player moves again)."""

    def value(move):
        child = root.children[move]
        rate = child.wins / child.passes
        return rate if child.position.player == root.position.player else 1 - rate

    return max(root.children, key=value)
