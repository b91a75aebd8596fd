"""Matches through `match`, with all that keeps and counts them, beside the bare compiled games, in one run.

    ludometer bench matches

Rounds of both sides alternate, each side begins every other one, and the best round of each counts, so that a busy machine slows them
alike.  Figures are games a second, by the wall clock on all cores (what a user waits for), and by processor time (what it costs; other
programs hardly change it).  The store is measured twice: against bare games, with all the counting, and against a match whose store is
in memory.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from ludometer.arena.experiments.match import match
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.executors import usable_cores
from ludometer.arena.work.store import Store

ROUNDS = 5
RANDOM = ("quixo:5", "random", "random", 4_000_000)  # game, A, B, games of a round
SEARCH = ("quixo:5", "mcts:1000", "mcts:1000", 200)


class Took(NamedTuple):
    """Seconds of the best round."""

    wall: float
    processor: float


TOY = {"ROUNDS": 1, "RANDOM": ("mnk:2,2,2", "random", "random", 40), "SEARCH": ("mnk:2,2,2", "mcts:2", "mcts:2", 40)}


def compare(rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Games a second: `ours` through `match` with a store in a file, `peer` by threads that do nothing else, or without the file."""
    return [
        *_against_bare(f"match {RANDOM[1]} {RANDOM[0]}, stored", *RANDOM, rounds),
        *_against_bare(f"match {SEARCH[1]} {SEARCH[0]}, stored", *SEARCH, rounds),
        _store_cost("store in a file, to memory", *RANDOM, rounds),
    ]


def _against_bare(name: str, game: str, a: str, b: str, games: int, rounds: int) -> list[dict[str, Any]]:
    cores = usable_cores()
    pairing = Pairing.of(game, a, b, 1)

    def bare(number: int, folder: str) -> None:
        """Each thread plays its share in one call: the ideal of so many cores."""
        share = games // 2 // cores
        with ThreadPoolExecutor(cores) as threads:
            list(threads.map(lambda place: pairing.work(place * share, share, pace=1.0), range(cores)))

    def stored(number: int, folder: str) -> None:
        _play(game, a, b, games, number, folder)

    ours, peer = _best((stored, bare), rounds)
    return [_row(name, games, ours.wall, peer.wall), _row("… by processor time", games, ours.processor, peer.processor)]


def _store_cost(name: str, game: str, a: str, b: str, games: int, rounds: int) -> dict[str, Any]:
    def in_file(number: int, folder: str) -> None:
        _play(game, a, b, games, number, folder)

    def in_memory(number: int, folder: str) -> None:
        _play(game, a, b, games, number, None)

    ours, peer = _best((in_file, in_memory), rounds)
    return _row(name, games, ours.processor, peer.processor)


def _row(name: str, games: int, ours: float, peer: float) -> dict[str, Any]:
    return {"name": name, "ours": games / ours, "peer": games / peer, "ratio": peer / ours}


def _play(game: str, a: str, b: str, games: int, seed: int, folder: str | None) -> None:
    if folder is None:
        match(game, a, b, games, seed=seed)
        return
    with Store(Path(folder) / "s.sqlite") as store:
        match(game, a, b, games, seed=seed, execution=Execution(store))


def _best(works: tuple[Callable[[int, str], None], ...], rounds: int) -> list[Took]:
    """The least time of each work over rounds in which they take turns; each has an empty folder, not counted."""
    times: list[list[Took]] = [[] for _ in works]
    for number in range(rounds + 1):
        order = list(zip(works, times))
        for work, own in order if number % 2 else order[::-1]:
            with tempfile.TemporaryDirectory() as folder:
                wall, processor = time.perf_counter(), time.process_time()
                work(number, folder)
                if number:  # the first round compiles
                    own.append(Took(time.perf_counter() - wall, time.process_time() - processor))
    return [Took(min(one.wall for one in own), min(one.processor for one in own)) for own in times]


def main() -> None:
    print(f"{'':<32}{'ours /s':>12}{'bare /s':>12}{'ratio':>8}")
    for row in compare():
        print(f"{row['name']:<32}{row['ours']:>12,.0f}{row['peer']:>12,.0f}{row['ratio']:>8.3f}")


if __name__ == "__main__":
    main()
