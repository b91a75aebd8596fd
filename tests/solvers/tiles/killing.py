"""Runs a solver in child processes and kills them; a program of its own, because it forks and must have one thread when it does.

    python -m tests.solvers.tiles.killing moments quixo:4 30 SEED FOLDER    at random moments of a run
    python -m tests.solvers.tiles.killing writes quixo:2 FOLDER             before and after every renaming of a file

Prints a JSON document that says what happened.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import ludometer as lm
from ludometer.core.game import Game
from ludometer.solvers.options import KEEP
from tests.forking import child, ended_well, kill_at_renaming
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles


def kill_at_moments(spec: str, kills: int, seed: int, folder: Path) -> dict[str, Any]:
    """Kill a run at a random moment, go on and kill again; whenever a run gets to its end its folder is compared."""
    game, chance = lm.game(spec), random.Random(seed)
    since = time.perf_counter()
    assert ended_well(child(lambda: solve_tiles(game, folder=folder / "whole")))
    duration = time.perf_counter() - since
    whole = content_of(folder / "whole")
    target = folder / "killed"
    killed = finished = 0
    left_overs = 0
    while True:
        number = child(lambda: solve_tiles(game, folder=target))
        if killed < kills:
            time.sleep(chance.uniform(0, duration))
            os.kill(number, signal.SIGKILL)
        if not ended_well(number):
            killed += 1
            left_overs += bool(list(target.glob(".*.part")))
            continue
        finished += 1
        if content_of(target) != whole:
            return {"equal": False, "killed": killed, "finished": finished}
        shutil.rmtree(target)
        if killed >= kills:
            return {"equal": True, "killed": killed, "finished": finished, "left_overs": left_overs, "duration": duration}


def solve_and_kill(game: Game, folder: Path, keep: str, count: int, after: bool) -> None:
    """Solve, but end by a kill at the renaming number `count`: just before it or just after."""
    kill_at_renaming(count, after)
    solve_tiles(game, folder=folder, keep=keep, workers=1)


def kill_at_writes(spec: str, folder: Path) -> dict[str, Any]:
    """Kill a run just before and just after each renaming, and let a second run finish."""
    game = lm.game(spec)
    killed = 0
    for keep, after in (("distances", False), ("distances", True), ("values", False), ("none", True)):
        whole, target = folder / f"whole-{keep}-{after}", folder / f"killed-{keep}-{after}"
        assert ended_well(child(partial(solve_tiles, game, folder=whole, keep=keep)))
        for count in itertools.count(1):
            if ended_well(child(partial(solve_and_kill, game, target, keep, count, after))):
                break
            killed += 1
            assert ended_well(child(partial(solve_tiles, game, folder=target, keep=keep)))
            if content_of(target) != content_of(whole):
                return {"equal": False, "killed": killed, "keep": keep, "write": count}
            shutil.rmtree(target)
    return {"equal": True, "killed": killed}


if __name__ == "__main__":
    warm = lm.game("quixo:2")
    for kept in KEEP:
        solve_tiles(warm, folder=Path(sys.argv[-1]) / f"warm-{kept}", keep=kept)
    if sys.argv[1] == "moments":
        print(json.dumps(kill_at_moments(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))))
    else:
        print(json.dumps(kill_at_writes(sys.argv[2], Path(sys.argv[3]))))
