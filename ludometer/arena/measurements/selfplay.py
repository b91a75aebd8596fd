"""Self-play: choices, length and results of the games of an agent against itself.

Unit i of the series is one game, from the start of the game, with a seed of its own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.agents import AgentLike
from ludometer.arena.measurements.pairs import origin_of
from ludometer.arena.measurements.random_states import random_states
from ludometer.arena.measurements.single_agent import OneAgent
from ludometer.arena.measurements.solutions import solution_of
from ludometer.arena.play.compiled_games import game_seed, position_of, rows_of
from ludometer.arena.play.compiled_games import play_games as play_compiled
from ludometer.arena.play.playing import play_on
from ludometer.arena.play.roster import agent_named, enter, identity
from ludometer.arena.play.session import Session
from ludometer.arena.statistics.means import mean_interval
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.work.series import MeasuredUnits
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST, WIN
from ludometer.core.random import stream
from ludometer.core.record import Record
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game as find_game

SEEN = 4096  # moves of a game whose choices are counted
SEARCH = "alphabeta:nodes=2000,goal=win"  # searches for forced wins in games without an exact solution
BIRTHDAYS = 1 << 17  # random games for an estimate of how many states there are
_TRIALS = 256  # of them for their length


@dataclass(frozen=True)
class SelfPlay(OneAgent):
    """Series of games of an agent against itself, named by specs so that another process can do the work."""

    game: str
    agent: str
    seed: int = 0
    ply_limit: int | None = None

    @classmethod
    def of(cls, game: Game, agent: AgentLike, seed: int = 0, ply_limit: int | None = None) -> SelfPlay:
        return cls(game.reference, enter(game, agent), seed, game.kind.ply_limit if ply_limit is None else ply_limit)

    def key(self) -> dict[str, Any]:
        return self.key_of("game against oneself", seed=self.seed, ply_limit=self.ply_limit)

    def __str__(self) -> str:
        return f"{self.agent} against itself at {find_game(self.game).spec}"

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> MeasuredUnits:
        """Play games `first` … `first + count − 1`; raises Stopped once asked."""
        began = time.perf_counter()
        if self.is_compiled:
            outcomes = self._play_compiled(first, count, stop or Stop())
        else:
            outcomes = self._play_in_python(first, count, stop)
        results, margins, lengths, moves = outcomes
        units: dict[str, np.ndarray] = {"result": results, "margin": margins, "length": lengths}
        units |= self._choices(lengths, moves)
        return MeasuredUnits(units, time.perf_counter() - began)

    def _play_compiled(self, first: int, count: int, stop: Stop) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
        game, agent = find_game(self.game), agent_named(self.game, self.agent)
        seeds = np.array([game_seed(self.seed, number) for number in range(first, first + count)], np.uint64)
        room = SEEN if self.ply_limit is None else min(SEEN, self.ply_limit)
        games = play_compiled(game, agent, agent, seeds, ply_limit=self.ply_limit, room=room, stop=stop)
        if len(games) < count:
            raise Stopped("the games were stopped")
        assert games.moves is not None
        moves = [row[: min(int(length), room)] for row, length in zip(games.moves, games.lengths)]
        return games.results, games.margins, games.lengths, moves

    def _play_in_python(self, first: int, count: int, stop: Stop | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
        results, margins, lengths, moves = [], [], [], []
        for number in range(first, first + count):
            session = self._session(number, stop)
            last = session.position
            side = 1 if last.player == FIRST else -1
            results.append(side * last.outcome if last.is_over else 0)
            margins.append(side * last.margin)
            lengths.append(session.ply)
            moves.append(np.array([turn.move for turn in session.turns[:SEEN]], np.int32))
        return np.array(results, np.int8), np.array(margins, np.int32), np.array(lengths, np.int32), moves

    def _session(self, number: int, stop: Stop | None = None) -> Session:
        agent, seed = agent_named(self.game, self.agent), game_seed(self.seed, number)
        session = Session(self.game, ply_limit=self.ply_limit, first=str(agent), second=str(agent), seed=seed)
        return play_on(session, (agent, agent), stop=stop)

    def _choices(self, lengths: np.ndarray, moves: list[np.ndarray]) -> dict[str, np.ndarray]:
        """Of each game: mean number of legal moves, sum of their decimal logarithms, and share of moves without a choice."""
        from ludometer.arena.measurements.random_states_kernels import count_choices

        game = find_game(self.game)
        row = rows_of([game.start()])[0]
        mean, logs, single = np.zeros(len(moves)), np.zeros(len(moves)), np.zeros(len(moves))
        for place, made in enumerate(moves):
            choices, keys = np.zeros(len(made), np.int64), np.zeros(len(made), np.uint64)
            count_choices(game.rules, row, made, choices, keys)
            if len(made):
                mean[place] = choices.mean()
                logs[place] = np.log10(choices).sum() * lengths[place] / len(made)
                single[place] = (choices == 1).mean()
        return {"choices": mean, "log_choices": logs, "single": single}

    def record(self, number: int) -> Record:
        """Record of one game, replayed move for move."""
        return self._session(number).record()


@dataclass(frozen=True)
class IntervalEstimate:
    """A number with its 95 % interval."""

    value: float
    interval: Interval

    def document(self) -> dict[str, Any]:
        return {"value": self.value, "interval": [self.interval.low, self.interval.high]}


@dataclass(frozen=True)
class GameFacts:
    """Statistics of the games of one agent against itself."""

    agent: str
    games: int
    branching: IntervalEstimate  # mean number of legal moves
    single: IntervalEstimate  # share of moves without a choice
    length: IntervalEstimate
    longest: int
    unfinished: float  # share of games that were drawn for their length
    first_player: IntervalEstimate  # score of the first player minus ½
    draws: IntervalEstimate
    tree: IntervalEstimate  # decimal logarithm of the size of the game tree, from the choices in these games

    def document(self) -> dict[str, Any]:
        """For JSON."""
        names = ("branching", "single", "length", "first_player", "draws", "tree")
        return {
            "agent": self.agent,
            "games": self.games,
            "longest": self.longest,
            "unfinished": self.unfinished,
            **{name: getattr(self, name).document() for name in names},
        }

    def __str__(self) -> str:
        from ludometer.view.results.measurements import self_play_text

        return self_play_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.measurements import self_play_html

        return self_play_html(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each estimate: value, low, high; needs pandas."""
        return data_frame(
            {"measure": name, "value": one.value, "low": one.interval.low, "high": one.interval.high} for name, one in self.measures()
        )

    def measures(self) -> list[tuple[str, IntervalEstimate]]:
        """(name, estimate) of all estimates."""
        return [(name, one) for name, one in vars(self).items() if isinstance(one, IntervalEstimate)]


