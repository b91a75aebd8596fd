"""Ladders in the store: their points measured so far, by any process.

No agent is made for this: what a run wants, and of whom, stands in the store.
"""

from __future__ import annotations

from typing import Any

from ludometer.agents import kind_and_parameters
from ludometer.arena.experiments.families import Family
from ludometer.arena.experiments.ladder import Ladder
from ludometer.arena.experiments.ladder_points import RUNGS, LadderCurve, Point, judged_point, opponent_point, rated_points, sides_of
from ludometer.arena.measurements.pairings import Tallies
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.work.store import Run
from ludometer.games import game as find_game

_Part = tuple[int, int, dict[str, Any]]  # series, units wanted, subject


def stored_ladder(run: Run, tallies: Tallies) -> Ladder | None:
    """Measured part of the ladder of a run; None if the run has no results yet.

    What the store keeps elsewhere (positions visited per decision) is taken from the latest result of the run, where it has one.
    """
    store = tallies.store
    known = {(row["game"], row["player"]): row["positions_per_move"] for row in (run.result or {}).get("points", ())}
    parts = [(series, units, store.subject_of(series)) for series, units in store.parts(run.id)]
    points: list[Point] = []
    for reference, family, rungs, versus, blunder in run.key["curves"]:
        curve = LadderCurve(find_game(reference), Family.of(family), tuple(rungs), run.key["measure"], versus, blunder)
        points += _points(curve, parts, tallies, known, run.key["seed"])
    if not points:
        return None
    whole = run.wanted > 0 and run.done >= run.wanted and run.result is not None
    notes = tuple((run.result or {}).get("notes", ()))
    return Ladder(run.key["measure"], tuple(points), run.key["seed"], notes, run.id, "done" if whole else "stopped")


def _points(curve: LadderCurve, parts: list[_Part], tallies: Tallies, known: dict[tuple[str, str], Any], seed: int) -> list[Point]:
    visits = [known.get((curve.game.spec, player)) for player in curve.players()]
    if curve.measure == "accuracy":
        return _judged(curve, parts, tallies)
    if curve.versus == RUNGS:
        return _rated(curve, parts, tallies, visits, seed)
    found = []
    for place, player in enumerate(curve.players()):
        part = _part_of(curve, parts, player, _canonical(str(curve.versus)))
        totals = None if part is None else tallies.totals(part[0], part[1])[0]
        if part is not None and totals is not None and totals.pairs:
            lengths = tallies.store.arrays(part[0], totals.pairs)["lengths"]
            found.append(opponent_point(curve, place, Pairing(**part[2]), totals, lengths, visits[place]))
    return found


def _rated(curve: LadderCurve, parts: list[_Part], tallies: Tallies, visits: list[float | None], seed: int) -> list[Point]:
    players = curve.players()
    chosen = [_part_of(curve, parts, players[a], players[b]) for a, b in sides_of(len(players))]
    totals = [tallies.totals(part[0], part[1])[0] for part in chosen if part is not None]
    if len(totals) < len(chosen) or not all(total.pairs for total in totals):
        return []
    return rated_points(curve, totals, visits, seed)


def _judged(curve: LadderCurve, parts: list[_Part], tallies: Tallies) -> list[Point]:
    from ludometer.arena.measurements.solutions import knows_distances, solution_of

    found = []
    for place, player in enumerate(curve.players()):
        for series, units, subject in parts:
            if (subject.get("game"), subject.get("agent")) != (curve.game.reference, player) or "tables" not in subject:
                continue
            missing = tallies.store.missing(series, units)
            if there := missing[0][0] if missing else units:
                distances = knows_distances(solution_of(curve.game.reference, subject["tables"]))
                found.append(judged_point(curve, place, player, tallies.store.arrays(series, there), distances))
    return found


def _part_of(curve: LadderCurve, parts: list[_Part], a: str, b: str) -> _Part | None:
    """The pairs of games of two agents at the curve's game."""
    for part in parts:
        if (part[2].get("game"), part[2].get("a"), part[2].get("b")) == (curve.game.reference, a, b):
            return part
    return None


def _canonical(spec: str) -> str:
    """A spec as pairings write it."""
    kind, parameters = kind_and_parameters(spec)
    return kind.spec(kind.parse_options(parameters))
