"""`ludometer tables`: which solved tables there are, made small to carry, and plain again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludometer.commands.output import Json, ending_on_interrupt, print_json
from ludometer.commands.progress import shown_progress
from ludometer.commands.solve import Tables
from ludometer.commands.verify import folder_of_tables

Table = Annotated[str, typer.Argument(metavar="TABLE", help="the folder of one game's tables, or a game solved before")]

app = typer.Typer(help="List solved tables, pack them to carry, unpack them.", no_args_is_help=True)


@app.command("list")
def list_(tables: Tables = "", json: Json = False) -> None:
    """List the games solved before: what is kept of them, packed or plain, and the room they take."""
    from ludometer.solvers.files.table_lists import list_tables
    from ludometer.solvers.solvable import tables_root
    from ludometer.view.results.lists import tables_text

    root = Path(tables).expanduser() if tables else tables_root()
    rows = list_tables(root)
    if json:
        print_json({"tables": str(root), "games": rows, "bytes": sum(row["bytes"] for row in rows)})
    else:
        print(tables_text(root, rows))


@app.command()
def pack(
    table: Table,
    as_stored: Annotated[bool, typer.Option("--as-stored", help="keep also what the rules decide: larger, but soon done")] = False,
    tables: Tables = "",
    json: Json = False,
) -> None:
    """Pack the tables of a game: about a tenth of the room, and all commands read them as before."""
    from ludometer.solvers.repacking import repack_folder

    folder = folder_of_tables(table, tables)
    with shown_progress("packing", "entries") as progress, ending_on_interrupt():
        before = _size(folder)
        repack_folder(folder, True, as_stored=as_stored, progress=progress)
    _report(folder, before, json)


@app.command()
def unpack(table: Table, tables: Tables = "", json: Json = False) -> None:
    """Make the tables of a game plain again: the same bytes as if they had never been packed."""
    from ludometer.solvers.repacking import repack_folder

    folder = folder_of_tables(table, tables)
    with shown_progress("unpacking", "entries") as progress, ending_on_interrupt():
        before = _size(folder)
        repack_folder(folder, False, progress=progress)
    _report(folder, before, json)


@app.command()
def sample(
    table: Table,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="where the positions are written; ends in .npz or .parquet")],
    number: Annotated[int, typer.Option(metavar="N", help="positions to draw", min=0)] = 10_000,
    by: Annotated[str, typer.Option(metavar="uniform|class|distance|play", help="what is equally likely")] = "uniform",
    seed: Annotated[int, typer.Option(metavar="N", help="decides which positions are drawn", min=0)] = 0,
    texts: Annotated[bool, typer.Option("--texts", help="write the positions as text as well")] = False,
    tables: Tables = "",
    json: Json = False,
) -> None:
    """Draw positions with their exact values from solved tables, as a data set for learning."""
    folder = folder_of_tables(table, tables)
    from ludometer.core.files import check_writable
    from ludometer.solvers.sampling import check_format, sample_document
    from ludometer.solvers.solution_cache import solution_in
    from ludometer.view.results.solutions import sample_text

    check_format(out)
    check_writable(out)
    with ending_on_interrupt():
        drawn = solution_in(folder).sample(number, by, seed)
        drawn.save(out, texts)
    document = sample_document(drawn, out)
    if json:
        print_json(document)
    else:
        print(sample_text(document))


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file())


def _report(folder: Path, before: int, json: bool) -> None:
    from ludometer.core.text import size_text
    from ludometer.solvers.files.table_lists import describe_folder

    found: dict[str, Any] = describe_folder(folder) or {}
    if json:
        print_json({**found, "bytes_before": before})
    else:
        form = "packed" if found["packed"] else "plain"
        print(f"{found['game']}: {form}, {size_text(found['bytes'])} instead of {size_text(before)}, in {found['folder']}")
