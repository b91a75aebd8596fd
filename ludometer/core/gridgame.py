"""Default notation and drawing of games in which two players put marks on the cells of a grid.

A game whose rules have the fields `rows` and `columns`, and whose state has `mover`, `other` (the marks of the player to move and
of the opponent, a bit per cell, row by row from the upper left corner) and `turn`, may name this module after its own:

    GAME = GameKind(…, modules=(__name__, "ludometer.core.gridgame"))

The game's own functions take precedence; the turn and the text and drawing of positions and moves come from here.
examples/connect_three.py is an example.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import njit

from ludometer.core import game_kernels
from ludometer.core.drawing import Drawing, Part, Shape, Spot, TextBoard
from ludometer.core.notation import format_grid, grid_from_parts, grid_parts, parse_end, parse_grid, parse_side, square_name

_PLAYERS = ("x", "o")
_ROLES = {"X": "first", "O": "second"}
MARKS = {"X": Shape("cross", (0, 0, 0.28), "first"), "O": Shape("ring", (0, 0, 0.28), "second")}  # around a cell's centre
_MARGIN = 0.6  # room around the board for coordinates


@njit
def turn(rules, state):
    return np.int64(state.turn)


def rules_to_text(rules: Any) -> str:
    """The empty text; a game with parameters defines its own function."""
    return ""


def cells_of(rules: Any, state: Any) -> list[str]:
    """The cells row by row: `X`, `O` or `.`."""
    mover, other = int(state.mover), int(state.other)
    first, second = (other, mover) if state.turn else (mover, other)
    return ["X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in range(rules.rows * rules.columns)]


def format_position(rules: Any, state: Any) -> str:
    return format_grid(cells_of(rules, state), rules.columns, _PLAYERS[int(state.turn)])


def parse_position(rules: Any, text: str) -> Any:
    cells, at = parse_grid(text, rules.rows, rules.columns, "XO.")
    player, at = parse_side(text, at, _PLAYERS)
    parse_end(text, at)
    sides = [np.uint64(sum(1 << place for place, cell in enumerate(cells) if cell == symbol)) for symbol in _PLAYERS]
    return type(game_kernels.begin(rules)[0])(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: Any, state: Any) -> list[Part]:
    return grid_parts(cells_of(rules, state), rules.columns, _PLAYERS, int(state.turn))


def setup_text(rules: Any, values: Mapping[str, str]) -> str:
    return grid_from_parts(values, rules.rows, rules.columns)


def setup_pictures(rules: Any) -> dict[str, Shape]:
    return MARKS


def format_move(rules: Any, state: Any, move: int) -> str:
    """The marked cell, such as B3."""
    return square_name(*divmod(_marked_by(rules, state, move), rules.columns))


def draw(rules: Any, state: Any, last: int | None) -> Drawing:
    picture = Drawing(rules.columns + 2 * _MARGIN, rules.rows + 2 * _MARGIN)
    picture.add("rect", _MARGIN, _MARGIN, rules.columns, rules.rows, role="board")
    for column in range(rules.columns):
        picture.add("text", _MARGIN + column + 0.5, _MARGIN / 2, 0.3, role="label", text=square_name(0, column)[0])
    for row in range(rules.rows):
        picture.add("text", _MARGIN / 2, _MARGIN + row + 0.5, 0.3, role="label", text=str(row + 1))
    latest = _marked_last(rules, state, last)
    for cell, symbol in enumerate(cells_of(rules, state)):
        x, y = _centre(rules, cell)
        picture.add_area(square_name(*divmod(cell, rules.columns)), x, y, 1, 1, "empty" if symbol == "." else symbol)
        picture.add("rect", x - 0.46, y - 0.46, 0.92, 0.92, role="last" if cell == latest else "cell")
        if symbol != ".":
            picture.add("cross" if symbol == "X" else "ring", x, y, 0.28, role=_ROLES[symbol])
    for move in _legal_moves(rules, state):
        marked = _marked_by(rules, state, move)
        picture.spots[move] = Spot(*_centre(rules, marked), 0.45)
        picture.picks[move] = (square_name(*divmod(marked, rules.columns)),)
    picture.mark = MARKS["XO"[int(state.turn)]]
    return picture


def text_board(rules: Any, state: Any, last: int | None) -> TextBoard:
    latest = _marked_last(rules, state, last)
    cells = cells_of(rules, state)
    lines: TextBoard = [[("   " + " ".join(square_name(0, column)[0] for column in range(rules.columns)), "label")]]
    for row in range(rules.rows):
        line = [(f"{row + 1:>2} ", "label")]
        for cell in range(row * rules.columns, (row + 1) * rules.columns):
            role = _ROLES.get(cells[cell], "grid")
            line += [(cells[cell], f"{role} last" if cell == latest else role), (" ", "grid")]
        lines.append(line)
    return lines


def _centre(rules: Any, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, rules.columns)
    return _MARGIN + column + 0.5, _MARGIN + row + 0.5


def _legal_moves(rules: Any, state: Any) -> list[int]:
    buffer = np.empty(int(game_kernels.begin(rules)[1]), np.int32)
    count = game_kernels.look(rules, state, buffer)[3]
    return [int(move) for move in buffer[:count]]


def _marked_by(rules: Any, state: Any, move: int) -> int:
    """The cell that a move marks: free before it and taken after it."""
    after = game_kernels.advance(rules, state, move)
    marked = (int(after.mover) | int(after.other)) & ~(int(state.mover) | int(state.other))
    return marked.bit_length() - 1


def _marked_last(rules: Any, state: Any, last: int | None) -> int | None:
    """The cell that the latest move marked: the one from whose removal that move leads here."""
    for cell in range(rules.rows * rules.columns) if last is not None else ():
        if int(state.other) >> cell & 1:
            before = type(state)(np.uint64(int(state.other) & ~(1 << cell)), state.mover, state.turn ^ np.uint64(1))
            if last in _legal_moves(rules, before) and _marked_by(rules, before, last) == cell:
                return cell
    return None
