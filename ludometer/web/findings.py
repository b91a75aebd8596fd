"""The findings of `ludometer reproduce`, read from where it keeps them: the store of experiments."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludometer.arena.work.store import Store
from ludometer.web.jobs.live_runs import STUDIES

_KEYS = ("study", "item", "title", "where", "kind", "settings", "effort", "interval", "agrees", "verdict", "note")
NOT_YET = "not measured yet"
HERE, WITH_DOCUMENTS = "measured here", "kept with the documents"


def findings(store_file: Path) -> dict[str, Any]:
    """{entries: […], verdicts: {verdict: count}, known}: the latest finding of every entry, and the entries that were not measured yet.

    What was measured here comes before what is kept with the documents of the project.  `known` says whether this version has the studies
    at all.
    """
    found = _kept_with_documents()
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


def _kept_with_documents() -> dict[str, dict[str, Any]]:
    """Findings that the project keeps as data; none where it was installed without its documents, or has no studies."""
    studies, pages = _module("ludometer.studies"), _module("ludometer.studies.pages")
    if studies is None or pages is None:
        return {}
    rows = [_row(document, WITH_DOCUMENTS) for study in studies.studies() for document in pages.kept(study)]
    return {row["item"]: row for row in rows}


def _entries() -> dict[str, dict[str, Any]]:
    """Every entry of the studies by name, as not measured; none where this version has no studies."""
    studies = _module("ludometer.studies")
    if studies is None:
        return {}
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
        for name, entry in studies.all_entries().items()
    }


def _module(name: str) -> Any:
    """A module that not every version has; None if there is none of this name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            return None
        raise
