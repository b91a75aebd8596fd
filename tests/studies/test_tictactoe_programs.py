"""The programs of the tic-tac-toe study, played again: every published count of visited states, to the digit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.studies.study_003.emulation import play, play_week_three
from ludometer.studies.study_003.emulation_kernels import sort_as_python_does


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "size, line, first, second, turns",
    [(3, 3, 1675, 700, 9), (4, 3, 25_589, 19_061, 5), (4, 4, 898_150, 309_227, 16), (5, 3, 696_412, 591_615, 5)],
)
def test_states_of_the_fourth_week(size: int, line: int, first: int, second: int, turns: int) -> None:
    assert play(size, line).states == (first, second, *[1] * (turns - 2))


@pytest.mark.parametrize(
    "order, answers, states, board",
    [
        (0, False, (30710, 4090, 1520, 221, 98, 33, 14, 5, 2), "XXO/OOX/XOX"),
        (0, True, (26089, 3565, 1163, 197, 81, 25, 8, 3, 2), "XXO/OOX/XOX"),
        (1, False, (6982, 3224, 686, 219, 68, 35, 16, 5, 2), "OXX/XXO/OOX"),
        (-1, False, (88500, 13391, 3548, 754, 203, 45, 14, 5, 2), "OXO/XOX/XOX"),
    ],
)
def test_states_and_boards_of_the_third_week(order: int, answers: bool, states: tuple[int, ...], board: str) -> None:
    game = play_week_three(order, answers)
    assert game.states == states and game.board == board


def test_numbers_are_sorted_stably() -> None:
    source = random.Random(1)
    for _ in range(300):
        ranks = [float(source.randrange(5)) for _ in range(source.randrange(26))]
        sorted_ranks, moves = np.array(ranks), np.arange(len(ranks))
        sort_as_python_does(sorted_ranks, moves, len(ranks))
        assert sorted_ranks.tolist() == sorted(ranks)
        assert moves.tolist() == sorted(range(len(ranks)), key=lambda place: ranks[place])


@pytest.mark.parametrize(
    "ranks, order",
    [
        ([1.0, 2.0, np.nan, 0.0], [0, 1, 2, 3]),  # nothing is ever smaller than its neighbour on the left: one run
        ([np.nan, 5.0, 1.0], [0, 2, 1]),  # 1 is smaller than 5, but not than the NaN
    ],
)
def test_a_nan_stays_where_insertion_leaves_it(ranks: list[float], order: list[int]) -> None:
    moves = np.arange(len(ranks))
    sort_as_python_does(np.array(ranks), moves, len(ranks))
    assert moves.tolist() == order


def test_other_boards_are_refused() -> None:
    with pytest.raises(LudometerError, match="up to 5×5, not on 6×6"):
        play(6, 4)
