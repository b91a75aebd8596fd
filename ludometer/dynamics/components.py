"""Components of extreme equilibria.

Extreme equilibria that share a strategy are joined: if x is in equilibrium with y and with y′, then with every mixture of both.
A *convex set* of equilibria is U × V with every x in U in equilibrium with every y in V, as large as it can be: mixtures of U
against mixtures of V.  A *component* is a connected union of convex sets; it is one point when the equilibrium is isolated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

MOST_SETS = 2_000  # convex sets listed for one game; beyond, components say that there are more

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class ConvexSet:
    """Every mixture of the row strategies is in equilibrium with every mixture of the column strategies."""

    rows: tuple[Point, ...]
    columns: tuple[Point, ...]

    @property
    def dimension(self) -> int:
        return affine_dimension(self.rows) + affine_dimension(self.columns)


@dataclass(frozen=True)
class Component:
    """A connected set of equilibria."""

    members: tuple[int, ...]  # numbers of its extreme equilibria
    sets: tuple[ConvexSet, ...]
    complete: bool  # whether all convex sets are listed

    @property
    def isolated(self) -> bool:
        return len(self.members) == 1

    @property
    def dimension(self) -> int:
        return max(part.dimension for part in self.sets)


def find_components(pairs: Sequence[tuple[Point, Point]]) -> tuple[Component, ...]:
    """Components of the extreme equilibria given as pairs of strategies, in the order of their first members."""
    partners: dict[tuple[int, Point], list[int]] = {}
    for number, (row, column) in enumerate(pairs):
        partners.setdefault((0, row), []).append(number)
        partners.setdefault((1, column), []).append(number)
    homes = [-1] * len(pairs)
    members: list[list[int]] = []
    for first in range(len(pairs)):
        if homes[first] >= 0:
            continue
        members.append([])
        waiting = [first]
        homes[first] = len(members) - 1
        while waiting:
            number = waiting.pop()
            members[-1].append(number)
            for key in ((0, pairs[number][0]), (1, pairs[number][1])):
                for other in partners[key]:
                    if homes[other] < 0:
                        homes[other] = homes[number]
                        waiting.append(other)
    return tuple(_component(sorted(group), pairs) for group in members)


def _component(members: list[int], pairs: Sequence[tuple[Point, Point]]) -> Component:
    rows = list(dict.fromkeys(pairs[number][0] for number in members))
    columns = list(dict.fromkeys(pairs[number][1] for number in members))
    place = {column: number for number, column in enumerate(columns)}
    fits = {row: 0 for row in rows}  # row strategy -> bits of the column strategies it is in equilibrium with
    for number in members:
        row, column = pairs[number]
        fits[row] |= 1 << place[column]
    closed, complete = _intersections(fits.values())
    sets = []
    for mask in closed:
        inside = tuple(row for row in rows if fits[row] & mask == mask)
        sets.append(ConvexSet(inside, tuple(column for number, column in enumerate(columns) if mask >> number & 1)))
    return Component(tuple(members), tuple(sets), complete)


def _intersections(masks: Iterable[int]) -> tuple[list[int], bool]:
    """All non-empty intersections of these sets, and whether they are all: the columns of the maximal rectangles."""
    closed: dict[int, None] = {}
    for mask in dict.fromkeys(masks):
        for other in [mask, *(mask & known for known in closed)]:
            if other:
                closed.setdefault(other)
        if len(closed) > MOST_SETS:
            return list(closed)[:MOST_SETS], False
    return list(closed), True


def affine_dimension(points: Sequence[Point]) -> int:
    """The dimension of the smallest flat through these points."""
    rows = [[value - origin for value, origin in zip(point, points[0])] for point in points[1:]]
    rank = 0
    for column in range(len(points[0])):
        found = next((place for place in range(rank, len(rows)) if rows[place][column]), None)
        if found is None:
            continue
        rows[rank], rows[found] = rows[found], rows[rank]
        for place in range(rank + 1, len(rows)):
            if factor := rows[place][column] / rows[rank][column]:
                rows[place] = [value - factor * other for value, other in zip(rows[place], rows[rank])]
        rank += 1
    return rank