def facts(subject: SelfPlay, units: Mapping[str, np.ndarray]) -> GameFacts:
    """Statistics of the units of a `SelfPlay`, which are independent; raises LudometerError without a unit."""
    from ludometer.arena.statistics.match_statistics import clopper_pearson
    from ludometer.arena.statistics.pair_bounds import score_interval

    results, lengths = units["result"].astype(np.int64), units["length"].astype(np.int64)
    if not len(results):
        raise LudometerError(f"{subject}: no game was finished")
    losses, draws, wins = (int((results == value).sum()) for value in (-1, 0, 1))
    score = score_interval((losses, 0, draws, 0, wins))
    at_limit = 0.0 if subject.ply_limit is None else float(((lengths >= subject.ply_limit) & (results == 0)).mean())
    return GameFacts(
        agent=subject.agent,
        games=len(results),
        branching=_mean(units["choices"], weights=lengths),
        single=_mean_share(units["single"]),
        length=_mean(lengths),
        longest=int(lengths.max()),
        unfinished=at_limit,
        first_player=IntervalEstimate(float(results.mean() / 2), Interval(score.low - 0.5, score.high - 0.5)),
        draws=IntervalEstimate(draws / len(results), clopper_pearson(draws, len(results))),
        tree=_mean(units["log_choices"]),
    )


