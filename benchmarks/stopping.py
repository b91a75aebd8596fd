"""How long work goes on after it was asked to stop: milliseconds, the longest of several requests at moments spread over the work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from ludometer.solve import solve
from ludometer.solve.acyclic.search import Prover
from ludometer.solve.verification import verify

MOMENTS = 8


def compare() -> list[dict[str, Any]]:
    """A row for each kind of work."""
    solved = solve("quixo:4")
    works: dict[str, Callable[[Stop], object]] = {
        "solve quixo:4": lambda stop: solve("quixo:4", stop=stop),
        "solve mnk:4,4,4": lambda stop: solve("mnk:4,4,4", stop=stop),
        "solve dots:3x3": lambda stop: solve("dots:3x3", stop=stop),
        "verify quixo:4": lambda stop: verify(solved, stop=stop),
        "prove dots:3x4": lambda stop: Prover(game("dots:3x4"), 64).prove(game("dots:3x4").start(), stop=stop),
    }
    return [{"name": f"stop {name} ms", "ours": _longest(work), "peer": None, "ratio": None} for name, work in works.items()]


def _longest(work: Callable[[Stop], object]) -> float:
    since = time.perf_counter()
    _delay(work, 2.0)  # compiles; and shows how long it takes
    whole = min(2.0, time.perf_counter() - since)
    return 1000 * max(_delay(work, whole * moment / MOMENTS) for moment in range(1, MOMENTS))


def _delay(work: Callable[[Stop], object], seconds: float) -> float:
    """Seconds from the request to the end; 0 if the work was done before."""
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
        return time.perf_counter() - asked[0]
    finally:
        timer.cancel()
    return 0.0
