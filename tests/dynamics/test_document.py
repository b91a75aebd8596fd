"""docs/dynamics.md: its Python runs, its figures are those of the program."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from ludometer.dynamics.equilibria import nash_conv
from ludometer.dynamics.learners import run_learners
from ludometer.dynamics.logit import logit_equilibria
from ludometer.dynamics.payoffs import find_game

TEXT = (Path(__file__).parents[2] / "docs" / "dynamics.md").read_text()


def test_its_python_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "dynamics.md", "exec"), {})


def test_biased_rock_paper_scissors_has_no_pure_equilibrium() -> None:
    table, _ = find_game("matrix:brps")
    unit = [[Fraction(int(i == k)) for k in range(3)] for i in range(3)]
    assert all(sum(nash_conv(table, row, column)) > 0 for row in unit for column in unit)
    best = {column: max(range(3), key=lambda row: table.row_payoffs[row][column]) for column in range(3)}
    assert best == {0: 1, 1: 2, 2: 0}


def test_where_the_battle_of_the_sexes_splits() -> None:
    low, high = 1.0, 1.5
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if len(logit_equilibria("matrix:sexes", middle)) == 3 else (low, middle)
    assert f"{low:.2f}" in TEXT


@pytest.mark.exhaustive
def test_shares_of_the_study_s_games() -> None:
    for name, kind, shares in (
        ("dispersion", "greedy", ["52.0", "48.0"]),
        ("dispersion", "boltzmann", ["50.6", "49.4"]),
        ("sexes", "greedy", ["50.5", "49.5"]),
        ("sexes", "boltzmann", ["50.2", "49.8"]),
        ("prisoners", "greedy", ["99.8", "0.2"]),
        ("prisoners", "boltzmann", ["98.0", "2.0"]),
    ):
        ends = run_learners(f"matrix:{name}", kind, seed=1).ends()
        assert [f"{100 * end.share:.1f}" for end in ends] == shares
        assert all(share in TEXT for share in shares[: 1 + (name != "prisoners")])
    paper = {
        kind: next(end for end in run_learners("matrix:brps", kind, seed=1).ends() if end.label == "(P,P)")
        for kind in ("greedy", "boltzmann")
    }
    assert f"ε-greedy {100 * paper['greedy'].share:.1f} %, Boltzmann {100 * paper['boltzmann'].share:.1f} %: where learners stop" in TEXT
