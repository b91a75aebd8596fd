"""What an exact solution can be asked, whichever solver made it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.core.states import States
    from ludometer.solvers.sampling import Sample

_UNKNOWN = 1_000_000  # an unknown distance counts as farther than any known one
VALUE_NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


class OutsideTable(LudometerError):
    """A position the solution does not cover."""


@dataclass(frozen=True)
class Value:
    """An exact value for one player.  Distances count single moves to the end; margins are final differences of points."""

    outcome: int  # WIN, DRAW or LOSS
    distance: int | None = None  # None for draws, and where the solver does not know distances
    margin: int | None = None  # scored games: final points of the player minus the other's

    def __str__(self) -> str:
        from ludometer.view.results.solutions import value_text

        return value_text(self)

    def __repr__(self) -> str:
        return f"<Value: {self}>"

    def _repr_html_(self) -> str:
        from ludometer.view.results.solutions import value_html

        return value_html(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row: value, distance, margin; needs pandas."""
        return data_frame([value_row(self)])

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


def value_row(value: Value) -> dict[str, Any]:
    """A value as a row of a data frame."""
    return {"value": VALUE_NAMES[value.outcome], "distance": value.distance, "margin": value.margin}


class Move(int):
    """The number of a move, shown as the game writes it.

    >>> best = lm.solve("tictactoe").probe(lm.game("tictactoe").position("XX./OO./... x")).best
    >>> best, best[0] == 2
    ((C1,), True)
    """

    _position: Position
    _text: str

    @classmethod
    def of(cls, number: int, position: Position) -> Move:
        """A move of this position."""
        move = cls(number)
        move._position = position
        return move

    @property
    def text(self) -> str:
        """The move as the game writes it."""
        if "_text" not in self.__dict__:
            self._text = self._position.move_text(int(self))
        return self._text

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return Move.of, (int(self), self._position)


@dataclass(frozen=True)
class Probe:
    """The value of a position for the player to move, and of each legal move for the player who makes it.

    Moves are numbers that show themselves as text (`Move`) if the position is known.
    """

    value: Value
    moves: tuple[tuple[int, Value], ...]
    best: tuple[int, ...]  # moves that keep the value and, where known, are fastest to win, slowest to lose
    keeping: tuple[int, ...]  # all moves that keep the value (margin in scored games), whatever the distance
    position: Position | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Probe: {self.value}; best {', '.join(map(str, self.best)) or 'none, the game is over'}>"

    def __str__(self) -> str:
        if self.position is None:
            return repr(self)
        from ludometer.view.results.solutions import probe_text

        return probe_text(self.position, self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.solutions import probe_html

        return probe_html(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each move: move, value, distance, margin, best, keeping; needs pandas."""
        return data_frame(
            {"move": str(move), **value_row(value), "best": move in self.best, "keeping": move in self.keeping}
            for move, value in self.moves
        )


class Values(NamedTuple):
    """Exact values of many positions, for the player to move in each."""

    outcomes: npt.NDArray[np.int8]  # WIN, DRAW or LOSS
    distances: npt.NDArray[np.int32]  # moves to the end; -1 for draws, and where the solver knows no distances
    margins: npt.NDArray[np.int64] | None  # final points of the player minus the other's; None in games without points

    def value(self, index: int) -> Value:
        """One of them."""
        distance = int(self.distances[index])
        margin = None if self.margins is None else int(self.margins[index])
        return Value(int(self.outcomes[index]), None if distance < 0 else distance, margin)


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

    def values(self, positions: States | Iterable[Position | str]) -> Values:
        """The values of many positions, as arrays; tables are asked at compiled speed.

        `positions`: `lm.States`, or a list of positions or their texts.
        Raises OutsideTable, with the index of the first position the solution does not cover; LudometerError for those of another game.
        """
        from ludometer.core.states import States

        return self._values_of(States.of(self.game, positions))

    def _values_of(self, states: States) -> Values:
        found = [self.value(position) for position in states]
        distances = [-1 if value.distance is None else value.distance for value in found]
        margins = np.array([value.margin for value in found], np.int64) if self.game.kind.scored else None
        return Values(np.array([value.outcome for value in found], np.int8), np.array(distances, np.int32), margins)

    def sample(self, number: int, by: str = "uniform", seed: int = 0) -> Sample:
        """`number` positions drawn with replacement, with their exact values; for data sets.

        - "uniform": every position that the table covers is equally likely
        - "class": first a class (tiles of both sides, or moves made), then a position in it
        - "distance": first a value (win in 1, loss in 2, draw, …; with points the number still to be gained), then a position that has it
        - "play": ongoing positions of random games; `probabilities` of the sample is None

        Raises LudometerError where there is no table to draw from.
        """
        from ludometer.solvers.sampling import draw_sample

        return draw_sample(self, number, by, seed)

    def _draw(self, number: int, by: str, seed: int) -> tuple[States, npt.NDArray[np.float64]]:
        """(positions drawn by "uniform", "class" or "distance", the probability of each in one draw)."""
        raise LudometerError(f"{self.game.spec} has no table to draw positions from: values are found by search; sample by play")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.spec}: {self.keep} of {self.entries:,} entries>"

    def __str__(self) -> str:
        from ludometer.view.results.solutions import solve_text

        return solve_text(self.summary())

    def _repr_html_(self) -> str:
        from ludometer.view.results.solutions import solution_html

        return solution_html(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each class, as `classes` gives them; needs pandas."""
        return data_frame(self.classes())

    def probe(self, position: Position, stop: Stop | None = None) -> Probe:
        """Value and all moves; raises OutsideTable.  Where values are found by search, `stop` ends that with Stopped."""
        value = self.value(position, stop)
        moves = []
        for move in position.legal:
            child = position.play(move)
            seen = self.value(child, stop)
            moves.append((move, (seen if child.player == position.player else seen.for_other_player()).before_a_move()))
        return probe_of(value, moves, position)


def probe_of(value: Value, moves: list[tuple[int, Value]], position: Position | None = None) -> Probe:
    """A probe from the value of a position and those of its moves."""
    named = moves if position is None else [(Move.of(move, position), v) for move, v in moves]
    top = max((v.preference() for _, v in named), default=None)
    best = tuple(move for move, v in named if v.preference() == top)
    top_value = top[0] if top else None
    keeping = tuple(move for move, v in named if v.preference()[0] == top_value)
    return Probe(value, tuple(named), best, keeping, position)
