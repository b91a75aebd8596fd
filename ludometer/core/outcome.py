"""Outcomes of a state for the player to move, and the players' numbers."""

from __future__ import annotations

LOSS = -1
DRAW = 0
WIN = 1
ONGOING = 2

FIRST = 0  # the player who makes the first move of a game
SECOND = 1

RESULT_TEXT = {WIN: "1-0", DRAW: "1/2-1/2", LOSS: "0-1"}  # keyed by the outcome for the first player
