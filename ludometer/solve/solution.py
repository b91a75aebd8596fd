"""What an exact solution can be asked, whichever solver made it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position

_UNKNOWN = 1_000_000  # an unknown distance counts as farther than any known one
VALUE_NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


class OutsideTable(LudometerError):
    """A position the solution does not cover; it is never guessed at."""


@dataclass(frozen=True)
class Value:
    """An exact value for one player.  Distances count single moves to the end; margins are final differences of points."""

    outcome: int  # WIN, DRAW or LOSS
    distance: int | None = None  # None for draws, and where the solver does not know distances
    margin: int | None = None  # scored games: final points of the player minus the other's

    def for_other_player(self) -> Value:
        return Value(-self.outcome, self.distance, None if self.margin is None else -self.margin)

    def before_a_move(self) -> Value:
        """The same value one move earlier."""
        return Value(self.outcome, None if self.distance is None else self.distance + 1, self.margin)

    def preference(self) -> tuple[int, int]:
        """Larger is better: a larger margin, a fast win, a slow loss."""
        if self.margin is not None:
            return self.margin, 0
        distance = _UNKNOWN if self.distance is None else self.distance
        return self.outcome, -self.outcome * distance


@dataclass(frozen=True)
class Probe:
    """The value of a position for the player to move, and of each legal move for the player who makes it."""

    value: Value
    moves: tuple[tuple[int, Value], ...]
    best: tuple[int, ...]  # moves that keep the value and, where known, are fastest to win, slowest to lose
    keeping: tuple[int, ...]  # all moves that keep the value (margin in scored games), whatever the distance


class Solution(ABC):
    """Exact values of a game."""

    game: Game

    @abstractmethod
    def value(self, position: Position) -> Value:
        """The value for the player to move; raises OutsideTable."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """The keys of the `solve` command: game, states, win, loss, draw, start, histogram, seconds, device (see docs)."""

    def probe(self, position: Position) -> Probe:
        """Value and all moves; raises OutsideTable."""
        value = self.value(position)
        moves = []
        for move in position.legal:
            child = position.play(move)
            seen = self.value(child)
            moves.append((move, (seen if child.player == position.player else seen.for_other_player()).before_a_move()))
        top = max((v.preference() for _, v in moves), default=None)
        best = tuple(move for move, v in moves if v.preference() == top)
        top_value = top[0] if top else None
        keeping = tuple(move for move, v in moves if v.preference()[0] == top_value)
        return Probe(value, tuple(moves), best, keeping)
