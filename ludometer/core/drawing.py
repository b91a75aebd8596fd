"""Drawings of boards: shapes with roles, in board units; `view` turns them into SVG or terminal colours.

Roles name a meaning, never a colour: the theme in `view` decides how each one looks.

    board  cell  grid  frame     the table the game is played on
    first  second                a mark or area of that player
    first-area  second-area      ground won by that player
    last                         the latest move
    target                       a place the rules point to (the board to play in, a way a cube may be pushed)
    hole                         a hollow that pieces lie in
    faint                        something not there yet (an undrawn edge)
    label  value                 coordinates; text laid over a move

A drawing may also define how people make moves on it by pointing (`areas`, `picks`, `shifts`, `mark`).  `Part`s of a position define how
one is set up by pointing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Span = tuple[str, str]  # text and role, for terminal boards
TextBoard = list[list[Span]]  # lines of spans


@dataclass(frozen=True)
class Shape:
    """One thing to draw.  `kind` defines the meaning of `numbers`:

    rect (x, y, width, height)   disc (x, y, radius)   ring (x, y, radius)   cross (x, y, radius)
    line (x1, y1, x2, y2)   arrow (x1, y1, x2, y2)   dot (x, y, radius)   text (x, y, size)
    polygon (x1, y1, x2, y2, …), three points or more
    """

    kind: str
    numbers: tuple[float, ...]
    role: str
    text: str = ""


@dataclass(frozen=True)
class Spot:
    """Where a move is shown on the board: a centre and the free radius around it."""

    x: float
    y: float
    room: float


@dataclass(frozen=True)
class Area:
    """A rectangle that can be pointed at, by its upper left corner; `holds` is its content in a word."""

    name: str
    x: float
    y: float
    width: float
    height: float
    holds: str = ""


@dataclass(frozen=True)
class Part:
    """A part of a position that can be set: a cell, an edge, the side to move.

    Pointing at it goes through `values` in cyclic order; `value` is the present one.
    """

    name: str  # the area it lies on, or a name for people
    value: str
    values: tuple[str, ...]
    on_board: bool = True
    only_when_taken: bool = False  # it counts, and is shown, only while its area holds "taken …"


@dataclass
class Drawing:
    """A board as shapes, painted in order, and for each legal move the spot where its value is shown.

    A move is made by pointing at its `picks`, one area after the other.  Without areas, it is made by pointing at its spot.
    """

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    spots: dict[int, Spot] = field(default_factory=dict)
    areas: dict[str, Area] = field(default_factory=dict)  # by name
    picks: dict[int, tuple[str, ...]] = field(default_factory=dict)  # legal move -> names of areas
    shifts: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # move -> what slides, as pairs of areas (from, to)
    mark: Shape | None = None  # what the player to move places, drawn around the point (0, 0)
    target: str = "go here"  # what the second pick of a move does, for screen readers

    def add(self, kind: str, *numbers: float, role: str, text: str = "") -> None:
        """Add a shape on top of all others."""
        self.shapes.append(Shape(kind, numbers, role, text))

    def add_area(self, name: str, x: float, y: float, width: float, height: float, holds: str = "") -> None:
        """Add an area of this size around the point (x, y)."""
        self.areas[name] = Area(name, x - width / 2, y - height / 2, width, height, holds)
