"""Results written by hand, with round numbers and fixed times, for what is said and drawn of them.  No game is played for them."""

from __future__ import annotations

from math import inf

from ludometer.arena.experiments.climbing import Plan
from ludometer.arena.experiments.depth import Depth, FamilyDepth, GameDepth, compare
from ludometer.arena.experiments.depth_estimators import Curve, Mastery, RungCount, SkillRange
from ludometer.arena.experiments.ladder import Ladder
from ludometer.arena.experiments.ladder_points import Point
from ludometer.arena.experiments.match import MatchResult, SprtResult
from ludometer.arena.experiments.report import GameCard, Report
from ludometer.arena.experiments.tournament import TournamentPair, TournamentPlayer, TournamentResult
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.selfplay import GameFacts, IntervalEstimate, StateCount
from ludometer.arena.measurements.totals import PairTotals, Spread, Thinking
from ludometer.arena.statistics.match_statistics import EloEstimate, match_statistics
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.ratings import Cycle, HeadToHead
from ludometer.arena.statistics.sequential import MatchSnapshot
from ludometer.arena.statistics.sprt import Sprt
from ludometer.arena.statistics.transitivity import Transitivity
from ludometer.core.record import Record
from ludometer.games import game

COUNTS = PairCounts((10, 20, 40, 30, 50, 60, 70, 80, 140))


def match_result(ended: str = "games", counts: PairCounts = COUNTS, plies: int = 2, **changes: object) -> MatchResult:
    """A match at Dots and Boxes, where there are margins to tell of."""
    totals = PairTotals(
        counts,
        Spread(8, (100, 300, 500, 100)),
        Spread(-2, (200, 100, 300, 0, 400)),
        (Thinking(2.5, 1000), Thinking(0.004, 1000)),
        12.5,
    )
    looks = [
        MatchSnapshot(PairCounts((1, 0, 0, 0, 0, 0, 0, 0, 1)), Interval(0.05, 0.95)),
        MatchSnapshot(PairCounts((1, 2, 4, 3, 5, 6, 7, 8, 14)), Interval(0.4, 0.85)),
        MatchSnapshot(counts, Interval(0.55, 0.75)),
    ]
    given = {
        "pairing": Pairing("dots:2x2", "mcts:100", "random", 7, plies, None),
        "wanted": 1200,
        "totals": totals,
        "statistics": match_statistics(counts),
        "anytime_interval": Interval(0.55, 0.75),
        "history": looks,
        "ended": ended,
        "run": 3,
        "notes": ("something to know", "and <more>"),
    }
    return MatchResult(**{**given, **changes})  # type: ignore[arg-type]


def sprt_result(decision: str) -> SprtResult:
    return SprtResult(Sprt(0, 20), {"elo0": -3.1, "elo1": 3.2, "continue": 0.7}[decision], decision)


def tournament_result(**changes: object) -> TournamentResult:
    """Three players, the first two of whom have not met."""
    strong, weak = PairCounts((1, 0, 2, 0, 4, 3, 0, 5, 35)), PairCounts((20, 5, 0, 5, 10, 5, 0, 5, 0))
    given = {
        "game": "quixo:3",
        "anchor": "random",
        "wanted": 300,
        "players": (
            TournamentPlayer("mcts:100", 412.4, Interval(301.2, 555.5), 100, 0.875),
            TournamentPlayer("alphabeta:2", 8.26, Interval(-60.3, 81.1), 100, 0.25),
            TournamentPlayer("random", 0.0, Interval(0.0, 0.0), 200, 0.4375),
        ),
        "pairs": (
            TournamentPair("mcts:100", "random", PairTotals(strong), strong),
            TournamentPair("alphabeta:2", "random", PairTotals(weak), weak),
        ),
        "superiority": ((0.5, 0.9999, 0.99999), (0.0001, 0.5, 0.61), (0.00001, 0.39, 0.5)),
        "groups": (("mcts:100",), ("alphabeta:2", "random")),
        "cycles": (Cycle((0, 1, 2), (0.75, 0.6, 0.55), True), Cycle((2, 1, 0), (0.51, 0.52, 0.53), False)),
        "transitivity": Transitivity(0.7512, 0.0123),
        "ended": "stopped",
        "run": 4,
        "notes": ("all games begin with 4 random plies",),
    }
    return TournamentResult(**{**given, **changes})  # type: ignore[arg-type]


