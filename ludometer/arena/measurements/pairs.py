"""Seat-swapped pairs of games, the unit of measurement.

Pair p of a pairing is two games with the same seed and opening: A moves first in one, B in the other.  Seed and opening depend on the
pairing's seed and on p alone, so pairs can be played in any order and on any machine, and a single game can be replayed:

    game_record(pairing, 17)      # game 17 is the second game of pair 8

A pairing of an agent with itself is a *mirror*.  With the same seed and opening its two games would be identical, so each has its own.

A pairing whose agents both have compiled players is played by compiled code in threads.  Other pairings are played by Python in
processes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents import AgentLike
from ludometer.arena.play.compiled_games import game_seed, game_seeds, play_games, position_of, random_openings
from ludometer.arena.play.playing import play_on
from ludometer.arena.play.roster import agent_named, enter, identity, is_compiled, is_local
from ludometer.arena.play.session import Session
from ludometer.core.agent import DECISIONS
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, LOSS, SECOND, WIN
from ludometer.core.record import UNFINISHED, Record
from ludometer.core.rules_stamp import knowledge_stamp, rules_stamp
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game as find_game

if TYPE_CHECKING:
    from ludometer.core.position import Position

_RESULTS = {"1-0": WIN, "1/2-1/2": DRAW, "0-1": LOSS}
_FAST_PAIR = 100e-6  # seconds of processor time: for shorter pairs, reading the clock takes about as long as the moves


_effort: dict[Pairing, float] = {}  # seconds of processor time per pair, last measured in this process


@dataclass(frozen=True)
class Pairing:
    """Two agents at a game and all settings of their games, by name, so that it can be sent to another process."""

    game: str  # a reference that `lm.game` opens
    a: str
    b: str
    seed: int = 0
    opening_plies: int = 0  # random moves before the agents take over
    ply_limit: int | None = None  # moves, counted after the opening, after which a game is drawn; None: never

    @classmethod
    def of(
        cls, game: Game | str, a: AgentLike, b: AgentLike, seed: int = 0, opening_plies: int = 0, ply_limit: int | None = None
    ) -> Pairing:
        """The pairing with canonical specs; the default ply limit is the game's own.  Raises LudometerError."""
        game = find_game(game)
        if opening_plies < 0:
            raise LudometerError(f"an opening has 0 or more plies, not {opening_plies}")
        if ply_limit is not None and ply_limit < 1:
            raise LudometerError(f"a ply limit is 1 or more, not {ply_limit}")
        limit = game.kind.ply_limit if ply_limit is None else ply_limit
        return cls(game.reference, enter(game, a), enter(game, b), seed, opening_plies, limit)

    def key(self) -> dict[str, Any]:
        """Everything that the results depend on, for the store."""
        return dict(_key_of(self, tuple(identity(self.game, name) for name in (self.a, self.b))))

    def document(self) -> dict[str, Any]:
        """The fields as plain data; `Pairing(**document)` is the inverse."""
        return asdict(self)

    @property
    def is_compiled(self) -> bool:
        """Whether whole games can be played by compiled code."""
        return all(is_compiled(self.game, name) for name in (self.a, self.b))

    @property
    def is_local(self) -> bool:
        """Whether only this process has these agents."""
        return any(is_local(self.game, name) for name in (self.a, self.b))

    @property
    def is_mirror(self) -> bool:
        """Whether an agent plays against itself."""
        return self.a == self.b

    def work(self, first: int, count: int, pace: float = 0.0, stop: Stop | None = None) -> PairResults:
        """Play pairs `first` … `first + count − 1`; raises Stopped once asked, and LudometerError for an agent that has no move.

        Thinking is not timed if a pair takes less than 100 µs.  See `scheduler.Subject`.
        """
        if not self.is_compiled:
            return _play_in_python(self, first, count, stop or Stop())
        timed = pace == 0 or _effort.get(self, _FAST_PAIR) >= _FAST_PAIR
        return _play_compiled(self, first, count, timed, stop or Stop())

    def __str__(self) -> str:
        return f"{self.a} against {self.b} at {find_game(self.game).spec}"


