"""Othello: a naive twin, published counts, the value of the 4×4 board, passes, and what is refused."""

from __future__ import annotations

import random

import pytest

from ludometer.agents.search import evaluation
from ludometer.core.errors import IllegalMoveError, NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.search import prove
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft
from tests.naive.othello import NaiveOthello

PERFT = {  # 8×8: A. Bik, aartbik.com/MISC/reversi.html, up to the depth at which he begins to count passes after the end
    8: (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288),
    6: (4, 12, 56, 244, 1364),
    4: (4, 12, 44, 128, 424),
}


@pytest.mark.parametrize("size", PERFT)
def test_perft(size):
    assert_perft(game(f"othello:{size}"), PERFT[size])
    assert naive_perft(NaiveOthello(size), 4) == PERFT[size][3]


@pytest.mark.parametrize(("size", "games"), [(8, 8), (6, 12), (4, 30)])
def test_random_games_agree_with_the_twin(size, games):
    assert assert_same_games(game(f"othello:{size}"), NaiveOthello(size), games) == games


@pytest.mark.parametrize("size", [8, 6, 4])
def test_random_boards_agree_with_the_twin(size):
    """Full boards and long lines, at the edges as well, and players who must pass."""
    subject = game(f"othello:{size}")
    passes = over = 0
    for number in range(60):
        chance = random.Random(f"{size} {number}")
        twin = NaiveOthello(size)
        symbols = chance.choice(["XO.", "XXXXXXO.", "OOOOOX.", "X....", "XO......."])
        twin.board = [[chance.choice(symbols) for _ in range(size)] for _ in range(size)]
        twin.player = chance.choice("XO")
        position = subject.position(twin.text())
        assert_same_position(position, twin)
        passes += position.moves() == ["pass"]
        over += position.is_over
        for move in chance.sample(position.moves(), min(6, len(position.moves()))):
            assert_same_position(position.play(move), twin.play(move))
    assert over > 0 and (passes > 0 or size > 4)


def test_four_by_four_is_lost_by_eight_discs():
    proof = prove(game("othello:4").start())
    assert proof.value.margin == -8 and proof.value.outcome == -1


def test_the_game_is_over_when_nobody_can_move():
    subject = game("othello:4")
    assert subject.position("XXXX/X.XX/XXXX/XXXX x").result == "1-0"
    over = subject.position("XXXX/XXXX/XXXX/XXX. o")
    assert over.result == "1-0" and over.margin == -15
    passing = subject.position("XO../..../..../.... o")
    assert passing.moves() == ["pass"] and str(passing.play("PASS")) == "XO../..../..../.... x"
    with pytest.raises((IllegalMoveError, NotationError)):
        passing.play("A2")


def test_specs():
    assert game("othello").spec == "othello:8"
    for wrong in ("othello:5", "othello:10", "othello:x"):
        with pytest.raises(SpecError, match="4, 6 or 8"):
            game(wrong)


@pytest.mark.parametrize("board", ["X.../...X/...O/.... x", "X...../....../.....X/.....O/....../...... x"], ids=["4x4", "6x6"])
def test_every_corner_is_worth_ten_moves(board):
    """Both players have one move, and the player to move holds one corner: of the board and of its mirror image, each in four images."""
    for text in (board, "/".join(row[::-1] for row in board.split()[0].split("/")) + " x"):
        position = game(f"othello:{board.count('/') + 1}").position(text)
        assert [evaluation(position.transformed(number), "mobility") for number in range(4)] == [10] * 4
