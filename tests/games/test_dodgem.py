"""Dodgem: a naive twin, frozen counts, published values, and what is refused."""

from __future__ import annotations

import random
import re

import pytest

from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.solving import solve
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft, values_of_all
from tests.naive.dodgem import NaiveDodgem

PERFT = {3: (3, 7, 27, 101, 279), 4: (4, 14, 79, 438, 2358)}


@pytest.mark.parametrize("size", PERFT)
def test_perft(size):
    assert_perft(game(f"dodgem:{size}"), PERFT[size])
    assert naive_perft(NaiveDodgem(size), 4) == PERFT[size][3]


@pytest.mark.parametrize(("size", "games"), [(2, 12), (3, 20), (4, 12), (5, 8), (8, 3)])
def test_random_games_agree_with_the_twin(size, games):
    assert assert_same_games(game(f"dodgem:{size}"), NaiveDodgem(size), games, 3000) > games // 2


@pytest.mark.parametrize("size", [2, 3, 4, 8])
def test_random_boards_agree_with_the_twin(size):
    """Boards with few cars, blocked players and cars at the edges."""
    won = 0
    for number in range(200):
        chance = random.Random(f"{size} {number}")
        twin = NaiveDodgem(size)
        twin.player = chance.choice("XO")
        places = [(column, row) for column in range(size) for row in range(size)]
        chance.shuffle(places)
        own, others = chance.randrange(1, size), chance.randrange(size)
        twin.cars[twin.player] = set(places[:own])
        twin.cars["O" if twin.player == "X" else "X"] = set(places[own : own + others])
        position = game(f"dodgem:{size}").position(twin.text())
        assert_same_position(position, twin)
        won += position.is_over
        for move in position.moves():
            assert_same_position(position.play(move), twin.play(move))
    assert won > 5


def test_the_first_player_wins_on_three_by_three():
    """Berlekamp, Conway and Guy, Winning Ways."""
    subject = game("dodgem:3")
    values = values_of_all(subject)
    assert values[subject.start()] > 0


def test_four_by_four_is_a_draw():
    """D. des Jardins 1996."""
    assert solve(game("dodgem:4")).summary()["start"]["value"] == "draw"


def test_blocking_everything_loses():
    blocked = game("dodgem:3").position("XO./O../... x")
    assert blocked.moves() == [] and blocked.result == "1-0"


def test_the_last_car_that_leaves_wins():
    position = game("dodgem:3").position("..X/.O./... x")
    assert "C1-off" in position.moves() and "B2-B1" not in position.moves()
    assert position.play("C1-off").result == "1-0"
    assert game("dodgem:3").position(".O./.../X.. o").play("b1-OFF").result == "0-1"


def test_wrong_positions_and_specs():
    for text, message in (
        ("XXX/.../... x", "x has 3 men on the board; a player has at most 2"),
        (".../.O./... x", "x is to move but has no car"),
        ("X../.O./...", "ends after 11 characters, expected a space and the side to move"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            game("dodgem:3").position(text)
    assert game("dodgem").spec == "dodgem:3"
    with pytest.raises(SpecError, match="from 2 to 8"):
        game("dodgem:9")


def test_cars_leave_by_pointing_outside_the_edge():
    position = game("dodgem:3").position("..X/O../... x")
    picture = position.game.kind.required("draw")(position.game.rules, position.state, None)
    assert picture.picks[position.parse_move("C1-off")] == ("C1", "exit of row 1")
    assert picture.picks[position.parse_move("C1-C2")] == ("C1", "C2")
