"""Positions before a position, against playing every position of a small board forward with the slow twin."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from ludometer.core.errors import LudometerError
from ludometer.games import game
from ludometer.solvers import predecessors
from tests.naive import quixo as naive


def _board(text: str) -> naive.Board:
    return [list(row) for row in text.split("/")]


def _text(board: naive.Board) -> str:
    return "/".join("".join(row) for row in board)


def test_all_positions_of_a_two_by_two_board() -> None:
    """Both players' turns: 162 positions, all their moves by the slow rules, turned round."""
    expected: dict[str, set[tuple[str, str]]] = defaultdict(set)
    everything = []
    for cells in product(".XO", repeat=4):
        text = f"{''.join(cells[:2])}/{''.join(cells[2:])}"
        for player in "XO":
            everything.append(f"{text} {player.lower()}")
            for move in naive.legal_moves(_board(text), player):
                after = naive.play(_board(text), player, move)
                expected[f"{_text(after)} {naive.OPPONENT[player].lower()}"].add((f"{text} {player.lower()}", move))
    quixo = game("quixo:2")
    for text in everything:
        found = predecessors(quixo.position(text))
        assert {(str(before), before.move_text(move)) for move, before in found} == expected[text], text
        assert len(found) == len(expected[text])


def test_random_games_come_from_where_they_were() -> None:
    import random

    source = random.Random(1)
    for size in (3, 5, 6):
        position = game(f"quixo:{size}").start()
        assert predecessors(position) == []
        for _ in range(12):
            if position.is_over:
                break
            move = source.choice(position.legal)
            after = position.play(move)
            assert (move, position) in predecessors(after)
            position = after


def test_a_position_that_nothing_leads_to() -> None:
    assert predecessors(game("quixo:4").position("..XX/OOOX/.XO./X.O. x")) == []


def test_other_games_say_why_not() -> None:
    with pytest.raises(LudometerError, match="games of tiles"):
        predecessors(game("tictactoe").start())
