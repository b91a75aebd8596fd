"""What an exact solution can be asked, whichever solver made it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.stopping import Stop

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
    """Exact values of a game.  Several threads may ask one."""

    game: Game
    layout: str  # what its tables are called in a folder, with a version number
    device = "cpu"  # what computed it; "none" if it was found solved
    seconds = 0.0
    checked = 0  # entries that were compared with their successors while solving
    reused = 0  # entries that were in the folder already

    @property
    @abstractmethod
    def keep(self) -> str:
        """What can be looked up: "none", "values" or "distances"."""

    @property
    def has_distances(self) -> bool:
        """Whether the distance to the end is known of every position that is won or lost."""
        return self.keep == "distances"

    @property
    @abstractmethod
    def entries(self) -> int:
        """Entries of its tables, or values kept: as many as `verify` checks."""

    @abstractmethod
    def value(self, position: Position, stop: Stop | None = None) -> Value:
        """The value for the player to move; raises OutsideTable.  Where it is found by search, `stop` ends that with Stopped."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """The keys of the `solve` command: game, states, win, loss, draw, start, histogram, seconds, device (see docs)."""

    def classes(self) -> list[dict[str, Any]]:
        """Wins, losses and draws by class of positions: {mover, other, win, loss, draw}, in games without repetition also `moves`.

        Raises LudometerError where positions are searched one by one and never counted.
        """
        raise LudometerError(f"{self.game.spec} is too large for a table: values are found by search, and there is nothing to count")

    def probe(self, position: Position, stop: Stop | None = None) -> Probe:
        """Value and all moves; raises OutsideTable.  Where values are found by search, `stop` ends that with Stopped."""
        value = self.value(position, stop)
        moves = []
        for move in position.legal:
            child = position.play(move)
            seen = self.value(child, stop)
            moves.append((move, (seen if child.player == position.player else seen.for_other_player()).before_a_move()))
        return probe_of(value, moves)


def probe_of(value: Value, moves: list[tuple[int, Value]]) -> Probe:
    """A probe from the value of a position and those of its moves."""
    top = max((v.preference() for _, v in moves), default=None)
    best = tuple(move for move, v in moves if v.preference() == top)
    top_value = top[0] if top else None
    keeping = tuple(move for move, v in moves if v.preference()[0] == top_value)
    return Probe(value, tuple(moves), best, keeping)
