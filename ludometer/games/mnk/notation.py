"""m,n,k games as text.  Position: `X.O/.X./... o`.  Move: the cell, `B2`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core.bits import wide_from_integer, wide_to_integer
from ludometer.core.drawing import Part
from ludometer.core.errors import unexpected
from ludometer.core.notation import (
    format_grid,
    grid_from_parts,
    grid_parts,
    impossible,
    parse_end,
    parse_grid,
    parse_side,
    parse_square,
    square_name,
)
from ludometer.games.mnk import GAME
from ludometer.games.mnk.rules import MnkRules, MnkState, cell_number

Cell = tuple[int, int]  # row and column


def cells_of(rules: MnkRules, state: MnkState) -> list[str]:
    """The board's cells, row by row: `X`, `O` or `.`."""
    mover, other = wide_to_integer(state.mover), wide_to_integer(state.other)
    first, second = (mover, other) if state.turn == 0 else (other, mover)
    numbers = [cell_number(rules.columns, row, column) for row in range(rules.rows) for column in range(rules.columns)]
    return ["X" if first >> number & 1 else "O" if second >> number & 1 else "." for number in numbers]


def runs_of(rules: MnkRules, cells: list[str], symbol: str) -> list[tuple[Cell, Cell]]:
    """First and last cell of every longest run of a symbol that is long enough to win."""

    def is_own(row: int, column: int) -> bool:
        return 0 <= row < rules.rows and 0 <= column < rules.columns and cells[row * rules.columns + column] == symbol

    runs = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in ((row, column) for row in range(rules.rows) for column in range(rules.columns)):
            if not is_own(row, column) or is_own(row - down, column - right):
                continue
            length = 1
            while is_own(row + length * down, column + length * right):
                length += 1
            if length >= rules.line:
                runs.append(((row, column), (row + (length - 1) * down, column + (length - 1) * right)))
    return runs


def format_position(rules: MnkRules, state: MnkState) -> str:
    return format_grid(cells_of(rules, state), rules.columns, GAME.players[int(state.turn)])


def parse_position(rules: MnkRules, text: str) -> MnkState:
    """Any arrangement of marks is taken, whatever their numbers, unless the player to move has a line already."""
    cells, at = parse_grid(text, rules.rows, rules.columns, "XO.")
    player, at = parse_side(text, at, GAME.players)
    parse_end(text, at)
    for start, end in runs_of(rules, cells, GAME.players[player]):
        raise impossible(
            text,
            f"{GAME.players[player]} is to move but has a line from {square_name(*start)} to {square_name(*end)} already; "
            f"the game ended a move earlier, with {GAME.players[1 - player]} to move",
        )
    sides = [
        sum(1 << cell_number(rules.columns, *divmod(place, rules.columns)) for place, cell in enumerate(cells) if cell == symbol)
        for symbol in GAME.players
    ]
    return MnkState(wide_from_integer(sides[player], rules.cells), wide_from_integer(sides[1 - player], rules.cells), np.uint64(player))


def setup_parts(rules: MnkRules, state: MnkState) -> list[Part]:
    return grid_parts(cells_of(rules, state), rules.columns, GAME.players, int(state.turn))


def setup_text(rules: MnkRules, values: Mapping[str, str]) -> str:
    return grid_from_parts(values, rules.rows, rules.columns)


def format_move(rules: MnkRules, state: MnkState, move: int) -> str:
    return square_name(*divmod(move, rules.columns + 1))


def parse_move(rules: MnkRules, state: MnkState, text: str) -> int:
    row, column, at = parse_square(text, rules.rows, rules.columns)
    if at < len(text):
        raise unexpected("move", text, at, "the end")
    return cell_number(rules.columns, row, column)
