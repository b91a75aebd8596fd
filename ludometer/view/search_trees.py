"""Search trees as pictures: small ones from left to right with all moves written, large ones as rings around the root.

tree = agent("alphabeta:3", game("quixo:4")).tree(position, key)
draw_tree(tree, "tree.svg")
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.view.boards.theme import DIVERGING, FIRST, INK, PAPER, SECOND
from ludometer.view.figures import check_format, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ludometer.agents.searchtree import SearchTree

MOST_DRAWN = 20_000  # nodes and moves cut off; more would be a blot
MOST_ROWS = 70  # rows of a tree drawn from left to right

CHOSEN = "#e2a400"
FADED = "#a89f92"
_CUT_WEIGHT = 0.35  # room of a move cut off, compared to a leaf
_CUT_LENGTH = 0.4  # of the way to the next ring
_DECIDED = 9_000.0  # values beyond are won or lost games


def draw_tree(tree: SearchTree, file: str | Path) -> None:
    """Draw the tree into an SVG, PNG or PDF file; raises LudometerError."""
    check_format(str(file))
    save(tree_figure(tree), file)


def tree_figure(tree: SearchTree) -> Figure:
    """The tree as a matplotlib figure; raises LudometerError when it is too large to be drawn."""
    if len(tree.parents) > MOST_DRAWN:
        raise LudometerError(f"the tree has {len(tree.parents):,} branches, {MOST_DRAWN:,} can be drawn; search less deep")
    weights = subtree_weights(tree)
    if weights[0] <= MOST_ROWS:
        return _drawn_in_rows(tree, weights)
    return _drawn_in_rings(tree, weights)


def subtree_weights(tree: SearchTree) -> np.ndarray:
    """The room each node needs: one for each leaf below it, less for moves cut off."""
    cut = tree.is_cut
    weights = np.where(cut, _CUT_WEIGHT, 0.0)
    for node in range(len(weights) - 1, -1, -1):
        if not tree.children[node] and not cut[node]:
            weights[node] = 1.0
        if node:
            weights[tree.parents[node]] += weights[node]
    return weights


def spread(tree: SearchTree, weights: np.ndarray) -> np.ndarray:
    """Where each node lies across the tree, from 0 to 1: in the middle of its share of its parent's room."""
    left, middle = np.zeros(len(weights)), np.zeros(len(weights))
    for node in range(len(weights)):
        middle[node] = left[node] + weights[node] / 2
        begin = left[node]
        for child in tree.children[node]:
            left[child] = begin
            begin += weights[child]
    across: np.ndarray = middle / weights[0]
    return across


def colours_of(tree: SearchTree) -> np.ndarray:
    """Values from −1 to 1 for colouring: won and lost games at the ends, evaluations in between by their size."""
    values = tree.values
    undecided = np.abs(values) < _DECIDED
    largest = np.abs(values[undecided & ~tree.is_cut]).max(initial=0.0)
    scaled = values / largest * 0.75 if largest > 0 else np.zeros(len(values))
    return np.where(undecided, scaled, np.sign(values))


def _drawn_in_rings(tree: SearchTree, weights: np.ndarray) -> Figure:
    from matplotlib.figure import Figure

    angles = 2 * math.pi * spread(tree, weights) - math.pi / 2
    # Each ring is as far out as its nodes need to stand apart, and at least one step from the last.
    deepest = int(tree.plies.max())
    rings = np.array([0.0, *(_ring(ply, deepest) for ply in range(1, deepest + 1))])
    radii = rings[tree.plies]
    cut = tree.is_cut
    inner = rings[np.maximum(tree.plies - 1, 0)]
    radii = np.where(cut, inner + (radii - inner) * _CUT_LENGTH, radii)
    # The stub of a move cut off points outwards from its parent.
    angles_drawn = np.where(cut & (tree.plies > 1), angles[tree.parents] + (angles - angles[tree.parents]) * _CUT_LENGTH, angles)
    places = np.column_stack([radii * np.cos(angles_drawn), radii * np.sin(angles_drawn)])
    figure = Figure(figsize=(11, 11.9), facecolor=PAPER)
    axes = figure.add_axes((0.02, 0.07, 0.96, 0.85))
    for ring in rings[1:]:
        axes.add_artist(_circle(ring))
    crowd = len(tree.parents)
    size = float(np.clip(9000 / crowd, 3.0, 60.0))
    _draw_edges(axes, tree, places, width=float(np.clip(400 / crowd, 0.35, 1.4)), bend=True)
    _draw_nodes(axes, tree, places, size)
    _write_moves(axes, tree, places)
    axes.set_xlim(-1.1, 1.1)
    axes.set_ylim(-1.1, 1.1)
    axes.set_aspect("equal")
    _finish(figure, axes, tree)
    return figure


