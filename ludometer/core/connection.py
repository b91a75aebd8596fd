"""Connection on boards whose cells lie in rows with an empty guard column after each, so that cell numbers differ by fixed steps.

`steps` are the distances from a cell to its neighbours with higher numbers; those with lower numbers lie symmetrically.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

from numba import njit

from ludometer.core.bits import both, is_empty, shift_down, union, without
from ludometer.core.lattice import shift_up


@njit
def neighbours(cells, steps):
    """The cells beside any of these, some of these among them; guard cells are not left out."""
    found = without(cells, cells)
    for place in range(len(steps)):
        found = union(found, union(shift_up(cells, steps[place]), shift_down(cells, steps[place])))
    return found


@njit
def connected(stones, seeds, steps):
    """The stones that a chain of neighbouring stones joins to one of `seeds`, with the seeds."""
    reached = seeds
    frontier = seeds
    while not is_empty(frontier):
        frontier = without(both(neighbours(frontier, steps), stones), reached)
        reached = union(reached, frontier)
    return reached
