"""Othello as text.  Position: `..../.OX./.XO./.... x`.  Moves: the cell, `C4`, or `pass`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.games.othello.rules import PASS, STRIDE, OthelloRules, OthelloState


def layout_of(rules: OthelloRules) -> Layout:
    return boards.grid(rules.size, rules.size)


@cache
def bits_of(size: int) -> tuple[int, ...]:
    """The number of each cell, row by row."""
    return tuple(STRIDE * row + column for row in range(size) for column in range(size))


def cells_of(rules: OthelloRules, state: OthelloState) -> list[str]:
    """The cells row by row from the top: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, bits_of(rules.size))


def format_position(rules: OthelloRules, state: OthelloState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: OthelloRules, text: str) -> OthelloState:
    """Any arrangement is taken."""
    cells, player = boards.parse_whole_board(layout_of(rules), text)
    sides = boards.men(cells, bits_of(rules.size))
    return OthelloState(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: OthelloRules, state: OthelloState) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))


def setup_text(rules: OthelloRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def place_of(rules: OthelloRules, move: int) -> int | None:
    """The place a move puts a disc on, counted row by row; None for a pass."""
    return None if move == PASS else bits_of(rules.size).index(move)


def format_move(rules: OthelloRules, state: OthelloState, move: int) -> str:
    place = place_of(rules, move)
    return "pass" if place is None else layout_of(rules).names[place]
