"""Quixo as a picture: cubes, and an arrow at each end where a cube may be pushed in."""

from __future__ import annotations

from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.core.notation import square_name
from ludometer.games.quixo.notation import SIDES, cells_of
from ludometer.games.quixo.rules import QuixoRules, QuixoState, list_moves, path_of

_MARGIN = 1.0  # room around the board for coordinates and arrows
_ROLES = {"X": "first", "O": "second"}
MARKS = {"X": Shape("cross", (0, 0, 0.26), "first"), "O": Shape("ring", (0, 0, 0.26), "second")}  # around a cube's centre


def draw(rules: QuixoRules, state: QuixoState, last: int | None) -> Drawing:
    size = rules.size
    picture = Drawing(size + 2 * _MARGIN, size + 2 * _MARGIN)
    picture.add("rect", _MARGIN - 0.1, _MARGIN - 0.1, size + 0.2, size + 0.2, role="frame")
    cells = cells_of(rules, state)
    moves = list_moves(size)
    entered = path_of(size, *moves[last])[-1] if last is not None else None
    for cell, symbol in enumerate(cells):
        x, y = _centre(size, cell)
        picture.add_area(_name(size, cell), x, y, 1, 1, "blank" if symbol == "." else symbol)
        picture.add("rect", x - 0.46, y - 0.46, 0.92, 0.92, role="cell")
        if cell == entered:
            picture.add("rect", x - 0.46, y - 0.46, 0.92, 0.92, role="last")
        if symbol != ".":
            picture.add("cross" if symbol == "X" else "ring", x, y, 0.26, role=_ROLES[symbol])
    last_end = None
    if last is not None:
        way = path_of(size, *moves[last])
        last_end = (way[-2], way[-1])
        picture.add("arrow", *_arrow(size, *last_end), role="last")
    mine = "X" if state.turn == 0 else "O"
    takable = [(move, cell, side) for move, (cell, side) in enumerate(moves) if cells[cell] in (".", mine)]
    for before, end in sorted({(way[-2], way[-1]) for way in (path_of(size, cell, side) for _, cell, side in takable)}):
        if (before, end) != last_end:
            picture.add("arrow", *_arrow(size, before, end), role="target")
    for index in range(size):
        name = square_name(index, index)
        picture.add("text", _MARGIN + index + 0.5, 0.22, 0.26, role="label", text=name[0])
        picture.add("text", 0.2, _MARGIN + index + 0.5, 0.26, role="label", text=name[1:])
    for move, cell, side in takable:
        x, y = _centre(size, cell)
        dx, dy = ((0, -1), (0, 1), (-1, 0), (1, 0))[side]
        picture.spots[move] = Spot(x + 0.29 * dx, y + 0.29 * dy, 0.3)
        way = path_of(size, cell, side)
        names = [_name(size, each) for each in way]
        picture.picks[move] = names[0], _add_end(picture, size, way[-1], side)
        picture.shifts[move] = ((names[0], names[-1]), *zip(names[1:], names))
    picture.mark, picture.target = MARKS[mine], "push here"
    return picture


def setup_pictures(rules: QuixoRules) -> dict[str, Shape]:
    return MARKS


def _name(size: int, cell: int) -> str:
    return square_name(*divmod(cell, size))


def _add_end(picture: Drawing, size: int, cell: int, side: int) -> str:
    """Add the area outside the board where a cube is pushed in; returns its name."""
    letter, number = _name(size, cell)[0], _name(size, cell)[1:]
    name = f"{SIDES[side]} of {f'column {letter}' if side < 2 else f'row {number}'}"
    x, y = _centre(size, cell)
    dx, dy = ((0, -1), (0, 1), (-1, 0), (1, 0))[side]
    picture.add_area(name, x + dx, y + dy, 1 - 0.05 * abs(dx), 1 - 0.05 * abs(dy))
    return name


def _centre(size: int, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, size)
    return _MARGIN + column + 0.5, _MARGIN + row + 0.5


def _arrow(size: int, before: int, end: int) -> tuple[float, float, float, float]:
    """From outside the board to its edge, where a cube comes in at `end`; `before` is the cell it pushes towards."""
    (x, y), (bx, by) = _centre(size, end), _centre(size, before)
    return x + 0.85 * (x - bx), y + 0.85 * (y - by), x + 0.55 * (x - bx), y + 0.55 * (y - by)


def text_board(rules: QuixoRules, state: QuixoState, last: int | None) -> TextBoard:
    entered = path_of(rules.size, *list_moves(rules.size)[last])[-1] if last is not None else None
    lines: TextBoard = [[("   " + " ".join(square_name(0, c)[0] for c in range(rules.size)), "label")]]
    cells = cells_of(rules, state)
    for row in range(rules.size):
        line = [(f"{row + 1:>2} ", "label")]
        for column in range(rules.size):
            cell = row * rules.size + column
            role = _ROLES.get(cells[cell], "grid")
            line += [(cells[cell], f"{role} last" if cell == entered else role), (" ", "grid")]
        lines.append(line)
    return lines
