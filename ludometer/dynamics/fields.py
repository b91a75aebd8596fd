"""Fields of learning dynamics on mixed strategies.

    replicator      ẋ_i = x_i (f_i − x·f)                                     actions that earn more than average grow
    boltzmann       ẋ_i = x_i (f_i − x·f) / τ − x_i (ln x_i − x·ln x)         the same, and exploration pulls to the middle
    best-response   ẋ   = b(y) − x                                            a few at a time change to the best reply

f_i is what action i earns against the other's mixture y: (A y)_i, or with leniency κ the expected maximum of κ such payoffs.  The unit
of time is α · steps of a learner with learning rate α.  The column player follows the same equations with the tables' roles exchanged.
In a game of one population both players are alike and y = x.

A state is one flat vector: the row player's probabilities, then (two populations) the column player's.  Functions take arrays of any
leading shape, states along the last axis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError, shorten
from ludometer.dynamics.payoffs import GameLike, as_arrays, find_game, is_symmetric
from ludometer.games.matrix.bimatrix import Bimatrix

KINDS = ("replicator", "boltzmann", "best-response")
MOST_LENIENT = 1_000
_TIE = 1e-12  # payoffs as close as this count as equally good replies

Array = np.ndarray


@dataclass(frozen=True)
class Lenience:
    """The expected maximum of κ payoffs of each action: v_K − Σ_k (v_{k+1} − v_k) P(payoff ≤ v_k)^κ over its payoffs v_1 < … < v_K."""

    top: Array  # float64, actions: the largest payoff of each
    below: Array  # float64, steps × other's actions: 1 where the payoff is at most v_k
    steps: Array  # float64, actions × steps: v_{k+1} − v_k in the row of its action

    @classmethod
    def of(cls, table: Array) -> Lenience:
        """`table` is actions × other's actions."""
        below, owners, sizes = [], [], []
        for action, payoffs in enumerate(table):
            levels = np.unique(payoffs)
            for level, higher in zip(levels, levels[1:]):
                below.append(payoffs <= level)
                owners.append(action)
                sizes.append(higher - level)
        steps = np.zeros((len(table), len(owners)))
        steps[owners, range(len(owners))] = sizes
        return cls(table.max(axis=1), np.array(below, float).reshape(len(owners), table.shape[1]), steps)

    def expectation(self, other: Array, kappa: int) -> Array:
        best: Array = self.top - (other @ self.below.T) ** kappa @ self.steps.T
        return best


