"""Quixo as text.  Position: `XX..O/...../...../...../..... x`.  Move: the cube taken, `>`, the side it comes back in at: `A1>right`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core.drawing import Part
from ludometer.core.errors import IllegalMoveError, shorten, unexpected
from ludometer.core.notation import format_grid, grid_from_parts, grid_parts, parse_end, parse_grid, parse_side, parse_square, square_name
from ludometer.games.quixo import GAME
from ludometer.games.quixo.rules import MOVE_OF, SMALLEST, QuixoRules, QuixoState, list_moves

SIDES = ("top", "bottom", "left", "right")


def cells_of(rules: QuixoRules, state: QuixoState) -> list[str]:
    """The board's cells, row by row: `X`, `O` or `.`."""
    first, second = (state.mover, state.other) if state.turn == 0 else (state.other, state.mover)
    return ["X" if int(first) >> cell & 1 else "O" if int(second) >> cell & 1 else "." for cell in range(rules.size**2)]


def format_position(rules: QuixoRules, state: QuixoState) -> str:
    return format_grid(cells_of(rules, state), rules.size, GAME.players[int(state.turn)])


def parse_position(rules: QuixoRules, text: str) -> QuixoState:
    cells, at = parse_grid(text, rules.size, rules.size, "XO.")
    player, at = parse_side(text, at, GAME.players)
    parse_end(text, at)
    sides = [np.uint64(sum(1 << place for place, cell in enumerate(cells) if cell == symbol)) for symbol in GAME.players]
    return QuixoState(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: QuixoRules, state: QuixoState) -> list[Part]:
    return grid_parts(cells_of(rules, state), rules.size, GAME.players, int(state.turn))


def setup_text(rules: QuixoRules, values: Mapping[str, str]) -> str:
    return grid_from_parts(values, rules.size, rules.size)


def format_move(rules: QuixoRules, state: QuixoState, move: int) -> str:
    cell, side = list_moves(rules.size)[move]
    return f"{square_name(*divmod(cell, rules.size))}>{SIDES[side]}"


def parse_move(rules: QuixoRules, state: QuixoState, text: str) -> int:
    row, column, at = parse_square(text, rules.size, rules.size)
    if text[at : at + 1] != ">":
        raise unexpected("move", text, at, "'>' and a side (top, bottom, left, right)")
    side = text[at + 1 :].lower()
    if side not in SIDES:
        raise unexpected("move", text, at + 1, "a side: top, bottom, left or right")
    move = int(MOVE_OF[rules.size - SMALLEST, row * rules.size + column, SIDES.index(side)])
    if move < 0:
        border = row in (0, rules.size - 1) or column in (0, rules.size - 1)
        reason = "a cube may not go back into the place it came from" if border else "only cubes on the border can be taken"
        raise IllegalMoveError(f"move {shorten(text)} is not allowed: {reason}")
    return move
