"""An agent at a session, whoever drives it: `play_game` has two seats, a page in a browser one."""

from __future__ import annotations

import numpy as np

from ludometer.arena.play.session import Session, Turn
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop


class Seat:
    """Its player is told of every move, and is seated anew after moves were taken back."""

    def __init__(self, session: Session, side: int, agent: Agent) -> None:
        self.session = session
        self.side = side
        self.agent = agent
        self._player: Player | None = None
        self._told: list[Turn] = []  # what the player was told of

    def player(self) -> Player:
        """The player, who has seen all that this side may know of."""
        turns = self.session.turns_seen_by(self.side)
        if self._player is None or not _begins_with(turns, self._told):
            self.leave()
            self._player = self.agent.player(self.session.start, self.side, self.session.ply_limit)
        self._tell(self._player, turns)
        return self._player

    def see_the_end(self) -> None:
        """Tell a player who sits here of the last moves of a game, if none was taken back since it was asked."""
        turns = self.session.turns_seen_by(self.side)
        if self._player is not None and _begins_with(turns, self._told):
            self._tell(self._player, turns)

    def _tell(self, player: Player, turns: list[Turn]) -> None:
        for turn in turns[len(self._told) :]:
            player.observe(turn.move, turn.after)
            self._told.append(turn)

    def choose(self, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        """What the player wants to do in the position on the board."""
        return self.player().choose(self.session.seen_by(self.side), key, stop)

    def leave(self) -> None:
        """Send the player home; a new one comes when it is needed."""
        if self._player is not None:
            self._player.leave()
        self._player, self._told = None, []


def _begins_with(turns: list[Turn], told: list[Turn]) -> bool:
    """Whether no turn that was told of has been taken back since: then the last of them is at its place, and so are those before it."""
    return not told or (len(told) <= len(turns) and turns[len(told) - 1] is told[-1])
