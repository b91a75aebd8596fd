"""Perft counts, frozen as data, and checked against the slow twin as deep as that can go."""

from __future__ import annotations

import math

import pytest

from ludometer.core.errors import LudometerError
from ludometer.games import game
from ludometer.solvers.perft import perft
from tests.naive import quixo as naive

# spec -> the numbers of move sequences of length 1, 2, 3, … from the start
FROZEN = {
    "quixo:2": (8, 48, 288, 576, 1152, 2304),
    "quixo:3": (20, 356, 6332, 99648, 1572096),
    "quixo:4": (32, 952, 28312, 778744),
    "quixo:5": (44, 1836, 76596, 3018100, 118928388),
    "quixo:6": (56, 3008, 161552, 8294736),
    "tictactoe": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0),
}

FEASIBLE = 100_000  # sequences the slow twin counts in about a second


@pytest.mark.parametrize("spec", FROZEN)
def test_frozen_counts(spec: str) -> None:
    start = game(spec).start()
    assert tuple(perft(start, depth + 1) for depth in range(len(FROZEN[spec]))) == FROZEN[spec]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_the_slow_twin_counts_the_same(size: int) -> None:
    board = naive.empty_board(size)
    feasible = [depth for depth, count in enumerate(FROZEN[f"quixo:{size}"], start=1) if count <= FEASIBLE]
    assert len(feasible) >= 2
    for depth in feasible:
        assert naive.perft(board, "X", depth) == FROZEN[f"quixo:{size}"][depth - 1]


@pytest.mark.parametrize(
    "text",
    [
        "XX..O/...../..O../...../....X x",
        "XXXX./OOOO./...../...../..... o",  # one push from the end for both sides
        "XOXOX/O.X.O/X.O.X/O...O/XOXO. x",
    ],
)
def test_the_slow_twin_counts_the_same_in_the_middle_of_a_game(text: str) -> None:
    board = [list(row) for row in text.split()[0].split("/")]
    position = game("quixo:5").position(text)
    for depth in (1, 2, 3):
        assert perft(position, depth) == naive.perft(board, text[-1].upper(), depth)


def test_a_draw_of_all_edges_in_any_order() -> None:
    """In Dots-and-Boxes every undrawn edge may be drawn: the counts are falling factorials."""
    start = game("dots:2x2").start()
    assert [perft(start, depth) for depth in range(8)] == [math.perm(12, depth) for depth in range(8)]


def test_nothing_follows_a_finished_game() -> None:
    over = game("quixo:3").position("XXX/.../... o")
    assert perft(over, 0) == 1
    assert perft(over, 1) == perft(over, 3) == 0


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(LudometerError, match="0 or more, not -1"):
        perft(game("quixo:3").start(), -1)
