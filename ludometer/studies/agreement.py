"""Rules of agreement between a report and a measurement.

A rule is made for an entry and called with the reported and the measured value.  All statistical rules have the level ALPHA: one in a
hundred correct entries is judged different.  A figure of many points counts as one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from ludometer.studies.entry import Judgement, Measured, Rule, Verdict, plain

ALPHA = 0.01
_MOST_SHOWN = 3  # differences named one by one
_DUST = 1e-9  # what floating-point numbers add to a difference


def equal() -> Rule:
    """Rule: all values are equal."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        differing = list(differences(reported, measured.value))
        if not differing:
            return Judgement(Verdict.AGREES)
        shown = "; ".join(differing[:_MOST_SHOWN])
        more = len(differing) - _MOST_SHOWN
        return Judgement(Verdict.DIFFERS, shown + (f"; and {more} more" if more > 0 else ""))

    return judge


def within(tolerance: float, relative: bool = False) -> Rule:
    """Rule: numbers differ by at most `tolerance`, absolute or relative to the reported value."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        wrong = []
        for place, (theirs, ours) in enumerate(zip(_numbers(reported), _numbers(measured.value), strict=True)):
            allowed = tolerance * abs(theirs) if relative else tolerance
            if not abs(theirs - ours) <= allowed + _DUST:
                wrong.append(f"number {place + 1}: {plain(theirs)} reported, {plain(ours)} here")
        return Judgement(Verdict.DIFFERS, "; ".join(wrong[:_MOST_SHOWN])) if wrong else Judgement(Verdict.AGREES)

    return judge


def holds(condition: Callable[[Any], bool], what: str) -> Rule:
    """Rule: the measured value fulfils a condition, which `what` states in words."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        if condition(measured.value):
            return Judgement(Verdict.AGREES)
        return Judgement(Verdict.DIFFERS, f"it does not hold here that {what}")

    return judge


def wrong(proof: str, truth: Any = None) -> Rule:
    """Rule: the report is wrong, for the reason `proof`.

    The verdict is WRONG if the measured value is `truth`, or without `truth` if it is not the reported value.  It is AGREES if the measured
    value is the reported one, and DIFFERS if it is neither.
    """

    def judge(reported: Any, measured: Measured) -> Judgement:
        if not list(differences(reported, measured.value)):
            return Judgement(Verdict.AGREES)
        if truth is not None and list(differences(truth, measured.value)):
            return Judgement(Verdict.DIFFERS, f"neither what was reported nor {plain(truth)}")
        return Judgement(Verdict.WRONG, proof)

    return judge


def wrong_if(condition: Callable[[Any], bool], proof: str) -> Rule:
    """Rule: the report is wrong if the measured value fulfils the condition."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        return Judgement(Verdict.WRONG, proof) if condition(measured.value) else Judgement(Verdict.AGREES)

    return judge


def hardware(what: str = "time") -> Rule:
    """Rule for times that depend on the machine: the ratio reported ÷ ours, number by number, without a judgement."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        ratios = [theirs / ours for theirs, ours in zip(_numbers(reported), _numbers(measured.value)) if ours]
        return Judgement(Verdict.HARDWARE, f"reported {what} ÷ ours: {', '.join(f'{ratio:.3g}' for ratio in ratios)}")

    return judge


# ---- shares ----


@dataclass(frozen=True)
class Share:
    """A share of points or of successes and its number of games."""

    share: float
    games: int


def shares(games: int) -> Rule:
    """Rule: a reported share of `games` games does not differ significantly from ours.

    `measured.value` is our share and `measured.data["games"]` our number of games.  The 99 % interval of the difference (Newcombe's, from
    two Wilson intervals) must contain 0.  With draws the true error is smaller than the binomial one, so the rule favours the report.
    """

    def judge(reported: Any, measured: Measured) -> Judgement:
        low, high = share_difference(Share(float(reported), games), Share(float(measured.value), int(measured.data["games"])))
        text = f"99 % interval of ours − reported: {100 * low:+.1f} … {100 * high:+.1f} points"
        return Judgement(Verdict.AGREES if low <= 0 <= high else Verdict.DIFFERS, text)

    return judge


