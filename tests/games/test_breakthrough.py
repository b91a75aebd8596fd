"""Breakthrough: a naive twin, frozen counts, values of small boards, and what is refused."""

from __future__ import annotations

import random
import re

import pytest

from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.table import make_table
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft
from tests.naive.breakthrough import NaiveBreakthrough

PERFT = {
    (8, 8): (22, 484, 11132, 256036),
    (5, 4): (10, 90, 848, 7794, 75378),
    (5, 3): (7, 42, 276, 1776, 11860),
}
VALUES = {(5, 3): -1, (6, 2): 1}  # for the first player


@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft(size):
    assert_perft(game("breakthrough:{}x{}".format(*size)), PERFT[size])
    assert naive_perft(NaiveBreakthrough(*size, 2), 3) == PERFT[size][2]


SIZES = [(8, 8, 2), (5, 4, 2), (3, 3, 1), (4, 4, 2), (6, 6, 1), (2, 5, 1), (7, 1, 2), (2, 26, 1), (26, 2, 2)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_games_agree_with_the_twin(size):
    rows, columns, filled = size
    spec = f"breakthrough:{rows}x{columns}" + (",1" if filled == 1 and rows >= 4 else "")
    assert game(spec).spec == spec
    assert assert_same_games(game(spec), NaiveBreakthrough(*size), 8, 2000) == 8


@pytest.mark.parametrize("size", [(8, 8), (5, 3), (5, 1)], ids=str)
def test_random_boards_agree_with_the_twin(size):
    rows, columns = size
    subject = game(f"breakthrough:{rows}x{columns}")
    met = 0
    for number in range(150):
        chance = random.Random(number)
        twin = NaiveBreakthrough(rows, columns, 2)
        twin.board = [[chance.choice("XO...") for _ in range(columns)] for _ in range(rows)]
        if chance.random() < 0.8:
            twin.board[0] = [symbol.replace("X", "O") for symbol in twin.board[0]]
            twin.board[-1] = [symbol.replace("O", "X") for symbol in twin.board[-1]]
        twin.player = chance.choice("XO")
        try:
            position = subject.position(twin.text())
        except NotationError:
            continue
        met += 1
        assert_same_position(position, twin)
        for move in position.moves():
            assert_same_position(position.play(move), twin.play(move))
    assert met > 40


@pytest.mark.parametrize("size", VALUES, ids=str)
def test_values(size):
    subject = game("breakthrough:{}x{}".format(*size))
    assert make_table(subject).value(subject.start()).outcome == VALUES[size]


def test_wrong_positions_and_specs():
    subject = game("breakthrough:4x3")
    for text, message in (
        ("X../.../OOO/XXX x", "x is to move but has won already"),
        (".../.../.../XXX x", "x is to move but has won already"),
        ("OOO/OOO/O../XXX x", "o has 7 men on the board; a player has at most 6"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            subject.position(text)
    assert game("breakthrough").spec == "breakthrough:8x8" and game("breakthrough:3x3,1").spec == "breakthrough:3x3"
    for wrong in ("breakthrough:1x4", "breakthrough:9x8", "breakthrough:4", "breakthrough:8x8,2", "breakthrough:2x1", "breakthrough:4x1"):
        with pytest.raises(SpecError):
            game(wrong)


def test_a_step_is_offered_from_its_square_to_its_target():
    position = game("breakthrough:5x3").start()
    picture = position.game.kind.required("draw")(position.game.rules, position.state, None)
    for text in position.moves():
        assert "-".join(picture.picks[position.parse_move(text)]) == text
