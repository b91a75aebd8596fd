"""Men's morris as a picture: the lines of the board, men on its points, and the men still in hand below."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import ROLES, STONES
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.games.morris.notation import cells_of, ends_of, layout_of
from ludometer.games.morris.points import BOARDS
from ludometer.games.morris.rules import MorrisRules, MorrisState, other_hand

_HAND = 0.7  # height of the strip that shows the men in hand
_TAKEN = (0.617, 0.271, 0.112)  # weights of the man taken, the target and the source in the spot of a move that takes a man


def draw(rules: MorrisRules, state: MorrisState, last: int | None) -> Drawing:
    board, layout = BOARDS[rules.board], layout_of(rules)
    picture = Drawing(layout.width, layout.height + _HAND)
    picture.add("rect", 0.5, 0.5, layout.width - 1, layout.height - 1, role="board")
    for line in board.lines:
        picture.add("line", *layout.middles[line[0]], *layout.middles[line[-1]], role="grid")
    for x, y in layout.middles:
        picture.add("dot", x, y, 0.1, role="grid")
    _add_coordinates(picture, rules)
    source, target, taken = ends_of(rules, last) if last is not None else (None, None, None)
    for point in (source, target, taken):
        if point is not None:
            x, y = layout.middles[point]
            picture.add("rect", x - 0.42, y - 0.42, 0.84, 0.84, role="last")
    boards.add_men(picture, layout, cells_of(rules, state), STONES)
    _add_hands(picture, rules, state)
    for move in boards.legal_list(rules, state):
        _offer(picture, rules, move)
    picture.mark = STONES["XO"[int(state.turn)]]
    return picture


def _add_coordinates(picture: Drawing, rules: MorrisRules) -> None:
    board, layout = BOARDS[rules.board], layout_of(rules)
    for (row, column), (x, y) in zip(board.places, layout.middles):
        name = board.names[board.places.index((row, column))]
        if row == 0 or all(other != column for _, other in board.places[: board.places.index((row, column))]):
            picture.add("text", x, 0.25, 0.3, role="label", text=name[0])
        if all(other != row for other, _ in board.places[: board.places.index((row, column))]):
            picture.add("text", 0.25, y, 0.3, role="label", text=name[1:])


def _add_hands(picture: Drawing, rules: MorrisRules, state: MorrisState) -> None:
    """The men not placed yet, small, the first player's on the left."""
    hands = (int(state.hand), int(other_hand(state)))
    first, second = hands if state.turn == 0 else hands[::-1]
    y = picture.height - _HAND + 0.1
    step = min(0.34, (picture.width - 1) / (2 * rules.men + 1))
    for number in range(first):
        picture.add("disc", 0.6 + step * number, y, 0.36 * step, role="first")
    for number in range(second):
        picture.add("ring", picture.width - 0.6 - step * number, y, 0.32 * step, role="second")


def _offer(picture: Drawing, rules: MorrisRules, move: int) -> None:
    layout = layout_of(rules)
    source, target, taken = ends_of(rules, move)
    if source is None:
        boards.offer_placing(picture, layout, move, target)
    else:
        boards.offer_step(picture, layout, move, source, target)
    if taken is None:
        return
    picture.picks[move] = (*picture.picks[move], layout.names[taken])
    points = [layout.middles[point] for point in (taken, target, target if source is None else source)]
    x, y = (sum(weight * point[axis] for weight, point in zip(_TAKEN, points)) for axis in (0, 1))
    picture.spots[move] = Spot(x, y, 0.3)


def setup_pictures(rules: MorrisRules) -> dict[str, Shape]:
    return STONES


def text_board(rules: MorrisRules, state: MorrisState, last: int | None) -> TextBoard:
    """The lattice with men, empty points as + and the lines between them."""
    board, cells = BOARDS[rules.board], cells_of(rules, state)
    marked = set(ends_of(rules, last)) if last is not None else set()
    side = max(row for row, _ in board.places) + 1
    canvas = [[(" ", "grid")] * (4 * side - 3) for _ in range(2 * side - 1)]
    for one, two in board.edges:
        (row, column), (to_row, to_column) = board.places[one], board.places[two]
        steps = 4 * max(abs(to_row - row), abs(to_column - column))
        symbol = "-" if row == to_row else "|" if column == to_column else "\\" if (to_row > row) == (to_column > column) else "/"
        for step in range(1, steps):
            y, x = 2 * row + (to_row - row) * 2 * step / steps, 4 * column + (to_column - column) * 4 * step / steps
            if y == int(y) and x == int(x):
                canvas[int(y)][int(x)] = (symbol, "grid")
    for point, (row, column) in enumerate(board.places):
        role = ROLES.get(cells[point], "grid")
        canvas[2 * row][4 * column] = (cells[point] if cells[point] != "." else "+", f"{role} last" if point in marked else role)
    letters = [(letter, "label") for letter in "   " + "   ".join("ABCDEFG"[:side])]
    hands = (int(state.hand), int(other_hand(state)))
    first, second = hands if state.turn == 0 else hands[::-1]
    lines: TextBoard = [letters]
    for number, line in enumerate(canvas):
        lines.append([(f"{number // 2 + 1:>2} " if number % 2 == 0 else "   ", "label"), *line])
    return [*lines, [(f"   in hand: X {first}, O {second}", "label")]] if first + second else lines
