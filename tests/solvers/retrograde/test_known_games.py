"""Games whose values and numbers of positions are published or were counted by other programs."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludometer as lm
from ludometer.solvers.solution import Value
from tests.naive.circles import values_of

# spec -> positions, up to symmetry, value of the start for the first player
KNOWN = {
    "morris:3": (5_390, 744, Value(1, 9)),
    "dodgem:3": (1_963, 1_963, Value(1, 19)),
    "dodgem:4": (393_900, 393_900, Value(0)),
    "morris:6": (42_372_745, 2_660_288, Value(0)),
    "teeko": (171_875_046, 21_500_830, Value(0)),
}


@pytest.mark.parametrize(
    "spec",
    [
        "morris:3",
        "dodgem:3",
        "dodgem:4",
        pytest.param("morris:6", marks=pytest.mark.exhaustive),
        pytest.param("teeko", marks=pytest.mark.nightly),
    ],
)
def test_values_and_counts(spec: str, tmp_path: Path) -> None:
    states, entries, value = KNOWN[spec]
    game = lm.game(spec)
    solution = lm.solve(game, tables=tmp_path)
    assert (solution.summary()["states"], solution.entries, solution.value(game.start())) == (states, entries, value)
    report = lm.verify(solution)
    assert report == {"ok": True, "checked": entries, "errors": []}


@pytest.mark.parametrize("spec", ["morris:3", "dodgem:3"])
def test_every_position_as_the_twin_says(spec: str) -> None:
    game = lm.game(spec)
    known = values_of(game.start())
    solution = lm.solve(game)
    assert {position: solution.value(position) for position in known} == known


def test_openings_of_three_mens_morris() -> None:
    """The centre wins, corners draw, edges lose."""
    game = lm.game("morris:3")
    outcomes = {str(move): value.outcome for move, value in lm.solve(game).probe(game.start()).moves}
    assert outcomes == {"B2": 1} | dict.fromkeys(("A1", "C1", "A3", "C3"), 0) | dict.fromkeys(("B1", "A2", "C2", "B3"), -1)


def test_a_game_too_large_says_how_far_it_got() -> None:
    with pytest.raises(
        lm.LudometerError, match=r"dodgem:5 is too large .*: [\d,]+ were found, the last of them \d+ moves from the start, and"
    ):
        lm.solve("dodgem:5", memory=20_000_000)
