"""Agents by their specs."""

from __future__ import annotations

import pytest
from scipy.stats import chisquare

from ludometer.agents import agent, kinds
from ludometer.core.agent import AgentKind, Option
from ludometer.core.errors import SpecError
from ludometer.core.random import stream
from ludometer.games import game

KIND = AgentKind(
    name="test",
    title="an agent for tests",
    home="ludometer.agents.random:RandomAgent",
    options=(
        Option("playouts", 100, "how many", least=1),
        Option("blunder", 0.0, "how often", least=0, most=1),
        Option("order", "plain", "in which order", choices=("plain", "best")),
        Option("loud", False, "with messages"),
    ),
    main="playouts",
)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", {}),
        ("1000", {"playouts": 1000}),
        ("playouts=7", {"playouts": 7}),
        ("7, blunder=0.25", {"playouts": 7, "blunder": 0.25}),
        ("order=BEST,loud", {"order": "best", "loud": True}),
        ("loud=no", {}),
        ("blunder=1e-3", {"blunder": 0.001}),
    ],
)
def test_options(text: str, changed: dict[str, object]) -> None:
    defaults = {"playouts": 100, "blunder": 0.0, "order": "plain", "loud": False}
    assert KIND.parse_options(text) == {**defaults, **changed}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("many", "playouts is a whole number, not 'many'"),
        ("1.5", "playouts is a whole number"),
        ("0", "playouts is a whole number at least 1, not 0"),
        ("blunder=2", "blunder is a number between 0 and 1, not 2"),
        ("blunder=nan", "between 0 and 1"),
        ("order=odd", "order is one of plain, best, not 'odd'"),
        ("loud=maybe", "loud is yes or no"),
        ("width=3", "has no option 'width'; options are playouts, blunder, order, loud"),
    ],
)
def test_wrong_options_say_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        KIND.parse_options(text)
    assert message in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_specs_that_name_nothing() -> None:
    with pytest.raises(SpecError, match="did you mean random"):
        agent("randon", game("quixo:3"))
    with pytest.raises(SpecError, match="takes no bare value"):
        agent("random:5", game("quixo:3"))


def test_every_kind_is_named_as_it_is_found() -> None:
    assert "random" in kinds()
    for name, kind in kinds().items():
        assert kind.name == name and kind.title and ":" in kind.home


def test_the_random_agent_is_even_and_repeats_itself() -> None:
    position = game("quixo:3").start()
    player = agent("random", position.game)
    moves = [player.choose(position, stream(5, number)).move for number in range(4_000)]
    assert moves == [player.choose(position, stream(5, number)).move for number in range(4_000)]
    assert chisquare([moves.count(move) for move in position.legal]).pvalue > 1e-4