def _drawn_in_rows(tree: SearchTree, weights: np.ndarray) -> Figure:
    from matplotlib.figure import Figure

    across = spread(tree, weights)
    deepest = max(1, int(tree.plies.max()))
    rows = float(weights[0])
    height = max(3.6, 0.24 * rows + 1.9)
    figure = Figure(figsize=(max(8.0, 2.3 * deepest + 2.5), height), facecolor=PAPER)
    axes = figure.add_axes((0.02, 0.9 / height, 0.96, 1 - 1.9 / height))
    cut = tree.is_cut
    x = tree.plies - np.where(cut, 1 - _CUT_LENGTH, 0.0)
    y = -across
    y = np.where(cut & (tree.plies > 0), y[tree.parents] + (y - y[tree.parents]) * 0.8, y)
    places = np.column_stack([x, y])
    _draw_edges(axes, tree, places, width=1.2, bend=False)
    _draw_nodes(axes, tree, places, 46.0)
    texts = _move_texts(tree)
    for node in range(1, len(tree.parents)):
        if not cut[node]:
            label = f"{texts[node]}  {_value_text(tree.values[node])}"
            if tree.children[node]:
                _write(axes, places[node], label, node in tree.chosen_line, 7.0, "center", offset=(0, 6))
            else:
                _write(axes, places[node], label, node in tree.chosen_line, 7.0, "left", offset=(7, -2.5))
    axes.set_xlim(-0.15, deepest + 0.55)
    axes.set_ylim(-1 - 0.5 / rows, 0.5 / rows)
    _finish(figure, axes, tree)
    return figure


def _ring(ply: int, deepest: int) -> float:
    """Radius of a ring: outer ones, which hold most, take less depth."""
    return float((ply / deepest) ** 0.7)


def _circle(radius: float) -> Any:
    from matplotlib.patches import Circle

    return Circle((0, 0), radius, fill=False, edgecolor="#e4dac8", linewidth=0.6, zorder=0)


def _draw_edges(axes: Axes, tree: SearchTree, places: np.ndarray, width: float, bend: bool) -> None:
    """Edges coloured by who moves; those cut off short and grey, the chosen line broad."""
    from matplotlib.collections import LineCollection

    chosen = set(tree.chosen_line)
    parents, cut = tree.parents, tree.is_cut
    paths: dict[str, list[np.ndarray]] = {"cut": [], "first": [], "second": [], "chosen": []}
    for node in range(1, len(parents)):
        path = _curve(places[parents[node]], places[node], bend)
        if cut[node]:
            paths["cut"].append(path if bend else path[[0, -1]])
        else:
            paths["first" if tree.players[parents[node]] == 0 else "second"].append(path)
        if node in chosen:
            paths["chosen"].append(path)
    for name, colour, thickness, opacity, order in (
        ("cut", FADED, 0.7 * width, 0.75, 1),
        ("first", FIRST, width, 0.55, 2),
        ("second", SECOND, width, 0.55, 2),
        ("chosen", CHOSEN, max(3.0, 3 * width), 1.0, 3),
    ):
        axes.add_collection(LineCollection(paths[name], colors=colour, linewidths=thickness, alpha=opacity, zorder=order, capstyle="round"))


def _curve(begin: np.ndarray, end: np.ndarray, bend: bool) -> np.ndarray:
    """Points from a parent to its child: along rays and arcs in rings, as a smooth step in rows."""
    steps = np.linspace(0, 1, 10 if bend else 24)[:, None]
    if not bend:
        smooth = steps**2 * (3 - 2 * steps)
        return np.hstack([begin[0] + (end[0] - begin[0]) * steps, begin[1] + (end[1] - begin[1]) * smooth])
    radii = math.hypot(*begin), math.hypot(*end)
    if radii[0] == 0:
        return np.array([begin, end])
    first, last = math.atan2(begin[1], begin[0]), math.atan2(end[1], end[0])
    turn = (last - first + math.pi) % (2 * math.pi) - math.pi
    smooth = steps**2 * (3 - 2 * steps)
    angles = first + turn * smooth
    lengths = radii[0] + (radii[1] - radii[0]) * steps
    return np.hstack([lengths * np.cos(angles), lengths * np.sin(angles)])


