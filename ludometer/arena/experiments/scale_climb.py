"""Measuring a scale rung by rung, until it is closed or its plan ends.

The sizes of all matches follow from the plan and from the results of earlier rungs, never from a clock, so equal games give
equal scales.  Games themselves are played by a function `play`, so that synthetic players can take their place in tests.

    climb     the next rung plays the three players below it, and the perfect players if there are any
    settle    the last steps look as if the scale ends here: these matches grow to the size at which equal players are shown to be equal
    horizon   a settled plateau is tested once more, against 8 times the budget
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludometer.arena.experiments.families import RANDOM
from ludometer.arena.experiments.scale_plan import LEAST_RUNGS, MOST_PAIRS, REACH, ScalePlan
from ludometer.arena.statistics.levels import score_of_levels
from ludometer.arena.statistics.pair_counts import PairCounts, mean_score, pair_variance
from ludometer.arena.statistics.planning import pairs_for_equivalence
from ludometer.arena.statistics.scale_results import CLOSING_MARGIN, CLOSING_STEPS, HORIZON, Contest, ScaleResult
from ludometer.core.errors import LudometerError

MOST_SETTLING = 4096  # pairs of a match that settles whether a scale is closed
_POWER = 0.9  # of settling matches
_LEAST_DISPERSION = 0.02  # that is planned with: drawn games say little about rare decisive ones


@dataclass(frozen=True)
class Wanted:
    """A match and the number of pairs wanted of it."""

    a: str
    b: str
    pairs: int


@dataclass(frozen=True)
class Played:
    """What has been played of a match, and what its players did."""

    counts: PairCounts
    positions: tuple[float | None, float | None] = (None, None)  # per decision, of a and of b


Play = Callable[[Sequence[Wanted], str], "list[Played] | None"]  # (matches, what for) -> results, or None if it was stopped


class ScaleClimb:
    """A scale in the making: as far as its last finished stage."""

    def __init__(self, plan: ScalePlan, play: Play) -> None:
        self.plan = plan
        self.rungs = 0  # measured
        self.ended = ""  # why there are no more rungs: closed, rungs
        self._play = play
        self._wanted: dict[tuple[str, str], int] = {}
        self._played: dict[tuple[str, str], Played] = {}
        self._horizon: tuple[int, Played] | None = None  # (rung that was tested, its match)

    @property
    def is_done(self) -> bool:
        return bool(self.ended)

    def advance(self) -> bool:
        """Do the next stage; False if none is left or it was stopped, and then nothing has changed."""
        if self.is_done:
            return False
        rung = self.rungs
        if not self._stage(self._matches_of(rung), f"{self.plan.player(rung)}, rung {rung + 1} of at most {self.plan.rungs}"):
            return False
        self.rungs += 1
        if not self._close():
            self.rungs = rung
            return False
        if not self.ended and self.rungs == self.plan.rungs:
            self.ended = "rungs"
        return True

    def _matches_of(self, rung: int) -> list[Wanted]:
        plan, pairs = self.plan, self.plan.pairs[rung]
        player = plan.player(rung)
        below = [Wanted(player, plan.player(one), pairs) for one in range(rung - 1, max(-1, rung - REACH) - 1, -1)]
        perfect = [Wanted(best, player, pairs) for best in plan.perfect]
        if rung == 0:
            perfect += [Wanted(best, RANDOM, pairs) for best in plan.perfect]
        return below + perfect

    def _stage(self, wanted: Sequence[Wanted], what: str) -> bool:
        """Play matches up to the sizes wanted; False if that was stopped."""
        played = self._play(wanted, what)
        if played is None:
            return False
        for match, result in zip(wanted, played):
            self._wanted[match.a, match.b] = match.pairs
            self._played[match.a, match.b] = result
        return True

    # ---- closing ----

    def _close(self) -> bool:
        """See whether the scale ends at the last rung; False if that was stopped."""
        if self.rungs < LEAST_RUNGS:
            return True
        result = self.result()
        last = self.rungs - 1
        players = [self.plan.player(last - k) for k in range(CLOSING_STEPS + 1)]
        above = [result.fit.levels[result.place(best)] - result.fit.levels[result.place(players[0])] for best in self.plan.perfect]
        steps = [result.step(last - k).level for k in range(CLOSING_STEPS)]
        if above and max(above) < CLOSING_MARGIN:
            matches = [(best, players[0]) for best in self.plan.perfect]
        elif max(steps) < CLOSING_MARGIN:
            matches = list(pairwise(players))
        else:
            return True
        if not result.closed_by and not self._settle(matches):
            return False
        result = self.result()
        if not result.reaches_perfect and result.is_plateau and not self._test_horizon():
            return False
        if self.result().closed_by:
            self.ended = "closed"
        return True

    def _settle(self, matches: Sequence[tuple[str, str]]) -> bool:
        """Let matches grow to the size at which equal players are shown to be equal."""
        margin = score_of_levels(CLOSING_MARGIN) - 0.5
        wanted = [Wanted(a, b, max(self._wanted[a, b], self._settling_pairs(self._played[a, b].counts, margin))) for a, b in matches]
        return self._stage(wanted, "settling whether the scale ends here")

    @staticmethod
    def _settling_pairs(counts: PairCounts, margin: float) -> int:
        score = min(0.9, max(0.1, mean_score(counts.pentanomial)))
        dispersion = min(1.0, max(_LEAST_DISPERSION, pair_variance(counts.pentanomial) / (score * (1 - score))))
        return min(MOST_SETTLING, MOST_PAIRS, pairs_for_equivalence(margin, power=_POWER, dispersion=dispersion))

    def _test_horizon(self) -> bool:
        """Play the last rung against 8 times its budget; False if that was stopped."""
        rung = self.rungs - 1
        margin = score_of_levels(HORIZON * CLOSING_MARGIN) - 0.5
        match = Wanted(self.plan.player(rung + HORIZON), self.plan.player(rung), pairs_for_equivalence(margin, power=_POWER))
        played = self._play([match], "testing the end against 8 times the budget")
        if played is None:
            return False
        self._horizon = (rung, played[0])
        return True

    # ---- results ----

    def result(self) -> ScaleResult:
        """What the games say so far; raises LudometerError before the first rung is measured."""
        if not self.rungs:
            raise LudometerError("no rung of the scale has been measured yet")
        plan = self.plan
        rungs = tuple(plan.player(rung) for rung in range(self.rungs))
        known = {RANDOM, *rungs, *plan.perfect}
        horizon = None
        if self._horizon is not None and self._horizon[0] == self.rungs - 1:
            horizon = Contest(plan.player(self._horizon[0] + HORIZON), rungs[-1], self._horizon[1].counts)
        return ScaleResult(
            random=RANDOM,
            rungs=rungs,
            positions=tuple(self._positions(rung) for rung in range(self.rungs)),
            perfect=plan.perfect,
            contests=tuple(Contest(a, b, one.counts) for (a, b), one in self._played.items() if a in known and b in known),
            horizon=horizon,
        )

    def _positions(self, rung: int) -> float:
        """Positions visited per decision in this rung's own matches with players below it; its iterations if they were not counted."""
        player = self.plan.player(rung)
        found = [one.positions[0] for (a, _), one in self._played.items() if a == player and one.positions[0] is not None]
        return sum(found) / len(found) if found else float(1 << rung)
