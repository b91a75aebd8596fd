"""Exact linear programmes and vertices of polytopes, in whole numbers.

A tableau holds M x + s = b with every entry multiplied by one common determinant.  Pivoting by Edmonds' integer rule multiplies
crosswise and divides by the determinant before; the division leaves no rest, so numbers stay whole and as short as they can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ludometer.dynamics.payoffs import Table


def pivot(rows: Table, leaving: int, entering: int, determinant: int) -> tuple[Table, int]:
    """The tableau with the variable of column `entering` basic in row `leaving`, and its determinant."""
    chosen = rows[leaving]
    size = chosen[entering]
    result = []
    for number, row in enumerate(rows):
        if number == leaving:
            result.append(chosen)
        elif factor := row[entering]:
            result.append([(entry * size - factor * other) // determinant for entry, other in zip(row, chosen)])
        elif size == determinant:
            result.append(row)
        else:
            result.append([entry * size // determinant for entry in row])
    return result, size


@dataclass(frozen=True)
class Vertex:
    """A corner of a polytope."""

    point: tuple[Fraction, ...]  # one number for each variable
    tight: int  # bit v: variable v (the variables first, then the slack of each constraint) is zero here


def vertices(matrix: Table) -> list[Vertex]:
    """All vertices of {x ≥ 0, M x ≤ 1} except 0, for a matrix of positive whole numbers, in order of their points.

    The right-hand side is thought to be 1 + ε, 1 + ε², … (a lexicographic ratio test).  That makes the polytope simple: every
    basis has as many neighbours as there are variables, and all are reached from 0 by walking along edges.  Without ε, bases of
    one degenerate corner fall together.
    """
    count, width = len(matrix[0]), len(matrix)
    start = [[*row, *(int(slack == place) for slack in range(width)), 1] for place, row in enumerate(matrix)]
    first = tuple(range(count, count + width))  # row -> basic variable
    seen = {_mask(first)}
    waiting = [(start, 1, first)]
    found: dict[tuple[Fraction, ...], Vertex] = {}
    while waiting:
        rows, determinant, basic = waiting.pop()
        _note(rows, determinant, basic, count, found)
        mask = _mask(basic)
        for entering in range(count + width):
            if mask >> entering & 1:
                continue
            leaving = _lexicographic_row(rows, entering, count)
            neighbour = mask ^ 1 << basic[leaving] | 1 << entering
            if neighbour not in seen:
                seen.add(neighbour)
                after, size = pivot(rows, leaving, entering, determinant)
                waiting.append((after, size, basic[:leaving] + (entering,) + basic[leaving + 1 :]))
    return [found[point] for point in sorted(found, reverse=True)]


def _mask(variables: Sequence[int]) -> int:
    return sum(1 << variable for variable in variables)


def _note(rows: Table, determinant: int, basic: tuple[int, ...], count: int, found: dict[tuple[Fraction, ...], Vertex]) -> None:
    """Enter the vertex of this basis, unless it is 0."""
    values = {variable: row[-1] for variable, row in zip(basic, rows)}
    if not any(values.get(variable) for variable in range(count)):
        return
    point = tuple(Fraction(values.get(variable, 0), determinant) for variable in range(count))
    if point not in found:
        tight = sum(1 << variable for variable in range(count + len(rows)) if not values.get(variable))
        found[point] = Vertex(point, tight)


def _lexicographic_row(rows: Table, entering: int, count: int) -> int:
    """The row whose basic variable first becomes zero when `entering` grows; ties are broken by the columns of the slacks."""
    best, best_entry = -1, 0
    for number, row in enumerate(rows):
        entry = row[entering]
        if entry <= 0:
            continue
        if best < 0:
            best, best_entry = number, entry
            continue
        chosen = rows[best]
        difference = row[-1] * best_entry - chosen[-1] * entry
        column = count
        while difference == 0:
            difference = row[column] * best_entry - chosen[column] * entry
            column += 1
        if difference < 0:
            best, best_entry = number, entry
    return best


@dataclass(frozen=True)
class Optimum:
    """The solution of a linear programme."""

    value: Fraction
    point: tuple[Fraction, ...]  # of the variables
    prices: tuple[Fraction, ...]  # of the constraints: the solution of the dual programme


def maximise(objective: Sequence[int], matrix: Sequence[Sequence[int]], bounds: Sequence[int]) -> Optimum | None:
    """The largest c·x with M x ≤ b, x ≥ 0, where all b ≥ 0; None if there is no largest.  Whole numbers, Bland's rule."""
    count, width = len(objective), len(matrix)
    rows = [[*row, *(int(slack == place) for slack in range(width)), bound] for place, (row, bound) in enumerate(zip(matrix, bounds))]
    rows.append([*(-factor for factor in objective), *([0] * (width + 1))])
    basic = list(range(count, count + width))
    determinant = 1
    while True:
        entering = next((column for column, cost in enumerate(rows[-1][:-1]) if cost < 0), None)
        if entering is None:
            break
        leaving = -1
        for number in range(width):
            if rows[number][entering] <= 0:
                continue
            if leaving >= 0:
                difference = rows[number][-1] * rows[leaving][entering] - rows[leaving][-1] * rows[number][entering]
                if difference > 0 or (difference == 0 and basic[number] > basic[leaving]):
                    continue
            leaving = number
        if leaving < 0:
            return None
        rows, determinant = pivot(rows, leaving, entering, determinant)
        basic[leaving] = entering
    values = {variable: row[-1] for variable, row in zip(basic, rows)}
    point = tuple(Fraction(values.get(variable, 0), determinant) for variable in range(count))
    prices = tuple(Fraction(price, determinant) for price in rows[-1][count : count + width])
    return Optimum(Fraction(rows[-1][-1], determinant), point, prices)
