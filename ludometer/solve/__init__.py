"""Exact answers: counts, values and distances.

    solution = solve("quixo:4")                    # in memory
    solution = solve("quixo:4", tables=folder)     # kept on disk, resumed after a kill
    solution.probe(position).best
    forecast("quixo:5").memory                     # what it will take

Which solver answers depends on the game: `retrograde` for games of tiles that can go round in circles (on the CPU, or with
`cuda` on a GPU), `strong` for acyclic games whose positions fit into memory, `proof` (depth-first search) for larger ones.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game, GameKind

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ludometer.solve.solution import Solution

QUICK_ENTRIES = 20_000_000  # a game with at most so many table entries is solved on demand, in seconds


def is_solvable(kind: GameKind, parameters: str) -> bool:
    """Whether the exact solvers reach this game; loads no compiler."""
    return not kind.simultaneous and kind.solvable(parameters)


def solve(
    game: Game | str,
    *,
    device: str = "cpu",
    workers: int | None = None,
    tables: str | Path | None = None,
    keep: str = "distances",
    check: bool = False,
    executor: Executor | None = None,
    progress: Any = None,
) -> Solution:
    """Solve a game exactly.

    `tables`: a folder for tables of solved games; without it nothing is written.  `keep`: "distances", "values" or "none".
    `check`: compare every entry with its successors while it is on the GPU (elsewhere: `verify` afterwards).
    `progress(done, all, text)` is told how far the work is.  Raises LudometerError for games out of reach.
    """
    from ludometer.solve.tiles.board import is_tile_game

    chosen = _within_reach(game)
    folder = _folder(chosen, tables)
    if is_tile_game(chosen):
        from ludometer.solve.tiles.driver import solve_tiles

        return solve_tiles(
            chosen, device=device, workers=workers, folder=folder, keep=keep, check=check, executor=executor, progress=progress
        )
    if device != "cpu" or executor is not None:
        raise LudometerError(f"{chosen.spec} is solved on the cpu in this process; leave out --device and --cluster")
    from ludometer.solve.acyclic.driver import solve_acyclic

    return solve_acyclic(chosen, folder=folder, keep=keep, progress=progress)


def open_solution(game: Game | str, tables: str | Path | None = None) -> Solution:
    """The solution of a game that was solved before into this folder (default: the user's); raises LudometerError."""
    from ludometer import games
    from ludometer.solve.table_files import folder_for, tables_root
    from ludometer.solve.tiles.board import is_tile_game

    chosen = games.game(game)
    folder = folder_for(chosen, Path(tables).expanduser() if tables is not None else tables_root())
    if is_tile_game(chosen):
        from ludometer.solve.tiles import solution as tile_solution

        return tile_solution.open_solution(folder, chosen)
    from ludometer.solve.acyclic.driver import open_acyclic

    return open_acyclic(chosen, folder)


def solution_for(game: Game, tables: str | Path | None = None, need_distances: bool = False) -> Solution:
    """What was solved before, or a game solved on the spot if that takes seconds; raises LudometerError otherwise."""
    from ludometer.solve.table_files import MissingTable

    try:
        found = open_solution(game, tables)
    except MissingTable:
        found = None
    if found is not None and not (need_distances and getattr(found, "keep", "distances") != "distances"):
        return found
    if forecast(game, keep="distances").entries > QUICK_ENTRIES:
        lacking = "solved with distances" if need_distances else "solved"
        raise LudometerError(f"{game.spec} is not {lacking} here; run `ludometer solve {game.spec}` first")
    return _solved_on_the_spot(game)


@lru_cache(maxsize=4)
def _solved_on_the_spot(game: Game) -> Solution:
    """Kept, because every agent of a match asks for it."""
    return solve(game)


def classes(solution: Solution) -> list[dict[str, Any]]:
    """Wins, losses and draws by class of positions: {mover, other, win, loss, draw}, in games without repetition also `moves`.

    Raises LudometerError where positions are searched one by one and never counted.
    """
    counted = getattr(solution, "classes", None)
    if counted is None:
        raise LudometerError(f"{solution.game.spec} is too large for a table: values are found by search, and there is nothing to count")
    rows: list[dict[str, Any]] = counted()
    return rows


def _folder(game: Game, tables: str | Path | None) -> Path | None:
    from ludometer.solve.table_files import folder_for

    return None if tables is None else folder_for(game, Path(tables).expanduser())


def _within_reach(game: Game | str) -> Game:
    from ludometer import games

    chosen = games.game(game)
    if chosen.kind.simultaneous:
        raise LudometerError(f"{chosen.spec}: moves are made at the same time, so no position has one exact value")
    if not is_solvable(chosen.kind, chosen.spec.partition(":")[2]):
        raise LudometerError(f"{chosen.spec} is out of reach of the exact solvers; `ludometer games` shows what is not")
    return chosen


# ---- what it will take ----


@dataclass(frozen=True)
class Forecast:
    """What solving a game will take."""

    states: int | None  # positions; None where they are counted while solving
    entries: int  # of its tables, 0 if not known; several positions may share one
    memory: int  # bytes at most; 0 where a device brings its own
    disk: int  # bytes in the folder of tables at most; 0 if nothing is written
    seconds: float | None  # None where it cannot be said beforehand
    where: str  # what computes
    workers: int | None  # threads; None: the solver has a way of its own
    time_text: str = ""  # why there are no seconds


def forecast(
    game: Game | str, *, device: str = "cpu", workers: int | None = None, tables: str | Path | None = None, keep: str = "distances"
) -> Forecast:
    """What `solve` with these arguments will take, without beginning to; raises LudometerError for games out of reach.

    When memory does not suffice for all workers, there are fewer of them.
    """
    from ludometer.solve.tiles.board import is_tile_game

    chosen = _within_reach(game)
    if not is_tile_game(chosen):
        from ludometer.solve.acyclic.driver import forecast_acyclic

        if device != "cpu":
            raise LudometerError(f"{chosen.spec} is solved on the cpu; leave out --device")
        return forecast_acyclic(chosen, stored=tables is not None)
    from ludometer.solve.tiles.driver import cores, estimate
    from ludometer.solve.tiles.pair_solvers import DEVICES
    from ludometer.solve.tiles.solution import KEEP

    if keep not in KEEP:
        raise LudometerError(f"--keep is one of {', '.join(KEEP)}, not {keep!r}")
    if device not in DEVICES:
        raise LudometerError(f"no device is called {device!r}; devices are {', '.join(DEVICES)}")
    if device == "cuda":
        from ludometer.solve.tiles.cuda.solver import cuda_or_error

        cuda_or_error()
    at_once = workers or cores()
    for_one = estimate(chosen, 1)
    each = for_one.folder_memory if tables is not None else for_one.memory[keep]
    if workers is None:
        at_once = max(1, min(at_once, physical_memory() // each))
    expected = estimate(chosen, at_once)
    working = expected.working_disk if keep != "distances" else 0
    on_cpu = device == "cpu"
    return Forecast(
        states=expected.states,
        entries=expected.entries,
        memory=at_once * each if on_cpu and tables is not None else each if on_cpu else 0,
        disk=0 if tables is None else expected.disk[keep] + working,
        seconds=expected.seconds if on_cpu else None,
        where=f"{at_once} core{'s' if at_once > 1 else ''}" if on_cpu else device,
        workers=at_once,
        time_text="" if on_cpu else f"time as the {device} device allows",
    )


def check_room(game: Game, expected: Forecast, tables: str | Path | None) -> None:
    """Raise LudometerError when memory or disk do not suffice; what an earlier run left in the folder counts."""
    folder = _folder(game, tables)
    if folder is not None:
        there = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else 0
        above = next(path for path in (folder, *folder.parents) if path.exists())
        if not above.is_dir():
            raise LudometerError(f"there can be no tables in {str(folder)!r}: {str(above)!r} is a file")
        free = shutil.disk_usage(above).free
        if expected.disk - there > free:
            raise LudometerError(
                f"{game.spec} needs {_size(expected.disk)} in {str(folder)!r}, where {_size(free)} are free; "
                "choose another folder with --tables, or keep less with --keep"
            )
    if expected.memory > physical_memory():
        has = _size(physical_memory())
        raise LudometerError(f"{game.spec} needs {_size(expected.memory)} of memory, this machine has {has}")


def physical_memory() -> int:
    """Bytes of memory of this machine, or of the control group this process is confined to."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.is_file():
        text = limit.read_text().strip()
        memory = min(memory, int(text)) if text.isdigit() else memory
    return memory


def _size(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"


class _CallableModule(ModuleType):
    """`lm.solve` is this module as soon as anything here has been imported, and the function people mean by it: so it is both."""

    def __call__(self, *arguments: Any, **options: Any) -> Solution:
        return solve(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
