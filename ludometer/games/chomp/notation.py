"""Chomp as text.  Position: `####/##../##.. o`.  Move: the square, `C2`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.core.notation import impossible
from ludometer.games.chomp.rules import ChompRules, ChompState, eaten_by

CHOCOLATE = "#"


def layout_of(rules: ChompRules) -> Layout:
    return boards.grid(rules.rows, rules.columns)


def cells_of(rules: ChompRules, state: ChompState) -> list[str]:
    """The squares row by row from the top: `#` or `.`."""
    return [CHOCOLATE if int(state.squares) >> square & 1 else "." for square in range(rules.rows * rules.columns)]


def format_position(rules: ChompRules, state: ChompState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: ChompRules, text: str) -> ChompState:
    """Any shape that bites can leave."""
    layout = layout_of(rules)
    cells, player = boards.parse_whole_board(layout, text, CHOCOLATE + ".")
    squares = sum(1 << square for square, cell in enumerate(cells) if cell == CHOCOLATE)
    for square, cell in enumerate(cells):
        if cell == "." and square == 0:
            raise impossible(text, "the poisoned square A1 cannot be eaten")
        if cell == "." and int(eaten_by(rules, square)) & squares:
            raise impossible(text, f"{layout.names[square]} is eaten, so nothing below and right of it is left")
    return ChompState(np.uint64(squares), np.uint64(player))


def setup_parts(rules: ChompRules, state: ChompState) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn), (".", CHOCOLATE))


def setup_text(rules: ChompRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def format_move(rules: ChompRules, state: ChompState, move: int) -> str:
    return layout_of(rules).names[move]
