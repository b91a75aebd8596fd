"""Elimination of dominated strategies, step by step."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.dynamics.dominance import dominating, eliminate
from ludometer.dynamics.equilibria import equilibria
from ludometer.dynamics.pivoting import maximise
from ludometer.games.matrix.bimatrix import matrix_game


def test_prisoners() -> None:
    reduction = eliminate("matrix:prisoners")
    assert reduction.solved and (reduction.rows, reduction.columns) == ((1,), (1,))
    assert str(reduction).splitlines() == [
        "1. the row player's C earns less than D",
        "2. the column player's C earns less than D",
        "left: D against D",
    ]


def test_a_mixture_dominates_where_no_single_strategy_does() -> None:
    reduction = eliminate(matrix_game([[3, 0], [0, 3], [1, 1]], [[0, 1], [1, 0], [0, 0]]))
    (step,) = reduction.steps
    assert (step.player, step.action, step.pure) == (0, 2, False)
    gains = [sum(share * payoff for share, payoff in zip(step.by, column)) for column in ((3, 0, 1), (0, 3, 1))]
    assert min(gains) > 1 and sum(step.by) == 1 and step.by[2] == 0


def test_weak_elimination_goes_further() -> None:
    table = matrix_game([[1, 1], [1, 0]], [[1, 1], [1, 0]])
    assert not eliminate(table).steps
    weak = eliminate(table, "weak")
    assert (weak.rows, weak.columns) == ((0,), (0, 1)) and "never earns more than" in str(weak)
    with pytest.raises(LudometerError, match="strict or weak, not 'both'"):
        eliminate(table, "both")


def test_strict_elimination_loses_no_equilibrium() -> None:
    source = np.random.default_rng(6)
    steps = 0
    for _ in range(120):
        table = matrix_game(*source.integers(-3, 4, (2, *source.integers(2, 5, 2))))
        reduction = eliminate(table)
        steps += len(reduction.steps)
        gone = [{step.action for step in reduction.steps if step.player == player} for player in (0, 1)]
        for one in equilibria(table):
            for strategy, removed in zip((one.row, one.column), gone):
                assert not any(strategy[action] for action in removed)
    assert steps > 50


def test_every_step_is_a_domination_and_none_is_left() -> None:
    source = np.random.default_rng(8)
    for kind in ("strict", "weak"):
        for _ in range(60):
            table = matrix_game(*source.integers(-2, 3, (2, *source.integers(2, 5, 2))))
            reduction = eliminate(table, kind)
            kept = [list(range(len(table.row_labels))), list(range(len(table.column_labels)))]
            tables = (table.row_payoffs, tuple(zip(*table.column_payoffs)))
            for step in reduction.steps:
                payoffs, others = tables[step.player], kept[1 - step.player]
                assert all(not share or action in kept[step.player] for action, share in enumerate(step.by))
                gains = [sum(share * payoffs[k][j] for k, share in enumerate(step.by)) - payoffs[step.action][j] for j in others]
                assert min(gains) > 0 if kind == "strict" else min(gains) >= 0 and max(gains) > 0
                kept[step.player].remove(step.action)
            assert (tuple(kept[0]), tuple(kept[1])) == (reduction.rows, reduction.columns)
            for player, action in [(0, i) for i in kept[0]] + [(1, j) for j in kept[1]]:
                assert dominating(tables[player], action, kept[player], kept[1 - player], kind == "strict") is None


def test_domination_by_trying_mixtures() -> None:
    """A fine grid of mixtures of two rivals finds what the linear programme finds."""
    source = np.random.default_rng(10)
    for _ in range(200):
        payoffs = matrix_game(source.integers(-3, 4, (3, 3))).row_payoffs
        found = dominating(payoffs, 0, [0, 1, 2], [0, 1, 2], strict=True)
        tried = any(
            all(share * payoffs[1][j] + (1 - share) * payoffs[2][j] > payoffs[0][j] for j in range(3))
            for share in (Fraction(k, 120) for k in range(121))
        )
        assert (found is not None) == tried


def test_linear_programmes_by_trying_corners() -> None:
    source = np.random.default_rng(12)
    for _ in range(100):
        matrix = source.integers(-3, 4, (3, 2)).tolist() + [[1, 0], [0, 1]]
        bounds = source.integers(0, 5, 3).tolist() + [4, 4]
        objective = source.integers(-3, 4, 2).tolist()
        best = maximise(objective, matrix, bounds)
        assert best is not None
        lines = [*zip(matrix, bounds), ([-1, 0], 0), ([0, -1], 0)]
        values = []
        for (one, b), (two, c) in product(lines, lines):
            area = one[0] * two[1] - one[1] * two[0]
            if area:
                x, y = Fraction(b * two[1] - c * one[1], area), Fraction(one[0] * c - two[0] * b, area)
                if all(row[0] * x + row[1] * y <= bound for row, bound in lines):
                    values.append(objective[0] * x + objective[1] * y)
        assert best.value == max(values) == sum(price * bound for price, bound in zip(best.prices, bounds))
    assert maximise([1], [[-1]], [0]) is None
