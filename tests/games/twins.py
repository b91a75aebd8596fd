"""Comparing games with slow twins written from the rules alone (tests/naive).

A twin is an immutable position with `text()`, `moves()` (texts, none when the game is over), `play(move)` and `result()`, and in games
of points `margin()`, the first player's points minus the second's.
"""

from __future__ import annotations

import random
from typing import Any

from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.solvers.perft import perft

LONGEST = 200  # moves after which a random game is left


def assert_same_position(position: Position, twin: Any) -> None:
    """The same text, moves and result."""
    assert str(position) == twin.text()
    assert sorted(position.moves()) == sorted(twin.moves()), str(position)
    assert position.result == twin.result(), str(position)
    if position.game.kind.scored:
        assert (position.margin if position.player == 0 else -position.margin) == twin.margin(), str(position)


def assert_same_games(game: Game, twin: Any, games: int, longest: int = LONGEST) -> int:
    """Random games in which game and twin agree at every move; the number of games that came to an end."""
    ended = 0
    for number in range(games):
        chance = random.Random(f"{game.spec} {number}")
        position, other = game.start(), twin
        for _ in range(longest):
            assert_same_position(position, other)
            if position.is_over:
                ended += 1
                break
            move = chance.choice(position.moves())
            position, other = position.play(move), other.play(move)
    return ended


def naive_perft(twin: Any, depth: int) -> int:
    """The number of sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    moves = twin.moves()
    return len(moves) if depth == 1 else sum(naive_perft(twin.play(move), depth - 1) for move in moves)


def assert_perft(game: Game, counts: tuple[int, ...]) -> None:
    """Frozen numbers of move sequences of length 1, 2, 3, …"""
    start = game.start()
    assert tuple(perft(start, depth) for depth in range(1, len(counts) + 1)) == counts


def values_of_all(game: Game) -> dict[Position, int]:
    """The value of every position that can be reached, for its player to move: 0 a draw, d + 1 a win in d moves, −d − 1 a loss in d moves.

    Retrograde analysis as plainly as it can be written, for games that may repeat and in which the turn always passes.
    """
    start = game.start()
    after: dict[Position, list[Position]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position in after:
            continue
        after[position] = [position.play(move) for move in position.legal]
        waiting += after[position]
    values = {position: 1 if position.outcome > 0 else -1 for position in after if position.is_over and position.outcome}
    before: dict[Position, list[Position]] = {position: [] for position in after}
    for position, successors in after.items():
        for successor in successors:
            before[successor].append(position)
    left = {position: len(successors) for position, successors in after.items()}
    frontier = list(values)
    while frontier:
        reached = []
        for position in frontier:
            for earlier in before[position]:
                if earlier in values:
                    continue
                if values[position] < 0:
                    values[earlier] = 1 - values[position]
                    reached.append(earlier)
                    continue
                left[earlier] -= 1
                if left[earlier] == 0:
                    values[earlier] = -1 - values[position]
                    reached.append(earlier)
        frontier = reached
    return {position: values.get(position, 0) for position in after}
