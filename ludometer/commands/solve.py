"""`ludometer solve`: every position of a game, exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_json, say
from ludometer.commands.progress import duration, shown_progress, size_text

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ludometer.solve import Forecast

FOUND_WRONG = 1  # exit status when verification finds errors
_SECONDS_TO_CONNECT = 10

Tables = Annotated[str, typer.Option(metavar="DIR", help="folder of solved tables; default: the user's data folder", show_default=False)]
Workers = Annotated[int | None, typer.Option(metavar="N", help="threads at work; default: all cores", min=1, max=256)]


def solve(
    game: GameSpec,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="where to compute")] = "cpu",
    values_only: Annotated[bool, typer.Option("--values-only", help="keep win, loss or draw without distances: --keep values")] = False,
    keep: Annotated[str, typer.Option(metavar="none|values|distances", help="what to keep of each position")] = "distances",
    workers: Workers = None,
    cluster: Annotated[str, typer.Option(metavar="URL", help="compute on a dask cluster, tcp://…, whose workers see the tables")] = "",
    verify: Annotated[bool, typer.Option("--verify", help="check every entry afterwards")] = False,
    tables: Tables = "",
    no_store: Annotated[bool, typer.Option("--no-store", help="solve in memory and write nothing")] = False,
    json: Json = False,
) -> int:
    """Solve a game: the exact value of every position, kept in tables for `probe`, `analyze` and the agent `optimal`."""
    chosen = find_game(game)
    from ludometer import solve as solving
    from ludometer.core.errors import LudometerError
    from ludometer.solve.table_files import folder_for, tables_root

    if values_only and keep == "none":
        raise LudometerError("--values-only keeps values, --keep none keeps nothing; give one of them")
    if cluster and no_store:
        raise LudometerError("workers of a cluster write tables into a folder they all see; leave out --no-store")
    kept = "values" if values_only else keep
    root = None if no_store else tables or tables_root()
    expected = solving.forecast(chosen, device=device, workers=workers, tables=root, keep=kept)
    solving.check_room(chosen, expected, root)
    unit = "positions" if expected.seconds is None and device == "cpu" else "entries"
    with _executor(cluster) as executor, shown_progress("solving", unit) as progress, ending_on_interrupt():
        say(f"{chosen.spec}: {describe_forecast(expected)}")
        solution = solving.solve(
            chosen,
            device=device,
            workers=expected.workers,
            tables=root,
            keep=kept,
            check=verify and device != "cpu",
            executor=executor,
            progress=progress,
        )
    answer = solution.summary()
    folder = None if root is None else folder_for(chosen, Path(root).expanduser())
    if folder is not None and folder.is_dir():
        answer["tables"] = str(folder)
    if verify and device != "cpu":  # every entry was checked where it was computed; a wrong one would have ended the run
        answer["verification"] = {"ok": True, "checked": expected.entries, "errors": []}
    elif verify:
        from ludometer.solve.verification import verify as check

        with shown_progress("verifying", "entries") as progress, ending_on_interrupt():
            source = folder if folder and "tables" in answer else solution
            answer["verification"] = check(source, workers=workers, game=chosen, progress=progress)
    if json:
        print_json(answer)
    else:
        _print(answer)
    return 0 if not verify or answer["verification"]["ok"] else FOUND_WRONG


def describe_forecast(expected: Forecast) -> str:
    """What solving will take, in one line."""
    parts = [f"{expected.states:,} positions"] if expected.states is not None else []
    if expected.entries not in (0, expected.states):
        parts.append(f"{'about ' if expected.states is None else ''}{expected.entries:,} table entries")
    parts.append(f"about {size_text(expected.memory)} of memory" if expected.memory else "the device's own memory")
    parts.append(f"{size_text(expected.disk)} of disk" if expected.disk else "nothing written to disk")
    parts.append(expected.time_text if expected.seconds is None else f"about {duration(expected.seconds)} on {expected.where}")
    return ", ".join(parts)


@contextmanager
def _executor(url: str) -> Iterator[Executor | None]:
    """The executor of a dask cluster, or None for threads of this process."""
    if not url:
        yield None
        return
    from ludometer.core.errors import LudometerError, shorten

    if not re.fullmatch(r"[a-z]+://[^\s/]+:\d{1,5}", url):
        raise LudometerError(f"--cluster {shorten(url)} is not an address like tcp://host:8786")
    try:
        from distributed import Client
    except ImportError:
        raise LudometerError("--cluster needs the package distributed; pip install 'ludometer[cluster]'") from None
    try:
        client = Client(url, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise LudometerError(f"no dask scheduler answers at {url!r} (should be like tcp://host:8786): {error or 'no answer'}") from error
    with client:
        yield client.get_executor()


def _print(answer: dict[str, Any]) -> None:
    start = answer["start"]
    counted = "" if answer["states"] is None else f"{answer['states']:,} positions, "
    how = "found solved" if answer.get("reused") else f"solved in {duration(answer['seconds'])} on {answer['device']}"
    print(f"{answer['game']}: {counted}{how}")
    for name in ("win", "loss", "draw"):
        if answer[name] is not None:
            print(f"  {name:<5}{answer[name]:>20,}  {answer[name] / max(1, answer['states']):>7.2%}")
    print(f"start: {start_text(start)}" + (f" ({answer['method']})" if "method" in answer else ""))
    print_histogram(answer["histogram"])
    if "tables" in answer:
        print(f"kept in {answer['tables']}")
    if "verification" in answer:
        print(verification_text(answer["verification"]))


def start_text(start: dict[str, Any]) -> str:
    """The value of the first position for the player who begins."""
    if start.get("margin") is not None:
        return f"{signed(start['margin'])} for the first player"
    if start.get("distance") is None:
        return str(start["value"])
    return f"{start['value']} in {start['distance']}"


def signed(points: int) -> str:
    """Points won or lost: +2, 0, −3 with a plain minus sign."""
    return f"{points:+d}" if points else "0"


def print_histogram(histogram: dict[str, dict[int, int]]) -> None:
    """How many positions are won and lost in how many moves, or how many points they are worth."""
    if "margin" in histogram:
        width = max(len(f"{count:,}") for count in histogram["margin"].values())
        print(f"points to gain  {'positions':>{width}}")
        for margin, count in sorted(histogram["margin"].items()):
            print(f"{signed(margin):>14}  {count:>{max(width, 9)},}")
        return
    distances = sorted({int(distance) for counts in histogram.values() for distance in counts})
    if not distances:
        return
    width = max(len(f"{count:,}") for counts in histogram.values() for count in counts.values())
    width = max(width, len("losses"))
    print(f"moves to the end  {'wins':>{width}}  {'losses':>{width}}")
    for distance in distances:
        cells = [histogram.get(name, {}).get(distance, 0) for name in ("win", "loss")]
        print(f"{distance:>16}  " + "  ".join(f"{count:>{width},}" if count else f"{'':>{width}}" for count in cells))


def verification_text(report: dict[str, Any]) -> str:
    """What a verification found, one line for each error."""
    if report["ok"]:
        return f"verified: {report['checked']:,} entries checked, no error"
    lines = [f"NOT in order: {report['checked']:,} entries checked, errors:", *(f"  {error}" for error in report["errors"])]
    return "\n".join(lines)
