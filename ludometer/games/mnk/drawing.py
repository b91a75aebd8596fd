"""m,n,k games as a picture: a grid, crosses and rings, and a stroke through the line that won."""

from __future__ import annotations

from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.core.notation import square_name
from ludometer.games.mnk.notation import Cell, cells_of, runs_of
from ludometer.games.mnk.rules import MnkRules, MnkState, cell_number

_MARGIN = 0.6  # room at the left and the top for coordinates
_ROLES = {"X": "first", "O": "second"}
MARKS = {"X": Shape("cross", (0, 0, 0.3), "first"), "O": Shape("ring", (0, 0, 0.3), "second")}  # around a cell's centre


def draw(rules: MnkRules, state: MnkState, last: int | None) -> Drawing:
    rows, columns = rules.rows, rules.columns
    picture = Drawing(columns + 2 * _MARGIN, rows + 2 * _MARGIN)
    picture.add("rect", _MARGIN, _MARGIN, columns, rows, role="board")
    if last is not None:
        x, y = _centre(divmod(last, columns + 1))
        picture.add("rect", x - 0.5, y - 0.5, 1, 1, role="last")
    for row in range(rows + 1):
        picture.add("line", _MARGIN, _MARGIN + row, _MARGIN + columns, _MARGIN + row, role="grid")
    for column in range(columns + 1):
        picture.add("line", _MARGIN + column, _MARGIN, _MARGIN + column, _MARGIN + rows, role="grid")
    for column in range(columns):
        picture.add("text", _MARGIN + column + 0.5, _MARGIN / 2, 0.3, role="label", text=square_name(0, column)[0])
    for row in range(rows):
        picture.add("text", _MARGIN / 2, _MARGIN + row + 0.5, 0.3, role="label", text=str(row + 1))
    cells = cells_of(rules, state)
    won = [run for symbol in "XO" for run in runs_of(rules, cells, symbol)]
    for begin, end in won:
        picture.add("line", *_centre(begin), *_centre(end), role="last")
    for place, symbol in enumerate(cells):
        cell = divmod(place, columns)
        x, y = _centre(cell)
        picture.add_area(square_name(*cell), x, y, 1, 1, "empty" if symbol == "." else symbol)
        if symbol != ".":
            picture.add("cross" if symbol == "X" else "ring", x, y, 0.3, role=_ROLES[symbol])
        elif not won:
            picture.spots[cell_number(columns, *cell)] = Spot(x, y, 0.45)
            picture.picks[cell_number(columns, *cell)] = (square_name(*cell),)
    picture.mark = MARKS["XO"[int(state.turn)]]
    return picture


def setup_pictures(rules: MnkRules) -> dict[str, Shape]:
    return MARKS


def _centre(cell: Cell) -> tuple[float, float]:
    row, column = cell
    return _MARGIN + column + 0.5, _MARGIN + row + 0.5


def text_board(rules: MnkRules, state: MnkState, last: int | None) -> TextBoard:
    lines: TextBoard = [[("   " + " ".join(square_name(0, column)[0] for column in range(rules.columns)), "label")]]
    cells = cells_of(rules, state)
    for row in range(rules.rows):
        line = [(f"{row + 1:>2} ", "label")]
        for column in range(rules.columns):
            symbol = cells[row * rules.columns + column]
            role = _ROLES.get(symbol, "grid")
            line += [(symbol, f"{role} last" if cell_number(rules.columns, row, column) == last else role), (" ", "grid")]
        lines.append(line)
    return lines
