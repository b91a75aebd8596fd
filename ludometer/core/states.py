"""Many states of one game in one array, for work at compiled speed.

states = game.random_states(1_000_000, seed=1)
moves = game.legal_moves(states)
after = game.play(states, moves.flat[moves.starts[:-1]])  # the first move of each state
after = game.play(states[moves.owners], moves.flat)           # every move of every state
game.outcomes(after)                                     # int8, for the player to move
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from ludometer.core import states_kernels
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.errors import IllegalMoveError, LudometerError
from ludometer.core.position import Position
from ludometer.core.protocol.learning import feature_count
from ludometer.core.random import stream
from ludometer.core.text import count_text

if TYPE_CHECKING:
    from ludometer.core.game import Game

Rows = npt.NDArray[np.uint64]


class States:
    """Many states of one game in one array, a row of `rows` for each.

    `rows` is uint64 with shape (states, leaves): the numbers of which a state of this game consists, in the order of its fields.
    An index gives a `Position`; a slice, a mask or an array of indices gives `States`.

    >>> states = lm.game("tictactoe").states(["start", "X../.O./... x"])
    >>> states, str(states[1])
    (<2 states of mnk:3,3,3>, 'X../.O./... x')
    """

    __slots__ = ("game", "rows")

    def __init__(self, game: Game, rows: npt.ArrayLike) -> None:
        array = np.ascontiguousarray(rows)
        width = len(leaves_of(game.start().state))
        if array.dtype != np.uint64 or array.ndim != 2 or array.shape[1] != width:
            raise LudometerError(f"states of {game.spec} are rows of {width} uint64, not {array.dtype} of shape {array.shape}")
        self.game = game
        self.rows: Rows = array

    @classmethod
    def of(cls, game: Game, states: States | Iterable[Position | str]) -> States:
        """`states` as States of `game`, from positions or their texts; raises LudometerError for positions of another game."""
        if isinstance(states, States):
            if states.game != game:
                raise LudometerError(f"these are states of {states.game.spec}, not of {game.spec}")
            return states
        if isinstance(states, (str, Position)):
            raise LudometerError("states are a list of positions; put a single one in brackets")
        positions = [state if isinstance(state, Position) else game.position(state) for state in states]
        for position in positions:
            if position.game != game:
                raise LudometerError(f"{position} is a position of {position.game.spec}, not of {game.spec}")
        rows = np.array([leaves_of(position.state) for position in positions], np.uint64)
        return cls(game, rows.reshape(len(positions), len(leaves_of(game.start().state))))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> Position: ...
    @overload
    def __getitem__(self, index: slice | npt.NDArray[Any] | list[int]) -> States: ...
    def __getitem__(self, index: int | np.integer[Any] | slice | npt.NDArray[Any] | list[int]) -> Position | States:
        if isinstance(index, (int, np.integer)):
            return Position(self.game, state_of_leaves(self.game.start().state, self.rows[index], 0))
        return States(self.game, self.rows[index])

    def __iter__(self) -> Iterator[Position]:
        start = self.game.start().state
        return (Position(self.game, state_of_leaves(start, row, 0)) for row in self.rows)

    def texts(self) -> list[str]:
        """The text of each position."""
        return [str(position) for position in self]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, States) and self.game == other.game and np.array_equal(self.rows, other.rows)

    __hash__ = None  # type: ignore[assignment]  # an array can change

    def __repr__(self) -> str:
        return f"<{count_text(len(self), 'state')} of {self.game.spec}>"


class MoveLists(NamedTuple):
    """The legal moves of many states, one list after the other.

    `flat` (int32) has the moves of state i, ascending, in flat[starts[i] : starts[i + 1]]; `starts` (int64) is one longer than the states.
    A finished state has no moves.

    >>> moves = lm.game("tictactoe").legal_moves(["XO./XO./... x", "XXX/OO./... o"])
    >>> moves.counts.tolist(), moves.of(0).tolist()
    ([5, 0], [2, 6, 8, 9, 10])
    """

    flat: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]

    def of(self, state: int) -> npt.NDArray[np.int32]:
        """The moves of one state."""
        return self.flat[self.starts[state] : self.starts[state + 1]]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Number of moves of each state."""
        return np.diff(self.starts)

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """The state to which each move of `flat` belongs."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    def padded(self, filler: int = -1) -> npt.NDArray[np.int32]:
        """The moves as a table, int32 of shape (states, most moves), with `filler` behind the last move of each row."""
        counts = self.counts
        table = np.full((len(counts), int(counts.max(initial=0))), filler, np.int32)
        table[np.arange(table.shape[1]) < counts[:, None]] = self.flat
        return table


class Inspection(NamedTuple):
    """What the rules say of each state."""

    turns: npt.NDArray[np.int8]  # 0: the first player is to move, 1: the second
    outcomes: npt.NDArray[np.int8]  # WIN, DRAW, LOSS for the player to move, or ONGOING
    margins: npt.NDArray[np.int64]  # points of the player to move minus the other's
    keys: npt.NDArray[np.uint64]  # as `Position.key`
    counts: npt.NDArray[np.int64]  # legal moves


def random_states(game: Game, number: int, seed: int = 0, begin: int = 0) -> States:
    """Random ongoing states number `begin` to `begin + number` − 1 of `seed`."""
    if number < 0 or begin < 0:
        raise LudometerError(f"a number of states is 0 or more, not {min(number, begin)}")
    rows = np.empty((number, len(leaves_of(game.start().state))), np.uint64)
    states_kernels.draw_states(game.rules, stream(seed, "state"), begin, rows, np.empty(game.move_bound, np.int32))
    return States(game, rows)


def inspect(states: States) -> Inspection:
    """Turn, outcome, margin, key and number of moves of each state."""
    size = len(states)
    found = Inspection(
        np.empty(size, np.int8), np.empty(size, np.int8), np.empty(size, np.int64), np.empty(size, np.uint64), np.empty(size, np.int64)
    )
    states_kernels.inspect_states(states.game.rules, states.rows, *found)
    return found


def legal_moves(states: States) -> MoveLists:
    """The legal moves of each state."""
    starts = np.zeros(len(states) + 1, np.int64)
    np.cumsum(inspect(states).counts, out=starts[1:])
    flat = np.empty(starts[-1], np.int32)
    states_kernels.list_moves(states.game.rules, states.rows, starts, flat, np.empty(states.game.move_bound, np.int32))
    return MoveLists(flat, starts)


def play(states: States, moves: npt.ArrayLike) -> States:
    """The states after one move in each; raises IllegalMoveError that names the first illegal one."""
    chosen = np.asarray(moves)
    if chosen.shape != (len(states),) or (chosen.size and chosen.dtype.kind not in "iu"):
        raise LudometerError(f"play takes one whole number as the move of each of {len(states)} states")
    played = np.empty_like(states.rows)
    buffer = np.empty(states.game.move_bound, np.int32)
    wrong = states_kernels.play_moves(states.game.rules, states.rows, chosen.astype(np.int64), buffer, played)
    if wrong >= 0:
        raise IllegalMoveError(f"state {wrong}, {states[int(wrong)]}: move number {chosen[wrong]} is not allowed there")
    return States(states.game, played)


def features(states: States) -> npt.NDArray[np.float64]:
    """The game's features of each state, float64 of shape (states, features); raises LudometerError if the game has none."""
    count = feature_count(states.game.rules)
    if not count:
        raise LudometerError(f"{states.game.spec} has no features")
    found = np.zeros((len(states), count))
    states_kernels.write_features(states.game.rules, states.rows, found)
    return found
