"""Measuring one curve of a ladder: the rungs of one family at one game, against one opponent, each other, or perfect play."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ludometer.arena.experiments.families import Family
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.repetition import settle_openings
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.work.execution import StartedExecution
from ludometer.arena.work.series import fill
from ludometer.core.game import Game

RUNGS = "rungs"  # as an opponent: the other rungs


@dataclass(frozen=True)
class Point:
    """One rung of a ladder, measured."""

    game: str
    agent: str  # the family
    rung: str  # its budget
    player: str  # the agent that this is
    versus: str | None  # the opponent
    blunder: float | None  # probability of a random move of the opponent
    measure: str
    value: float
    interval: Interval
    units: int  # pairs of games, or positions
    budget: float  # as a number on an axis
    positions_per_move: float | None  # visited for a decision; None where the agent does not say
    seconds_per_move: float | None  # None if pairs are too short to be timed
    more: dict[str, Any] = field(default_factory=dict)  # what else the units say

    def document(self) -> dict[str, Any]:
        """For JSON."""
        whole = {name: value for name, value in asdict(self).items() if name not in ("interval", "more")}
        return {**whole, "interval": self.interval.document(), **self.more}

    def on(self, axis: str) -> float | None:
        """The resource that an axis shows."""
        return {"budget": self.budget, "positions": self.positions_per_move, "seconds": self.seconds_per_move}[axis]


@dataclass(frozen=True)
class LadderCurve:
    """What is to be measured of one family at one game against one opponent."""

    game: Game
    family: Family
    rungs: tuple[str, ...]
    measure: str
    versus: str | None  # RUNGS: each other; None: no opponent
    blunder: float | None

    def players(self) -> list[str]:
        return [self.family.rung(rung) for rung in self.rungs]


@dataclass(frozen=True)
class LadderSettings:
    """How all curves are measured."""

    seed: int
    pairs: int
    positions: int
    opening_plies: int | None
    ply_limit: int | None
    tables: str
    run: int
    execution: StartedExecution


def measure_curve(curve: LadderCurve, settings: LadderSettings) -> tuple[list[Point], list[str]]:
    """Points of a curve and notes for the user; fewer points if the work was stopped."""
    if curve.measure == "accuracy":
        return _judged(curve, settings)
    if curve.versus == RUNGS:
        return _against_each_other(curve, settings)
    return _against_opponent(curve, settings)


def _settled(pairings: list[Pairing], settings: LadderSettings) -> tuple[list[Pairing], list[str]]:
    """The pairings with openings where they need them."""
    settled = [settle_openings(pairing, settings.opening_plies, settings.pairs, settings.execution) for pairing in pairings]
    return [pairing for pairing, _ in settled], [note for _, notes in settled for note in notes]


def _paired(curve: LadderCurve, a: str, b: str, settings: LadderSettings) -> Pairing:
    return Pairing.of(curve.game, a, b, settings.seed, settings.opening_plies or 0, settings.ply_limit)


def _against_opponent(curve: LadderCurve, settings: LadderSettings) -> tuple[list[Point], list[str]]:
    """Outcome or length of the games of each rung against one opponent."""
    pairings, notes = _settled([_paired(curve, player, str(curve.versus), settings) for player in curve.players()], settings)
    totals = _play(pairings, settings, f"{curve.game.spec}: {curve.family} against {curve.versus}")
    visits = _visits(curve, settings)
    store = settings.execution.store
    played = [
        (
            place,
            pairing,
            total,
            store.arrays(store.series(pairing.key()), total.pairs)["lengths"],
            visited,
        )
        for place, (pairing, total, visited) in enumerate(zip(pairings, totals, visits))
        if total.pairs
    ]
    return [opponent_point(curve, *one) for one in played], notes


def _play(pairings: list[Pairing], settings: LadderSettings, what: str) -> list[PairTotals]:
    store = settings.execution.store
    for pairing in pairings:
        store.want(settings.run, store.series(pairing.key(), pairing.document()), settings.pairs)
    wants = [(pairing, settings.pairs) for pairing in pairings]
    return play_pairings(wants, settings.execution, text=what)


def _visits(curve: LadderCurve, settings: LadderSettings) -> list[float | None]:
    """Positions visited per decision by each rung."""
    from ludometer.arena.measurements.visits import POSITIONS, Visits, visits_per_decision

    wants = [(Visits.of(curve.game, player), POSITIONS) for player in curve.players()]
    return [visits_per_decision(units) for units in fill(wants, settings.execution)]


def opponent_point(
    curve: LadderCurve, place: int, pairing: Pairing, total: PairTotals, lengths: np.ndarray, visits: float | None = None
) -> Point:
    """A rung by its games against one opponent; `lengths` are those of the games that `total` counts."""
    from ludometer.arena.statistics.match_statistics import match_statistics
    from ludometer.arena.statistics.means import mean_interval

    statistics = match_statistics(total.counts)
    lengths = lengths.astype(np.float64)
    found = {
        "outcome": (statistics.score, statistics.score_interval),
        "length": (float(lengths.mean()), mean_interval(lengths.reshape(-1, 2).mean(axis=1))),  # pairs are independent
    }
    value, interval = found.pop(curve.measure)
    ((other, (other_value, other_interval)),) = found.items()
    return Point(
        game=curve.game.spec,
        agent=curve.family.spec,
        rung=curve.rungs[place],
        player=pairing.a,
        versus=pairing.b,
        blunder=curve.blunder,
        measure=curve.measure,
        value=value,
        interval=interval,
        units=total.pairs,
        budget=curve.family.numbers(curve.rungs)[place],
        positions_per_move=visits,
        seconds_per_move=total.seconds_per_move[0],
        more={
            "games": total.games,
            "wins": statistics.wins,
            "draws": statistics.draws,
            "losses": statistics.losses,
            "pairs": total.counts.pentanomial_document(),
            "elo": statistics.elo.elo,
            "elo_interval": statistics.elo.interval.document(),
            other: other_value,
            f"{other}_interval": other_interval.document(),
            "opening_plies": pairing.opening_plies,
        },
    )


def sides_of(rungs: int) -> list[tuple[int, int]]:
    """Who plays whom where rungs play each other, by their places: (A, B), A being the upper one."""
    return [(upper, lower) for lower, upper in combinations(range(rungs), 2)]


def _against_each_other(curve: LadderCurve, settings: LadderSettings) -> tuple[list[Point], list[str]]:
    """Ratings of the rungs from a round robin, the first rung at 0."""
    players = curve.players()
    sides = sides_of(len(players))
    pairings, notes = _settled([_paired(curve, players[a], players[b], settings) for a, b in sides], settings)
    totals = _play(pairings, settings, f"{curve.game.spec}: rungs of {curve.family}")
    if not all(total.pairs for total in totals):
        return [], notes
    return rated_points(curve, totals, _visits(curve, settings), settings.seed), notes


def rated_points(curve: LadderCurve, totals: list[PairTotals], visits: list[float | None], seed: int) -> list[Point]:
    """All rungs by their games against each other; totals are in the order of `sides_of`, each of at least one pair."""
    from ludometer.arena.statistics.ratings import HeadToHead, rate

    players = curve.players()
    sides = sides_of(len(players))
    ratings = rate([HeadToHead.of(a, b, total.counts) for (a, b), total in zip(sides, totals)], len(players), seed=seed)
    points = []
    for place, player in enumerate(players):
        seconds = [total.thinking[side.index(place)] for side, total in zip(sides, totals) if place in side]
        games = sum(total.games for side, total in zip(sides, totals) if place in side)
        timed = sum((one for one in seconds[1:]), seconds[0])
        points.append(
            Point(
                game=curve.game.spec,
                agent=curve.family.spec,
                rung=curve.rungs[place],
                player=player,
                versus=RUNGS,
                blunder=None,
                measure="outcome",
                value=ratings.elo[place],
                interval=ratings.intervals[place],
                units=games // 2,
                budget=curve.family.numbers(curve.rungs)[place],
                positions_per_move=visits[place],
                seconds_per_move=timed.per_move,
                more={"games": games, "scale": "elo"},
            )
        )
    return points


def _judged(curve: LadderCurve, settings: LadderSettings) -> tuple[list[Point], list[str]]:
    """Accuracy of the moves of each rung at random positions."""
    from ludometer.arena.measurements.accuracy import Judging
    from ludometer.arena.measurements.random_states import states_text
    from ludometer.arena.measurements.solutions import knows_distances, solution_of

    subjects = [Judging.of(curve.game, player, settings.seed, settings.tables) for player in curve.players()]
    what = f"{curve.game.spec}: moves of {curve.family}"
    wants = [(subject, settings.positions) for subject in subjects]
    measured = fill(wants, settings.execution, run=settings.run, text=what)
    with_distances = knows_distances(solution_of(curve.game.reference, settings.tables))
    points = [
        judged_point(curve, place, subject.agent, units, with_distances)
        for place, (subject, units) in enumerate(zip(subjects, measured))
        if units
    ]
    return points, [f"positions of {curve.game.spec}: {states_text(curve.game)}"]


def judged_point(curve: LadderCurve, place: int, player: str, units: dict[str, np.ndarray], with_distances: bool) -> Point:
    """A rung by its moves at random positions."""
    from ludometer.arena.measurements.accuracy import accuracy

    found = accuracy(units, curve.game.kind.scored, with_distances)
    more: dict[str, Any] = {"positions": found.positions}
    for name in ("strict", "lost", "margin_lost"):
        value, interval = getattr(found, name), getattr(found, f"{name}_interval")
        more |= {name: value, f"{name}_interval": None if interval is None else interval.document()}
    return Point(
        game=curve.game.spec,
        agent=curve.family.spec,
        rung=curve.rungs[place],
        player=player,
        versus=None,
        blunder=None,
        measure="accuracy",
        value=found.lenient,
        interval=found.lenient_interval,
        units=found.positions,
        budget=curve.family.numbers(curve.rungs)[place],
        positions_per_move=found.positions_per_move,
        seconds_per_move=found.seconds_per_move,
        more=more,
    )
