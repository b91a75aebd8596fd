"""How fast a game is played on this machine, measured by a few games before a scale is planned."""

from __future__ import annotations

import time

from ludometer.arena.experiments.scale_plan import ScalePlan, Speed
from ludometer.arena.measurements.pairs import Pairing
from ludometer.core.stopping import Stop

_SECONDS = 0.25  # for each of the two measurements
_RUNG = 6  # of the second: 64 iterations against 32


def measure_speed(plan: ScalePlan, cores: int, stop: Stop) -> Speed:
    """Play some pairs of the weakest rungs, and of two rungs that think; raises Stopped once asked.

    Search that proves a position ends early, so a forecast for a small game is too long rather than too short.
    """
    light = _seconds_per_game(plan, 0, -1, stop)
    heavy = _seconds_per_game(plan, _RUNG, _RUNG - 1, stop)
    iterations = (1 << _RUNG) + (1 << (_RUNG - 1))
    return Speed(light, max(1e-9, heavy - light) / iterations, cores)


def _seconds_per_game(plan: ScalePlan, a: int, b: int, stop: Stop) -> float:
    pairing = Pairing.of(plan.game, plan.player(a), plan.player(b), plan.seed, plan.opening_plies, plan.ply_limit)
    pairing.work(0, 1, 1.0, stop)  # compiles
    pairs, taken, first = 1, 0.0, 1
    while taken < _SECONDS:
        began = time.perf_counter()
        pairing.work(first, pairs, 1.0, stop)
        taken = time.perf_counter() - began
        first += pairs
        if taken < _SECONDS:
            pairs = max(2 * pairs, min(8 * pairs, int(pairs * _SECONDS / max(taken, 1e-6))))
    return taken / (2 * pairs)
