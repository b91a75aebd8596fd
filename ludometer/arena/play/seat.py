"""Seat of an agent at a session.  `play_game` has two seats, a page in a browser has one."""

from __future__ import annotations

import numpy as np

from ludometer.arena.play.session import Session, Turn
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop


class Seat:
    """An agent on one side of a session.  Its player is told of every move and replaced after moves were taken back."""

    def __init__(self, session: Session, side: int, agent: Agent) -> None:
        self.session = session
        self.side = side
        self.agent = agent
        self._player: Player | None = None
        self._told: list[Turn] = []  # turns that the player was told of

    def player(self) -> Player:
        """The player, told of all moves that this side may know."""
        turns = self.session.turns_seen_by(self.side)
        if self._player is None or not _begins_with(turns, self._told):
            self.leave()
            self._player = self.agent.player(self.session.start, self.side, self.session.ply_limit)
        self._tell(self._player, turns)
        return self._player

    def see_the_end(self) -> None:
        """Tell the player of the last moves of a game, unless moves were taken back since its last decision."""
        turns = self.session.turns_seen_by(self.side)
        if self._player is not None and _begins_with(turns, self._told):
            self._tell(self._player, turns)

    def _tell(self, player: Player, turns: list[Turn]) -> None:
        for turn in turns[len(self._told) :]:
            player.observe(turn.move, turn.after)
            self._told.append(turn)

    def choose(self, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        """The player's decision or request in the current position."""
        return self.player().choose(self.session.seen_by(self.side), key, stop)

    def leave(self) -> None:
        """End the player; a new one is made when needed."""
        if self._player is not None:
            self._player.leave()
        self._player, self._told = None, []


def _begins_with(turns: list[Turn], told: list[Turn]) -> bool:
    """Whether no turn in `told` has been taken back: the last of them is still at its place in `turns`."""
    return not told or (len(told) <= len(turns) and turns[len(told) - 1] is told[-1])
