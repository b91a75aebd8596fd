"""Climbing a ladder stage by stage: which rungs there are, and how many pairs of games each two of them play.

The plan is a sequence of stages that depends on the seed and on results alone, so that whoever stops after stage n has what everybody
has after stage n.  Time decides at most how many stages are done.

    first     random, three small budgets and, where the game is solved, the perfect player: a few pairs each
    climb     one more rung, of twice the last budget, plays all others
    settle    the last four rungs look alike: they play each other twice as much, until they are shown to be equivalent, or not to be
    refine    there are enough rungs: the pairings that keep the bounds of N(p0) apart are doubled (`open_steps`)

A ladder ends at its *plateau*, when a larger budget is not *used* any more, or at a number of *rungs* that was fixed beforehand.  A
plateau is at least four rungs long, an eightfold budget, since a search may need several doublings to see one move farther; and
where the perfect player is known the last rung must be equivalent to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import Any

from ludometer.arena.experiments.depth_estimators import (
    EQUIVALENCE_ERROR,
    EQUIVALENCE_MARGIN,
    Curve,
    Mastery,
    ScoreBounds,
    mastery,
    open_steps,
    score_bounds,
)
from ludometer.arena.experiments.families import RANDOM, Family
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.totals import PairTotals, Thinking
from ludometer.arena.measurements.visits import POSITIONS, Visits, visits_per_decision
from ludometer.arena.statistics.match_statistics import score_of_elo
from ludometer.arena.statistics.pair_bounds import score_interval
from ludometer.arena.statistics.ratings import HeadToHead
from ludometer.arena.work.execution import StartedExecution
from ludometer.arena.work.series import fill
from ludometer.core.random import stream
from ludometer.games import game as find_game

FIRST_BUDGET = 4  # or the first of 8, 16, … that is used
LARGEST_FIRST_BUDGET = 1 << 12
FIRST_RUNGS = 3
FIRST_PAIRS = 16  # of every pairing
LEAST_RUNGS = 6  # budgets before a ladder may end at a plateau
PLATEAU = 4  # rungs of which one is made
STEPS = (0.5, 0.6, 0.75)  # p0: scores that a rung is to have against the one below it
REFINED = (0.6, 0.75)  # of these; equal players never settle whether they score ½
OPENING_PLIES = 2
ALPHA = 0.05
_USED = 1.1  # a larger budget is used if it visits so many times the positions
RESAMPLES = 2000  # of the bootstrap

Rung = float  # a budget; 0: random, infinity: the perfect player
Wants = dict[tuple[Rung, Rung], int]  # (lower, upper) -> pairs


@dataclass(frozen=True)
class Plan:
    """All that decides how a ladder is climbed."""

    game: str  # a reference
    family: str  # see `families.Family`
    perfect: str | None = None  # the spec of the perfect player; None: there is none
    seed: int = 0
    opening_plies: int = OPENING_PLIES  # random moves before the agents take over
    ply_limit: int | None = None
    most_rungs: int = 8  # budgets
    most_pairs: int = 256  # of a pairing

    @property
    def most_pairings(self) -> int:
        """Fixed beforehand: bounds share their error among so many pairings."""
        players = 1 + self.most_rungs + (self.perfect is not None)
        return players * (players - 1) // 2

    def player(self, rung: Rung) -> str:
        if rung == inf:
            return str(self.perfect)
        return RANDOM if rung == 0 else Family.of(self.family).rung(str(int(rung)))

    def pairing(self, lower: Rung, upper: Rung) -> Pairing:
        """The upper rung is A.  Each pairing has a seed, and so openings, of its own."""
        top = 2**32 - 1 if upper == inf else int(upper)
        seed = int(stream(self.seed, "rungs", int(lower), top)) >> 11
        return Pairing.of(self.game, self.player(upper), self.player(lower), seed, self.opening_plies, self.ply_limit)


def in_order(points: Iterable[Mastery]) -> Iterator[Mastery]:
    """More skill takes no less: what bounds a resource from below bounds all later ones, too."""
    least = 0.0
    for point in points:
        if point.low is not None:
            least = max(least, point.low)
            point = replace(point, low=least)
        yield point


class Climb:
    """A ladder in the making: as far as its last finished stage."""

    def __init__(self, plan: Plan, run: int, execution: StartedExecution) -> None:
        self.plan = plan
        self.stage = 0  # finished
        self.budgets: list[int] = []
        self.positions: list[float] = []  # visited per decision, of each budget; the budgets themselves where agents do not say
        self.counts_positions = True
        self.totals: dict[tuple[Rung, Rung], PairTotals] = {}
        self.ended = ""  # why no more rungs are added: plateau, used, rungs
        self.is_done = False  # nothing is left to refine
        self._wants: Wants = {}
        self._run = run
        self._execution = execution
        self._stop = execution.stop

    # ---- stages ----

    def advance(self) -> bool:
        """Do one more stage; False if there is none or it was stopped, and then nothing has changed."""
        wanted = self._next()
        if wanted is None:
            self.is_done = True
            return False
        budgets, wants = wanted
        totals = self._play(wants, f"stage {self.stage + 1}, {len(budgets)} rungs")
        positions = [] if self._stop.asked else self._count_positions(budgets)
        if self._stop.asked:
            return False
        self.stage += 1
        self._wants, self.totals = wants, totals
        known = [one for one in positions if one is not None]
        self.counts_positions = len(known) == len(budgets)
        self.budgets, self.positions = budgets, known if self.counts_positions else [float(budget) for budget in budgets]
        self._drop_unused()
        return True

    def _next(self) -> tuple[list[int], Wants] | None:
        """The budgets and pairs of the next stage; None if there is none."""
        if not self.budgets:
            first = self._first_budget()
            budgets = [first << place for place in range(min(FIRST_RUNGS, self.plan.most_rungs))]
            return budgets, dict.fromkeys(self._all_pairings(budgets), FIRST_PAIRS)
        looks_flat, is_flat = self._top()
        if self.ended in ("", "plateau"):  # more games can take a plateau back
            self.ended = "plateau" if is_flat else ""
        if not self.ended:
            top = [*self.rungs[-PLATEAU:], *([inf] if self.plan.perfect else [])]
            settling = self._doubled(combinations(top, 2)) if looks_flat else None
            if settling is not None:
                return self.budgets, settling
            if len(self.budgets) < self.plan.most_rungs:
                budgets = [*self.budgets, 2 * self.budgets[-1]]
                return budgets, dict.fromkeys(self._all_pairings(budgets), FIRST_PAIRS) | self._wants
            self.ended = "rungs"
        players, bounds = self.players, self.bounds()
        steps = {(players[lower], players[upper]) for p0 in REFINED for lower, upper in open_steps(bounds, p0)}
        refined = self._doubled(sorted(steps))
        return None if refined is None else (self.budgets, refined)

    def _first_budget(self) -> int:
        """The smallest budget that is used: a search that looks at every move at least once does so with any smaller one."""
        budget = FIRST_BUDGET
        least = self._visited(budget)
        while least is not None and budget < LARGEST_FIRST_BUDGET and not self._stop.asked:
            more = self._visited(2 * budget)
            if more is None or more > _USED * least:
                return budget
            budget, least = 2 * budget, more
        return FIRST_BUDGET

    def _visited(self, budget: int) -> float | None:
        """Positions per decision; None if the agent does not say, or it was stopped."""
        return self._count_positions([budget])[0]

    def _all_pairings(self, budgets: list[int]) -> list[tuple[Rung, Rung]]:
        return list(combinations([0.0, *map(float, budgets), *([inf] if self.plan.perfect else [])], 2))

    def _doubled(self, pairings: Any) -> Wants | None:
        """The wants with these pairings doubled, as far as that is allowed; None if it is not for any."""
        more = {pairing: min(2 * self._wants[pairing], self.plan.most_pairs) for pairing in pairings}
        changed = {pairing: pairs for pairing, pairs in more.items() if pairs > self._wants[pairing]}
        return self._wants | changed if changed else None

    def _top(self) -> tuple[bool, bool]:
        """Whether the last rungs look alike, and whether they are shown to be equivalent, to perfect play too where that is known."""
        if len(self.budgets) < LEAST_RUNGS:
            return False, False
        curve = self.curve()
        tops = [*curve.elo[-PLATEAU:], *([curve.asymptote] if self.plan.perfect else [])]
        looks_flat = all(abs(elo - curve.elo[-1]) < EQUIVALENCE_MARGIN for elo in tops)
        is_flat = curve.plateau is not None and curve.plateau <= len(self.rungs) - PLATEAU
        return looks_flat, is_flat and (self.plan.perfect is None or self._is_perfect())

    def _is_perfect(self) -> bool:
        """Whether the last rung is shown to be equivalent to the perfect player, by their games."""
        counts = self.totals[self.rungs[-1], inf].counts
        interval = score_interval(counts.pentanomial, EQUIVALENCE_ERROR)
        return score_of_elo(-EQUIVALENCE_MARGIN) < interval.low <= interval.high < score_of_elo(EQUIVALENCE_MARGIN)

    def _play(self, wants: Wants, what: str) -> dict[tuple[Rung, Rung], PairTotals]:
        pairings = {rungs: self.plan.pairing(*rungs) for rungs in wants}
        for rungs, pairing in pairings.items():
            self._execution.store.want(self._run, self._execution.store.series(pairing.key(), pairing.document()), wants[rungs])
        head = f"{find_game(self.plan.game).spec}, {self.plan.family}: {what}"

        played = play_pairings([(pairing, wants[rungs]) for rungs, pairing in pairings.items()], self._execution, text=head)
        return dict(zip(wants, played))

    def _count_positions(self, budgets: list[int]) -> list[float | None]:
        """Visited per decision by each budget; None if the agent does not say, or it was stopped."""
        subjects = [Visits.of(self.plan.game, self.plan.player(float(budget))) for budget in budgets]
        units = fill([(subject, POSITIONS) for subject in subjects], self._execution)
        return [visits_per_decision(one) for one in units]

    def _drop_unused(self) -> None:
        """A budget that visits no more than the one before it is no rung; the ladder ends below it."""
        below = 0.0
        for place, positions in enumerate(self.positions):
            if positions <= _USED * below:
                left_out = set(map(float, self.budgets[place:]))
                self.budgets, self.positions = self.budgets[:place], self.positions[:place]
                self.totals = {rungs: total for rungs, total in self.totals.items() if not left_out & set(rungs)}
                self._wants = {rungs: pairs for rungs, pairs in self._wants.items() if not left_out & set(rungs)}
                self.ended = "used"
                return
            below = positions

    # ---- what is known ----

    @property
    def rungs(self) -> list[Rung]:
        """Random and the budgets."""
        return [0.0, *map(float, self.budgets)]

    @property
    def players(self) -> list[Rung]:
        """All of them, from the lowest to the highest."""
        return [*self.rungs, inf] if self.plan.perfect else self.rungs

    def pairings(self) -> list[HeadToHead]:
        """Who played whom, as places in `players`."""
        place = {rung: number for number, rung in enumerate(self.players)}
        return [HeadToHead.of(place[upper], place[lower], total.counts) for (lower, upper), total in self.totals.items()]

    def curve(self) -> Curve:
        """Ratings against positions visited."""
        budgets, is_solved = [0.0, *self.positions], self.plan.perfect is not None
        found = mastery(self.pairings(), budgets, is_solved, alpha=ALPHA, resamples=RESAMPLES, seed=self.plan.seed)
        return replace(found, mastery=tuple(in_order(found.mastery)))

    def bounds(self) -> ScoreBounds:
        """Of all scores together, valid although results decided how many games were played."""
        pairings = self.pairings()
        share = ALPHA * len(pairings) / self.plan.most_pairings  # so that each pairing has ALPHA / most_pairings
        return score_bounds(pairings, len(self.players), share, method="anytime")

    def thinking(self, rung: Rung) -> Thinking:
        """Time that a rung was seen thinking."""
        found = Thinking()
        for (lower, upper), total in self.totals.items():
            for side, one in ((0, upper), (1, lower)):
                if one == rung:
                    found += total.thinking[side]
        return found
