"""What a player may answer instead of a move.  `Player.choose` returns one of these; the session of the game obeys."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """A wish of the player to move."""


@dataclass(frozen=True)
class TakeBack(Request):
    """Go back to before this player's latest move; if there is none, the same position is asked about again."""


@dataclass(frozen=True)
class Resign(Request):
    """Give the game up: the other player wins."""


@dataclass(frozen=True)
class Forfeit(Request):
    """The player cannot go on, or broke the rules once too often: the other player wins."""

    reason: str  # one line


@dataclass(frozen=True)
class Quit(Request):
    """Stop here, without a result."""
