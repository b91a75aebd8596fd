"""The baseline: a uniformly random legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.core.position import Position

AGENT = AgentKind(name="random", title="uniformly random moves", home="ludometer.agents.random:RandomAgent", simultaneous=True)


class RandomAgent(Agent):
    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        return Decision(position.legal[int(key) * len(position.legal) >> 64])
