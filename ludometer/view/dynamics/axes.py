"""The square and the triangle on which fields are drawn, with streamlines, and the marks of rest points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.dynamics.fields import Array, Field
from ludometer.view.boards.theme import FAINT_GRID, INK, STREAM

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# kind -> marker, filled
MARKERS = {
    "sink": ("o", True),
    "source": ("o", False),
    "saddle": ("X", True),
    "centre": ("P", False),
    "degenerate": ("s", False),
    "equilibrium": ("D", True),
}
_HEIGHT = np.sqrt(3) / 2  # of the triangle


def draw_square(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    """The square of a 2×2 game: the row player's first action to the right, the column player's upwards."""
    axes.set_aspect("equal")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(f"row player: probability of {rows[0]} (else {rows[1]})", fontsize=11)
    axes.set_ylabel(f"column player: probability of {columns[0]} (else {columns[1]})", fontsize=11)
    axes.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], color=INK, linewidth=0.8, zorder=1)


def on_triangle(parts: Array) -> tuple[Array, Array]:
    """Places of mixtures of three actions: the first at the lower left, the second at the lower right, the third on top."""
    return parts[..., 1] + parts[..., 2] / 2, parts[..., 2] * _HEIGHT


def draw_triangle(axes: Axes, names: Sequence[str], who: str) -> None:
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_xlim(-0.08, 1.08)
    axes.set_ylim(-0.14, _HEIGHT + 0.09)
    for share in (0.25, 0.5, 0.75):
        for corner in range(3):
            ends = np.zeros((2, 3))
            ends[:, corner] = share
            ends[0, (corner + 1) % 3] = ends[1, (corner + 2) % 3] = 1 - share
            axes.plot(*on_triangle(ends), color=FAINT_GRID, linewidth=0.7, zorder=0)
    axes.plot([0, 1, 0.5, 0], [0, 0, _HEIGHT, 0], color=INK, linewidth=1, zorder=1)
    for (x, y), name, (across, up) in zip(
        ((0, 0), (1, 0), (0.5, _HEIGHT)), names, (("right", "top"), ("left", "top"), ("center", "bottom"))
    ):
        axes.annotate(
            name, (x, y), (0, 11 if up == "bottom" else -11), textcoords="offset points", ha=across, va=up, fontsize=12, color=INK
        )
    axes.set_title(f"{who}: shares of {', '.join(names)} (grid: 25 %)", fontsize=11, color=INK)


def streams_on_square(axes: Axes, field: Field) -> None:
    shares = np.linspace(0, 1, 33)
    first, second = np.meshgrid(shares, shares)
    change = field.velocity(np.stack([first, 1 - first, second, 1 - second], axis=-1))
    _streams(axes, shares, shares, change[..., 0], change[..., 2])


def streams_on_triangle(axes: Axes, velocity: Callable[[Array], Array]) -> None:
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


def marker_style(kind: str) -> dict[str, Any]:
    marker, filled = MARKERS[kind]
    return {
        "marker": marker,
        "markersize": 9,
        "markeredgewidth": 1.6,
        "color": INK if filled else "white",
        "markeredgecolor": INK if not filled else "white",
    }
