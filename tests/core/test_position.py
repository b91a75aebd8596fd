"""Positions as people use them."""

from __future__ import annotations

import pytest

import ludometer
from ludometer.core.errors import IllegalMoveError, LudometerError, NotationError
from ludometer.games import game


def test_the_first_lines_of_the_manual() -> None:
    position = ludometer.game("quixo:4").start().play("A1>right")
    assert (position.turn, position.player, position.result) == ("o", 1, None)
    assert str(position) == "...X/..../..../.... o"
    assert repr(position) == "game('quixo:4').position('...X/..../..../.... o')"


def test_positions_are_values() -> None:
    start = game("tictactoe").start()
    one = start.play("A1").play("B1").play("C1")
    other = start.play("C1").play("B1").play("A1")
    assert one == other and hash(one) == hash(other) and one.last != other.last
    assert one != start and one != "X.O" and one != game("mnk:3,4,3").start()
    assert str(start) == ".../.../... x", "playing changes nothing in the old position"


def test_moves_as_text_and_as_numbers() -> None:
    start = game("tictactoe").start()
    assert [str(start.play(move)) for move in start.legal] == [str(start.play(text)) for text in start.moves()]
    assert [text for text, _ in start.children()] == start.moves()
    assert start.play(" b2 ") == start.play("B2")


def test_wrong_moves() -> None:
    position = game("tictactoe").position("X../.../... o")
    with pytest.raises(IllegalMoveError, match="legal moves are B1, C1, A2, B2, …"):
        position.play("A1")
    with pytest.raises(NotationError, match="a column from A to C"):
        position.play("Z9")
    with pytest.raises(IllegalMoveError, match="move number 99"):
        position.play(99)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game("tictactoe").position("XXX/OO./... o").play("C3")


def test_start_and_garbage() -> None:
    subject = game("quixo:3")
    assert subject.position("start") == subject.position("") == subject.position(" START ") == subject.start()
    with pytest.raises(LudometerError):
        subject.position("starts")


def test_results_are_the_first_players() -> None:
    subject = game("tictactoe")
    assert subject.position("XXX/OO./... o").result == "1-0"
    assert subject.position("XX./OOO/X.. x").result == "0-1"
    assert subject.position("XOX/XOX/OXO o").result == "1/2-1/2"


def test_the_package_has_what_it_lists() -> None:
    for name in ludometer.__all__:
        assert getattr(ludometer, name) is not None
    assert set(ludometer.__all__) <= set(dir(ludometer))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ludometer.nothing
