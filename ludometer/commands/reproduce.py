"""`ludometer reproduce`: the tables, figures and numbers of five reports, measured again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import INTERRUPTED, Json, print_json, say, stopping_on_interrupt
from ludometer.commands.progress import shown_progress
from ludometer.commands.solve import Tables

if TYPE_CHECKING:
    from ludometer.studies.reproducing import Finding

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[STUDY|ENTRY]…", help="a study (000), an entry (000.time.3x3) or the beginning of some (000.ladder); default: all"
    ),
]


def reproduce(
    names: Names = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="a few seconds for each entry; what is not possible in that is not run (default)")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="with the reports' own numbers of games")] = False,
    list_only: Annotated[bool, typer.Option("--list", help="list the entries and run none")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="games of a match, or games or positions of a point, instead of a few or the report's own number",
            show_default=False,
            min=2,
        ),
    ] = None,
    plot: Annotated[str | None, typer.Option(metavar="FOLDER", help="draw the figures into this folder", show_default=False)] = None,
    seed: measuring.Seed = 0,
    tables: Tables = "",
    workers: measuring.Workers = None,
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    json: Json = False,
) -> int:
    """Measure again what five reports on games say, and judge whether it agrees.

    Verdicts: agrees; differs (with the reason); report is wrong (with the proof); hardware (a ratio, no judgement); not run (with what
    it needs).  Games are kept in the store: the same command goes on where it was stopped.
    """
    from ludometer.core.compiling.compilation import compilations
    from ludometer.core.errors import LudometerError
    from ludometer.studies import entries
    from ludometer.studies.laboratory import Laboratory
    from ludometer.studies.reproducing import count_by_verdict
    from ludometer.studies.reproducing import reproduce as run
    from ludometer.view.results.findings import entry_list, finding_lines, summary_text

    if quick and full:
        raise LudometerError("--quick and --full exclude each other; give one of them")
    if games is not None and games % 2:
        raise LudometerError(f"games are played in pairs with seats swapped, so their number is even, not {games}")
    wanted = entries(*names or ())
    if list_only:
        rows = [{"study": one.study, "item": one.name, "title": one.title, "where": one.where, "kind": str(one.kind)} for one in wanted]
        print_json(rows) if json else print(entry_list(wanted))
        return 0
    compilations.quiet = True
    folder = None if plot is None else _folder(plot)
    findings: list[Finding] = []
    with measuring.opened_store(store, no_store) as kept, stopping_on_interrupt() as stop:
        with shown_progress("reproducing", "games") as report:
            place = Laboratory(full, seed, tables, kept, workers, stop, report, games)
            for finding in run(wanted, place):
                findings.append(finding)
                if folder is not None:
                    _draw(finding, folder)
                if not json:
                    print(finding_lines(finding), flush=True)
        if json:
            print_json([finding.document() for finding in findings])
        else:
            print(f"\n{summary_text(count_by_verdict(findings), sum(finding.seconds for finding in findings))}")
        if len(findings) == len(wanted):
            return 0
        goes_on = "the same command goes on from there" if kept is not None else "nothing was kept (--no-store)"
        say(f"stopped after {len(findings)} of {len(wanted)} entries; {goes_on}")
        return INTERRUPTED


def _folder(name: str) -> Path:
    """The folder for pictures, made if it is not there; raises LudometerError."""
    from ludometer.core.errors import LudometerError
    from ludometer.core.files import reason

    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudometerError(f"the folder {name} cannot be made: {reason(error)}") from error
    return folder


def _draw(finding: Finding, folder: Path) -> None:
    from ludometer.studies.figures import draw

    if finding.measured is not None:
        for figure in finding.measured.figures:
            say(f"drawn in {draw(figure, folder / f'{figure.name}.png')}")
