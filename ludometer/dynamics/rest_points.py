"""Rest points of a field and their kinds.

The kind of a rest point is read off the eigenvalues of the field's derivative along the simplex:

    sink        all real parts below zero: everything near is drawn in
    source      all above zero: everything near is driven away
    saddle      some of each: approached from some sides only
    centre      all zero, with rotation: to first order, orbits circle
    degenerate  otherwise: the linear part does not decide
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ludometer.dynamics.components import affine_dimension
from ludometer.dynamics.equilibria import equilibria, nash_conv
from ludometer.dynamics.fields import Array, Field
from ludometer.dynamics.logit import fixed_points, roots
from ludometer.games.matrix.bimatrix import Payoffs

LARGEST_LISTED = 5  # actions of a player up to which all rest points of replicator dynamics are listed
_ZERO = 1e-7  # eigenvalues as small as this, relative to the largest entry of the derivative, count as zero


@dataclass(frozen=True)
class RestPoint:
    """A state in which the field is zero."""

    state: Array  # float64: the row player's probabilities, then, with two populations, the column player's
    row: Array
    column: Array
    kind: str
    eigenvalues: tuple[complex, ...]
    exact: tuple[tuple[Fraction, ...], ...] | None  # the same in fractions, where they are known
    nash: bool  # whether it is a Nash equilibrium (of the game without leniency)
    gain: float  # NashConv: what both players together could gain by best replies


def rest_points(field: Field) -> list[RestPoint]:
    """The rest points of a field that stand alone, those inside last.

    Replicator without leniency: all, exactly, up to 5×5; beyond, the pure profiles and the Nash equilibria.  Boltzmann: those inside,
    which are the logit equilibria (points of the boundary are left at once, however small the temperature).  Best response: the Nash
    equilibria; this field jumps, so there are no eigenvalues.
    """
    if field.kind == "best-response":
        found = [
            _joined(field, pair.row, pair.column) for pair in equilibria(field.game) if field.populations == 2 or pair.row == pair.column
        ]
        return [_described(field, np.array([float(p) for part in parts for p in part]), parts, smooth=False) for parts in found]
    if field.kind == "boltzmann":
        return [_described(field, state, None) for state in fixed_points(field)[0]]
    if field.kappa == 1:
        return [_described(field, np.array([float(p) for part in parts for p in part]), parts) for parts in _exact_points(field)]
    return [_described(field, state, None) for state in _lenient_points(field)]


def _joined(field: Field, row: Sequence[Fraction], column: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
    return (tuple(row), tuple(column)) if field.populations == 2 else (tuple(row),)


def _described(field: Field, state: Array, exact: tuple[tuple[Fraction, ...], ...] | None, smooth: bool = True) -> RestPoint:
    parts = field.split(state)
    row, column = parts[0], parts[-1]
    gains = nash_conv(field.game, *(exact[0], exact[-1])) if exact else nash_conv(field.game, row.tolist(), column.tolist())
    derivative = derivative_at(field, state) if smooth else np.zeros((0, 0))
    values = _eigenvalues(derivative)
    kind = kind_of(values, float(np.abs(derivative).max(initial=0.0))) if smooth else "equilibrium"
    scale = field.spread
    return RestPoint(state, row, column, kind, values, exact, bool(sum(gains) <= (0 if exact else 1e-9 * scale)), float(sum(gains)))


def derivative_at(field: Field, state: Array) -> Array:
    """The derivative of the field along the simplex, a square matrix in some basis; its eigenvalues do not depend on which.

    Boltzmann fields are differentiated in logarithms, which stay finite where a probability is next to nothing.
    """
    if field.kind == "boltzmann":
        derivative = field.log_jacobian(field.to_logs(np.maximum(state, 1e-300)))
        lasts = np.cumsum(field.sizes) - 1
        return np.delete(np.delete(derivative, lasts, axis=0), lasts, axis=1)
    tangent = field.tangent()
    along: Array = tangent.T @ field.jacobian(state) @ tangent
    return along


def _eigenvalues(derivative: Array) -> tuple[complex, ...]:
    if not derivative.size:
        return ()
    values = np.linalg.eigvals(derivative)
    scale = max(1.0, float(np.abs(values).max()))
    tidy = [complex(_tidied(v.real, scale), _tidied(v.imag, scale)) for v in values]
    return tuple(sorted(tidy, key=lambda v: (-v.real, -v.imag)))


def _tidied(part: float, scale: float) -> float:
    """A number rounded to its significant digits."""
    return 0.0 if abs(part) < _ZERO * scale else float(np.round(part, 12 - int(np.ceil(np.log10(scale)))))


def kind_of(eigenvalues: Sequence[complex], scale: float = 1.0) -> str:
    """The kind by eigenvalues, see the top of this module."""
    limit = _ZERO * max(scale, *(abs(v) for v in eigenvalues)) if eigenvalues else 0.0
    falling = [v.real < -limit for v in eigenvalues]
    rising = [v.real > limit for v in eigenvalues]
    if eigenvalues and all(falling):
        return "sink"
    if eigenvalues and all(rising):
        return "source"
    if any(falling) and any(rising):
        return "saddle"
    if eigenvalues and not any(falling) and not any(rising) and all(abs(v.imag) > limit for v in eigenvalues):
        return "centre"
    return "degenerate"


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    for count in range(1, size + 1):
        yield from combinations(range(size), count)


def _exact_points(field: Field) -> list[tuple[tuple[Fraction, ...], ...]]:
    """Isolated rest points of the replicator, in fractions: on some face, all actions in use earn the same."""
    game = field.game
    if max(field.sizes) > LARGEST_LISTED:
        return _few_points(field)
    rows, columns = len(game.row_labels), len(game.column_labels)
    found: dict[tuple[tuple[Fraction, ...], ...], None] = {}
    by_column = tuple(zip(*game.column_payoffs))  # the column player's payoffs, own actions first
    for own in _subsets(rows):
        if field.populations == 1:
            corners = equalising(game.row_payoffs, own, own)
            if len(corners) == 1 and all(corners[0][action] for action in own):
                found.setdefault((corners[0],))
            continue
        for other in _subsets(columns):
            mixes = equalising(game.row_payoffs, own, other)  # of the column player, that make the row player's `own` equally good
            if len(mixes) != 1 or not all(mixes[0][action] for action in other):
                continue
            replies = equalising(by_column, other, own)
            if len(replies) == 1 and all(replies[0][action] for action in own):
                found.setdefault((replies[0], mixes[0]))
    return list(found)


def _few_points(field: Field) -> list[tuple[tuple[Fraction, ...], ...]]:
    """Pure profiles and Nash equilibria: rest points of a game too large to list them all."""
    rows, columns = (len(labels) for labels in (field.game.row_labels, field.game.column_labels))
    one, zero = Fraction(1), Fraction(0)
    found: dict[tuple[tuple[Fraction, ...], ...], None] = {}
    for i in range(rows):
        for j in range(columns) if field.populations == 2 else (i,):
            row, column = (tuple(one if k == chosen else zero for k in range(size)) for chosen, size in ((i, rows), (j, columns)))
            found.setdefault(_joined(field, row, column))
    for pair in equilibria(field.game):
        if field.populations == 2 or pair.row == pair.column:
            found.setdefault(_joined(field, pair.row, pair.column))
    return list(found)


def equalising(payoffs: Payoffs, own: Sequence[int], other: Sequence[int]) -> list[tuple[Fraction, ...]]:
    """Corners of the set of the other player's mixtures over `other` against which all of `own` earn the same.

    payoffs[i][j] is paid for action i against j.  One corner: the set is that point.
    """
    corners: dict[tuple[Fraction, ...], None] = {}
    for used in _subsets(len(other)):
        support = [other[place] for place in used]
        solution = _solve_equal(payoffs, own, support)
        if solution is not None and min(solution) > 0:
            shares = dict(zip(support, solution))
            corners.setdefault(tuple(shares.get(action, Fraction(0)) for action in range(len(payoffs[0]))))
    return list(corners)


def _solve_equal(payoffs: Payoffs, own: Sequence[int], support: Sequence[int]) -> list[Fraction] | None:
    """The one vector on `support` that sums to 1 and makes `own` equally good; None if there is none or more than one."""
    rows = [[payoffs[i][j] - payoffs[own[0]][j] for j in support] + [Fraction(0)] for i in own[1:]]
    rows.append([Fraction(1)] * (len(support) + 1))
    rank = 0
    for column in range(len(support)):
        found = next((place for place in range(rank, len(rows)) if rows[place][column]), None)
        if found is None:
            return None
        rows[rank], rows[found] = rows[found], rows[rank]
        rows[rank] = [value / rows[rank][column] for value in rows[rank]]
        for place in range(len(rows)):
            if place != rank and (factor := rows[place][column]):
                rows[place] = [value - factor * pivot for value, pivot in zip(rows[place], rows[rank])]
        rank += 1
    if any(row[-1] for row in rows[rank:]):
        return None
    return [rows[place][-1] for place in range(rank)]


def rest_sets(field: Field) -> list[dict[str, Any]]:
    """Edges, areas and larger sets of rest points of the replicator: {row, column} with the corners of both sides' mixtures.

    Only for replicator dynamics without leniency up to 5×5; largest sets only.
    """
    if field.kind != "replicator" or field.kappa != 1 or max(field.sizes) > LARGEST_LISTED:
        return []
    game = field.game
    by_column = tuple(zip(*game.column_payoffs))
    found: list[tuple[frozenset[Any], frozenset[Any]]] = []
    for own in _subsets(len(game.row_labels)):
        for other in _subsets(len(game.column_labels)) if field.populations == 2 else (own,):
            mixes = equalising(game.row_payoffs, own, other)
            replies = equalising(by_column, other, own) if field.populations == 2 else mixes
            if not mixes or not replies or len(mixes) + len(replies) == 2:
                continue
            if affine_dimension(mixes) + affine_dimension(replies) > 0:
                found.append((frozenset(replies), frozenset(mixes)))
    unique = list(dict.fromkeys(found))
    largest = [one for one in unique if not any(one != two and one[0] <= two[0] and one[1] <= two[1] for two in unique)]
    return [{"row": sorted(rows, reverse=True), "column": sorted(columns, reverse=True)} for rows, columns in largest]


def _lenient_points(field: Field) -> list[Array]:
    """Rest points of lenient replicator dynamics: on faces where both use as many actions, all in use earn the same.

    With two actions in use these are all roots of a function of one number, with more those that a search finds.
    """
    found: list[Array] = []
    for own in _subsets(field.sizes[0]):
        if field.populations == 1:
            found += [field.join([mix]) for mix in _lenient_mixes(field, 0, own, own)]
            continue
        for other in _subsets(field.sizes[1]):
            if len(own) == len(other):
                mixes, replies = _lenient_mixes(field, 0, own, other), _lenient_mixes(field, 1, other, own)
                found += [field.join([reply, mix]) for reply in replies for mix in mixes]
    return found


def _lenient_mixes(field: Field, population: int, own: Sequence[int], other: Sequence[int]) -> list[Array]:
    """Mixtures over exactly `other` of the other population against which the actions `own` of `population` earn the same."""
    size = field.tables[population].shape[1]
    lenience = field.lenience[population]

    def mixture(shares: Array) -> Array:
        whole = np.zeros((*shares.shape[:-1], size), shares.dtype)
        whole[..., list(other)] = shares
        return whole

    if len(other) == 1:
        return [mixture(np.ones(1))]
    if len(other) == 2:

        def gap(share: Array) -> Array:
            earned = lenience.expectation(mixture(np.stack([share, 1 - share], axis=-1)), field.kappa)
            difference: Array = earned[..., own[0]] - earned[..., own[1]]
            return difference

        grid = np.linspace(0, 1, 2_001)[1:-1]
        if not np.any(gap(grid)):
            return []  # the same everywhere: no point stands alone
        return [mixture(np.array([share, 1 - share])) for share in roots(gap, grid)]
    from scipy.optimize import root

    def gaps(logs: Array) -> Array:
        weights = np.exp(np.append(logs, 0.0) - max(0.0, logs.max()))
        earned = lenience.expectation(mixture(weights / weights.sum()), field.kappa)[list(own)]
        differences: Array = earned[1:] - earned[0]
        return differences

    source = np.random.default_rng(0)
    found: list[Array] = []
    for _ in range(40):
        start = source.normal(scale=2.0, size=len(other) - 1)
        answer = root(gaps, start, tol=1e-13)
        if answer.success and np.abs(gaps(answer.x)).max() < 1e-10 and np.abs(answer.x).max() < 25:
            weights = np.exp(np.append(answer.x, 0.0) - max(0.0, answer.x.max()))
            state = mixture(weights / weights.sum())
            if not any(np.abs(state - known).max() < 1e-7 for known in found):
                found.append(state)
    return found
