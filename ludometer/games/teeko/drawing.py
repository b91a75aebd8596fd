"""Teeko as a picture: points joined by lines in all eight directions, and men on them."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import STONES
from ludometer.core.drawing import Drawing, Shape, TextBoard
from ludometer.games.teeko.notation import cells_of, ends_of, layout_of
from ludometer.games.teeko.rules import DIRECTIONS, POINTS, SIZE, TeekoRules, TeekoState


def draw(rules: TeekoRules, state: TeekoState, last: int | None) -> Drawing:
    layout = layout_of(rules)
    picture = Drawing(layout.width, layout.height)
    picture.add("rect", 0.5, 0.5, layout.width - 1, layout.height - 1, role="board")
    boards.add_coordinates(picture, SIZE, SIZE)
    for row, column in (divmod(point, SIZE) for point in range(POINTS)):
        for down, right in DIRECTIONS[4:]:
            if row + down < SIZE and 0 <= column + right < SIZE:
                target = layout.middles[(row + down) * SIZE + column + right]
                picture.add("line", *layout.middles[row * SIZE + column], *target, role="grid")
    for x, y in layout.middles:
        picture.add("disc", x, y, 0.2, role="cell")
    for point in ends_of(last) if last is not None else ():
        if point is not None:
            x, y = layout.middles[point]
            picture.add("rect", x - 0.42, y - 0.42, 0.84, 0.84, role="last")
    boards.add_men(picture, layout, cells_of(rules, state), STONES)
    for move in boards.legal_list(rules, state):
        source, target_point = ends_of(move)
        if source is None:
            boards.offer_placing(picture, layout, move, target_point)
        else:
            boards.offer_step(picture, layout, move, source, target_point)
    picture.mark = STONES["XO"[int(state.turn)]]
    return picture


def setup_pictures(rules: TeekoRules) -> dict[str, Shape]:
    return STONES


def text_board(rules: TeekoRules, state: TeekoState, last: int | None) -> TextBoard:
    marked = [point for point in ends_of(last) if point is not None] if last is not None else []
    return boards.grid_text(SIZE, SIZE, cells_of(rules, state), marked)
