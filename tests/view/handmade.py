"""Results written by hand, with round numbers and fixed times, for what is said and drawn of them.  No game is played for them."""

from __future__ import annotations

from math import inf

from ludometer.arena.experiments.depth import Depth
from ludometer.arena.experiments.ladder import Ladder
from ludometer.arena.experiments.ladder_points import Point
from ludometer.arena.experiments.match import MatchResult, SprtResult
from ludometer.arena.experiments.report import GameCard, Report
from ludometer.arena.experiments.scale_climb import ScaleClimb
from ludometer.arena.experiments.scale_documents import GameScale
from ludometer.arena.experiments.scale_plan import ScalePlan
from ludometer.arena.experiments.tournament import TournamentPair, TournamentPlayer, TournamentResult
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.selfplay import GameFacts, IntervalEstimate, StateCount
from ludometer.arena.measurements.totals import PairTotals, Spread, Thinking
from ludometer.arena.statistics.match_statistics import match_statistics
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.ratings import Cycle
from ludometer.arena.statistics.sequential import MatchSnapshot
from ludometer.arena.statistics.sprt import Sprt
from ludometer.arena.statistics.transitivity import Transitivity
from ludometer.core.record import Record
from ludometer.games import game
from tests.arena.experiments.synthetic_players import budget_of, playing

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


def scale(spec: str = "quixo:3", **changes: object) -> GameScale:
    """A scale of synthetic players: of quixo:3 closed by perfect play, of other games open."""
    closed = spec == "quixo:3"
    plan = ScalePlan(spec, 8, 0.5, seed=3, perfect=("optimal", "optimal:steps") if closed else ())
    levels = {"random": 0.0, "optimal": 2.9, "optimal:steps": 3.0}
    steps = (0, 0.5, 1, 2, 2.8, 3) if closed else (0, 1, 2, 3, 4, 5, 6, 7, 8)

    def level(player: str) -> float:
        return levels.get(player, float(steps[min(len(steps) - 1, budget_of(player).bit_length() - 1)]))

    climb = ScaleClimb(plan, playing(level, 1, draws=0.5))
    while climb.advance():
        pass
    given = {
        "game": spec,
        "plan": plan,
        "result": climb.result(),
        "ended": climb.ended,
        "seconds_per_move": tuple(1e-5 * 2**rung for rung in range(climb.rungs)),
        "notes": ("a note on quixo",) if closed else (),
        "origin": {"version": "0.0", "rules": "0123456789abcdef"},
    }
    return GameScale(**{**given, **changes})  # type: ignore[arg-type]


def depths() -> Depth:
    """A closed scale and an open one."""
    return Depth.of([scale(), scale("mnk:3,3,3")], 8)


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
        "depth": Depth.of([scale()]),
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
        depth=Depth.of([other]),
        sample=Record(game("tictactoe"), ("A1", "B2"), "*", "mcts:4", "mcts:4"),
        missing=(),
        notes=(),
    )
    return Report((card(), few), 6)
