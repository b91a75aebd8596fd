"""Section 4.1: whether larger boards are deeper, by outcomes of games and by accuracy of moves."""

from __future__ import annotations

from ludometer.arena.experiments.depth import depth
from ludometer.studies.agreement import holds
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.accuracy import BY_EYE, gains, overlap
from ludometer.studies.study_000.outcomes import AGENT

_RUNGS, _PRECISION = 9, 0.5


def _by_outcomes(lab: Laboratory) -> Measured:
    """Positions per decision at which half of the way from random to perfect play is covered, with intervals."""
    lab.only_in_full("10 minutes")
    found = depth(
        "quixo:3",
        "quixo:4",
        yardstick=AGENT,
        rungs=_RUNGS,
        precision=_PRECISION,
        seed=lab.seed,
        tables=lab.tables,
        execution=lab.execution,
    )
    lab.stop.check("the measuring of depth")
    halves = {one["game"]: one["mastery"]["50"] for one in found.document()["games"]}
    text = "; ".join(f"{game} {_text(half)}" for game, half in halves.items())
    return Measured(halves, f"half of the skill after so many positions per decision: {text}")


def _text(half: list[float | None]) -> str:
    estimate, low, high = ("∞" if one is None else f"{one:,.0f}" for one in half)
    return f"{estimate} ({low} to {high})"


def _in_order(halves: dict[str, list[float | None]]) -> bool:
    """The intervals of 3×3 and 4×4 are apart, in this order."""
    upper, lower = halves["quixo:3"][2], halves["quixo:4"][1]
    return upper is not None and lower is not None and upper < lower


def _by_accuracy(lab: Laboratory) -> Measured:
    lab.only_in_full("15 minutes")
    found = {name: [at.budget, at.low, at.high] for name, at in gains(lab).items()}
    text = "; ".join(f"{name} n = {one:,.0f} ({low:,.0f} to {high:,.0f})" for name, (one, low, high) in found.items())
    return Measured(found, f"90 % of the gain over a random player: {text}")


ENTRIES: tuple[Entry, ...] = (
    Entry(
        "000.depth.outcome",
        "by outcomes of games larger boards are deeper",
        "4.1",
        Kind.STATISTICAL,
        "depth of 3×3 < 4×4 < 5×5",
        f"ludometer depth quixo:3 quixo:4 --yardstick {AGENT} --rungs {_RUNGS} --precision {_PRECISION}",
        _by_outcomes,
        holds(_in_order, "the intervals of 3×3 and 4×4 are apart, 3×3 below"),
        note="5×5, measured on a GPU with the plain tree search: 10,384 (5,909 to 25,900), above both; see depth.md",
    ),
    Entry(
        "000.depth.accuracy",
        "by accuracy of moves they are not",
        "4.1",
        Kind.STATISTICAL,
        "the accuracy of moves does not display the same phenomenon",
        f"ludometer ladder quixo:3 quixo:4 --agent {AGENT} --measure accuracy",
        _by_accuracy,
        holds(overlap, "the intervals of all sizes overlap"),
        reason=BY_EYE,
    ),
)
