"""Games against a random player without chance: exact probabilities as fractions, by going through all its moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ludometer.core.outcome import FIRST
from ludometer.core.position import Position

Policy = Callable[[Position], list[int]]  # the moves a player may make, all equally likely


@dataclass(frozen=True)
class Chances:
    """What becomes of a game, seen from its start."""

    first: Fraction  # the first player wins
    draw: Fraction
    second: Fraction
    reaches: tuple[Fraction, ...]  # the chance that there is a turn number 1, 2, …

    @property
    def results(self) -> tuple[Fraction, Fraction, Fraction]:
        return self.first, self.draw, self.second


def at_random(position: Position) -> list[int]:
    """The policy of the random player."""
    return list(position.legal)


def chances(start: Position, first: Policy, second: Policy) -> Chances:
    """The exact chances of a game between two policies; positions in the game do not come back."""
    level: dict[Position, Fraction] = {start: Fraction(1)}
    results = [Fraction(0)] * 3
    reaches: list[Fraction] = []
    while level:
        following: dict[Position, Fraction] = {}
        reaches.append(sum(level.values(), Fraction(0)))
        for position, share in level.items():
            moves = (first if position.player == FIRST else second)(position)
            for move in moves:
                after = position.play(move)
                part = share / len(moves)
                if after.is_over:
                    outcome = after.outcome if after.player == FIRST else -after.outcome
                    results[1 - outcome] += part
                else:
                    following[after] = following.get(after, Fraction(0)) + part
        level = following
    return Chances(results[0], results[1], results[2], tuple(reaches))
