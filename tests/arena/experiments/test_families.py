"""Families of agents by budget: what a spec names, and how its members are written."""

from __future__ import annotations

import pytest

from ludometer.arena.experiments.families import Family, split_rungs
from ludometer.core.errors import LudometerError


@pytest.mark.parametrize(
    ("spec", "canonical", "budget", "rung"),
    [
        ("mcts", "mcts", "iterations", "mcts:100"),
        ("mcts:iterations", "mcts", "iterations", "mcts:100"),
        ("MCTS:c=1,proven=no", "mcts:c=1,proven=no", "iterations", "mcts:100,c=1,proven=no"),
        ("alphabeta", "alphabeta", "depth", "alphabeta:100"),
        ("alphabeta:nodes", "alphabeta:nodes", "nodes", "alphabeta:nodes=100"),
        ("alphabeta:order=history,nodes", "alphabeta:nodes,order=history", "nodes", "alphabeta:nodes=100,order=history"),
        ("qlearning:learner=tabular", "qlearning:learner=tabular", "iterations", "qlearning:100,learner=tabular"),
    ],
)
def test_a_family_has_one_budget(spec: str, canonical: str, budget: str, rung: str) -> None:
    family = Family.of(spec)
    assert (family.spec, family.budget.name, family.rung("100")) == (canonical, budget, rung)
    assert Family.of(family.spec) == family


def test_windows_are_rungs_by_their_size() -> None:
    family = Family.of("window")
    assert [family.rung(size) for size in ("1x1", "2x2")] == ["window:1x1", "window"]
    assert family.numbers(("1x1", "2x2")) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("random", "no budget"),
        ("optimal", "no budget"),
        ("mcts:100", "sets iterations"),
        ("alphabeta:nodes,depth", "one budget"),
        ("alphabet", "did you mean alphabeta"),
        ("mcts:speed=3", "no option"),
    ],
)
def test_what_has_no_budget_is_refused(spec: str, said: str) -> None:
    with pytest.raises(LudometerError, match=said):
        Family.of(spec)


def test_rungs_are_checked_before_anything_is_played() -> None:
    assert split_rungs("1, 10,100") == ("1", "10", "100")
    for text in ("", "1,1"):
        with pytest.raises(LudometerError):
            split_rungs(text)
    with pytest.raises(LudometerError, match="whole number"):
        Family.of("mcts").rung("many")
