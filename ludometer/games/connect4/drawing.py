"""Connect Four as a picture: a frame with holes, discs in them, and a stroke through the line that won."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import MARGIN
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.games.connect4.notation import cells_of, layout_of
from ludometer.games.connect4.rules import Connect4Rules, Connect4State

_HOLE = 0.41  # radius
DISCS = {"X": Shape("disc", (0, 0, 0.36), "first"), "O": Shape("ring", (0, 0, 0.3), "second")}  # around a hole's middle


def draw(rules: Connect4Rules, state: Connect4State, last: int | None) -> Drawing:
    layout = layout_of(rules)
    cells = cells_of(rules, state)
    picture = Drawing(layout.width, layout.height)
    picture.add("rect", MARGIN - 0.1, MARGIN - 0.1, rules.columns + 0.2, rules.rows + 0.2, role="frame")
    boards.add_coordinates(picture, rules.rows, rules.columns)
    latest = top_of(rules, cells, last)
    for place, (x, y) in enumerate(layout.middles):
        if place == latest:
            picture.add("disc", x, y, 0.47, role="last")
        picture.add("disc", x, y, _HOLE, role="cell")
    boards.add_men(picture, layout, cells, DISCS)
    lines = [line for symbol in "XO" for line in lines_of(rules, cells, symbol)]
    for begin, end in lines:
        picture.add("line", *layout.middles[begin], *layout.middles[end], role="last")
    for move in range(rules.columns) if not lines else ():
        free = [place for place in range(move, len(cells), rules.columns) if cells[place] == "."]
        if free:
            picture.spots[move] = Spot(*layout.middles[free[-1]], 0.45)
            picture.picks[move] = (layout.names[free[-1]],)
    picture.mark = DISCS["XO"[int(state.turn)]]
    return picture


def top_of(rules: Connect4Rules, cells: list[str], column: int | None) -> int | None:
    """The place of the uppermost disc of a column, if it has one."""
    if column is None:
        return None
    return next((place for place in range(column, len(cells), rules.columns) if cells[place] != "."), None)


def lines_of(rules: Connect4Rules, cells: list[str], symbol: str) -> list[tuple[int, int]]:
    """The first and the last place of every longest run of a symbol that is long enough to win."""
    own = {divmod(place, rules.columns) for place, cell in enumerate(cells) if cell == symbol}
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in own:
            length = 1
            while (row + length * down, column + length * right) in own:
                length += 1
            if (row - down, column - right) not in own and length >= rules.line:
                end_row, end_column = row + (length - 1) * down, column + (length - 1) * right
                found.append((row * rules.columns + column, end_row * rules.columns + end_column))
    return sorted(found)


def setup_pictures(rules: Connect4Rules) -> dict[str, Shape]:
    return DISCS


def text_board(rules: Connect4Rules, state: Connect4State, last: int | None) -> TextBoard:
    cells = cells_of(rules, state)
    latest = top_of(rules, cells, last)
    return boards.grid_text(rules.rows, rules.columns, cells, () if latest is None else (latest,))
