"""Teeko: a naive twin, frozen counts, every winning arrangement, and what is refused."""

from __future__ import annotations

import random
import re
from itertools import combinations

import numpy as np
import pytest

from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.games.teeko.rules import has_won
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft
from tests.naive.teeko import NaiveTeeko, goals

PERFT = (25, 600, 13800, 303600, 6375600)


def test_perft():
    assert_perft(game("teeko"), PERFT)
    assert naive_perft(NaiveTeeko(), 3) == PERFT[2]


@pytest.mark.parametrize("spec", ["teeko", "teeko:advanced"])
def test_random_games_agree_with_the_twin(spec):
    assert assert_same_games(game(spec), NaiveTeeko(spec != "teeko"), 15) >= 3


@pytest.mark.parametrize(("spec", "number"), [("teeko", 44), ("teeko:advanced", 58)])
def test_all_winning_arrangements(spec, number):
    """Of the 12,650 sets of four points, those that win are the twin's."""
    rules = game(spec).rules
    winning = goals(spec != "teeko")
    assert len(winning) == number
    for four in combinations([(row, column) for row in range(5) for column in range(5)], 4):
        men = sum(1 << 5 * row + column for row, column in four)
        assert bool(has_won.py_func(rules, np.uint64(men))) == (frozenset(four) in winning), four


def test_random_boards_agree_with_the_twin():
    for number in range(100):
        chance = random.Random(number)
        twin = NaiveTeeko()
        twin.player = chance.choice("XO")
        places = chance.sample([(row, column) for row in range(5) for column in range(5)], 8)
        twin.men = {"X": frozenset(places[:4]), "O": frozenset(places[4:])}
        if twin.result():
            continue
        position = game("teeko").position(twin.text())
        assert_same_position(position, twin)
        for move in position.moves():
            assert_same_position(position.play(move), twin.play(move))


def test_wrong_positions_and_specs():
    for text, message in (
        ("XXXXX/...../...../...../..... x", "x has 5 men on the board; a player has at most 4"),
        ("XX.../...../...../...../..... o", "x has 2 men and o has 0; men are placed in turn"),
        ("XXXX./OO.OO/...../...../..... x", "x is to move but has won already"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            game("teeko").position(text)
    with pytest.raises(SpecError, match="write teeko or teeko:advanced"):
        game("teeko:5")
