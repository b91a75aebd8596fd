"""Large pairs of classes of a tile game on the processor: entries per second with one thread and with all, and all pairs projected.

    python -m benchmarks.pairs quixo:5 --tiles 22                      # all pairs with 22 tiles and more, all cores
    python -m benchmarks.pairs quixo:5 --tiles 22 --again 14,8 13,9    # and these once more with 1, 2, 4, … threads

Pairs with fewer tiles have longer rows, which are faster; the projection takes the rate of the pairs measured with the fewest tiles for all
that follow.  No other solver of these games is installed from a package registry, so there is no peer in the same run.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import ludometer as lm
from ludometer.core.machine import usable_cores
from ludometer.core.stopping import Stop
from ludometer.core.text import duration
from ludometer.solvers.tiles.estimate import sizes_of_game
from ludometer.solvers.tiles.lookup import tile_tables
from ludometer.solvers.tiles.pair_solvers import CpuPairSolver
from ludometer.solvers.tiles.pairs import Pair

SPEC, TILES = "quixo:5", 24
TOY = {"SPEC": "quixo:3", "TILES": 8}


def compare() -> list[dict[str, Any]]:
    """Entries per second of the pairs with the most tiles of 5×5 Quixo: a few seconds."""
    measured = measure(SPEC, TILES, usable_cores())
    return [{"name": f"solve {SPEC}, {TILES} tiles and more, entries/s", "ours": _rate(measured), "peer": None, "ratio": None}]


def measure(spec: str, tiles: int, workers: int, again: tuple[Pair, ...] = (), show: bool = False) -> dict[Pair, tuple[int, float]]:
    """Solve all pairs with so many tiles and more; entries and seconds of each."""
    game = lm.game(spec)
    tables, sizes = tile_tables(game), sizes_of_game(game)
    solver = CpuPairSolver(game, tables, workers=workers)
    CpuPairSolver(lm.game(spec), tables, workers=1).solve_pair(Pair(tables.cells, 0), Stop())  # compiled now
    found: dict[Pair, tuple[int, float]] = {}
    for pair, size in sizes.items():
        if pair.more + pair.fewer < tiles:
            break
        seconds = _seconds(solver, pair)
        found[pair] = size, seconds
        if show and size > 10_000_000:
            print(
                f"{pair.more:>2} and {pair.fewer:>2} tiles: {size:>13,} entries {seconds:8.2f} s {size / seconds / 1e6:8.2f} million/s",
                flush=True,
            )
        if pair in again:
            for threads in _doubling(workers):
                one = CpuPairSolver(game, tables, workers=threads)
                one._codes = solver._codes
                seconds = _seconds(one, pair)
                print(f"   {threads:>3} threads: {seconds:8.2f} s {size / seconds / 1e6:8.2f} million/s", flush=True)
        for done in [done for done in found if done.more + done.fewer > pair.more + pair.fewer + 1]:
            solver.forget(done)
    return found


def _doubling(most: int) -> list[int]:
    return [1 << number for number in range(most.bit_length()) if 1 << number < most] + [most]


def _seconds(solver: CpuPairSolver, pair: Pair) -> float:
    since = time.perf_counter()
    solver.solve_pair(pair, Stop())
    return time.perf_counter() - since


def _rate(measured: dict[Pair, tuple[int, float]]) -> float:
    return sum(size for size, _ in measured.values()) / sum(seconds for _, seconds in measured.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--tiles", type=int, required=True)
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--again", nargs="*", default=[])
    chosen = parser.parse_args()
    again = tuple(Pair(*map(int, text.split(","))) for text in chosen.again)
    measured = measure(chosen.game, chosen.tiles, chosen.workers, again, show=True)
    sizes = sizes_of_game(lm.game(chosen.game))
    last = {pair: found for pair, found in measured.items() if pair.more + pair.fewer == chosen.tiles}
    left = sum(size for pair, size in sizes.items() if pair not in measured)
    spent = sum(seconds for _, seconds in measured.values())
    print(f"with {chosen.workers} threads: {_rate(last) / 1e6:.2f} million entries/s with {chosen.tiles} tiles")
    print(f"all pairs at that rate: {duration(spent)} + {left:,} entries in {duration(left / _rate(last))}")


if __name__ == "__main__":
    main()
