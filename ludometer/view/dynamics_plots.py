"""Pictures of learning dynamics: fields on the square and the triangle, basins, learning curves, logit equilibria over temperature.

Kinds of rest points differ in shape and filling, players and sources in colour and line style: nothing is told by colour alone.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.errors import LudometerError, shorten
from ludometer.dynamics.fields import Array, Field
from ludometer.dynamics.integration import Path
from ludometer.dynamics.learners import LearnerRuns
from ludometer.dynamics.payoffs import is_symmetric, names_of
from ludometer.dynamics.portrait import DRAWN, Portrait
from ludometer.view.dynamics_curves import bifurcation_figure, curves_figure, smoothed
from ludometer.view.theme import DIVERGING, FIRST, INK, SECOND

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = ("field", "basins", "curves", "bifurcation")
STREAM = "#a9b4be"
SEPARATRIX = DIVERGING[0]
NASH = "#e2a400"
BASIN_COLOURS = ("#9cc3e6", "#f4c28f", "#b9dfb1", "#d3bfe0", "#f2e394", "#c9c9c9")  # light, and of different lightness
# kind -> marker, filled, legend
MARKERS = {
    "sink": ("o", True),
    "source": ("o", False),
    "saddle": ("X", True),
    "centre": ("P", False),
    "degenerate": ("s", False),
    "equilibrium": ("D", True),
}
_LEARNERS_SHOWN = 3
_SHORT_LABEL = 40  # characters of legend entries that fit three in a row
_HEIGHT = np.sqrt(3) / 2  # of the triangle


def figure_of(portrait: Portrait, picture: str) -> Figure:
    """One of the pictures of a portrait; raises LudometerError where there is none of this game."""
    if picture not in PICTURES:
        raise LudometerError(f"there is no picture {shorten(picture)}; there are {', '.join(PICTURES)}")
    if picture == "curves":
        if portrait.runs is None:
            raise LudometerError("learning curves need learners; choose some with --learners")
        return curves_figure(portrait.runs)
    if picture == "bifurcation":
        return bifurcation_figure(portrait)
    return field_figure(portrait) if picture == "field" else basin_figure(portrait)


def load_matplotlib() -> None:
    """Import the plotting library now, where there is time to spare."""
    import matplotlib.backends.backend_agg
    import matplotlib.figure  # noqa: F401


def as_svg(figure: Figure) -> str:
    """A figure as SVG text."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg")
    return stream.getvalue()


def check_drawable(portrait_sizes: tuple[int, int]) -> None:
    if portrait_sizes not in DRAWN:
        raise LudometerError(f"fields are drawn for games of 2 or 3 actions each; this one is {portrait_sizes[0]}×{portrait_sizes[1]}")


def field_figure(portrait: Portrait) -> Figure:
    """The field with streamlines, rest points by kind, Nash equilibria, separatrices, and paths of the field or of learners."""
    check_drawable((len(portrait.game.row_labels), len(portrait.game.column_labels)))
    sizes = portrait.field.sizes
    if sizes == (2,):
        return _line_figure(portrait)
    if sizes == (2, 2):
        figure, (axes,) = new_figure(1, 8.0, 6.2)
        _square(axes, portrait)
        _streams_on_square(axes, portrait.field)
        _draw_paths(axes, portrait, lambda states: (states[:, 0], states[:, 2]))
        _draw_points(axes, portrait, lambda row, column: (row[0], column[0]))
    elif sizes == (3,):
        figure, (axes,) = new_figure(1, 8.0, 6.2)
        _triangle(axes, names_of(portrait.game)[0], "both players")
        _streams_on_triangle(axes, _own_velocity(portrait.field, 0)[0])
        _draw_paths(axes, portrait, lambda states: on_triangle(states[:, :3]))
        _draw_points(axes, portrait, lambda row, column: on_triangle(row))
    else:
        figure, panels = new_figure(2, 11.0, 5.6)
        for player, axes in enumerate(panels):
            _player_panel(axes, portrait, player)
    _legend(figure, portrait)
    set_title(figure, f"{title_of(portrait)}: {dynamics_title(portrait.field)}")
    return figure


def _player_panel(axes: Axes, portrait: Portrait, player: int) -> None:
    """One player of a game with a triangle: the triangle, or probabilities over time."""
    names = names_of(portrait.game)[player]
    begin = portrait.field.sizes[0] * player
    who = ("row player", "column player")[player]
    if len(names) == 3:
        _triangle(axes, names, who)
        velocity, remark = _own_velocity(portrait.field, player)
        _streams_on_triangle(axes, velocity)
        axes.text(0.5, -0.07, remark, ha="center", va="top", fontsize=9, color=INK)
        _draw_paths(axes, portrait, lambda states: on_triangle(states[:, begin : begin + 3]))
        _draw_points(axes, portrait, lambda row, column: on_triangle(column if player else row))
        return
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("time (α · steps)")
    axes.set_ylabel(f"{who}: probability of {names[0]}")
    for path, style in paths_shown(portrait):
        axes.plot(path.times, path.states[:, begin], **style)


