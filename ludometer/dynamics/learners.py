"""Learners of matrix games, thousands at once.

    greedy      ε-greedy Q-learning          Q_i += α (r + γ max Q − Q_i), the best action, or with probability ε any
    boltzmann   Boltzmann Q-learning         the same values, actions with probability softmax(Q/T)
    faq         frequency-adjusted Q         Q_i += min(β/x_i, 1) α (r − Q_i), x = softmax(Q/τ): follows the Boltzmann field
    cross       cross learning               x_i += α r (1 − x_i), the others x_k −= α r x_k: follows the replicator field

With leniency κ a learner collects κ rewards of an action and learns from the best of them (lenient frequency-adjusted Q is LFAQ).
A learner observes its own choices and payoffs only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.machine import usable_cores
from ludometer.dynamics.equilibria import nash_conv
from ludometer.dynamics.fields import Array, Field, check_lenience, check_temperature, field_of
from ludometer.dynamics.payoffs import GameLike, as_arrays, find_game, names_of
from ludometer.dynamics.rest_points import RestPoint
from ludometer.games.matrix.bimatrix import Bimatrix

KINDS = ("greedy", "boltzmann", "faq", "cross")
TITLES = {
    "greedy": "ε-greedy Q-learning",
    "boltzmann": "Boltzmann Q-learning",
    "faq": "frequency-adjusted Q-learning",
    "cross": "cross learning",
}
MOST_BYTES = 4_000_000_000  # of recorded runs
_MOST = {"runs": 10_000_000, "episodes": 100_000_000, "points": 1_000_001, "workers": 1_000}
NEAR = 0.1  # a run has ended at a profile if, over its last tenth, no probability is further from it than this
_CHUNK = 50  # runs computed at a time
_RATES = {"greedy": 0.05, "boltzmann": 0.05, "faq": 0.05, "cross": 0.01}

# The study's schedules: ε from 1 to 0.01 by e^(−0.001 k), T from 80 down by 0.01 each episode to 0.01.
STUDY_EPSILON = (1.0, 0.01, -0.001)
STUDY_TEMPERATURE = (80.0, 0.01, 0.01)


@dataclass(frozen=True)
class LearnerSettings:
    """How learners learn; `learner_settings` chooses the defaults."""

    kind: str
    alpha: float = 0.05
    beta: float = 0.05
    gamma: float = 0.1
    kappa: int = 1
    epsilon: tuple[float, float, float] = STUDY_EPSILON  # first, last, growth
    temperature: tuple[float, float, float] = STUDY_TEMPERATURE  # first, last, fall
    q0: tuple[float, float] | None = (0.0, 0.0)  # range of the first Q-values; None: policies drawn evenly
    start: tuple[float, ...] | None = None  # or the policy all runs begin with
    printed: bool = False  # the study's formulas as printed: the bracket of the update, and the sign in ε's exponent

    @property
    def title(self) -> str:
        """Name of these learners."""
        return f"lenient {TITLES[self.kind]} (κ = {self.kappa})" if self.kappa > 1 else TITLES[self.kind]

    @property
    def short(self) -> str:
        """A short name of these learners."""
        names = {"greedy": "ε-greedy Q", "boltzmann": "Boltzmann Q", "faq": "frequency-adjusted Q", "cross": "cross learning"}
        return names[self.kind] + (f", κ = {self.kappa}" if self.kappa > 1 else "")

    def document(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"kind": self.kind, "alpha": self.alpha, "kappa": self.kappa, "as_printed": self.printed}
        if self.kind != "cross":
            shown["gamma"] = self.gamma
        if self.kind == "greedy":
            shown["epsilon"] = dict(zip(("first", "last", "growth"), self.epsilon))
        if self.kind in ("boltzmann", "faq"):
            shown["tau"] = self.temperature[0] if not self.temperature[2] else dict(zip(("first", "last", "fall"), self.temperature))
        if self.kind == "faq":
            shown["beta"] = self.beta
        shown["q0"] = list(self.q0) if self.q0 is not None and self.kind != "cross" else None
        return shown


def learner_settings(
    kind: str,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    kappa: int = 1,
    epsilon: float | None = None,
    tau: float | None = None,
    q0: float | tuple[float, float] | None = None,
    start: Sequence[float] | None = None,
    printed: bool = False,
) -> LearnerSettings:
    """LearnerSettings, by default with the study's schedules of ε (greedy) and temperature (boltzmann); raises LudometerError.

    α is 0.05, for cross learning 0.01; β 0.05; γ 0.1, and 0 for faq, which then follows its field.  `q0` is a number or a range that
    first Q-values are drawn from; by default 0, while faq and cross begin anywhere, drawn evenly from all mixed strategies.
    """
    if kind not in KINDS:
        raise LudometerError(f"there are no learners {shorten(kind)}; there are {', '.join(KINDS)}")
    check_lenience(kappa)
    alpha = _RATES[kind] if alpha is None else alpha
    beta = 0.05 if beta is None else beta
    gamma = (0.0 if kind in ("faq", "cross") else 0.1) if gamma is None else gamma
    for name, value, low, high in (("alpha", alpha, 1e-9, 1.0), ("beta", beta, 1e-9, 1.0), ("gamma", gamma, 0.0, 0.999)):
        if not low <= value <= high:
            raise LudometerError(f"{name} is a number from {low:g} to {high:g}, not {value}")
    chosen = LearnerSettings(kind, float(alpha), float(beta), float(gamma), int(kappa), printed=printed)
    if printed and kind not in ("greedy", "boltzmann"):
        raise LudometerError("formulas as printed in the study are for greedy and boltzmann learners")
    if epsilon is not None:
        if kind != "greedy":
            raise LudometerError(f"epsilon is for greedy learners, not for {kind}")
        if not 0 <= epsilon <= 1:
            raise LudometerError(f"epsilon is a number from 0 to 1, not {epsilon}")
        chosen = replace(chosen, epsilon=(float(epsilon), float(epsilon), 0.0))
    elif printed:
        chosen = replace(chosen, epsilon=(STUDY_EPSILON[0], STUDY_EPSILON[1], -STUDY_EPSILON[2]))
    if tau is not None or kind == "faq":
        check_temperature(1.0 if tau is None else tau)
        constant = 1.0 if tau is None else float(tau)
        chosen = replace(chosen, temperature=(constant, constant, 0.0))
    return _with_start(chosen, q0, start)


def _with_start(chosen: LearnerSettings, q0: float | tuple[float, float] | None, start: Sequence[float] | None) -> LearnerSettings:
    if q0 is not None and chosen.kind == "cross":
        raise LudometerError("cross learning has no Q-values, so it takes no q0")
    if start is not None:
        if q0 is not None or chosen.kind == "greedy":
            raise LudometerError("a policy to start from is for boltzmann, faq and cross learners without q0")
        return replace(chosen, q0=None, start=tuple(map(float, start)))
    if q0 is None:
        return replace(chosen, q0=None if chosen.kind in ("faq", "cross") else (0.0, 0.0))
    low, high = q0 if isinstance(q0, tuple) else (q0, q0)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high and max(abs(low), abs(high)) <= 1e9):
        raise LudometerError(f"q0 is a number or a range from low to high, not {low} to {high}")
    return replace(chosen, q0=(float(low), float(high)))


@dataclass(frozen=True)
class End:
    """A state at which runs end."""

    label: str  # such as (O,O)
    state: Array | None  # float64, actions of both; None for runs that end at no listed state
    count: int
    share: float
    interval: tuple[float, float]  # 95 %, Wilson's
    gains: tuple[float, float] | None  # gains by a best reply there; their sum is NashConv


@dataclass(frozen=True)
class LearnerRuns:
    """The recorded runs of all pairs."""

    game: Bimatrix
    settings: LearnerSettings
    seed: int
    runs: int
    episodes: int
    marks: Array  # int64: episodes after which the state was kept
    clock: float  # units of the field's time in one episode
    policy: Array  # float32, runs × marks × actions of both, and so on: see LearnerRecord
    values: Array
    frequency: Array
    tail_policy: Array
    tail_frequency: Array
    earned: Array

    @property
    def times(self) -> Array:
        """The marks in the field's unit of time."""
        return self.marks * self.clock

    @cached_property
    def mean(self) -> Array:
        """The mean policy of all runs at each mark: float64, marks × actions."""
        return np.asarray(self.policy.mean(axis=0, dtype=np.float64))

    @property
    def finals(self) -> Array:
        """The end of each run: action frequencies over the last tenth for ε-greedy learners, mean policy for others."""
        return self.tail_frequency if self.settings.kind == "greedy" else self.tail_policy

    def field(self) -> Field | None:
        """The field these learners follow in the limit of small steps; None for ε-greedy, which has none in policies."""
        if self.settings.kind == "cross":
            return field_of(self.game, "replicator", kappa=self.settings.kappa)
        if self.settings.kind == "faq" and not self.settings.gamma:
            return field_of(self.game, "boltzmann", self.settings.temperature[0], self.settings.kappa)
        return None

    def settled(self, entropy: float = 0.1) -> Array:
        """For each run the first mark after which both policies stay below this entropy (in bits); -1 if they never do."""
        rows = len(self.game.row_labels)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(self.policy > 0, -self.policy * np.log2(self.policy), 0.0)
        unsure = np.maximum(terms[..., :rows].sum(-1), terms[..., rows:].sum(-1)) >= entropy
        last_unsure = np.where(unsure.any(axis=1), unsure.shape[1] - 1 - np.argmax(unsure[:, ::-1], axis=1), -1)
        return np.where(last_unsure == unsure.shape[1] - 1, -1, self.marks[np.minimum(last_unsure + 1, len(self.marks) - 1)])

    def ends(self, points: Sequence[RestPoint] = (), near: float = NEAR) -> list[End]:
        """Shares of runs by where they end: at a pure profile, at a mixed rest point among those given, or elsewhere; most frequent first.

        Of the rest points, those count that are equilibria, sinks or centres.  A run is at a place if its last tenth, on average, is
        within `near` of it in every probability.
        """
        places: list[tuple[str, Array]] = []
        for point in points:
            state = np.concatenate([point.row, point.column])
            stays = point.nash or point.kind in ("sink", "centre")
            if stays and state.max() < 1 - 1e-12 and not any(np.abs(state - other).max() < near for _, other in places):
                places.append((f"({_mix_text(point.row)} | {_mix_text(point.column)})", state))
        inside = [state for _, state in places]
        places += [pure for pure in _pure_places(self.game) if not any(np.abs(pure[1] - state).max() < near for state in inside)]
        distances = np.stack([np.abs(self.finals - state).max(axis=1) for _, state in places])
        nearest = np.where(distances.min(axis=0) <= near, distances.argmin(axis=0), -1)
        found = []
        named: list[tuple[int, str, Array | None]] = [(number, *place) for number, place in enumerate(places)]
        for number, label, end in [*named, (-1, "elsewhere", None)]:
            count = int((nearest == number).sum())
            if count:
                gains = None if end is None else self._gains(end)
                found.append(End(label, end, count, count / self.runs, wilson(count, self.runs), gains))
        return sorted(found, key=lambda end: -end.count)

    def _gains(self, state: Array) -> tuple[float, float]:
        rows = len(self.game.row_labels)
        mine, theirs = nash_conv(self.game, state[:rows].tolist(), state[rows:].tolist())
        return float(mine), float(theirs)

    def __str__(self) -> str:
        from ludometer.view.dynamics.text import learners_text

        return learners_text(self, self.ends())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from ludometer.view.dynamics.text import as_html

        return as_html(str(self))

    def plot(self, file: str | None = None) -> Any:
        """Learning curves; written to a file if one is named."""
        from ludometer.view.dynamics.plots import picture

        return picture(self, "curves", file)


