"""Looking positions up in solved tables: table entries a second on one core, time of the process.

No other system of these games is installed from a package registry, so there is no peer in the same run.
"""

from __future__ import annotations

import tempfile
import time
from typing import Any

import numpy as np

from ludometer.core.position import Position
from ludometer.games import game
from ludometer.solvers import open_solution, solve

SPECS = ("quixo:4", "mnk:4,4,3")
POSITIONS = 2000
ROUNDS = 3  # the fastest of these counts
TOY = {"SPECS": ("quixo:2",), "POSITIONS": 10, "ROUNDS": 1}


def compare() -> list[dict[str, Any]]:
    """A row for each game and what was kept: entries looked up in a second; a probe looks up a position and all that follow."""
    rows = []
    for spec in SPECS:
        positions = _positions(spec)
        entries = sum(1 + len(position.legal) for position in positions)
        for keep in ("distances", "values") if spec.startswith("quixo") else ("distances",):
            with tempfile.TemporaryDirectory() as folder:
                solve(spec, tables=folder, keep=keep)
                solution = open_solution(spec, folder)
                solution.probe(positions[0])
                seconds = []
                for _ in range(ROUNDS):
                    since = time.process_time()
                    for position in positions:
                        solution.probe(position)
                    seconds.append(time.process_time() - since)
            rows.append({"name": f"probe {spec} {keep} entries/s", "ours": entries / max(1e-9, min(seconds)), "peer": None, "ratio": None})
    return rows


def _positions(spec: str) -> list[Position]:
    """Positions of random games in which the game goes on."""
    chosen, generator = game(spec), np.random.default_rng(1)
    position, found = chosen.start(), []
    while len(found) < POSITIONS:
        found.append(position)
        position = position.play(int(generator.choice(position.legal)))
        position = chosen.start() if position.is_over else position
    return found
