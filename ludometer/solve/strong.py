"""Every position of a game without repetition: values, and in games without points distances as well.

    solution = solve_strong(game("mnk:4,4,4"))
    solution.probe(position).best
    arrays = solution.tables()                            # plain arrays, to be kept
    StrongSolution.from_tables(game("mnk:4,4,4"), arrays)

Two kinds of tables:

- listed: the positions that can be reached from the start, one for each orbit of symmetries, in the order of their packed words
      keys (positions × words, uint64), values (int16), moves (int16, made before), counts (int16, positions it stands for)
- dense: games that number their states (`core.numbering.dense_size`); every state counts, reachable or not
      values (entries, int8)

`strong_kernels` says what the values mean.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.solve.solution import VALUE_NAMES, OutsideTable, Solution, Value
from ludometer.solve.strong_kernels import (
    FOUND,
    FULL,
    GOES_ON,
    REPEATS,
    STATUS,
    TOO_LARGE,
    TOO_LONG,
    count_dense,
    explore,
    facts,
    fill,
    gather,
    identify,
    index_of,
    move_over,
)
from ludometer.solve.table_files import ProgressCallback, TableError
from ludometer.solve.watching import run_watched

MEMORY_MB = 1024
LONGEST_GAME = 1000  # moves

_FULLEST = 0.6  # share of slots in use
_FIRST_SLOTS = 1 << 14
_GROWTH = 4
_DENSE_STEP = 1 << 22  # entries filled between two reports
_BESIDES_KEY = 3 * 2  # bytes of a listed position: value, moves, counts
_LARGEST_DENSE_VALUE = 127

_LISTED = {"keys": np.uint64, "values": np.int16, "moves": np.int16, "counts": np.int16}
_DENSE = {"values": np.int8}


class TableTooLarge(LudometerError):
    """A game whose table does not fit into the memory allowed."""


@dataclass(frozen=True)
class TableEstimate:
    """How large the table of a game will be, before solving it."""

    entries: int  # 0: not known
    memory: int  # bytes while solving, 0: not known
    stored: int  # bytes of the finished arrays, 0: not known


def estimate(game: Game) -> TableEstimate:
    """How large the table of a game will be."""
    plan = _Plan(game)
    if plan.dense:
        return TableEstimate(plan.dense, plan.dense, plan.dense)
    entries = int(plan.expected)
    if not entries:
        return TableEstimate(0, 0, 0)
    return TableEstimate(entries, 8 * (plan.used + 1) * _slots_for(entries), (8 * plan.used + _BESIDES_KEY) * entries)


def solve_strong(game: Game, progress: ProgressCallback | None = None, memory_mb: int = MEMORY_MB) -> StrongSolution:
    """Value every position of a game; raises TableTooLarge when that needs more than `memory_mb`.

    `progress(done, all, text)` is called now and then; `all` is 0 where it is not known.
    """
    if game.kind.simultaneous or game.kind.ply_limit is not None:
        raise LudometerError(f"{game.spec} is not a game in turns without repetition; this solver cannot value it")
    began = time.perf_counter()
    plan = _Plan(game)
    expected = estimate(game)
    if expected.memory > memory_mb << 20:
        raise _too_large(game, memory_mb, f"it has about {expected.entries:.2g} entries")
    tables = _fill_dense(plan, progress) if plan.dense else _explore(plan, progress, memory_mb)
    solution = StrongSolution.from_tables(game, tables)
    solution.seconds = time.perf_counter() - began
    return solution


class _Plan:
    """How the positions of a game are named."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start = game.start()
        words, used, fixed, expected, dense = facts(game.rules, self.start.state)
        self.used = int(used or words)
        # Images of what can be reached can be reached as well only if the start looks the same from all sides.
        self.reduced = bool(fixed)
        self.expected = float(expected)
        self.dense = int(dense)


def _slots_for(positions: int) -> int:
    """A power of two, so large that this many positions do not fill it."""
    return 1 << int(positions / _FULLEST).bit_length()


