"""The protocol on a CUDA device: random games in the simulator are those of compiled code on the processor.

In the simulator a kernel is Python.  Switching the compiler off as well keeps every number a uint64, as on a device; compiled
functions called from Python would hand back plain integers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import ONGOING
from ludometer.core.random import draw, stream
from ludometer.games import game

ROOT = Path(__file__).parent.parent
GAMES = 6


@kernel
def play_game(rules, key, buffer, moves):
    """The same game as a thread of tests/cuda_playouts.py plays; returns (outcome, key of the final state)."""
    state = protocol.start(rules)
    ply = 0
    while ply < len(moves) and protocol.outcome(rules, state) == ONGOING:
        moves[ply] = protocol.random_move(rules, state, draw(key, np.uint64(ply)), buffer)
        state = protocol.play(rules, state, moves[ply])
        ply += 1
    return np.int64(protocol.outcome(rules, state)), protocol.key(rules, state)


PLIES = {"quixo:2": 20, "quixo:5": 12, "tictactoe": 9, "mnk:15,15,5": 6, "ultimate": 12, "dots:2x2": 12, "dots:7x7": 8}


@pytest.fixture(scope="module")
def simulated_games() -> dict[str, dict[str, list]]:
    """The games of all specs, from one process in the simulator."""
    settings = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    # Sums and products of numpy integers may wrap around, here as in compiled code.
    games = [f"{spec}={plies}" for spec, plies in PLIES.items()]
    command = [sys.executable, "-W", "ignore:overflow", str(ROOT / "tests" / "cuda_playouts.py"), str(GAMES), *games]
    run = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    found: dict[str, dict[str, list]] = json.loads(run.stdout)
    return found


@pytest.mark.simulator
@pytest.mark.xdist_group("cuda protocol")
@pytest.mark.parametrize(("spec", "plies"), PLIES.items())
def test_the_simulator_plays_the_same_games(spec: str, plies: int, simulated_games: dict[str, dict[str, list]]) -> None:
    simulated = simulated_games[spec]
    subject = game(spec)
    buffer = np.empty(subject.move_bound, np.int32)
    for number in range(GAMES):
        moves = np.full(plies, -1, np.int64)
        outcome, final = play_game(subject.rules, stream(1, number), buffer, moves)
        assert simulated["moves"][number] == moves.tolist()
        assert (simulated["outcomes"][number], simulated["hashes"][number]) == (outcome, final)
        position = subject.start()
        for move in moves[moves >= 0]:
            position = position.play(int(move))
        assert (position.outcome, position.key) == (outcome, final)
        assert position.is_over or len(moves[moves >= 0]) == plies