def basin_figure(portrait: Portrait) -> Figure:
    """From where the field leads to which sink."""
    found = portrait.basins()
    if not found.sinks:
        raise LudometerError("there are no basins to draw: this dynamics has no sink here")
    from matplotlib.patches import Patch

    figure, (axes,) = new_figure(1, 8.0, 6.2)
    names = names_of(portrait.game)
    colours = ["#ffffff", *(BASIN_COLOURS[number % len(BASIN_COLOURS)] for number in range(len(found.sinks)))]
    if portrait.field.sizes == (2, 2):
        _square(axes, portrait)
        place: Callable[[Array, Array], Any] = lambda row, column: (row[0], column[0])  # noqa: E731
        x, y = found.starts[:, 0], found.starts[:, 2]
        ends = found.ends.reshape(len(np.unique(x)), -1).T
        limits: dict[str, Any] = {"vmin": -1.5, "vmax": len(found.sinks) - 0.5}
        axes.imshow(ends, origin="lower", extent=(0, 1, 0, 1), cmap=_listed(colours), **limits, zorder=0, interpolation="nearest")
    else:
        _triangle(axes, names[0], "both players")
        place = lambda row, column: on_triangle(row)  # noqa: E731
        x, y = on_triangle(found.starts)
        axes.scatter(x, y, c=[colours[end + 1] for end in found.ends], s=46, marker="h", linewidths=0, zorder=0)
    for path in portrait.separatrices:
        where = on_triangle(path.states) if portrait.field.sizes == (3,) else (path.states[:, 0], path.states[:, 2])
        axes.plot(*where, color=SEPARATRIX, linestyle=(0, (5, 2)), linewidth=2)
    _draw_points(axes, portrait, place)
    lift = 0.08 if portrait.field.populations == 2 else 0.0  # above an equilibrium in the middle
    handles = []
    for number, (sink, share) in enumerate(zip(found.sinks, found.shares())):
        goal = _place_text(sink.row, names[0])
        if portrait.field.populations == 2:
            goal += f", {_place_text(sink.column, names[1])}"
        handles.append(Patch(facecolor=colours[number + 1], label=f"leads to {goal}: {share:.1%}"))
        if share > 0.25:  # there is room
            inside = found.ends == number
            axes.text(x[inside].mean(), y[inside].mean() + lift, f"to {goal}", ha="center", va="center", fontsize=12, color=INK)
    _legend(figure, portrait, handles, paths=False)
    set_title(figure, f"{title_of(portrait)}: basins of {dynamics_title(portrait.field)}")
    return figure


def _listed(colours: Sequence[str]) -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap(list(colours))


def _place_text(part: Array, names: Sequence[str]) -> str:
    best = int(np.argmax(part))
    if part[best] > 0.97:
        return names[best] if part[best] > 0.9999 else f"≈ {names[best]}"
    return " ".join(f"{share:.2f} {name}" for share, name in zip(part, names))


def title_of(portrait: Portrait) -> str:
    return portrait.game.title or "payoffs " + (portrait.spec if len(portrait.spec) < 40 else portrait.spec[:38] + "…").removeprefix(
        "matrix:"
    )


def dynamics_title(field: Field) -> str:
    """The dynamics with its settings."""
    settings = [f"τ = {field.tau:g}"] * (field.kind == "boltzmann") + [f"κ = {field.kappa}"] * (field.kappa > 1)
    name = {"boltzmann": "Boltzmann dynamics", "replicator": "replicator dynamics"}.get(field.kind, "best-response dynamics")
    return ("lenient " * (field.kappa > 1) + name) + (f" ({', '.join(settings)})" if settings else "")


def new_figure(panels: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(figure.subplots(1, panels, squeeze=False).flat)
    for one in axes:
        one.set_axisbelow(True)
        for side in ("top", "right"):
            one.spines[side].set_visible(False)
    return figure, axes


def set_title(figure: Figure, text: str) -> None:
    figure.suptitle(text, color=INK, fontsize=13, fontweight="bold")


def _square(axes: Axes, portrait: Portrait) -> None:
    rows, columns = names_of(portrait.game)
    axes.set_aspect("equal")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(f"row player: probability of {rows[0]} (else {rows[1]})", fontsize=11)
    axes.set_ylabel(f"column player: probability of {columns[0]} (else {columns[1]})", fontsize=11)
    axes.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], color=INK, linewidth=0.8, zorder=1)


