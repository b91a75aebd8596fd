"""Q-learning: an agent that plays training games against itself before its first move, and then moves by what it has learnt.

    qlearning:1000                                           1000 training games, the game's usual learner
    qlearning:20000,learner=tabular,update=step              another learner
    qlearning:weights=FILE                                   what `ludometer learn` has written

    learner     remembers                                      as in
    linear      weights for every move and feature of a state   the Quixo study, section 2.4
    tabular     a number for every state and move met           the Ultimate Tic-Tac-Toe study, section VIII
    heuristic   weights for features of the state after a move  the same, its second attempt
    binary      a number for every pattern of yes-or-no         the same, conjectured to do better
                features of the state after a move

Training is seeded by the option `seed` alone and done once per process and spec; playing takes no time to speak of.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import MISSING, asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
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

_USUAL_PLIES = 4  # two moves of each player

# What the program of the Quixo study did, said or not said in its report.
QUIXO_STUDY = (
    ("learner", "linear"),
    ("update", "game"),
    ("stages", "one"),
    ("starts", "random"),
    ("alpha", 0.5),
    ("decay", 0.0005),
    ("normalise", False),
    ("gamma", 0.99999),
    ("epsilon", 0.01),
    ("opponent", "self"),
    ("divided", True),
    ("target", "all"),
    ("discounted", True),
    ("longest", 500),
    ("overlong", "again"),
    ("anew", True),
    ("kinds", True),
)

AGENT = AgentKind(
    name="qlearning",
    title="Q-learning",
    home="ludometer.agents.qlearning_agent:QLearningAgent",
    main="iterations",
    options=(
        Option("iterations", 1000, "training games", least=0, most=10**9, outside=10_000),
        Option("learner", "usual", "what is remembered: linear where the game has features, else tabular", choices=("usual", *LEARNERS)),
        Option("update", "usual", "learn after every step or backwards from the end of a game", choices=("usual", "step", "game")),
        Option("stages", "usual", "two: no random moves in the second half of the training", choices=("usual", "one", "two")),
        Option("starts", "usual", "where training games begin", choices=("usual", "random", "beginning")),
        Option("alpha", 0.5, "learning rate at first", least=0.0, most=1e6, outside=True),
        Option("decay", 0.0005, "share of the learning rate lost with every game", least=0.0, most=1.0, outside=True),
        Option("normalise", True, "measure the learning rate against the size of the features"),
        Option("gamma", 0.99999, "how much the next state's value counts", least=0.0, most=1.0, outside=True),
        Option("epsilon", 0.01, "probability of a random move while exploring", least=0.0, most=1.0, outside=True),
        Option("opponent", "self", "who plays the other side in training", choices=("self", "random", "alphabeta")),
        Option("plies", _USUAL_PLIES, "how far ahead the opponent alphabeta looks", least=1, most=12, outside=4),
        Option("divided", False, "divide the features by their number; with normalise=no"),
        Option("target", "legal", "moves among which the best one gives a state's value; all: legal or not", choices=("legal", "all")),
        Option("discounted", False, "count the result of a game gamma times too"),
        Option("longest", 0, "moves of a training game at most; 0: the game's own limit", least=0, most=10**6, outside=1000),
        Option("overlong", "learnt", "games of more moves are learnt from, or begin again", choices=("learnt", "again")),
        Option("anew", False, "train anew before the first move of every game"),
        Option("kinds", False, "weights of their own for moves of each kind that the game tells apart; for learner=linear"),
        Option("study", "none", "all settings of a study's program", choices=("none", "quixo"), implies=(("quixo", QUIXO_STUDY),)),
        Option("score", "", "evaluation whose changes are rewards; not for the linear learner", outside=True),
        Option("seed", 0, "decides all chance in the training", outside=True),
        Option("weights", "", "file with what was learnt, instead of training", file=True),
    ),
)

FORMAT = "ludometer weights"
VERSION = 2  # 2: keys of m,n,k positions are others
NOISE = 1e-6  # of the weights that a linear learner begins with
_FIRST_PLACES = 1 << 14  # of a table of pairs, at first


@dataclass(frozen=True)
class Settings:
    """How a learner is trained; every field is an option of the agent."""

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
    divided: bool = False
    target: str = "legal"
    discounted: bool = False
    longest: int = 0
    overlong: str = "learnt"
    anew: bool = False
    kinds: bool = False
    plies: int = _USUAL_PLIES


@dataclass(frozen=True)
class Knowledge:
    """What was learnt about a game, and how."""

    game: Game
    settings: Settings
    memory: Any  # one of the memories of `qlearning_kernels`
    moves_made: int = 0  # in all training games


def settle(game: Game, **options: Any) -> Settings:
    """Settings from the agent's options, with everything usual decided; raises SpecError for what the game has no means for."""
    given = AGENT.defaults(options) | options
    for name in ("weights", "study"):
        given.pop(name)
    features, patterns = _sizes(game)[1:3]
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
    _refuse_what_contradicts(given)
    if not given["score"] and learner != "linear":
        from ludometer.core.protocol.learning import learning_score

        given["score"] = learning_score(game)
    return Settings(**given)


