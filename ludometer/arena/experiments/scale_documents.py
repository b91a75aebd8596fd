"""Scales as plain data: the document of a measured scale has all its counts, so that everything else can be computed from it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ludometer.arena.experiments.scale_plan import ScalePlan
from ludometer.arena.statistics.levels import LevelEstimate
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.statistics.scale_results import BUDGETS, Comparison, Contest, ScaleResult
from ludometer.core.errors import LudometerError

FORMAT = 1  # of the document


@dataclass(frozen=True)
class GameScale:
    """The scale of one game as it was measured."""

    game: str  # the spec
    plan: ScalePlan
    result: ScaleResult
    ended: str  # closed, rungs, stopped
    seconds_per_move: tuple[float | None, ...] = ()  # of each rung, as measured here
    notes: tuple[str, ...] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)  # version, hardware, stamps

    @property
    def depth(self) -> LevelEstimate:
        """Of a closed scale the depth, of an open one a lower bound."""
        return self.result.depth

    @property
    def is_open(self) -> bool:
        return self.result.is_open

    def document(self) -> dict[str, Any]:
        """For JSON; `GameScale.from_document` is the inverse."""
        result, plan = self.result, self.plan
        mastery = result.mastery()
        return {
            "game": self.game,
            "depth": result.depth.level,
            "interval": bounds(result.depth),
            "open": result.is_open,
            "closed_by": result.closed_by or None,
            "ended": self.ended,
            "growth": {"levels": result.growth.level, "interval": bounds(result.growth)},
            "rungs": [
                {
                    "player": player,
                    "budget": 1 << rung,
                    "positions": result.positions[rung],
                    "seconds_per_move": self.seconds_per_move[rung] if rung < len(self.seconds_per_move) else None,
                    "level": found.level,
                    "interval": bounds(found),
                    "draws": draws,
                    "first_move_score": first,
                }
                for rung, player in enumerate(result.rungs)
                for found, (draws, first, _) in [(result.level(player), result.draws_and_first_move(rung))]
            ],
            "within": {
                f"{budget}": None if found is None else [found.level, *bounds(found)]
                for budget in BUDGETS
                for found in [result.within(budget)]
            },
            "mastery": None if mastery is None else {f"{one.percent}": [one.positions, one.low, one.high] for one in mastery},
            "perfect": None
            if not result.perfect
            else {
                "player": result.best,
                "level": result.level(result.best).level,
                "interval": bounds(result.level(result.best)),
                "all": {player: result.level(player).level for player in result.perfect},
            },
            "fit": {
                "chi_square": result.fit.chi_square,
                "df": result.fit.degrees,
                "ratio": result.fit.chi_square / result.fit.degrees if result.fit.degrees else None,
                "p_value": result.fit.p_value,
                "widened_by": result.fit.inflation,
                "cycles": [[result.players[player] for player in cycle.players] for cycle in result.cycles],
            },
            "games": result.games,
            "precision": {"planned": plan.precision, "reached": result.level(result.rungs[-1]).half_width},
            "plan": {**plan.document(), "digest": plan.digest},
            "contests": [contest_document(one) for one in result.contests],
            "horizon": None if result.horizon is None else contest_document(result.horizon),
            "notes": list(self.notes),
            "origin": dict(self.origin),
            "format": FORMAT,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> GameScale:
        """Compute a scale again from the counts of its document; raises LudometerError for anything else."""
        try:
            if document["format"] != FORMAT:
                raise LudometerError(f"a scale has format {FORMAT} here, not {document['format']}")
            given = document["plan"]
            plan = ScalePlan(
                **{name: given[name] for name in ScalePlan.__dataclass_fields__ if name != "perfect"}, perfect=tuple(given["perfect"])
            )
            result = ScaleResult(
                random=plan.player(-1),
                rungs=tuple(row["player"] for row in document["rungs"]),
                positions=tuple(float(row["positions"]) for row in document["rungs"]),
                perfect=plan.perfect,
                contests=tuple(contest_of(one) for one in document["contests"]),
                horizon=None if document["horizon"] is None else contest_of(document["horizon"]),
            )
            return cls(
                game=document["game"],
                plan=plan,
                result=result,
                ended=document["ended"],
                seconds_per_move=tuple(row["seconds_per_move"] for row in document["rungs"]),
                notes=tuple(document["notes"]),
                origin=document["origin"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise LudometerError(f"this is not the document of a scale ({type(error).__name__}: {error})") from error


def contest_document(contest: Contest) -> dict[str, Any]:
    """The nine counts of pairs; see `PairCounts.table`.  The pentanomial stands beside it for readers."""
    return {"a": contest.a, "b": contest.b, "pairs": list(contest.counts.table), "pentanomial": list(contest.counts.pentanomial)}


def contest_of(document: Mapping[str, Any]) -> Contest:
    """The inverse of `contest_document`."""
    return Contest(document["a"], document["b"], PairCounts(tuple(int(count) for count in document["pairs"])))


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """For JSON."""
    needed = comparison.games_needed
    return {
        "a": comparison.a,
        "b": comparison.b,
        "by": comparison.by,
        "difference": comparison.difference,
        "interval": [comparison.interval.low, comparison.interval.high],
        "p_value": comparison.p_value,
        "decided": comparison.decided,
        "deeper": (comparison.a if comparison.difference > 0 else comparison.b) if comparison.decided else None,
        "games_needed": None if comparison.decided or not isfinite(needed) else round(needed),
    }


def bounds(estimate: LevelEstimate) -> list[float | None]:
    """[low, high]; None for a bound that the games do not give."""
    return [one if isfinite(one) else None for one in (estimate.low, estimate.high)]
