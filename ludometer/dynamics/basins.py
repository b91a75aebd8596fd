"""Basins of attraction of the sinks of a field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.dynamics.fields import Array, Field
from ludometer.dynamics.integration import flow
from ludometer.dynamics.rest_points import RestPoint, rest_points

NEAR = 0.02  # a path within this of a sink, in every probability, has arrived
_MOST_ROUNDS = 60


@dataclass(frozen=True)
class Basins:
    """Starting points and the sinks they lead to."""

    sinks: tuple[RestPoint, ...]
    starts: Array  # float64, points × actions
    ends: Array  # int64, points: number of the sink, or -1 where the path has not arrived

    def shares(self) -> list[float]:
        """The share of starting points that lead to each sink; they cover the states evenly."""
        return [float((self.ends == number).mean()) for number in range(len(self.sinks))]


def basins(field: Field, resolution: int = 60, points: Sequence[RestPoint] | None = None) -> Basins:
    """Follow the field from an even grid of starting points: of the square of a 2×2 game, or of the triangle of one population."""
    if field.kind == "best-response":
        raise LudometerError("basins are drawn for replicator and boltzmann dynamics")
    starts = grid(field, resolution)
    sinks = tuple(point for point in (rest_points(field) if points is None else points) if point.kind == "sink")
    ends = np.full(len(starts), -1)
    states, open_places = starts, np.arange(len(starts))
    rate = field.selection * field.spread + field.mutation
    for _ in range(_MOST_ROUNDS if sinks else 0):
        states = flow(field, states, 5.0 / rate, 12)
        distance = np.stack([np.abs(states - sink.state).max(axis=-1) for sink in sinks])
        arrived = distance.min(axis=0) < NEAR
        ends[open_places[arrived]] = distance.argmin(axis=0)[arrived]
        states, open_places = states[~arrived], open_places[~arrived]
        if not len(states):
            break
    return Basins(sinks, starts, ends)


def grid(field: Field, resolution: int) -> Array:
    """Evenly spaced states inside, `resolution` along an edge, for states of two dimensions."""
    if field.sizes == (2, 2):
        # One more along the second side, so that no starting point lies on the border of a symmetric game.
        sides = [(np.arange(count) + 0.5) / count for count in (resolution, resolution + 1)]
        first, second = (part.ravel() for part in np.meshgrid(*sides, indexing="ij"))
        return np.stack([first, 1 - first, second, 1 - second], axis=-1)
    if field.sizes == (3,):
        count = resolution
        cells = [(i, j, count - 1 - i - j) for i in range(count) for j in range(count - i)]
        return (np.array(cells, float) + 1 / 3) / count
    shown = "×".join(map(str, field.sizes))
    raise LudometerError(f"basins are drawn on the square of a 2×2 game or the triangle of one population with 3 actions, not for {shown}")
