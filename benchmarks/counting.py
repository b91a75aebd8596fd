"""Perft: positions counted per second on one core."""

from __future__ import annotations

import time
from typing import Any

from ludometer.games import game
from ludometer.solvers.perft import perft

COUNTS = {"quixo:5": 6, "ultimate": 7, "mnk:5,5,4": 6, "dots:5x5": 5}  # spec -> depth
TOY = {"COUNTS": {"quixo:2": 2, "mnk:2,2,2": 2}}


def compare() -> list[dict[str, Any]]:
    """One row per game: `ours` in nodes per second; there is no peer in the same run."""
    rows = []
    for spec, depth in COUNTS.items():
        start = game(spec).start()
        perft(start, 2)  # compiled, or loaded, before the clock runs
        since = time.process_time()
        nodes = perft(start, depth)
        rows.append({"name": f"perft {spec} {depth}", "ours": nodes / max(1e-9, time.process_time() - since), "peer": None, "ratio": None})
    return rows
