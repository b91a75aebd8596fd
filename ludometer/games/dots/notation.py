"""Dots-and-Boxes as text.

A position has a line for each row of dots and each row of boxes, from the top, joined by `/`, then the side to move.  This is
`--/|a|_./-./._._./.. a`:

    --        +--+--+       a row of dots: for each horizontal edge - (drawn) or . (free)
    |a|_.     |a |          a row of boxes: edge, box, edge, …: | (drawn) or . (free); a or b (the owner) or _ (open)
    -.        +--+  +
    ._._.
    ..        +  +  +

A move is the two dots it joins, in either order: `A1-B1` is the edge at the upper left, `A1-A2` the one down from there.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core.bits import Words, wide_from_integer, wide_to_integer
from ludometer.core.drawing import Part
from ludometer.core.errors import IllegalMoveError, shorten, unexpected
from ludometer.core.notation import TURN, parse_end, parse_side, parse_square, square_name
from ludometer.games.dots import GAME
from ludometer.games.dots.rules import DotsRules, DotsState

OPEN = "_"


def drawn_moves(rules: DotsRules, state: DotsState) -> int:
    """The drawn edges as one integer with a bit for each move number."""
    return wide_to_integer(state.horizontal) | wide_to_integer(state.vertical) << (rules.rows + 1) * (rules.columns + 1)


def owners_of(rules: DotsRules, state: DotsState) -> list[list[str]]:
    """Row by row, `a` or `b` for a closed box and `_` for an open one."""
    drawn, first_boxes = drawn_moves(rules, state), wide_to_integer(state.first_boxes)

    def owner(row: int, column: int) -> str:
        if not all(drawn >> move & 1 for move in edges_around(rules, row, column)):
            return OPEN
        return GAME.players[0] if first_boxes >> edge_number(rules, row, column, False) & 1 else GAME.players[1]

    return [[owner(row, column) for column in range(rules.columns)] for row in range(rules.rows)]


def edges_around(rules: DotsRules, row: int, column: int) -> tuple[int, int, int, int]:
    """The moves that draw the upper, lower, left and right side of a box."""
    return (
        edge_number(rules, row, column, False),
        edge_number(rules, row + 1, column, False),
        edge_number(rules, row, column, True),
        edge_number(rules, row, column + 1, True),
    )


def edge_number(rules: DotsRules, row: int, column: int, upright: bool) -> int:
    """The move that draws the edge from this dot to the right, or downwards."""
    return row * (rules.columns + 1) + column + upright * (rules.rows + 1) * (rules.columns + 1)


def edge_place(rules: DotsRules, move: int) -> tuple[int, int, bool]:
    """(row, column, upright) of an edge: the inverse of `edge_number`."""
    line, column = divmod(move, rules.columns + 1)
    upright = line > rules.rows
    return line - upright * (rules.rows + 1), column, upright


def format_position(rules: DotsRules, state: DotsState) -> str:
    drawn, owners = drawn_moves(rules, state), owners_of(rules, state)
    lines = []
    for row in range(rules.rows + 1):
        level = [drawn >> edge_number(rules, row, column, False) & 1 for column in range(rules.columns)]
        lines.append("".join("-" if edge else "." for edge in level))
        if row < rules.rows:
            upright = [drawn >> edge_number(rules, row, column, True) & 1 for column in range(rules.columns + 1)]
            lines.append("".join(("|" if edge else ".") + owner for edge, owner in zip(upright, [*owners[row], ""])))
    return "/".join(lines) + " " + GAME.players[int(state.turn)]


def parse_position(rules: DotsRules, text: str) -> DotsState:
    horizontal, vertical, first_boxes = 0, 0, 0
    owners: list[tuple[int, int, int]] = []  # row, column and place in the text of every box
    at = 0
    for line in range(2 * rules.rows + 1):
        row = line // 2
        if line:
            if text[at : at + 1] != "/":
                raise unexpected("position", text, at, f"'/' at the end of line {line}")
            at += 1
        if line % 2 == 0:
            for column in range(rules.columns):
                joined = f"the edge {square_name(row, column)}-{square_name(row, column + 1)}"
                horizontal |= _read(text, at, "-.", joined) << (row * (rules.columns + 1) + column)
                at += 1
            continue
        for column in range(rules.columns + 1):
            joined = f"the edge {square_name(row, column)}-{square_name(row + 1, column)}"
            vertical |= _read(text, at, "|.", joined) << (row * (rules.columns + 1) + column)
            at += 1
            if column < rules.columns:
                first_boxes |= _read(text, at, "ab_", f"the box below {square_name(row, column)}") << (row * (rules.columns + 1) + column)
                owners.append((row, column, at))
                at += 1
    player, end = parse_side(text, at, GAME.players)
    parse_end(text, end)
    state = DotsState(_wide(rules, horizontal), _wide(rules, vertical), _wide(rules, first_boxes), np.uint64(player))
    drawn = drawn_moves(rules, state)
    for row, column, place in owners:
        missing = [move for move in edges_around(rules, row, column) if not drawn >> move & 1]
        if missing and text[place] != OPEN:
            raise unexpected("position", text, place, f"{OPEN} because this box's side {format_move(rules, state, missing[0])} is free")
        if not missing and text[place] == OPEN:
            raise unexpected("position", text, place, "an owner, a or b, because all sides of this box are drawn")
    return state


def _read(text: str, at: int, symbols: str, what: str) -> int:
    """1 if the character here is the first of `symbols`, 0 if it is another of them."""
    found = text[at : at + 1].lower()
    if not found or found not in symbols:
        raise unexpected("position", text, at, f"one of {' '.join(symbols)} for {what}")
    return int(found == symbols[0])


def _wide(rules: DotsRules, number: int) -> Words:
    return wide_from_integer(number, rules.empty)


def box_name(row: int, column: int) -> str:
    return f"box below {square_name(row, column)}"


def setup_parts(rules: DotsRules, state: DotsState) -> list[Part]:
    """The edges, the owners of closed boxes, and the side to move."""
    drawn, owners = drawn_moves(rules, state), owners_of(rules, state)
    parts = []
    for row in range(rules.rows + 1):
        for column in range(rules.columns + 1):
            for upright, inside in ((False, column < rules.columns), (True, row < rules.rows)):
                if inside:
                    move = edge_number(rules, row, column, upright)
                    values = ".", "|" if upright else "-"
                    parts.append(Part(format_move(rules, state, move), values[drawn >> move & 1], values))
    for row, line in enumerate(owners):
        for column, owner in enumerate(line):
            value = GAME.players[0] if owner == OPEN else owner
            parts.append(Part(box_name(row, column), value, GAME.players, only_when_taken=True))
    return [*parts, Part(TURN, GAME.players[int(state.turn)], GAME.players, on_board=False)]


def setup_text(rules: DotsRules, values: Mapping[str, str]) -> str:
    """The owner of a box counts only when its four sides are drawn."""

    def edge(row: int, column: int, upright: bool) -> str:
        other = square_name(row + 1, column) if upright else square_name(row, column + 1)
        return values.get(f"{square_name(row, column)}-{other}", ".")

    def box(row: int, column: int) -> str:
        sides = edge(row, column, False), edge(row + 1, column, False), edge(row, column, True), edge(row, column + 1, True)
        return OPEN if "." in sides else values.get(box_name(row, column), GAME.players[0])

    lines = []
    for row in range(rules.rows + 1):
        lines.append("".join(edge(row, column, False) for column in range(rules.columns)))
        if row < rules.rows:
            lines.append(
                "".join(edge(row, column, True) + box(row, column) for column in range(rules.columns)) + edge(row, rules.columns, True)
            )
    return "/".join(lines) + " " + values.get(TURN, "")


def format_move(rules: DotsRules, state: DotsState, move: int) -> str:
    row, column, upright = edge_place(rules, move)
    other = square_name(row + 1, column) if upright else square_name(row, column + 1)
    return f"{square_name(row, column)}-{other}"


def parse_move(rules: DotsRules, state: DotsState, text: str) -> int:
    row, column, at = parse_square(text, rules.rows + 1, rules.columns + 1)
    if text[at : at + 1] != "-":
        raise unexpected("move", text, at, "'-' and the dot at the other end")
    rest = text[at + 1 :]
    other_row, other_column, length = parse_square(rest, rules.rows + 1, rules.columns + 1, "second dot")
    if length < len(rest):
        raise unexpected("move", text, at + 1 + length, "the end")
    if abs(row - other_row) + abs(column - other_column) != 1:
        raise IllegalMoveError(f"move {shorten(text)} is not allowed: an edge joins two dots side by side or one above the other")
    move = edge_number(rules, min(row, other_row), min(column, other_column), column == other_column)
    if drawn_moves(rules, state) >> move & 1:
        raise IllegalMoveError(f"move {shorten(text)} is not allowed: this edge has been drawn")
    return move
