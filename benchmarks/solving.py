"""Exact solving: positions per second of wall-clock time on all cores, compiled code.

No other solver of these games is installed from a package registry, so there is no peer in the same run.
"""

from __future__ import annotations

import time
from typing import Any

from ludometer.solvers import solve

GAMES = {"quixo:4": "quixo:2", "dots:3x3": "dots:1x1", "mnk:4,4,4": "mnk:2,2,2"}  # spec -> a small game that compiles the same code
ROUNDS = 3  # the fastest of these counts
TOY = {"GAMES": {"quixo:2": "quixo:2"}, "ROUNDS": 1}


def compare() -> list[dict[str, Any]]:
    """Two rows per game: seconds, and positions per second."""
    rows = []
    for spec, small in GAMES.items():
        solve(small)
        seconds = []
        for _ in range(ROUNDS):
            since = time.perf_counter()
            states = solve(spec).summary()["states"]
            seconds.append(time.perf_counter() - since)
        for unit, ours in (("seconds", min(seconds)), ("positions/s", states / min(seconds))):
            rows.append({"name": f"solve {spec} {unit}", "ours": ours, "peer": None, "ratio": None})
    return rows
