"""Ladders in words and pictures."""

from __future__ import annotations

from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

from ludometer.arena.experiments.ladder import AXES, Ladder
from ludometer.arena.experiments.ladder_points import RUNGS, Point
from ludometer.core.errors import LudometerError
from ludometer.core.text import aligned, short_spec
from ludometer.view.boards.theme import INK, MARKERS, SERIES
from ludometer.view.results.estimates import percent_text, signed_text, time_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ASIDE = 1.02  # factor by which each further curve is moved to the right, so that intervals do not hide each other

AXIS_NAMES = {
    "budget": "budget",
    "positions": "positions visited per decision",
    "seconds": "seconds per move, on this machine",
}


def ladder_text(ladder: Ladder) -> str:
    """A table with a line for each rung, curve by curve."""
    blocks = []
    for points in ladder.curves().values():
        blocks.append(f"{curve_title(points[0])}\n{aligned(table_cells(points))}")
    said = [f"note: {note}" for note in ladder.notes]
    return "\n\n".join(blocks) + "".join(f"\n{line}" for line in [f"seed {ladder.seed}; intervals have 95 %", *said])


def curve_title(point: Point) -> str:
    """What a curve shows."""
    measured = {"outcome": "score", "accuracy": "accuracy of moves", "length": "moves per game"}[point.measure]
    if point.versus == RUNGS:
        return f"{short_spec(point.game)}: {short_spec(point.agent)}, rungs against each other (Elo, the first at 0)"
    against = f" against {short_spec(point.versus)}" if point.versus else ""
    return f"{short_spec(point.game)}: {short_spec(point.agent)}, {measured}{against}"


def table_cells(points: list[Point]) -> list[list[str]]:
    """A line for each rung of a curve, below a head."""
    is_accuracy = points[0].measure == "accuracy"
    head = ["rung", _value_name(points[0]), "interval"]
    head += ["strict", "interval", "points lost"] if is_accuracy else []
    head += ["positions/move", "time/move", "positions" if is_accuracy else "games"]
    lines = [head]
    for point in points:
        line = [point.rung, value_text(point, point.value), interval_text(point, point.interval.low, point.interval.high)]
        if is_accuracy:
            strict = point.more["strict"]
            ends = point.more["strict_interval"]
            line += ["-", "-"] if strict is None else [percent_text(strict), interval_text(point, *ends)]
            line.append(f"{point.more['lost']:.3f}")
        visited = "-" if point.positions_per_move is None else f"{point.positions_per_move:,.0f}"
        line += [visited, time_text(point.seconds_per_move), f"{point.units if is_accuracy else 2 * point.units:,}"]
        lines.append(line)
    return lines


def _value_name(point: Point) -> str:
    if point.versus == RUNGS:
        return "Elo"
    return {"outcome": "score", "accuracy": "lenient", "length": "moves"}[point.measure]


def value_text(point: Point, value: float) -> str:
    """A value as its measure writes it."""
    if point.versus == RUNGS:
        return signed_text(value)
    return f"{value:.1f}" if point.measure == "length" else percent_text(value)


def interval_text(point: Point, low: float, high: float) -> str:
    """An interval as its measure writes it."""
    if point.versus == RUNGS or point.measure == "length":
        return f"{value_text(point, low)} to {value_text(point, high)}" if isfinite(high) else "unknown"
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def ladder_html(ladder: Ladder) -> str:
    """Tables for a notebook."""
    parts = []
    for points in ladder.curves().values():
        head, *lines = table_cells(points)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
        heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        parts.append(f"<p><b>{escape(curve_title(points[0]))}</b></p><table><tr>{heads}</tr>{rows}</table>")
    notes = "".join(f"<p>{escape(note)}</p>" for note in ladder.notes)
    return f"<div>{''.join(parts)}<p>seed {ladder.seed}; intervals have 95 %</p>{notes}</div>"


def ladder_plot(ladder: Ladder, path: str | None = None, axis: str = "budget", normalised: bool = False) -> Figure:
    """All curves in one picture, with their intervals; `normalised` divides each by its value at the last rung."""
    from ludometer.view.figures import GRID, entitle, new_figure, percent, save

    if axis not in AXES:
        raise LudometerError(f"the axis of a ladder is one of {', '.join(AXES)}, not {axis!r}")
    figure, (axes,) = new_figure(1, 1, 8.0, 5.0)
    curves = ladder.curves()
    drawn = [
        _draw(axes, points, number, axis, normalised, label)
        for number, (points, label) in enumerate(zip(curves.values(), _labels(list(curves))))
    ]
    if not any(drawn):
        raise LudometerError(f"no rung says its {AXIS_NAMES[axis]}; choose another axis")
    scale_resources(axes, [x for places in drawn for x in places])
    first = ladder.points[0]
    axes.set_xlabel(_budget_name(ladder) if axis == "budget" else AXIS_NAMES[axis])
    axes.set_ylabel(_value_axis(first, ladder) + (", last rung = 1" if normalised else ""))
    if not normalised and first.measure != "length" and first.versus != RUNGS:
        axes.yaxis.set_major_formatter(percent)
    axes.grid(True, color=GRID, linewidth=0.7)
    axes.legend(frameon=False, fontsize=9)
    entitle(figure, _headline(ladder))
    axes.set_title(_small_print(ladder), fontsize=8.5, color=INK, loc="left")
    if path is not None:
        save(figure, path)
    return figure


