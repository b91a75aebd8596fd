"""The findings of `ludometer reproduce`, read from where it keeps them: the store of experiments."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from ludometer.arena.store import Store
from ludometer.web.watching import STUDIES

_KEYS = ("study", "item", "title", "where", "kind", "settings", "effort", "reported", "measured", "interval", "agrees", "verdict", "note")
NOT_YET = "not measured yet"


def findings(store_file: Path) -> dict[str, Any]:
    """{entries: […], verdicts: {verdict: count}, known}: the latest finding of every entry, and the entries that were not measured yet.

    `known` says whether this version has the studies at all.
    """
    found: dict[str, dict[str, Any]] = {}
    if store_file.is_file():
        with Store(store_file, read_only=True) as store:
            for run in store.of_kind(STUDIES):
                if run.result is not None:
                    found[str(run.result.get("item", run.game))] = {
                        **{key: run.result.get(key) for key in _KEYS},
                        "figures": run.result.get("figures") or [],
                        "when": run.started,
                        "run": run.id,
                    }
    entries = _entries()
    rows = [found.get(item) or {**entry, "verdict": NOT_YET} for item, entry in entries.items()]
    rows += [row for item, row in found.items() if item not in entries]  # of another version
    counted: dict[str, int] = {}
    for row in rows:
        counted[row["verdict"]] = counted.get(row["verdict"], 0) + 1
    return {"entries": rows, "verdicts": counted, "known": bool(entries)}


def _entries() -> dict[str, dict[str, Any]]:
    """Every entry of the studies by name; none where this version has no studies."""
    if importlib.util.find_spec("ludometer.studies") is None:
        return {}
    studies: Any = importlib.import_module("ludometer.studies")
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
            "note": "",
            "figures": [],
            "when": None,
            "run": None,
        }
        for name, entry in studies.all_entries().items()
    }
