"""Quixo: the compiled rules against a slow twin, and the rules that are easily got wrong."""

from __future__ import annotations

import random

import pytest

from ludometer.core.errors import IllegalMoveError, LudometerError, NotationError, SpecError
from ludometer.core.outcome import LOSS, WIN
from ludometer.games import game
from ludometer.games.quixo.evaluation import LONGEST, LOSING, depth_rule
from tests.naive import quixo as naive


@pytest.mark.parametrize(("size", "games"), [(2, 40), (3, 40), (4, 30), (5, 20), (6, 10)])
def test_random_games_agree_with_the_slow_twin(size: int, games: int) -> None:
    subject = game(f"quixo:{size}")
    for number in range(games):
        source = random.Random(f"{size} {number}")
        position = subject.start()
        board, player = naive.empty_board(size), "X"
        for _ in range(200):
            assert str(position) == naive.text(board, player)
            assert sorted(position.moves()) == sorted(naive.legal_moves(board, player))
            winner = naive.winner(board, player)
            assert position.result == {None: None, "X": "1-0", "O": "0-1"}[winner]
            if winner is not None:
                break
            move = source.choice(position.moves())
            position = position.play(move)
            board, player = naive.play(board, player, move), naive.OPPONENT[player]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_random_boards_agree_with_the_slow_twin(size: int) -> None:
    """Boards that random play seldom meets: crowded ones, with lines of both symbols."""
    subject = game(f"quixo:{size}")
    source = random.Random(size)
    finished = 0
    for _ in range(300):
        weights = source.choice([(1, 1, 1), (5, 5, 1), (8, 2, 1), (1, 1, 5)])
        board = [source.choices("XO.", weights, k=size) for _ in range(size)]
        if source.random() < 0.3:
            board[source.randrange(size)] = [source.choice("XO")] * size
        player = source.choice("XO")
        position = subject.position(naive.text(board, player))
        winner = naive.winner(board, player)
        finished += winner is not None
        assert position.result == {None: None, "X": "1-0", "O": "0-1"}[winner]
        assert sorted(position.moves()) == sorted(naive.legal_moves(board, player))
        for move, after in position.children():
            assert str(after) == naive.text(naive.play(board, player, move), naive.OPPONENT[player])
    assert 50 < finished < 300


def test_a_cube_never_goes_back_into_its_place() -> None:
    position = game("quixo:5").start()
    assert {move for move in position.moves() if move.startswith("A1")} == {"A1>bottom", "A1>right"}
    assert {move for move in position.moves() if move.startswith("C1")} == {"C1>bottom", "C1>left", "C1>right"}
    with pytest.raises(IllegalMoveError, match="may not go back into the place it came from"):
        position.play("A1>left")
    with pytest.raises(IllegalMoveError, match="only cubes on the border"):
        position.play("B2>top")


def test_an_opponents_cube_cannot_be_taken() -> None:
    position = game("quixo:5").position("O..../...../...../...../....X x")
    assert not [move for move in position.moves() if move.startswith("A1")]
    with pytest.raises(IllegalMoveError, match="not allowed here"):
        position.play("A1>right")


def test_completing_the_opponents_line_loses() -> None:
    """x pushes the cubes of column A down by one: the o's of three rows come to stand in row 2."""
    position = game("quixo:3").position("O../.OO/X.. x").play("A3>top")
    assert str(position) == "X../OOO/... o"
    assert position.outcome == WIN and position.result == "0-1"


def test_completing_both_lines_loses() -> None:
    """The same push makes row 1 x's own line as well: the opponent's still decides."""
    position = game("quixo:3").position("OXX/.OO/X.. x").play("A3>top")
    assert str(position) == "XXX/OOO/... o"
    assert position.outcome == WIN and position.result == "0-1"


def test_completing_ones_own_line_wins() -> None:
    position = game("quixo:3").position("OXX/.O./X.. x").play("A3>top")
    assert str(position) == "XXX/OO./... o"
    assert position.outcome == LOSS and position.result == "1-0"


def test_a_push_turns_the_cube_to_the_movers_symbol() -> None:
    position = game("quixo:5").start().play("A1>right").play("A1>right")
    assert str(position) == "...XO/...../...../...../..... x"


def test_specs() -> None:
    assert game("quixo").spec == "quixo:5"
    assert game("QUIXO:3").spec == "quixo:3"
    for wrong in ("quixo:1", "quixo:7", "quixo:x", "quixo:3.0", "quixo:-3", "quixo:²"):
        with pytest.raises(SpecError, match="from 2 to 6"):
            game(wrong)


def test_errors_say_which_character_is_wrong() -> None:
    subject = game("quixo:3")
    for text, message in (
        ("X../.Z./... x", "character 6 is 'Z', expected one of X O . for B2"),
        ("X../.../...", "ends after 11 characters, expected a space and the side to move"),
        ("X.././... x", "character 6 is '/', expected one of X O . for B2"),
        ("X../.../... z", "character 13 is 'z', expected the side to move, x or o"),
        ("X../.../... x!", "character 14 is '!', expected the end"),
    ):
        with pytest.raises(NotationError) as caught:
            subject.position(text)
        assert message in str(caught.value)
    with pytest.raises(LudometerError, match="a column from A to C"):
        subject.start().play("D1>left")


@pytest.mark.parametrize(("board", "depths"), [("XX...", (1, 1)), ("XXX..", (3, 3)), ("XXXX.", (3, 4)), ("OOO..", (3, 3))])
def test_lines_of_three_are_searched_deeper(board, depths):
    position = game("quixo:5").position(f"{board}/...../...../...../..... x")
    assert tuple(depth_rule(position.game.rules, position.state, rule) for rule in (LOSING, LONGEST)) == depths
