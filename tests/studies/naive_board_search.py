"""Monte Carlo tree search with statistics in a table, step by step on positions and dictionaries: the slow twin of
`studies.study_000.board_search_kernels`."""

from __future__ import annotations

import math

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.dispatch import supports
from ludometer.core.protocol import tiling
from ludometer.core.random import below, draw, substream
from tests.agents.naive_mcts import points_by_player


class Words:
    """The random words of an iteration, one after the other."""

    def __init__(self, key):
        self.key, self.used = np.uint64(key), 0

    def next(self):
        self.used += 1
        return np.uint64(draw(self.key, np.uint64(self.used - 1)))

    def below(self, limit):
        return below(self.next(), limit)


class TableSearch:
    def __init__(self, statistics="boards", enter="all", doubled=True, ties="random", untried="half", horizon=1000, c=2**0.5):
        self.statistics, self.enter, self.doubled = statistics, enter, doubled
        self.ties, self.untried, self.horizon, self.c = ties, untried, horizon, c
        self.passes = {}  # name of an entry -> visits
        self.wins = {}  # … -> points of the player to move

    def name(self, position, path):
        """What shares statistics has one name."""
        if self.statistics == "nodes":
            return path
        if self.statistics == "boards" and supports(position.game, tiling.TILES):
            return tuple(int(word) for word in tiling.tiles_of_state(position.game.rules, position.state))
        return int(protocol.key(position.game.rules, position.state))  # equal for states from which the game goes on alike

    def children(self, position, path):
        """Name -> (lowest move, position, path) of the different children."""
        found = {}
        for move in position.legal:
            after = position.play(move)
            found.setdefault(self.name(after, (*path, move)), (move, after, (*path, move)))
        return found

    def run(self, position, key, iterations):
        for iteration in range(iterations):
            self.run_iteration(position, Words(substream(np.uint64(key), np.uint64(iteration))))

    def run_iteration(self, position, words):
        path, length, is_new = (), 1, False
        buffer = np.empty(position.game.move_bound, np.int32)
        entered = [(self.name(position, path), position.player)]
        while not is_new and not position.is_over and length < self.horizon:
            children = self.children(position, path)
            unexplored = [name for name in children if name not in self.passes]
            is_new = bool(unexplored)
            name = unexplored[words.below(len(unexplored))] if is_new else self.select(entered[-1][0], position, children, words)
            _, position, path = children[name]
            entered.append((name, position.player))
            length += 1
        while not position.is_over and length < self.horizon:
            move = int(protocol.random_move(position.game.rules, position.state, words.next(), buffer))
            position, path = position.play(move), (*path, move)
            length += 1
            if self.enter == "all":
                entered.append((self.name(position, path), position.player))
        points = points_by_player(position)
        for name, player in entered:
            self.passes[name] = self.passes.get(name, 0) + 1
            self.wins[name] = self.wins.get(name, 0.0) + points[player]

    def select(self, here, position, children, words):
        times = 2 if self.doubled else 1
        scale = math.sqrt(round(self.c**2, 12) * math.log(times * self.passes[here]) / times)
        bounds = {}
        for name, (_, after, _) in children.items():
            rate = self.wins[name] / self.passes[name]
            bounds[name] = (rate if after.player == position.player else 1 - rate) + scale / math.sqrt(self.passes[name])
        equal = [name for name in bounds if bounds[name] == max(bounds.values())]
        return equal[words.below(len(equal))] if len(equal) > 1 and self.ties == "random" else equal[0]

    def values(self, position):
        """Move -> expected points of the player who makes it, of explored moves."""
        found = {}
        for move in position.legal:
            after = position.play(move)
            name = self.name(after, (move,))
            if name in self.passes:
                rate = self.wins[name] / self.passes[name]
                found[move] = rate if after.player == position.player else 1 - rate
        return found

    def visits(self, position):
        return {move: self.passes[self.name(position.play(move), (move,))] for move in self.values(position)}

    def best(self, position):
        """All moves of best value."""
        values = self.values(position)
        if self.untried == "half":
            values = {move: values.get(move, 0.5) for move in position.legal}
        return [move for move in values if math.isclose(values[move], max(values.values()), abs_tol=1e-12)]