def _too_large(game: Game, memory_mb: int, reason: str) -> TableTooLarge:
    return TableTooLarge(
        f"a table of all positions of {game.spec} does not fit into {memory_mb} MB ({reason}); "
        "allow more memory, or search single positions"
    )


def _fill_dense(plan: _Plan, progress: ProgressCallback | None) -> dict[str, np.ndarray]:
    values = np.zeros(plan.dense, np.int8)
    for end in range(plan.dense, 0, -_DENSE_STEP):
        fill(plan.game.rules, values, max(0, end - _DENSE_STEP), end)
        if progress is not None:
            progress(plan.dense - max(0, end - _DENSE_STEP), plan.dense, "filling the table")
    return {"values": values}


def _explore(plan: _Plan, progress: ProgressCallback | None, memory_mb: int) -> dict[str, np.ndarray]:
    game, used = plan.game, plan.used
    buffers = np.empty((LONGEST_GAME, game.move_bound), np.int32)
    control = np.zeros(2, np.int64)
    width = used + 1
    count = max(_FIRST_SLOTS, _slots_for(int(plan.expected)))
    slots = np.zeros(count * width, np.uint64)

    def report() -> None:
        if progress is not None:
            progress(int(control[FOUND]), max(int(plan.expected), int(control[FOUND])) if plan.expected else 0, "valuing positions")

    while True:
        work = (plan.start.state, 0, plan.reduced, game.kind.scored, used, int(count * _FULLEST), slots, buffers, control)
        run_watched(partial(explore, game.rules, *work), control, STATUS, None, report)
        if control[STATUS] != FULL:
            break
        count *= _GROWTH
        if 8 * width * count > memory_mb << 20:
            raise _too_large(game, memory_mb, f"there are more than {int(control[FOUND]):,} positions")
        wider = np.zeros(count * width, np.uint64)
        control[:] = GOES_ON, move_over(slots, wider, used)
        slots = wider
    _check(game, int(control[STATUS]))
    found = int(control[FOUND])
    keys = np.empty((found, used), np.uint64)
    columns = [np.empty(found, np.int16) for _ in range(3)]
    gather(slots, used, keys, *columns)
    order = np.lexsort(keys.T[::-1])
    values, moves, counts = (column[order] for column in columns)
    return {"keys": keys[order], "values": values, "moves": moves, "counts": counts}


def _check(game: Game, status: int) -> None:
    reasons = {
        REPEATS: "a position can come back later in the same game",
        TOO_LONG: f"it can go on for more than {LONGEST_GAME} moves",
        TOO_LARGE: "its points do not fit into a table",
    }
    if status in reasons:
        raise LudometerError(f"{game.spec} cannot be solved by listing its positions: {reasons[status]}")