def _refuse_what_contradicts(given: dict[str, Any]) -> None:
    """Raise SpecError for options that do not fit the learner or each other."""
    learner = given["learner"]
    if given["target"] == "all" and learner != "linear":
        raise SpecError("agent qlearning: target=all needs learner=linear, which alone has a quality for moves that are not legal")
    if given["kinds"] and learner != "linear":
        raise SpecError("agent qlearning: kinds=yes needs learner=linear, which alone has weights for single moves")
    if given["divided"] and learner not in ("linear", "heuristic"):
        raise SpecError(f"agent qlearning: divided=yes needs features, which the {learner} learner does not look at")
    if given["divided"] and given["normalise"]:
        raise SpecError("agent qlearning: with normalise=yes the size of the features does not matter; write normalise=no with divided=yes")
    if given["overlong"] == "again" and given["update"] != "game":
        raise SpecError("agent qlearning: overlong=again needs update=game: after each step, the moves so far are learnt already")
    if given["anew"] and learner == "tabular":
        raise SpecError("agent qlearning: anew needs learner=linear, heuristic or binary, whose memory does not grow")


@lru_cache(maxsize=16)
def trained(game: Game, settings: Settings) -> Knowledge:
    """What these settings teach about a game; remembered, since every game of a match asks again."""
    return train(game, settings)


