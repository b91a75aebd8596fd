"""Positions of a game solved by retrograde analysis drawn at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludometer.core.states import States
from ludometer.solvers.retrograde.query_kernels import write_images, write_orbit_sizes
from ludometer.solvers.retrograde.solution import RetrogradeSolution
from ludometer.solvers.retrograde.store import arrays_of


def draw_positions(solution: RetrogradeSolution, number: int, by: str, seed: int) -> tuple[States, npt.NDArray[np.float64]]:
    """What `Solution._draw` returns: from every position that play can reach from the start.  All of them are one class."""
    generator = np.random.default_rng(seed)
    game, entries = solution.game, arrays_of(solution)
    like, layout, symmetries = game.start().state, solution.key_layout, solution.symmetries
    sizes = np.empty(entries.values.size, np.int64)
    write_orbit_sizes(game.rules, like, layout, symmetries, entries.keys, 0, sizes.size, sizes)
    strata = entries.values if by == "distance" else np.zeros(sizes.size, np.int8)
    _, stratum_of = np.unique(strata, return_inverse=True)
    positions = np.bincount(stratum_of, weights=sizes).astype(np.int64)  # of each stratum
    order = np.argsort(stratum_of, kind="stable")
    ends = np.cumsum(sizes[order])
    before = np.cumsum(positions) - positions
    chosen = generator.integers(0, positions.size, number)
    drawn = order[np.searchsorted(ends, before[chosen] + generator.integers(0, positions[chosen]), side="right")]
    rows = np.empty((number, len(layout.shifts)), np.uint64)
    # Every image of an entry is met for as many symmetries as any other.
    images = generator.integers(0, symmetries.size + 1, number)
    write_images(game.rules, like, layout, symmetries, entries.keys, drawn, images, rows)
    return States(game, rows), 1 / (positions.size * positions[chosen])
