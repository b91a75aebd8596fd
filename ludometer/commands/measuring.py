"""What commands that measure share: their options, the execution these ask for, and printing results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.output import INTERRUPTED, print_json, say, stopping_on_interrupt
from ludometer.commands.progress import shown_progress

if TYPE_CHECKING:
    from ludometer.arena.work.execution import Execution
    from ludometer.arena.work.store import Store

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


def store_path(store: str, no_store: bool) -> Path | None:
    """Path of the store that these options ask for; None: nothing is kept."""
    from ludometer.core.errors import LudometerError
    from ludometer.core.folders import experiments_file

    if store and no_store:
        raise LudometerError("--store names a file to keep games in, --no-store keeps none; give one of them")
    return None if no_store else Path(store) if store else experiments_file()


@contextmanager
def opened_store(store: str, no_store: bool) -> Iterator[Store | None]:
    """The store that these options ask for, open while the block lasts; None if nothing is kept."""
    from ludometer.arena.work.store import Store

    path = store_path(store, no_store)
    if path is None:
        yield None
        return
    with Store(path) as opened:
        yield opened


def check_plot(file: str | None) -> None:
    """Raise LudometerError unless the plot can be written."""
    from ludometer.core.files import check_outputs
    from ludometer.view.figures import check_format

    if file is not None:
        check_outputs(file)
        check_format(file)


@contextmanager
def executing(what: str, unit: str, workers: int | None, cluster: str, store: str, no_store: bool) -> Iterator[Execution]:
    """The execution that these options ask for, with progress on standard error and a `stop` that Ctrl-C asks.

    `what` is being done ("playing"), counted in `unit` ("games").  Work without a result by then ends in a line, which says whether what
    was done of it is kept.
    """
    from ludometer.arena.work.execution import Execution
    from ludometer.core.errors import LudometerError
    from ludometer.core.stopping import Stopped

    if cluster and workers is not None:
        raise LudometerError("a cluster has workers of its own; leave out --workers")
    asked = Execution(store_path(store, no_store), workers, cluster or None)
    try:
        with shown_progress(what, unit) as report, stopping_on_interrupt() as stop:
            yield replace(asked, progress=report, stop=stop)
    except Stopped as error:
        say(f"ludometer: {error}; {_outlook(asked)}")
        raise typer.Exit(INTERRUPTED) from error


def _outlook(execution: Execution) -> str:
    return "nothing was kept (--no-store)" if execution.store is None else "the same command goes on from there"


def print_result(result: Any, plot: str | None, json: bool, stopped: bool, execution: Execution, how: str = "stopped") -> int:
    """Print a result as text or JSON, say where it is drawn, and return the exit status; `how` says how far it came if it was stopped."""
    if json:
        print_json(result.document())
    else:
        print(result)
    if plot is not None:
        say(f"drawn in {plot}")
    if not stopped:
        return 0
    say(f"{how}; {_outlook(execution)}")
    return INTERRUPTED


def stopped_after(games: int, wanted: int) -> str:
    """How far a match or tournament came."""
    return f"stopped after {games:,} of {wanted:,} games"
