"""Clobber: a naive twin, frozen counts, values of small boards, and what is refused."""

from __future__ import annotations

import random

import pytest

from ludometer.core.errors import SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.table import make_table
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft
from tests.naive.clobber import NaiveClobber

PERFT = {(3, 3): (12, 88, 376, 936), (4, 4): (24, 448, 6380, 67296)}
# For the first player.  1 × 2n: Chen et al. 2025, arXiv:2509.08985.
VALUES = {(2, 2): 1, (2, 3): -1, (1, 2): 1, (1, 4): 1, (1, 6): -1, (1, 8): 1, (1, 10): 1, (1, 12): 1, (1, 14): 1}


@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft(size):
    assert_perft(game("clobber:{}x{}".format(*size)), PERFT[size])
    assert naive_perft(NaiveClobber(*size), 3) == PERFT[size][2]


@pytest.mark.parametrize("size", [(5, 6), (3, 3), (8, 8), (1, 9), (26, 2), (2, 26), (7, 9)], ids=str)
def test_random_games_agree_with_the_twin(size):
    assert assert_same_games(game("clobber:{}x{}".format(*size)), NaiveClobber(*size), 6) == 6


@pytest.mark.parametrize("size", [(3, 4), (8, 8)], ids=str)
def test_random_boards_agree_with_the_twin(size):
    for number in range(60):
        chance = random.Random(number)
        twin = NaiveClobber(*size)
        twin.board = [[chance.choice("XO...") for _ in range(size[1])] for _ in range(size[0])]
        twin.player = chance.choice("XO")
        position = game("clobber:{}x{}".format(*size)).position(twin.text())
        assert_same_position(position, twin)
        for move in position.moves():
            assert_same_position(position.play(move), twin.play(move))


@pytest.mark.parametrize("size", VALUES, ids=str)
def test_values(size):
    subject = game("clobber:{}x{}".format(*size))
    assert make_table(subject).value(subject.start()).outcome == VALUES[size]


def test_specs():
    assert game("clobber").spec == "clobber:5x6"
    for wrong in ("clobber:1x1", "clobber:9x8", "clobber:4", "clobber:0x4", "clobber:1x27"):
        with pytest.raises(SpecError):
            game(wrong)