def point(rung: str, value: float, low: float, high: float, **changes: object) -> Point:
    given = {
        "game": "quixo:3",
        "agent": "mcts",
        "rung": rung,
        "player": f"mcts:{rung}",
        "versus": "optimal",
        "blunder": 0.0,
        "measure": "outcome",
        "value": value,
        "interval": Interval(low, high),
        "units": 600,
        "budget": float(rung),
        "positions_per_move": 10.0 * float(rung),
        "seconds_per_move": 2e-5 * float(rung),
    }
    return Point(**{**given, **changes})  # type: ignore[arg-type]


def outcome_ladder() -> Ladder:
    blundering = {"versus": "optimal:blunder=0.1", "blunder": 0.1}
    return Ladder(
        "outcome",
        (
            point("1", 0.05, 0.02, 0.1),
            point("10", 0.2, 0.15, 0.26),
            point("100", 0.4, 0.35, 0.46, units=500),
            point("1", 0.15, 0.1, 0.2, **blundering),
            point("10", 0.4, 0.35, 0.46, **blundering),
            point("100", 0.8, 0.75, 0.86, **blundering, seconds_per_move=None, positions_per_move=None),
        ),
        5,
        ("a note", "another <note>"),
    )


def accuracy_ladder() -> Ladder:
    def judged(rung: str, value: float, strict: float | None, **more: object) -> Point:
        ends = None if strict is None else (strict - 0.1, strict + 0.1)
        details = {"strict": strict, "strict_interval": ends, "lost": 0.0625}
        return point(rung, value, value - 0.05, value + 0.05, measure="accuracy", versus=None, blunder=None, more=details, **more)

    return Ladder(
        "accuracy",
        (
            *(judged("4", 0.5, 0.3), judged("64", 0.75, 0.6)),
            *(judged("4", 0.55, None, game="quixo:4", units=300), judged("64", 0.85, None, game="quixo:4", units=300)),
        ),
        0,
    )


def rungs_ladder() -> Ladder:
    rated = {"versus": "rungs", "blunder": None}
    return Ladder(
        "outcome",
        (point("0", 0, 0, 0, **rated), point("8", 120.4, 90.1, 160.6, **rated), point("64", 300.0, 310.0, inf, **rated)),
        1,
    )


def length_ladder() -> Ladder:
    return Ladder(
        "length", (point("2", 21.25, 20.0, 22.5, measure="length"), point("4", 30.0, 28.04, 32.06, measure="length")), 9, (), 2, "stopped"
    )


def family(name: str = "mcts", **changes: object) -> FamilyDepth:
    given = {
        "plan": Plan("quixo:3", name, "optimal", 3, 2, None, 4, 64),
        "stage": 2,
        "ended": "rungs",
        "is_done": True,
        "budgets": (4, 8, 16),
        "positions": (40.0, 90.0, 200.0),
        "counts_positions": True,
        "seconds": (1e-5, 2e-5, 0.0042),
        "players": ("random", "mcts:4", "mcts:8", "mcts:16", "optimal"),
        "pairings": (HeadToHead(1, 0, (0, 0, 4, 8, 20)), HeadToHead(2, 1, (1, 1, 10, 10, 10))),
        "rungs": (RungCount(0.5, 3, 4), RungCount(0.6, 2, 2), RungCount(0.75, 1, 3)),
        "curve": Curve(
            (0.0, 40.0, 90.0, 200.0),
            (0.0, 150.0, 260.0, 330.0),
            (Interval(0.0, 0.0), Interval(120.0, 190.0), Interval(220.0, 310.0), Interval(280.0, 400.0)),
            (0.0, 150.0, 260.0, 330.0),
            500.0,
            2,
            (Mastery(50, 52.4, 41.6, 66.3, "reached"), Mastery(90, None, 180.0, None, "censored")),
        ),
        "range": SkillRange(EloEstimate(480.0, 400.0, 610.0), EloEstimate(500.4, 420.6, 640.0), None),
        "transitivity": Transitivity(0.913, 0.4),
        "work": 12.0,
    }
    return FamilyDepth(**{**given, **changes})  # type: ignore[arg-type]


