"""Requests that `Player.choose` may return instead of a move; the session of the game carries them out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """A request of the player to move."""


@dataclass(frozen=True)
class TakeBack(Request):
    """Take back this player's latest move; without one, the player is asked again at the same position."""


@dataclass(frozen=True)
class Resign(Request):
    """Resign: the other player wins."""


@dataclass(frozen=True)
class Forfeit(Request):
    """Lose because the player cannot continue, or broke the rules too often: the other player wins."""

    reason: str  # one line


@dataclass(frozen=True)
class Quit(Request):
    """End the game without a result."""
