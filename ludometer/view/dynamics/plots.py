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
from ludometer.view.boards.theme import AREAS, DIVERGING, EQUILIBRIUM, FIRST, INK, SECOND
from ludometer.view.dynamics.axes import (
    MARKERS,
    draw_square,
    draw_triangle,
    marker_style,
    on_triangle,
    streams_on_square,
    streams_on_triangle,
)
from ludometer.view.dynamics.curves import bifurcation_figure, curves_figure, smoothed
from ludometer.view.figures import entitle, new_figure, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = ("field", "basins", "curves", "bifurcation")
SEPARATRIX = DIVERGING[0]
FICTITIOUS = DIVERGING[-1]
_LEARNERS_SHOWN = 3
_SHORT_LABEL = 40  # characters of legend entries that fit three in a row


def figure_of(portrait: Portrait, picture: str) -> Figure:
    """One of the pictures of a portrait; raises LudometerError if this game has none."""
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


def picture(subject: Portrait | LearnerRuns, name: str, file: str | None = None) -> Any:
    """One of the pictures of a portrait or the curves of learners: the figure, or, if a file is named, its path once written there."""
    figure = curves_figure(subject) if isinstance(subject, LearnerRuns) else figure_of(subject, name)
    return figure if file is None else save(figure, file)


def svg(portrait: Portrait) -> str:
    """The field of a portrait as SVG text."""
    stream = io.StringIO()
    field_figure(portrait).savefig(stream, format="svg")
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
        figure, (axes,) = new_figure(1, 1, 8.0, 6.2)
        draw_square(axes, *names_of(portrait.game))
        streams_on_square(axes, portrait.field)
        _draw_paths(axes, portrait, lambda states: (states[:, 0], states[:, 2]))
        _draw_points(axes, portrait, lambda row, column: (row[0], column[0]))
    elif sizes == (3,):
        figure, (axes,) = new_figure(1, 1, 8.0, 6.2)
        draw_triangle(axes, names_of(portrait.game)[0], "both players")
        streams_on_triangle(axes, own_velocity(portrait.field, 0)[0])
        _draw_paths(axes, portrait, lambda states: on_triangle(states[:, :3]))
        _draw_points(axes, portrait, lambda row, column: on_triangle(row))
    else:
        figure, panels = new_figure(1, 2, 11.0, 5.6)
        for player, axes in enumerate(panels):
            _player_panel(axes, portrait, player)
    _legend(figure, portrait)
    entitle(figure, f"{title_of(portrait)}: {dynamics_title(portrait.field)}")
    return figure


def _player_panel(axes: Axes, portrait: Portrait, player: int) -> None:
    """One player of a game with a triangle: the triangle, or probabilities over time."""
    names = names_of(portrait.game)[player]
    begin = portrait.field.sizes[0] * player
    who = ("row player", "column player")[player]
    if len(names) == 3:
        draw_triangle(axes, names, who)
        velocity, remark = own_velocity(portrait.field, player)
        streams_on_triangle(axes, velocity)
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

    figure, (axes,) = new_figure(1, 1, 8.0, 6.2)
    names = names_of(portrait.game)
    colours = ["#ffffff", *(AREAS[number % len(AREAS)] for number in range(len(found.sinks)))]
    if portrait.field.sizes == (2, 2):
        draw_square(axes, *names_of(portrait.game))
        place: Callable[[Array, Array], Any] = lambda row, column: (row[0], column[0])  # noqa: E731
        x, y = found.starts[:, 0], found.starts[:, 2]
        ends = found.ends.reshape(len(np.unique(x)), -1).T
        limits: dict[str, Any] = {"vmin": -1.5, "vmax": len(found.sinks) - 0.5}
        axes.imshow(ends, origin="lower", extent=(0, 1, 0, 1), cmap=_listed(colours), **limits, zorder=0, interpolation="nearest")
    else:
        draw_triangle(axes, names[0], "both players")
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
    entitle(figure, f"{title_of(portrait)}: basins of {dynamics_title(portrait.field)}")
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


def own_velocity(field: Field, player: int) -> tuple[Callable[[Array], Array], str]:
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
    if portrait.fictitious is not None and portrait.field.populations == 2:
        x, y = place(portrait.fictitious.states)
        axes.plot(x, y, color=FICTITIOUS, linewidth=1.6, linestyle=(0, (1.5, 1.5)), zorder=3)
    for path in portrait.separatrices:
        x, y = place(path.states)
        axes.plot(x, y, color=SEPARATRIX, linewidth=1.8, linestyle=(0, (6, 3)), zorder=3)


def _draw_points(axes: Axes, portrait: Portrait, place: Callable[[Array, Array], Any]) -> None:
    for one in portrait.equilibria:
        x, y = place(np.array([float(p) for p in one.row]), np.array([float(p) for p in one.column]))
        axes.plot([x], [y], marker="*", color=EQUILIBRIUM, markeredgecolor=INK, markeredgewidth=0.6, markersize=21, zorder=5, clip_on=False)
    drawn: set[tuple[float, float, str]] = set()
    for point in portrait.rest_points:
        x, y = place(point.row, point.column)
        key = (round(float(x), 6), round(float(y), 6), point.kind)
        if key not in drawn:
            drawn.add(key)
            axes.plot([x], [y], **marker_style(point.kind), zorder=6, clip_on=False)


def _legend(figure: Figure, portrait: Portrait, more: Sequence[Any] = (), paths: bool = True) -> None:
    from matplotlib.lines import Line2D

    handles: list[Any] = [
        Line2D([], [], linestyle="", marker="*", color=EQUILIBRIUM, markeredgecolor=INK, markersize=15, label="Nash equilibrium")
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
        if portrait.fictitious is not None and portrait.field.populations == 2:
            label = f"fictitious play, {portrait.rounds:,} rounds"
            handles.append(Line2D([], [], color=FICTITIOUS, linewidth=1.6, linestyle=(0, (1.5, 1.5)), label=label))
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
    figure, (axes,) = new_figure(1, 1, 8.0, 5.2)
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
            axes.plot([float(one.row[0])], [0], marker="*", color=EQUILIBRIUM, markeredgecolor=INK, markersize=21, zorder=5, clip_on=False)
    for point in portrait.rest_points:
        axes.plot([point.row[0]], [0], **marker_style(point.kind), zorder=6, clip_on=False)
    _legend(figure, portrait, paths=False)
    entitle(figure, f"{title_of(portrait)}: {dynamics_title(portrait.field)}, one population")
    return figure
