"""`ludometer verify`: check solved tables again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludometer.commands.output import Json, ending_on_interrupt, find_game, print_json
from ludometer.commands.progress import shown_progress
from ludometer.commands.solve import FOUND_WRONG, Tables, Workers, naming_flags


def verify(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="the folder of one game's tables, or a game solved before")],
    sample: Annotated[int | None, typer.Option(metavar="N", help="check only N entries, drawn at random", min=1)] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="decides which entries a sample has", min=0)] = 0,
    workers: Workers = None,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="where to compare entries")] = "cpu",
    tables: Tables = "",
    json: Json = False,
) -> int:
    """Check every byte and every entry of solved tables from the rules alone; the exit status is 1 if anything is wrong."""
    folder = folder_of_tables(table, tables)
    from ludometer.solvers.verification import verify as check
    from ludometer.view.results.solutions import verification_text

    with naming_flags(), shown_progress("verifying", "entries") as progress, ending_on_interrupt():
        report = check(folder, sample=sample, seed=seed, workers=workers, device=device, progress=progress)
    if json:
        print_json(report)
    else:
        print(verification_text(report))
    return 0 if report["ok"] else FOUND_WRONG


def folder_of_tables(table: str, tables: str) -> Path:
    """A folder named as it is, or that of a game's tables."""
    from ludometer.core.errors import LudometerError, SpecError, shorten
    from ludometer.solvers.files.table_files import SUFFIX, MissingTable
    from ludometer.solvers.files.table_folders import MANIFEST
    from ludometer.solvers.solvable import folder_for, tables_root

    try:
        folder = Path(table).expanduser()
        found = bool(table) and folder.is_dir()
    except (OSError, ValueError, RuntimeError):  # a name no folder can have
        found = False
    if found:
        if not (folder / MANIFEST).exists() and not any(folder.glob(f"*{SUFFIX}")):
            raise MissingTable(f"there are no tables in {shorten(table)}; name the folder of one game's tables")
        return folder
    try:
        game = find_game(table)
    except SpecError as error:
        raise LudometerError(f"{shorten(table)} is neither a folder of tables nor a game: {error}") from None
    folder = folder_for(game, Path(tables).expanduser() if tables else tables_root())
    if not folder.is_dir():
        raise MissingTable(f"there is no table of {game.spec} in {shorten(str(folder.parent))}; run `ludometer solve {game.spec}` first")
    return folder