def _mean(values: np.ndarray, weights: np.ndarray | None = None) -> IntervalEstimate:
    """The mean over games; with weights, over the moves of all games (a ratio of means, its interval by linearisation)."""
    numbers = values.astype(np.float64)
    if weights is None:
        return IntervalEstimate(float(numbers.mean()), mean_interval(numbers))
    share = weights / max(1.0, float(weights.mean()))
    centre = float((numbers * share).mean())
    around = mean_interval((numbers - centre) * share)
    return IntervalEstimate(centre, Interval(centre + around.low, centre + around.high))


def _mean_share(values: np.ndarray) -> IntervalEstimate:
    """Mean over games of a share; the interval has a positive width even if the share is 0 or 1 in all games."""
    from ludometer.arena.statistics.match_statistics import kl_interval

    mean = float(values.mean(dtype=np.float64))
    return IntervalEstimate(mean, kl_interval(mean, len(values)))


@dataclass(frozen=True)
class ForcedWins:
    """Series of forced wins at random positions, by the exact solution or by a search of limited size."""

    game: str
    seed: int = 0
    tables: str | None = None  # None: by search

    def key(self) -> dict[str, Any]:
        game = find_game(self.game)
        by = "solution" if self.tables is not None else identity(self.game, SEARCH)
        return {
            "unit": "forced win",
            "game": game.spec,
            "by": by,
            "seed": self.seed,
            **origin_of(game),
        }

    @property
    def is_compiled(self) -> bool:
        return True

    @property
    def is_local(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"forced wins at {find_game(self.game).spec}"

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> MeasuredUnits:
        began = time.perf_counter()
        game = find_game(self.game)
        won = np.zeros(count, np.uint8)
        for place, row in enumerate(random_states(game, self.seed, first, first + count)):
            if stop is not None:
                stop.check("the search for forced wins")
            position = position_of(game, row)
            if self.tables is not None:
                won[place] = solution_of(self.game, self.tables).value(position).outcome == WIN
            else:
                decision = agent_named(self.game, SEARCH).choose(position, stream(self.seed, "forced", first + place))
                won[place] = isinstance(decision, Decision) and decision.value == 1.0
        return MeasuredUnits({"won": won}, time.perf_counter() - began)


@dataclass(frozen=True)
class StateCount:
    """Number of states of a game, or a lower bound of it."""

    count: float
    is_exact: bool
    how: str


def states_at_least(game: Game, seed: int = 0, games: int = BIRTHDAYS) -> StateCount:
    """Lower bound (95 %) of the number of states, from the share of random games that agree at half their mean length.

    Two positions drawn with probabilities p agree with probability Σp², and 1/Σp² is at most their number.
    """
    from scipy.special import chdtri

    from ludometer.arena.measurements.random_states_kernels import draw_keys

    lengths = SelfPlay.of(game, "random", seed).work(0, _TRIALS, 0.0, None).units["length"]
    plies = int(lengths.mean()) // 2
    keys = np.zeros(games, np.uint64)
    count = int(draw_keys(game.rules, stream(seed, "birthday"), plies, keys, np.empty(game.move_bound, np.int32)))
    times = np.unique(keys[:count], return_counts=True)[1].astype(np.float64)
    agreeing = float((times * (times - 1) / 2).sum())
    most = float(chdtri(2 * (agreeing + 1), 0.05)) / 2  # agreements are rare events: the upper limit of a Poisson mean
    bound = count * (count - 1) / 2 / most
    if bound < len(times):
        return StateCount(float(len(times)), False, f"number of different positions after {plies} moves of {games:,} random games")
    how = f"at least (95 %), from {int(agreeing):,} agreements among {count:,} positions after {plies} moves of random games"
    return StateCount(bound, False, how)
