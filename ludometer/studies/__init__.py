"""Every table, figure and number of five reports on games as a named experiment with a verdict.

    from ludometer.studies import entries, reproduce
    for finding in reproduce(entries("002.moves44", "000.size")):
        print(finding)

Each report has a package `study_NNN` with `TITLE`, its subject in a line.  Its module `entries` has `ENTRIES`, a tuple of `Entry`; its
module `agents`, if present, declares the report's own programs as `AGENTS`.  A new package is found by its name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from ludometer.core.errors import LudometerError
from ludometer.studies.entry import Entry

if TYPE_CHECKING:
    from ludometer.studies.laboratory import Laboratory
    from ludometer.studies.reproducing import Finding

_PREFIX = "study_"


@cache
def studies() -> dict[str, ModuleType]:
    """The packages of the reports by number: "000", "001", …"""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__) if found.name.startswith(_PREFIX))
    return {name.removeprefix(_PREFIX): importlib.import_module(f"{__name__}.{name}") for name in names}


@cache
def all_entries() -> dict[str, Entry]:
    """All entries by name, in the order of the reports."""
    found: dict[str, Entry] = {}
    for number, module in studies().items():
        for entry in importlib.import_module(f"{module.__name__}.entries").ENTRIES:
            if entry.study != number or entry.name in found:
                raise LudometerError(f"{entry.name} is listed twice or in the wrong study, {number}")
            found[entry.name] = entry
    return found


def entries(*names: str) -> list[Entry]:
    """The entries of these names: a study (000), an entry (000.time.3x3) or the beginning of some (000.ladder); without names all.

    Raises LudometerError for a name without entries.
    """
    known = all_entries()
    wanted: dict[str, Entry] = {}
    for name in names or tuple(studies()):
        fitting = {one: entry for one, entry in known.items() if one == name or one.startswith(f"{name}.")}
        if not fitting:
            raise LudometerError(f"there is no study or entry {name!r}; `ludometer reproduce --list` lists them")
        wanted |= fitting
    return [entry for name, entry in known.items() if name in wanted]


def reproduce(entries: Sequence[Entry], laboratory: Laboratory | None = None) -> Iterator[Finding]:
    """Run entries in order: a finding for each.  See `reproducing.reproduce`."""
    from ludometer.studies.reproducing import reproduce as run

    return run(entries, laboratory)