def _labels(keys: list[tuple[str, str, float | None]]) -> list[str]:
    """What tells the curves apart."""
    columns = list(zip(*keys))
    telling = [place for place, column in enumerate(columns) if len(set(column)) > 1] or [0, 1]
    names = [[short_spec(game), agent, "" if blunder is None else f"blunder {blunder:g}"] for game, agent, blunder in keys]
    return [", ".join(name[place] for place in telling if name[place]) for name in names]


def _draw(axes: Axes, points: list[Point], number: int, axis: str, normalised: bool, label: str) -> list[float]:
    """One curve; its places on the axis.  Of accuracy the strict one is drawn too, dashed."""
    known = [(x, point) for point in points if (x := point.on(axis)) is not None]
    if not known:
        return []
    colour, marker = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
    places = [x * _ASIDE**number for x, _ in known]
    scale = points[-1].value if normalised else 1.0
    rows = [(point.value, point.interval.low, point.interval.high) for _, point in known]
    error_curve(axes, places, rows, scale, label=label, color=colour, marker=marker)
    if points[0].measure == "accuracy" and all(point.more["strict"] is not None for point in points):
        strict = [(point.more["strict"], *point.more["strict_interval"]) for _, point in known]
        scale = points[-1].more["strict"] if normalised else 1.0
        options: dict[str, Any] = {"linestyle": "--", "markerfacecolor": "white"}
        error_curve(axes, places, strict, scale, label=f"{label}, strict", color=colour, marker=marker, **options)
    return places


def error_curve(axes: Axes, places: list[float], rows: list[tuple[float, float, float]], scale: float = 1.0, **options: Any) -> None:
    """A line through (value, low, high) at these places, with bars from low to high."""
    scale = scale or 1.0
    values = [value / scale for value, _, _ in rows]
    # A rating's bootstrap interval need not contain the estimate: a bar then begins at it.
    below = [max(0.0, (value - low) / scale) if isfinite(low) else 0.0 for value, low, _ in rows]
    above = [max(0.0, (high - value) / scale) if isfinite(high) else 0.0 for value, _, high in rows]
    axes.errorbar(places, values, yerr=[below, above], capsize=3, markersize=6, linewidth=1.8, elinewidth=1.1, **options)


def scale_resources(axes: Axes, places: list[float]) -> None:
    """Set a logarithmic axis; x = 0, if present, is drawn at the left edge."""
    positive = [x for x in places if x > 0]
    if not positive or max(positive) / min(positive) < 4:
        return
    if len(positive) < len(places):
        axes.set_xscale("symlog", linthresh=min(positive), linscale=0.5)
        axes.set_xlim(left=-0.05 * min(positive))
    else:
        axes.set_xscale("log")


def _budget_name(ladder: Ladder) -> str:
    from ludometer.arena.experiments.families import Family

    names = {Family.of(point.agent).budget for point in ladder.points}
    return " or ".join(sorted({f"{option.name} ({option.help.partition(';')[0]})" for option in names}))


def _value_axis(first: Point, ladder: Ladder) -> str:
    if first.measure == "length":
        return "moves per game"
    if first.measure == "accuracy":
        return "moves that a perfect player could make"
    if first.versus == RUNGS:
        return "Elo, first rung at 0"
    opponents = {point.versus.partition(":")[0] for point in ladder.points if point.versus}
    return f"score against {' or '.join(sorted(opponents))}"


def _headline(ladder: Ladder) -> str:
    games = ", ".join(dict.fromkeys(short_spec(point.game) for point in ladder.points))
    agents = ", ".join(dict.fromkeys(short_spec(point.agent) for point in ladder.points))
    return f"Strategy ladder of {agents} at {games}"


def _small_print(ladder: Ladder) -> str:
    units = sorted({point.units for point in ladder.points})
    each = f"{units[0]:,}" if len(units) == 1 else f"{units[0]:,} to {units[-1]:,}"
    of = "positions" if ladder.measure == "accuracy" else "pairs of games"
    return f"{each} {of} a point, 95 % intervals, seed {ladder.seed}"
