"""Predecessors of tile games, against the moves played forward from all positions."""

from __future__ import annotations

import itertools

import pytest

from ludometer.core.errors import LudometerError
from ludometer.games import game
from ludometer.solve.tiles.predecessors import predecessors


def test_predecessors_are_the_positions_that_lead_here() -> None:
    quixo = game("quixo:2")
    expected: dict[str, set[tuple[str, str]]] = {}
    for cells in itertools.product("XO.", repeat=4):
        for side in "xo":
            before = quixo.position(f"{cells[0]}{cells[1]}/{cells[2]}{cells[3]} {side}")
            for move, after in before.children():
                expected.setdefault(str(after), set()).add((str(before), move))
    for cells in itertools.product("XO.", repeat=4):
        for side in "xo":
            position = quixo.position(f"{cells[0]}{cells[1]}/{cells[2]}{cells[3]} {side}")
            found = [(str(before), before.move_text(move)) for before, move in predecessors(position)]
            assert len(found) == len(set(found)) and set(found) == expected.get(str(position), set())


def test_other_games_say_that_they_have_none() -> None:
    with pytest.raises(LudometerError, match="not a game of tiles"):
        predecessors(game("tictactoe").start())