class StrongSolution(Solution):
    """The values of all positions, in arrays."""

    def __init__(self, game: Game, tables: Mapping[str, np.ndarray]) -> None:
        self.game = game
        self.seconds = 0.0
        self._tables = dict(tables)
        self._plan = _Plan(game)

    @classmethod
    def from_tables(cls, game: Game, tables: Mapping[str, np.ndarray]) -> StrongSolution:
        """The solution whose arrays these are, in memory or mapped from a file; raises TableError if they cannot be."""
        solution = cls(game, tables)
        layout = _DENSE if solution.is_dense else _LISTED
        if {name: array.dtype for name, array in tables.items()} != layout:
            raise TableError(f"a table of {game.spec} has the arrays {', '.join(layout)}, not {', '.join(tables) or 'none'}")
        plan = solution._plan
        shapes = {name: array.shape for name, array in tables.items()}
        entries = plan.dense if solution.is_dense else len(tables["keys"])
        expected = {name: (entries, plan.used) if name == "keys" else (entries,) for name in layout}
        if shapes != expected:
            raise TableError(f"the arrays of a table of {game.spec} have the shapes {expected}, not {shapes}")
        return solution

    @property
    def is_dense(self) -> bool:
        """Whether every state of the game has an entry of its own by number."""
        return self._plan.dense > 0

    def tables(self) -> dict[str, np.ndarray]:
        """The arrays by name (see above)."""
        return dict(self._tables)

    def value(self, position: Position) -> Value:
        if position.game != self.game:
            raise OutsideTable(f"this is a solution of {self.game.spec}, not of {position.game.spec}")
        stored = int(self._tables["values"][self._entry(position)])
        if self.game.kind.scored:
            total = position.margin + stored
            return Value(WIN if total > 0 else LOSS if total < 0 else DRAW, margin=total)
        return Value(WIN, stored - 1) if stored > 0 else Value(LOSS, -stored - 1) if stored < 0 else Value(DRAW)

    def _entry(self, position: Position) -> int:
        plan = self._plan
        if self.is_dense:
            return int(index_of(self.game.rules, position.state))
        found, _ = identify(self.game.rules, position.state, plan.reduced)
        words = [int(word) for word in found[: plan.used]]
        keys = self._tables["keys"]
        entry = bisect_left(range(len(keys)), words, key=lambda place: keys[place].tolist())
        if entry == len(keys) or keys[entry].tolist() != words:
            raise OutsideTable(f"{self.game.spec}: the position {position} cannot be reached from the start, so it is not in the table")
        return entry

    def counts_by_moves(self) -> list[dict[str, int]]:
        """{moves, win, loss, draw} for every number of moves made; `win` counts positions won for the player to move.

        With points, a position is won when more points are to be gained from it than lost, whatever the score so far.
        """
        return [{"moves": moves, **self._totals(row)} for moves, row in enumerate(self._counts) if row.any()]

    def _totals(self, by_value: np.ndarray) -> dict[str, int]:
        return {name: int(by_value[self._sign == sign].sum()) for sign, name in VALUE_NAMES.items()}

    @property
    def _counts(self) -> np.ndarray:
        """Positions by moves made and by value − the least value."""
        if not hasattr(self, "_counted"):
            self._counted = self._count()
        return self._counted

    def _count(self) -> np.ndarray:
        values = self._tables["values"]
        least, most = (-_LARGEST_DENSE_VALUE, _LARGEST_DENSE_VALUE) if self.is_dense else (int(values.min()), int(values.max()))
        self._sign = np.sign(np.arange(least, most + 1))
        self._least = least
        if self.is_dense:
            counts = np.zeros((64, most - least + 1), np.int64)
            count_dense(self.game.rules, values, 0, values.size, least, counts)
            return counts
        moves = self._tables["moves"].astype(np.int64)
        counts = np.zeros((int(moves.max()) + 1, most - least + 1), np.int64)
        np.add.at(counts, (moves, values.astype(np.int64) - least), self._tables["counts"].astype(np.int64))
        return counts

    def summary(self) -> dict[str, Any]:
        """As the `solve` command says it.  With points, the histogram counts positions by what is to be gained from them."""
        total = self._counts.sum(axis=0)
        start = self.value(self._plan.start)
        by_value = {place + self._least: int(count) for place, count in enumerate(total) if count}
        if self.game.kind.scored:
            histogram: dict[str, dict[int, int]] = {"margin": by_value}
            start_found: dict[str, Any] = {"margin": start.margin}
        else:
            wins = {value - 1: count for value, count in by_value.items() if value > 0}
            losses = {-value - 1: count for value, count in sorted(by_value.items(), reverse=True) if value < 0}
            histogram = {"win": wins, "loss": losses}
            start_found = {"value": VALUE_NAMES[start.outcome], "distance": start.distance}
        return {
            "game": self.game.spec,
            "states": int(total.sum()),
            **self._totals(total),
            "start": start_found,
            "histogram": histogram,
            "seconds": self.seconds,
            "device": "cpu",
        }
