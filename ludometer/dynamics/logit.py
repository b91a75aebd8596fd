"""Logit (quantal response) equilibria: both play x = softmax(f(y)/τ), y = softmax(g(x)/τ).

They are the rest points inside the simplex of Boltzmann dynamics, not Nash equilibria; as τ → 0 they approach some of those, as
τ → ∞ there is one, the middle.  Its continuation is the *principal branch*.  With two actions for one of the players all logit
equilibria are found, as the roots of a function of one number; otherwise a search from many places finds those it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.dynamics.fields import Array, Field, check_temperature, field_of
from ludometer.dynamics.payoffs import GameLike

_SCAN = 2_001  # places at which a function of one number is looked at
_STARTS = 60  # of a search in several dimensions
_SAME = 1e-7


@dataclass(frozen=True)
class Branch:
    """Logit equilibria along a curve."""

    taus: Array  # float64, points
    states: Array  # float64, points × actions of both players


def fixed_points(field: Field) -> tuple[list[Array], bool]:
    """All logit equilibria of a Boltzmann field (as states) and whether they are surely all, up to the resolution of the scan."""
    for population, size in enumerate(field.sizes):
        if size == 2:
            return _scan(field, population), True
    return _search(field), False


def logit_equilibria(game: GameLike, tau: float, kappa: int = 1, populations: int = 2) -> list[Array]:
    """Find the logit equilibria of a matrix game at one temperature.

        game          a spec such as "matrix:sexes", a table made by `matrix_game`, or payoffs
        tau           temperature
        kappa         leniency
        populations   2, or 1 for a symmetric game

    Each is one array: the row player's probabilities, then the column player's.  All are found if a player has two actions; otherwise those
    that a search finds.

    >>> [state.tolist() for state in lm.logit_equilibria("matrix:pennies", tau=0.5)]
    [[0.5, 0.5, 0.5, 0.5]]
    """
    return fixed_points(field_of(game, "boltzmann", tau, kappa, populations))[0]


def _scan(field: Field, population: int) -> list[Array]:
    """Roots of u ↦ (log-odds of the best noisy reply to the noisy reply to u) − u."""
    bound = field.spread * field.selection + 1
    shares = np.linspace(0, 1, _SCAN)[1:-1]
    inside = np.log(shares) - np.log1p(-shares)
    grid = np.unique(np.concatenate([inside[abs(inside) < bound], np.linspace(-bound, bound, _SCAN)]))

    def state_at(odds: Array) -> Array:
        share = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
        own = np.stack([share, 1 - share], axis=-1)
        if field.populations == 1:
            return own
        parts = [own, own]
        parts[1 - population] = np.full((*share.shape, field.sizes[1 - population]), 1 / field.sizes[1 - population])
        earned = field.fitness(field.join(parts))[1 - population] * field.selection
        weights = np.exp(earned - earned.max(axis=-1, keepdims=True))
        parts[1 - population] = weights / weights.sum(axis=-1, keepdims=True)
        return field.join(parts)

    def excess(odds: Array) -> Array:
        earned = field.fitness(state_at(odds))[population] * field.selection
        gap: Array = earned[..., 0] - earned[..., 1] - odds
        return gap

    return [state_at(np.asarray(root)) for root in roots(excess, grid)][::-1]


def roots(function: Callable[[Array], Array], grid: Array) -> list[float]:
    """All sign changes of a function over an ascending grid, refined; zeros on the grid count once."""
    values = function(grid)
    changes = np.flatnonzero(values[:-1] * values[1:] < 0)
    low, high, sign = grid[changes], grid[changes + 1], np.sign(values[changes])
    for _ in range(64 if len(changes) else 0):  # all brackets are halved together
        middle = (low + high) / 2
        same = function(middle) * sign > 0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return sorted([*(float(place) for place in grid[values == 0]), *(float(place) for place in (low + high) / 2)])


def _search(field: Field, starts: int = _STARTS) -> list[Array]:
    """Logit equilibria found from many places by damped Newton steps on logarithms."""
    source = np.random.default_rng(0)  # places to start from, the same every time
    places = [field.middle()] + [field.join([source.dirichlet(np.full(size, 0.5)) for size in field.sizes]) for _ in range(starts)]
    corners = np.stack(np.meshgrid(*(np.arange(size) for size in field.sizes), indexing="ij"), axis=-1).reshape(-1, len(field.sizes))
    for corner in corners[:starts]:
        places.append(field.join([0.94 * np.eye(size)[k] + 0.06 / size for size, k in zip(field.sizes, corner)]))
    found: list[Array] = []
    for place in places:
        logs = newton(field, field.to_logs(np.maximum(place, 1e-12)))
        if logs is not None:
            state = field.from_logs(logs)
            if not any(np.abs(state - other).max() < _SAME for other in found):
                found.append(state)
    return found


def newton(field: Field, logs: Array, steps: int = 60) -> Array | None:
    """A zero of the field in logarithms near `logs`, or None."""
    error = field.log_velocity(logs)
    for _ in range(steps):
        size = float(np.abs(error).max())
        if size < 1e-12 * (1 + field.spread * field.selection):
            return logs
        step = np.linalg.lstsq(field.log_jacobian(logs), -error, rcond=None)[0]
        length = 1.0
        while True:
            after = logs + length * step
            next_error = field.log_velocity(after)
            if np.abs(next_error).max() < size or length < 1e-3:
                break
            length /= 2
        logs, error = after, next_error
    return logs if np.abs(error).max() < 1e-9 * (1 + field.spread * field.selection) else None


def principal_branch(game: GameLike, tau: float = 0.05, kappa: int = 1, populations: int = 2, steps: int = 4_000) -> Branch:
    """The curve of logit equilibria from the middle (τ = ∞) down to `tau`, followed round its folds by arc length.

    τ need not fall all along the curve.  Raises LudometerError if the curve does not get there in `steps` steps.
    """
    check_temperature(tau)
    unit = field_of(game, "boltzmann", 1.0, kappa, populations)
    size = sum(unit.sizes)
    goal = 1 / tau
    point = np.zeros(size + 1)  # logarithms, then 1/τ
    scale = max(1.0, unit.spread)
    direction = np.zeros(size + 1)
    direction[-1] = 1.0
    length = 0.05 / scale
    taus, states = [np.inf], [unit.middle()]
    for _ in range(steps):
        tangent = _null_direction(_branch_jacobian(unit, point), direction)
        guess = point + length * tangent
        after = _onto_branch(unit, guess, tangent)
        if after is None or np.abs(after - guess).max() > 0.5 * length:
            length /= 2
            if length < 1e-9:
                break
            continue
        if after[-1] >= goal:
            exact = _at(unit, after[:-1], goal)
            taus.append(tau)
            states.append(unit.from_logs(exact if exact is not None else after[:-1]))
            return Branch(np.array(taus), np.array(states))
        point, direction = after, tangent
        if point[-1] > 0:
            taus.append(1 / point[-1])
            states.append(unit.from_logs(point[:-1]))
        length = min(length * 1.3, 0.5)
    raise LudometerError(f"the principal branch of logit equilibria was not followed down to tau {tau}; try a larger one")


def _excess(unit: Field, point: Array) -> Array:
    earned = unit.fitness(unit.from_logs(point[:-1]))
    excess: Array = unit.join([point[-1] * (f - f[..., -1:]) for f in earned]) - point[:-1]
    return excess


def _branch_jacobian(unit: Field, point: Array) -> Array:
    size = len(point) - 1
    jacobian = np.zeros((size, size + 1))
    selected = unit.log_jacobian(point[:-1]) + np.eye(size)  # of the payoffs alone
    jacobian[:, :-1] = point[-1] * selected - np.eye(size)
    earned = unit.fitness(unit.from_logs(point[:-1]))
    jacobian[:, -1] = unit.join([f - f[..., -1:] for f in earned])
    return jacobian


def _null_direction(jacobian: Array, before: Array) -> Array:
    """The direction along the curve, the same way round as before."""
    direction: Array = np.linalg.svd(jacobian)[2][-1]
    return direction if direction @ before > 0 else -direction


def _onto_branch(unit: Field, guess: Array, tangent: Array) -> Array | None:
    point = guess
    for _ in range(12):
        error = np.append(_excess(unit, point), (point - guess) @ tangent)
        if np.abs(error).max() < 1e-12 * (1 + abs(point[-1]) * unit.spread):
            return point
        point = point - np.linalg.lstsq(np.vstack([_branch_jacobian(unit, point), tangent]), error, rcond=None)[0]
    return None


def _at(unit: Field, logs: Array, inverse_tau: float) -> Array | None:
    """The point of the branch at exactly this 1/τ, from logarithms nearby."""
    from dataclasses import replace

    return newton(replace(unit, tau=1 / inverse_tau), logs)


def bifurcation(game: GameLike, taus: Sequence[float], kappa: int = 1, populations: int = 2) -> list[dict[str, Any]]:
    """For every temperature the logit equilibria with their kinds: {tau, state, kind, eigenvalues}."""
    from ludometer.dynamics.rest_points import rest_points

    rows = []
    for tau in taus:
        for point in rest_points(field_of(game, "boltzmann", tau, kappa, populations)):
            rows.append({"tau": float(tau), "state": point.state, "kind": point.kind, "eigenvalues": point.eigenvalues})
    return rows
