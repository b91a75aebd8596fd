"""The longest wins of solved games, against a look at every position."""

from __future__ import annotations

from itertools import product

import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.outcome import WIN
from ludometer.solvers import longest_wins as longest_wins_module
from ludometer.solvers.longest_wins import longest_wins


def test_the_longest_wins_of_a_tile_game_are_those_of_all_positions() -> None:
    game = lm.game("quixo:3")
    solution = lm.solve(game)
    boards = ("".join(cells) for cells in product(".XO", repeat=9))
    positions = [game.position(f"{board[:3]}/{board[3:6]}/{board[6:]} x") for board in boards]
    distances = {position: solution.value(position).distance or 0 for position in positions if solution.value(position).outcome == WIN}
    longest = max(distances.values())
    found = longest_wins(solution, 10_000)
    assert found.complete and found.distance == longest == max(map(int, solution.summary()["histogram"]["win"]))
    assert all(solution.value(position).distance == longest and solution.value(position).outcome == WIN for position in found.positions)
    classes = {min(str(position.transformed(number)) for number in range(position.symmetry_count)) for position in found.positions}
    expected = {
        min(str(position.transformed(number)) for number in range(position.symmetry_count))
        for position, distance in distances.items()
        if distance == longest
    }
    assert classes == expected
    for count in range(1, len(found.positions) + 1):
        assert longest_wins(solution, count).positions == found.positions[:count], "of several classes together no more than asked for"


def test_the_longest_wins_of_a_game_without_repetition() -> None:
    solution = lm.solve("tictactoe")
    found = longest_wins(solution, 3)
    assert found.complete and found.distance == max(map(int, solution.summary()["histogram"]["win"])) == 5
    assert len(found.positions) == 3 and all(solution.value(position).distance == 5 for position in found.positions)


def test_a_short_look_says_that_it_was_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wins in 1 are met before wins in 5, after fewer moves; those seen are not called the longest there are."""
    solution = lm.solve("tictactoe")
    start = lm.game("tictactoe").position("XX./OO./... x")
    monkeypatch.setattr(longest_wins_module, "_MOST_VISITED", 1)
    monkeypatch.setattr(type(start.game), "start", lambda game: start)
    found = longest_wins(solution, 3)
    assert (found.distance, found.positions, found.complete) == (1, (start,), False)


def test_games_about_points_have_no_longest_win() -> None:
    with pytest.raises(LudometerError, match="about points"):
        longest_wins(lm.solve("dots:1x1"))
