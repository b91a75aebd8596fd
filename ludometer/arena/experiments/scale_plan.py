"""The plan of a scale: which rungs there are at most, and how many pairs every match plays, fixed before the first game.

A rung plays the three players below it: its neighbour, and the two below that.  The precision asked for is that of the whole scale, the
half width of the interval of its last level.  It is shared out so that the games cost least: rungs that think twice as long play fewer
pairs, in proportion to one over the root of their cost.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from math import ceil, sqrt
from typing import Any

import numpy as np
from scipy.special import ndtri

from ludometer.arena.experiments.families import RANDOM, Family
from ludometer.arena.statistics.levels import LOGITS_PER_LEVEL, score_of_levels
from ludometer.arena.statistics.planning import INDEPENDENT_GAMES
from ludometer.core.errors import LudometerError

YARDSTICK = "uct"
REACH = 3  # players below a rung that it plays
LEAST_RUNGS = 6  # of a plan: 1, 2, 4, … 32 iterations
MOST_RUNGS = 24
FINEST, COARSEST = 0.05, 2.0  # levels: precisions that can be asked for
LEAST_PAIRS = 16  # of a match
MOST_PAIRS = 1 << 17  # of a match
OPENING_PLIES = 2

_ALPHA = 0.05
_NOMINAL_STEP = 1.0  # levels between rungs that a plan expects; smaller steps are measured more precisely
_OVERHEAD = 8.0  # iterations that a move costs beside its search


@dataclass(frozen=True)
class ScalePlan:
    """All that decides how a scale is measured."""

    game: str  # a reference
    rungs: int  # at most; rung k thinks 2^k iterations
    precision: float  # levels: half width of the 95 % interval of the last rung's level
    seed: int = 0
    opening_plies: int = OPENING_PLIES  # random moves before the players take over
    ply_limit: int | None = None
    perfect: tuple[str, ...] = ()  # specs of perfect players; empty if the game is not solved
    yardstick: str = YARDSTICK  # a family with the number of iterations as its main option

    def __post_init__(self) -> None:
        if not LEAST_RUNGS <= self.rungs <= MOST_RUNGS:
            raise LudometerError(f"a scale has from {LEAST_RUNGS} to {MOST_RUNGS} rungs, not {self.rungs}")
        if not FINEST <= self.precision <= COARSEST:
            raise LudometerError(f"a precision is a number of levels from {FINEST:g} to {COARSEST:g}, not {self.precision:g}")
        if self.opening_plies < 0:
            raise LudometerError(f"an opening has 0 or more plies, not {self.opening_plies}")

    def player(self, rung: int) -> str:
        """The spec of a rung; −1 is random play."""
        return RANDOM if rung < 0 else Family.of(self.yardstick).rung(str(1 << rung))

    @cached_property
    def pairs(self) -> tuple[int, ...]:
        """Pairs of each match of rung 0, 1, 2, … with a player below it."""
        return planned_pairs(self.rungs, self.precision)

    def document(self) -> dict[str, Any]:
        """For JSON and for the store."""
        return {**asdict(self), "perfect": list(self.perfect), "pairs": list(self.pairs)}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ScalePlan:
        """The inverse of `document`."""
        given = {field.name: document[field.name] for field in fields(cls)}
        return cls(**{**given, "perfect": tuple(given["perfect"])})

    @property
    def digest(self) -> str:
        """A hash of the plan, to be stored before the first game."""
        return hashlib.sha256(json.dumps(self.document(), sort_keys=True).encode()).hexdigest()[:16]


def cost_of(rung: int) -> float:
    """Relative cost of a move of a rung."""
    return _OVERHEAD + (1 << rung if rung >= 0 else 0)


def planned_pairs(rungs: int, precision: float) -> tuple[int, ...]:
    """Pairs of the matches of each rung that give the last level this precision at least cost."""
    goal = precision / float(ndtri(1 - _ALPHA / 2))
    shares = [1 / sqrt(cost_of(rung)) for rung in range(rungs)]
    low, high = 0.0, 1.0
    while expected_error(_pairs(shares, high)) > goal:
        low, high = high, 2 * high
        if min(_pairs(shares, high)) > MOST_PAIRS:
            raise LudometerError(f"±{precision:g} levels over {rungs} rungs take more than {MOST_PAIRS:,} pairs in a match")
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if expected_error(_pairs(shares, middle)) > goal else (low, middle)
    return _pairs(shares, high)


def _pairs(shares: Sequence[float], factor: float) -> tuple[int, ...]:
    return tuple(max(LEAST_PAIRS, ceil(factor * share)) for share in shares)


def expected_error(pairs: Sequence[int]) -> float:
    """Standard error in levels of the last rung's level with these pairs, if every step is worth one level."""
    size = len(pairs)
    information = np.zeros((size, size))
    for rung, number in enumerate(pairs):
        for below in range(rung - 1, rung - 1 - REACH, -1):
            if below < -1:
                break
            score = score_of_levels(_NOMINAL_STEP * (rung - below))
            weight = number * score * (1 - score) / INDEPENDENT_GAMES
            information[rung, rung] += weight
            if below >= 0:
                information[below, below] += weight
                information[rung, below] -= weight
                information[below, rung] -= weight
    last = np.zeros(size)
    last[-1] = 1.0
    return sqrt(float(last @ np.linalg.solve(information, last))) / LOGITS_PER_LEVEL


