"""Hex: a naive twin, frozen counts, winning openings of small boards, swapping, and what is refused."""

from __future__ import annotations

import random
import re

import pytest

from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.table import make_table
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft
from tests.naive.hexagons import NaiveHex

PERFT = {3: (9, 72, 504, 3024, 15120), 4: (16, 240, 3360, 43680, 524160)}
OPENINGS = {1: {"A1"}, 2: {"B1", "A2"}, 3: {"B2", "C1", "A3", "A2", "C2"}}


@pytest.mark.parametrize("size", PERFT)
def test_perft(size):
    assert_perft(game(f"hex:{size}"), PERFT[size])
    assert naive_perft(NaiveHex(size), 3) == PERFT[size][2]


@pytest.mark.parametrize(("size", "games"), [(1, 1), (2, 8), (3, 12), (5, 10), (8, 6), (11, 4), (19, 1)])
@pytest.mark.parametrize("swap", [False, True])
def test_random_games_agree_with_the_twin(size, games, swap):
    subject = game(f"hex:{size}" + (",swap" if swap else ""))
    assert assert_same_games(subject, NaiveHex(size, swap), games, 400) == games


@pytest.mark.parametrize("size", [3, 7, 11])
def test_random_boards_agree_with_the_twin(size):
    """Crowded boards with long chains; a stone is put where it decides the game and where it does not."""
    decided = 0
    for number in range(60):
        chance = random.Random(f"{size} {number}")
        twin = NaiveHex(size)
        twin.board = [[chance.choice("XO" if number % 2 else "XO.") for _ in range(size)] for _ in range(size)]
        twin.board[chance.randrange(size)][chance.randrange(size)] = "."
        twin.player = chance.choice("XO")
        if twin.has_chain(twin.player):
            continue
        position = game(f"hex:{size}").position(twin.text())
        assert_same_position(position, twin)
        for move in chance.sample(position.moves(), min(4, len(position.moves()))):
            after = position.play(move)
            assert_same_position(after, twin.play(move))
            assert game(f"hex:{size}").position(str(after)) == after, "joined stones are the same, found stone by stone or at once"
            decided += after.is_over
    assert decided > 0


@pytest.mark.parametrize("size", OPENINGS)
def test_winning_openings(size):
    """The first player wins on every board (Nash); these are the openings that do it."""
    start = game(f"hex:{size}").start()
    probe = make_table(start.game).probe(start)
    assert probe.value.outcome > 0
    assert {start.move_text(move) for move in probe.keeping} == OPENINGS[size]


def test_with_swap_the_second_player_wins():
    start = game("hex:3,swap").start()
    assert make_table(start.game).value(start).outcome < 0


def test_a_swap_is_a_mirrored_stone():
    position = game("hex:3,swap").start().play("C1")
    assert "swap" in position.moves()
    after = position.play("SWAP")
    assert str(after) == ".../.../O.. x" and "swap" not in after.moves()
    assert "swap" not in game("hex:3,swap").start().moves() and "swap" not in position.play("A1").moves()
    assert "swap" not in game("hex:3").start().play("C1").moves()


def test_wrong_positions_and_specs():
    with pytest.raises(NotationError, match=re.escape("x is to move but has won already")):
        game("hex:2").position("X./X. x")
    assert game("hex").spec == "hex:11" and game("hex:7,SWAP").spec == "hex:7,swap"
    for wrong in ("hex:0", "hex:20", "hex:5,trade", "hex:x"):
        with pytest.raises(SpecError, match="from 1 to 19"):
            game(wrong)
