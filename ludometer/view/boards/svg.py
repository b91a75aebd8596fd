"""Boards as pictures: a `Drawing` becomes one self-contained SVG, without fonts, scripts or links of any kind.

position.svg(labels={0: "+1", 5: "-1"}, colours={0: 1.0, 5: -1.0}, size=480)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ludometer.core.drawing import Drawing, Shape, Spot
from ludometer.core.errors import GameDefinitionError, LudometerError, shorten
from ludometer.view.boards.theme import INK, LOOKS, PAPER, Look, diverging, ink_on

if TYPE_CHECKING:
    from ludometer.core.position import Position

SCALE = 100  # SVG units per board unit, so that short whole numbers are exact enough
DEFAULT_SIZE = 420  # pixels of the longer side
FONT = "'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
_TITLE_HEIGHT = 0.1  # of the board's width
_SHADOW = 0.035  # how far a shadow shows below its rectangle
_NUMBERS = {"rect": 4, "disc": 3, "ring": 3, "cross": 3, "line": 4, "arrow": 4, "dot": 3, "text": 3}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Colour = str | float  # "#rrggbb", or a value from −1 (bad) to 1 (good)


def render(
    drawing: Drawing,
    labels: Mapping[int, str] | None = None,
    colours: Mapping[int, Colour] | None = None,
    size: int = DEFAULT_SIZE,
    title: str = "",
    description: str = "",
) -> str:
    """The drawing as an SVG document whose longer side is `size` pixels.

    `labels` and `colours` are laid over the places of moves; `title` is written above the board; `description` is read
    out by screen readers and shown when the mouse rests on the picture.  Raises LudometerError for a move without a
    place, a colour that is none, or a size below 1.
    """
    top = _TITLE_HEIGHT * drawing.width if title else 0.0
    width, height = drawing.width, drawing.height + top
    if not 1 <= size <= 100_000:
        raise LudometerError(f"the size of a picture is from 1 to 100000 pixels, not {size}")
    pixels = size / max(width, height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * pixels:.0f}" height="{height * pixels:.0f}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" font-family="{FONT}">'
    ]
    if description or title:
        parts.append(f"<title>{escape_text(description or title)}</title>")
    parts.append(f'<rect width="{_n(width)}" height="{_n(height)}" rx="14" fill="{PAPER}"/>')
    if title:
        parts.append(caption(width / 2, top * 0.6, top * 0.5, width * 0.94, title))
    parts += body(drawing, labels, colours, top)
    parts.append("</svg>\n")
    return "\n".join(parts)


def body(
    drawing: Drawing, labels: Mapping[int, str] | None = None, colours: Mapping[int, Colour] | None = None, top: float = 0.0
) -> list[str]:
    """The elements of a drawing, `top` board units further down, for use inside a larger picture."""
    parts = [f'<g transform="translate(0 {_n(top)})">'] if top else ["<g>"]
    for shape in drawing.shapes:
        parts += _shape(shape)
    parts += _overlays(drawing.spots, labels or {}, colours or {})
    parts.append("</g>")
    return parts


def caption(x: float, y: float, size: float, room: float, text: str) -> str:
    """A heading centred at a point, made smaller where it would be wider than `room`."""
    return _text(x, y, _fitting(text, size, room), text, INK, weight=600)


def position_svg(
    position: Position,
    labels: Mapping[int | str, str] | None = None,
    colours: Mapping[int | str, Colour] | None = None,
    size: int = DEFAULT_SIZE,
    title: str = "",
) -> str:
    """A position drawn; moves in `labels` and `colours` may be given as numbers or as text."""
    draw = position.game.kind.required("draw")
    return render(
        draw(position.game.rules, position.state, position.last),
        _by_number(position, labels),
        _by_number(position, colours),
        size,
        title,
        description=f"{position.game.spec}  {position}",
    )


def escape_text(text: str) -> str:
    """Text made safe for XML: markup escaped, characters that XML forbids replaced."""
    return escape(_NOT_XML.sub("\ufffd", text), {'"': "&quot;"})


def _by_number(position: Position, over: Mapping[int | str, str] | Mapping[int | str, Colour] | None) -> dict[int, str]:
    given = over or {}
    return {position.parse_move(move) if isinstance(move, str) else move: value for move, value in given.items()}  # type: ignore[misc]


def _n(units: float) -> str:
    """A length in SVG units in its shortest notation."""
    return f"{units * SCALE:.1f}".removesuffix(".0")


def _look(role: str) -> Look:
    if role not in LOOKS:
        raise GameDefinitionError(f"a drawing uses the role {role!r}; roles are {', '.join(LOOKS)}")
    return LOOKS[role]


def _shape(shape: Shape) -> list[str]:
    if shape.kind == "polygon":
        return _polygon(shape, _look(shape.role))
    expected = _NUMBERS.get(shape.kind)
    if expected is None:
        raise GameDefinitionError(f"a drawing uses the shape {shape.kind!r}; shapes are {', '.join(_NUMBERS)}, polygon")
    if len(shape.numbers) != expected or not all(math.isfinite(number) for number in shape.numbers):
        raise GameDefinitionError(f"a drawing's {shape.kind} has the numbers {shape.numbers}; it takes {expected} finite ones")
    look = _look(shape.role)
    if shape.kind == "rect":
        return _rectangle(shape, look)
    if shape.kind == "arrow":
        return _arrow(shape, look)
    if shape.kind == "line":
        x1, y1, x2, y2 = shape.numbers
        return [_line(x1, y1, x2, y2, look, look.line)]
    x, y, extent = shape.numbers
    if shape.kind == "text":
        return [_text(x, y, extent, shape.text, _solid(look), role=shape.role)]
    # The mark of a won area stays behind what lies on it.
    faded = ' opacity="0.32"' if look.stroke == "none" and look.fill_opacity < 1 else ""
    if shape.kind == "cross":
        arm = extent * 0.88  # round line ends reach a little further
        width = extent * 0.4
        return [
            f'<path d="M{_n(x - arm)} {_n(y - arm)}L{_n(x + arm)} {_n(y + arm)}M{_n(x - arm)} {_n(y + arm)}L{_n(x + arm)} {_n(y - arm)}" '
            f'class="{shape.role}" fill="none" stroke="{_solid(look)}" stroke-width="{_n(width)}" stroke-linecap="round"{faded}/>'
        ]
    if shape.kind == "ring":
        return [
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(extent * 0.94)}" class="{shape.role}" fill="none" '
            f'stroke="{_solid(look)}" stroke-width="{_n(extent * 0.4)}"{faded}/>'
        ]
    return [f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(extent)}" class="{shape.role}" fill="{_solid(look)}"{faded}/>']


def _solid(look: Look) -> str:
    """The colour of something thin: the stroke's if there is one, else the fill's."""
    return look.stroke if look.stroke != "none" else look.fill


def _opacity(name: str, value: float) -> str:
    return f' {name}-opacity="{value:g}"' if value < 1 else ""


def _rectangle(shape: Shape, look: Look) -> list[str]:
    x, y, width, height = shape.numbers
    corner = min(look.corner, width / 4, height / 4)
    place = f'x="{_n(x)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(corner)}"'
    parts = []
    if look.shadow:
        drop = min(_SHADOW, height / 12)
        parts.append(f'<rect y="{_n(y + drop)}" {place} fill="{look.shadow}"/>')
    if look.stroke != "none" and min(width, height) < 4 * look.width:  # too thin for an outline of its own
        return [*parts, f'<rect y="{_n(y)}" {place} class="{shape.role}" fill="{look.stroke}"/>']
    paint = f'fill="{look.fill}"' + _opacity("fill", look.fill_opacity)
    if look.stroke != "none":
        paint += f' stroke="{look.stroke}" stroke-width="{_n(look.width)}"' + _opacity("stroke", look.stroke_opacity)
    parts.append(f'<rect y="{_n(y)}" {place} class="{shape.role}" {paint}/>')
    return parts


def _polygon(shape: Shape, look: Look) -> list[str]:
    numbers = shape.numbers
    if len(numbers) < 6 or len(numbers) % 2 or not all(math.isfinite(number) for number in numbers):
        raise GameDefinitionError(f"a drawing's polygon has the numbers {numbers}; it takes x and y of three finite points or more")
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in zip(numbers[::2], numbers[1::2]))
    paint = f'fill="{look.fill}"' + _opacity("fill", look.fill_opacity)
    if look.stroke != "none":
        paint += f' stroke="{look.stroke}" stroke-width="{_n(look.width)}"' + _opacity("stroke", look.stroke_opacity)
    return [f'<polygon points="{points}" class="{shape.role}" {paint} stroke-linejoin="round"/>']


def _line(x1: float, y1: float, x2: float, y2: float, look: Look, width: float) -> str:
    dashes = f' stroke-dasharray="{_n(2.2 * width)} {_n(2.6 * width)}"' if look.dashed else ""
    return (
        f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{_solid(look)}" '
        f'stroke-width="{_n(width)}" stroke-linecap="round"{dashes}' + _opacity("stroke", look.stroke_opacity) + "/>"
    )


def _arrow(shape: Shape, look: Look) -> list[str]:
    """A shaft and a head that ends exactly at the second point."""
    x1, y1, x2, y2 = shape.numbers
    length = math.hypot(x2 - x1, y2 - y1)
    if length == 0:
        return []
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    head = min(0.17, length * 0.6)
    bx, by = x2 - ux * head, y2 - uy * head
    wing = head * 0.62
    outline = f"M{_n(x2)} {_n(y2)}L{_n(bx - uy * wing)} {_n(by + ux * wing)}L{_n(bx + uy * wing)} {_n(by - ux * wing)}Z"
    colour = _solid(look)
    return [
        f'<g class="{shape.role}"' + (f' opacity="{look.stroke_opacity:g}"' if look.stroke_opacity < 1 else "") + ">"
        f'<path d="M{_n(x1)} {_n(y1)}L{_n(bx)} {_n(by)}" stroke="{colour}" stroke-width="{_n(0.06)}" stroke-linecap="round"/>'
        f'<path d="{outline}" fill="{colour}" stroke="{colour}" stroke-width="{_n(0.03)}" stroke-linejoin="round"/></g>'
    ]


def _text(x: float, y: float, size: float, text: str, colour: str, role: str = "", weight: int = 400) -> str:
    # Centred by hand: `dominant-baseline` is not understood by every program that shows SVG.
    emphasis = f' font-weight="{weight}"' if weight != 400 else ""
    name = f' class="{role}"' if role else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y + 0.35 * size)}" font-size="{_n(size)}" text-anchor="middle" fill="{colour}"{emphasis}{name}>'
        f"{escape_text(text)}</text>"
    )


def _fitting(text: str, size: float, room: float) -> float:
    """A font size at which the text is no wider than `room`."""
    return min(size, room / (0.6 * max(1, len(text))))


def _overlays(spots: Mapping[int, Spot], labels: Mapping[int, str], colours: Mapping[int, Colour]) -> list[str]:
    parts = []
    for move in sorted({*labels, *colours}):
        if move not in spots:
            raise LudometerError(f"move number {move} has no place on this board")
        spot = spots[move]
        label = str(labels.get(move, ""))
        fill = _fill(colours[move]) if move in colours else "#ffffff"
        parts.append(
            f'<circle cx="{_n(spot.x)}" cy="{_n(spot.y)}" r="{_n(spot.room / 2)}" class="value" fill="{fill}" '
            f'fill-opacity="0.94" stroke="{INK}" stroke-opacity="0.45" stroke-width="{_n(max(0.008, spot.room * 0.03))}"/>'
        )
        if label:
            size = _fitting(label, spot.room * 0.52, spot.room * 0.88)
            parts.append(_text(spot.x, spot.y, size, label, ink_on(fill), role="value", weight=600))
    return parts


def _fill(colour: Colour) -> str:
    if isinstance(colour, str):
        if not _COLOUR.fullmatch(colour):
            raise LudometerError(f"a colour is written #rrggbb or is a number from -1 to 1, not {shorten(colour)}")
        return colour
    if not math.isfinite(colour):
        raise LudometerError(f"a colour is written #rrggbb or is a number from -1 to 1, not {colour}")
    return diverging(float(colour))
