"""Kalah: a naive twin, frozen counts, published values, and what is refused."""

from __future__ import annotations

import random
import re

import pytest

from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.search import prove
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft
from tests.naive.kalah import NaiveKalah

PERFT = {(4, 3): (4, 15, 50, 158, 488), (6, 4): (6, 35, 185, 942)}
# (pits, seeds) -> points of the first player.  Irving, Donkers, Uiterwijk: Solving Kalah, ICGA Journal 23(3) 2000, Table 9, counts
# captures of nothing; the standard values are our own.
STANDARD = {(3, 3): 2, (4, 3): 6, (5, 3): 6}
EMPTY = {(3, 3): 2, (4, 3): 8, (5, 3): 8, (6, 1): 2, (6, 2): 10}


@pytest.mark.parametrize("size", PERFT, ids=str)
@pytest.mark.parametrize("rest", ["", ",empty"])
def test_perft(size, rest):
    assert_perft(game("kalah:{},{}".format(*size) + rest), PERFT[size])
    assert naive_perft(NaiveKalah(*size, bool(rest)), 4) == PERFT[size][3]


@pytest.mark.parametrize("size", [(6, 4), (3, 3), (8, 12), (1, 1), (1, 12), (2, 10)], ids=str)
@pytest.mark.parametrize("rest", ["", ",empty"])
def test_random_games_agree_with_the_twin(size, rest):
    assert assert_same_games(game("kalah:{},{}".format(*size) + rest), NaiveKalah(*size, bool(rest)), 15, 1000) == 15


@pytest.mark.parametrize("size", [(6, 4), (2, 10), (8, 12)], ids=str)
@pytest.mark.parametrize("rest", ["", ",empty"])
def test_random_boards_agree_with_the_twin(size, rest):
    """Many seeds in a pit, which go round more than once, and sides that are almost empty."""
    subject = game("kalah:{},{}".format(*size) + rest)
    for number in range(60):
        chance = random.Random(f"{size} {number}")
        twin = NaiveKalah(*size, bool(rest))
        seeds = sum(twin.ring)
        twin.ring = [0] * len(twin.ring)
        places = chance.sample(range(len(twin.ring)), chance.randrange(2, len(twin.ring) + 1))
        for _ in range(seeds):
            twin.ring[chance.choice(places)] += 1
        twin.player = chance.randrange(2)
        try:
            position = subject.position(twin.text())
        except NotationError as error:
            assert twin.is_over() and "one side has no seeds" in str(error)
            continue
        assert_same_position(position, twin)
        for move in position.moves():
            assert_same_position(position.play(move), twin.play(move))


@pytest.mark.parametrize("size", STANDARD, ids=str)
def test_standard_values(size):
    assert prove(game("kalah:{},{}".format(*size)).start()).value.margin == STANDARD[size]


@pytest.mark.parametrize("size", EMPTY, ids=str)
def test_published_values_with_captures_of_nothing(size):
    assert prove(game("kalah:{},{},empty".format(*size)).start()).value.margin == EMPTY[size]


@pytest.mark.exhaustive
def test_a_published_value_that_takes_longer():
    assert prove(game("kalah:6,3,empty").start()).value.margin == 2


def test_the_last_seed_in_the_store_moves_again():
    position = game("kalah:6,4").start().play("3")
    assert str(position) == "4 4 0 5 5 5 +1 / 4 4 4 4 4 4 +0 x"


def test_wrong_positions_and_specs():
    subject = game("kalah:2,2")
    for text, message in (
        ("2 2 +0 / 2 2 +1 x", "there are 9 seeds, and this game has 8"),
        ("0 0 +4 / 2 2 +0 x", "one side has no seeds in its pits"),
        ("2 2 0 / 2 2 +0 x", "expected ' +' and the seeds in the store of x"),
        ("2 2 +0 / 2 2 +0 x 1", "expected the end"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            subject.position(text)
    assert game("kalah").spec == "kalah:6,4" and game("KALAH:3,3,EMPTY").spec == "kalah:3,3,empty"
    for wrong in ("kalah:9,4", "kalah:6,13", "kalah:6", "kalah:6,4,full"):
        with pytest.raises(SpecError):
            game(wrong)
