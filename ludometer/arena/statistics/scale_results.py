"""What the matches of a scale say: levels of its rungs, its depth, its growth and mastery of the game.

Everything here is computed from counts alone, without a game, a store or a clock, so that published counts can be checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import inf, log

import numpy as np
from scipy.special import ndtri

from ludometer.arena.statistics.levels import LevelEstimate, LevelFit, fit_levels
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, Interval, PairCounts
from ludometer.arena.statistics.ratings import Cycle, HeadToHead, non_transitive_triples
from ludometer.core.errors import LudometerError

CLOSING_MARGIN = 0.1  # levels: what a doubling, or perfect play, may add to the last rung of a closed scale
CLOSING_STEPS = 3  # doublings in a row that are worth less
HORIZON = 3  # doublings: the last rung of a plateau also plays one of 8 times its budget
CLOSING_ERROR = 0.05  # of each one-sided statement
MISFIT_ERROR = 0.01  # of the statement that one scale does not fit

_RESAMPLES = 1000


@dataclass(frozen=True)
class Contest:
    """All pairs that two players played; the counts are those of `a`."""

    a: str
    b: str
    counts: PairCounts


@dataclass(frozen=True)
class Mastery:
    """Positions per decision at which a share of the way from random play to perfect play is covered; bounds may be None: not reached."""

    percent: int
    positions: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ScaleResult:
    """A scale: `rungs` from the weakest to the strongest, `perfect` players if the game is solved, and the games of all.

    `positions[k]` is how many positions rung k visits per decision.  Player 0 of the fit is random play.
    """

    random: str
    rungs: tuple[str, ...]
    positions: tuple[float, ...]
    perfect: tuple[str, ...]
    contests: tuple[Contest, ...]
    horizon: Contest | None = None  # of the last rung's far successor (a) against the last rung (b), where a plateau was tested

    def __post_init__(self) -> None:
        if len(self.rungs) != len(self.positions):
            raise LudometerError("a scale has a number of positions for every rung")

    # ---- the fit ----

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Random play, the rungs, the perfect players."""
        return (self.random, *self.rungs, *self.perfect)

    def place(self, player: str) -> int:
        """The number of a player in the fit."""
        return self.players.index(player)

    @cached_property
    def fitted(self) -> tuple[HeadToHead, ...]:
        """The matches behind the levels: perfect players enter with their games against the last three rungs."""
        near = set(self.rungs[-CLOSING_STEPS:])
        return tuple(
            HeadToHead.of(self.place(one.a), self.place(one.b), one.counts)
            for one in self.contests
            if one.counts.pairs and (one.a not in self.perfect or one.b in near)
        )

    @cached_property
    def fit(self) -> LevelFit:
        return fit_levels(self.fitted, len(self.players))

    def level(self, player: str, alpha: float = 0.05) -> LevelEstimate:
        """Of a player, over random play."""
        return self.fit.difference(self.place(player), 0, alpha)

    @property
    def fits(self) -> bool:
        """Whether one scale can explain all matches."""
        return self.fit.p_value > MISFIT_ERROR

    @cached_property
    def cycles(self) -> tuple[Cycle, ...]:
        """Cycles of three players that chance does not explain."""
        return tuple(one for one in non_transitive_triples(self.fitted) if one.shown)

    # ---- depth ----

    @cached_property
    def best(self) -> str:
        """The strongest perfect player; without one, the last rung."""
        if self.perfect:
            return max(self.perfect, key=lambda player: self.fit.levels[self.place(player)])
        return self.rungs[-1]

    @cached_property
    def depth(self) -> LevelEstimate:
        """Of a closed scale the level of the best player there is; of an open one that of the last rung, a lower bound."""
        last = self.rungs[-1]
        return self.level(last if self.is_open else max((self.best, last), key=lambda player: self.fit.levels[self.place(player)]))

    @property
    def growth(self) -> LevelEstimate:
        """Levels that the last doubling was worth."""
        return self.step(len(self.rungs) - 1)

    def step(self, rung: int) -> LevelEstimate:
        """Levels between a rung and the one below it."""
        return self.fit.difference(rung + 1, rung)

    def _worth_less(self, a: int, b: int, margin: float) -> bool:
        """Whether player a is shown to stand less than `margin` above b."""
        return self.fit.difference(a, b, 2 * CLOSING_ERROR).high < margin

    @property
    def reaches_perfect(self) -> bool:
        """Whether every perfect player is shown to add less than the margin to the last rung."""
        last = len(self.rungs)
        return bool(self.perfect) and all(self._worth_less(self.place(one), last, CLOSING_MARGIN) for one in self.perfect)

    @property
    def is_plateau(self) -> bool:
        """Whether each of the last doublings is shown to be worth less than the margin."""
        last = len(self.rungs)
        return last > CLOSING_STEPS and all(self._worth_less(last - k, last - k - 1, CLOSING_MARGIN) for k in range(CLOSING_STEPS))

    @property
    def passes_horizon(self) -> bool:
        """Whether 8 times the budget is shown to be worth less than three margins."""
        if self.horizon is None or not self.horizon.counts.pairs:
            return False
        alone = fit_levels([HeadToHead.of(1, 0, self.horizon.counts)], 2)
        return alone.difference(1, 0, 2 * CLOSING_ERROR).high < HORIZON * CLOSING_MARGIN

    @property
    def closed_by(self) -> str:
        """`perfect play`, `plateau`, or empty for an open scale."""
        if self.reaches_perfect:
            return "perfect play"
        if self.is_plateau and self.passes_horizon:
            return "plateau"
        return ""

    @property
    def is_open(self) -> bool:
        return not self.closed_by

    # ---- by resource ----

    def within(self, positions: float, alpha: float = 0.05) -> LevelEstimate | None:
        """Level reached with `positions` positions per decision; None beyond the last rung of an open scale.

        Between two rungs the level is interpolated on the logarithm of positions.  Below the first rung it is that of the first rung.
        """
        axis = np.log(np.maximum.accumulate(np.maximum(self.positions, 1.0)))
        here = log(max(positions, 1.0))
        weights = np.zeros(len(self.players))
        if here > axis[-1] + 1e-12:
            if self.is_open:
                return None
            weights[len(self.rungs)] = 1.0
        else:
            above = int(np.searchsorted(axis, here))
            share = 1.0 if above == 0 or axis[above] == axis[above - 1] else (here - axis[above - 1]) / (axis[above] - axis[above - 1])
            weights[above + 1] = share
            weights[above] += 1 - share
        return self.fit.combination(weights, alpha)

    def mastery(self, percents: Sequence[int] = (50, 90), seed: int = 0) -> tuple[Mastery, ...] | None:
        """Of a solved game; None without a perfect player.

        Scores against the first perfect player are made non-decreasing over the rungs.  Intervals are percentiles of resampled pairs.
        """
        if not self.perfect:
            return None
        order = (self.random, *self.rungs)
        found: Mapping[str, PairCounts] = {one.b: one.counts for one in self.contests if one.a == self.perfect[0]}
        known = [player for player in order if player in found and found[player].pairs]
        if len(known) < 2 or known[0] != self.random:
            return None
        axis = np.array([0.0, *(log(max(1.0, self.positions[self.rungs.index(player)])) for player in known[1:])])
        counts = np.array([found[player].pentanomial[::-1] for player in known], dtype=np.float64)
        drawn = np.random.default_rng(seed)
        samples = [counts, *(np.array([drawn.multinomial(int(row.sum()), row / row.sum()) for row in counts]) for _ in range(_RESAMPLES))]
        curves = [_non_decreasing(sample @ PAIR_SCORES / sample.sum(axis=1), sample.sum(axis=1)) for sample in samples]
        result = []
        for percent in percents:
            places = np.array([_crossing(axis, curve, percent / 100) for curve in curves])
            low, high = np.quantile(places[1:], [0.025, 0.975], method="inverted_cdf")
            result.append(Mastery(percent, *(None if place == inf else float(np.exp(place)) for place in (places[0], low, high))))
        return tuple(result)

    # ---- the game at its top ----

    def draws_and_first_move(self, rung: int) -> tuple[float, float, int]:
        """(share of draws, score of the first player, games) of a rung against its neighbour below."""
        below = self.players[rung]
        counts = next(one.counts for one in self.contests if one.a == self.rungs[rung] and one.b == below)
        wins, draws, _ = counts.first_player_results
        games = max(1, counts.games)
        return draws / games, (wins + draws / 2) / games, counts.games

    @property
    def games(self) -> int:
        return sum(one.counts.games for one in self.contests) + (self.horizon.counts.games if self.horizon else 0)


