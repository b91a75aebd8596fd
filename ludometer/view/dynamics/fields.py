"""The picture of a learning dynamics as data: places on a square or a triangle, for programs that draw by themselves.

A panel has a `shape`:

    square      the row player's probability of the first action to the right, the column player's upwards
    triangle    mixtures of three actions: the first at the lower left (0, 0), the second at the lower right (1, 0), the third on top

and in its coordinates the velocities on a `grid` {x, y, across, up} (None: outside), `paths` of the field and of learners, `rest_points`
{x, y, kind, text}, `equilibria` {x, y, text} and `separatrices`.  Games of other sizes have no panels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ludometer.dynamics.fields import Array
from ludometer.dynamics.integration import Path
from ludometer.dynamics.learners import End
from ludometer.dynamics.payoffs import names_of
from ludometer.dynamics.portrait import Portrait
from ludometer.view.dynamics.axes import on_triangle
from ludometer.view.dynamics.curves import smoothed
from ludometer.view.dynamics.plots import dynamics_title, own_velocity
from ludometer.view.dynamics.text import dominance_text, eigenvalue_text, mixture_text, point_text, remarks
from ludometer.view.results.table_data import table

_HEIGHT = float(np.sqrt(3) / 2)
_GRID = 21
_MOST_POINTS = 100  # of a path
_LEARNERS = 6  # shown one by one
_FEW_PATHS = 2  # of a field of more dimensions than a panel: they cross each other there
_DIGITS = 4
_PATH_DIGITS = 3  # finer than a screen shows
_MOST_LISTED = 60  # equilibria or rest points in a table

Place = Callable[[Array], tuple[Array, Array]]  # states -> x, y


def panels(portrait: Portrait) -> list[dict[str, Any]]:
    """What there is to draw of a portrait, one panel for each player or one for both."""
    sizes = portrait.field.sizes
    rows, columns = names_of(portrait.game)
    if sizes == (2, 2):
        shares = np.linspace(0, 1, _GRID)
        first, second = np.meshgrid(shares, shares)
        change = portrait.field.velocity(np.stack([first, 1 - first, second, 1 - second], axis=-1))
        grid = _grid(shares, shares, change[..., 0], change[..., 2])
        names = {"x": f"row player: probability of {rows[0]}", "y": f"column player: probability of {columns[0]}"}
        return [_panel(portrait, "square", names, grid, lambda states: (states[..., 0], states[..., 2]))]
    if sizes == (2,):
        return []
    if sizes == (3,):
        return [_triangle(portrait, 0, rows, "both players")]
    found = []
    for player, (names_, who) in enumerate(((rows, "row player"), (columns, "column player"))):
        if sizes[player] == 3 and len(sizes) == 2:
            found.append(_triangle(portrait, player, names_, who))
    return found


def _triangle(portrait: Portrait, player: int, names: list[str], who: str) -> dict[str, Any]:
    begin = portrait.field.sizes[0] * player
    x, y = np.linspace(0, 1, _GRID), np.linspace(0, _HEIGHT, _GRID - 2)
    across, up = np.meshgrid(x, y)
    third = up / _HEIGHT
    second = across - third / 2
    parts = np.stack([1 - second - third, second, third], axis=-1)
    velocity, remark = own_velocity(portrait.field, player)
    change = velocity(np.clip(parts, 1e-9, 1))
    outside = (parts < -1e-9).any(axis=-1)
    right, rise = change[..., 1] + change[..., 2] / 2, change[..., 2] * _HEIGHT
    grid = _grid(x, y, np.where(outside, np.nan, right), np.where(outside, np.nan, rise))
    described = {"corners": names, "who": who, "remark": remark}
    return _panel(portrait, "triangle", described, grid, lambda states: on_triangle(states[..., begin : begin + 3]))


def _panel(portrait: Portrait, shape: str, described: dict[str, Any], grid: dict[str, Any], place: Place) -> dict[str, Any]:
    names = names_of(portrait.game)
    points = [
        {**_spot(place, point.state), "kind": point.kind, "text": _sides(point_text(point, 0, names[0]), point_text(point, 1, names[1]))}
        for point in portrait.rest_points
    ]
    two = portrait.field.populations == 2
    equilibria = [
        {
            **_spot(place, np.array([float(share) for share in (*one.row, *(one.column if two else ()))])),
            "text": _sides(mixture_text(one.row, names[0]), mixture_text(one.column, names[1])),
        }
        for one in portrait.equilibria
        if two or one.row == one.column
    ]
    return {
        "shape": shape,
        **described,
        "grid": grid,
        "paths": [_path(path, place) for path in portrait.paths[: _FEW_PATHS if sum(portrait.field.sizes) > 4 else None]],
        "learners": [_path(path, place) for path in _learner_paths(portrait)],
        "separatrices": [_path(path, place) for path in portrait.separatrices],
        "rest_points": points,
        "equilibria": equilibria,
    }


def _sides(row: str, column: str) -> str:
    return f"{row} | {column}"


def _learner_paths(portrait: Portrait) -> list[Path]:
    runs = portrait.runs
    if runs is None:
        return []
    times, states = smoothed(runs)
    width = sum(portrait.field.sizes)
    shown = _LEARNERS if sum(portrait.field.sizes) <= 4 else _FEW_PATHS
    return [Path(times, states[run, :, :width]) for run in range(min(shown, runs.runs))]


def _spot(place: Place, state: Array) -> dict[str, float]:
    x, y = place(state)
    return {"x": round(float(x), _DIGITS), "y": round(float(y), _DIGITS)}


def _path(path: Path, place: Place) -> list[list[float]]:
    step = max(1, len(path.states) // _MOST_POINTS)
    x, y = place(np.concatenate([path.states[:-1:step], path.states[-1:]]))
    return [[round(float(a), _PATH_DIGITS), round(float(b), _PATH_DIGITS)] for a, b in zip(x, y)]


def _grid(x: Array, y: Array, across: Array, up: Array) -> dict[str, Any]:
    scale = float(np.nanmax(np.hypot(across, up), initial=0.0)) or 1.0

    def rounded(table: Array) -> list[list[float | None]]:
        return [[None if np.isnan(value) else round(float(value) / scale, _DIGITS) for value in row] for row in table]

    return {
        "x": [float(x[0]), float(x[-1])],
        "y": [float(y[0]), float(y[-1])],
        "across": rounded(across),
        "up": rounded(up),
        "fastest": scale,
    }


def dynamics_document(portrait: Portrait) -> dict[str, Any]:
    """All that a page shows of a portrait: its document without the long trajectories, panels, and tables in words."""
    whole = portrait.document()
    return {
        **{name: value for name, value in whole.items() if name != "trajectories"},
        "headline": dynamics_title(portrait.field),
        "panels": panels(portrait),
        "tables": tables(portrait),
        "dominance": dominance_text(portrait),
    }


def tables(portrait: Portrait) -> dict[str, dict[str, Any]]:
    """Equilibria in fractions, rest points by kind, and where learners ended."""
    rows, columns = names_of(portrait.game)

    def profile(number: int) -> str:
        one = portrait.equilibria[number]
        return f"({mixture_text(one.row, rows)}, {mixture_text(one.column, columns)})"

    found = {
        "equilibria": table(
            "Nash equilibria, exact",
            [
                ["row player", "column player", "pays", "remarks"],
                *(
                    [
                        mixture_text(one.row, rows),
                        mixture_text(one.column, columns),
                        ", ".join(map(str, one.payoffs)),
                        "; ".join(remarks(one, profile)),
                    ]
                    for one in portrait.equilibria.found[:_MOST_LISTED]
                ),
            ],
            (0, 1, 3),
        ),
        "rest_points": table(
            f"Rest points of {dynamics_title(portrait.field)}",
            [
                ["row player", "column player", "kind", "eigenvalues", "Nash?"],
                *(
                    [
                        point_text(point, 0, rows),
                        point_text(point, 1, columns),
                        point.kind,
                        ", ".join(map(eigenvalue_text, point.eigenvalues)),
                        "Nash" if point.nash else f"a best reply gains {point.gain:.4g}",
                    ]
                    for point in portrait.rest_points[:_MOST_LISTED]
                ),
            ],
            (0, 1, 2, 4),
        ),
    }
    if portrait.runs is not None:
        ends = [
            [*_end_texts(end, rows, columns), _percent(end.share), f"{_percent(end.interval[0])} to {_percent(end.interval[1])}"]
            for end in portrait.ends
        ]
        caption = f"Where {portrait.runs.runs:,} pairs of learners end: {portrait.runs.settings.title}, {portrait.runs.episodes:,} episodes"
        found["learners"] = table(caption, [["row player", "column player", "share", "95 % interval"], *ends], (0, 1))
    return found


def _end_texts(end: End, rows: Sequence[str], columns: Sequence[str]) -> tuple[str, str]:
    """Where learners end, for the row and the column player: an action, or a mixture such as `0.970 O + 0.030 M`."""
    if end.state is None:
        return end.label, ""

    def side(shares: Array, names: Sequence[str]) -> str:
        used = [(share, name) for share, name in zip(shares, names) if share > 0]
        return used[0][1] if len(used) == 1 else " + ".join(f"{share:.3f} {name}" for share, name in used)

    return side(end.state[: len(rows)], rows), side(end.state[len(rows) :], columns)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
