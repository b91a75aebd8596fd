"""Which tables there are in a folder of tables, and how much room they take.  Loads no compiler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludometer.core.files import reason
from ludometer.solvers.files.table_files import MissingTable, TableError, shown
from ludometer.solvers.files.table_folders import is_packed, read_manifest, tables_in


def list_tables(root: Path) -> list[dict[str, Any]]:
    """{folder, game, keep, packed, filled, files, bytes, states, win, loss, draw, problem} for each game, by name of its folder.

    Manifests are read, no table: `problem` is None, or why a folder cannot be used.  What is not known is None.  Raises TableError.
    """
    try:
        folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.exists() else []
    except OSError as error:
        raise TableError(f"cannot read {shown(root)}: {reason(error)}") from error
    return [row for folder in folders if (row := describe_folder(folder)) is not None]


def describe_folder(folder: Path) -> dict[str, Any] | None:
    """The same of one folder; None if there are no tables in it."""
    sizes = [file.stat().st_size for file in folder.rglob("*") if file.is_file()]
    row: dict[str, Any] = dict.fromkeys(("game", "keep", "packed", "filled", "files", "states", "win", "loss", "draw", "problem"))
    row = {"folder": str(folder), **row, "bytes": sum(sizes)}
    try:
        manifest = read_manifest(folder)
    except MissingTable:
        if not tables_in(folder):
            return None
        return {**row, "problem": "not finished; solve the game again to go on"}
    except TableError as error:
        return {**row, "problem": str(error)}
    meta = manifest["meta"]
    return {
        **row,
        "game": manifest["game"],
        "keep": meta.get("keep", "values"),
        "packed": any(map(is_packed, manifest["files"].values())),
        "filled": meta.get("filled", False),
        "files": len(manifest["files"]),
        **{key: meta.get(key) for key in ("states", "win", "loss", "draw")},
    }
