"""Section 4.1: whether larger boards are deeper, by outcomes of games and by accuracy of moves."""

from __future__ import annotations

from ludometer.arena.experiments.depth import depth
from ludometer.arena.experiments.scale_documents import GameScale
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
    halves = {game.game: _half(game) for game in found.games}
    text = "; ".join(f"{game} {_text(half)}" for game, half in halves.items())
    return Measured(halves, f"half of the skill after so many positions per decision: {text}")


def _half(scale: GameScale) -> list[float | None]:
    """[positions, lower, upper bound] to half of the way; a lower bound that was not reached is the last rung's positions."""
    (half,) = scale.result.mastery((50,)) or ()
    return [half.positions, scale.result.positions[-1] if half.low is None else half.low, half.high]


def _text(half: list[float | None]) -> str:
    middle, low, high = half
    if middle is None:
        return f"more than {low:,.0f}"
    return f"{middle:,.0f} ({low:,.0f} to {'∞' if high is None else f'{high:,.0f}'})"


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
        note="5×5 is not measured here",
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
