"""Hex as a picture: a board of hexagons, its sides in the colours of the players who have to join them."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import ROLES
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.core.notation import square_name
from ludometer.games.hex.notation import LEFT, RADIUS, ROW, TOP, cells_of, layout_of, place_of
from ludometer.games.hex.rules import HexRules, HexState, swap_move

STONES = {"X": Shape("disc", (0, 0, 0.33), "first"), "O": Shape("ring", (0, 0, 0.28), "second")}
# The corners of a hexagon of this radius, clockwise from the uppermost: (right, down) in units of half a width and half a radius
_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def draw(rules: HexRules, state: HexState, last: int | None) -> Drawing:
    layout, cells = layout_of(rules.size, rules.swap), cells_of(rules, state)
    picture = Drawing(layout.width, layout.height)
    for x, y in layout.middles:
        picture.add("polygon", *_hexagon(x, y, 1.03), role="board")
    latest = _latest(rules, cells, last)
    for place, (x, y) in enumerate(layout.middles):
        picture.add("polygon", *_hexagon(x, y, 0.93), role="cell")
        if place == latest:
            picture.add("polygon", *_hexagon(x, y, 0.86), role="last")
    _add_sides(picture, rules)
    _add_coordinates(picture, rules.size)
    boards.add_men(picture, layout, cells, STONES)
    for move in boards.legal_list(rules, state):
        found = place_of(rules, move)
        if found is None:
            _offer_swap(picture, rules)
        else:
            boards.offer_placing(picture, layout, move, found)
    picture.mark = STONES["XO"[int(state.turn)]]
    return picture


def _latest(rules: HexRules, cells: list[str], last: int | None) -> int | None:
    """The place of the latest stone."""
    if last is None:
        return None
    place = place_of(rules, last)
    return next((each for each, cell in enumerate(cells) if cell != "."), None) if place is None else place


def _hexagon(x: float, y: float, scale: float) -> list[float]:
    return [number for right, down in _CORNERS for number in (x + scale * right / 2, y + scale * RADIUS * down / 2)]


def _add_sides(picture: Drawing, rules: HexRules) -> None:
    """Strokes along the outer edges of the cells of each side."""
    size = rules.size
    for index in range(size):
        sides = (
            (0, index, (5, 0, 1), "first"),
            (size - 1, index, (2, 3, 4), "first"),
            (index, 0, (5, 4, 3) if index < size - 1 else (5, 4), "second"),
            (index, size - 1, (0, 1, 2) if index > 0 else (1, 2), "second"),
        )
        for row, column, corners, role in sides:
            x, y = layout_of(size, rules.swap).middles[row * size + column]
            hexagon = _hexagon(x, y, 1.0)
            for one, two in zip(corners, corners[1:]):
                picture.add("line", *hexagon[2 * one : 2 * one + 2], *hexagon[2 * two : 2 * two + 2], role=role)


def _add_coordinates(picture: Drawing, size: int) -> None:
    for index in range(size):
        picture.add("text", LEFT + 0.5 + index, TOP - RADIUS - 0.32, 0.3, role="label", text=square_name(0, index)[0])
        picture.add("text", LEFT - 0.42 + index / 2, TOP + index * ROW, 0.3, role="label", text=str(index + 1))


def _offer_swap(picture: Drawing, rules: HexRules) -> None:
    x, y, move = 0.95, picture.height - 0.42, int(swap_move(rules))
    picture.add("rect", x - 0.6, y - 0.25, 1.2, 0.5, role="target")
    picture.add("text", x, y, 0.28, role="value", text="swap")
    picture.add_area("swap", x, y, 1.2, 0.5)
    picture.spots[move] = Spot(x, y, 0.4)
    picture.picks[move] = ("swap",)


def setup_pictures(rules: HexRules) -> dict[str, Shape]:
    return STONES


def text_board(rules: HexRules, state: HexState, last: int | None) -> TextBoard:
    """Each row stands a little further right than the one above."""
    size, cells = rules.size, cells_of(rules, state)
    latest = _latest(rules, cells, last)
    lines: TextBoard = [[("   " + " ".join(square_name(0, column)[0] for column in range(size)), "label")]]
    for row in range(size):
        line = [(" " * row + f"{row + 1:>2} ", "label")]
        for place in range(row * size, (row + 1) * size):
            role = ROLES.get(cells[place], "grid")
            line += [(cells[place], f"{role} last" if place == latest else role), (" ", "grid")]
        lines.append(line)
    return lines