def train(game: Game, settings: Settings, progress: OnProgress | None = None, stop: Stop | None = None) -> Knowledge:
    """Train a learner; `progress` is told (games played, games in all, text) now and then.

    Raises LudometerError if it diverges, and Stopped once `stop` is asked.
    """
    from ludometer.agents import qlearning_kernels as kernels
    from ludometer.core.random import stream

    stop = stop or Stop()
    memory = new_memory(game, settings)
    lessons = lessons_of(game, settings)
    opponent = opponent_of(game, settings, stop)
    longest = longest_game(game, settings)
    moves, buffer = np.empty(longest, np.int32), np.empty(game.move_bound, np.int32)
    done = moves_made = 0
    block = max(1, min(settings.iterations // 100, 10_000))
    while done < settings.iterations:
        if settings.learner == "tabular" and kernels.room(memory) < longest:
            memory = _with_more_room(memory)
        until = min(settings.iterations, done + block)
        played, made = kernels.train(
            game.rules, memory, lessons, opponent, stream(settings.seed, "training"), done, until, moves, buffer, stop.flag
        )
        stop.check(f"the training at {game.spec}")
        done += int(played)
        moves_made += int(made)
        numbers = memory.weights if hasattr(memory, "weights") else memory.values
        if not np.isfinite(numbers).all():
            raise LudometerError(f"training diverged after {done} games of {game.spec}; use a smaller alpha, or normalise=yes")
        if progress is not None:
            progress(done, settings.iterations, "training games")
    return Knowledge(game, settings, memory, moves_made)


def longest_game(game: Game, settings: Settings) -> int:
    """Moves of a training game at most."""
    from ludometer.agents.qlearning_kernels import LONGEST_GAME

    return settings.longest or game.kind.ply_limit or LONGEST_GAME


def first_noise(game: Game, settings: Settings) -> float:
    """The weights of a linear learner begin at random between minus this and this."""
    return NOISE / _sizes(game)[1] if settings.divided else NOISE


def lessons_of(game: Game, settings: Settings) -> Any:
    """The settings as compiled code reads them."""
    from ludometer.agents.qlearning_kernels import SCORE_OF_WIN, Lessons

    # W · (f/F) with steps of alpha is W/F · f with steps of alpha/F²: the weights kept are those for the features themselves.
    return Lessons(
        alpha=settings.alpha / _sizes(game)[1] ** 2 if settings.divided else settings.alpha,
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
        all_moves=int(settings.target == "all"),
        discounted_ends=int(settings.discounted),
        starts_again=int(settings.overlong == "again"),
    )


def opponent_of(game: Game, settings: Settings, stop: Stop) -> Any:
    """The mind of the other side in training; where learners play themselves it is never asked."""
    from ludometer.agents.qlearning_kernels import RandomOpponent

    if settings.opponent != "alphabeta":
        return RandomOpponent(0)
    from ludometer.agents import agent

    return agent(f"alphabeta:{settings.plies}", game).mind(stop)


def new_memory(game: Game, settings: Settings) -> Any:
    """The memory of a learner that knows nothing yet."""
    from ludometer.agents import qlearning_kernels as kernels
    from ludometer.core.random import stream

    moves, features, patterns, kinds = _sizes(game)
    if settings.learner == "linear":
        rows = moves * kinds if settings.kinds else moves
        noise = first_noise(game, settings)
        weights = np.random.Generator(np.random.PCG64(int(stream(settings.seed, "weights")))).uniform(-noise, noise, (rows, features))
        return kernels.LinearMemory(weights, np.zeros(features))
    if settings.learner == "heuristic":
        return kernels.FeatureMemory(np.zeros(features), np.zeros(features))
    if settings.learner == "binary":
        return kernels.PatternMemory(np.zeros(patterns), np.zeros(patterns, np.int64))
    return _table(_FIRST_PLACES)


def _table(places: int) -> Any:
    from ludometer.agents.qlearning_kernels import TableMemory

    return TableMemory(np.zeros(places, np.uint64), np.zeros(places), np.zeros(1, np.int64), np.zeros(1, np.uint64))


def _with_more_room(memory: Any) -> Any:
    """The same table with twice the places."""
    from ludometer.agents.qlearning_kernels import move_pairs

    larger = _table(2 * len(memory.keys))
    move_pairs(memory.keys, memory.values, larger.keys, larger.values)
    larger.pairs[0] = memory.pairs[0]
    return larger


def _evaluations(game: Game) -> tuple[str, ...]:
    from ludometer.core.protocol.searching import evaluations

    return evaluations(game)


def _sizes(game: Game) -> tuple[int, int, int, int]:
    """(moves, features, patterns, kinds of moves)."""
    from ludometer.agents.qlearning_kernels import sizes

    moves, features, patterns, kinds = sizes(game.rules)
    return int(moves), int(features), int(patterns), int(kinds)


def save(knowledge: Knowledge, path: str | Path) -> Path:
    """Write what was learnt into a file, whole or not at all; raises LudometerError."""
    from ludometer.core.files import write_text

    memory = knowledge.memory
    if knowledge.settings.learner == "tabular":  # without the free places
        used = memory.keys != 0
        order = np.argsort(memory.keys[used])
        arrays = {"keys": memory.keys[used][order], "values": memory.values[used][order]}
    else:
        arrays = {name: array for name, array in memory._asdict().items() if name != "seen"}
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": knowledge.game.spec,
        "settings": asdict(knowledge.settings),
        "moves_made": knowledge.moves_made,
        "arrays": {name: _encoded(array) for name, array in arrays.items()},
    }
    document["checksum"] = _checksum(document)
    return write_text(path, json.dumps(document, indent=1) + "\n")


def load(path: str | Path, game: Game) -> Knowledge:
    """Read what `save` has written for this game; raises LudometerError for a file that is damaged or meant for another."""
    from ludometer.core.files import read_text

    def refused(reason: str) -> LudometerError:
        return LudometerError(f"weights {shorten(str(path))}: {reason}")

    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise refused("not a file of weights; `ludometer learn` writes them") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise refused("not a file of weights; `ludometer learn` writes them")
    if document.get("version") != VERSION:
        raise refused(f"written in format version {shorten(str(document.get('version')))}, this program reads {VERSION}")
    if document.get("game") != game.spec:
        raise refused(f"learnt for {shorten(str(document.get('game')))}, not for {game.spec}")
    if document.pop("checksum", None) != _checksum(document):
        raise refused("damaged, its checksum is wrong; learn again")
    try:
        said = document["settings"]
        settings = Settings(
            **{field.name: said[field.name] for field in fields(Settings) if field.default is MISSING or field.name in said}
        )
        arrays = {name: _decoded(array) for name, array in document["arrays"].items()}
        memory = _memory_of(game, settings, arrays)
        moves_made = int(document["moves_made"])
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error):
        raise refused(f"its contents do not fit {game.spec}; learn again") from None
    return Knowledge(game, settings, memory, moves_made)


