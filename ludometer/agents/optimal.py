"""The perfect player: every move straight from an exact solution, with blunders on request.

`optimal` chooses uniformly among the moves that keep the value, `optimal:steps` among those that win fastest or lose slowest, and
`optimal:blunder=0.05` plays a uniformly random legal move with that probability (which may happen to be a good one).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Option
from ludometer.core.errors import SpecError
from ludometer.core.game import Game

if TYPE_CHECKING:
    from ludometer.core.position import Position
    from ludometer.solve.solution import Solution


class OptimalKind(AgentKind):
    """Plays what is solved, or can be solved at once."""

    def refuses(self, game: Game) -> str | None:
        reason = super().refuses(game)
        if reason is None and not game.kind.solvable(game.parameters):
            return "it is too large to be solved"
        return reason


AGENT = OptimalKind(
    name="optimal",
    title="perfect play from a solved table",
    home="ludometer.agents.optimal:OptimalAgent",
    options=(
        Option("steps", False, "win as fast as possible, lose as slowly as possible"),
        Option("blunder", 0.0, "probability of a uniformly random move", least=0.0, most=1.0, outside=True),
        Option("tables", "", "folder with solved tables; default: the user's", file=True),
    ),
)


class OptimalAgent(Agent):
    """Looks every move up in a solution: one made before, or made on the spot for a small game."""

    def __init__(self, game: Game, spec: str, steps: bool, blunder: float, tables: str, solution: Solution | None = None) -> None:
        super().__init__(game, spec)
        self.steps = steps
        self.blunder = blunder
        if solution is None:
            from ludometer.solve import solution_for

            solution = solution_for(game, tables or None, need_distances=steps)
        self.solution = solution

    def choose(self, position: Position, key: np.uint64, stop: Any = None) -> Decision:
        """A move of the right kind by chance; raises OutsideTable where the solution has no answer."""
        since = time.perf_counter()
        if position.game != self.game:
            raise SpecError(f"{self.spec} was made for {self.game.spec} and is asked about {position.game.spec}")
        # Two independent uses of the key's 64 bits: the upper half decides whether to blunder, the lower half which move.
        chance, pick = (int(key) >> 32) / 2**32, int(key) & 0xFFFFFFFF
        if chance < self.blunder:
            move = position.legal[pick * len(position.legal) >> 32]
            return Decision(move, None, {"blunder": True, "seconds": time.perf_counter() - since})
        probe = self.solution.probe(position)
        moves = probe.best if self.steps else probe.keeping
        value = probe.value.margin if probe.value.margin is not None else probe.value.outcome
        report = {"blunder": False, "distance": probe.value.distance, "choices": len(moves), "seconds": time.perf_counter() - since}
        return Decision(moves[pick * len(moves) >> 32], float(value), report)
