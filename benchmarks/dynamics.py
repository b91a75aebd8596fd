"""Matrix games: all equilibria beside Nashpy and Gambit, and learners; one run, taking turns.

    python benchmarks/dynamics.py

Nashpy enumerates supports in floating point, Gambit vertices in exact fractions, we vertices in exact whole numbers.  The games are
random whole payoffs from −100 to 100, the same for all.  Times of games are seconds of processor time; learners, which use all cores,
are measured by the clock, and per core by processor time, which a busy machine distorts less.
"""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks import has_peer
from ludometer.dynamics.equilibria import equilibria
from ludometer.dynamics.learners import run_learners
from ludometer.games.matrix.bimatrix import Bimatrix, matrix_game

GAMES = 12  # of each size
ROUNDS = 3  # the fastest of these counts
RUNS, EPISODES = 1_000, 10_000
FIVE, LARGER = 5, 10  # actions of each player
TOY = {"GAMES": 1, "ROUNDS": 1, "RUNS": 2, "EPISODES": 10, "LARGER": 3, "FIVE": 3}


def compare(games: int = GAMES, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Rows `name`, `ours`, `peer` and `ratio`: games per second, and episodes per second of pairs of learners."""
    five, ten = random_games(FIVE, games), random_games(LARGER, 2)
    rows = []
    for name, package, peer in (("nashpy", "nashpy", nashpy_supports), ("gambit", "pygambit", gambit_vertices)):
        if not has_peer(package):
            continue
        seconds = fastest([lambda: [equilibria(game) for game in five], lambda peer=peer: [peer(game) for game in five]], rounds)
        ours, theirs = (games / one for one in seconds)
        rows.append({"name": f"equilibria 5x5, {name}", "ours": ours, "peer": theirs, "ratio": ours / theirs})
    (alone,) = fastest([lambda: [equilibria(game) for game in ten]], 1)
    rows.append({"name": "equilibria 10x10", "ours": len(ten) / alone, "peer": None, "ratio": None})
    for kind in ("greedy", "boltzmann", "faq", "cross"):
        run_learners("matrix:sexes", kind, runs=1, episodes=1)  # compiled, or loaded, before the clock runs
        times = []
        for _ in range(rounds):
            since = time.perf_counter(), time.process_time()
            run_learners("matrix:sexes", kind, runs=RUNS, episodes=EPISODES)
            times.append((time.perf_counter() - since[0], time.process_time() - since[1]))
        rows.append({"name": f"learners, {kind}", "ours": RUNS * EPISODES / min(times)[0], "peer": None, "ratio": None})
        busy = min(seconds for _, seconds in times)
        rows.append({"name": f"learners, {kind}, per core", "ours": RUNS * EPISODES / busy, "peer": None, "ratio": None})
    return rows


def random_games(size: int, count: int) -> list[Bimatrix]:
    source = np.random.default_rng(size)
    return [matrix_game(*source.integers(-100, 101, (2, size, size))) for _ in range(count)]


def nashpy_supports(game: Bimatrix) -> object:
    import nashpy

    row, column = (np.array(table, float) for table in (game.row_payoffs, game.column_payoffs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(nashpy.Game(row, column).support_enumeration())


def gambit_vertices(game: Bimatrix) -> object:
    import pygambit

    return pygambit.nash.enummixed_solve(pygambit.read_nfg(io.StringIO(game.to_nfg())), rational=True).equilibria


def fastest(sides: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Seconds of processor time for each side, taking turns so that a busy machine slows all alike."""
    times: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, seconds in zip(sides, times):
            since = time.process_time()
            side()
            seconds.append(time.process_time() - since)
    return [min(seconds) for seconds in times]


def main() -> None:
    print(f"{'':<30}{'ours /s':>14}{'peer /s':>12}{'ratio':>8}")
    for row in compare():
        peer = f"{row['peer']:>12,.1f}{row['ratio']:>8.1f}" if row["peer"] else ""
        print(f"{row['name']:<30}{row['ours']:>14,.1f}{peer}")


if __name__ == "__main__":
    main()
