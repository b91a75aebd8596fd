"""A game's drawing of a position as JSON.  The browser shows it; the server keeps the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache

from typing_extensions import TypedDict

from ludometer.core.drawing import Area, Drawing, Shape
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.view.boards.theme import LOOKS

_BOARDS_KEPT = 2000

ShapeDocument = tuple[str, str, tuple[float, ...], str]  # kind, role, numbers, text
AreaDocument = tuple[str, float, float, float, float, str]  # name, x, y, width, height, content


class MoveDocument(TypedDict):
    """A move as it is made by pointing: `picks` are the areas to choose, in this order."""

    move: str
    picks: list[str]
    shifts: list[tuple[str, str]]  # from which area to which a piece slides
    spot: tuple[float, ...]  # x, y, diameter of the circle for a value


class BoardDocument(TypedDict):
    """A board.  Lengths are in board units; `shapes` are painted in order."""

    width: float
    height: float
    shapes: list[ShapeDocument]
    areas: list[AreaDocument]
    moves: list[MoveDocument]
    target: str  # what choosing the second area of a move does, for screen readers
    mark: ShapeDocument | None  # what the player to move puts down, around (0, 0)


class SetupPart(TypedDict):
    """A part of a position that can be set."""

    name: str
    value: str
    values: list[str]
    on_board: bool
    only_when_taken: bool


class SetupDocument(TypedDict):
    """What can be set in a position, and the picture of each value."""

    parts: list[SetupPart]
    pictures: dict[str, ShapeDocument]
    board: BoardDocument


class RenderedBoard:
    """The board of a position: its document, and the same as JSON text, encoded once for all pages that ask."""

    def __init__(self, position: Position, playable: bool) -> None:
        self.document = _draw(position, playable)

    @cached_property
    def text(self) -> str:
        """The document as JSON."""
        return json.dumps(self.document, separators=(",", ":"))


def rendered_board(position: Position, playable: bool = True) -> RenderedBoard:
    """The board of a position, from a cache of the last 2,000; without moves unless `playable`.

    Writing the moves as text takes most of the time, and many pages look at few positions.  A drawing depends on the position, its latest
    move and `playable` alone, so an entry never becomes stale.
    """
    return _rendered(position, position.last, playable)


@lru_cache(maxsize=_BOARDS_KEPT)
def _rendered(position: Position, last: int | None, playable: bool) -> RenderedBoard:
    """`last` is part of the cache key: equal positions may have been reached by different moves, which are drawn."""
    return RenderedBoard(position, playable)


def board_document(position: Position, playable: bool = True) -> BoardDocument:
    """The document of `rendered_board`."""
    return rendered_board(position, playable).document


def drawing_of(position: Position) -> Drawing:
    """The game's drawing; if it has no areas, the spots of its moves become areas."""
    game = position.game
    picture: Drawing = game.kind.required("draw")(game.rules, position.state, position.last)
    if not picture.areas:
        for move in position.legal:
            spot, name = picture.spots[move], position.move_text(move)
            picture.areas[name] = Area(name, spot.x - spot.room, spot.y - spot.room / 2, 2 * spot.room, spot.room)
            picture.picks[move] = (name,)
    return picture


def _draw(position: Position, playable: bool) -> BoardDocument:
    picture = drawing_of(position)
    return {
        "width": picture.width,
        "height": picture.height,
        "shapes": [shape_document(shape) for shape in picture.shapes],
        "areas": [_area_document(area) for area in picture.areas.values()],
        "moves": [_move_document(position, move, picture) for move in (position.legal if playable else ())],
        "target": picture.target,
        "mark": None if picture.mark is None else shape_document(picture.mark),
    }


def _move_document(position: Position, move: int, picture: Drawing) -> MoveDocument:
    spot = picture.spots[move]
    return {
        "move": position.move_text(move),
        "picks": list(picture.picks[move]),
        "shifts": [(begin, end) for begin, end in picture.shifts.get(move, ())],
        "spot": _rounded(spot.x, spot.y, spot.room),
    }


def _area_document(area: Area) -> AreaDocument:
    return area.name, round(area.x, 3), round(area.y, 3), round(area.width, 3), round(area.height, 3), area.holds


def shape_document(shape: Shape) -> ShapeDocument:
    """A shape as a list for JSON."""
    return shape.kind, shape.role, _rounded(*shape.numbers), shape.text


@lru_cache(maxsize=20_000)
def _rounded(*numbers: float) -> tuple[float, ...]:
    return tuple(round(float(number), 3) for number in numbers)


def setup_document(position: Position) -> SetupDocument | None:
    """What can be set in a position; None if the game does not say."""
    kind, rules = position.game.kind, position.game.rules
    parts = kind.function("setup_parts")
    if parts is None:
        return None
    pictures: Mapping[str, Shape] = kind.required("setup_pictures")(rules)
    return {
        "parts": [
            {
                "name": part.name,
                "value": part.value,
                "values": list(part.values),
                "on_board": part.on_board,
                "only_when_taken": part.only_when_taken,
            }
            for part in parts(rules, position.state)
        ],
        "pictures": {value: shape_document(shape) for value, shape in pictures.items()},
        "board": board_document(position.game.start(), playable=False),
    }


def position_from_parts(game: Game, values: Mapping[str, str]) -> Position:
    """The position whose parts have these values; raises LudometerError for one that cannot be."""
    text = game.kind.function("setup_text")
    if text is None:
        raise LudometerError(f"positions of {game.spec} cannot be set up by pointing; write one: {game.kind.position_help}")
    return game.position(text(game.rules, values))


def looks_module() -> str:
    """The looks of all roles as a JavaScript module, from the same source as those of picture files."""
    rows = {role: {name: value for name, value in vars(look).items()} for role, look in LOOKS.items()}
    return "export const LOOKS = " + json.dumps(rows) + ";\n"
