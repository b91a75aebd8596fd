"""What commands that play many games share: options, the store they keep them in, and how they tell of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.output import INTERRUPTED, print_json, say, stopping_on_interrupt
from ludometer.commands.progress import shown_progress

if TYPE_CHECKING:
    from ludometer.arena.work.store import Store
    from ludometer.core.progress import OnProgress
    from ludometer.core.stopping import Stop

Games = Annotated[int, typer.Option("--games", metavar="N", help="games to play: an even number, they come in pairs with seats swapped")]
Seed = Annotated[int, typer.Option(metavar="N", help="decides all chance")]
OpeningPlies = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="random plies before the agents take over, the same for both seats; default: 0, or 4 where all is deterministic",
        min=0,
    ),
]
Limit = Annotated[int | None, typer.Option(metavar="N", help="moves after which a game is drawn; default: the game's own limit", min=1)]
Workers = Annotated[int | None, typer.Option(metavar="N", help="threads or processes at work; default: all cores", min=1, max=256)]
Cluster = Annotated[
    str, typer.Option(metavar="URL", help="play on a dask cluster, tcp://host:8786; see docs/scaling.md", show_default=False)
]
StoreFile = Annotated[
    str, typer.Option("--store", metavar="FILE", help="where games are kept; default: the user's data folder", show_default=False)
]
NoStore = Annotated[bool, typer.Option("--no-store", help="keep nothing: an interrupted run starts again")]
Plot = Annotated[str | None, typer.Option(metavar="FILE", help="draw the result (png, svg or pdf)")]


@contextmanager
def opened_store(file: str, without: bool) -> Iterator[Store | None]:
    """The store to play into; None where nothing is to be kept."""
    from ludometer.arena.work.store import Store
    from ludometer.core.errors import LudometerError

    if file and without:
        raise LudometerError("--store names a file to keep games in, --no-store keeps none; give one of them")
    if without:
        yield None
        return
    with Store(file or None) as store:
        yield store


def check_playing(workers: int | None, cluster: str) -> None:
    """Raise LudometerError for options that exclude each other."""
    from ludometer.core.errors import LudometerError

    if cluster and workers is not None:
        raise LudometerError("a cluster has workers of its own; leave out --workers")


def check_plot(file: str | None) -> None:
    """Raise LudometerError unless the plot can be written."""
    from ludometer.core.files import check_outputs
    from ludometer.view.results.solution_plots import check_format

    if file is not None:
        check_outputs(file)
        check_format(file)


@contextmanager
def interruptible(what: str, unit: str, kept: bool) -> Iterator[tuple[OnProgress, Stop]]:
    """How far the work is, on standard error, and a request to stop that Ctrl-C makes.

    Work without a result by then ends in a line, which says whether what was done of it is kept.
    """
    from ludometer.core.stopping import Stopped

    try:
        with shown_progress(what, unit) as report, stopping_on_interrupt() as stop:
            yield report, stop
    except Stopped as error:
        say(f"ludometer: {error}; {_outlook(kept)}")
        raise typer.Exit(INTERRUPTED) from error


def _outlook(kept: bool) -> str:
    return "the same command goes on from there" if kept else "nothing was kept (--no-store)"


def print_result(result: Any, plot: str | None, json: bool, stopped: bool, games: int, wanted: int, kept: bool) -> int:
    """Print a result, draw it if asked, and return the exit status."""
    if plot is not None:
        result.plot(plot)
    return print_measured(result, plot, json, stopped, kept, f"stopped after {games:,} of {wanted:,} games")


def print_measured(result: Any, plot: str | None, json: bool, stopped: bool, kept: bool, how: str = "stopped") -> int:
    """Print what was measured, say where it is drawn, and return the exit status; `how` says how far it came if it was stopped."""
    if json:
        print_json(result.document())
    else:
        print(result)
    if plot is not None:
        say(f"drawn in {plot}")
    if not stopped:
        return 0
    say(f"{how}; {_outlook(kept)}")
    return INTERRUPTED
