"""Processor time of the ladders of study 000 on 3×3 and 4×4 with the report's 200 games a point, from a few games of some rungs.

python benchmarks/study_ladders.py           2 pairs of games at 3 rungs of each curve: a minute or two
python benchmarks/study_ladders.py 10        10 pairs

Seconds per game between these rungs are taken from the line between them.  A machine that does other work at the same time needs more
processor time for the same games, since these work from memory that others push out of the caches.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from ludometer.agents import agent
from ludometer.arena.play.compiled_games import game_seeds, play_games
from ludometer.games import game
from ludometer.studies.study_000.curves import GAMES
from ludometer.studies.study_000.outcomes import AGENT, BLUNDERS, PLIES, SETUPS, Setup

PAIRS = 2
LARGEST = 4  # 5×5 needs a table that takes a GPU
SHARES = (0.1, 0.4, 1.0)  # measured rungs, as parts of the largest


def measured_rungs(setup: Setup) -> list[int]:
    """The measured rungs of a ladder."""
    return [max(1, round(share * setup.rungs[-1])) for share in SHARES]


def seconds_per_game(setup: Setup, blunder: str, rung: int, pairs: int) -> float:
    """Processor time of a game, both seats alike often."""
    chosen = game(setup.game)
    player = agent(f"{AGENT}:{rung}", chosen)
    opponent = agent(f"{setup.versus}{',' if ':' in setup.versus else ':'}blunder={blunder}", chosen)
    play_games(chosen, player, opponent, game_seeds(1, 0, 1), ply_limit=2)  # compiled, or loaded, before the clock runs
    since = time.process_time()
    for turned in (False, True):
        play_games(chosen, player, opponent, game_seeds(0, 0, pairs), turned=turned, ply_limit=PLIES)
    return (time.process_time() - since) / (2 * pairs)


def full_run(setup: Setup, pairs: int) -> float:
    """Seconds of processor time for all points of a ladder."""
    total = 0.0
    rungs = measured_rungs(setup)
    for blunder in BLUNDERS:
        times = [seconds_per_game(setup, blunder, rung, pairs) for rung in rungs]
        total += GAMES * float(np.interp(setup.rungs, [0, *rungs], [0.0, *times]).sum())
    return total


TOY = {"PAIRS": 1, "LARGEST": 3, "SHARES": (0.01,), "PLIES": 4, "BLUNDERS": BLUNDERS[:1]}


def compare(pairs: int = PAIRS) -> list[dict[str, Any]]:
    """One row per ladder and one for all: `ours` in minutes.  No peer: the report's program ran on another machine."""
    small = [setup for setup in SETUPS.values() if setup.size <= LARGEST]
    minutes = {setup.title: full_run(setup, pairs) / 60 for setup in small}
    rows = {**minutes, "all four": sum(minutes.values())}
    return [{"name": f"ladder {name} (min)", "ours": value, "peer": None, "ratio": None} for name, value in rows.items()]


def main(arguments: list[str]) -> None:
    for row in compare(*map(int, arguments)):
        print(f"{row['name']:<36}{row['ours']:8.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
