"""The study's Q-learning: its program differs from its text (docs/results/study-000.md)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.qlearning import NOISE, Training, longest_game, random_weights, sizes_of
from ludometer.agents.qlearning_agent import decide_by, with_own_scratch
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.qlearning_memory_kernels import LinearMemory
    from ludometer.core.position import Position
    from ludometer.studies.study_000.learner_kernels import CompiledLearner, KindMemory, StudyLessons


@dataclass(frozen=True)
class LearnerOptions:
    """The options of `study000:qlearning`, by the names in `studies.study_000.agents`."""

    iterations: int
    alpha: float
    decay: float
    gamma: float
    epsilon: float
    divided: bool
    target: str
    discounted: bool
    longest: int
    overlong: str
    anew: bool
    kinds: bool
    seed: int

    def noise(self, game: Game) -> float:
        """Bound of the initial weights."""
        return NOISE / sizes_of(game)[1] if self.divided else NOISE

    def memory(self, game: Game) -> LinearMemory | KindMemory:
        """The memory of an untrained learner."""
        from ludometer.agents.qlearning_memory_kernels import LinearMemory
        from ludometer.studies.study_000.learner_kernels import KindMemory

        moves, features, _, kinds = sizes_of(game)
        rows, made = (moves * kinds, KindMemory) if self.kinds else (moves, LinearMemory)
        return made(random_weights(self.seed, self.noise(game), rows, features), np.zeros(features))

    def lessons(self, game: Game) -> StudyLessons:
        """The options for compiled code."""
        from ludometer.agents.qlearning_kernels import Lessons
        from ludometer.studies.study_000.learner_kernels import study_lessons

        usual = Lessons(
            # W · (f/F) with steps of alpha equals W/F · f with steps of alpha/F²: the stored weights are those of the undivided features.
            alpha=self.alpha / sizes_of(game)[1] ** 2 if self.divided else self.alpha,
            decay=self.decay,
            normalised=0,
            gamma=self.gamma,
            epsilon=self.epsilon,
            exploring=self.iterations,
            score=-1,
            score_share=0.0,
            random_starts=1,
            whole_games=1,
            has_opponent=0,
        )
        return study_lessons(usual, self.target == "all", self.discounted, self.overlong == "again")


class LearnerAgent(Agent):
    """A linear learner that makes the move of highest quality, breaking ties at random."""

    def __init__(self, game: Game, spec: str, **options: Any) -> None:
        super().__init__(game, spec)
        self.options = LearnerOptions(**options)
        if not sizes_of(game)[1]:
            raise SpecError(f"agent study000:qlearning cannot play {game.spec}: it needs features of the game")
        self._memory = None if self.options.anew else _trained(game, self.options)

    def compiled_player(self, stop: Stop | None = None) -> Any:
        """The compiled player: with `anew` an untrained one, otherwise the memory."""
        return self.new_learner(stop) if self._memory is None else with_own_scratch(self._memory)

    def new_learner(self, stop: Stop | None = None) -> CompiledLearner:
        """An untrained player."""
        from ludometer.studies.study_000.learner_kernels import CompiledLearner

        options = self.options
        return CompiledLearner(
            memory=options.memory(self.game),
            lessons=options.lessons(self.game),
            games=options.iterations,
            noise=options.noise(self.game),
            seed=options.seed & (2**63 - 1),
            moves=np.empty(longest_game(self.game, options.longest), np.int32),
            is_trained=np.zeros(1, np.int64),
            stop=(stop or Stop()).flag,
        )

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> Player:
        made = LearningPlayer if self.options.anew else Player
        return made(self, start or self.game.start(), side, ply_limit)

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        if self.options.anew:
            return LearningPlayer(self, position, position.player, None).choose(position, key, stop)
        return decide_by(self.compiled_player(), "linear", position, key)


@lru_cache(maxsize=16)
def _trained(game: Game, options: LearnerOptions) -> LinearMemory | KindMemory:
    """The memory after training; cached, since every game of a match asks again."""
    from ludometer.agents.qlearning_kernels import RandomOpponent

    training = Training(
        memory=options.memory(game),
        lessons=options.lessons(game),
        opponent=RandomOpponent(0),
        iterations=options.iterations,
        longest=longest_game(game, options.longest),
        seed=options.seed,
    )
    training.run(game, None, Stop())
    trained: LinearMemory | KindMemory = training.memory
    return trained


class LearningPlayer(Player):
    """Is trained before its first move, with random numbers of the game."""

    agent: LearnerAgent

    def __init__(self, agent: LearnerAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self.learner = agent.new_learner()

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        from ludometer.studies.study_000.learner_kernels import train_anew

        game, asked = self.agent.game, stop or Stop()
        learner = self.learner._replace(stop=asked.flag)
        since = time.perf_counter()
        if not learner.is_trained[0] and not train_anew(game.rules, learner, np.uint64(key), np.empty(game.move_bound, np.int32)):
            asked.check(f"the training at {game.spec}")
            raise LudometerError(f"training for a game of {game.spec} diverged; use a smaller alpha")
        decision = decide_by(learner.memory, "linear", position, key)
        return replace(decision, report={**decision.report, "seconds": time.perf_counter() - since})
