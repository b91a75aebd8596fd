"""Positions of a solved tile game drawn at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import LudometerError
from ludometer.core.random import stream
from ludometer.core.states import States
from ludometer.core.stopping import Stop
from ludometer.solvers.tiles.many_kernels import pick_entries, place_tiles, states_of_entries
from ludometer.solvers.tiles.solution import TileSolution
from ludometer.solvers.tiles.whole_tables import WholeTables

Drawn = tuple[States, npt.NDArray[np.float64]]


def draw_positions(solution: TileSolution, number: int, by: str, seed: int) -> Drawn:
    """What `Solution._draw` returns: every position on the board is covered, whether play can reach it or not."""
    generator = np.random.default_rng(seed)
    if by == "distance":
        return _draw_by_distance(solution, number, seed, generator)
    classes = sorted(solution.counts)
    sizes = np.array([solution.counts[place].sum() for place in classes])
    if by == "class":
        chosen = generator.integers(0, len(classes), number)
        probabilities = 1 / (len(classes) * sizes[chosen])
    else:
        chosen = np.searchsorted(np.cumsum(sizes), generator.integers(0, sizes.sum(), number), side="right")
        probabilities = np.full(number, 1 / sizes.sum())
    tiles = np.array(classes)[chosen]
    rows = _empty_rows(solution, number)
    place_tiles(solution.game.rules, tiles[:, 0].copy(), tiles[:, 1].copy(), stream(seed, "sample"), rows)
    return States(solution.game, rows), probabilities


def _draw_by_distance(solution: TileSolution, number: int, seed: int, generator: np.random.Generator) -> Drawn:
    """Read the tables of all classes that are drawn from, once each."""
    if solution.keep != "distances" or solution.rows is None:
        raise LudometerError(f"of {solution.game.spec} no distances are kept; sample by class, or solve it with distances")
    rules, rows = solution.game.rules, solution.rows
    codes = np.flatnonzero(solution.total)
    chosen = codes[generator.integers(0, len(codes), number)]
    ranks = generator.integers(0, solution.total[chosen])
    probabilities = 1 / (len(codes) * solution.total[chosen])
    keys = generator.integers(0, 1 << 64, number, np.uint64)
    states = _empty_rows(solution, number)
    tables = WholeTables(solution, Stop())
    before = np.zeros(256, np.int64)  # positions by code in the classes before
    for place in sorted(solution.counts):
        counts = solution.counts[place]
        here = ranks - before[chosen]
        drawn = np.flatnonzero((here >= 0) & (here < counts[chosen]))
        before += counts
        if not drawn.size:
            continue
        drawn = drawn[np.lexsort((here[drawn], chosen[drawn]))]
        begins = np.searchsorted(chosen[drawn], np.arange(257))
        entries = np.empty(drawn.size, np.int64)
        pick_entries(rules, rows, *place, tables.get(place), begins, here[drawn], entries)
        found = _empty_rows(solution, drawn.size)
        states_of_entries(rules, rows, *place, entries, keys[drawn], found)
        states[drawn] = found
    return States(solution.game, states), probabilities


def _empty_rows(solution: TileSolution, number: int) -> npt.NDArray[np.uint64]:
    width = States.of(solution.game, [solution.game.start()]).rows.shape[1]
    return np.empty((number, width), np.uint64)
