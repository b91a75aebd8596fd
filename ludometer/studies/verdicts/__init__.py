"""Verdicts kept with the package: the findings of the last full run of every entry, a JSON file for each study.

`ludometer.studies.pages` writes them; the pages in docs/results and the web lab show them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludometer.core.files import read_text, write_text
from ludometer.studies import all_entries

FOLDER = Path(__file__).parent
_DIGITS = 5  # significant digits of stored numbers
_LEFT_OUT = ("data",)  # keys of a finding that are not kept: intermediate numbers, which figures show

FindingDocument = Mapping[str, Any]  # see `studies.reproducing.Finding.document`


def verdict_file(study: str, folder: Path = FOLDER) -> Path:
    """The file with the verdicts of a study."""
    return folder / f"study-{study}.json"


def kept(study: str, folder: Path = FOLDER) -> list[FindingDocument]:
    """The kept findings of a study in the order of its entries; none if there is no file."""
    file = verdict_file(study, folder)
    if not file.exists():
        return []
    found: list[FindingDocument] = json.loads(read_text(file))
    place = {name: number for number, name in enumerate(all_entries())}
    return sorted((one for one in found if one["item"] in place), key=lambda one: place[one["item"]])


def keep(findings: Sequence[FindingDocument], folder: Path = FOLDER) -> None:
    """Write findings into the files of their studies, in place of older ones of the same entries."""
    place = {name: number for number, name in enumerate(all_entries())}
    for study in dict.fromkeys(str(one["study"]) for one in findings):
        new = {one["item"]: _shortened(one) for one in findings if one["study"] == study}
        found = {one["item"]: one for one in kept(study, folder)} | new
        ordered = sorted((one for name, one in found.items() if name in place), key=lambda one: place[one["item"]])
        write_text(verdict_file(study, folder), "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in ordered) + "\n]\n")


def _shortened(finding: FindingDocument) -> dict[str, Any]:
    return {name: _rounded(value) for name, value in finding.items() if name not in _LEFT_OUT}


def _rounded(value: Any) -> Any:
    """Plain data with fewer digits."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Mapping):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, (list, tuple)) else value
