"""Boards on a terminal, with colours where the terminal shows them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from ludometer.core.drawing import TextBoard
from ludometer.core.errors import GameDefinitionError
from ludometer.view.boards.theme import TERMINAL

if TYPE_CHECKING:
    from ludometer.core.position import Position


def wants_colour(stream: TextIO) -> bool:
    """Whether to write colours there: only to a terminal, and never when `NO_COLOR` is set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def render(board: TextBoard, colour: bool) -> str:
    """The board as lines of text without a newline at the end."""
    return "\n".join("".join(_span(text, role, colour) for text, role in line).rstrip() for line in board)


def position_text(position: Position, colour: bool = False) -> str:
    """A position as its game draws it in text."""
    draw = position.game.kind.required("text_board")
    return render(draw(position.game.rules, position.state, position.last), colour)


def _span(text: str, role: str, colour: bool) -> str:
    codes = []
    for part in role.split():
        if part not in TERMINAL:
            raise GameDefinitionError(f"a text board uses the role {part!r}; roles are {', '.join(TERMINAL)}")
        codes.append(TERMINAL[part])
    style = ";".join(code for code in codes if code)
    return f"\x1b[{style}m{text}\x1b[0m" if colour and style and text.strip() else text
