"""Boards made of named places: what the notation, the drawings and the set-up of their games share.

A `Layout` says where each place lies and what it is called.  Grids of cells, hexagons and points on lines differ in their layout
alone: text, areas, highlights and moves from place to place are the same.  Symbols are `X` for the first player, `O` for the second
and `.` for an empty place, given in the order of the places' numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ludometer.core import game_kernels
from ludometer.core.drawing import Drawing, Part, Shape, Spot, TextBoard
from ludometer.core.errors import unexpected
from ludometer.core.notation import TURN, impossible, parse_end, parse_side, square_name

PLAYERS = ("x", "o")
MARGIN = 0.6  # room around a board for coordinates
STONES = {"X": Shape("disc", (0, 0, 0.34), "first"), "O": Shape("ring", (0, 0, 0.29), "second")}  # around a place's middle
ROLES = {"X": "first", "O": "second"}
_SPOT = 0.38  # where the value of a step is shown: this share of the way from its source to its target


@dataclass(frozen=True)
class Layout:
    """The places of a board: names, middles in board units, and the lines of text they are written in."""

    width: float
    height: float
    names: tuple[str, ...]
    middles: tuple[tuple[float, float], ...]
    lines: tuple[int, ...]  # number of places in each line of text
    size: float = 0.9  # side of the square area around each middle; men are smaller and tiles larger, so that in a preview men alone move


@cache
def grid(rows: int, columns: int) -> Layout:
    """The cells of a grid, row by row from the upper left corner, with room for coordinates around them."""
    cells = [divmod(cell, columns) for cell in range(rows * columns)]
    return Layout(
        columns + 2 * MARGIN,
        rows + 2 * MARGIN,
        tuple(square_name(row, column) for row, column in cells),
        tuple((MARGIN + column + 0.5, MARGIN + row + 0.5) for row, column in cells),
        (columns,) * rows,
    )


# Sets of places


def symbols(first: int | np.uint64, second: int | np.uint64, bits: Sequence[int]) -> list[str]:
    """The symbol of each place, given both players' men as sets in which place i has the bit `bits[i]`."""
    return ["X" if int(first) >> bit & 1 else "O" if int(second) >> bit & 1 else "." for bit in bits]


def men(cells: Iterable[str], bits: Sequence[int]) -> tuple[np.uint64, np.uint64]:
    """(men of the first player, men of the second) of a board: the inverse of `symbols`, in either case of letters."""
    board = [cell.upper() for cell in cells]
    first, second = (sum(1 << bit for bit, cell in zip(bits, board) if cell == symbol) for symbol in "XO")
    return np.uint64(first), np.uint64(second)


# Text


def format_board(layout: Layout, cells: Sequence[str], turn: int, rest: str = "") -> str:
    """The lines of the board, the side to move, and `rest` after a space if there is any."""
    return _lines(layout, cells) + f" {PLAYERS[turn]}" + (f" {rest}" if rest else "")


def _lines(layout: Layout, cells: Sequence[str]) -> str:
    rows, at = [], 0
    for length in layout.lines:
        rows.append("".join(cells[at : at + length]))
        at += length
    return "/".join(rows)


def parse_board(layout: Layout, text: str, allowed: str = "XO.") -> tuple[list[str], int, int]:
    """(symbols in upper case, player to move, characters read) of a position at the beginning of `text`."""
    cells: list[str] = []
    at = 0
    for row, length in enumerate(layout.lines):
        if row:
            if text[at : at + 1] != "/":
                raise unexpected("position", text, at, f"'/' after {layout.lines[row - 1]} places of line {row}")
            at += 1
        for _ in range(length):
            cell = text[at : at + 1]
            if not cell or cell.upper() not in allowed.upper() or not cell.isascii():
                raise unexpected("position", text, at, f"one of {' '.join(allowed)} for {layout.names[len(cells)]}")
            cells.append(cell.upper())
            at += 1
    player, at = parse_side(text, at, PLAYERS)
    return cells, player, at


def parse_whole_board(layout: Layout, text: str, allowed: str = "XO.") -> tuple[list[str], int]:
    """(symbols in upper case, player to move) of a text that is a board and the side to move."""
    cells, player, at = parse_board(layout, text, allowed)
    parse_end(text, at)
    return cells, player


def at_most(text: str, layout: Layout, cells: Sequence[str], most: int) -> None:
    """Raise NotationError unless each player has at most `most` men on the board."""
    for symbol, player in zip("XO", PLAYERS):
        found = cells.count(symbol)
        if found > most:
            raise impossible(text, f"{player} has {found} men on the board; a player has at most {most}")


# Setting positions up