def _draw_nodes(axes: Axes, tree: SearchTree, places: np.ndarray, size: float) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list("value", DIVERGING)
    colours = colours_of(tree)
    visited = ~tree.is_cut
    sizes = np.where(np.array([bool(children) for children in tree.children]), size, 0.6 * size)
    sizes[tree.chosen_line] = np.maximum(sizes[tree.chosen_line], 46.0)
    sizes[0] = max(110.0, size)
    for shape, kinds in (("o", (0, 1, 3)), ("s", (2,))):
        shown = visited & np.isin(tree.kinds, kinds)
        axes.scatter(
            places[shown, 0], places[shown, 1], s=sizes[shown], c=colours[shown], cmap=scale, vmin=-1, vmax=1,
            marker=shape, edgecolors=INK, linewidths=np.where(sizes[shown] > 20, 0.6, 0.15).tolist(), zorder=4,
        )  # fmt: skip


def _write_moves(axes: Axes, tree: SearchTree, places: np.ndarray) -> None:
    """In rings only the chosen line is written out, each move beside its node."""
    for node, text in zip(tree.chosen_line[1:], tree.chosen_moves):
        _write(axes, places[node], f"{text}  {_value_text(tree.values[node])}", True, 8.5, "left", offset=(7, 5))


def _write(axes: Axes, place: np.ndarray, text: str, strong: bool, size: float, side: str, offset: tuple[float, float]) -> None:
    from matplotlib.patheffects import withStroke

    axes.annotate(
        text, (place[0], place[1]), xytext=offset, textcoords="offset points", fontsize=size, ha=side, color=INK, zorder=6,
        weight="bold" if strong else "normal", path_effects=[withStroke(linewidth=2.2, foreground=PAPER)],
    )  # fmt: skip


def _move_texts(tree: SearchTree) -> list[str]:
    """The move to each node as text."""
    positions = {0: tree.position}
    texts = [""] * len(tree.parents)
    for node in range(1, len(tree.parents)):
        before = positions[int(tree.parents[node])]
        texts[node] = before.move_text(int(tree.moves[node]))
        if tree.children[node]:
            positions[node] = before.play(int(tree.moves[node]))
    return texts


def _value_text(value: float) -> str:
    if abs(value) > _DECIDED:
        return "wins" if value > 0 else "loses"
    return f"{value:+.3g}" if value else "0"


def _finish(figure: Figure, axes: Axes, tree: SearchTree) -> None:
    """Title above, legend below."""
    from matplotlib.lines import Line2D

    axes.axis("off")
    players = tree.position.game.kind.players
    height = figure.get_figheight()
    figure.text(0.5, 1 - 0.36 / height, f"{tree.position.game.spec}   {tree.agent}", ha="center", fontsize=13, weight="bold", color=INK)
    cut = f", {tree.pruned:,} moves cut off" if tree.pruned else ""
    summary = f"{tree.position}\n{tree.nodes:,} positions, {tree.depth} plies deep{cut}; values for {tree.position.turn}"
    figure.text(0.5, 1 - 0.82 / height, summary, ha="center", fontsize=8.5, color=INK)
    handles = [
        Line2D([], [], color=FIRST, lw=2, label=f"{players[0]} moves"),
        Line2D([], [], color=SECOND, lw=2, label=f"{players[1]} moves"),
        Line2D([], [], color=CHOSEN, lw=4, label="chosen line"),
        Line2D([], [], color=FADED, lw=1.5, label="cut off"),
        *(
            Line2D([], [], marker=shape, ls="", color=colour, markeredgecolor=INK, markersize=7, label=label)
            for shape, colour, label in (
                ("o", DIVERGING[-1], f"good for {tree.position.turn}"),
                ("o", DIVERGING[0], "bad"),
                ("s", PAPER, "game over"),
            )
        ),
    ]
    figure.legend(
        handles=handles, loc="lower center", ncols=7, frameon=False, fontsize=8.5, labelcolor=INK, bbox_to_anchor=(0.5, 0.12 / height)
    )
