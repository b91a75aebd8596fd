"""What a game says about its looks: shapes with roles, in board units; `view` turns them into SVG or terminal colours.

Roles name a meaning, never a colour: the theme in `view` decides how each one looks.

    board  cell  grid  frame     the table the game is played on
    first  second                a mark or area of that player
    first-area  second-area      ground won by that player
    last                         the latest move
    target                       a place the rules point to (the board to play in, a way a cube may be pushed)
    hole                         a hollow that pieces lie in
    faint                        something not there yet (an undrawn edge)
    label  value                 coordinates; text laid over a move

Beside what it shows, a drawing may say how people make moves on it (`areas`, `picks`, `shifts`, `mark`), and `Part`s of a position say how
people set one up by pointing.
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
    polygon (x1, y1, x2, y2, …), three points or more
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


@dataclass(frozen=True)
class Area:
    """A place that can be pointed at: the rectangle with this upper left corner, and what lies there in a word."""

    name: str
    x: float
    y: float
    width: float
    height: float
    holds: str = ""


@dataclass(frozen=True)
class Part:
    """Something of a position that can be set: a cell, an edge, the side to move.

    Pointing at it goes through `values`, in this order and round again; `value` is the present one.
    """

    name: str  # that of the area it lies on, or what people call it
    value: str
    values: tuple[str, ...]
    on_board: bool = True
    only_when_taken: bool = False  # it counts, and is shown, only while its area holds "taken …"


@dataclass
class Drawing:
    """A board as shapes, painted in order, and for each legal move the spot where a value can be laid over it.

    A move is made by pointing at its `picks`, one area after the other.  Without areas, every move is made by pointing at its spot.
    """

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    spots: dict[int, Spot] = field(default_factory=dict)
    areas: dict[str, Area] = field(default_factory=dict)  # by name
    picks: dict[int, tuple[str, ...]] = field(default_factory=dict)  # of every legal move: names of areas
    shifts: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # what slides in a move: from one area to another
    mark: Shape | None = None  # what the player to move puts down, drawn around the point (0, 0)
    target: str = "go here"  # what the second pick of a move does, for screen readers

    def add(self, kind: str, *numbers: float, role: str, text: str = "") -> None:
        self.shapes.append(Shape(kind, numbers, role, text))

    def add_area(self, name: str, x: float, y: float, width: float, height: float, holds: str = "") -> None:
        """A place that can be pointed at, around the point (x, y)."""
        self.areas[name] = Area(name, x - width / 2, y - height / 2, width, height, holds)
