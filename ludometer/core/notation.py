"""Boards as text: rows from the top, `/` between them, then a space and the side to move.

    XX..O/...../...../...../..... x

Columns are lettered from the left, rows numbered from the top: A1 is the upper left corner.
"""

from __future__ import annotations

import string
from collections.abc import Mapping

from ludometer.core.drawing import Part
from ludometer.core.errors import NotationError, shorten, unexpected


def square_name(row: int, column: int) -> str:
    """Name of a cell: A1 for the upper left corner.  Boards have at most 26 columns."""
    return f"{string.ascii_uppercase[column]}{row + 1}"


def parse_square(text: str, rows: int, columns: int, what: str = "move") -> tuple[int, int, int]:
    """(row, column, characters read) of a square at the beginning of `text`."""
    last = string.ascii_uppercase[columns - 1]
    column = string.ascii_uppercase.find(text[:1].upper()) if text else -1
    if not 0 <= column < columns:
        raise unexpected(what, text, 0, f"a column from A to {last}")
    end = 1
    while end < len(text) and end < 4 and text[end] in string.digits:
        end += 1
    if end == 1 or not 1 <= int(text[1:end]) <= rows:
        raise unexpected(what, text, 1, f"a row from 1 to {rows}")
    return int(text[1:end]) - 1, column, end


def parse_grid(text: str, rows: int, columns: int, symbols: str) -> tuple[list[str], int]:
    """The cells of a board at the beginning of `text`, row by row in lower case, and the number of characters read.

    `symbols` are the characters allowed in a cell; letters may be written in either case.
    """
    allowed = " ".join(symbols)
    cells: list[str] = []
    at = 0
    for row in range(rows):
        if row:
            if text[at : at + 1] != "/":
                raise unexpected("position", text, at, f"'/' after {columns} cells of row {row}")
            at += 1
        for column in range(columns):
            cell = text[at : at + 1]
            if not cell or cell.lower() not in symbols.lower():
                raise unexpected("position", text, at, f"one of {allowed} for {square_name(row, column)}")
            cells.append(cell.lower())
            at += 1
    return cells, at


def parse_side(text: str, at: int, players: tuple[str, str]) -> tuple[int, int]:
    """(player, next index) of the side to move after one space."""
    if text[at : at + 1] != " ":
        raise unexpected("position", text, at, f"a space and the side to move ({players[0]} or {players[1]})")
    side = text[at + 1 : at + 2]
    for number, player in enumerate(players):
        if side and side.lower() == player:
            return number, at + 2
    raise unexpected("position", text, at + 1, f"the side to move, {players[0]} or {players[1]}")


def parse_end(text: str, at: int) -> None:
    """Raise NotationError unless the text ends here."""
    if at < len(text):
        raise unexpected("position", text, at, "the end")


def format_grid(cells: list[str], columns: int, player: str) -> str:
    """The inverse of the parsing functions; cells are given row by row."""
    rows = ["".join(cells[at : at + columns]) for at in range(0, len(cells), columns)]
    return "/".join(rows) + " " + player


TURN = "side to move"


def grid_parts(cells: list[str], columns: int, players: tuple[str, str], turn: int) -> list[Part]:
    """Parts of a position whose text is a grid of cells (given row by row) and the side to move."""
    names = [square_name(*divmod(place, columns)) for place in range(len(cells))]
    return [*(Part(name, cell, (".", "X", "O")) for name, cell in zip(names, cells)), Part(TURN, players[turn], players, on_board=False)]


def grid_from_parts(values: Mapping[str, str], rows: int, columns: int) -> str:
    """The text of the position with these values; cells without a value are empty."""
    cells = [values.get(square_name(row, column), ".") for row in range(rows) for column in range(columns)]
    return format_grid(cells, columns, values.get(TURN, ""))


def impossible(text: str, reason: str) -> NotationError:
    """The error for well-formed text that is no position of the game."""
    return NotationError(f"position {shorten(text)}: {reason}")