def depths() -> Depth:
    """Two games with two families each, in all the states that a ladder can be in."""
    nodes = "alphabeta:nodes"
    steep = Curve(
        (0.0, 4.0, 8.0, 16.0),
        (0.0, 600.0, 900.0, 1200.0),
        (Interval(0.0, 0.0), Interval(500.0, 700.0), Interval(800.0, 1000.0), Interval(1100.0, inf)),
        (0.0, 600.0, 900.0, 1200.0),
        1200.0,
        None,
        (Mastery(50, 4.0, 4.0, 9.0, "first"), Mastery(90, 1234.0, 1000.0, None, "reached")),
    )
    flat = Curve(
        (0.0, 4.0),
        (0.0, 1.0),
        (Interval(0.0, 0.0), Interval(-20.0, 22.0)),
        (0.0, 1.0),
        1.0,
        1,
        (Mastery(50, None, None, None, "flat"), Mastery(90, None, None, None, "flat")),
    )
    alone = Plan("mnk:3,3,3", "mcts", None, 4, 2, None, 4, 64)
    high = (RungCount(0.5, 6, 7), RungCount(0.6, 5, 6), RungCount(0.75, 4, 4))
    none = (RungCount(0.5, 0, 0), RungCount(0.6, 0, 1), RungCount(0.75, 0, 0))
    games = (
        GameDepth(
            "quixo:3",
            (
                family(),
                family(nodes, plan=Plan("quixo:3", nodes, None, 3, 2, None, 4, 64), ended="plateau", counts_positions=False),
            ),
            ("a note on quixo",),
        ),
        GameDepth(
            "mnk:3,3,3",
            (
                family(
                    plan=alone,
                    ended="stopped",
                    is_done=False,
                    rungs=high,
                    curve=steep,
                    range=SkillRange(None, EloEstimate(1300.0, 1111.0, 1500.0, open_high=True), None),
                    transitivity=Transitivity(0.61, 0.01),
                ),
                family(
                    nodes,
                    plan=Plan("mnk:3,3,3", nodes, None, 4, 2, None, 4, 64),
                    ended="budget",
                    budgets=(4,),
                    positions=(4.0,),
                    rungs=none,
                    curve=flat,
                    range=SkillRange(None, EloEstimate(1.0, -20.0, 22.0), None),
                    transitivity=Transitivity(None, None),
                ),
            ),
        ),
    )
    return Depth(games, compare(games), 8)


def _estimate(value: float, half: float) -> IntervalEstimate:
    return IntervalEstimate(value, Interval(value - half, value + half))


def facts(agent: str, first: float, games: int = 1200) -> GameFacts:
    return GameFacts(
        agent,
        games,
        _estimate(5.25, 0.5),
        _estimate(0.125, 0.02),
        _estimate(12.4, 0.6),
        17,
        0.01,
        _estimate(first, 0.06),
        _estimate(0.2, 0.04),
        _estimate(7.5, 0.25),
    )


def card(spec: str = "quixo:3", **changes: object) -> GameCard:
    chosen = game(spec)
    judged = {
        "agent": "mcts:16",
        "lenient": 0.875,
        "lenient_interval": [0.8, 0.925],
        "strict": 0.5,
        "strict_interval": [0.4, 0.6],
        "lost": 0.125,
        "lost_interval": [0.1, 0.15],
    }
    given = {
        "game": chosen,
        "facts": (facts("random", -0.02), facts("mcts:16", 0.1)),
        "forced_wins": _estimate(0.375, 0.05),
        "forced_wins_how": "by the exact solution",
        "states": StateCount(19683.0, True, "all positions counted"),
        "accuracy": (judged, {**judged, "agent": "random", "strict": None, "strict_interval": None}),
        "perfect": {"value": "win", "distance": 7},
        "depth": Depth((GameDepth("quixo:3", (family(),)),), ()),
        "sample": Record(chosen, ("A1>right", "A3>right", "B1>left"), "*", "mcts:16", "mcts:16"),
        "missing": ("a thing that could not be measured",),
        "notes": ("a note on the card",),
        "seed": 5,
    }
    return GameCard(**{**given, **changes})  # type: ignore[arg-type]


def report() -> Report:
    """Two cards: one that has all numbers and one that has few of them."""
    other = depths().games[1]
    few = card(
        "tictactoe",
        facts=(facts("random", -0.02), facts("mcts:4", -0.1, 40)),
        states=StateCount(2.5e9, False, "random games that agree"),
        accuracy=None,
        perfect=None,
        depth=Depth((other,), ()),
        sample=Record(game("tictactoe"), ("A1", "B2"), "*", "mcts:4", "mcts:4"),
        missing=(),
        notes=(),
    )
    return Report((card(), few), 6)
