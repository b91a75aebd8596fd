"""Connect Four as text.  Position: `.../.O./.XX o`.  Move: the column, `D`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.core.errors import unexpected
from ludometer.core.notation import impossible, square_name
from ludometer.games.connect4.rules import Connect4Rules, Connect4State, has_line


def layout_of(rules: Connect4Rules) -> Layout:
    return boards.grid(rules.rows, rules.columns)


@cache
def bits_of(rows: int, columns: int) -> tuple[int, ...]:
    """The bit of each cell, row by row from the upper left corner."""
    return tuple(column * (rows + 1) + rows - 1 - row for row in range(rows) for column in range(columns))


def cells_of(rules: Connect4Rules, state: Connect4State) -> list[str]:
    """The board's cells, row by row from the top: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, bits_of(rules.rows, rules.columns))


def format_position(rules: Connect4Rules, state: Connect4State) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: Connect4Rules, text: str) -> Connect4State:
    """Any numbers of discs are taken; none may hang in the air, and the player to move may not have a line."""
    cells, player = boards.parse_whole_board(layout_of(rules), text)
    for place, cell in enumerate(cells[: -rules.columns]):
        below = place + rules.columns
        if cell != "." and cells[below] == ".":
            raise impossible(text, f"nothing lies below the disc on {_name(rules, place)}")
    sides = boards.men(cells, bits_of(rules.rows, rules.columns))
    if has_line(rules, sides[player]):
        raise impossible(text, f"{boards.PLAYERS[player]} is to move but has a line already; the game ended a move earlier")
    return Connect4State(sides[player], sides[1 - player], np.uint64(player))


def _name(rules: Connect4Rules, place: int) -> str:
    return square_name(*divmod(place, rules.columns))


def setup_parts(rules: Connect4Rules, state: Connect4State) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))


def setup_text(rules: Connect4Rules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def format_move(rules: Connect4Rules, state: Connect4State, move: int) -> str:
    return square_name(0, move)[0]


def parse_move(rules: Connect4Rules, state: Connect4State, text: str) -> int:
    columns = [square_name(0, column)[0] for column in range(rules.columns)]
    if text[:1].upper() not in columns:
        raise unexpected("move", text, 0, f"a column from A to {columns[-1]}")
    if len(text) > 1:
        raise unexpected("move", text, 1, "the end")
    return columns.index(text.upper())
