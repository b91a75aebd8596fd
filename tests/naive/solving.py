"""Exact values the slow and obvious way: try every move, remember nothing but results.

A naive twin is a program that does the same as a fast one and is too simple to be wrong; tests compare the two.
"""

from __future__ import annotations

from tests.naive.dots import NaiveDots
from tests.naive.mnk import NaiveMnk

Known = dict[object, int]


def mnk_value(game: NaiveMnk, known: Known) -> int:
    """For the player to move: 0 draw, d + 1 a win in d moves, −d − 1 a loss in d moves."""
    outcome = game.outcome()
    if outcome is not None:
        return outcome
    here = tuple(mark for row in game.board for mark in row)
    if here not in known:
        values = []
        for move in game.legal():
            game.play(move)
            after = -mnk_value(game, known)
            game.take_back(move)
            values.append(after + 1 if after > 0 else after - 1 if after < 0 else 0)
        wins, losses = [v for v in values if v > 0], [v for v in values if v < 0]
        known[here] = min(wins) if wins else 0 if 0 in values else min(losses)
    return known[here]


def dots_gain(game: NaiveDots, known: Known) -> int:
    """Boxes the player to move gains from here on minus those of the other, under best play."""
    here = frozenset(game.drawn)
    if here not in known:
        before = len(game.drawn), dict(game.owners), game.player
        margin, gains = game.margin(), []
        for name in game.moves():
            game.play(name)
            after = game.margin() + dots_gain(game, known)
            gains.append((after if game.player == before[2] else -after) - margin)
            game.undo_to(*before)
        known[here] = max(gains, default=0)
    return known[here]