@dataclass(frozen=True)
class Field:
    """One dynamics on one game."""

    game: Bimatrix
    kind: str
    tau: float  # temperature, for boltzmann
    kappa: int  # leniency: rewards of which the best counts; 1: none
    populations: int
    tables: tuple[Array, ...] = field(repr=False, compare=False)  # per population: float64, own actions × other's actions
    lenience: tuple[Lenience, ...] = field(repr=False, compare=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of actions of each population."""
        return tuple(len(table) for table in self.tables)

    @property
    def selection(self) -> float:
        """Weight of payoffs."""
        return 1 / self.tau if self.kind == "boltzmann" else 1.0

    @property
    def mutation(self) -> float:
        """Weight of exploration, which pulls to the middle."""
        return 1.0 if self.kind == "boltzmann" else 0.0

    @property
    def spread(self) -> float:
        """The largest difference between two payoffs of one player; 1 if there is none."""
        return max(float(np.ptp(table)) for table in self.tables) or 1.0

    def split(self, state: Array) -> list[Array]:
        """The parts of a state, one for each population."""
        return np.split(state, np.cumsum(self.sizes)[:-1], axis=-1)

    def join(self, parts: Any) -> Array:
        return np.concatenate(parts, axis=-1)

    def fitness(self, state: Array) -> list[Array]:
        """Expected payoff of each action of each population in this state."""
        parts = self.split(state)
        others = parts[::-1]
        if self.kappa == 1:
            return [other @ table.T for table, other in zip(self.tables, others)]
        return [lenience.expectation(other, self.kappa) for lenience, other in zip(self.lenience, others)]

    def velocity(self, state: Array) -> Array:
        """The derivative of the state."""
        state = np.asarray(state)
        changes = []
        for part, earned in zip(self.split(state), self.fitness(state)):
            if self.kind == "best-response":
                changes.append(best_replies(earned) - part)
                continue
            change = self.selection * part * (earned - (part * earned).sum(-1, keepdims=True))
            if self.mutation:
                logarithm = _safe_log(part)
                change = change - self.mutation * part * (logarithm - (part * logarithm).sum(-1, keepdims=True))
            changes.append(change)
        return self.join(changes)

    def log_velocity(self, logs: Array) -> Array:
        """The derivative in logarithms u_i = ln x_i − ln x_last of each population, where every path stays inside by itself."""
        earned = self.fitness(self.from_logs(logs))
        parts = self.split(logs)
        return self.join([self.selection * (f - f[..., -1:]) - self.mutation * u for f, u in zip(earned, parts)])

    def from_logs(self, logs: Array) -> Array:
        """The state with these logarithms."""
        parts = []
        for part in self.split(logs):
            weights = np.exp(part - part.real.max(axis=-1, keepdims=True))
            parts.append(weights / weights.sum(axis=-1, keepdims=True))
        return self.join(parts)

    def to_logs(self, state: Array) -> Array:
        """The inverse, for states inside."""
        return self.join([np.log(part) - np.log(part[..., -1:]) for part in self.split(np.asarray(state, float))])

    def jacobian(self, state: Array) -> Array:
        """∂ẋ_i/∂x_k, exact to rounding by complex steps."""
        size = sum(self.sizes)
        moved = np.asarray(state, complex) + 1e-30j * np.eye(size)
        return (self.velocity(moved).imag / 1e-30).T

    def log_jacobian(self, logs: Array) -> Array:
        """The same in logarithms; rows and columns of each population's last action are those of a number that stays 0."""
        moved = np.asarray(logs, complex) + 1e-30j * np.eye(len(logs))
        return (self.log_velocity(moved).imag / 1e-30).T

    def tangent(self) -> Array:
        """Orthonormal directions that keep all sums: size × (size − populations)."""
        basis = np.zeros((sum(self.sizes), sum(self.sizes) - len(self.sizes)))
        top = left = 0
        for size in self.sizes:
            for k in range(1, size):
                basis[top : top + k, left] = 1 / np.sqrt(k * (k + 1))
                basis[top + k, left] = -k / np.sqrt(k * (k + 1))
                left += 1
            top += size
        return basis

    def middle(self) -> Array:
        """The state in which all actions are equally likely."""
        return self.join([np.full(size, 1 / size) for size in self.sizes])


def best_replies(earned: Array) -> Array:
    """Equal shares of the actions that earn most."""
    best = earned >= earned.max(axis=-1, keepdims=True) - _TIE
    shares: Array = best / best.sum(axis=-1, keepdims=True)
    return shares


def _safe_log(part: Array) -> Array:
    """ln x where x > 0, and 0 elsewhere: x ln x → 0."""
    positive = part.real > 0
    return np.where(positive, np.log(np.where(positive, part, 1.0)), 0.0)


def field_of(game: GameLike, kind: str = "replicator", tau: float = 1.0, kappa: int = 1, populations: int = 2) -> Field:
    """The field of a game's learning dynamics; raises LudometerError for settings that do not fit."""
    table, _ = find_game(game)
    if kind not in KINDS:
        raise LudometerError(f"there is no dynamics {shorten(kind)}; there are {', '.join(KINDS)}")
    check_temperature(tau)
    check_lenience(kappa)
    if kind == "best-response" and kappa != 1:
        raise LudometerError("leniency is for replicator and boltzmann dynamics; best-response takes kappa 1 only")
    if populations not in (1, 2):
        raise LudometerError(f"a game has one or two populations, not {populations}")
    if populations == 1 and not is_symmetric(table):
        raise LudometerError("one population needs a symmetric game, in which both players are paid alike; this one is not")
    row, column = as_arrays(table)
    tables = (row, np.ascontiguousarray(column.T))[:populations]
    return Field(table, kind, float(tau), int(kappa), populations, tables, tuple(Lenience.of(part) for part in tables))


def check_temperature(tau: float) -> None:
    if not (1e-3 <= tau <= 1e6):  # false for NaN too
        raise LudometerError(f"the temperature tau is a number from 0.001 to 1000000, not {tau}")


def check_lenience(kappa: int) -> None:
    if kappa != int(kappa) or not 1 <= kappa <= MOST_LENIENT:
        raise LudometerError(f"the leniency kappa is a whole number from 1 to {MOST_LENIENT}, not {kappa}")
