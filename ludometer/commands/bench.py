"""`ludometer bench`: speed compared with other systems in one run."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludometer.commands.output import Json, print_json, say
from ludometer.core.errors import LudometerError

Only = Annotated[list[str] | None, typer.Argument(metavar="[NAME]…", help="which benchmarks; default all")]
List = Annotated[bool, typer.Option("--list", help="list the benchmarks and measure nothing")]
Toy = Annotated[bool, typer.Option("--toy", help="run at a very small size, to see that a benchmark works")]


def bench(only: Only = None, listed: List = False, toy: Toy = False, json: Json = False) -> None:
    """Measure speed, beside other systems where they are installed.  Needs a checkout of the repository."""
    benchmarks = _benchmarks()
    names = _chosen(only or [], benchmarks.names())
    if listed:
        titles = [{"name": name, "title": benchmarks.title(name)} for name in names]
        print_json(titles) if json else print("\n".join(f"{one['name']:<16} {one['title']}" for one in titles))
        return
    rows: list[dict[str, Any]] = []
    for name in names:
        say(f"measuring {name} …")
        for row in benchmarks.measure(name, toy):
            rows.append(row)
            if not json:
                peer = f"{row['peer']:>14,.3f}  {_ratio(row['ratio']):>8}×" if row["peer"] else ""
                print(f"{row['name']:<28} {row['ours']:>16,.3f} {peer}", flush=True)
    if json:
        print_json(rows)


def _ratio(ratio: float) -> str:
    """A ratio: three decimals below 2, one above."""
    return f"{ratio:.3f}" if ratio < 2 else f"{ratio:.1f}"


def _benchmarks() -> Any:
    """The package `benchmarks` of the checkout; LudometerError from an installed package, which has none."""
    folder = Path(__file__).parents[2] / "benchmarks"
    if not folder.is_dir():
        raise LudometerError("benchmarks are part of a checkout of the repository, not of the installed package")
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    return importlib.import_module("benchmarks")


def _chosen(only: list[str], names: list[str]) -> list[str]:
    for name in only:
        if name not in names:
            raise LudometerError(f"no benchmark is called {name!r}; there are {', '.join(names)}")
    return only or names