def _memory_of(game: Game, settings: Settings, arrays: dict[str, np.ndarray]) -> Any:
    """The memory with these arrays; raises ValueError or KeyError if they are not what this learner has."""
    if settings.learner == "tabular":
        keys, values = arrays["keys"], arrays["values"]
        if keys.dtype != np.uint64 or values.dtype != np.float64 or keys.shape != values.shape or keys.ndim != 1:
            raise ValueError("not a table")
        if not np.isfinite(values).all() or (keys == 0).any():
            raise ValueError("not a table")
        memory = _table(max(_FIRST_PLACES, 1 << (4 * len(keys)).bit_length()))
        from ludometer.agents.qlearning_kernels import move_pairs

        move_pairs(keys, values, memory.keys, memory.values)
        memory.pairs[0] = len(keys)
        return memory
    if settings.learner not in LEARNERS:
        raise ValueError(settings.learner)
    memory = new_memory(game, settings)
    for name, place in memory._asdict().items():
        if name == "seen":
            continue
        array = arrays[name]
        if array.dtype != place.dtype or array.shape != place.shape or not np.isfinite(array).all():
            raise ValueError(name)
        place[...] = array
    return memory


def _encoded(array: np.ndarray) -> dict[str, Any]:
    little = array.astype(array.dtype.newbyteorder("<"))
    return {"type": array.dtype.name, "shape": list(array.shape), "data": base64.b64encode(little.tobytes()).decode()}


def _decoded(entry: dict[str, Any]) -> np.ndarray:
    if entry["type"] not in ("float64", "uint64", "int64"):
        raise ValueError(entry["type"])
    data = base64.b64decode(entry["data"], validate=True)
    return np.frombuffer(data, np.dtype(entry["type"]).newbyteorder("<")).reshape(entry["shape"]).astype(entry["type"])


def _checksum(document: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def inspect(knowledge: Knowledge, most: int = 20) -> list[dict[str, Any]]:
    """What was learnt as rows for people.

    linear: a row per feature with the mean weight over all moves and the moves it speaks for and against most.  heuristic: a row per
    feature with its weight.  binary: the patterns corrected most often, with the answers behind them and their value.  tabular: one row
    with the number of pairs and the range of their values.
    """
    from ludometer.core.protocol.learning import feature_names, pattern_names

    game, memory, learner = knowledge.game, knowledge.memory, knowledge.settings.learner
    if learner == "tabular":
        values = memory.values[memory.keys != 0]
        return [{"pairs": int(memory.pairs[0]), "lowest": float(values.min(initial=0.0)), "highest": float(values.max(initial=0.0))}]
    if learner == "binary":
        questions = pattern_names(game)
        often = [int(place) for place in np.argsort(-memory.visits, kind="stable")[:most] if memory.visits[place]]
        return [
            {
                "visits": int(memory.visits[place]),
                "value": float(memory.values[place]),
                "pattern": ", ".join(text for bit, text in enumerate(questions) if place >> bit & 1) or "none of all",
            }
            for place in often
        ]
    names = feature_names(game)
    if learner == "heuristic":
        return [{"feature": name, "weight": float(weight)} for name, weight in zip(names, memory.weights)]
    start = game.start()
    return [
        {
            "feature": name,
            "mean": float(column.mean()),
            "highest": float(column.max()),
            "for": start.move_text(int(column.argmax())),
            "lowest": float(column.min()),
            "against": start.move_text(int(column.argmin())),
        }
        for name, column in zip(names, memory.weights.T)
    ]
