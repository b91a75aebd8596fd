"""What a game says about its looks: shapes with roles, in board units; `view` turns them into SVG or terminal colours.

Roles name a meaning, never a colour: the theme in `view` decides how each one looks.

    board  cell  grid  frame     the table the game is played on
    first  second                a mark or area of that player
    first-area  second-area      ground won by that player
    last                         the latest move
    target                       a place the rules point to (the board to play in, a way a cube may be pushed)
    faint                        something not there yet (an undrawn edge)
    label  value                 coordinates; text laid over a move
"""

from __future__ import annotations

from dataclasses import dataclass, field

Span = tuple[str, str]  # text and role, for terminal boards
TextBoard = list[list[Span]]  # lines of spans


@dataclass(frozen=True)
class Shape:
    """One thing to draw.  `kind` says how `numbers` are read:

    rect (x, y, width, height)   disc (x, y, radius)   ring (x, y, radius)   cross (x, y, radius)
    line (x1, y1, x2, y2)   arrow (x1, y1, x2, y2)   dot (x, y, radius)   text (x, y, size)
    """

    kind: str
    numbers: tuple[float, ...]
    role: str
    text: str = ""


@dataclass(frozen=True)
class Spot:
    """Where a move can be shown on the board: the centre of its place and how much room there is."""

    x: float
    y: float
    room: float


@dataclass
class Drawing:
    """A board as shapes, painted in order, and for each legal move the spot where a value can be laid over it."""

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    spots: dict[int, Spot] = field(default_factory=dict)

    def add(self, kind: str, *numbers: float, role: str, text: str = "") -> None:
        self.shapes.append(Shape(kind, numbers, role, text))
