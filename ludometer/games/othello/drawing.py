"""Othello as a picture: discs on tiles, the number of discs of each player below, and a button to pass with when there is no other move."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import MARGIN, STONES
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.games.othello.notation import cells_of, layout_of, place_of
from ludometer.games.othello.rules import PASS, OthelloRules, OthelloState


def draw(rules: OthelloRules, state: OthelloState, last: int | None) -> Drawing:
    layout, cells = layout_of(rules), cells_of(rules, state)
    latest = place_of(rules, last) if last is not None else None
    picture = boards.tiled_board(rules.size, rules.size, () if latest is None else (latest,))
    boards.add_men(picture, layout, cells)
    y = layout.height - MARGIN / 2 + 0.04
    for symbol, role, x, sign in (("X", "first", MARGIN + 0.1, 1), ("O", "second", layout.width - MARGIN - 0.1, -1)):
        picture.add("disc" if symbol == "X" else "ring", x, y, 0.14 if symbol == "X" else 0.12, role=role)
        picture.add("text", x + 0.42 * sign, y, 0.3, role=role, text=str(cells.count(symbol)))
    for move in boards.legal_list(rules, state):
        if move == PASS:
            _offer_pass(picture, layout.width / 2, y)
        else:
            place = place_of(rules, move)
            assert place is not None
            boards.offer_placing(picture, layout, move, place)
            picture.add("dot", *layout.middles[place], 0.07, role="target")
    picture.mark = STONES["XO"[int(state.turn)]]
    return picture


def _offer_pass(picture: Drawing, x: float, y: float) -> None:
    picture.add("rect", x - 0.55, y - 0.22, 1.1, 0.44, role="target")
    picture.add("text", x, y, 0.26, role="value", text="pass")
    picture.add_area("pass", x, y, 1.1, 0.5)
    picture.spots[PASS] = Spot(x, y, 0.4)
    picture.picks[PASS] = ("pass",)


def setup_pictures(rules: OthelloRules) -> dict[str, Shape]:
    return STONES


def text_board(rules: OthelloRules, state: OthelloState, last: int | None) -> TextBoard:
    cells = cells_of(rules, state)
    latest = place_of(rules, last) if last is not None else None
    lines = boards.grid_text(rules.size, rules.size, cells, () if latest is None else (latest,))
    return [*lines, [(f"   X {cells.count('X')}, O {cells.count('O')}", "label")]]
