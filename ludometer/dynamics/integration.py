"""Paths through a field that never leave the simplex.

Smooth fields are integrated in logarithms of probabilities, in which the simplex has no boundary; a probability that is zero stays
zero.  Best-response dynamics is followed exactly from change to change, along straight lines with exponentially falling speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.dynamics.equilibria import check_profile, equilibria
from ludometer.dynamics.fields import Array, Field, best_replies
from ludometer.dynamics.payoffs import GameLike, constant_sum, find_game
from ludometer.games.matrix.bimatrix import Payoffs

LONGEST = 1e6  # units of time
_MOST_ROUNDS = 1_000_000  # of fictitious play
_SHORTEST = 1e-3  # time between two changes of the best reply that is resolved
_STEP, _MOST_STEPS = 0.2, 3_000  # of separatrices: as a share of the fastest change, and how many
_FAR = 28.0  # logarithm of the odds beyond which a path has reached the boundary


@dataclass(frozen=True)
class Path:
    """States along a path."""

    times: Array  # float64, points
    states: Array  # float64, points × actions


def integrate(field: Field, start: Sequence[float] | Array, duration: float, points: int = 201, rtol: float = 1e-10) -> Path:
    """The path of the field from a state, over `duration` units of time (negative: backwards), at equally spaced times."""
    if not (0 < abs(duration) <= LONGEST) or points < 2:
        raise LudometerError(f"a path has a duration up to {LONGEST:g} and at least 2 points, not {duration} and {points}")
    state = check_state(field, start)
    times = np.linspace(0, duration, points)
    if field.kind == "best-response":
        if duration < 0:
            raise LudometerError("best-response dynamics cannot be followed backwards: many paths meet")
        return Path(times, _best_response_states(field, state, times))
    return Path(times, _smooth_states(field, state, times, rtol))


def check_state(field: Field, start: Sequence[float] | Array) -> Array:
    """The state as an array; raises LudometerError unless its parts are probabilities."""
    state = np.asarray(start, float).ravel()
    if len(state) != sum(field.sizes):
        raise LudometerError(f"a state of this game has {sum(field.sizes)} numbers, not {len(state)}")
    parts = field.split(state)
    check_profile(field.game, parts[0].tolist(), parts[-1].tolist())
    return field.join([np.clip(part, 0, None) / np.clip(part, 0, None).sum() for part in parts])


def _smooth_states(field: Field, state: Array, times: Array, rtol: float) -> Array:
    from scipy.integrate import solve_ivp

    used = state > 0
    reference = _reference(field, used)
    free = used.copy()
    free[reference] = False
    logs = np.full(len(state), -np.inf)
    logs[used] = np.log(state[used])
    owner = np.repeat(np.arange(len(field.sizes)), field.sizes)
    logs -= logs[reference[owner]]

    def derivative(_: float, free_logs: Array) -> Array:
        logs[free] = free_logs
        earned = field.join(field.fitness(field.from_logs(logs)))
        change: Array = field.selection * (earned - earned[reference[owner]])[free] - field.mutation * free_logs
        return change

    if not free.any():
        return np.tile(state, (len(times), 1))
    method = "LSODA" if field.selection * field.spread > 20 and times[-1] > 0 else "DOP853"
    span = (times[0], times[-1])
    answer = solve_ivp(derivative, span, logs[free], method=method, t_eval=times, rtol=rtol, atol=1e-12)
    if not answer.success:
        raise LudometerError(f"the path could not be followed: {answer.message.lower()}")
    whole = np.full((answer.y.shape[1], len(state)), -np.inf)
    whole[:, reference] = 0
    whole[:, free] = answer.y.T
    return field.from_logs(whole)


def _reference(field: Field, used: Array) -> Array:
    """For each population the place of an action in use, whose logarithm is kept at 0."""
    places, begin = [], 0
    for size in field.sizes:
        places.append(begin + int(np.flatnonzero(used[begin : begin + size])[-1]))
        begin += size
    return np.array(places)


def _best_response_states(field: Field, state: Array, times: Array) -> Array:
    """Between changes x(t) = b + (x − b) e^−t, and differences of payoffs are c + d e^−t, whose zeros are known."""
    states = np.empty((len(times), len(state)))
    states[0] = state
    now, done = float(times[0]), 1
    while done < len(times):
        target = field.join([best_replies(earned) for earned in field.fitness(state)])
        until = now + _next_change(field, state, target, float(times[-1] - now))
        while done < len(times) and times[done] <= until:
            states[done] = target + (state - target) * np.exp(now - times[done])
            done += 1
        state = target + (state - target) * np.exp(now - until)
        now = until
    return states


def _next_change(field: Field, state: Array, target: Array, longest: float) -> float:
    """Time until another reply is best, at least _SHORTEST: near a mixed equilibrium changes accumulate."""
    soonest = longest + _SHORTEST
    for here, there in zip(field.fitness(state), field.fitness(target)):
        best = int(np.argmax(here))
        for action in range(len(here)):
            # difference(t) = end + (begin − end) e^−t
            begin, end = here[best] - here[action], there[best] - there[action]
            if begin > 1e-12 and end < 0:
                soonest = min(soonest, float(np.log((begin - end) / -end)))
    return max(soonest + 1e-9, _SHORTEST)


def fictitious_play(game: GameLike, rounds: int, start: tuple[int, int] = (0, 0)) -> Path:
    """Fictitious play: in each round both play a best reply to the frequencies of the other's actions so far (the first of equals).

    States are the frequencies after each round, the row player's and then the column player's; the first is the pair `start`.
    """
    table, _ = find_game(game)
    row, column = _whole_payoffs(table.row_payoffs), _whole_payoffs(table.column_payoffs)
    check_rounds(rounds)
    counts = [np.zeros(len(row)), np.zeros(len(row[0]))]
    states = np.empty((rounds, len(row) + len(row[0])))
    earned = [[0] * len(count) for count in counts]  # by each action against all choices of the other, exactly: equals are equal
    choices = list(start)
    for number in range(rounds):
        for count, choice in zip(counts, choices):
            count[choice] += 1
        states[number] = np.concatenate(counts) / (number + 1)
        earned[0] = [total + payoffs[choices[1]] for total, payoffs in zip(earned[0], row)]
        earned[1] = [total + payoff for total, payoff in zip(earned[1], column[choices[0]])]
        choices = [one.index(max(one)) for one in earned]
    return Path(np.arange(1, rounds + 1, dtype=float), states)


def _whole_payoffs(payoffs: Payoffs) -> list[list[int]]:
    """Payoffs times their common denominator."""
    scale = lcm(*(payoff.denominator for row in payoffs for payoff in row))
    return [[int(payoff * scale) for payoff in row] for row in payoffs]


def check_rounds(rounds: int) -> None:
    if not 1 <= rounds <= _MOST_ROUNDS:
        raise LudometerError(f"fictitious play takes from 1 to {_MOST_ROUNDS} rounds, not {rounds}")


def separatrices(field: Field, saddle: Array) -> list[Path]:
    """The paths through the inside that run into a saddle, in a state space of two dimensions: borders between what lies on either side.

    Each begins near the boundary or far away and ends at the saddle.  They are followed backwards, which draws them onto themselves.
    """
    tangent = field.tangent()
    if tangent.shape[1] != 2 or field.kind == "best-response":
        raise LudometerError("separatrices are drawn for smooth fields in two dimensions: 2×2 games, or one population with 3 actions")
    values, vectors = np.linalg.eig(tangent.T @ field.jacobian(saddle) @ tangent)
    stable = int(np.argmin(values.real))
    direction = tangent @ vectors[:, stable].real
    direction /= np.abs(direction).max()
    step = -_STEP / (field.selection * field.spread + field.mutation)
    paths = []
    for sign in (1, -1):
        state = saddle + sign * 1e-5 * direction
        if (state <= 0).any():
            continue  # along the boundary
        logs = [field.to_logs(state)]
        while len(logs) < _MOST_STEPS and np.abs(logs[-1]).max() < _FAR:
            logs.append(_runge_kutta(field, logs[-1], step))
        times = step * np.arange(len(logs))
        paths.append(Path(np.append(times[::-1], 0.0), np.vstack([field.from_logs(np.array(logs[::-1])), saddle])))
    return paths


def conserved(field: Field) -> tuple[Any, Array] | None:
    """The conserved quantity of a constant-sum game under replicator dynamics: (function of states, the equilibrium inside).

    H = Σ p*_i ln x_i + Σ q*_j ln y_j for an equilibrium (p*, q*) that uses every action.  None if there is none.
    """
    if field.kind != "replicator" or field.kappa != 1 or constant_sum(field.game) is None:
        return None
    inside = [pair for pair in equilibria(field.game) if min(pair.row) > 0 and min(pair.column) > 0]
    if not inside or (field.populations == 1 and inside[0].row != inside[0].column):
        return None
    parts = (inside[0].row, inside[0].column)[: field.populations]
    weights = np.array([float(p) for part in parts for p in part])

    def quantity(states: Array) -> Array:
        total: Array = (weights * np.log(states)).sum(axis=-1)
        return total

    return quantity, weights


def flow(field: Field, states: Array, duration: float, steps: int) -> Array:
    """Many states at once, moved by `duration` in equal Runge-Kutta steps of fourth order on logarithms."""
    logs = field.to_logs(states)
    step = duration / steps
    for _ in range(steps):
        logs = np.clip(_runge_kutta(field, logs, step), -600, 600)
    return field.from_logs(logs)


def _runge_kutta(field: Field, logs: Array, step: float) -> Array:
    """One step of fourth order on logarithms."""
    one = field.log_velocity(logs)
    two = field.log_velocity(logs + step / 2 * one)
    three = field.log_velocity(logs + step / 2 * two)
    four = field.log_velocity(logs + step * three)
    after: Array = logs + step / 6 * (one + 2 * two + 2 * three + four)
    return after
