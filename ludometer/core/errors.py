"""Errors for people: one line with what was wrong and what would be right."""

from __future__ import annotations


class LudometerError(Exception):
    """Anything the user can put right; its text is one line.

    >>> lm.game("chess")
    Traceback (most recent call last):
        ...
    ludometer.core.errors.SpecError: no game is called 'chess'; games are ...
    """


class Defect(Exception):
    """A computed result that contradicts itself: a defect of the program or of the machine, which the user cannot put right."""


class SpecError(LudometerError):
    """A game or agent spec that names nothing."""


class NotationError(LudometerError):
    """A position, move or record that cannot be read."""


class IllegalMoveError(LudometerError):
    """A well-written move that the rules do not allow here."""


class GameDefinitionError(LudometerError):
    """A game module that lacks something the protocol requires."""


def unexpected(what: str, text: str, index: int, expected: str) -> NotationError:
    """The error for a wrong character: its place and what was expected."""
    if index >= len(text):
        return NotationError(f"{what} {shorten(text)}: ends after {len(text)} characters, expected {expected}")
    return NotationError(f"{what} {shorten(text)}: character {index + 1} is {text[index]!r}, expected {expected}")


def shorten(text: str, length: int = 60) -> str:
    """Text quoted for a one-line message."""
    quoted = repr(text)
    return quoted if len(quoted) <= length else quoted[: length - 2] + "…'"
