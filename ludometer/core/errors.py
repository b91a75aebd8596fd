"""Errors that are for people: one line, what was wrong and what would be right."""

from __future__ import annotations


class LudometerError(Exception):
    """Anything the user can put right; its text is one line.

    >>> lm.game("chess")
    Traceback (most recent call last):
        ...
    ludometer.core.errors.SpecError: no game is called 'chess'; games are ...
    """


class Defect(Exception):
    """What was computed contradicts itself: a defect of this program or of the machine, nothing the user can put right."""


class SpecError(LudometerError):
    """A game or agent spec that names nothing."""


class NotationError(LudometerError):
    """A position, move or record that cannot be read."""


class IllegalMoveError(LudometerError):
    """A well-written move that the rules do not allow here."""


class GameDefinitionError(LudometerError):
    """A game module that lacks something the protocol asks for."""


def unexpected(what: str, text: str, index: int, expected: str) -> NotationError:
    """The error for a character that should be another: says which one and what was expected."""
    if index >= len(text):
        return NotationError(f"{what} {shorten(text)}: ends after {len(text)} characters, expected {expected}")
    return NotationError(f"{what} {shorten(text)}: character {index + 1} is {text[index]!r}, expected {expected}")


def shorten(text: str, length: int = 60) -> str:
    """Text quoted for a one-line message."""
    quoted = repr(text)
    return quoted if len(quoted) <= length else quoted[: length - 2] + "…'"