def on_triangle(parts: Array) -> tuple[Array, Array]:
    """Places of mixtures of three actions: the first at the lower left, the second at the lower right, the third on top."""
    return parts[..., 1] + parts[..., 2] / 2, parts[..., 2] * _HEIGHT


def _triangle(axes: Axes, names: Sequence[str], who: str) -> None:
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_xlim(-0.08, 1.08)
    axes.set_ylim(-0.14, _HEIGHT + 0.09)
    for share in (0.25, 0.5, 0.75):
        for corner in range(3):
            ends = np.zeros((2, 3))
            ends[:, corner] = share
            ends[0, (corner + 1) % 3] = ends[1, (corner + 2) % 3] = 1 - share
            axes.plot(*on_triangle(ends), color="#e4ded2", linewidth=0.7, zorder=0)
    axes.plot([0, 1, 0.5, 0], [0, 0, _HEIGHT, 0], color=INK, linewidth=1, zorder=1)
    for (x, y), name, (across, up) in zip(
        ((0, 0), (1, 0), (0.5, _HEIGHT)), names, (("right", "top"), ("left", "top"), ("center", "bottom"))
    ):
        axes.annotate(
            name, (x, y), (0, 11 if up == "bottom" else -11), textcoords="offset points", ha=across, va=up, fontsize=12, color=INK
        )
    axes.set_title(f"{who}: shares of {', '.join(names)} (grid: 25 %)", fontsize=11, color=INK)


def _own_velocity(field: Field, player: int) -> tuple[Callable[[Array], Array], str]:
    """A player's own velocity as a function of its mixture, and what is assumed of the other."""
    if field.populations == 1:
        return field.velocity, ""
    size = field.sizes[player]
    begin = field.sizes[0] * player
    if is_symmetric(field.game):
        return (lambda own: field.velocity(np.concatenate([own, own], axis=-1))[..., :size]), "streamlines: where both players mix alike"
    middle = field.split(field.middle())

    def velocity(own: Array) -> Array:
        parts = [np.broadcast_to(part, (*own.shape[:-1], len(part))) for part in middle]
        parts[player] = own
        return field.velocity(np.concatenate(parts, axis=-1))[..., begin : begin + size]

    return velocity, f"streamlines: while the {('column', 'row')[player]} player mixes evenly"


def _streams_on_square(axes: Axes, field: Field) -> None:
    shares = np.linspace(0, 1, 33)
    first, second = np.meshgrid(shares, shares)
    change = field.velocity(np.stack([first, 1 - first, second, 1 - second], axis=-1))
    _streams(axes, shares, shares, change[..., 0], change[..., 2])


def _streams_on_triangle(axes: Axes, velocity: Callable[[Array], Array]) -> None:
    x, y = np.linspace(0, 1, 41), np.linspace(0, _HEIGHT, 37)
    across, up = np.meshgrid(x, y)
    third = up / _HEIGHT
    second = across - third / 2
    parts = np.stack([1 - second - third, second, third], axis=-1)
    outside = (parts < -1e-9).any(axis=-1)
    change = velocity(np.clip(parts, 1e-9, 1))
    right, rise = change[..., 1] + change[..., 2] / 2, change[..., 2] * _HEIGHT
    _streams(axes, x, y, np.ma.array(right, mask=outside), np.ma.array(rise, mask=outside))


def _streams(axes: Axes, x: Array, y: Array, right: Any, up: Any) -> None:
    if np.ma.allclose(right, 0) and np.ma.allclose(up, 0):
        return
    axes.streamplot(x, y, right, up, color=STREAM, density=1.0, linewidth=0.9, arrowsize=1.0, zorder=1)


def paths_shown(portrait: Portrait) -> list[tuple[Path, dict[str, Any]]]:
    """The paths in the picture: a few learners, or those of the field, or, from one start, both with the learners' mean."""
    together = len(portrait.starts) == 1
    field_style = {"color": FIRST, "linewidth": 2.0, "zorder": 3}
    shown: list[tuple[Path, dict[str, Any]]] = []
    runs = portrait.runs
    if runs is None or together:
        shown += [(path, field_style) for path in portrait.paths]
    if runs is not None:
        times, states = smoothed(runs)
        width = sum(portrait.field.sizes)
        for run in range(min(_LEARNERS_SHOWN, runs.runs)):
            style = {"color": SECOND, "linewidth": 0.9, "alpha": 0.4 if together else 0.8, "zorder": 2}
            shown.append((Path(times, states[run, :, :width]), style))
        if together:
            style = {"color": SECOND, "linewidth": 2.2, "linestyle": (0, (4, 2)), "zorder": 4}
            shown.append((Path(runs.times, runs.mean[:, :width]), style))
    return shown


