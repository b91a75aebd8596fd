"""Monte Carlo tree search against OpenSpiel's C++ `MCTSBot`: simulations per second of processor time, one thread, one run.

    python benchmarks/mcts.py

Both sides do the same work: from the start of the game, as many simulations with one random playout each, exploration constant √2,
no proving.  OpenSpiel splits a free choice of the board in Ultimate Tic-Tac-Toe into two actions; everything else is alike.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from benchmarks import has_peer
from ludometer.agents import agent
from ludometer.core.random import stream
from ludometer.games import game

SIMULATIONS = 5_000
ROUNDS = 3  # the fastest of these counts

# our spec -> OpenSpiel's
GAMES = {
    "ultimate": "ultimate_tic_tac_toe",
    "dots:7x7": "dots_and_boxes(num_rows=7,num_cols=7)",
    "mnk:5,5,4": "mnk(m=5,n=5,k=4)",
}
TOY = {"SIMULATIONS": 20, "ROUNDS": 1, "GAMES": {"mnk:5,5,4": "mnk(m=5,n=5,k=4)"}}


def compare(simulations: int = SIMULATIONS, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """One row per game: `name`, `ours` and `peer` in simulations per second, and their `ratio`."""
    rows: list[dict[str, Any]] = []
    if not has_peer("pyspiel"):
        return rows
    for ours, peer in GAMES.items():
        speeds = [simulations / seconds for seconds in fastest(our_search(ours, simulations), peer_search(peer, simulations), rounds)]
        rows.append({"name": f"mcts {ours}", "ours": speeds[0], "peer": speeds[1], "ratio": speeds[0] / speeds[1]})
    return rows


def our_search(spec: str, simulations: int) -> Callable[[int], object]:
    """Our search from the start, as a function of the seed."""
    chosen = game(spec)
    player = agent(f"mcts:{simulations},study=textbook", chosen)
    start = chosen.start()
    player.choose(start, stream(0))  # compiled, or loaded, before the clock runs
    return lambda seed: player.choose(start, stream(seed))


def peer_search(name: str, simulations: int) -> Callable[[int], object]:
    """OpenSpiel's search from the start, as a function of the seed."""
    import pyspiel

    chosen = pyspiel.load_game(name)
    start = chosen.new_initial_state()

    def search(seed: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        policy = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(chosen, evaluator, math.sqrt(2), simulations, 1000, False, seed, False, policy)
        return bot.step(start)

    return search


def fastest(ours: Callable[[int], object], peer: Callable[[int], object], rounds: int) -> tuple[float, float]:
    """Seconds of processor time for each side, taking turns so that a busy machine slows both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for seed in range(1, rounds + 1):
        for search, seconds in zip((ours, peer), times):
            since = time.process_time()
            search(seed)
            seconds.append(time.process_time() - since)
    return min(times[0]), min(times[1])


def main() -> None:
    print(f"{'':<16}{'ours /s':>12}{'OpenSpiel /s':>14}{'ratio':>8}")
    for row in compare():
        print(f"{row['name']:<16}{row['ours']:>12,.0f}{row['peer']:>14,.0f}{row['ratio']:>8.1f}")


if __name__ == "__main__":
    main()
