"""The baseline: a uniformly random legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.random_kernels import CompiledRandom
    from ludometer.core.position import Position

AGENT = AgentKind(name="random", title="uniformly random moves", home="ludometer.agents.random:RandomAgent", simultaneous=True)


class RandomAgent(Agent):
    def compiled_player(self, stop: Stop | None = None) -> CompiledRandom:
        from ludometer.agents.random_kernels import CompiledRandom

        return CompiledRandom()

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        from ludometer.core.compiling.compiled_player import FOR_EVER, ask

        buffer = np.empty(self.game.move_bound, np.int32)
        return Decision(int(ask(self.game.rules, self.compiled_player(), position.state, FOR_EVER, np.uint64(key), buffer)))