def board_parts(layout: Layout, cells: Sequence[str], turn: int, values: tuple[str, ...] = (".", "X", "O")) -> list[Part]:
    """A part for each place, and the side to move."""
    return [
        *(Part(name, cell, values) for name, cell in zip(layout.names, cells)),
        Part(TURN, PLAYERS[turn], PLAYERS, on_board=False),
    ]


def board_from_parts(layout: Layout, values: Mapping[str, str], rest: str = "") -> str:
    """The text of a position whose parts have these values; what is not given is empty."""
    cells = [values.get(name, ".") for name in layout.names]
    return _lines(layout, cells) + f" {values.get(TURN, '')}" + (f" {rest}" if rest else "")


# Pictures


def add_coordinates(picture: Drawing, rows: int, columns: int) -> None:
    """Letters above the columns and numbers beside the rows of a grid."""
    for column in range(columns):
        picture.add("text", MARGIN + column + 0.5, MARGIN / 2, 0.3, role="label", text=square_name(0, column)[0])
    for row in range(rows):
        picture.add("text", MARGIN / 2, MARGIN + row + 0.5, 0.3, role="label", text=str(row + 1))


def tiled_board(rows: int, columns: int, latest: Iterable[int] = ()) -> Drawing:
    """An empty board of tiles; those of the latest move are highlighted."""
    layout = grid(rows, columns)
    picture = Drawing(layout.width, layout.height)
    picture.add("rect", MARGIN - 0.06, MARGIN - 0.06, columns + 0.12, rows + 0.12, role="board")
    add_coordinates(picture, rows, columns)
    marked = set(latest)
    for cell, (x, y) in enumerate(layout.middles):
        picture.add("rect", x - 0.46, y - 0.46, 0.92, 0.92, role="cell")
        if cell in marked:
            picture.add("rect", x - 0.46, y - 0.46, 0.92, 0.92, role="last")
    return picture


def add_men(picture: Drawing, layout: Layout, cells: Sequence[str], marks: Mapping[str, Shape] = STONES) -> None:
    """The men on the board, and an area for each place that says what stands there."""
    for name, (x, y), cell in zip(layout.names, layout.middles, cells):
        picture.add_area(name, x, y, layout.size, layout.size, "empty" if cell == "." else cell)
        if cell in marks:
            mark = marks[cell]
            if mark.kind == "ring":
                picture.add("disc", x, y, mark.numbers[2], role="cell")  # hides the lines of the board
            picture.shapes.append(moved(mark, x, y))


def moved(shape: Shape, x: float, y: float) -> Shape:
    """A shape around (0, 0), drawn around (x, y)."""
    if shape.kind == "polygon":
        return Shape(shape.kind, tuple(number + (y if place % 2 else x) for place, number in enumerate(shape.numbers)), shape.role)
    a, b, *rest = shape.numbers
    return Shape(shape.kind, (a + x, b + y, *rest), shape.role, shape.text)


def offer_placing(picture: Drawing, layout: Layout, move: int, place: int, room: float = 0.45) -> None:
    """A move that puts a man on a place: made by pointing there."""
    picture.spots[move] = Spot(*layout.middles[place], room)
    picture.picks[move] = (layout.names[place],)


def offer_step(picture: Drawing, layout: Layout, move: int, source: int, target: int, room: float = 0.34) -> None:
    """A move of a man from one place to another: made by pointing at both."""
    (x, y), (to_x, to_y) = layout.middles[source], layout.middles[target]
    picture.spots[move] = Spot(x + _SPOT * (to_x - x), y + _SPOT * (to_y - y), room)
    picture.picks[move] = (layout.names[source], layout.names[target])
    picture.shifts[move] = ((layout.names[source], layout.names[target]),)


def grid_text(rows: int, columns: int, cells: Sequence[str], latest: Iterable[int] = ()) -> TextBoard:
    """A grid for terminals."""
    marked = set(latest)
    lines: TextBoard = [[("   " + " ".join(square_name(0, column)[0] for column in range(columns)), "label")]]
    for row in range(rows):
        line = [(f"{row + 1:>2} ", "label")]
        for cell in range(row * columns, (row + 1) * columns):
            role = ROLES.get(cells[cell], "grid")
            line += [(cells[cell], f"{role} last" if cell in marked else role), (" ", "grid")]
        lines.append(line)
    return lines


def legal_list(rules: Any, state: Any) -> list[int]:
    """The legal moves of a state."""
    buffer = np.empty(int(game_kernels.begin(rules)[1]), np.int32)
    count = game_kernels.look(rules, state, buffer)[3]
    return [int(move) for move in buffer[:count]]
