"""Measures in child processes and kills them; a program of its own, because it forks and must have one thread when it does.

    python -m tests.arena.killing match 30 SEED FOLDER

Kills the work at 30 random moments, lets it go on in the same store, and compares every run that gets to its end with one that nobody
disturbed.  Prints a JSON document that says what happened.  `WORKS` has a line for each kind of work that can be killed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludometer.arena.experiments.ladder import ladder
from ludometer.arena.experiments.match import match
from ludometer.arena.experiments.tournament import tournament
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store, StoreError
from tests.forking import child, ended_well

Work = Callable[[Store], Any]  # does it all, or what the store lacks, and returns something with a `document()`

WORKS: dict[str, Work] = {
    "match": lambda store: match("tictactoe", "mcts:40", "random", 12_000, seed=3, execution=Execution(store)),
    "accuracy": lambda store: ladder("tictactoe", rungs=(5, 40), measure="accuracy", positions=1_500, seed=3, execution=Execution(store)),
    "tournament": lambda store: tournament("tictactoe", ["random", "mcts:5", "mcts:40"], 4_000, seed=3, execution=Execution(store)),
    "ladder": lambda store: ladder(
        "tictactoe", agent="mcts", rungs=(2, 10, 40), versus="random", games=4_000, seed=3, execution=Execution(store)
    ),
}
_NOT_COMPARED = ("seconds", "seconds_per_move", "run")  # times, and which run of its store it is


def compared(document: Any) -> Any:
    """A document without what differs from one time to the next."""
    if isinstance(document, dict):
        return {name: compared(value) for name, value in document.items() if name not in _NOT_COMPARED}
    return [compared(value) for value in document] if isinstance(document, list) else document


def do(work: Work, file: Path) -> None:
    """Work on a store, and leave the result beside it."""
    with Store(file) as store:
        document = work(store).document()
    file.with_suffix(".json").write_text(json.dumps(compared(document)))


def chunks_of(file: Path) -> dict[str, list[tuple[int, int]]]:
    """Series -> (first, count) of its chunks, in order."""
    with Store(file, read_only=True) as store:
        rows = store._rows("SELECT key, first, count FROM chunks JOIN series ON series.id = chunks.series ORDER BY key, first")
    found: dict[str, list[tuple[int, int]]] = {}
    for key, first, count in rows:
        found.setdefault(key, []).append((first, count))
    return found


def has_chunks(file: Path) -> bool:
    """Whether anything was finished."""
    try:
        return bool(chunks_of(file))
    except StoreError:  # killed before the store was made
        return False


def units_of(file: Path) -> dict[str, list[int]]:
    """Series -> the units that are there, one by one, so that a doubled one would be seen."""
    return {key: [unit for first, count in chunks for unit in range(first, first + count)] for key, chunks in chunks_of(file).items()}


def kill_at_moments(work: Work, kills: int, seed: int, folder: Path) -> dict[str, Any]:
    """Kill at a random moment, go on and kill again; whenever a run gets to its end it is compared, and the next one begins anew."""
    chance = random.Random(seed)
    whole, target = folder / "whole.sqlite", folder / "killed.sqlite"
    since = time.perf_counter()
    assert ended_well(child(lambda: do(work, whole)))
    duration = time.perf_counter() - since
    killed = finished = after_some = 0
    while True:
        number = child(lambda: do(work, target))
        if killed < kills:
            time.sleep(chance.uniform(0, duration))
            os.kill(number, signal.SIGKILL)
        if not ended_well(number):
            killed += 1
            after_some += has_chunks(target)
            continue
        finished += 1
        same = target.with_suffix(".json").read_text() == whole.with_suffix(".json").read_text()
        if not same or units_of(target) != units_of(whole):
            return {"equal": False, "killed": killed, "finished": finished}
        if killed >= kills:
            return {"equal": True, "killed": killed, "finished": finished, "after_some_chunks": after_some, "duration": duration}
        for file in folder.glob("killed.*"):
            file.unlink()


if __name__ == "__main__":
    chosen = WORKS[sys.argv[1]]
    do(chosen, Path(sys.argv[4]) / "warm.sqlite")  # compiled before anything is forked
    print(json.dumps(kill_at_moments(chosen, int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))))
