"""Dots-and-Boxes as a picture: dots, edges drawn and still free, boxes in their owner's colour."""

from __future__ import annotations

from ludometer.core.drawing import Drawing, Shape, Span, Spot, TextBoard
from ludometer.core.notation import square_name
from ludometer.games.dots import GAME
from ludometer.games.dots.notation import OPEN, box_name, drawn_moves, edge_number, edge_place, format_move, owners_of
from ludometer.games.dots.rules import DotsRules, DotsState

_MARGIN = 0.7  # room around the dots for coordinates
_THICKNESS = 0.09  # of a drawn edge
_DOT = 0.085  # radius
_ROLES = {GAME.players[0]: "first", GAME.players[1]: "second"}


def draw(rules: DotsRules, state: DotsState, last: int | None) -> Drawing:
    picture = Drawing(rules.columns + 2 * _MARGIN, rules.rows + 2 * _MARGIN)
    picture.add("rect", _MARGIN - 0.3, _MARGIN - 0.3, rules.columns + 0.6, rules.rows + 0.6, role="board")
    for row, owners in enumerate(owners_of(rules, state)):
        for column, owner in enumerate(owners):
            holds = "open" if owner == OPEN else f"taken by {owner}"
            picture.add_area(box_name(row, column), _MARGIN + column + 0.5, _MARGIN + row + 0.5, 0.5, 0.5, holds)
            if owner != OPEN:
                picture.add("rect", _MARGIN + column, _MARGIN + row, 1.0, 1.0, role=f"{_ROLES[owner]}-area")
                picture.add("text", _MARGIN + column + 0.5, _MARGIN + row + 0.5, 0.4, role=_ROLES[owner], text=owner.upper())
    drawn = drawn_moves(rules, state)
    for move in _edges(rules):
        row, column, upright = edge_place(rules, move)
        x, y = _MARGIN + column, _MARGIN + row
        middle = (x, y + 0.5) if upright else (x + 0.5, y)
        name = format_move(rules, state, move)
        picture.add_area(name, *middle, *((0.5, 0.8) if upright else (0.8, 0.5)), "drawn" if drawn >> move & 1 else "free")
        if drawn >> move & 1:
            width, height = (_THICKNESS, 1.0) if upright else (1.0, _THICKNESS)
            left, top = (x - _THICKNESS / 2, y) if upright else (x, y - _THICKNESS / 2)
            picture.add("rect", left, top, width, height, role="frame")
            if move == last:
                picture.add("rect", left - 0.04, top - 0.04, width + 0.08, height + 0.08, role="last")
        else:
            picture.add("line", x, y, x + (not upright), y + upright, role="faint")
            picture.spots[move] = Spot(*middle, 0.42)
            picture.picks[move] = (name,)
    for row in range(rules.rows + 1):
        for column in range(rules.columns + 1):
            picture.add("dot", _MARGIN + column, _MARGIN + row, _DOT, role="frame")
    for column in range(rules.columns + 1):
        picture.add("text", _MARGIN + column, 0.2, 0.26, role="label", text=square_name(0, column)[0])
    for row in range(rules.rows + 1):
        picture.add("text", 0.2, _MARGIN + row, 0.26, role="label", text=square_name(row, 0)[1:])
    return picture


def setup_pictures(rules: DotsRules) -> dict[str, Shape]:
    letters = {owner: Shape("text", (0, 0, 0.4), role, owner.upper()) for owner, role in _ROLES.items()}
    level, upright = (-0.5, -_THICKNESS / 2, 1.0, _THICKNESS), (-_THICKNESS / 2, -0.5, _THICKNESS, 1.0)
    return {"-": Shape("rect", level, "frame"), "|": Shape("rect", upright, "frame"), **letters}


def _edges(rules: DotsRules) -> list[int]:
    """The number of every edge, ascending."""
    level = [edge_number(rules, row, column, False) for row in range(rules.rows + 1) for column in range(rules.columns)]
    upright = [edge_number(rules, row, column, True) for row in range(rules.rows) for column in range(rules.columns + 1)]
    return level + upright


def text_board(rules: DotsRules, state: DotsState, last: int | None) -> TextBoard:
    drawn, owners = drawn_moves(rules, state), owners_of(rules, state)

    def edge(row: int, column: int, upright: bool) -> Span:
        move = edge_number(rules, row, column, upright)
        symbol = "|" if upright else "---"
        return (symbol, "frame last" if move == last else "frame") if drawn >> move & 1 else (" " * len(symbol), "faint")

    lines: TextBoard = [[("   " + "   ".join(square_name(0, column)[0] for column in range(rules.columns + 1)), "label")]]
    for row in range(rules.rows + 1):
        dots: list[Span] = [(f"{row + 1:>2} ", "label")]
        boxes: list[Span] = [("   ", "label")]
        for column in range(rules.columns + 1):
            dots.append(("+", "grid"))
            if column < rules.columns:
                dots.append(edge(row, column, False))
            if row < rules.rows:
                boxes.append(edge(row, column, True))
                if column < rules.columns:
                    owner = owners[row][column]
                    boxes.append(("   ", "grid") if owner == OPEN else (f" {owner.upper()} ", _ROLES[owner]))
        lines.append(dots)
        if row < rules.rows:
            lines.append(boxes)
    return lines
