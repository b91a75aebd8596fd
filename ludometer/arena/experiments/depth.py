"""Depth as a number: how many distinguishable steps a game's ladder has, what mastering it takes, and how far it reaches.

    depth("quixo:3", "quixo:4")
    depth("my_game.py", seconds=60)             # as far as a minute goes

A ladder depends on the agents that climb it, so each game is measured with two families (see `families.usual_families`), and one game is
called deeper than another only where the intervals are disjoint, in the same order, in every family.  Games are compared on the axis
of positions visited per decision.  docs/depth.md explains the numbers, docs/statistics.md the estimators.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import Any

from ludometer.arena.experiments.climbing import ALPHA, OPENING_PLIES, RESAMPLES, STEPS, Climb, Plan
from ludometer.arena.experiments.depth_estimators import Curve, RungCount, SkillRange, deeper, distinguishable_rungs, skill_range
from ludometer.arena.experiments.families import PERFECT, Family, usual_families
from ludometer.arena.statistics.match_statistics import EloEstimate
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.statistics.ratings import HeadToHead
from ludometer.arena.statistics.transitivity import Transitivity, transitivity
from ludometer.arena.work.deadline import Deadline
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.games import game as find_game

MOST_RUNGS = 8  # budgets 4 … 512
MOST_GAMES = 512  # of a pairing
MOST_RUNGS_IN_TIME = 14  # the same where time sets the limit
MOST_GAMES_IN_TIME = 8192
_TABLES = ":tables="  # in the spec of a perfect player, before the folder
_SECONDS_BETWEEN_NOTES = 1.0  # at least, between two results kept while the measuring goes on
_NOTING_SHARE = 0.05  # of the time, at most, that may go into them
COMPARED = ("rungs 0.6", "rungs 0.75", "mastery 50", "mastery 90", "range")


@dataclass(frozen=True)
class FamilyDepth:
    """One game's ladder, climbed by one family of agents."""

    plan: Plan
    stage: int  # of the plan: how far it was measured
    ended: str  # why there are no more rungs: plateau, used, rungs, budget, stages, stopped, going on
    is_done: bool  # whether the plan came to its end
    budgets: tuple[int, ...]
    positions: tuple[float, ...]  # visited per decision, of each budget
    counts_positions: bool  # False: agents do not say, and `positions` are the budgets
    seconds: tuple[float | None, ...]  # per move, of each budget, as measured here
    players: tuple[str, ...]  # random, the budgets, the perfect player if there is one
    pairings: tuple[HeadToHead, ...]
    rungs: tuple[RungCount, ...]
    curve: Curve
    range: SkillRange
    transitivity: Transitivity
    work: float  # seconds on one core, over all continuations

    @property
    def games(self) -> int:
        return sum(2 * sum(pairing.pentanomial) for pairing in self.pairings)

    def interval(self, what: str) -> Interval | None:
        """The interval of one of the COMPARED numbers; None where there is no such number."""
        name, _, number = what.partition(" ")
        if name == "rungs":
            found = next(one for one in self.rungs if one.p0 == float(number))
            return Interval(found.low, found.high)
        if name == "range":
            estimate = self.range.bradley_terry
            return Interval(estimate.low, inf if estimate.open_high else estimate.high)
        point = next(one for one in self.curve.mastery if one.percent == float(number))
        if point.low is None:
            return None
        return Interval(0.0 if point.status == "first" else point.low, inf if point.high is None else point.high)

    def document(self) -> dict[str, Any]:
        """For JSON."""
        first, *later = self.curve.intervals
        return {
            "family": self.plan.family,
            "seed": self.plan.seed,
            "opening_plies": self.plan.opening_plies,
            "stage": self.stage,
            "ended": self.ended,
            "complete": self.is_done,
            "games": self.games,
            "rungs": {f"{one.p0:g}": [one.low, one.high] for one in self.rungs},
            "mastery": {f"{one.percent:g}": [one.estimate, one.low, one.high] for one in self.curve.mastery},
            "mastery_status": {f"{one.percent:g}": one.status for one in self.curve.mastery},
            "range": {name: _elo(getattr(self.range, name)) for name in ("direct", "bradley_terry", "chain")},
            "transitivity": self.transitivity.value,
            "transitivity_within_chance": self.transitivity.within_chance,
            "plateau": None if self.curve.plateau is None else ([0, *self.budgets][self.curve.plateau]),
            "axis": "positions visited per decision" if self.counts_positions else "budget",
            "curve": [
                {
                    "player": player,
                    "budget": budget,
                    "positions": positions,
                    "seconds_per_move": seconds,
                    "elo": elo,
                    "interval": [interval.low, interval.high],
                }
                for player, budget, positions, seconds, elo, interval in zip(
                    self.players, (0, *self.budgets), (0.0, *self.positions), (None, *self.seconds), self.curve.elo, (first, *later)
                )
            ],
            "perfect": {"player": self.players[-1], "elo": self.curve.asymptote} if self.plan.perfect else None,
            "pairs": [
                {"a": self.players[one.a], "b": self.players[one.b], "score": one.score, "games": 2 * sum(one.pentanomial)}
                for one in self.pairings
            ],
            "work": self.work,
        }


