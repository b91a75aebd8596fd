"""Results as JSON: what `ludometer dynamics --json` prints and notebooks get from `document()`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.dynamics.payoffs import names_of

if TYPE_CHECKING:
    from ludometer.dynamics.components import Component
    from ludometer.dynamics.equilibria import Equilibria
    from ludometer.dynamics.integration import Path
    from ludometer.dynamics.learners import End, LearnerRuns
    from ludometer.dynamics.portrait import Portrait
    from ludometer.dynamics.rest_points import RestPoint

_DIGITS = 9
_THIN = 5  # every fifth point of a path is enough


def portrait_document(portrait: Portrait) -> dict[str, Any]:
    """Everything about one game."""
    found = portrait.equilibria
    game = portrait.game
    rows, columns = names_of(game)
    document: dict[str, Any] = {
        "game": portrait.spec,
        "title": game.title,
        "actions": {"row": rows, "column": columns},
        "payoffs": {"row": _texts(game.row_payoffs), "column": _texts(game.column_payoffs)},
        "equilibria": found.document(),
        "components": [component_document(component) for component in found.components],
        "degenerate": found.degenerate,
        "value": None if found.value is None else {"exact": str(found.value), "number": float(found.value)},
        "elimination": portrait.reduction.document(),
        "dynamics": {
            "kind": portrait.field.kind,
            "tau": portrait.field.tau if portrait.field.kind == "boltzmann" else None,
            "kappa": portrait.field.kappa,
            "populations": portrait.field.populations,
        },
        "rest_points": [rest_point_document(point) for point in portrait.rest_points],
        "rest_points_complete": portrait.rest_points_complete,
        "rest_sets": [{side: _texts(part[side]) for side in ("row", "column")} for part in portrait.rest_sets],
        "trajectories": [path_document(path, len(rows), "field", portrait.field.populations, _THIN) for path in portrait.paths],
    }
    if portrait.fictitious is not None:
        every = max(1, portrait.rounds // 200)
        document["trajectories"].append(path_document(portrait.fictitious, len(rows), "fictitious play", 2, every))
    if portrait.runs is not None:
        document["trajectories"] += runs_documents(portrait.runs)
        document["learners"] = learners_document(portrait.runs, portrait.ends)
    return document


def logit_document(portrait: Portrait) -> list[dict[str, Any]]:
    """Logit equilibria over the temperature."""
    size = len(portrait.game.row_labels)
    two = portrait.field.populations == 2
    return [
        {
            "tau": row["tau"],
            "row": _numbers(row["state"][:size]),
            "column": _numbers(row["state"][size:] if two else row["state"]),
            "kind": row["kind"],
        }
        for row in portrait.logit
    ]


def equilibrium_document(found: Equilibria, number: int) -> dict[str, Any]:
    one = found[number]
    return {
        "row": [float(p) for p in one.row],
        "column": [float(p) for p in one.column],
        "exact": {"row": list(map(str, one.row)), "column": list(map(str, one.column))},
        "payoffs": [float(p) for p in one.payoffs],
        "exact_payoffs": list(map(str, one.payoffs)),
        "pure": one.pure,
        "pareto": one.pareto,
        "pareto_lotteries": one.pareto_lotteries,
        "dominated_by": list(one.dominated_by),
        "component": one.component,
        "isolated": found.components[one.component].isolated,
        "evolutionarily_stable": one.stable,
    }


def component_document(component: Component) -> dict[str, Any]:
    return {
        "equilibria": list(component.members),
        "dimension": component.dimension,
        "sets": [{"row": _texts(part.rows), "column": _texts(part.columns)} for part in component.sets],
        "complete": component.complete,
    }


def rest_point_document(point: RestPoint) -> dict[str, Any]:
    return {
        "row": _numbers(point.row),
        "column": _numbers(point.column),
        "kind": point.kind,
        "eigenvalues": [eigenvalue_document(value) for value in point.eigenvalues],
        "exact": None if point.exact is None else {"row": list(map(str, point.exact[0])), "column": list(map(str, point.exact[-1]))},
        "nash": point.nash,
        "nash_conv": round(point.gain, _DIGITS),
    }


def eigenvalue_document(value: complex) -> float | list[float]:
    """A number, or [real part, imaginary part]."""
    return value.real if value.imag == 0 else [value.real, value.imag]


def path_document(path: Path, rows: int, source: str, populations: int = 2, every: int = 1) -> dict[str, Any]:
    return {
        "source": source,
        "times": _numbers(path.times[::every]),
        "row": [_numbers(state[:rows]) for state in path.states[::every]],
        "column": [_numbers(state[rows:] if populations == 2 else state) for state in path.states[::every]],
    }


def runs_documents(runs: LearnerRuns, single: int = 3) -> list[dict[str, Any]]:
    """The mean policy of all runs on the field's clock, and a few single runs."""
    from ludometer.dynamics.integration import Path

    rows = len(runs.game.row_labels)
    states = runs.frequency if runs.settings.kind == "greedy" else runs.policy
    mean = states.mean(axis=0, dtype=np.float64) if runs.settings.kind == "greedy" else runs.mean
    documents = [path_document(Path(runs.times, mean), rows, "mean of learners")]
    documents += [
        path_document(Path(runs.times, states[run].astype(float)), rows, f"learner {run}") for run in range(min(single, runs.runs))
    ]
    return documents


def learners_document(runs: LearnerRuns, ends: Sequence[End]) -> dict[str, Any]:
    rows = len(runs.game.row_labels)
    return {
        **runs.settings.document(),
        "runs": runs.runs,
        "episodes": runs.episodes,
        "seed": runs.seed,
        "time_per_episode": runs.clock,
        "payoffs": _numbers(runs.earned.mean(axis=0)),
        "ends": [
            {
                "label": end.label,
                "row": None if end.state is None else _numbers(end.state[:rows]),
                "column": None if end.state is None else _numbers(end.state[rows:]),
                "runs": end.count,
                "share": end.share,
                "interval": list(end.interval),
                "nash_conv": None if end.gains is None else round(sum(end.gains), _DIGITS),
                "gains": None if end.gains is None else [round(gain, _DIGITS) for gain in end.gains],
            }
            for end in ends
        ],
    }


def _texts(table: Sequence[Sequence[Fraction]]) -> list[list[str]]:
    return [list(map(str, row)) for row in table]


def _numbers(values: Any) -> list[float]:
    return [round(float(value), _DIGITS) for value in values]
