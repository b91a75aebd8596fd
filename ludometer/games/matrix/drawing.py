"""A matrix game as a picture: the payoff table with the chosen row and column marked, as soon as both are known."""

from __future__ import annotations

from ludometer.core.drawing import Drawing, Span, Spot, TextBoard
from ludometer.core.outcome import FIRST, SECOND
from ludometer.games.matrix.bimatrix import NOT_CHOSEN, action_names, format_payoff
from ludometer.games.matrix.rules import MatrixRules, MatrixState, labels_of, payoff_of

_HEIGHT = 1.0  # of a cell
_LETTER = 0.62  # width of a letter of text size 1, at most
_SIZE = 0.3  # of text
HIDDEN = "?"


def draw(rules: MatrixRules, state: MatrixState, last: int | None) -> Drawing:
    row_names, column_names, cells = _texts(rules)
    left = _room(row_names)
    width = _room(column_names + [text for row in cells for text in row])
    picture = Drawing(left + width * rules.columns + 0.4, _HEIGHT * (rules.rows + 1) + 0.7)
    picture.add("rect", left, _HEIGHT, width * rules.columns, _HEIGHT * rules.rows, role="board")
    for i in range(rules.rows):
        for j in range(rules.columns):
            picture.add("rect", left + width * j + 0.03, _HEIGHT * (i + 1) + 0.03, width - 0.06, _HEIGHT - 0.06, role="cell")
    over = bool(state.row) and bool(state.column)  # a lone choice of the row player is not shown
    if over:
        i, j = int(state.row) - 1, int(state.column) - 1
        picture.add("rect", left, _HEIGHT * (i + 1), width * rules.columns, _HEIGHT, role="first-area")
        picture.add("rect", left + width * j, _HEIGHT, width, _HEIGHT * rules.rows, role="second-area")
        picture.add("rect", left + width * j, _HEIGHT * (i + 1), width, _HEIGHT, role="last")
    for i, name in enumerate(row_names):
        y = _HEIGHT * (i + 1.5)
        picture.add("text", left / 2, y, _SIZE, role="first", text=name)
        for j in range(rules.columns):
            picture.add("text", left + width * (j + 0.5), y, _SIZE, role="value", text=cells[i][j])
        if not state.row:
            picture.spots[i] = Spot(left / 2, y, 0.6)
    for j, name in enumerate(column_names):
        x = left + width * (j + 0.5)
        picture.add("text", x, _HEIGHT / 2, _SIZE, role="second", text=name)
        if state.row and not state.column:
            picture.spots[j] = Spot(x, _HEIGHT / 2, 0.6)
    choices = " ".join(f"{who}: {choice}" for who, choice, _ in _choices(rules, state))
    picture.add("text", picture.width / 2, picture.height - 0.35, _SIZE * 0.8, role="label", text=choices)
    return picture


def text_board(rules: MatrixRules, state: MatrixState, last: int | None) -> TextBoard:
    row_names, column_names, cells = _texts(rules)
    left = max(map(len, row_names))
    width = 2 + max(len(text) for text in column_names + [text for row in cells for text in row])
    over = bool(state.row) and bool(state.column)
    lines: TextBoard = [[(" " * left, "label"), *((f"{name:>{width}}", "second") for name in column_names)]]
    for i, name in enumerate(row_names):
        line: list[Span] = [(f"{name:>{left}}", "first")]
        for j, text in enumerate(cells[i]):
            chosen = over and i == int(state.row) - 1 and j == int(state.column) - 1
            line += [(" " * (width - len(text)), "grid"), (text, "value last" if chosen else "value")]
        lines.append(line)
    ending: list[Span] = []
    for who, choice, role in _choices(rules, state):
        ending += [(f"{who}: ", "label"), (choice, role), ("  ", "label")]
    lines.append(ending)
    return lines


def _texts(rules: MatrixRules) -> tuple[list[str], list[str], list[list[str]]]:
    """The names of rows and columns and the text of every cell."""
    row_names, column_names = (action_names(labels) for labels in labels_of(rules))
    cells = [
        [",".join(format_payoff(payoff_of(rules, player, i, j)) for player in (FIRST, SECOND)) for j in range(rules.columns)]
        for i in range(rules.rows)
    ]
    return row_names, column_names, cells


def _choices(rules: MatrixRules, state: MatrixState) -> list[tuple[str, str, str]]:
    """(player, what may be shown of the choice, role); the row player's stays hidden until the column player has chosen."""
    row_names, column_names = (action_names(labels) for labels in labels_of(rules))
    row = NOT_CHOSEN if not state.row else row_names[int(state.row) - 1] if state.column else HIDDEN
    column = column_names[int(state.column) - 1] if state.column else NOT_CHOSEN
    return [("row", row, "first"), ("column", column, "second")]


def _room(texts: list[str]) -> float:
    """The width of a cell that holds the longest of these texts."""
    return max(1.2, 0.4 + _LETTER * _SIZE * max(map(len, texts)))
