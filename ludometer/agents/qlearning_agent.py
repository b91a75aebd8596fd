"""The Q-learning agent at the board."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.qlearning import settle, trained
from ludometer.agents.qlearning_files import load
from ludometer.core.agent import Agent, Decision
from ludometer.core.game import Game
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.core.position import Position


class QLearningAgent(Agent):
    """Makes the move of highest quality, breaking ties at random."""

    def __init__(self, game: Game, spec: str, weights: str, **options: Any) -> None:
        super().__init__(game, spec)
        settings = settle(game, **options)
        self.knowledge = load(weights, game) if weights else trained(game, settings)

    def compiled_player(self, stop: Stop | None = None) -> Any:
        """The memory; players share what was learnt, but not the scratch buffer."""
        return with_own_scratch(self.knowledge.memory)

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        return decide_by(self.compiled_player(), self.knowledge.settings.learner, position, key)


def with_own_scratch(memory: Any) -> Any:
    """The same memory with a scratch buffer of its own."""
    return memory._replace(seen=memory.seen.copy()) if hasattr(memory, "seen") else memory


def decide_by(memory: Any, learner: str, position: Position, key: np.uint64) -> Decision:
    """The move of highest quality in this memory."""
    from ludometer.agents.qlearning_memory_kernels import best_and_quality

    since = time.perf_counter()
    buffer = np.empty(position.game.move_bound, np.int32)
    move, quality = best_and_quality(position.game.rules, memory, position.state, np.uint64(key), buffer)
    # With rewards during the game a quality is not the expected result.
    points = 0.5 + 0.5 * min(1.0, max(-1.0, float(quality))) if learner == "linear" else None
    report = {"quality": float(quality), "learner": learner, "seconds": time.perf_counter() - since}
    return Decision(int(move), points, report)
