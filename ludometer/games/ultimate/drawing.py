"""Ultimate Tic-Tac-Toe as a picture: nine boards set apart, those that can be played in marked, those that are won tinted."""

from __future__ import annotations

from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.games.ultimate.notation import cells_of, name_of, owners_of, place_of
from ludometer.games.ultimate.rules import ANY, UltimateRules, UltimateState, contains_line

_MARGIN = 0.7  # room around the board, for coordinates
_GAP = 0.16  # between small boards, where the frame shows
_PITCH = 3 + _GAP  # from one small board to the next
_SIDE = 3 * _PITCH + _GAP
_ROLES = {"X": "first", "O": "second"}
MARKS = {"X": Shape("cross", (0, 0, 0.28), "first"), "O": Shape("ring", (0, 0, 0.28), "second")}  # around a cell's centre


def playable_boards(rules: UltimateRules, state: UltimateState) -> list[int]:
    """The small boards in which the player to move may put a mark; none when the game is over."""
    if contains_line(int(state.other_boards)):
        return []
    if state.board != ANY:
        return [int(state.board)]
    cells, owners = cells_of(state), owners_of(state)
    free = [board for board in range(9) if any(cells[_index(board, cell)] == "." for cell in range(9))]
    return free if rules.open else [board for board in free if owners[board] == "."]


def draw(rules: UltimateRules, state: UltimateState, last: int | None) -> Drawing:
    picture = Drawing(_SIDE + 2 * _MARGIN, _SIDE + 2 * _MARGIN)
    picture.add("rect", _MARGIN, _MARGIN, _SIDE, _SIDE, role="frame")
    cells, owners, playable = cells_of(state), owners_of(state), playable_boards(rules, state)
    for board in range(9):
        left, top = _corner(board)
        picture.add("rect", left, top, 3, 3, role="board")
        if owners[board] != ".":
            role = f"{_ROLES[owners[board]]}-area"
            picture.add("rect", left, top, 3, 3, role=role)
            picture.add("cross" if owners[board] == "X" else "ring", left + 1.5, top + 1.5, 1.2, role=role)
        if board in playable:
            picture.add("rect", left, top, 3, 3, role="target")
        if last is not None and last // 9 == board:
            x, y = _centre(*divmod(last, 9))
            picture.add("rect", x - 0.5, y - 0.5, 1, 1, role="last")
        for step in (1, 2):
            picture.add("line", left + 0.1, top + step, left + 2.9, top + step, role="grid")
            picture.add("line", left + step, top + 0.1, left + step, top + 2.9, role="grid")
        for cell in range(9):
            symbol = cells[_index(board, cell)]
            x, y = _centre(board, cell)
            name = f"{name_of(board)}/{name_of(cell)}"
            picture.add_area(name, x, y, 1, 1, "empty" if symbol == "." else symbol)
            if symbol != ".":
                picture.add("cross" if symbol == "X" else "ring", x, y, 0.28, role=_ROLES[symbol])
            elif board in playable:
                picture.spots[9 * board + cell] = Spot(x, y, 0.45)
                picture.picks[9 * board + cell] = (name,)
    for index in range(3):
        name = name_of(4 * index)  # A1, B2, C3
        middle = _MARGIN + _GAP + index * _PITCH + 1.5
        picture.add("text", middle, _MARGIN / 2, 0.4, role="label", text=name[0])
        picture.add("text", _MARGIN / 2, middle, 0.4, role="label", text=name[1])
    picture.mark = MARKS["XO"[int(state.turn)]]
    return picture


def setup_pictures(rules: UltimateRules) -> dict[str, Shape]:
    return MARKS


def _index(board: int, cell: int) -> int:
    row, column = place_of(board, cell)
    return 9 * row + column


def _corner(board: int) -> tuple[float, float]:
    row, column = divmod(board, 3)
    return _MARGIN + _GAP + column * _PITCH, _MARGIN + _GAP + row * _PITCH


def _centre(board: int, cell: int) -> tuple[float, float]:
    left, top = _corner(board)
    row, column = divmod(cell, 3)
    return left + column + 0.5, top + row + 0.5


def text_board(rules: UltimateRules, state: UltimateState, last: int | None) -> TextBoard:
    cells, owners, playable = cells_of(state), owners_of(state), playable_boards(rules, state)
    lines: TextBoard = [[("     A       B       C", "label")]]
    for row in range(9):
        if row in (3, 6):
            lines.append([("   ------+-------+------", "frame")])
        line = [(f" {row // 3 + 1} " if row % 3 == 1 else "   ", "label")]
        for column in range(9):
            if column in (3, 6):
                line.append(("| ", "frame"))
            board, cell = 3 * (row // 3) + column // 3, 3 * (row % 3) + column % 3
            symbol = cells[9 * row + column]
            if symbol == "." and board in playable:
                role = "target"
            elif symbol == "." and owners[board] != ".":
                role = f"{_ROLES[owners[board]]}-area"
            else:
                role = _ROLES.get(symbol, "grid")
            line += [(symbol, f"{role} last" if last == 9 * board + cell else role), (" ", "grid")]
        lines.append(line)
    return lines
