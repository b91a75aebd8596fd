"""Matches through `match`, with all that keeps and counts them, beside the bare compiled games, in one run.

    ludometer bench matches

Rounds of both sides alternate, so that a busy machine slows them alike.  All figures are games a second of wall-clock on all cores, but for
the store, whose cost is in processor time: what a match with a store in a file takes beside one in memory.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from ludometer.arena.match import match
from ludometer.arena.pairs import Pairing, play_pairs
from ludometer.arena.store import Store
from ludometer.arena.workers import usable_cores

ROUNDS = 3
RANDOM = ("quixo:5", "random", "random", 4_000_000)  # game, A, B, games of a round
SEARCH = ("quixo:5", "mcts:1000", "mcts:1000", 200)


def compare(rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Games a second: `ours` through `match`, `peer` by threads that do nothing else."""
    return [
        _against_bare("match random quixo:5, stored", *RANDOM, rounds),
        _against_bare("match mcts:1000 quixo:5", *SEARCH, rounds),
        _store_cost("match random quixo:5, store", *RANDOM, rounds),
    ]


def _against_bare(name: str, game: str, a: str, b: str, games: int, rounds: int) -> dict[str, Any]:
    cores = usable_cores()
    pairing = Pairing.of(game, a, b, 1)
    timed = a != "random"

    def bare(number: int, folder: str) -> None:
        """Each thread plays its share in one call: the ideal of so many cores."""
        share = games // 2 // cores
        with ThreadPoolExecutor(cores) as threads:
            list(threads.map(lambda place: play_pairs(pairing, place * share, share, timed), range(cores)))

    def stored(number: int, folder: str) -> None:
        _play(game, a, b, games, number, folder)

    ours, peer = _seconds((stored, bare), rounds, time.perf_counter)
    return {"name": name, "ours": games / ours, "peer": games / peer, "ratio": peer / ours}


def _store_cost(name: str, game: str, a: str, b: str, games: int, rounds: int) -> dict[str, Any]:
    def in_file(number: int, folder: str) -> None:
        _play(game, a, b, games, number, folder)

    def in_memory(number: int, folder: str) -> None:
        _play(game, a, b, games, number, None)

    ours, peer = _seconds((in_file, in_memory), rounds, time.process_time)
    return {"name": name, "ours": games / ours, "peer": games / peer, "ratio": peer / ours}


def _play(game: str, a: str, b: str, games: int, seed: int, folder: str | None) -> None:
    if folder is None:
        match(game, a, b, games, seed=seed)
        return
    with Store(Path(folder) / "s.sqlite") as store:
        match(game, a, b, games, seed=seed, store=store)


def _seconds(works: tuple[Callable[[int, str], None], ...], rounds: int, clock: Callable[[], float]) -> list[float]:
    """The median time of each work, over rounds in which they take turns; each has an empty folder, not counted."""
    times: list[list[float]] = [[] for _ in works]
    for number in range(rounds + 1):
        for work, own in zip(works, times):
            with tempfile.TemporaryDirectory() as folder:
                since = clock()
                work(number, folder)
                if number:  # the first round compiles
                    own.append(clock() - since)
    return [median(own) for own in times]


def main() -> None:
    print(f"{'':<32}{'ours /s':>12}{'bare /s':>12}{'ratio':>8}")
    for row in compare():
        print(f"{row['name']:<32}{row['ours']:>12,.0f}{row['peer']:>12,.0f}{row['ratio']:>8.3f}")


if __name__ == "__main__":
    main()
