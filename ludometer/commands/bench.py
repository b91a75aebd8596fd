"""`ludometer bench`: speed beside peers, measured in one run."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludometer.commands.output import Json, print_json, say

Only = Annotated[list[str] | None, typer.Argument(metavar="[NAME]…", help="which benchmarks: the files in benchmarks/; default all")]


def bench(only: Only = None, json: Json = False) -> None:
    """Measure speed, beside other systems where they are installed."""
    rows: list[dict[str, Any]] = []
    for name in _chosen(only or []):
        say(f"measuring {name} …")
        for row in importlib.import_module(f"benchmarks.{name}").compare():
            rows.append(row)
            if not json:
                peer = f"{row['peer']:>14,.3f}  {_ratio(row['ratio']):>8}×" if row["peer"] else ""
                print(f"{row['name']:<28} {row['ours']:>16,.3f} {peer}", flush=True)
    if json:
        print_json(rows)


def _ratio(ratio: float) -> str:
    """Three digits that matter near and below 1, where they say whether something costs a hundredth."""
    return f"{ratio:.3f}" if ratio < 2 else f"{ratio:.1f}"


def _chosen(only: list[str]) -> list[str]:
    """Benchmark names, from the folder beside the package; they are part of a checkout, not of an installed package."""
    from ludometer.core.errors import LudometerError

    folder = Path(__file__).parents[2] / "benchmarks"
    if not folder.is_dir():
        raise LudometerError("benchmarks are part of a checkout of the repository, not of the installed package")
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    names = [module.name for module in pkgutil.iter_modules([str(folder)])]
    for name in only:
        if name not in names:
            raise LudometerError(f"no benchmark is called {name!r}; there are {', '.join(names)}")
    return only or names
