"""Figures of the reports, reproduced: our curves with their intervals over the points read off the report's figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_TICKS = 9  # points of a logarithmic axis up to which each gets a tick


@dataclass(frozen=True)
class FigureCurve:
    """One curve: ours as a line with intervals, the report's as open markers of the same colour."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()  # the same number as y, or none
    high: Sequence[float] = ()
    reported_x: Sequence[float] = ()
    reported_y: Sequence[float | None] = ()  # None: hidden in the report's figure


@dataclass(frozen=True)
class Figure:
    """A picture of an entry; `name` becomes the name of its file."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: Sequence[FigureCurve]
    x_scale: str = "linear"  # linear, log, or symlog: a log scale that shows 0
    y_scale: str = "linear"
    note: str = ""
    more: dict[str, Any] = field(default_factory=dict)  # y_limits: (low, high)

    def document(self) -> dict[str, Any]:
        """For JSON: names and curves; numbers are plain and finite, None where there is none."""
        curves = [
            {name: value if name == "label" else [_plain(number) for number in value] for name, value in vars(curve).items()}
            for curve in self.curves
        ]
        names = ("name", "title", "x_label", "y_label", "x_scale", "y_scale", "note")
        return {**{name: getattr(self, name) for name in names}, "curves": curves}


def _plain(number: float | None) -> float | None:
    return None if number is None or not isfinite(number) else float(number)


@dataclass(frozen=True)
class Picture:
    """A picture of another kind: `into(file)` draws it, such as a search tree."""

    name: str
    into: Callable[[str], object]


def draw(figure: Figure | Picture, file: str | Path) -> Path:
    """Write a picture (png, svg or pdf); raises LudometerError."""
    if isinstance(figure, Picture):
        figure.into(str(file))
        return Path(file)
    from ludometer.view.boards.theme import INK, MARKERS, SERIES
    from ludometer.view.figures import GRID, entitle, new_figure, save

    picture, (axes,) = new_figure(1, 1, 8.5, 5.2)
    for number, curve in enumerate(figure.curves):
        colour, marker = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
        if len(curve.low):
            axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.16, linewidth=0)
        axes.plot(curve.x, curve.y, color=colour, linewidth=1.6, label=curve.label)
        known = [(x, y) for x, y in zip(curve.reported_x, curve.reported_y) if y is not None]
        if known:
            xs, ys = zip(*known)
            axes.plot(xs, ys, linestyle="none", marker=marker, markersize=5, markerfacecolor="none", markeredgecolor=colour)
    _scales(axes, figure)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    axes.grid(True, color=GRID, linewidth=0.7)
    axes.legend(frameon=False, fontsize=9)
    entitle(picture, figure.title)
    with_points = any(curve.reported_x for curve in figure.curves)
    shaded = any(len(curve.low) for curve in figure.curves)
    said = ["lines: ours" + (", shaded: 95 % intervals" if shaded else "")] + ["open markers: the report"] * with_points
    axes.set_title("; ".join([*said, *([figure.note] if figure.note else [])]), fontsize=8.5, color=INK, loc="left")
    return save(picture, file)


def _scales(axes: Axes, figure: Figure) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    smallest = min((x for curve in figure.curves for x in curve.x if x > 0), default=1.0)
    for scale, set_scale in ((figure.x_scale, axes.set_xscale), (figure.y_scale, axes.set_yscale)):
        if scale == "symlog":
            set_scale("symlog", linthresh=smallest)
        elif scale != "linear":
            set_scale(scale)
    if figure.x_scale == "log":
        axes.xaxis.set_major_formatter(FuncFormatter(lambda place, _: f"{place:,.0f}" if place >= 1 else f"{place:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        if len(figure.curves[0].x) <= _MOST_TICKS:
            axes.set_xticks(list(figure.curves[0].x))
    if figure.x_scale == "symlog":
        axes.xaxis.set_major_formatter(FuncFormatter(lambda place, _: f"{place:,.0f}"))
    if "y_limits" in figure.more:
        axes.set_ylim(*figure.more["y_limits"])