@lru_cache(maxsize=1024)
def _key_of(pairing: Pairing, players: tuple[str, ...]) -> Mapping[str, Any]:
    game = find_game(pairing.game)
    return {
        "unit": "pair",
        "game": game.spec,
        "players": list(players),
        "seed": pairing.seed,
        "opening_plies": pairing.opening_plies,
        "ply_limit": pairing.ply_limit,
        **origin_of(game),
    }


@dataclass(frozen=True)
class PairResults:
    """Results of consecutive pairs; game 2i has A as the first player, game 2i + 1 has B."""

    results: np.ndarray  # int8 [game]: WIN, DRAW, LOSS of the first player
    margins: np.ndarray | None  # int32 [game]: final points of the first player minus the second's; None in games without points
    lengths: np.ndarray  # int32 [game]: moves made after the opening
    thinking: np.ndarray | None  # float64 [pair, 4]: seconds of A, moves of A, seconds of B, moves of B; None if not measured
    seconds: float = 0.0  # of work
    visits: np.ndarray | None = None  # int64 [pair, 4]: positions and decisions of A, positions and decisions of B; None if not counted

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays for the store, in the smallest types that hold the numbers."""
        longest = self.lengths.max(initial=0)
        lengths = self.lengths.astype(np.uint8 if longest < 2**8 else np.uint16 if longest < 2**16 else np.uint32)
        kept = {"results": self.results, "lengths": lengths}
        if self.margins is not None:
            kept["margins"] = self.margins.astype(np.int16)
        if self.thinking is not None:
            kept["thinking"] = self.thinking.astype(np.float32)
        if self.visits is not None:
            kept["visits"] = self.visits.astype(np.uint32 if self.visits.max(initial=0) < 2**32 else np.uint64)
        return kept


def pairs_of(games: int) -> int:
    """Number of seat-swapped pairs in `games` games; raises LudometerError for an odd number."""
    if games < 2 or games % 2:
        raise LudometerError(f"games are played in pairs with seats swapped, so their number is even and at least 2, not {games}")
    return games // 2


def origin_of(game: Game) -> dict[str, Any]:
    """Part of every key: stamps of the game's rules and of its knowledge for agents, and the version of the agents' decisions."""
    return {"rules": rules_stamp(game), "knowledge": knowledge_stamp(game), "decisions": DECISIONS}


def game_numbers(pairing: Pairing, pair: int) -> tuple[int, int]:
    """Numbers of the seeds and openings of the two games of a pair."""
    return (2 * pair, 2 * pair + 1) if pairing.is_mirror else (pair, pair)


def seed_of_game(pairing: Pairing, number: int) -> int:
    """Seed of a game for `play_game`."""
    return game_seed(pairing.seed, game_numbers(pairing, number // 2)[number % 2])


def opening_of_game(pairing: Pairing, number: int) -> Position:
    """Position at which a game begins."""
    game = find_game(pairing.game)
    if pairing.opening_plies == 0:
        return game.start()
    opening = game_numbers(pairing, number // 2)[number % 2]
    return position_of(game, random_openings(game, pairing.seed, opening, opening + 1, pairing.opening_plies)[0])


@lru_cache(maxsize=256)
def _prepare(pairing: Pairing) -> None:
    """Compile or load all functions before time is measured."""
    game = find_game(pairing.game)
    seeds = game_seeds(pairing.seed, 0, 0)
    play_games(game, agent_named(pairing.game, pairing.a), agent_named(pairing.game, pairing.b), seeds, ply_limit=pairing.ply_limit)


def _play_compiled(pairing: Pairing, first: int, count: int, timed: bool, stop: Stop) -> PairResults:
    _prepare(pairing)
    began, effort = time.perf_counter(), time.thread_time()
    game = find_game(pairing.game)
    agents = agent_named(pairing.game, pairing.a), agent_named(pairing.game, pairing.b)
    begin, end = game_numbers(pairing, first)[0], game_numbers(pairing, first + count)[0]
    step = (end - begin) // count
    seeds = game_seeds(pairing.seed, begin, end)
    starts = random_openings(game, pairing.seed, begin, end, pairing.opening_plies) if pairing.opening_plies else None
    results, lengths = np.empty(2 * count, np.int8), np.empty(2 * count, np.int32)
    margins = np.empty(2 * count, np.int32) if game.kind.scored else None
    thinking = np.zeros((count, 4))
    visits = np.zeros((count, 4), np.int64)
    for turned in (False, True):
        own = slice(turned if step == 2 else 0, None, step)  # numbers of seeds and openings
        played = play_games(
            game,
            *agents,
            np.ascontiguousarray(seeds[own]),
            turned=turned,
            starts=None if starts is None else np.ascontiguousarray(starts[own]),
            ply_limit=pairing.ply_limit,
            timed=timed,
            stop=stop,
        )
        if len(played) < count:
            raise Stopped("the match was stopped")
        results[turned::2], lengths[turned::2] = played.results, played.lengths
        if margins is not None:
            margins[turned::2] = played.margins
        for side in (FIRST, SECOND):
            place = 2 * (side ^ turned)  # columns of the agent in this seat
            counted = played.positions[:, side] >= 0
            visits[:, place] += np.where(counted, played.positions[:, side], 0)
            visits[:, place + 1] += np.where(counted, played.turns[:, side], 0)
        if played.seconds is not None:
            for side in (FIRST, SECOND):
                place = 2 * (side ^ turned)  # columns of the agent in this seat
                thinking[:, place] += played.seconds[:, side]
                thinking[:, place + 1] += played.turns[:, side]
    _effort[pairing] = (time.thread_time() - effort) / count
    kept = visits if visits[:, 0::2].any() else None
    return PairResults(results, margins, lengths, thinking if timed else None, time.perf_counter() - began, kept)


def _play_in_python(pairing: Pairing, first: int, count: int, stop: Stop) -> PairResults:
    for name in (pairing.a, pairing.b):
        agent_named(pairing.game, name)  # made before time is measured
    began = time.perf_counter()
    results, margins, lengths = [], [], []
    thinking = np.zeros((count, 4))
    visits = np.zeros((count, 4), np.int64)
    for place in range(count):
        for turned in (0, 1):
            session = _session(pairing, 2 * (first + place) + turned, stop)
            if session.result == UNFINISHED or session.result is None:
                raise LudometerError(f"a game of {pairing} was left without a result ({session.ended})")
            results.append(_result_of(session))
            last = session.position
            margins.append(last.margin if last.player == FIRST else -last.margin)
            lengths.append(session.ply)
            for turn in session.turns:
                agent = turn.before.player ^ turned
                thinking[place, 2 * agent : 2 * agent + 2] += turn.seconds, 1
                visited = None if turn.decision is None else turn.decision.positions
                if visited is not None:
                    visits[place, 2 * agent : 2 * agent + 2] += visited, 1
    return PairResults(
        np.array(results, np.int8),
        np.array(margins, np.int32) if find_game(pairing.game).kind.scored else None,
        np.array(lengths, np.int32),
        thinking,
        time.perf_counter() - began,
        visits if visits.any() else None,
    )


def _result_of(session: Session) -> int:
    """WIN, DRAW or LOSS of the first player."""
    if session.ended is None:
        last = session.position
        return last.outcome if last.player == FIRST else -last.outcome
    return _RESULTS[str(session.result)]


def _session(pairing: Pairing, number: int, stop: Stop | None = None) -> Session:
    names = (pairing.b, pairing.a) if number % 2 else (pairing.a, pairing.b)
    agents = [agent_named(pairing.game, name) for name in names]
    start = opening_of_game(pairing, number)
    seed = seed_of_game(pairing, number)
    session = Session(start.game, start, pairing.ply_limit, first=str(agents[0]), second=str(agents[1]), seed=seed)
    return play_on(session, (agents[0], agents[1]), stop=stop)


def game_record(pairing: Pairing, number: int, stop: Stop | None = None) -> Record:
    """Record of one game of a pairing, replayed move for move."""
    return _session(pairing, number, stop).record()