def planned_games(plan: ScalePlan) -> int:
    """Games of all matches, if no rung is left out; settling whether the scale ends takes more."""
    best = len(plan.perfect)
    return sum(2 * number * (min(REACH, rung + 1) + best + (best if rung == 0 else 0)) for rung, number in enumerate(plan.pairs))


@dataclass(frozen=True)
class Speed:
    """How long games take on this machine: seconds of one core for a game between two players, by their iterations."""

    per_game: float  # seconds beside all search
    per_iteration: float  # seconds, per game and iteration of one of the two players
    cores: int

    def seconds(self, plan: ScalePlan, first_rung: int = 0) -> float:
        """Wall time of the plan's matches from a rung on, those with perfect players included."""
        total = 0.0
        for rung, pairs in enumerate(plan.pairs):
            if rung < first_rung:
                continue
            for below in range(max(-1, rung - REACH), rung):
                total += 2 * pairs * self._game(rung, below)
            total += len(plan.perfect) * 2 * pairs * self._game(rung, -1)
        return total / self.cores

    def _game(self, rung: int, below: int) -> float:
        iterations = sum(1 << one for one in (rung, below) if one >= 0)
        return self.per_game + self.per_iteration * iterations


def plan_within(template: ScalePlan, speed: Speed, budget: float) -> ScalePlan:
    """The plan of the template's precision with the most rungs that the budget, in seconds, allows.

    Raises LudometerError if not even the shortest scale fits, and names plans that can be carried out.
    """
    from dataclasses import replace

    best = None
    for rungs in range(LEAST_RUNGS, template.rungs + 1):
        plan = replace(template, rungs=rungs)
        if speed.seconds(plan) > budget:
            break
        best = plan
    if best is not None:
        return best
    shortest = replace(template, rungs=LEAST_RUNGS)
    needed = speed.seconds(shortest)
    coarser = coarser_plan(shortest, speed, budget)
    instead = f", or ±{coarser.precision:.2f} levels in {budget:.0f} s" if coarser is not None else ""
    raise LudometerError(
        f"±{template.precision:g} levels cannot be reached in {budget:.0f} s: "
        f"{LEAST_RUNGS} rungs, the least, take {ceil(needed)} s on this machine; give {ceil(needed)} s{instead}"
    )


def coarser_plan(plan: ScalePlan, speed: Speed, budget: float) -> ScalePlan | None:
    """The plan with the same rungs and the best precision that fits into the budget; None if none does."""
    from dataclasses import replace

    precision = plan.precision
    while precision < COARSEST:
        precision = min(COARSEST, ceil(precision * 110) / 100)
        coarser = replace(plan, precision=precision)
        if speed.seconds(coarser) <= budget:
            return coarser
    return None
