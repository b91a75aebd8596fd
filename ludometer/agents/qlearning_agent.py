"""The Q-learning agent at the board: with what it has learnt once and for all, or learning anew before the first move of every game."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.qlearning import Knowledge, first_noise, lessons_of, load, longest_game, new_memory, opponent_of, settle, trained
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.qlearning_anew_kernels import AnewMind
    from ludometer.core.position import Position


class QLearningAgent(Agent):
    """Makes the move of highest quality; chance only decides between equal ones."""

    def __init__(self, game: Game, spec: str, weights: str, **options: Any) -> None:
        super().__init__(game, spec)
        settings = settle(game, **options)
        if weights and settings.anew:
            raise SpecError("agent qlearning: a player trained anew for every game has no use for a file; leave out weights=… or anew")
        if settings.anew:
            self.knowledge = Knowledge(game, settings, new_memory(game, settings))
        else:
            self.knowledge = load(weights, game) if weights else trained(game, settings)

    def mind(self, stop: Stop | None = None) -> Any:
        """What was learnt is shared between players unless it is learnt anew; the room for looking at a state is not."""
        if self.knowledge.settings.anew:
            return self._new_mind(stop)
        memory = self.knowledge.memory
        return memory._replace(seen=memory.seen.copy()) if hasattr(memory, "seen") else memory

    def _new_mind(self, stop: Stop | None = None) -> AnewMind:
        """A player that knows nothing yet."""
        from ludometer.agents.qlearning_anew_kernels import AnewMind

        settings = self.knowledge.settings
        return AnewMind(
            memory=new_memory(self.game, settings),
            lessons=lessons_of(self.game, settings),
            opponent=opponent_of(self.game, settings, stop or Stop()),
            games=settings.iterations,
            noise=first_noise(self.game, settings),
            seed=settings.seed & (2**63 - 1),
            moves=np.empty(longest_game(self.game, settings), np.int32),
            is_trained=np.zeros(1, np.int64),
            stop=(stop or Stop()).flag,
        )

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> Player:
        make = AnewPlayer if self.knowledge.settings.anew else Player
        return make(self, start or self.game.start(), side, ply_limit)

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        if self.knowledge.settings.anew:
            return AnewPlayer(self, position, position.player, None).choose(position, key, stop)
        return self.decide(self.mind(), position, key)

    def decide(self, memory: Any, position: Position, key: np.uint64) -> Decision:
        """The move of highest quality by this memory."""
        from ludometer.agents.qlearning_kernels import best_and_quality

        since = time.perf_counter()
        buffer = np.empty(self.game.move_bound, np.int32)
        move, quality = best_and_quality(self.game.rules, memory, position.state, np.uint64(key), buffer)
        learner = self.knowledge.settings.learner
        # Rewards on the way make a quality something else than the expected result.
        points = 0.5 + 0.5 * min(1.0, max(-1.0, float(quality))) if learner == "linear" else None
        report = {"quality": float(quality), "learner": learner, "seconds": time.perf_counter() - since}
        return Decision(int(move), points, report)


class AnewPlayer(Player):
    """Learns before its first move, from what the game's own random key decides."""

    agent: QLearningAgent

    def __init__(self, agent: QLearningAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self._mind = agent._new_mind()

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        from ludometer.agents.qlearning_anew_kernels import train_anew

        game, asked = self.agent.game, stop or Stop()
        mind = self._mind._replace(stop=asked.flag)
        since = time.perf_counter()
        if not mind.is_trained[0] and not train_anew(game.rules, mind, np.uint64(key), np.empty(game.move_bound, np.int32)):
            asked.check(f"the training at {game.spec}")
            raise LudometerError(f"training for a game of {game.spec} diverged; use a smaller alpha, or normalise=yes")
        decision = self.agent.decide(mind.memory, position, key)
        return replace(decision, report={**decision.report, "seconds": time.perf_counter() - since})