def _elo(estimate: EloEstimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {"elo": estimate.elo, "interval": [estimate.low, estimate.high], "at_least": estimate.open_high}


@dataclass(frozen=True)
class GameDepth:
    """One game's depth, by family; the first one is the one quoted."""

    game: str
    families: tuple[FamilyDepth, ...]
    notes: tuple[str, ...] = ()

    @property
    def usual(self) -> FamilyDepth:
        return self.families[0]

    def document(self) -> dict[str, Any]:
        """For JSON: the numbers of the first family, and all families."""
        first = self.usual.document()
        kept = ("family", "rungs", "mastery", "mastery_status", "range", "transitivity", "ended", "stage", "seed")
        return {
            "game": self.game,
            **{name: first[name] for name in kept},
            "families": [family.document() for family in self.families],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Comparison:
    """Which of two games is deeper by one number: `first`, `second` or `unclear`; and what each family says."""

    what: str  # one of COMPARED
    first: str
    second: str
    verdict: str
    families: Mapping[str, str]

    def document(self) -> dict[str, Any]:
        deeper_game = {"first": self.first, "second": self.second}.get(self.verdict)
        return {"by": self.what, "games": [self.first, self.second], "deeper": deeper_game, "families": dict(self.families)}


@dataclass(frozen=True)
class Depth:
    """The depth of several games, and how they compare."""

    games: tuple[GameDepth, ...]
    comparisons: tuple[Comparison, ...]
    run: int | None = None

    def document(self) -> dict[str, Any]:
        """For JSON; for a single game its numbers stand at the top as well."""
        games = [game.document() for game in self.games]
        top = games[0] if len(games) == 1 else {}
        return {**top, "games": games, "comparisons": [one.document() for one in self.comparisons], "run": self.run}

    def __str__(self) -> str:
        from ludometer.view.results.depths import depth_text

        return depth_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.depths import depth_html

        return depth_html(self)

    def plot(self, path: str | None = None) -> Any:
        """Strength against positions visited, a curve for each game and family; written to `path` if one is given."""
        from ludometer.view.results.depths import depth_plot

        return depth_plot(self, path)

    def to_frame(self) -> Any:
        """A pandas data frame with a row for each rung of each ladder."""
        return data_frame(
            {"game": game.game, "family": family.plan.family, **row}
            for game in self.games
            for family in game.families
            for row in family.document()["curve"]
        )


def depth(
    *games: Game | str,
    families: Sequence[str] = (),
    seconds: float | None = None,
    stages: int | None = None,
    most_rungs: int | None = None,
    most_games: int | None = None,
    seed: int = 0,
    opening_plies: int = OPENING_PLIES,
    ply_limit: int | None = None,
    tables: str = "",
    perfect: bool = True,
    execution: Execution | None = None,
) -> Depth:
    """Measure the depth of games: the number of levels between random play and the strongest known play.

        games          games or their specs
        families       families of agents that climb; default: tree search, and alpha-beta by nodes if the game has an evaluation
        seconds        for the whole measurement; the first stage of every ladder is always played
        stages         stages of the plan that are done; default: all
        most_rungs     budgets on a ladder, each twice the last; default: 8, or 14 with `seconds`
        most_games     games of a pairing; default: 512, or 8192 with `seconds`
        seed           decides all chance
        opening_plies  random moves at the beginning of every pair of games
        ply_limit      moves after which a game is drawn; default: the game's own limit
        tables         folder with solved tables; default: the user's
        perfect        measure the perfect player if the game is solved or can be solved quickly
        execution      workers, store, progress and stop; default: all cores, and nothing is kept

    The result depends on the seed and on the number of stages done.  Raises LudometerError.

    >>> depth = lm.depth("tictactoe", most_rungs=2, most_games=32, perfect=False, seed=1)
    >>> [row["game"] for row in depth.document()["games"]]
    ['mnk:3,3,3']
    """
    plans = [
        _plans(
            find_game(game), families, seed, opening_plies, ply_limit, tables if perfect else None, *_most(most_rungs, most_games, seconds)
        )
        for game in games
    ]
    if not plans:
        raise LudometerError("depth needs a game")
    began = time.perf_counter()
    with (execution or Execution()).started() as work, Deadline(work.stop, seconds) as limit:
        kept = work.store
        request = {"plans": [plan.__dict__ for group, _ in plans for plan in group], "unit_size": 2}
        specs = [find_game(group[0].game).spec for group, _ in plans]
        run = kept.begin_run("depth", ", ".join(specs), tuple(dict.fromkeys(plan.family for group, _ in plans for plan in group)), request)
        climbs = [[Climb(plan, run, replace(work, stop=limit.stop)) for plan in group] for group, _ in plans]

        def measured(ended: str) -> Depth:
            """What all ladders say after their last finished stages; `ended` is said of those that do not say it themselves."""
            found = tuple(
                GameDepth(spec, tuple(_measured(climb, ended) for climb in group), notes)
                for spec, group, (_, notes) in zip(specs, climbs, plans)
            )
            return Depth(found, compare(found), work.run_number(run))

        noting = _Noting(kept, run, lambda: measured("going on")) if work.is_kept else None
        try:
            _climb([climb for group in climbs for climb in group], limit, stages, noting)
        finally:
            kept.note(run, time.perf_counter() - began)
        if not all(climb.stage for group in climbs for climb in group):
            limit.stop.check("the measuring of depth")
        result = measured("stopped" if limit.caller.asked else "budget" if limit.stop.asked else "stages")
        kept.note(run, 0.0, result.document())
        return result


class _Noting:
    """Keeps what is known so far in the store now and then, so that others can see it grow; it takes little of the time."""

    def __init__(self, store: Store, run: int, measured: Callable[[], Depth]) -> None:
        self._store, self._run, self._measured = store, run, measured
        self._due = time.perf_counter() + _SECONDS_BETWEEN_NOTES

    def note(self) -> None:
        began = time.perf_counter()
        if began >= self._due:
            self._store.note(self._run, 0.0, self._measured().document())
            now = time.perf_counter()
            self._due = now + max(_SECONDS_BETWEEN_NOTES, (now - began) / _NOTING_SHARE)


def _most(most_rungs: int | None, most_games: int | None, seconds: float | None) -> tuple[int, int]:
    """(rungs, pairs) at most; raises LudometerError."""
    usual_rungs, usual_games = (MOST_RUNGS, MOST_GAMES) if seconds is None else (MOST_RUNGS_IN_TIME, MOST_GAMES_IN_TIME)
    rungs = usual_rungs if most_rungs is None else most_rungs
    games = usual_games if most_games is None else most_games
    if not 2 <= rungs <= 28:
        raise LudometerError(f"a ladder has from 2 to 28 budgets, not {rungs}")
    if games < 32 or games % 2:
        raise LudometerError(f"a pairing plays at most an even number of games from 32 on, not {games}")
    if seconds is not None and seconds <= 0:
        raise LudometerError(f"seconds are a time above 0, not {seconds:g}")
    return rungs, games // 2


def _plans(
    game: Game,
    families: Sequence[str],
    seed: int,
    opening_plies: int,
    ply_limit: int | None,
    tables: str | None,
    most_rungs: int,
    most_pairs: int,
) -> tuple[list[Plan], tuple[str, ...]]:
    """A plan for each family, and what there is to say; `tables` None: no perfect player."""
    if game.kind.simultaneous:
        raise LudometerError(f"{game.spec}: moves are made at the same time; `ludometer dynamics` is for such games")
    chosen = [Family.of(spec) for spec in families or usual_families(game)]
    best, note = perfect_player(game, tables) if tables is not None else (None, "without the perfect player, as was asked for")
    plans = [Plan(game.reference, family.spec, best, seed, opening_plies, ply_limit, most_rungs, most_pairs) for family in chosen]
    for plan in plans:
        plan.pairing(0.0, 4.0)  # says what is wrong with the family
    return plans, (note,) if note else ()


def tables_of(perfect: str) -> str:
    """The folder that the spec of a perfect player names; empty: the usual one."""
    return perfect.partition(_TABLES)[2]


def perfect_player(game: Game, tables: str = "") -> tuple[str | None, str]:
    """The spec of the perfect player, or None and why there is none."""
    from ludometer.agents import agent

    spec = f"{PERFECT}{_TABLES}{tables}" if tables else PERFECT
    try:
        return agent(spec, game).spec, ""
    except LudometerError as error:
        return None, f"no perfect player on top: {error}"


def _climb(climbs: Sequence[Climb], limit: Deadline, stages: int | None, noting: _Noting | None = None) -> None:
    """The first stage of every ladder whatever the time, then stages of all in turns: always the one on which least time was spent."""
    spent = dict.fromkeys(range(len(climbs)), 0.0)

    def advance(number: int) -> None:
        began = time.perf_counter()
        climbs[number].advance()
        spent[number] += time.perf_counter() - began

    for number in spent:
        advance(number)
    limit.arm()
    while not limit.stop.asked:
        going_on = [one for one, climb in enumerate(climbs) if not climb.is_done and (stages is None or climb.stage < stages)]
        if not going_on:
            return
        advance(min(going_on, key=lambda one: (spent[one], one)))
        if noting is not None:
            noting.note()


def _measured(climb: Climb, ended: str) -> FamilyDepth:
    """What a ladder says after its last finished stage."""
    plan, pairings, players = climb.plan, climb.pairings(), len(climb.players)
    bounds = climb.bounds()
    thinking = [climb.thinking(float(budget)) for budget in climb.budgets]
    return FamilyDepth(
        plan=plan,
        stage=climb.stage,
        ended=climb.ended or ended,
        is_done=climb.is_done,
        budgets=tuple(climb.budgets),
        positions=tuple(climb.positions),
        counts_positions=climb.counts_positions,
        seconds=tuple(one.per_move for one in thinking),
        players=tuple(plan.player(rung) for rung in climb.players),
        pairings=tuple(pairings),
        rungs=tuple(distinguishable_rungs(bounds, p0) for p0 in STEPS),
        curve=climb.curve(),
        range=skill_range(pairings, players, ALPHA, RESAMPLES, plan.seed),
        transitivity=transitivity(pairings, players),
        work=sum(total.seconds for total in climb.totals.values()),
    )


def compare(games: Sequence[GameDepth]) -> tuple[Comparison, ...]:
    """Every two games by every number that both have in every family they share in order."""
    found = []
    for one, other in combinations(games, 2):
        pairs = list(zip(one.families, other.families))
        for what in COMPARED:
            intervals = {_both(a, b): (a.interval(what), b.interval(what)) for a, b in pairs}
            known = {name: (a, b) for name, (a, b) in intervals.items() if a is not None and b is not None}
            verdicts = {name: deeper({name: both}) for name, both in known.items()}
            whole = deeper(known) if len(known) == len(intervals) else "unclear"
            found.append(Comparison(what, one.game, other.game, whole, verdicts))
    return tuple(found)


def _both(a: FamilyDepth, b: FamilyDepth) -> str:
    """The families that climbed two games."""
    return a.plan.family if a.plan.family == b.plan.family else f"{a.plan.family} / {b.plan.family}"
