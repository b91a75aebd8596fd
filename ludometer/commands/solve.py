"""`ludometer solve`: every position of a game, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_json, say
from ludometer.commands.progress import shown_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Options of `solve` and `verify` in Python, and their flags.
FLAGS = {
    "device": "--device",
    "workers": "--workers",
    "tables": "--tables",
    "keep": "--keep",
    "check": "--verify",
    "pack": "--pack",
    "memory": "--memory",
    "executor": "--cluster",
    "sample": "--sample",
}

FOUND_WRONG = 1  # exit status when verification finds errors

Tables = Annotated[str, typer.Option(metavar="DIR", help="folder of solved tables; default: the user's data folder", show_default=False)]
Workers = Annotated[int | None, typer.Option(metavar="N", help="threads at work; default: all cores", min=1, max=256)]


def solve(
    game: GameSpec,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="where to compute")] = "cpu",
    values_only: Annotated[bool, typer.Option("--values-only", help="keep win, loss or draw without distances: --keep values")] = False,
    keep: Annotated[str, typer.Option(metavar="none|values|distances", help="what to keep of each position")] = "distances",
    pack: Annotated[bool, typer.Option("--pack", help="write packed tables, which take about a tenth of the room; see `tables`")] = False,
    workers: Workers = None,
    memory: Annotated[str, typer.Option(metavar="LIMIT", help="memory to use, of the card's on a GPU: 8GB; default: what is free")] = "",
    cluster: Annotated[str, typer.Option(metavar="URL", help="compute on a dask cluster, tcp://…, whose workers see the tables")] = "",
    verify: Annotated[bool, typer.Option("--verify", help="check every entry afterwards")] = False,
    tables: Tables = "",
    no_store: Annotated[bool, typer.Option("--no-store", help="solve in memory and write nothing")] = False,
    json: Json = False,
) -> int:
    """Solve a game: the exact value of every position, kept in tables for `probe`, `analyze` and the agent `optimal`."""
    chosen = find_game(game)
    from ludometer.core.errors import LudometerError, shorten
    from ludometer.core.text import bytes_of
    from ludometer.solvers import SolveOptions, check_room, forecasts, solving
    from ludometer.solvers.solvable import folder_of, tables_root
    from ludometer.view.results.solution_documents import solve_document
    from ludometer.view.results.solutions import forecast_text, solve_text

    if values_only and keep == "none":
        raise LudometerError("--values-only keeps values, --keep none keeps nothing; give one of them")
    for flag, given in (("--cluster", cluster), ("--pack", pack), ("--tables", tables)):
        if given and no_store:
            raise LudometerError(f"{flag} needs a folder of tables, --no-store writes nothing; give one of them")
    limit = bytes_of(memory) if memory else None
    if memory and not limit:
        raise LudometerError(f"--memory is a number of bytes such as 8GB or 500MiB, not {shorten(memory)}")
    root = None if no_store else tables or tables_root()
    folder = folder_of(chosen, root)
    if cluster and workers is not None:
        raise LudometerError("a cluster has workers of its own; leave out --workers")
    if cluster and limit:
        raise LudometerError("a cluster's workers have memory of their own; leave out --memory")
    with naming_flags():
        options = SolveOptions(
            device=device,
            workers=workers,
            folder=folder,
            keep="values" if values_only else keep,
            check=verify and device != "cpu" and not cluster,
            pack=pack,
            memory=limit,
        )
        expected = forecasts.forecast_with(chosen, options, measure=not cluster)
        check_room(chosen, expected, root)
        unit = "positions" if expected.seconds is None and device == "cpu" else "entries"
        with _executor(cluster) as executor, shown_progress("solving", unit) as progress, ending_on_interrupt():
            say(f"{chosen.spec}: {forecast_text(expected)}")
            solution = solving.solve_with(chosen, replace(options, executor=executor, progress=progress))
    kept_in = folder if folder is not None and folder.is_dir() else None
    report = None
    if verify:
        from ludometer.solvers.verification import verify_solved

        with naming_flags(), shown_progress("verifying", "entries") as progress, ending_on_interrupt():
            report = verify_solved(solution, kept_in, workers=workers, device=device, progress=progress)
    document = solve_document(solution, kept_in, report)
    if json:
        print_json(document)
    else:
        print(solve_text(document))
    return FOUND_WRONG if report is not None and not report["ok"] else 0


@contextmanager
def naming_flags() -> Iterator[None]:
    """Errors about options name this command's flags."""
    from ludometer.core.errors import LudometerError
    from ludometer.solvers.options import OptionError

    try:
        yield
    except OptionError as error:
        raise LudometerError(error.worded(FLAGS)) from None


@contextmanager
def _executor(url: str) -> Iterator[Executor | None]:
    """The executor of a dask cluster, or None for threads of this process."""
    if not url:
        yield None
        return
    from ludometer.arena.work.executors import cluster_client

    with cluster_client(url) as client:
        yield client.get_executor()
