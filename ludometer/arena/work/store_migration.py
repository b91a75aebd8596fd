"""Stores of earlier versions made current.

Format 1 (version 0.2) told rules apart by a hash of source files.  Its series of built-in games are given the stamps that these games have
today, since neither their rules nor the decisions of the agents have changed in between; the same request then continues them.  Whether a
game file is still the one that was measured cannot be known, so series of game files keep their old key: they can be read, but are not
continued, and a match says so.
"""

from __future__ import annotations

import json
import sqlite3
from functools import cache
from typing import Any

from ludometer.core.agent import DECISIONS
from ludometer.core.errors import LudometerError

FIRST_FORMAT = 1
_LAST_VERSION_OF_FIRST_FORMAT = "0.2.0"


def migrate(connection: sqlite3.Connection) -> None:
    """Rewrite the keys of a store of format 1; called inside a transaction."""
    for table in ("series", "runs"):
        for number, text in connection.execute(f"SELECT id, key FROM {table}").fetchall():
            key = json.loads(text)
            current = _current(key)
            if current != key:
                written = json.dumps(current, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
                connection.execute(f"UPDATE {table} SET key = ? WHERE id = ?", (written, number))


def _current(value: Any) -> Any:
    """A key, or a part of one, with today's origin in place of version and source hash wherever that is known to be the same."""
    if isinstance(value, list):
        return [_current(one) for one in value]
    if not isinstance(value, dict):
        return value
    changed = {name: _current(one) for name, one in value.items()}
    if {"game", "rules", "version"} <= changed.keys() and changed["version"] == _LAST_VERSION_OF_FIRST_FORMAT:
        origin = _origin_of_built_in(str(changed["game"]))
        if origin is not None:
            changed = {name: one for name, one in changed.items() if name != "version"} | origin
    return changed


@cache
def _origin_of_built_in(spec: str) -> dict[str, Any] | None:
    from ludometer.core.rules_stamp import knowledge_stamp, rules_stamp
    from ludometer.games import game, kinds

    if spec.partition(":")[0] not in kinds():
        return None
    try:
        found = game(spec)
    except LudometerError:  # a size that no longer exists
        return None
    return {"rules": rules_stamp(found), "knowledge": knowledge_stamp(found), "decisions": DECISIONS}
