"""Dodgem as a picture: cars that point the way they drive, and arrows where a car can leave."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import MARGIN
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.core.notation import square_name
from ludometer.games.dodgem.notation import cells_of, layout_of
from ludometer.games.dodgem.rules import DodgemRules, DodgemState, target_of

_EXIT = 0.8  # room right of the board, where cars leave
# Cars around a cell's middle, seen from above: x drives right, o drives up.
CARS = {
    "X": Shape("polygon", (-0.34, -0.24, 0.1, -0.24, 0.36, 0.0, 0.1, 0.24, -0.34, 0.24), "first"),
    "O": Shape("polygon", (-0.24, 0.34, -0.24, -0.1, 0.0, -0.36, 0.24, -0.1, 0.24, 0.34), "second"),
}


def draw(rules: DodgemRules, state: DodgemState, last: int | None) -> Drawing:
    size, layout = rules.size, layout_of(rules)
    latest = (last // 3, int(target_of(rules, 1 - int(state.turn), last))) if last is not None else ()
    picture = boards.tiled_board(size, size, latest)
    picture.width = layout.width + _EXIT - MARGIN
    boards.add_men(picture, layout, cells_of(rules, state), CARS)
    for move in boards.legal_list(rules, state):
        source, target = move // 3, int(target_of(rules, int(state.turn), move))
        if target >= 0:
            boards.offer_step(picture, layout, move, source, target)
        else:
            _offer_exit(picture, rules, move, source, int(state.turn))
    picture.mark = CARS["XO"[int(state.turn)]]
    return picture


def _offer_exit(picture: Drawing, rules: DodgemRules, move: int, source: int, player: int) -> None:
    """A move off the board: pointing at the car, then outside the edge it leaves over."""
    x, y = layout_of(rules).middles[source]
    right, up = (1, 0) if player == 0 else (0, 1)
    name = square_name(*divmod(source, rules.size))
    end = f"exit of row {name[1:]}" if player == 0 else f"exit of column {name[0]}"
    picture.add_area(end, x + 0.9 * right, y - 0.8 * up, 0.7, 0.6)
    picture.add("arrow", x + 0.64 * right, y - 0.6 * up, x + 1.1 * right, y - 0.98 * up, role="target")
    picture.spots[move] = Spot(x + 0.36 * right, y - 0.36 * up, 0.34)
    picture.picks[move] = (name, end)
    picture.shifts[move] = ((name, end),)


def setup_pictures(rules: DodgemRules) -> dict[str, Shape]:
    return CARS


def text_board(rules: DodgemRules, state: DodgemState, last: int | None) -> TextBoard:
    latest = (last // 3, int(target_of(rules, 1 - int(state.turn), last))) if last is not None else ()
    return boards.grid_text(rules.size, rules.size, cells_of(rules, state), latest)
