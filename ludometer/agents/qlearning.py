"""Q-learning: an agent that plays training games against itself before its first move, and then makes the move of highest quality.

    qlearning:1000                                           1000 training games, the game's usual learner
    qlearning:20000,learner=tabular,update=step              another learner
    qlearning:weights=FILE                                   weights written by `ludometer learn`

    learner     learns                                          as in
    linear      weights for every move and feature of a state   the Quixo study, section 2.4
    tabular     a value for every state and move met            the Ultimate Tic-Tac-Toe study, section VIII
    heuristic   weights for features of the state after a move  the same, its second attempt
    binary      a value for every pattern of yes-or-no          the same, conjectured to do better
                features of the state after a move

Training is decided by the option `seed` alone and done once per process and spec.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ludometer.core.agent import AgentKind, Option
from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop

LEARNERS = ("linear", "tabular", "heuristic", "binary")
USUAL_UPDATE = {"linear": "game", "tabular": "step", "heuristic": "step", "binary": "game"}
USUAL_STAGES = {"linear": "one", "tabular": "two", "heuristic": "two", "binary": "one"}
USUAL_STARTS = {"linear": "random", "tabular": "beginning", "heuristic": "beginning", "binary": "beginning"}

_USUAL_PLIES = 4

AGENT = AgentKind(
    name="qlearning",
    title="Q-learning",
    home="ludometer.agents.qlearning_agent:QLearningAgent",
    main="iterations",
    options=(
        Option("iterations", 1000, "training games", least=0, most=10**9, outside=10_000),
        Option(
            "learner", "usual", "what is learnt; usual: linear if the game has features, otherwise tabular", choices=("usual", *LEARNERS)
        ),
        Option("update", "usual", "learn after every move, or backwards from the end of a game", choices=("usual", "step", "game")),
        Option("stages", "usual", "two: no random moves in the second half of the training", choices=("usual", "one", "two")),
        Option("starts", "usual", "training games begin in random states, or at the beginning", choices=("usual", "random", "beginning")),
        Option("alpha", 0.5, "learning rate of the first game", least=0.0, most=1e6, outside=True),
        Option("decay", 0.0005, "share of the learning rate lost with every game", least=0.0, most=1.0, outside=True),
        Option("normalise", True, "divide the learning rate by the sum of the squared features"),
        Option("gamma", 0.99999, "discount of the next state's value", least=0.0, most=1.0, outside=True),
        Option("epsilon", 0.01, "probability of a random move while exploring", least=0.0, most=1.0, outside=True),
        Option("opponent", "self", "opponent in training: itself, random moves, or alphabeta", choices=("self", "random", "alphabeta")),
        Option("plies", _USUAL_PLIES, "depth in plies of opponent=alphabeta", least=1, most=12, outside=4),
        Option("longest", 0, "moves of a training game at most; 0: the game's own limit", least=0, most=10**6, outside=1000),
        Option("score", "", "evaluation whose changes are rewards; not for learner=linear", outside=True),
        Option("seed", 0, "seed of the training", outside=True),
        Option("weights", "", "file of weights written by `ludometer learn`, instead of training", file=True),
    ),
)

NOISE = 1e-6  # bound of the initial weights of a linear learner
_FIRST_PLACES = 1 << 14  # places of a new table


@dataclass(frozen=True)
class LearningSettings:
    """How a learner is trained; the fields are options of the agent."""

    iterations: int
    learner: str
    update: str
    stages: str
    starts: str
    alpha: float
    decay: float
    normalise: bool
    gamma: float
    epsilon: float
    opponent: str
    score: str
    seed: int
    longest: int = 0
    plies: int = _USUAL_PLIES


@dataclass(frozen=True)
class Knowledge:
    """The result of a training."""

    game: Game
    settings: LearningSettings
    memory: Any  # one of the memories of `qlearning_memory_kernels`
    moves_made: int = 0  # in all training games


def settle(game: Game, **options: Any) -> LearningSettings:
    """Settings from the agent's options, with the usual values filled in; raises SpecError for options that do not fit the game."""
    given = AGENT.defaults(options) | options
    given.pop("weights")
    features, patterns = sizes_of(game)[1:3]
    learner = given["learner"]
    if learner == "usual":
        learner = "linear" if features else "tabular"
    if learner in ("linear", "heuristic") and not features or learner == "binary" and not patterns:
        raise SpecError(f"agent qlearning cannot play {game.spec}: the {learner} learner needs features of the game; write learner=tabular")
    if given["plies"] != _USUAL_PLIES and given["opponent"] != "alphabeta":
        raise SpecError("agent qlearning: plies are those of opponent=alphabeta; add it or leave plies out")
    names = _evaluations(game)
    if given["score"] and learner == "linear":
        raise SpecError("agent qlearning: the linear learner is rewarded at the end of a game alone; leave out score=…")
    if given["score"] and given["score"] not in names:
        have = f"evaluations are {', '.join(names)}" if names else "it has no evaluations"
        raise SpecError(f"agent qlearning: {game.spec} has no evaluation {shorten(given['score'])}; {have}")
    usual = {"learner": learner, "update": USUAL_UPDATE[learner], "stages": USUAL_STAGES[learner], "starts": USUAL_STARTS[learner]}
    given |= {name: value for name, value in usual.items() if given[name] == "usual"}
    if not given["score"] and learner != "linear":
        from ludometer.core.protocol.learning import learning_score

        given["score"] = learning_score(game)
    return LearningSettings(**given)