def _pure_places(game: Bimatrix) -> list[tuple[str, Array]]:
    rows, columns = names_of(game)
    identity = np.eye(len(rows)), np.eye(len(columns))
    return [
        (f"({row},{column})", np.concatenate([identity[0][i], identity[1][j]]))
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]


def _mix_text(part: Array) -> str:
    return " ".join(f"{share:.3g}" for share in part)


def wilson(count: int, total: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share."""
    centre = (count + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * math.sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


def check_counts(**counts: int | None) -> None:
    """Raise LudometerError for numbers of runs, episodes, points or workers that are out of range; None stands for the default."""
    for name, number in counts.items():
        if number is not None and not 1 <= number <= _MOST[name]:
            raise LudometerError(f"the number of {name} is from 1 to {_MOST[name]}, not {number}")


def run_learners(
    game: GameLike,
    kind: str = "faq",
    runs: int = 1_000,
    episodes: int = 10_000,
    seed: int = 0,
    points: int = 101,
    workers: int | None = None,
    settings: LearnerSettings | None = None,
    **options: Any,
) -> LearnerRuns:
    """Let pairs of learners play a matrix game and record their policies.

        game       a spec such as "matrix:sexes", a table made by `matrix_game`, or payoffs
        kind       greedy, boltzmann, faq or cross
        runs       number of pairs
        episodes   episodes each pair plays
        seed       decides all chance
        points     equally spaced episodes at which the state is kept
        workers    threads; default: one for each core
        settings   LearnerSettings instead of `kind` and options
        options    those of `learner_settings`: alpha, beta, gamma, kappa, epsilon, tau, q0, start, printed

    The result does not depend on the number of workers.  Raises LudometerError.

    >>> runs = lm.run_learners("matrix:prisoners", "cross", runs=20, episodes=20_000, seed=1)
    >>> [(end.label, end.count) for end in runs.ends()]
    [('(D,D)', 20)]
    """
    table, _ = find_game(game)
    chosen = settings or learner_settings(kind, **options)
    check_counts(runs=runs, episodes=episodes, points=points, workers=workers)
    row, column = as_arrays(table)
    actions = len(row) + len(row[0])
    marks = np.unique(np.linspace(0, episodes, max(2, points)).round().astype(np.int64))
    if 12 * runs * len(marks) * actions > MOST_BYTES:
        raise LudometerError(
            f"{runs} runs kept at {len(marks)} points need more than {MOST_BYTES // 10**9} GB; ask for fewer of one or the other"
        )
    if chosen.start is not None and len(chosen.start) != actions:
        raise LudometerError(f"a policy to start from has {actions} probabilities here, not {len(chosen.start)}")
    payoffs = np.stack([row, column])
    spread = max(float(np.ptp(row)), float(np.ptp(column))) or 1.0
    rewards = np.stack([(part - part.min()) / spread for part in (row, column)]) if chosen.kind == "cross" else payoffs
    record = _run_all(chosen, payoffs, rewards, runs, episodes, seed, marks, workers)
    clock = chosen.alpha / chosen.kappa * (chosen.beta if chosen.kind == "faq" else 1 / spread if chosen.kind == "cross" else 1.0)
    return LearnerRuns(table, chosen, seed, runs, episodes, marks, clock, *record)


def _run_all(
    chosen: LearnerSettings, payoffs: Array, rewards: Array, runs: int, episodes: int, seed: int, marks: Array, workers: int | None
) -> Any:
    from ludometer.core.random import stream
    from ludometer.dynamics import learners_kernels as kernels

    actions = payoffs.shape[1] + payoffs.shape[2]
    rule = kernels.LearnerRule(
        KINDS.index(chosen.kind),
        chosen.alpha,
        chosen.beta,
        chosen.gamma,
        chosen.kappa,
        chosen.printed,
        *chosen.epsilon,
        *chosen.temperature,
    )
    way = kernels.GIVEN if chosen.start is not None else kernels.ANYWHERE if chosen.q0 is None else kernels.Q_RANGE
    start = kernels.LearnerStart(way, *(chosen.q0 or (0.0, 0.0)), np.array(chosen.start or [0.0] * actions))
    policy, values, frequency = (np.zeros((runs, len(marks), actions), np.float32) for _ in range(3))
    record = kernels.LearnerRecord(policy, values, frequency, np.zeros((runs, actions)), np.zeros((runs, actions)), np.zeros((runs, 2)))
    key = stream(seed, "learners")
    tail = max(1, episodes // 10)

    def work(first: int) -> None:
        count = min(_CHUNK, runs - first)
        kernels.run_pairs(rule, start, payoffs, rewards, key, first, count, episodes, tail, marks, record)

    work(0)  # compiled, or loaded, once
    with ThreadPoolExecutor(workers or usable_cores()) as pool:
        list(pool.map(work, range(_CHUNK, runs, _CHUNK)))
    return record
