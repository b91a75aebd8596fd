"""Chomp as a picture: a bar of chocolate, its poisoned square marked, and what was eaten last."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import MARGIN
from ludometer.core.drawing import Drawing, Shape, TextBoard
from ludometer.games.chomp.notation import CHOCOLATE, cells_of, layout_of
from ludometer.games.chomp.rules import ChompRules, ChompState, eaten_by

PIECES = {CHOCOLATE: Shape("rect", (-0.44, -0.44, 0.88, 0.88), "frame")}


def draw(rules: ChompRules, state: ChompState, last: int | None) -> Drawing:
    layout, cells = layout_of(rules), cells_of(rules, state)
    picture = Drawing(layout.width, layout.height)
    picture.add("rect", MARGIN - 0.06, MARGIN - 0.06, rules.columns + 0.12, rules.rows + 0.12, role="board")
    boards.add_coordinates(picture, rules.rows, rules.columns)
    if last is not None:
        x, y = layout.middles[last]
        picture.add("rect", x - 0.44, y - 0.44, 0.88, 0.88, role="last")
    for name, (x, y), cell in zip(layout.names, layout.middles, cells):
        holds = "eaten" if cell == "." else "poison" if name == "A1" else "chocolate"
        picture.add_area(name, x, y, 0.95, 0.95, holds)
        if cell == CHOCOLATE:
            picture.shapes.append(boards.moved(PIECES[CHOCOLATE], x, y))
            picture.add("rect", x - 0.3, y - 0.3, 0.6, 0.6, role="hole" if name != "A1" else "cell")
    picture.add("cross", *layout.middles[0], 0.18, role="second")
    for move in boards.legal_list(rules, state):
        boards.offer_placing(picture, layout, move, move)
    return picture


def setup_pictures(rules: ChompRules) -> dict[str, Shape]:
    return PIECES


def text_board(rules: ChompRules, state: ChompState, last: int | None) -> TextBoard:
    latest = [] if last is None else [square for square in range(rules.rows * rules.columns) if int(eaten_by(rules, last)) >> square & 1]
    return boards.grid_text(rules.rows, rules.columns, cells_of(rules, state), latest)
