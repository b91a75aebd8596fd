"""Depth as numbers: what a strategy ladder says of a game.

A ladder is a row of players ("rungs") in order of the resources they use: rung 0 plays at random, later rungs have larger
budgets, and the perfect player, where one is known, comes last.  Here rungs are the players 0, 1, 2, … of `ratings.HeadToHead`.

1. `distinguishable_rungs`: how many steps of a given size the ladder has, with bounds that need no model.
2. `mastery`: the budget that reaches a given share of the skill there is, by ratings, with a bootstrap interval.
3. `skill_range`: the distance from random to the best player in Elo, in three ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometer.arena.statistics.bootstrap import Bootstrap, Method
from ludometer.arena.statistics.confidence_sequence import anytime_interval
from ludometer.arena.statistics.match_statistics import EloEstimate, clopper_pearson, elo_estimate, kl_interval
from ludometer.arena.statistics.pair_bounds import lower_bounds
from ludometer.arena.statistics.pair_counts import Interval, checked_error, mean_score
from ludometer.arena.statistics.ratings import HeadToHead, counts_of, fit, strength_groups
from ludometer.core.errors import LudometerError

EQUIVALENCE_MARGIN = 25.0  # Elo
EQUIVALENCE_ERROR = 0.10  # the interval of a difference that must lie within the margin has 90 %
_ROUNDING = 1e-9  # Elo: ratings nearer than this are equal

BoundMethod = Literal["pair", "game", "anytime"]
Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreBounds:
    """Bounds for the true score of every rung against every lower one that hold together, except with probability alpha.

    `low[j, i]` and `high[j, i]` bound the score of rung j against rung i, j > i; 0 and 1 where they did not play.
    """

    low: Array  # (rungs, rungs)
    high: Array  # (rungs, rungs)


def score_bounds(pairings: Sequence[HeadToHead], rungs: int, alpha: float = 0.05, method: BoundMethod = "pair") -> ScoreBounds:
    """Two-sided bounds at alpha/(2M) each side for M pairings.

    `pair` takes pairs as independent (`pair_bounds.score_interval`).  `game` takes single games so: Clopper–Pearson where there
    are no draws, KL–Chernoff elsewhere.  `anytime` is for pairs whose number was decided by looking at results
    (`confidence.anytime_interval`).
    """
    checked_error(alpha)
    counts_of(pairings, rungs)
    low, high = np.zeros((rungs, rungs)), np.ones((rungs, rungs))
    for pairing in pairings:
        upper, lower = max(pairing.a, pairing.b), min(pairing.a, pairing.b)
        interval = _pairing_interval(pairing.for_player(upper), pairing.draws, alpha / len(pairings), method)
        low[upper, lower], high[upper, lower] = interval.low, interval.high
    return ScoreBounds(low, high)


def _pairing_interval(counts: tuple[int, ...], draws: int | None, alpha: float, method: BoundMethod) -> Interval:
    if method == "anytime":
        return anytime_interval(counts, alpha)
    if method == "pair":
        both = lower_bounds(np.array([counts, counts[::-1]]), alpha / 2)
        return Interval(float(both[0]), 1 - float(both[1]))
    games = 2 * sum(counts)
    if draws == 0:
        return clopper_pearson(round(mean_score(counts) * games), games, alpha)
    return kl_interval(mean_score(counts), games, alpha)


@dataclass(frozen=True)
class RungCount:
    """The number of distinguishable rungs lies from `low` to `high`."""

    p0: float
    low: int
    high: int


def distinguishable_rungs(bounds: ScoreBounds, p0: float) -> RungCount:
    """N(p0): how many rungs one can climb so that each scores at least p0 against the one before.

    `low` counts the steps shown to be that large, `high` those not shown to be smaller.  All p0 may be asked of the same
    bounds: they hold together.
    """
    return RungCount(_checked_step(p0), longest_path(bounds.low > p0), longest_path(bounds.high >= p0))


def true_rungs(scores: ArrayLike, p0: float) -> int:
    """N(p0) for known scores: `scores[j, i]` of rung j against rung i."""
    return longest_path(np.asarray(scores) >= _checked_step(p0))


def longest_path(steps: ArrayLike) -> int:
    """The most rungs on a way upwards; `steps[j, i]` says whether one may go from rung i to a higher rung j."""
    return int(max(_longest_below(np.asarray(steps, dtype=bool)), default=0))


def _longest_below(steps: NDArray[np.bool_]) -> list[int]:
    """For each rung, the most rungs on a way that ends there."""
    most: list[int] = []
    for upper in range(len(steps)):
        most.append(1 + max((most[lower] for lower in range(upper) if steps[upper, lower]), default=0))
    return most


def open_steps(bounds: ScoreBounds, p0: float) -> list[tuple[int, int]]:
    """The steps (lower rung, upper rung) that keep the two counts apart: undecided, and on a way longer than the one shown.

    More games there narrow N(p0); more games elsewhere do not.
    """
    shown = longest_path(bounds.low > _checked_step(p0))
    possible = bounds.high >= p0
    ending = _longest_below(possible)
    beginning = _longest_below(possible[::-1, ::-1].T)[::-1]
    rungs = len(possible)
    return [
        (lower, upper)
        for lower in range(rungs)
        for upper in range(lower + 1, rungs)
        if bounds.low[upper, lower] <= p0 <= bounds.high[upper, lower] and ending[lower] + beginning[upper] > shown
    ]


def _checked_step(p0: float) -> float:
    if not 0.5 <= p0 < 1:
        raise LudometerError(f"a step of a ladder is a score from 0.5 to below 1, not {p0:g}")
    return p0


@dataclass(frozen=True)
class Mastery:
    """The budget c_X at which a ladder reaches X % of the skill there is.

    `status` is `reached`; `first` where the first budget already does, so that `estimate` is only an upper bound; or `censored`
    where the ladder is too short to say: c_X is then over `low`, and `estimate` and `high` are None.  It is `flat` where the ladder
    is not shown to rise at all: there is no skill to master, and all three are None.  `high` is None too where the upper tail of the
    resamples never reaches X %.
    """

    percent: float
    estimate: float | None
    low: float | None
    high: float | None
    status: Literal["reached", "first", "censored", "flat"]


@dataclass(frozen=True)
class Curve:
    """Strength against resources, and what follows from it.

    `plateau` is the first rung from which on all are equivalent to the last one: the 90 % interval of the difference lies within ±25 Elo.
    None: no plateau is shown, which is not the same as "still rising".
    """

    budgets: tuple[float, ...]
    elo: tuple[float, ...]  # of the rungs, random at 0
    intervals: tuple[Interval, ...]
    isotonic: tuple[float, ...]  # the nearest curve that never falls
    asymptote: float  # Elo: the perfect player's, or the last rung's
    plateau: int | None
    mastery: tuple[Mastery, ...]


def mastery(
    pairings: Sequence[HeadToHead],
    budgets: Sequence[float],
    perfect: bool = False,
    percents: Sequence[float] = (50, 90),
    alpha: float = 0.05,
    resamples: int = 2000,
    seed: int = 0,
    method: Method = "bca",
) -> Curve:
    """The curve of a ladder with one budget per rung (0 allowed for the first); a perfect player is one more player, the last.

    Every resample is rated, made monotone and read off anew.  With a perfect player his rating is what there is to reach;
    otherwise it is the last rung's, and that means something only if the plateau is shown: without it every c_X is censored.
    """
    rungs = len(budgets)
    if rungs < 2 or budgets[0] < 0 or any(upper <= lower for lower, upper in zip(budgets, budgets[1:])):
        raise LudometerError("the budgets of a ladder are at least two increasing numbers from 0 on")
    players = rungs + perfect
    bootstrap = Bootstrap.over(counts_of(pairings, players), resamples, seed)
    elo = fit(bootstrap.samples, pairings, players)
    curve = isotonic(elo[:, :rungs])
    asymptote = elo[:, -1] if perfect else curve[:, -1]
    plateau = _plateau(elo[:, :rungs], bootstrap, method)
    rises = bootstrap.interval(asymptote, alpha, method).low > 0
    known = perfect or plateau is not None
    found = []
    for percent in percents:
        if not 0 < percent <= 100:
            raise LudometerError(f"a share of the skill lies between 0 and 100 %, not {percent:g}")
        crossings = _crossings(curve, percent / 100 * asymptote, budgets)
        interval = bootstrap.interval(crossings, alpha, method)
        found.append(
            _read_off(percent, float(crossings[0]), interval, known, budgets) if rises else Mastery(percent, None, None, None, "flat")
        )
    return Curve(
        budgets=tuple(float(budget) for budget in budgets),
        elo=tuple(float(value) for value in elo[0, :rungs]),
        intervals=tuple(Interval(0.0, 0.0) if i == 0 else bootstrap.interval(elo[:, i], alpha, method) for i in range(rungs)),
        isotonic=tuple(float(value) for value in curve[0]),
        asymptote=float(asymptote[0]),
        plateau=plateau,
        mastery=tuple(found),
    )


def isotonic(ratings: ArrayLike) -> Array:
    """(…, rungs) the nearest curves (least squares) that never fall, for curves (…, rungs).

    At rung i: the maximum over j ≤ i of the minimum over k ≥ i of the mean from j to k.
    """
    values = np.asarray(ratings, dtype=np.float64)
    rungs = values.shape[-1]
    sums = np.concatenate([np.zeros((*values.shape[:-1], 1)), np.cumsum(values, axis=-1)], axis=-1)
    lengths = np.arange(rungs)[None, :] - np.arange(rungs)[:, None] + 1
    means = (sums[..., None, 1:] - sums[..., :-1, None]) / np.maximum(lengths, 1)
    means = np.where(lengths > 0, means, np.inf)
    least = np.minimum.accumulate(means[..., ::-1], axis=-1)[..., ::-1]  # [j, i]: over k ≥ i
    least = np.where(lengths > 0, least, -np.inf)
    return np.asarray(least.max(axis=-2))


def _plateau(elo: Array, bootstrap: Bootstrap, method: Method) -> int | None:
    """The first rung from which on all are shown to be equivalent to the last; None if not even the last but one is."""
    start = None
    for rung in range(elo.shape[1] - 2, -1, -1):
        difference = bootstrap.interval(elo[:, -1] - elo[:, rung], EQUIVALENCE_ERROR, method)
        if not -EQUIVALENCE_MARGIN < difference.low <= difference.high < EQUIVALENCE_MARGIN:
            break
        start = rung
    return start


def _crossings(curve: Array, level: Array, budgets: Sequence[float]) -> Array:
    """(samples,) log2 of the budget at which each curve first reaches its level, linear between rungs; ∞ where it does not.

    Below the first budget over 0 nothing can be read off: that budget is given instead.
    """
    first = next(budget for budget in budgets if budget > 0)
    logs = np.log2([budget or first for budget in budgets])
    reached = curve >= level[:, None] - _ROUNDING
    upper = reached.argmax(axis=1)
    lower, rows = np.maximum(upper - 1, 0), np.arange(len(curve))
    rise = curve[rows, upper] - curve[rows, lower]
    share = np.where(rise > 0, (level - curve[rows, lower]) / np.where(rise > 0, rise, 1.0), 1.0)
    between = logs[lower] + np.clip(share, 0.0, 1.0) * (logs[upper] - logs[lower])
    return np.where(reached.any(axis=1), between, np.inf)


def _read_off(percent: float, crossing: float, interval: Interval, known: bool, budgets: Sequence[float]) -> Mastery:
    """From log2 of the budget to the budget; `known`: whether the asymptote is."""
    low = 2.0**interval.low if isfinite(interval.low) else float(budgets[-1])
    if not known or not isfinite(crossing):
        return Mastery(percent, None, low, None, "censored")
    estimate = 2.0**crossing
    first = next(budget for budget in budgets if budget > 0)
    high = 2.0**interval.high if isfinite(interval.high) else None
    return Mastery(percent, estimate, low, high, "first" if estimate <= first * (1 + 1e-12) else "reached")


@dataclass(frozen=True)
class SkillRange:
    """The distance from rung 0 to the best player in Elo, three times; None where the games for it were not played.

    They differ: one scale does not fit every game, and the direct score says little near 100 %.  An estimate that is `open_high` is a
    lower bound.
    """

    direct: EloEstimate | None
    bradley_terry: EloEstimate
    chain: EloEstimate | None


def skill_range(
    pairings: Sequence[HeadToHead], players: int, alpha: float = 0.05, resamples: int = 2000, seed: int = 0, method: Method = "bca"
) -> SkillRange:
    """From the random player, 0, to the best one, the last."""
    bootstrap = Bootstrap.over(counts_of(pairings, players), resamples, seed)
    elo = fit(bootstrap.samples, pairings, players)[:, -1]
    interval = bootstrap.interval(elo, alpha, method)
    groups = strength_groups(pairings, players)
    apart = not any({0, players - 1} <= set(group) for group in groups)
    played = {(max(p.a, p.b), min(p.a, p.b)): p.for_player(max(p.a, p.b)) for p in pairings}
    direct = played.get((players - 1, 0))
    steps = [played.get((upper, upper - 1)) for upper in range(1, players)]
    known = [step for step in steps if step is not None]
    return SkillRange(
        direct=elo_estimate(direct, alpha) if direct else None,
        bradley_terry=EloEstimate(float(elo[0]), interval.low, interval.high, open_high=apart and bool(elo[0] > 0)),
        chain=_sum([elo_estimate(step, alpha) for step in known]) if len(known) == len(steps) else None,
    )


def _sum(steps: list[EloEstimate]) -> EloEstimate:
    """The sum of independent estimates; its interval joins theirs by squares (the MOVER method of Zou and Donner 2008)."""
    total = sum(step.elo for step in steps)
    down = sqrt(sum((step.elo - step.low) ** 2 for step in steps))
    up = sqrt(sum((step.high - step.elo) ** 2 for step in steps))
    return EloEstimate(total, total - down, total + up, any(step.open_low for step in steps), any(step.open_high for step in steps))


def deeper(families: Mapping[str, tuple[Interval, Interval]]) -> Literal["first", "second", "unclear"]:
    """Which of two games is deeper, given for each family of agents the intervals of one number for both games.

    Only where the intervals are disjoint, in the same order, in every family.
    """
    verdicts = {"first" if a.low > b.high else "second" if b.low > a.high else "unclear" for a, b in families.values()}
    if verdicts == {"first"}:
        return "first"
    return "second" if verdicts == {"second"} else "unclear"
