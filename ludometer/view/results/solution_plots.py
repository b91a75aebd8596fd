"""Plots of solved games.  matplotlib is loaded when the first one is drawn, without any window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ludometer.view.boards.theme import DIVERGING, INK, LOOKS
from ludometer.view.figures import GRID, entitle, new_figure, percent, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Told apart by lightness as well, so that they stay apart for colour-blind eyes and on paper.
COLOURS = {"win": DIVERGING[-1], "draw": LOOKS["faint"].fill, "loss": DIVERGING[0]}
VALUES = ("win", "draw", "loss")

_FEW_CLASSES = 17  # of one size up to which a share is written into each cell of a map
_ASIDE = 0.13  # where there are wins and losses of one distance, wins stand a little left of it and losses right

# Rows of bars of a tile game: name -> the least that the mover's tiles are more than the other's; the most is one more.
CLASS_ROWS = {
    "when both take blanks in turn: the mover has as many tiles as the other, or one fewer": -1,
    "the mover has as many tiles as the other, or one more": 0,
}

Classes = Sequence[Mapping[str, Any]]  # {mover, other, win, loss, draw} or {moves, …, win, loss, draw}


def class_figure(title: str, classes: Classes) -> Figure:
    """Shares of won, drawn and lost positions by class.

    Of a game of tiles: two rows of bars in the order of tiles on the board, and all classes as maps.  The first row has the classes that
    arise when both take blanks in turn, in which the mover has as many tiles as the other or one fewer; the second those in which the
    mover has as many or one more.  Of other games: one bar for each number of moves played.
    """
    if all(row.get("mover") is None or row.get("moves") is not None for row in classes):
        figure, axes = new_figure(1, 1, 9.0, 4.6)
        labels = [f"{row['moves']}" for row in classes]
        _stack(axes[0], classes, labels)
        axes[0].set_xlabel("moves played")
        entitle(figure, f"{title}: value for the player to move, by number of moves played")
        return figure
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 11.4), layout="constrained")
    *above, below = figure.subfigures(3, 1, squeeze=False, height_ratios=(1.0, 1.0, 1.35))[:, 0]
    for part, (name, least) in zip(above, CLASS_ROWS.items()):
        chosen = [row for row in classes if least <= row["mover"] - row["other"] <= least + 1]
        axes = part.subplots()
        _stack(axes, chosen, [f"{row['mover']},{row['other']}" for row in chosen])
        axes.set_title(name, fontsize=11, color=INK)
        axes.set_xlabel("class: tiles of the player to move, tiles of the other")
    maps = below.subplots(1, 3)
    for axes, value in zip(maps, VALUES):
        _map(below, axes, classes, value)
    entitle(figure, f"{title}: value for the player to move, by class of positions")
    return figure


def distance_figure(title: str, histogram: Mapping[str, Mapping[int, int]]) -> Figure:
    """How many positions are won and lost in how many moves, or worth how many points, on a logarithmic scale."""
    from matplotlib.ticker import MaxNLocator

    figure, (axes,) = new_figure(1, 1, 9.0, 4.6)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.grid(True, color=GRID, linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylabel("positions")
    if "margin" in histogram:
        _margins(axes, histogram["margin"])
        entitle(figure, f"{title}: what is still to be gained")
        return figure
    both = {int(distance) for distance in histogram.get("win", {})} & {int(distance) for distance in histogram.get("loss", {})}
    for name, marker, plural, aside in (("win", "o", "wins", -_ASIDE), ("loss", "s", "losses", _ASIDE)):
        counts = {int(distance): count for distance, count in histogram.get(name, {}).items()}
        heights = [counts[distance] for distance in sorted(counts)]
        places = [distance + aside if distance in both else distance for distance in sorted(counts)]
        axes.vlines(places, 0.5, heights, color=COLOURS[name], linewidth=2.2, alpha=0.55)
        label = f"{plural} ({sum(heights):,} positions)"
        axes.plot(places, heights, marker, color=COLOURS[name], markersize=6, label=label)
    axes.set_ylim(bottom=0.7)
    axes.set_xlabel("moves of both players to the end, with best play")
    axes.legend(frameon=False)
    entitle(figure, f"{title}: how long wins and losses take")
    return figure


def _margins(axes: Axes, counts: Mapping[int, int]) -> None:
    """A bar for each number of points the player to move still gains, more than the other."""
    margins = sorted(int(margin) for margin in counts)
    colours = [COLOURS["win" if margin > 0 else "loss" if margin < 0 else "draw"] for margin in margins]
    axes.bar(margins, [counts[margin] for margin in margins], width=0.8, color=colours)
    axes.set_xlabel("points the player to move still gains more than the other, with best play")


def _stack(axes: Axes, classes: Classes, labels: Sequence[str]) -> None:
    """A bar of full height for each class, divided into wins, draws and losses."""
    plain(axes)
    totals = [max(1, sum(row[value] for value in VALUES)) for row in classes]
    foot = [0.0] * len(classes)
    for value in VALUES:
        heights = [row[value] / total for row, total in zip(classes, totals)]
        axes.bar(range(len(classes)), heights, bottom=foot, width=0.86, color=COLOURS[value], label=value, edgecolor="white", linewidth=0.4)
        foot = [low + height for low, height in zip(foot, heights)]
    axes.set_xticks(range(len(classes)), labels, fontsize=8 if len(classes) <= 20 else 7, rotation=0 if len(classes) <= 20 else 60)
    axes.set_ylim(0, 1)
    axes.set_xlim(-0.6, len(classes) - 0.4)
    axes.yaxis.set_major_formatter(percent)
    axes.set_ylabel("share of the positions")
    handles, names = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], names[::-1], frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _rounded(share: float) -> str:
    """Whole percents, never 0 for something or 100 for less than all; nothing for nothing."""
    if share == 0:
        return ""
    return "<1" if share < 0.01 else ">99" if 0.99 < share < 1 else f"{100 * share:.0f}"


def _map(figure: Any, axes: Axes, classes: Classes, value: str) -> None:
    """The share of one value in every class: the mover's tiles to the right, the other's upwards."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import MaxNLocator

    size = 1 + max(row["mover"] for row in classes)
    shares = np.full((size, size), np.nan)
    for row in classes:
        shares[row["other"], row["mover"]] = row[value] / max(1, sum(row[name] for name in VALUES))
    scale = LinearSegmentedColormap.from_list(value, ["#fbf9f4", COLOURS[value]])
    most = max(0.1, float(np.ceil(10 * np.nanmax(shares)) / 10))
    image = axes.imshow(shares, origin="lower", cmap=scale, vmin=0, vmax=most, interpolation="nearest")
    if size <= _FEW_CLASSES:
        for other, mover in zip(*np.nonzero(~np.isnan(shares))):
            share = shares[other, mover]
            ink = "white" if value != "draw" and share > 0.6 * most else INK
            axes.text(mover, other, _rounded(share), ha="center", va="center", fontsize=7 if size <= 11 else 4.8, color=ink)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{value} (%)" if size <= _FEW_CLASSES else value, fontsize=11, color=INK)
    axes.set_xlabel("tiles of the player to move")
    axes.set_ylabel("tiles of the other")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    bar = figure.colorbar(image, ax=axes, orientation="horizontal", shrink=0.8, aspect=30, pad=0.03)
    bar.ax.xaxis.set_major_formatter(percent)
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_visible(False)
