"""Several positions in one picture."""

from __future__ import annotations

from collections.abc import Sequence

from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.view.boards.svg import FONT, SCALE, body, caption, escape_text
from ludometer.view.boards.theme import PAPER

_TILE = 6.0  # board units; every board is scaled to this height and width
_CAPTION = 0.75
_GAP = 0.3


def gallery(positions: Sequence[tuple[str, Position]], columns: int = 0, size: int = 1200, title: str = "") -> str:
    """An SVG of captioned positions, `columns` in a row (0: all in one row), `size` pixels wide; `title` is for screen readers."""
    if not positions:
        raise LudometerError("a gallery needs at least one position")
    columns = min(columns or len(positions), len(positions))
    rows = -(-len(positions) // columns)
    width = columns * (_TILE + _GAP) + _GAP
    height = rows * (_TILE + _CAPTION + _GAP) + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size * height / width:.0f}" '
        f'viewBox="0 0 {width * SCALE:.0f} {height * SCALE:.0f}" role="img" font-family="{FONT}">',
        f"<title>{escape_text(title or ', '.join(text for text, _ in positions))}</title>",
        f'<rect width="{width * SCALE:.0f}" height="{height * SCALE:.0f}" rx="24" fill="{PAPER}"/>',
    ]
    for place, (text, position) in enumerate(positions):
        row, column = divmod(place, columns)
        drawing = position.game.kind.required("draw")(position.game.rules, position.state, position.last)
        scale = _TILE / max(drawing.width, drawing.height)
        left = _GAP + column * (_TILE + _GAP)
        top = _GAP + row * (_TILE + _CAPTION + _GAP)
        x = left + (_TILE - drawing.width * scale) / 2
        y = top + _CAPTION + (_TILE - drawing.height * scale) / 2
        parts.append(caption(left + _TILE / 2, top + _CAPTION / 2, 0.42, _TILE, text))
        parts.append(f'<g transform="translate({x * SCALE:.1f} {y * SCALE:.1f}) scale({scale:.4f})">')
        parts += body(drawing)
        parts.append("</g>")
    parts.append("</svg>\n")
    return "\n".join(parts)