def _draw_paths(axes: Axes, portrait: Portrait, place: Callable[[Array], tuple[Array, Array]]) -> None:
    for path, style in paths_shown(portrait):
        x, y = place(path.states)
        axes.plot(x, y, **style)
        axes.plot(x[:1], y[:1], marker=".", color=style["color"], markersize=7, zorder=4)
    for path in portrait.separatrices:
        x, y = place(path.states)
        axes.plot(x, y, color=SEPARATRIX, linewidth=1.8, linestyle=(0, (6, 3)), zorder=3)


def _draw_points(axes: Axes, portrait: Portrait, place: Callable[[Array, Array], Any]) -> None:
    for one in portrait.equilibria:
        x, y = place(np.array([float(p) for p in one.row]), np.array([float(p) for p in one.column]))
        axes.plot([x], [y], marker="*", color=NASH, markeredgecolor=INK, markeredgewidth=0.6, markersize=21, zorder=5, clip_on=False)
    drawn: set[tuple[float, float, str]] = set()
    for point in portrait.rest_points:
        x, y = place(point.row, point.column)
        key = (round(float(x), 6), round(float(y), 6), point.kind)
        if key not in drawn:
            drawn.add(key)
            axes.plot([x], [y], **marker_style(point.kind), zorder=6, clip_on=False)


def marker_style(kind: str) -> dict[str, Any]:
    marker, filled = MARKERS[kind]
    return {
        "marker": marker,
        "markersize": 9,
        "markeredgewidth": 1.6,
        "color": INK if filled else "white",
        "markeredgecolor": INK if not filled else "white",
    }


def _legend(figure: Figure, portrait: Portrait, more: Sequence[Any] = (), paths: bool = True) -> None:
    from matplotlib.lines import Line2D

    handles: list[Any] = [
        Line2D([], [], linestyle="", marker="*", color=NASH, markeredgecolor=INK, markersize=15, label="Nash equilibrium")
    ]
    meaning = "logit equilibrium" if portrait.field.kind == "boltzmann" else "rest point"
    for kind in MARKERS:
        if any(point.kind == kind for point in portrait.rest_points):
            label = "rest point" if kind == "equilibrium" else f"{meaning}: {kind}"
            handles.append(Line2D([], [], linestyle="", label=label, **marker_style(kind)))
    if portrait.separatrices:
        handles.append(Line2D([], [], color=SEPARATRIX, linewidth=1.8, linestyle=(0, (6, 3)), label="separatrix"))
    if paths:
        together = len(portrait.starts) == 1
        if portrait.runs is None or together:
            handles.append(Line2D([], [], color=FIRST, linewidth=2, label="path of the field"))
        if portrait.runs is not None:
            handles += _learner_handles(portrait.runs, together)
    handles += more
    columns = 3 if max(len(handle.get_label()) for handle in handles) <= _SHORT_LABEL else 2
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=10)


def _learner_handles(runs: LearnerRuns, together: bool) -> list[Any]:
    from matplotlib.lines import Line2D

    what = "choices of" if runs.settings.kind == "greedy" else "policies of"
    count = min(_LEARNERS_SHOWN, runs.runs)
    handles = [Line2D([], [], color=SECOND, linewidth=0.9, label=f"{what} {count} pairs: {runs.settings.short}")]
    if together:
        handles.append(Line2D([], [], color=SECOND, linewidth=2.2, linestyle=(0, (4, 2)), label=f"their mean ({runs.runs:,} pairs)"))
    return handles


def _line_figure(portrait: Portrait) -> Figure:
    """One population with two actions: the change of the first action's share."""
    name = names_of(portrait.game)[0][0]
    figure, (axes,) = new_figure(1, 8.0, 5.2)
    shares = np.linspace(0, 1, 401)
    change = portrait.field.velocity(np.stack([shares, 1 - shares], axis=-1))[:, 0]
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.plot(shares, change, color=FIRST, linewidth=2)
    for share in np.linspace(0.05, 0.95, 19):
        speed = float(np.interp(share, shares, change))
        if abs(speed) > 0.02 * np.abs(change).max():
            axes.annotate(
                "",
                (share + 0.018 * np.sign(speed), 0),
                (share - 0.018 * np.sign(speed), 0),
                arrowprops={"arrowstyle": "->", "color": SECOND},
            )
    axes.set_xlabel(f"share of {name} in the population")
    axes.set_ylabel("change of the share per unit of time")
    for one in portrait.equilibria:
        if one.row == one.column:
            axes.plot([float(one.row[0])], [0], marker="*", color=NASH, markeredgecolor=INK, markersize=21, zorder=5, clip_on=False)
    for point in portrait.rest_points:
        axes.plot([point.row[0]], [0], **marker_style(point.kind), zorder=6, clip_on=False)
    _legend(figure, portrait, paths=False)
    set_title(figure, f"{title_of(portrait)}: {dynamics_title(portrait.field)}, one population")
    return figure
