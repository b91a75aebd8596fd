"""The findings of `ludometer reproduce`: those in the store of experiments, and those kept with the package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludometer.arena.work.store import Store
from ludometer.studies import all_entries, studies
from ludometer.studies.verdicts import kept
from ludometer.web.jobs.live_runs import STUDIES

_KEYS = ("study", "item", "title", "where", "kind", "settings", "effort", "interval", "agrees", "verdict", "note")
NOT_YET = "not measured yet"
HERE, WITH_PACKAGE = "measured here", "kept with this version"


def findings(store_file: Path) -> dict[str, Any]:
    """{entries: […], verdicts: {verdict: count}, known}: the latest finding of every entry, and the entries that were not measured yet.

    Findings of this store take precedence over those kept with the package.  `known` is true if there are entries.
    """
    found = {row["item"]: row for study in studies() for row in (_row(document, WITH_PACKAGE) for document in kept(study))}
    if store_file.is_file():
        with Store(store_file, read_only=True) as store:
            for run in store.of_kind(STUDIES):
                if run.result is not None:
                    row = _row(run.result, HERE)
                    found[row["item"]] = row
    entries = _entries()
    rows = [found.get(item) or entry for item, entry in entries.items()]
    rows += [row for item, row in found.items() if item not in entries]  # of another version
    counted: dict[str, int] = {}
    for row in rows:
        counted[row["verdict"]] = counted.get(row["verdict"], 0) + 1
    return {"entries": rows, "verdicts": counted, "known": bool(entries)}


def _row(document: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """What is shown of the document of a finding; what was reported and measured in words, where it has them."""
    return {
        **{key: document.get(key) for key in _KEYS},
        "item": str(document.get("item")),
        "verdict": str(document.get("verdict")),
        "reported": document.get("reported_text") or document.get("reported"),
        "measured": document.get("measured_text") or document.get("measured"),
        "interval": None if document.get("measured_text") else document.get("interval"),
        "figures": document.get("figures") or [],
        "origin": origin,
    }


def _entries() -> dict[str, dict[str, Any]]:
    """Every entry of the studies by name, as not measured."""
    return {
        name: {
            **dict.fromkeys(_KEYS),
            "study": entry.study,
            "item": name,
            "title": entry.title,
            "where": entry.where,
            "kind": str(entry.kind),
            "settings": entry.settings,
            "reported": entry.said,
            "measured": None,
            "verdict": NOT_YET,
            "note": "",
            "figures": [],
            "origin": "",
        }
        for name, entry in all_entries().items()
    }
