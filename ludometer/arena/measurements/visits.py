"""Positions visited per decision, the resource by which games and agents are compared.

An iteration of tree search costs more in a game with long playouts, and seconds depend on the machine.  The count is therefore of moves
in the tree and in playouts of a tree search, and of nodes of a depth-first search.  Agents report it at positions of random games that
are the same for all agents.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.agents import AgentLike
from ludometer.arena.measurements.single_agent import OneAgent
from ludometer.arena.play.compiled_games import position_of, rows_of
from ludometer.arena.play.roster import agent_named, enter
from ludometer.arena.work.series import MeasuredUnits
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.games import game as find_game

POSITIONS = 48  # of random games at which agents are asked
SEED = 0  # the same for all agents, so that they are asked at the same positions


@dataclass(frozen=True)
class Visits(OneAgent):
    """Series of the numbers of positions that an agent visits; a unit is a position of a random game."""

    game: str
    agent: str

    @classmethod
    def of(cls, game: Game | str, agent: AgentLike) -> Visits:
        game = find_game(game)
        return cls(game.reference, enter(game, agent))

    def key(self) -> dict[str, Any]:
        return self.key_of("visits", seed=SEED)

    def __str__(self) -> str:
        return f"positions visited by {self.agent} at {find_game(self.game).spec}"

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> MeasuredUnits:
        """Record the agent's reports at positions `first` … `first + count − 1`; raises Stopped once asked."""
        from ludometer.arena.measurements.random_states_kernels import draw_game_states

        began = time.perf_counter()
        game, agent = find_game(self.game), agent_named(self.game, self.agent)
        rows = np.repeat(rows_of([game.start()]), count, axis=0)
        draw_game_states(game.rules, stream(SEED, "visits"), first, rows, np.empty(game.move_bound, np.int32))
        found = np.zeros(count)
        for place, row in enumerate(rows):
            decision = agent.choose(position_of(game, row), stream(SEED, "visited", first + place), stop)
            if stop is not None:
                stop.check("the counting of positions")
            if not isinstance(decision, Decision):
                raise LudometerError(f"agent {agent} gives no move")
            found[place] = np.nan if decision.positions is None else decision.positions
        return MeasuredUnits({"positions": found}, time.perf_counter() - began)


def visits_per_decision(units: dict[str, np.ndarray]) -> float | None:
    """Mean over the units; None without units and for an agent that does not report them."""
    if not units or not len(units["positions"]):
        return None
    found = float(units["positions"].mean())
    return None if np.isnan(found) else found
