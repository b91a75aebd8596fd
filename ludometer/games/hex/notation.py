"""Hex as text.  Position: `.X./.O./... x`.  Moves: the cell, `B2`, or `swap`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import sqrt

import numpy as np

from ludometer.core import boards
from ludometer.core.bits import wide_from_integer, wide_to_integer
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.core.notation import impossible, square_name
from ludometer.games.hex.rules import HexRules, HexState, all_joined, cell_number, last_side

RADIUS = 1 / sqrt(3)  # of a hexagon one unit wide
ROW = 1.5 * RADIUS  # distance of rows
LEFT, TOP, REST = 1.0, 1.2, 0.5  # room on the left, above, and on the other sides
SWAP_ROOM = 0.5  # more below, for the button


@cache
def layout_of(size: int, swap: int) -> Layout:
    """Hexagons one unit wide, each row half a unit further right."""
    cells = [(row, column) for row in range(size) for column in range(size)]
    middles = tuple((LEFT + 0.5 + column + row / 2, TOP + row * ROW) for row, column in cells)
    width = LEFT + size + (size - 1) / 2 + REST
    height = TOP + (size - 1) * ROW + RADIUS + REST + swap * SWAP_ROOM
    return Layout(width, height, tuple(square_name(*cell) for cell in cells), middles, (size,) * size, 1.0)


@cache
def bits_of(size: int) -> tuple[int, ...]:
    """The number of each cell, row by row."""
    return tuple(cell_number(size, row, column) for row in range(size) for column in range(size))


def cells_of(rules: HexRules, state: HexState) -> list[str]:
    """The cells row by row from the top: `X`, `O` or `.`."""
    mover, other = wide_to_integer(state.mover), wide_to_integer(state.other)
    first, second = (other, mover) if state.turn else (mover, other)
    return boards.symbols(first, second, bits_of(rules.size))


def format_position(rules: HexRules, state: HexState) -> str:
    return boards.format_board(layout_of(rules.size, rules.swap), cells_of(rules, state), int(state.turn))


def parse_position(rules: HexRules, text: str) -> HexState:
    """Any numbers of stones are taken, unless the player to move has joined his sides already."""
    cells, player = boards.parse_whole_board(layout_of(rules.size, rules.swap), text)
    sides = [sum(1 << bit for bit, cell in zip(bits_of(rules.size), cells) if cell == symbol) for symbol in "XO"]
    stones = [wide_from_integer(side, rules.cells) for side in sides]
    joined = [all_joined(rules, stones[side], side) for side in (0, 1)]
    joined = [tuple(np.uint64(word) for word in words) for words in joined]
    if wide_to_integer(joined[player]) & wide_to_integer(last_side(rules, player)):
        raise impossible(text, f"{boards.PLAYERS[player]} is to move but has won already; the game ended a move earlier")
    return HexState(stones[player], stones[1 - player], joined[player], joined[1 - player], np.uint64(player))


def setup_parts(rules: HexRules, state: HexState) -> list[Part]:
    return boards.board_parts(layout_of(rules.size, rules.swap), cells_of(rules, state), int(state.turn))


def setup_text(rules: HexRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules.size, rules.swap), values)


def place_of(rules: HexRules, move: int) -> int | None:
    """The place of the cell a move puts a stone on, counted row by row; None for a swap."""
    row, column = divmod(move, rules.size + 1)
    return None if row == rules.size else row * rules.size + column


def format_move(rules: HexRules, state: HexState, move: int) -> str:
    place = place_of(rules, move)
    return "swap" if place is None else layout_of(rules.size, rules.swap).names[place]
