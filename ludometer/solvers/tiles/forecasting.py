"""What solving a tile game will take of time, memory and disk, said before it begins."""

from __future__ import annotations

from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.core.text import size_at_least, size_text
from ludometer.solvers.forecasts import Forecast
from ludometer.solvers.memory import free_memory
from ludometer.solvers.options import OptionError, SolveOptions
from ludometer.solvers.tiles.estimate import Estimate, estimate

_LONG = 120.0  # seconds of solving above which pairs may be cut into pieces on disk
PACKED_SHARE = {"values": 0.12, "distances": 0.25}  # of the bytes of plain tables that packed ones take, rounded up from measured ones


def forecast_tiles(game: Game, options: SolveOptions, measure: bool) -> Forecast:
    """The forecast for options that `check_options` has accepted.

    `measure`: run a short trial for the time; otherwise it is a rough guess.  Raises OptionError for too little memory.
    """
    if options.device == "cuda":
        return _forecast_on_a_card(game, options)
    threads = options.workers or usable_cores()
    pace = None
    if measure:
        from ludometer.solvers.tiles.pace import seconds_per_entry

        pace = seconds_per_entry(game)
    expected = estimate(game, threads, pace)
    check_memory(game, options, expected)
    least, most = memory_limits(expected, options)
    limit = options.memory or free_memory()
    working = expected.working_disk if options.keep != "distances" or options.pack else 0
    pieces = expected.piece_disk if expected.seconds > _LONG else 0
    return Forecast(
        states=expected.states,
        entries=expected.entries,
        memory=min(most, max(least, limit or most)),
        disk=0 if options.folder is None else _kept(expected, options) + working + pieces,
        seconds=expected.seconds,
        where=f"{threads} core{'s' if threads > 1 else ''}",
        workers=threads,
        least_memory=least,
        all_memory=most,
        limit=limit,
    )


def memory_limits(expected: Estimate, options: SolveOptions) -> tuple[int, int]:
    """(the smallest limit of memory that works on the processor, the limit above which more makes no difference), in bytes."""
    if options.folder is None:
        return expected.memory[options.keep], expected.memory[options.keep]
    return expected.least_memory, expected.all_memory


def check_memory(game: Game, options: SolveOptions, expected: Estimate) -> None:
    """Raise OptionError if the limit of memory is too small for the processor."""
    least, _ = memory_limits(expected, options)
    if options.memory is not None and options.memory < least:
        where = "" if options.folder is not None else " without a folder"
        raise OptionError(
            f"{game.spec} cannot be solved{where} in {size_text(options.memory)} of memory",
            f"the least is {{memory}} {size_at_least(least)}",
        )


def _forecast_on_a_card(game: Game, options: SolveOptions) -> Forecast:
    """The same for a GPU."""
    from ludometer.solvers.tiles.cuda.launching import cuda_or_error
    from ludometer.solvers.tiles.cuda.memory import card_memory

    cuda_or_error()
    expected, needs = estimate(game), card_memory(game)
    limit = options.memory
    resident = limit is None or needs.plan(limit).resident
    working = expected.working_disk if (options.keep != "distances" or options.pack) and not resident else 0
    return Forecast(
        states=expected.states,
        entries=expected.entries,
        memory=0 if limit is None else min(limit, needs.full),
        disk=0 if options.folder is None else _kept(expected, options) + working,
        seconds=None,
        where="cuda",
        workers=None,
        time_text="time as the cuda device allows",
        least_memory=needs.least,
        all_memory=needs.full,
        limit=limit,
        own_memory=True,
    )


def _kept(expected: Estimate, options: SolveOptions) -> int:
    """Bytes of a finished folder, packed or plain."""
    disk = expected.disk[options.keep]
    return int(disk * PACKED_SHARE.get(options.keep, 1.0)) if options.pack else disk
