"""Chomp: a naive twin, frozen counts, winning first moves, and what is refused."""

from __future__ import annotations

import re

import pytest

from ludometer.core.errors import IllegalMoveError, NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.table import make_table
from tests.games.twins import assert_perft, assert_same_games, naive_perft
from tests.naive.heaps import NaiveChomp

# size -> the only winning first move; on n × n boards it is B2 (Gale 1974)
WINNING = {(2, 3): "C2", (3, 4): "C2", (2, 2): "B2", (3, 3): "B2", (4, 4): "B2", (5, 5): "B2"}


def test_perft():
    assert_perft(game("chomp:3x4"), (11, 73, 335, 1126))
    assert naive_perft(NaiveChomp(3, 4), 4) == 1126


@pytest.mark.parametrize("size", [(3, 4), (8, 8), (1, 5), (5, 1), (26, 2), (2, 26)], ids=str)
def test_random_games_agree_with_the_twin(size):
    assert assert_same_games(game("chomp:{}x{}".format(*size)), NaiveChomp(*size), 10) == 10


@pytest.mark.parametrize("size", WINNING, ids=str)
def test_winning_moves(size):
    start = game("chomp:{}x{}".format(*size)).start()
    probe = make_table(start.game).probe(start)
    assert probe.value.outcome > 0
    assert [start.move_text(move) for move in probe.keeping] == [WINNING[size]]


def test_wrong_positions_and_specs():
    subject = game("chomp:2x3")
    for text, message in (
        ("#.#/### x", "B1 is eaten, so nothing below and right of it is left"),
        ("##./### x", "C1 is eaten, so nothing below and right of it is left"),
        (".../... x", "the poisoned square A1 cannot be eaten"),
        ("##X/### x", "expected one of # . for C1"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            subject.position(text)
    with pytest.raises((IllegalMoveError, NotationError)):
        subject.start().play("A1")
    assert game("chomp").spec == "chomp:3x4"
    for wrong in ("chomp:1x1", "chomp:9x8", "chomp:3"):
        with pytest.raises(SpecError):
            game(wrong)
