"""Our agents as OpenSpiel's bots.  Imported only where OpenSpiel is known to be installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspiel

from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream

if TYPE_CHECKING:
    from ludometer.bridges.openspiel import Link
    from ludometer.core.agent import Agent


class AgentBot(pyspiel.Bot):
    """A bot that plays as an agent.  It replays the history of each state."""

    def __init__(self, link: Link, agent: Agent, player: int, seed: int) -> None:
        super().__init__()
        self.link = link
        self.agent = agent
        self.player = player
        self.seed = seed
        self.restart()

    def restart(self) -> None:
        """A new game begins."""
        self._actions: list[int] = []  # the history replayed so far, …
        self._at = self.link.replayed([])  # … and where it leads
        self._seated = self.agent.player(self._at[0], self.player, self.link.game.kind.ply_limit)  # who has seen it
        self._plan: tuple[int, list[int]] = 0, []  # length of the history when the latest move was chosen, and its actions

    def restart_at(self, state: Any) -> None:
        """Continue a game from this state."""
        self.restart()
        self._follow(state)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Ignore an action made in `state`: it is in the history of the next state."""

    def step(self, state: Any) -> int:
        """The action of this bot, whose turn it is; raises LudometerError if its agent makes no move."""
        if state.current_player() != self.player:
            raise LudometerError(f"bot {self.agent} is player {self.player}, but player {state.current_player()} is to move")
        self._follow(state)
        position, begun = self._at
        chosen_at, plan = self._plan
        if begun and chosen_at + len(begun) == len(self._actions) and plan[: len(begun)] == begun:
            return plan[len(begun)]  # the second half of a move
        key = stream(self.seed, "openspiel", self.player, len(self._actions))
        if begun:  # another bot has chosen half of the move: the rest is a position by itself
            position = self.link.counterpart.narrowed(position, begun)
            choice = self.agent.choose(position, key)
        else:
            choice = self._seated.choose(position, key)
        if not isinstance(choice, Decision):
            raise LudometerError(f"bot {self.agent} makes no move: {choice}")
        actions = self.link.counterpart.actions(position, choice.move)
        self._plan = len(self._actions), actions
        return actions[0]

    def _follow(self, state: Any) -> None:
        """Replay what has been played since the last time, or all of it if this is another game."""
        if state.starting_state_str():
            raise LudometerError("a bot of this kind plays games from the start only: the history of this state begins elsewhere")
        history = [int(action) for action in state.history()]
        if history[: len(self._actions)] != self._actions:
            self.restart()
        for action in history[len(self._actions) :]:
            self._at = self.link.advanced(*self._at, action)
            position, begun = self._at
            if not begun and position.last is not None:
                self._seated.observe(position.last, position)
        self._actions = history
