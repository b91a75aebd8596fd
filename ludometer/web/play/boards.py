"""A game's drawing of a position as JSON: what to paint, where to point, and what slides.  The browser shows; the server keeps the rules.

{"width", "height",
 "shapes": [[kind, role, numbers, text], …],
 "areas": [[name, x, y, width, height, what lies there], …],
 "moves": [{"move": "A1>right", "picks": ["A1", "right of row 1"], "shifts": [["A1", "E1"], …], "spot": [x, y, room]}, …],
 "mark": [kind, role, numbers, text] or null}
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ludometer.core.drawing import Area, Drawing, Shape
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.view.boards.theme import LOOKS

_KEPT = 2000  # boards; texts of moves are what takes time
_texts: dict[int, dict[str, Any]] = {}  # by the identity of a board, which is kept with its text
_boards: OrderedDict[tuple[Position, int | None, bool], dict[str, Any]] = OrderedDict()


def board_document(position: Position, playable: bool = True) -> dict[str, Any]:
    """The board; without its moves if nobody may move on it.  Used from one thread at a time."""
    key = (position, position.last, playable)
    found = _boards.pop(key, None) or _board(position, playable)
    _boards[key] = found
    if len(_boards) > _KEPT:
        _boards.popitem(last=False)
    return found


def board_text(board: dict[str, Any]) -> str:
    """A board of `board_document` as JSON, made once."""
    if "text" not in _texts.setdefault(id(board), {"board": board}):
        _texts[id(board)]["text"] = json.dumps(board, separators=(",", ":"))
        if len(_texts) > _KEPT:
            del _texts[next(iter(_texts))]
    return str(_texts[id(board)]["text"])


def drawing_of(position: Position) -> Drawing:
    """The game's drawing; where it has no areas, the spots of its moves are made areas."""
    game = position.game
    picture: Drawing = game.kind.required("draw")(game.rules, position.state, position.last)
    if not picture.areas:
        for move in position.legal:
            spot, name = picture.spots[move], position.move_text(move)
            picture.areas[name] = Area(name, spot.x - spot.room, spot.y - spot.room / 2, 2 * spot.room, spot.room)
            picture.picks[move] = (name,)
    return picture


def _board(position: Position, playable: bool) -> dict[str, Any]:
    picture = drawing_of(position)
    moves = [
        {
            "move": position.move_text(move),
            "picks": list(picture.picks[move]),
            "shifts": [list(pair) for pair in picture.shifts.get(move, ())],
            "spot": _rounded(picture.spots[move].x, picture.spots[move].y, picture.spots[move].room),
        }
        for move in (position.legal if playable else ())
    ]
    return {
        "width": picture.width,
        "height": picture.height,
        "shapes": [shape_document(shape) for shape in picture.shapes],
        "areas": [[each.name, *_rounded(each.x, each.y, each.width, each.height), each.holds] for each in picture.areas.values()],
        "moves": moves,
        "mark": None if picture.mark is None else shape_document(picture.mark),
    }


def shape_document(shape: Shape) -> list[Any]:
    return [shape.kind, shape.role, _rounded(*shape.numbers), shape.text]


@lru_cache(maxsize=20_000)
def _rounded(*numbers: float) -> tuple[float, ...]:
    return tuple(round(float(number), 3) for number in numbers)


def setup_document(position: Position) -> dict[str, Any] | None:
    """What can be set in a position, and how it looks; None for a game that does not say."""
    kind, rules = position.game.kind, position.game.rules
    parts = kind.function("setup_parts")
    if parts is None:
        return None
    pictures: Mapping[str, Shape] = kind.required("setup_pictures")(rules)
    return {
        "parts": [
            {"name": part.name, "value": part.value, "values": list(part.values), "on_board": part.on_board}
            for part in parts(rules, position.state)
        ],
        "pictures": {value: shape_document(shape) for value, shape in pictures.items()},
        "board": board_document(position.game.start(), playable=False),
    }


def set_up(game: Game, values: Mapping[str, str]) -> Position:
    """The position whose parts have these values; raises LudometerError that says what is wrong with it."""
    text = game.kind.function("setup_text")
    if text is None:
        raise LudometerError(f"positions of {game.spec} cannot be set up by pointing; write one: {game.kind.position_help}")
    return game.position(text(game.rules, values))


def looks_module() -> str:
    """The looks of all roles as a module of JavaScript, from the same place as those of pictures in files."""
    rows = {role: {name: value for name, value in vars(look).items()} for role, look in LOOKS.items()}
    return "export const LOOKS = " + json.dumps(rows) + ";\n"
