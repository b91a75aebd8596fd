"""Positions visited per decision: the axis on which games and agents are compared.

An iteration of tree search costs more in a game with long playouts, and seconds depend on the machine.  So the moves that a tree search
makes in its tree and in playouts are counted, and the nodes of a depth-first search, as the agents report them at positions of
random games: at the same positions for all agents, so that they differ for no other reason than the agents.
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
SEED = 0  # of all of them: everybody is asked at the same positions


@dataclass(frozen=True)
class Visits(OneAgent):
    """What an agent visits at positions of random games; a unit is a position."""

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
        """Ask the agent and note what it reports; raises Stopped once asked."""
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
    """The mean; None where the agent does not say."""
    if not units or not len(units["positions"]):
        return None
    found = float(units["positions"].mean())
    return None if np.isnan(found) else found
