"""Ladders of the study as curves: our points with their errors, the report's beside them, and where a curve has come near its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ludometer.arena.experiments.ladder_points import Point
from ludometer.studies.figures import FigureCurve
from ludometer.studies.study_000.committed import Digitised

GAMES = 200  # of each point of the report, half of them in each seat
READING_ERROR = 0.3  # standard error of a point read off a figure, in units of its axis
PAIRS_OF_REPORT = GAMES // 2
_PAIR_SCORES = {"0": 0.0, "0.5": 0.25, "1": 0.5, "1.5": 0.75, "2": 1.0}
_RESAMPLES = 400


@dataclass(frozen=True)
class Rung:
    """A point of ours, in points of 100 or moves."""

    budget: int
    value: float
    low: float
    high: float
    error: float  # standard error
    reported_error: float  # of the report's point, if it has the same distribution
    seconds: float | None  # per move

    def row(self) -> list[float | None]:
        """As plain data."""
        return [self.budget, round(self.value, 3), round(self.low, 3), round(self.high, 3), round(self.error, 4), self.seconds]


def outcome_rung(point: Point) -> Rung:
    """A point of a ladder of outcomes.

    Its error comes from the pairs of games, whose seats differ: a player that wins all games in one seat and loses all in the other
    scores 50 without any error.  One pair is added that misses the mean by a half, so that no error is nought.
    """
    pairs = {_PAIR_SCORES[name]: count for name, count in point.more["pairs"].items()}
    number = sum(pairs.values())
    mean = sum(score * count for score, count in pairs.items()) / number
    squares = sum(count * (score - mean) ** 2 for score, count in pairs.items()) + 0.25
    spread = 100 * sqrt(squares / (number + 1))
    return Rung(
        budget=int(point.budget),
        value=100 * point.value,
        low=100 * point.interval.low,
        high=100 * point.interval.high,
        error=spread / sqrt(number),
        reported_error=spread / sqrt(PAIRS_OF_REPORT),
        seconds=point.seconds_per_move,
    )


def figure_rows(curves: Mapping[str, Sequence[Rung]], figure: Digitised) -> list[list[float | None]]:
    """(reported, ours, reported error, our error) of every rung of every curve, for `agreement.whole_figure`."""
    rows: list[list[float | None]] = []
    for name, rungs in curves.items():
        for rung in rungs:
            rows.append([figure.at(name, rung.budget), rung.value, sqrt(rung.reported_error**2 + READING_ERROR**2), rung.error])
    return rows


def drawn(label: str, rungs: Sequence[Rung], figure: Digitised | None = None, curve: str = "", axis: str = "budget") -> FigureCurve:
    """A curve of a picture, over the report's points where it has some; `axis`: budget or seconds."""
    known = [rung for rung in rungs if axis == "budget" or rung.seconds is not None]
    places = [float(rung.budget) if axis == "budget" else float(rung.seconds or 0.0) for rung in known]
    with_report = figure is not None and axis == "budget"
    return FigureCurve(
        label,
        places,
        [rung.value for rung in known],
        [rung.low for rung in known],
        [rung.high for rung in known],
        list(figure.rungs) if figure is not None and with_report else (),
        list(figure.curves[curve]) if figure is not None and with_report else (),
    )


@dataclass(frozen=True)
class Plateau:
    """The budget from which on a curve has so much of its last value, with a 95 % interval."""

    budget: float
    low: float
    high: float


def plateau(budgets: Sequence[float], values: Sequence[float], errors: Sequence[float], share: float = 0.9, seed: int = 0) -> Plateau:
    """Where a rising curve reaches `share` of its last value: isotonic regression, linear between rungs.

    The interval comes from curves drawn again with the errors of their points (parametric bootstrap, percentiles).
    """
    random = np.random.default_rng(seed)
    found = [_reaching(budgets, random.normal(values, errors), errors, share) for _ in range(_RESAMPLES)]
    low, high = np.percentile(found, [2.5, 97.5])
    return Plateau(_reaching(budgets, np.asarray(values), errors, share), float(low), float(high))


def _reaching(budgets: Sequence[float], values: np.ndarray, errors: Sequence[float], share: float) -> float:
    from scipy.optimize import isotonic_regression

    smooth = isotonic_regression(values, weights=1 / np.square(errors)).x
    goal = share * smooth[-1]
    place = int(np.argmax(smooth >= goal))
    if place == 0:
        return float(budgets[0])
    below, above = smooth[place - 1], smooth[place]
    return float(budgets[place - 1] + (budgets[place] - budgets[place - 1]) * (goal - below) / (above - below))


def rows_of(curves: Mapping[str, Sequence[Rung]]) -> dict[str, Any]:
    """Curves as plain data: budget, value, low, high, standard error, seconds per move."""
    return {name: [rung.row() for rung in rungs] for name, rungs in curves.items()}


def in_order_of_size(value: Mapping[str, float]) -> bool:
    """Whether larger boards need more, against each opponent."""
    small = all(value[f"3.{kind}"] < value[f"4.{kind}"] for kind in ("opt", "steps"))
    return small and value["4.opt"] < value.get("5.opt", float("inf"))
