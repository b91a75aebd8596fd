"""What solving a game will take, said before it begins, and whether this machine has it.  Loads no compiler until asked."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.text import size_at_least, size_text
from ludometer.solvers.memory import free_memory
from ludometer.solvers.solvable import check_keep, cores, folder_of, within_reach

_LONG = 120.0  # seconds of solving from which on pairs may be cut into pieces on disk
PACKED_SHARE = {"values": 0.12, "distances": 0.25}  # of the bytes of plain tables that packed ones take, rounded up from measured ones


@dataclass(frozen=True)
class Forecast:
    """What solving a game will take."""

    states: int | None  # positions; None where they are counted while solving
    entries: int | None  # of its tables; several positions may share one; None if not known before solving
    memory: int  # bytes at most, of the device's own memory on a device that has one; 0 where it is not known
    disk: int  # bytes in the folder of tables at most; 0 if nothing is written
    seconds: float | None  # None where it cannot be said beforehand
    where: str  # what computes
    workers: int | None  # threads; None: the solver has a way of its own
    time_text: str = ""  # why there are no seconds
    least_memory: int = 0  # the smallest limit of memory that works; 0 where there is none to choose
    all_memory: int = 0  # the limit from which on more makes no difference; 0 likewise
    limit: int | None = None  # what may be used: as chosen, or what is free
    own_memory: bool = False  # whether memory is that of a device


def forecast(
    game: Game | str,
    *,
    device: str = "cpu",
    workers: int | None = None,
    tables: str | Path | None = None,
    keep: str = "distances",
    pack: bool = False,
    memory: int | None = None,
    measure: bool = False,
) -> Forecast:
    """What `solve` with these arguments will take, without beginning to; raises LudometerError for games out of reach.

    `memory`: bytes that may be used (None: what is free); LudometerError if that is too little.
    `measure`: try for a moment how fast this machine is, which loads the compiler; otherwise the time is a rough guess.
    """
    from ludometer.solvers.tiles.board import is_tile_game

    chosen = within_reach(game)
    if not is_tile_game(chosen):
        from ludometer.solvers.acyclic.driver import forecast_acyclic

        check_keep(keep)
        if device != "cpu":
            raise LudometerError(f"{chosen.spec} is solved on the cpu; leave out --device")
        if workers is not None:
            raise LudometerError(f"{chosen.spec} is solved by one thread; leave out --workers")
        if memory is not None:
            raise LudometerError(f"{chosen.spec} is solved in as much memory as it takes; leave out --memory")
        return forecast_acyclic(chosen, stored=tables is not None)
    from ludometer.solvers.tiles.estimate import estimate
    from ludometer.solvers.tiles.pair_solvers import DEVICES

    check_keep(keep)
    if device not in DEVICES:
        raise LudometerError(f"no device is called {device!r}; devices are {', '.join(DEVICES)}")
    if device == "cuda":
        return _forecast_on_a_card(chosen, workers, tables, keep, pack, memory)
    threads = workers or cores()
    pace = None
    if measure:
        from ludometer.solvers.tiles.pace import seconds_per_entry

        pace = seconds_per_entry(chosen)
    expected = estimate(chosen, threads, pace)
    limit = memory or free_memory()
    least, most = expected.memory[keep], expected.memory[keep]
    if tables is not None:
        least, most = expected.least_memory, expected.all_memory
    if memory is not None and memory < least:
        where = "" if tables is not None else " without a folder"
        raise LudometerError(f"{chosen.spec} cannot be solved{where} in {size_text(memory)}; the least is --memory {size_at_least(least)}")
    working = expected.working_disk if keep != "distances" or pack else 0
    pieces = expected.piece_disk if expected.seconds > _LONG else 0
    return Forecast(
        states=expected.states,
        entries=expected.entries,
        memory=min(most, max(least, limit or most)),
        disk=0 if tables is None else _kept(expected.disk[keep], keep, pack) + working + pieces,
        seconds=expected.seconds,
        where=f"{threads} core{'s' if threads > 1 else ''}",
        workers=threads,
        least_memory=least,
        all_memory=most,
        limit=limit,
    )


def _forecast_on_a_card(game: Game, workers: int | None, tables: str | Path | None, keep: str, pack: bool, memory: int | None) -> Forecast:
    """The same for a GPU, with memory of its own."""
    from ludometer.solvers.tiles.cuda.memory import card_memory
    from ludometer.solvers.tiles.cuda.solver import cuda_or_error
    from ludometer.solvers.tiles.estimate import estimate

    cuda_or_error()
    if workers is not None:
        raise LudometerError("on cuda there are no threads to choose; leave out --workers")
    expected, needs = estimate(game), card_memory(game)
    resident = True
    if memory is not None:
        resident = needs.plan(memory).resident
    working = expected.working_disk if (keep != "distances" or pack) and not resident else 0
    return Forecast(
        states=expected.states,
        entries=expected.entries,
        memory=0 if memory is None else min(memory, needs.full),
        disk=0 if tables is None else _kept(expected.disk[keep], keep, pack) + working,
        seconds=None,
        where="cuda",
        workers=None,
        time_text="time as the cuda device allows",
        least_memory=needs.least,
        all_memory=needs.full,
        limit=memory,
        own_memory=True,
    )


def _kept(disk: int, keep: str, pack: bool) -> int:
    """Bytes of a finished folder, packed or plain."""
    return int(disk * PACKED_SHARE.get(keep, 1.0)) if pack else disk


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
                f"{game.spec} needs {size_text(expected.disk)} in {str(folder)!r}, where {size_text(free)} are free; "
                "choose another folder with --tables, or keep less with --keep"
            )
    limit = expected.limit or free_memory()
    if limit is not None and expected.memory > limit and not expected.own_memory:
        raise LudometerError(
            f"{game.spec} needs {size_text(expected.memory)} of memory, of which {size_text(limit)} are free here"
            + ("; with a folder of tables it needs less" if tables is None and expected.least_memory else "")
        )
