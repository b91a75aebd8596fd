"""Boards in text: colours only where they are seen."""

import io

import pytest

from ludometer.core.errors import GameDefinitionError
from ludometer.games import game
from ludometer.view.boards.terminal import position_text, render, wants_colour


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_plain_text_has_no_codes():
    assert render([[("X", "first last"), (" ", "grid"), ("O", "second")]], colour=False) == "X O"


def test_colours_surround_marks_and_nothing_else():
    assert render([[("X", "first"), (" ", "grid")]], colour=True) == "\x1b[1;34mX\x1b[0m"


def test_an_unknown_role_is_named():
    with pytest.raises(GameDefinitionError, match="sparkling"):
        render([[("X", "sparkling")]], colour=False)


def test_colour_needs_a_terminal_and_respects_no_color(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert wants_colour(Terminal())
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())


def test_a_position_as_text():
    assert position_text(game("quixo:2").position("X./.O x")) == "   A B\n 1 X .\n 2 . O"