def _non_decreasing(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted least-squares fit that never falls (isotonic regression)."""
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(values, weights=weights).x)


def _crossing(axis: np.ndarray, scores: np.ndarray, share: float) -> float:
    """Where the scores have covered a share of the way from the first of them to ½; infinite if they never do."""
    goal = scores[0] + share * (0.5 - scores[0])
    if scores[0] >= 0.5:
        return float(axis[0])
    for (left, low), (right, high) in pairwise(zip(axis, scores)):
        if high >= goal:
            return float(left + (right - left) * (goal - low) / (high - low)) if high > low else float(left)
    return inf


@dataclass(frozen=True)
class Comparison:
    """How much deeper the first of two games is."""

    a: str
    b: str
    by: str  # depth, at least, or positions such as 10000
    difference: float  # levels
    interval: Interval  # corrected for the number of comparisons
    p_value: float  # corrected
    decided: bool
    games_needed: float  # that would probably decide it; infinite if no difference was measured
    warnings: tuple[str, ...] = field(default=())


BUDGETS = (100, 1_000, 10_000, 100_000)  # positions per decision at which scales are compared


def compare_scales(scales: Mapping[str, ScaleResult], alpha: float = 0.05) -> tuple[Comparison, ...]:
    """Every two games, with Holm's correction over all of them."""
    from itertools import combinations

    from scipy.special import ndtr

    from ludometer.arena.statistics.multiplicity import holm
    from ludometer.arena.statistics.planning import games_that_decide

    found = []
    for (a, one), (b, other) in combinations(scales.items(), 2):
        by, first, second = _common_ground(one, other)
        difference = first[0] - second[0]
        error = float(np.hypot(first[1], second[1]))
        p_value = float(2 * ndtr(-abs(difference) / error)) if error else float(difference == 0)
        found.append((a, b, by, difference, error, p_value, one.games + other.games))
    adjusted = holm([each[5] for each in found])
    order = sorted(range(len(found)), key=lambda place: found[place][5])
    result: list[Comparison | None] = [None] * len(found)
    divisor = len(found)
    for rank, place in enumerate(order):
        a, b, by, difference, error, _, games = found[place]
        decided = adjusted[place] <= alpha
        if decided or rank == 0:
            divisor = len(found) - rank
        reach = float(ndtri(1 - alpha / divisor / 2)) * error
        result[place] = Comparison(
            a,
            b,
            by,
            difference,
            Interval(difference - reach, difference + reach),
            adjusted[place],
            decided,
            games_that_decide(difference, error, games, alpha / divisor),
        )
        if decided:
            divisor = max(1, len(found) - rank - 1)
    return tuple(one for one in result if one is not None)


def _common_ground(one: ScaleResult, other: ScaleResult) -> tuple[str, tuple[float, float], tuple[float, float]]:
    """What two scales are compared by, and (level, standard error) of each."""

    def top(scale: ScaleResult) -> tuple[float, float]:
        last = len(scale.rungs)
        place = last if scale.is_open else max(range(last, len(scale.players)), key=lambda number: scale.fit.levels[number])
        return scale.fit.levels[place], scale.fit.standard_error(place, 0)

    if not one.is_open and not other.is_open:
        return "depth", top(one), top(other)
    if one.is_open != other.is_open:
        closed, opened = (other, one) if one.is_open else (one, other)
        if top(opened)[0] > top(closed)[0]:
            return "at least", top(one), top(other)
    reach = min(max(scale.positions) for scale in (one, other) if scale.is_open)
    budget = max((budget for budget in BUDGETS if budget <= reach), default=int(reach))

    def at(scale: ScaleResult) -> tuple[float, float]:
        found = scale.within(budget)
        assert found is not None, "both scales reach this number of positions"
        return found.level, found.half_width / float(ndtri(0.975))

    return f"{budget}", at(one), at(other)
