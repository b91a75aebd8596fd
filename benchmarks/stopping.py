"""How long work goes on after it was asked to stop: milliseconds, the longest of several requests at moments spread over the work.

Work is solving, verifying, proving, choosing a move, training, and compiled games.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from ludometer.agents import agent
from ludometer.agents.qlearning import settle, train
from ludometer.arena.play.compiled_games import game_seeds, play_games
from ludometer.core.game import Game
from ludometer.core.random import stream
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from ludometer.solvers import solve
from ludometer.solvers.acyclic.search import Prover
from ludometer.solvers.verification import verify

MOMENTS = 8
LONGEST = 2.0  # seconds of the longest measured work
QUIXO = "quixo:5"
SOLVED = ("quixo:4", "mnk:4,4,4", "dots:3x3")
PROVED = "dots:3x4"
GAMES = 4_000_000
CHOOSING = (
    ("mcts:100000000", "quixo:5"),
    ("mcts:10000,playouts=100000", "mnk:15,15,5"),
    ("study000:mcts:100000000", "quixo:5"),
    ("alphabeta:20", "quixo:5"),
    ("minimax:20", "mnk:15,15,5"),
    ("optimal", "dots:3x4"),
)
TOY = {
    "MOMENTS": 2,
    "LONGEST": 0.2,
    "QUIXO": "quixo:3",
    "SOLVED": ("quixo:2", "mnk:2,2,2", "dots:1x1"),
    "PROVED": "dots:1x2",
    "CHOOSING": (("mcts:100000000", "tictactoe"),),
    "GAMES": 10_000,
}


def compare() -> list[dict[str, Any]]:
    """A row for each kind of work."""
    quixo, proved = game(QUIXO), game(PROVED)
    solution = solve(SOLVED[0])
    chance, seeds = agent("random", quixo), game_seeds(1, 0, GAMES)
    works: dict[str, Callable[[Stop], object]] = {
        **{f"solve {spec}": lambda stop, spec=spec: solve(spec, stop=stop) for spec in SOLVED},
        f"verify {SOLVED[0]}": lambda stop: verify(solution, stop=stop),
        f"prove {PROVED}": lambda stop: Prover(proved, 64).prove(proved.start(), stop=stop),
        **{f"choose {spec} at {name}": _choosing(spec, game(name)) for spec, name in CHOOSING},
        f"train qlearning at {QUIXO}": lambda stop: train(quixo, settle(quixo, iterations=10**9), stop=stop),
        f"games of random at {QUIXO}": lambda stop: play_games(quixo, chance, chance, seeds, stop=stop),
    }
    return [{"name": f"stop {name} ms", "ours": _longest(work), "peer": None, "ratio": None} for name, work in works.items()]


def _choosing(spec: str, chosen: Game) -> Callable[[Stop], object]:
    """A search that would take for ever, by an agent that is made beforehand."""
    made = agent(spec, chosen)
    return lambda stop: made.choose(chosen.start(), stream(1), stop)


def _longest(work: Callable[[Stop], object]) -> float:
    since = time.perf_counter()
    _delay(work, LONGEST)  # compiles; and shows how long it takes
    whole = min(LONGEST, time.perf_counter() - since)
    return 1000 * max(_delay(work, whole * moment / MOMENTS) for moment in range(1, MOMENTS))


def _delay(work: Callable[[Stop], object], seconds: float) -> float:
    """Seconds from the request to the end, whether the work gives up or returns what it has; 0 if it was done before."""
    stop = Stop()
    asked = [0.0]

    def ask() -> None:
        asked[0] = time.perf_counter()
        stop.ask()

    timer = threading.Timer(seconds, ask)
    timer.start()
    try:
        work(stop)
    except Stopped:
        pass
    finally:
        ended = time.perf_counter()
        timer.cancel()
    return ended - asked[0] if asked[0] else 0.0
