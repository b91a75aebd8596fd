"""Packs and unpacks a folder in child processes that are killed at every renaming of a file; a program of its own, because it forks.

    python -m tests.solvers.tiles.killing_packs FOLDER

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
from ludometer.solvers.tiles.repacking import pack_folder, unpack_folder
from ludometer.solvers.tiles.solution import open_solution
from tests.forking import child, ended_well, kill_at_renaming
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles


def killed_at(work: Any, folder: Path, count: int, after: bool) -> None:
    """Do the work, but end by a kill at the renaming number `count`."""
    kill_at_renaming(count, after)
    work(folder)


def main(folder: Path) -> dict[str, Any]:
    game = lm.game("quixo:2")
    plain, packed, target = folder / "plain", folder / "packed", folder / "target"
    assert ended_well(child(lambda: solve_tiles(game, folder=plain, keep="values")))
    assert ended_well(child(lambda: solve_tiles(game, folder=packed, keep="values", pack=True)))
    expected = open_solution(plain).probe(game.start())
    killed, wrong = 0, []
    for source, work, result in ((plain, pack_folder, packed), (packed, unpack_folder, plain)):
        for after in (False, True):
            for count in itertools.count(1):
                shutil.copytree(source, target)
                if ended_well(child(partial(killed_at, work, target, count, after))):
                    shutil.rmtree(target)
                    break
                killed += 1
                if open_solution(target).probe(game.start()) != expected:
                    wrong.append(f"{work.__name__} {count} {after}: other answers")
                if not ended_well(child(partial(work, target))) or content_of(target) != content_of(result):
                    wrong.append(f"{work.__name__} {count} {after}: other bytes")
                shutil.rmtree(target)
    return {"killed": killed, "wrong": wrong}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