def share_difference(reported: Share, ours: Share, alpha: float = ALPHA) -> tuple[float, float]:
    """Newcombe's interval for ours − reported."""
    (low_1, high_1), (low_2, high_2) = wilson(ours, alpha), wilson(reported, alpha)
    p, q = ours.share, reported.share
    difference = p - q
    return difference - sqrt((p - low_1) ** 2 + (high_2 - q) ** 2), difference + sqrt((high_1 - p) ** 2 + (q - low_2) ** 2)


def wilson(share: Share, alpha: float = 0.05) -> tuple[float, float]:
    """Wilson's interval for a share."""
    from scipy.special import ndtri

    z, n, p = float(-ndtri(alpha / 2)), share.games, share.share
    centre, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


# ---- whole figures ----


@dataclass(frozen=True)
class FigurePoint:
    """A point of a figure, reported and ours, with standard errors; `reported` is None if it is hidden in the figure."""

    reported: float | None
    ours: float
    reported_error: float
    our_error: float


@dataclass(frozen=True)
class FigureTest:
    """Joint test of all points of a figure."""

    points: int  # that are read off
    statistic: float  # sum of squared differences in units of their errors
    p_value: float
    largest: float  # the largest difference, in units of its error
    mean: float  # of ours − reported, in units of the axis
    root_mean_square: float

    @property
    def agrees(self) -> bool:
        return self.p_value >= ALPHA

    def __str__(self) -> str:
        p_text = f"{self.p_value:.2g}" if self.p_value >= 1e-6 else "< 1e-6"
        return (
            f"χ² = {self.statistic:.0f} over {self.points} points, p = {p_text}; ours − reported: mean {self.mean:+.1f}, "
            f"root mean square {self.root_mean_square:.1f}, largest {self.largest:.1f} standard errors"
        )


def test_figure(points: Sequence[FigurePoint]) -> FigureTest:
    """χ² test over the points, each difference in units of its standard error."""
    from scipy.special import chdtrc

    used = [point for point in points if point.reported is not None]
    gaps = [point.ours - float(point.reported or 0) for point in used]
    scaled = [gap / sqrt(point.reported_error**2 + point.our_error**2) for gap, point in zip(gaps, used)]
    statistic = sum(one * one for one in scaled)
    return FigureTest(
        points=len(used),
        statistic=statistic,
        p_value=float(chdtrc(len(used), statistic)) if used else 1.0,
        largest=max(map(abs, scaled), default=0.0),
        mean=sum(gaps) / len(gaps) if gaps else 0.0,
        root_mean_square=sqrt(sum(gap * gap for gap in gaps) / len(gaps)) if gaps else 0.0,
    )


test_figure.__test__ = False  # type: ignore[attr-defined]  # no test for pytest to collect


def whole_figure() -> Rule:
    """Rule: a joint test of all points; `measured.data["points"]` holds rows of (reported, ours, reported error, our error)."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        found = test_figure([FigurePoint(*row) for row in measured.data["points"]])
        return Judgement(Verdict.AGREES if found.agrees else Verdict.DIFFERS, str(found))

    return judge


def fisher_combination(p_values: Sequence[float]) -> float:
    """Combined p-value of independent tests."""
    from scipy.special import chdtrc

    return float(chdtrc(2 * len(p_values), -2 * sum(log(max(p, 1e-300)) for p in p_values)))


# ---- plain data ----


def differences(reported: Any, ours: Any, place: str = "") -> Iterator[str]:
    """Descriptions of all differences between plain data."""
    at = f"{place}: " if place else ""
    if isinstance(reported, dict) and isinstance(ours, dict):
        for name in dict.fromkeys([*reported, *ours]):
            if name not in reported or name not in ours:
                yield f"{at}{name} is only {'here' if name in ours else 'reported'}"
            else:
                yield from differences(reported[name], ours[name], f"{place}.{name}" if place else str(name))
    elif isinstance(reported, (list, tuple)) and isinstance(ours, (list, tuple)):
        if len(reported) != len(ours):
            yield f"{at}{len(reported)} numbers reported, {len(ours)} here"
        for number, (theirs, one) in enumerate(zip(reported, ours)):
            yield from differences(theirs, one, f"{place}[{number}]")
    elif reported != ours:
        yield f"{at}{plain(reported)} reported, {plain(ours)} here"


def _numbers(value: Any) -> Iterator[float]:
    """All numbers of plain data, in order."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _numbers(one)
    else:
        yield float(value)