@lru_cache(maxsize=16)
def trained(game: Game, settings: LearningSettings) -> Knowledge:
    """The result of training with these settings; cached, since every game of a match asks again."""
    return train(game, settings)


def train(game: Game, settings: LearningSettings, progress: OnProgress | None = None, stop: Stop | None = None) -> Knowledge:
    """Train a learner; `progress` is called with (games played, games in all, text).

    Raises LudometerError if training diverges, and Stopped once `stop` is asked.
    """
    stop = stop or Stop()
    training = Training(
        memory=new_memory(game, settings),
        lessons=_lessons(game, settings),
        opponent=_opponent(game, settings, stop),
        iterations=settings.iterations,
        longest=longest_game(game, settings.longest),
        seed=settings.seed,
    )
    moves_made = training.run(game, progress, stop)
    return Knowledge(game, settings, training.memory, moves_made)


@dataclass
class Training:
    """A training under way."""

    memory: Any  # one of the memories of `qlearning_memory_kernels`; replaced by a larger one when it is full
    lessons: Any  # see `qlearning_kernels`
    opponent: Any  # compiled player of the other side, if the lessons have one
    iterations: int  # games
    longest: int  # moves of a game at most
    seed: int

    def run(self, game: Game, progress: OnProgress | None, stop: Stop) -> int:
        """Play all training games; returns the number of moves made.  Raises LudometerError and Stopped as `train` does."""
        from ludometer.agents import qlearning_kernels as kernels
        from ludometer.agents.qlearning_memory_kernels import TableMemory, free_pairs
        from ludometer.core.random import stream

        moves, buffer = np.empty(self.longest, np.int32), np.empty(game.move_bound, np.int32)
        done = moves_made = 0
        block = max(1, min(self.iterations // 100, 10_000))
        while done < self.iterations:
            if isinstance(self.memory, TableMemory) and free_pairs(self.memory) < self.longest:
                self.memory = _enlarged(self.memory)
            until = min(self.iterations, done + block)
            key = stream(self.seed, "training")
            played, made = kernels.train(game.rules, self.memory, self.lessons, self.opponent, key, done, until, moves, buffer, stop.flag)
            stop.check(f"the training at {game.spec}")
            done += int(played)
            moves_made += int(made)
            numbers = self.memory.weights if hasattr(self.memory, "weights") else self.memory.values
            if not np.isfinite(numbers).all():
                raise LudometerError(f"training diverged after {done} games of {game.spec}; use a smaller alpha, or normalise=yes")
            if progress is not None:
                progress(done, self.iterations, "training games")
        return moves_made


def longest_game(game: Game, longest: int) -> int:
    """Moves of a training game at most: `longest`, or for 0 the game's own limit."""
    from ludometer.agents.qlearning_kernels import LONGEST_GAME

    return longest or game.kind.ply_limit or LONGEST_GAME


def _lessons(game: Game, settings: LearningSettings) -> Any:
    """The settings for compiled code."""
    from ludometer.agents.qlearning_kernels import SCORE_OF_WIN, Lessons

    return Lessons(
        alpha=settings.alpha,
        decay=settings.decay,
        normalised=int(settings.normalise),
        gamma=settings.gamma,
        epsilon=settings.epsilon,
        exploring=settings.iterations if settings.stages == "one" else settings.iterations // 2,
        score=_evaluations(game).index(settings.score) if settings.score else -1,
        score_share=0.0 if settings.learner == "linear" else 1.0 / SCORE_OF_WIN,
        random_starts=int(settings.starts == "random"),
        whole_games=int(settings.update == "game"),
        has_opponent=int(settings.opponent != "self"),
    )


def _opponent(game: Game, settings: LearningSettings, stop: Stop) -> Any:
    """The compiled player of the other side in training; never asked with opponent=self."""
    from ludometer.agents.qlearning_kernels import RandomOpponent

    if settings.opponent != "alphabeta":
        return RandomOpponent(0)
    from ludometer.agents import agent

    return agent(f"alphabeta:{settings.plies}", game).compiled_player(stop)


def new_memory(game: Game, settings: LearningSettings) -> Any:
    """The memory of an untrained learner."""
    from ludometer.agents import qlearning_memory_kernels as kernels

    moves, features, patterns, _ = sizes_of(game)
    if settings.learner == "linear":
        return kernels.LinearMemory(random_weights(settings.seed, NOISE, moves, features), np.zeros(features))
    if settings.learner == "heuristic":
        return kernels.FeatureMemory(np.zeros(features), np.zeros(features))
    if settings.learner == "binary":
        return kernels.PatternMemory(np.zeros(patterns), np.zeros(patterns, np.int64))
    return new_table(_FIRST_PLACES)


def random_weights(seed: int, noise: float, rows: int, columns: int) -> np.ndarray:
    """Weights between −noise and noise, decided by the seed."""
    from ludometer.core.random import stream

    source = np.random.Generator(np.random.PCG64(int(stream(seed, "weights"))))
    return source.uniform(-noise, noise, (rows, columns))


def new_table(places: int) -> Any:
    """An empty table of this many places, a power of two."""
    from ludometer.agents.qlearning_memory_kernels import TableMemory

    return TableMemory(np.zeros(places, np.uint64), np.zeros(places), np.zeros(1, np.int64), np.zeros(1, np.uint64))


def _enlarged(memory: Any) -> Any:
    """The same table with twice the places."""
    from ludometer.agents.qlearning_memory_kernels import move_pairs

    larger = new_table(2 * len(memory.keys))
    move_pairs(memory.keys, memory.values, larger.keys, larger.values)
    larger.pairs[0] = memory.pairs[0]
    return larger


def _evaluations(game: Game) -> tuple[str, ...]:
    from ludometer.core.protocol.searching import evaluations

    return evaluations(game)


def sizes_of(game: Game) -> tuple[int, int, int, int]:
    """(moves, features, patterns, kinds of moves) of a game; 0 for what it does not have."""
    from ludometer.agents.qlearning_memory_kernels import sizes

    moves, features, patterns, kinds = sizes(game.rules)
    return int(moves), int(features), int(patterns), int(kinds)
