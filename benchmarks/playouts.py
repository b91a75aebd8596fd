"""Random playouts against OpenSpiel's C++ core: games per second of processor time, one thread, one run.

OpenSpiel plays inside its own C++ loop: an `MCTSBot` with a single simulation asks its `RandomRolloutEvaluator` for many playouts
from the position given, so no time goes into Python on either side.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks import has_peer
from ludometer.agents.playout_kernels import count_playouts
from ludometer.core.random import stream
from ludometer.games import game

SECONDS = 1.0  # of processor time for each measurement
ROUNDS = 3  # the fastest of these counts

_PEER_PLAYOUTS = 500  # at a time

# our spec -> OpenSpiel's; None where it has no such game
GAMES = {
    "ultimate": "ultimate_tic_tac_toe",
    "dots:7x7": "dots_and_boxes(num_rows=7,num_cols=7)",
    "mnk:15,15,5": "mnk(m=15,n=15,k=5)",
    "mnk:5,5,4": "mnk(m=5,n=5,k=4)",
    "quixo:5": None,
}
TOY = {"SECONDS": 0.001, "ROUNDS": 1, "GAMES": {"mnk:5,5,4": "mnk(m=5,n=5,k=4)", "quixo:2": None}, "_PEER_PLAYOUTS": 2}


def compare(seconds: float = SECONDS, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """One row per game: `ours` and `peer` in playouts per second, and their `ratio`."""
    rows = []
    for ours, peer in GAMES.items():
        speed = max(our_speed(ours, seconds) for _ in range(rounds))
        other = max(peer_speed(peer, seconds) for _ in range(rounds)) if peer and has_peer("pyspiel") else None
        rows.append({"name": f"playouts {ours}", "ours": speed, "peer": other, "ratio": speed / other if other else None})
    return rows


def our_speed(spec: str, seconds: float) -> float:
    """Complete random games per second of processor time."""
    chosen = game(spec)
    state = chosen.start().state
    buffer = np.empty(chosen.move_bound, np.int32)
    limit = chosen.kind.ply_limit or 0
    count_playouts(chosen.rules, state, 1, stream(0), limit, buffer)  # compiled, or loaded, before the clock runs
    done, since = 0, time.process_time()
    while time.process_time() - since < seconds:
        count_playouts(chosen.rules, state, 1000, stream(1, done), limit, buffer)
        done += 1000
    return done / (time.process_time() - since)


def peer_speed(name: str, seconds: float) -> float:
    """The same for OpenSpiel."""
    import pyspiel

    chosen = pyspiel.load_game(name)
    state = chosen.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(_PEER_PLAYOUTS, 1)
    bot = pyspiel.MCTSBot(chosen, evaluator, 1.0, 1, 100, False, 1, False, pyspiel.ChildSelectionPolicy.UCT)
    done, since = 0, time.process_time()
    while time.process_time() - since < seconds:
        bot.step(state)
        done += _PEER_PLAYOUTS
    return done / (time.process_time() - since)
