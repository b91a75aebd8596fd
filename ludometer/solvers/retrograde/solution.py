"""The solution of a game by retrograde analysis: keys of all positions in ascending order, and a value for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position, typed
from ludometer.core.states import States
from ludometer.core.stopping import Stop
from ludometer.solvers.retrograde.keys import KeyLayout, word_count
from ludometer.solvers.retrograde.query_kernels import count_values, entries_of, keys_around, look_up_rows, state_of_entry
from ludometer.solvers.retrograde.team import Threads
from ludometer.solvers.solution import VALUE_NAMES, OutsideTable, Probe, Solution, Value, Values, probe_of

LAYOUT = "retrograde 1"

_ENTRIES_PER_TASK = 1 << 16


class Entries(Protocol):
    """Where the keys and values of a solution lie."""

    def find(self, keys: np.ndarray, count: int) -> list[int]:
        """The numbers of the first `count` of these keys (flat); −1 for those that are not there."""

    def value(self, number: int) -> int:
        """The value of an entry."""


class ArrayEntries:
    """Keys and values in memory, or in files mapped into memory."""

    def __init__(self, layout: KeyLayout, keys: np.ndarray, values: np.ndarray) -> None:
        self.layout = layout
        self.keys = keys  # flat uint64, ascending
        self.values = values  # int8 or int16

    def find(self, keys: np.ndarray, count: int) -> list[int]:
        entries = np.empty(count, np.int64)
        entries_of(self.layout, self.keys, keys, count, entries)
        found: list[int] = entries.tolist()
        return found

    def value(self, number: int) -> int:
        return int(self.values[number])


@dataclass(frozen=True)
class Totals:
    """Positions by value, each symmetric image counted."""

    counts: Mapping[int, int]  # value with distance -> positions; values as in `rounds_kernels`
    entries: int  # positions up to symmetry
    start: int  # the value of the start

    def with_outcome(self, outcome: int) -> int:
        """How many positions have this outcome for the player to move."""
        return sum(count for value, count in self.counts.items() if np.sign(value) == outcome)

    def document(self) -> dict[str, Any]:
        """{states, win, loss, draw} as summaries and manifests have them."""
        found = {name: self.with_outcome(outcome) for outcome, name in VALUE_NAMES.items()}
        return {"states": sum(self.counts.values()), **{name: found[name] for name in ("win", "loss", "draw")}}


class RetrogradeSolution(Solution):
    """Exact values of all positions that can be reached from the start.

    A value is for the player to move: d + 1 a win in d moves, −d − 1 a loss in d moves, 0 a draw.  With values only, 1, −1 and 0.
    """

    layout = LAYOUT

    def __init__(
        self,
        game: Game,
        keep: str,
        key_layout: KeyLayout,
        symmetries: np.ndarray,
        totals: Totals,
        found: Entries | None,
        folder: Path | None = None,
    ) -> None:
        self.game = game
        self._keep = keep
        self.key_layout = key_layout
        self.symmetries = symmetries  # int64: under which positions are taken for one
        self.totals = totals
        self.found = found  # None if only totals are kept
        self.folder = folder
        self.is_packed = False  # whether its tables are packed files
        self.stated_totals: dict[str, int] | None = None  # what the folder's manifest says: states, win, loss, draw

    @property
    def keep(self) -> str:
        return self._keep

    @property
    def entries(self) -> int:
        return self.totals.entries

    def value(self, position: Position, stop: Stop | None = None) -> Value:
        return self._look_up(position, False)[0][1]

    def probe(self, position: Position, stop: Stop | None = None) -> Probe:
        """Value and all moves, the keys of which are found with one call of compiled code; raises OutsideTable."""
        (player, value), *after = self._look_up(position, True)
        seen = [(one if whose == player else one.for_other_player()).before_a_move() for whose, one in after]
        return probe_of(value, list(zip(position.legal, seen)), position)

    def _values_of(self, states: States) -> Values:
        if not isinstance(self.found, ArrayEntries):
            return super()._values_of(states)
        found = np.empty((len(states), 3), np.int64)
        where = self.key_layout, self.symmetries, self.found.keys, self.found.values
        look_up_rows(self.game.rules, self.game.start().state, *where, states.rows, found)
        outside = np.flatnonzero(found[:, 0] < 0)
        if outside.size:
            raise OutsideTable(f"{self.game.spec}: state {outside[0]} cannot be reached from the start, so it is not in the table")
        stored, over = found[:, 1], found[:, 2] > 0
        known = stored != 0 if self.has_distances else over & (stored != 0)
        return Values(np.sign(stored).astype(np.int8), np.where(known, np.abs(stored) - 1, -1).astype(np.int32), None)

    def _draw(self, number: int, by: str, seed: int) -> tuple[States, npt.NDArray[np.float64]]:
        from ludometer.solvers.retrograde.sampling import draw_positions

        return draw_positions(self, number, by, seed)

    def _look_up(self, position: Position, successors: bool) -> list[tuple[int, Value]]:
        """(player to move, value for him) of a position and, if asked for, of those after each legal move; raises OutsideTable."""
        game = self.game
        if position.game != game:
            raise OutsideTable(f"this is a solution of {game.spec}, not of {position.game.spec}")
        if self.found is None:
            raise OutsideTable(f"{game.spec}: only totals were kept, no values; solve with values or distances kept")
        bound = game.move_bound
        moves, facts = np.empty(bound, np.int32), np.empty((bound + 1, 3), np.int64)
        keys = np.empty((bound + 1) * word_count(self.key_layout), np.uint64)
        count = 1 + int(keys_around(game.rules, position.state, self.key_layout, self.symmetries, successors, moves, keys, facts))
        entries = self.found.find(keys, count)
        rows = facts[:count].tolist()
        if any(entry < 0 or not fits for entry, (fits, _, _) in zip(entries, rows)):
            raise OutsideTable(f"{game.spec}: the position {position} cannot be reached from the start, so it is not in the table")
        return [(player, self._value_of(self.found.value(entry), bool(over))) for entry, (_, player, over) in zip(entries, rows)]

    def _value_of(self, stored: int, over: bool) -> Value:
        if stored == 0:
            return Value(DRAW)
        outcome = WIN if stored > 0 else LOSS
        if self.has_distances:
            return Value(outcome, abs(stored) - 1)
        return Value(outcome, 0 if over else None)

    def position_of(self, entries: ArrayEntries, number: int) -> Position:
        """The position that an entry stands for; `entries` are those of this solution."""
        state = state_of_entry(self.game.start().state, self.key_layout, entries.keys, number)
        return Position(self.game, typed(state))

    def summary(self) -> dict[str, Any]:
        start = self.totals.start
        histogram: dict[str, dict[int, int]] = {"win": {}, "loss": {}}
        for value, count in sorted(self.totals.counts.items(), key=lambda item: abs(item[0])):
            if value:
                histogram["win" if value > 0 else "loss"][abs(value) - 1] = count
        return {
            "game": self.game.spec,
            **self.totals.document(),
            "start": {"value": VALUE_NAMES[int(np.sign(start))], "distance": abs(start) - 1 if start else None},
            "histogram": histogram,
            "seconds": self.seconds,
            "device": self.device,
            "method": "retrograde analysis of all positions that can be reached from the start",
            "reused": self.device == "none",
        }

    def classes(self) -> list[dict[str, Any]]:
        """All positions as one class: {moves, mover, other, win, loss, draw}, the first three None."""
        found = self.totals.document()
        return [{"moves": None, "mover": None, "other": None, **{key: found[key] for key in ("win", "loss", "draw")}}]


def count_totals(
    game: Game, layout: KeyLayout, symmetries: np.ndarray, keys: np.ndarray, values: np.ndarray, start: int, threads: Threads
) -> Totals:
    """Positions by value.  Raises Stopped."""
    least, most = int(values.min()), int(values.max())
    like = game.start().state

    def work(begin: int) -> np.ndarray:
        totals = np.zeros(most - least + 1, np.int64)
        end = min(begin + _ENTRIES_PER_TASK, values.size)
        count_values(game.rules, like, layout, symmetries, keys, values, begin, end, least, totals)
        return totals

    totals = sum(threads.run(work, range(0, values.size, _ENTRIES_PER_TASK)), np.zeros(most - least + 1, np.int64))
    return Totals({place + least: int(count) for place, count in enumerate(totals) if count}, values.size, start)
