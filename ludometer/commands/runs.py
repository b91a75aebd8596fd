"""`ludometer runs`: what was measured, and its games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands.measuring import StoreFile
from ludometer.commands.output import Json, ending_on_interrupt, print_json, say
from ludometer.commands.progress import shown_progress

if TYPE_CHECKING:
    from ludometer.arena.work.store import Run, Store

app = typer.Typer(help="List, show, export, compare and delete what was measured, and rebuild its games.", no_args_is_help=False)

RunNumber = Annotated[int, typer.Argument(metavar="RUN", help="its number, as `ludometer runs` lists it", min=1)]


@app.callback(invoke_without_command=True)
def runs(context: typer.Context, store: StoreFile = "", json: Json = False) -> None:
    """List, show, export, compare and delete what was measured, and rebuild its games."""
    context.obj = store, json
    if context.invoked_subcommand is not None:
        return
    from ludometer.core.folders import experiments_file
    from ludometer.view.results.runs import runs_text

    found: list[Run] = []
    if store or experiments_file().is_file():
        with _opened(store) as opened:
            found = opened.runs()
    if json:
        print_json([run.document() for run in found])
    else:
        print(runs_text(found))


@contextmanager
def _opened(store: str, read_only: bool = True) -> Iterator[Store]:
    from ludometer.arena.work.store import Store

    with Store(store or None, read_only=read_only) as opened:
        yield opened


def _given(context: typer.Context, store: str, json: bool) -> tuple[str, bool]:
    """Options may stand before the subcommand too."""
    _hush()
    before, as_json = context.obj
    return store or before, json or as_json


@app.command()
def show(context: typer.Context, run: RunNumber, store: StoreFile = "", json: Json = False) -> None:
    """Print what is known of a run, and its result."""
    from ludometer.arena.experiments.runs import stored_result
    from ludometer.view.results.runs import run_text

    store, json = _given(context, store, json)
    with _opened(store) as opened:
        found = opened.run(run)
        result = stored_result(opened, run)
    if json:
        print_json({**found.document(), "key": found.key, "result": result.document() if result is not None else found.result})
    else:
        print(run_text(found, result))


@app.command()
def games(
    context: typer.Context,
    run: RunNumber,
    game: Annotated[int | None, typer.Option(metavar="N", help="rebuild this game, move for move, from its seed", min=0)] = None,
    count: Annotated[int, typer.Option(metavar="N", help="how many games to list", min=1)] = 20,
    store: StoreFile = "",
    json: Json = False,
) -> None:
    """List the games of a run, or print the record of one of them."""
    from ludometer.arena.experiments.runs import rebuilt, stored_games
    from ludometer.view.results.runs import games_text

    store, json = _given(context, store, json)
    with _opened(store) as opened:
        if game is not None:
            with ending_on_interrupt():
                record = rebuilt(opened, run, game)
            if json:
                print_json(record.document())
            else:
                print(str(record).rstrip())
            return
        listed = list(islice(stored_games(opened, run), count))
        found = opened.run(run).document()
    if json:
        print_json([vars(one) for one in listed])
    else:
        print(games_text(listed, found["done"] - len(listed)))


def _hush() -> None:
    """Announcements of compiling are for people, so only a terminal gets them."""
    from ludometer.core.compiling.compilation import compilations

    compilations.quiet = not sys.stderr.isatty()


@app.command()
def export(
    context: typer.Context,
    run: RunNumber,
    file: Annotated[str, typer.Argument(metavar="FILE", help="the file to write")],
    form: Annotated[str, typer.Option("--format", metavar="csv|json|parquet|records", help="records has every game move for move")] = "csv",
    store: StoreFile = "",
    json: Json = False,
) -> None:
    """Write the games of a run into a file."""
    from ludometer.arena.experiments.runs import export as write_games
    from ludometer.core.files import check_outputs

    store, json = _given(context, store, json)
    check_outputs(file)
    with _opened(store) as opened, shown_progress("writing", "games") as progress, ending_on_interrupt():
        written = write_games(opened, run, form, file, progress)
    if json:
        print_json({"run": run, "file": file, "format": form, "games": written})
    else:
        say(f"{written:,} games written to {file}")


@app.command()
def compare(
    context: typer.Context,
    first: Annotated[int, typer.Argument(metavar="RUN", help="a match", min=1)],
    second: Annotated[int, typer.Argument(metavar="RUN", help="another match", min=1)],
    store: StoreFile = "",
    json: Json = False,
) -> None:
    """Compare the scores of two matches."""
    from ludometer.arena.experiments.runs import compare as compare_runs
    from ludometer.view.results.runs import comparison_text

    store, json = _given(context, store, json)
    with _opened(store) as opened:
        found = compare_runs(opened, first, second)
    if json:
        print_json(found.document())
    else:
        print(comparison_text(found))


@app.command()
def delete(context: typer.Context, run: RunNumber, store: StoreFile = "", json: Json = False) -> None:
    """Delete a run and the games that no other run needs."""
    store, json = _given(context, store, json)
    with _opened(store, read_only=False) as opened:
        found = opened.run(run)
        opened.delete(run)
    if json:
        print_json({"deleted": run})
    else:
        say(f"run {run} deleted: {found.kind} at {found.game}, {found.document()['done']:,} games")
