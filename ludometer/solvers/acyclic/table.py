"""A table of every position of a game without repetition: values, and in games without points distances as well.

    table = make_table(game("mnk:4,4,4"))
    table.probe(position).best
    arrays = table.tables()                            # plain arrays, to be kept
    PositionTable(game("mnk:4,4,4"), arrays)

Positions are found and valued depth first (`table_kernels.explore`), or state by state where a game numbers them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solvers.acyclic.naming import Naming
from ludometer.solvers.acyclic.solution import LARGEST_DENSE_VALUE, PositionTable
from ludometer.solvers.acyclic.table_kernels import (
    FOUND,
    FULL,
    GOES_ON,
    REPEATS,
    STATUS,
    TOO_LARGE,
    TOO_LONG,
    explore,
    fill,
    gather,
    move_over,
)
from ludometer.solvers.background import run_watched
from ludometer.solvers.solver import NotAble

MEMORY_MB = 1024
LONGEST_GAME = 1000  # moves

_FULLEST = 0.6  # share of slots in use
_FIRST_SLOTS = 1 << 14
_GROWTH = 4
_FIRST_STEP = 1 << 12  # numbered states of the first kernel call; later ones are adapted to take _STEP_SECONDS
_STEP_SECONDS = 0.01  # between two checks for a request to stop
_BESIDES_KEY = 3 * 2  # bytes of a listed position: value, moves, counts


class TableTooLarge(LudometerError):
    """A game whose table does not fit into the memory allowed."""


@dataclass(frozen=True)
class TableEstimate:
    """Expected size of a game's table."""

    entries: int  # 0: not known
    memory: int  # bytes while solving, 0: not known
    stored: int  # bytes of the finished arrays, 0: not known


def estimate(game: Game) -> TableEstimate:
    """Expected size of a game's table, before solving it."""
    plan = Naming(game)
    if plan.dense:
        return TableEstimate(plan.dense, plan.dense, plan.dense)
    entries = int(plan.expected)
    if not entries:
        return TableEstimate(0, 0, 0)
    return TableEstimate(entries, 8 * (plan.used + 1) * _slots_for(entries), (8 * plan.used + _BESIDES_KEY) * entries)


def make_table(
    game: Game,
    progress: OnProgress | None = None,
    memory_mb: int = MEMORY_MB,
    most: int | None = None,
    stop: Stop | None = None,
) -> PositionTable:
    """Value every position of a game; raises TableTooLarge when that needs more than `memory_mb` or there are more than `most`.

    `progress` gets the number of positions done and the expected total, 0 if unknown.  Raises Stopped.
    """
    if game.kind.simultaneous or game.kind.ply_limit is not None:
        raise LudometerError(f"{game.spec} is not a game in turns without repetition; this solver cannot value it")
    began = time.perf_counter()
    plan = Naming(game)
    expected = estimate(game)
    if expected.memory > memory_mb << 20:
        raise _too_large(game, memory_mb, f"it has about {expected.entries:.2g} entries")
    tables = _fill_dense(plan, progress, stop) if plan.dense else _explore(plan, progress, memory_mb, most, stop)
    table = PositionTable(game, tables)
    table.seconds = time.perf_counter() - began
    return table


def _slots_for(positions: int) -> int:
    """Number of slots for this many positions: a power of two."""
    return 1 << int(positions / _FULLEST).bit_length()


def _too_large(game: Game, memory_mb: int, reason: str) -> TableTooLarge:
    return TableTooLarge(
        f"a table of all positions of {game.spec} does not fit into {memory_mb} MB ({reason}); "
        "allow more memory, or search single positions"
    )


def _fill_dense(plan: Naming, progress: OnProgress | None, stop: Stop | None) -> dict[str, np.ndarray]:
    """The values of numbered states, the highest first.  Points of an unknown range are counted in wider numbers and must then fit."""
    fits = max(map(abs, plan.bounds)) <= LARGEST_DENSE_VALUE
    values = np.zeros(plan.dense, np.int8 if fits else np.int32)
    end, step = plan.dense, _FIRST_STEP
    while end > 0:
        begin = max(0, end - step)
        since = time.perf_counter()
        fill(plan.game.rules, values, begin, end)
        step = step * 2 if time.perf_counter() - since < _STEP_SECONDS else max(1, step // 2)
        end = begin
        if stop is not None:
            stop.check(f"solving {plan.game.spec}")
        if progress is not None:
            progress(plan.dense - end, plan.dense, "filling the table")
    if not fits and (values.max(initial=0) > LARGEST_DENSE_VALUE or values.min(initial=0) < -LARGEST_DENSE_VALUE):
        _check(plan.game, TOO_LARGE)
    return {"values": values.astype(np.int8, copy=False)}


def _explore(plan: Naming, progress: OnProgress | None, memory_mb: int, most: int | None, stop: Stop | None) -> dict[str, np.ndarray]:
    game, used = plan.game, plan.used
    buffers = np.empty((LONGEST_GAME, game.move_bound), np.int32)
    control = np.zeros(2, np.int64)
    width = used + 1
    count = max(_FIRST_SLOTS, _slots_for(int(plan.expected)))
    slots = np.zeros(count * width, np.uint64)

    def report() -> None:
        if progress is not None and control[FOUND] > 0:  # before that the compiler is at work
            progress(int(control[FOUND]), max(int(plan.expected), int(control[FOUND])) if plan.expected else 0, "valuing positions")

    while True:
        allowed = min(int(count * _FULLEST), most or count)
        work = (plan.start.state, 0, plan.reduced, game.kind.scored, used, allowed, slots, buffers, control)
        run_watched(partial(explore, game.rules, *work), control, STATUS, None, report, stop)
        if control[STATUS] != FULL:
            break
        count *= _GROWTH
        if 8 * width * count > memory_mb << 20 or allowed == most:
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
        error = LudometerError if status == TOO_LARGE else NotAble
        raise error(f"{game.spec} cannot be solved by listing its positions: {reasons[status]}")
