"""The report's player, and positions of its games."""

from __future__ import annotations

from collections.abc import Sequence

from ludometer.arena.play.playing import play_game
from ludometer.core.position import Position
from ludometer.games import game

QUIXO = "quixo:5"
# The nearest to the report's program: no memory, a win is a win at any depth, equal moves shuffled.
COMMON = "shuffle=yes,early=no,cache=none"
PLAYER = f"study002:alphabeta:variable=advantage,{COMMON}"
RULES = ("advantage", "losing", "longest")


def positions_of(first: str, second: str, seed: int, plies: int) -> list[Position]:
    """All positions of a game."""
    record = play_game(QUIXO, first, second, seed, ply_limit=plies)
    positions = [game(QUIXO).start()]
    for move in record.moves:
        positions.append(positions[-1].play(move))
    return positions


def middle_positions(number: int, seed: int) -> Sequence[Position]:
    """Positions of random games, 6 to 25 moves after the start, in which the game goes on."""
    found: list[Position] = []
    for place in range(10 * number):
        positions = positions_of("random", "random", seed + place, 6 + place % 20)
        if not positions[-1].is_over:
            found.append(positions[-1])
        if len(found) == number:
            break
    return found
