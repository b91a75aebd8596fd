"""Plots as data: what a program that draws by itself (a page in a browser) needs to draw the plots of this package.

A chart is a plain dictionary with `kind` and `title`:

    curves      {x, y, series: [{name, points: [[x, y, low, high]], band}], lines: [{at, name}]}    intervals as bars, or as a band
    intervals   {x, rows: [{name, value, low, high}]}                                               a line for each name
    bars        {x, y, labels, series: [{name, values}]}                                            shares that stand on each other
    counts      {x, y, series: [{name, points: [[x, y]]}]}                                          on a logarithmic scale

`x` and `y` are axes: {label, scale: linear | log | zero-log, format: number | percent | whole}; `zero-log` is logarithmic with a place for
0 at its left end.  Numbers that are not finite are None: an interval without an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from ludometer.arena.experiments.ladder import Ladder
from ludometer.arena.experiments.ladder_points import RUNGS, Point
from ludometer.arena.experiments.match import MatchResult
from ludometer.arena.experiments.tournament import TournamentResult
from ludometer.core.text import short_spec

VALUES = ("loss", "draw", "win")  # from the foot of a bar to its top
_MOST_LOOKS = 160  # points of a curve
_LOG_RATIO = 4  # largest over smallest resource from which on the axis is logarithmic

Chart = dict[str, Any]


def finite(number: float | None) -> float | None:
    """A number for JSON; None if it is not finite."""
    return None if number is None or not isfinite(number) else float(number)


def axis(label: str, scale: str = "linear", form: str = "number") -> dict[str, str]:
    return {"label": label, "scale": scale, "format": form}


def _resource_scale(places: Sequence[float]) -> str:
    positive = [x for x in places if x > 0]
    if not positive or max(positive) < _LOG_RATIO * min(positive):
        return "linear"
    return "zero-log" if len(positive) < len(places) else "log"


def match_chart(result: MatchResult) -> Chart:
    """The score and its anytime interval as the match grew."""
    looks = [look for look in result.history if look.counts.pairs]
    step = max(1, -(-len(looks) // _MOST_LOOKS))
    chosen = looks[::step] + (looks[-1:] if (len(looks) - 1) % step else [])
    points = [[look.counts.games, look.counts.score, look.anytime_interval.low, look.anytime_interval.high] for look in chosen]
    return {
        "kind": "curves",
        "title": "Score as the match grew, with the interval that holds at any moment",
        "x": axis("games", "log" if points and points[-1][0] >= 1000 else "linear", "whole"),
        "y": axis(f"score of {result.pairing.a}", form="percent"),
        "series": [{"name": result.pairing.a, "points": points, "band": True}],
        "lines": [{"at": 0.5, "name": "equal"}],
    }


def tournament_chart(result: TournamentResult) -> Chart:
    """Ratings with their intervals."""
    return {
        "kind": "intervals",
        "title": "Ratings with 95 % intervals",
        "x": axis(f"Elo over {result.anchor}"),
        "rows": [
            {"name": player.agent, "value": player.rating, "low": finite(player.interval.low), "high": finite(player.interval.high)}
            for player in result.players
        ],
    }


def ladder_chart(ladder: Ladder) -> Chart:
    """Strength against the budget, a curve for each game, agent and opponent."""
    first = ladder.points[0]
    curves = ladder.curves()
    columns = list(zip(*curves))
    telling = [place for place, column in enumerate(columns) if len(set(column)) > 1] or [0, 1]
    names = [[short_spec(game), agent, "" if blunder is None else f"blunder {blunder:g}"] for game, agent, blunder in curves]
    label = {"outcome": "score", "accuracy": "moves that a perfect player could make", "length": "moves per game"}[first.measure]
    rated = first.versus == RUNGS
    percent = not rated and first.measure != "length"
    return {
        "kind": "curves",
        "title": "Strength against thinking, with 95 % intervals",
        "x": axis("budget of a rung", _resource_scale([point.budget for point in ladder.points])),
        "y": axis("Elo, first rung at 0" if rated else label, form="percent" if percent else "number"),
        "series": [
            {"name": ", ".join(name[place] for place in telling if name[place]), "points": [_row(point) for point in points]}
            for name, points in zip(names, curves.values())
        ],
        "lines": [],
    }


def _row(point: Point) -> list[float | None]:
    return [point.budget, point.value, finite(point.interval.low), finite(point.interval.high)]


def depth_chart(document: Mapping[str, Any]) -> Chart:
    """Levels against positions per decision, of the document of a `Depth`."""
    series: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    for game in document["games"]:
        name = f"{short_spec(game['game'])}{' (open)' if game['open'] else ''}"
        series.append({"name": name, "points": [[row["positions"], row["level"], *row["interval"]] for row in game["rungs"]]})
        if game["perfect"] is not None:
            lines.append({"at": game["perfect"]["level"], "name": f"perfect play, {name}"})
    places = [row[0] for one in series for row in one["points"]]
    return {
        "kind": "curves",
        "title": "Levels against thinking, with 95 % intervals",
        "x": axis("positions per decision", _resource_scale(places)),
        "y": axis("level, random play = 0"),
        "series": series,
        "lines": lines,
    }


def class_charts(classes: Sequence[Mapping[str, Any]]) -> list[Chart]:
    """Shares of won, drawn and lost positions by class; of a game of tiles the classes that arise when both take blanks in turn."""
    if all(row.get("mover") is None or row.get("moves") is not None for row in classes):
        labels = [str(row["moves"]) for row in classes]
        return [_bars("Value for the player to move, by number of moves played", "moves played", labels, classes)]
    near = [row for row in classes if -1 <= row["mover"] - row["other"] <= 0]
    labels = [f"{row['mover']},{row['other']}" for row in near]
    title = "Value for the player to move, by class: who moves has as many tiles as the other, or one fewer"
    return [_bars(title, "tiles of the player to move, tiles of the other", labels, near)]


def _bars(title: str, label: str, labels: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Chart:
    totals = [max(1, sum(row[value] for value in VALUES)) for row in rows]
    return {
        "kind": "bars",
        "title": title,
        "x": axis(label),
        "y": axis("share of the positions", form="percent"),
        "labels": list(labels),
        "series": [{"name": value, "values": [row[value] / total for row, total in zip(rows, totals)]} for value in VALUES],
    }


def distance_chart(histogram: Mapping[str, Mapping[int, int]]) -> Chart | None:
    """How many positions are won and lost in how many moves, or worth how many points; None where nothing was counted."""
    if "margin" in histogram:
        series = [{"name": "positions", "points": _counts(histogram["margin"].items())}]
        title, label = "What is still to be gained", "points the player to move still gains more than the other"
    else:
        found = (("wins", histogram.get("win", {})), ("losses", histogram.get("loss", {})))
        series = [{"name": name, "points": _counts(counts.items())} for name, counts in found if counts]
        title, label = "How long wins and losses take", "moves of both players to the end, with best play"
    if not series:
        return None
    return {"kind": "counts", "title": title, "x": axis(label, form="whole"), "y": axis("positions", "log", "whole"), "series": series}


def _counts(items: Iterable[tuple[Any, int]]) -> list[list[int]]:
    return sorted([int(place), count] for place, count in items)
