"""What solving a game will take of time, memory and disk, and whether this machine has it.  Loads no compiler until asked."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.text import size_text
from ludometer.solvers.memory import free_memory
from ludometer.solvers.options import OptionError, SolveOptions, check_options
from ludometer.solvers.routing import solver_of
from ludometer.solvers.solvable import folder_of, within_reach


@dataclass(frozen=True)
class Forecast:
    """What solving a game will take."""

    states: int | None  # positions; None if they are only counted while solving
    entries: int | None  # table entries; several positions may share one; None if not known before solving
    memory: int  # peak bytes, of the device's own memory if it has some; 0 if not known
    disk: int  # peak bytes in the folder of tables; 0 if nothing is written
    seconds: float | None  # None if not known before solving
    where: str  # what computes, such as "2 cores"
    workers: int | None  # threads; None if the number cannot be chosen
    time_text: str = ""  # why there are no seconds
    least_memory: int = 0  # the smallest limit of memory that works, in bytes; 0 if there is no limit to choose
    all_memory: int = 0  # the limit above which more makes no difference, in bytes; 0 likewise
    limit: int | None = None  # bytes that may be used: the chosen limit, or what is free
    counts_first: bool = False  # True if positions are counted while solving, and only then memory and disk are known
    own_memory: bool = False  # True if `memory` is a device's own


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
    """Estimate time, memory and disk space that `solve` takes with these arguments, without solving.

        measure    run a short trial for the time, which loads the compiler; default: a rough guess

    All other arguments are those of `solve`.  Raises LudometerError for games out of reach, OptionError for options that `solve` refuses.

    >>> lm.forecast("quixo:4").states
    43046721
    """
    chosen = within_reach(game)
    folder = folder_of(chosen, tables)
    options = SolveOptions(device=device, workers=workers, folder=folder, keep=keep, pack=pack, memory=memory)
    return forecast_with(chosen, options, measure)


def forecast_with(game: Game, options: SolveOptions, measure: bool = False) -> Forecast:
    """`forecast` with its options as one object."""
    solver = solver_of(within_reach(game))
    check_options(game.spec, options, solver.devices)
    return solver.forecast(game, options, measure)


def check_room(game: Game, expected: Forecast, tables: str | Path | None) -> None:
    """Raise OptionError if memory or disk do not suffice; what an earlier run left in the folder counts.

    `tables`: the folder for tables of solved games; None: they stay in memory.
    """
    folder = folder_of(game, tables)
    if folder is not None:
        present = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else 0
        above = next(path for path in (folder, *folder.parents) if path.exists())
        if not above.is_dir():
            raise LudometerError(f"there can be no tables in {str(folder)!r}: {str(above)!r} is a file")
        free = shutil.disk_usage(above).free
        if expected.disk - present > free:
            raise OptionError(
                f"{game.spec} needs {size_text(expected.disk)} in {str(folder)!r}, where {size_text(free)} are free",
                "choose another folder with {tables}, or keep less with {keep}",
            )
    limit = expected.limit or free_memory()
    if limit is not None and expected.memory > limit and not expected.own_memory:
        raise LudometerError(
            f"{game.spec} needs {size_text(expected.memory)} of memory, of which {size_text(limit)} are free here"
            + ("; with a folder of tables it needs less" if folder is None and expected.least_memory else "")
        )
