"""Runs the retrograde solver in child processes and kills them; a program of its own, because it forks and must have one thread then.

    python -m tests.solvers.retrograde.killing GAME FOLDER    before and after every renaming of a file, snapshots at every chance

Prints a JSON document that says what happened.
"""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import ludometer as lm
from ludometer.core.game import Game
from ludometer.solvers.options import KEEP, SolveOptions
from ludometer.solvers.retrograde.driver import solve_retrograde
from tests.forking import child, ended_well, kill_at_renaming
from tests.solvers.folders import content_of


def solve(game: Game, folder: Path, keep: str, kill: tuple[int, bool] | None = None) -> None:
    """Solve into a folder, keeping a snapshot whenever one is possible; `kill`: die at this renaming, before or after it."""
    if kill is not None:
        kill_at_renaming(*kill)
    solve_retrograde(game, SolveOptions(folder=folder, keep=keep, workers=1), interval=0.0)


def kill_at_writes(game: Game, folder: Path) -> dict[str, Any]:
    """Kill a run just before and just after each renaming, and let a second run finish; the bytes are those of a run without snapshots."""
    killed, resumed = 0, 0
    for keep, after in (("distances", False), ("distances", True), ("values", False), ("none", True)):
        whole, target = folder / f"whole-{keep}-{after}", folder / f"killed-{keep}-{after}"
        assert ended_well(child(partial(solve_retrograde, game, SolveOptions(folder=whole, keep=keep, workers=1))))
        for count in itertools.count(1):
            if ended_well(child(partial(solve, game, target, keep, (count, after)))):
                break
            killed += 1
            resumed += bool(list((target / "work").glob("*.table")))
            assert ended_well(child(partial(solve, game, target, keep)))
            if content_of(target) != content_of(whole):
                return {"equal": False, "killed": killed, "keep": keep, "write": count}
            shutil.rmtree(target)
        shutil.rmtree(target)
    return {"equal": True, "killed": killed, "resumed": resumed}


if __name__ == "__main__":
    warm = lm.game(sys.argv[1])
    for number, kept in enumerate((*KEEP, "distances")):
        place = Path(sys.argv[-1]) / f"warm-{number}"
        # One run with snapshots and one that goes on from them, so that all is compiled before the first fork.
        solve(warm, place, kept)
    print(json.dumps(kill_at_writes(warm, Path(sys.argv[2]))))
