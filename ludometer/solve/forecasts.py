"""What solving a game will take, said before it begins, and whether this machine has it.  Loads no compiler until asked."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.solve.reach import check_keep, cores, folder_of, within_reach

PACKED_SHARE = {"values": 0.12, "distances": 0.25}  # of the bytes of plain tables that packed ones take, rounded up from measured ones


@dataclass(frozen=True)
class Forecast:
    """What solving a game will take."""

    states: int | None  # positions; None where they are counted while solving
    entries: int | None  # of its tables; several positions may share one; None if not known before solving
    memory: int  # bytes at most; 0 where a device brings its own
    disk: int  # bytes in the folder of tables at most; 0 if nothing is written
    seconds: float | None  # None where it cannot be said beforehand
    where: str  # what computes
    workers: int | None  # threads; None: the solver has a way of its own
    time_text: str = ""  # why there are no seconds


def forecast(
    game: Game | str,
    *,
    device: str = "cpu",
    workers: int | None = None,
    tables: str | Path | None = None,
    keep: str = "distances",
    pack: bool = False,
) -> Forecast:
    """What `solve` with these arguments will take, without beginning to; raises LudometerError for games out of reach.

    When memory does not suffice for all workers, there are fewer of them.
    """
    from ludometer.solve.tiles.board import is_tile_game

    chosen = within_reach(game)
    if not is_tile_game(chosen):
        from ludometer.solve.acyclic.driver import forecast_acyclic

        check_keep(keep)
        if device != "cpu":
            raise LudometerError(f"{chosen.spec} is solved on the cpu; leave out --device")
        if workers is not None:
            raise LudometerError(f"{chosen.spec} is solved by one thread; leave out --workers")
        return forecast_acyclic(chosen, stored=tables is not None)
    from ludometer.solve.tiles.estimate import estimate
    from ludometer.solve.tiles.pair_solvers import DEVICES

    check_keep(keep)
    if device not in DEVICES:
        raise LudometerError(f"no device is called {device!r}; devices are {', '.join(DEVICES)}")
    if device == "cuda":
        from ludometer.solve.tiles.cuda.solver import cuda_or_error

        cuda_or_error()
        if workers is not None:
            raise LudometerError(f"on {device} there are no threads to choose; leave out --workers")
    at_once = workers or cores()
    for_one = estimate(chosen, 1)
    each = for_one.folder_memory if tables is not None else for_one.memory[keep]
    memory = physical_memory()
    if workers is None and memory is not None:
        at_once = max(1, min(at_once, memory // each))
    expected = estimate(chosen, at_once)
    on_cpu = device == "cpu"
    working = expected.working_disk if on_cpu and (keep != "distances" or pack) else 0
    kept = int(expected.disk[keep] * PACKED_SHARE.get(keep, 1.0)) if pack else expected.disk[keep]
    return Forecast(
        states=expected.states,
        entries=expected.entries,
        memory=at_once * each if on_cpu and tables is not None else each if on_cpu else 0,
        disk=0 if tables is None else kept + working,
        seconds=expected.seconds if on_cpu else None,
        where=f"{at_once} core{'s' if at_once > 1 else ''}" if on_cpu else device,
        workers=at_once if on_cpu else None,
        time_text="" if on_cpu else f"time as the {device} device allows",
    )


def check_room(game: Game, expected: Forecast, tables: str | Path | None) -> None:
    """Raise LudometerError when memory or disk do not suffice; what an earlier run left in the folder counts."""
    folder = folder_of(game, tables)
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
    memory = physical_memory()
    if memory is not None and expected.memory > memory:
        raise LudometerError(f"{game.spec} needs {_size(expected.memory)} of memory, this machine has {_size(memory)}")


def physical_memory() -> int | None:
    """Bytes of memory of this machine, or of the control group this process is confined to; None where the system does not say."""
    if not hasattr(os, "sysconf"):
        return None
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.is_file():
        text = limit.read_text().strip()
        memory = min(memory, int(text)) if text.isdigit() else memory
    return memory


def _size(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"
