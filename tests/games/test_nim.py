"""Nim: a naive twin, frozen counts, Bouton's theorem on every position, and what is refused."""

from __future__ import annotations

import re
from functools import reduce
from itertools import product
from operator import xor

import pytest

from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.table import make_table
from tests.games.twins import assert_perft, assert_same_games, naive_perft
from tests.naive.heaps import NaiveNim


def test_perft():
    assert_perft(game("nim:3,4,5"), (12, 113, 810))
    assert naive_perft(NaiveNim((3, 4, 5)), 3) == 810


@pytest.mark.parametrize("piles", [(3, 4, 5), (1,), (40, 1, 7), (9, 9, 9, 9), (1, 2, 3, 4, 5, 6, 7, 40)], ids=str)
def test_random_games_agree_with_the_twin(piles):
    assert assert_same_games(game("nim:" + ",".join(map(str, piles))), NaiveNim(piles), 10) == 10


def test_a_position_is_lost_when_the_piles_cancel():
    """C. L. Bouton 1901, on all 5·5·5 positions; the start 3,4,5 has a single winning move."""
    subject = game("nim:4,4,4")
    table = make_table(subject)
    for piles in product(range(5), repeat=3):
        touched = sum(pile < 4 for pile in piles)  # so many moves lead here
        position = subject.position(",".join(map(str, piles)) + (" o" if touched % 2 else " x"))
        assert (table.value(position).outcome > 0) == (reduce(xor, piles) != 0)
    subject = game("nim:3,4,5")
    probe = make_table(subject).probe(subject.start())
    assert probe.value.outcome > 0
    assert [subject.start().move_text(move) for move in probe.keeping] == ["A-2"]
    subject = game("nim:1,2,3")
    assert make_table(subject).value(subject.start()).outcome < 0


def test_wrong_positions_and_specs():
    subject = game("nim:3,4")
    for text, message in (
        ("3 x", "character 2 is ' ', expected a comma and the counters of pile B"),
        ("3,5 x", "a pile has at most 4 counters in this game, not 5"),
        ("3,a x", "character 3 is 'a', expected the counters of pile B, from 0 to 4"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            subject.position(text)
    assert game("nim").spec == "nim:3,4,5"
    for wrong in ("nim:0", "nim:41", "nim:1,1,1,1,1,1,1,1,1", "nim:a", "nim:3,,4"):
        with pytest.raises(SpecError):
            game(wrong)


def test_pointing_at_a_counter_takes_it_and_those_above():
    position = game("nim:3,4").start()
    picture = position.game.kind.required("draw")(position.game.rules, position.state, None)
    assert picture.picks[position.parse_move("B-1")] == ("B4",) and picture.picks[position.parse_move("B-4")] == ("B1",)
