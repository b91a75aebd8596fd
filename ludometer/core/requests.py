"""What a player may ask instead of making a move.  `Agent.choose` raises one of these; the loop that plays the game obeys."""

from __future__ import annotations


class Request(Exception):
    """A wish of the player to move."""


class TakeBack(Request):
    """Go back to before this player's latest move; if there is none, the same position is asked about again."""


class Resign(Request):
    """Give the game up: the other player wins."""


class Forfeit(Resign):
    """The player cannot go on, or broke the rules once too often: the other player wins.  The text says why, in one line."""


class Quit(Request):
    """Stop here, without a result."""
