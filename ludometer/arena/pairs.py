"""Seat-swapped pairs of games: the unit of all measuring.

Pair number p of a pairing is two games with one seed and one opening: A moves first in the one, B in the other.  Seed and opening depend on
the pairing's seed and on p alone, so pairs can be played in any order, anywhere, and any single game can be played again:

    game_record(pairing, 17)      # game 17 is the second game of pair 8

A pairing whose agents both have minds is played by compiled code in threads; otherwise Python plays, and it takes processes to use all
cores.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer import __version__
from ludometer.agents import agent as find_agent
from ludometer.arena.compiled import game_seed, game_seeds, play_games, position_of, random_openings
from ludometer.arena.playing import played as played_game
from ludometer.arena.session import Session
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, LOSS, SECOND, WIN
from ludometer.core.record import UNFINISHED, Record
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game as find_game

if TYPE_CHECKING:
    from ludometer.core.position import Position

_RESULTS = {"1-0": WIN, "1/2-1/2": DRAW, "0-1": LOSS}


@dataclass(frozen=True)
class Pairing:
    """Two agents at a game, and everything else that decides how their games go.  Specs only: it can be sent to another process."""

    game: str  # a reference that `lm.game` opens
    a: str
    b: str
    seed: int = 0
    opening_plies: int = 0  # random moves before the agents take over
    ply_limit: int | None = None  # moves, counted after the opening, after which a game is drawn; None: never

    @classmethod
    def of(
        cls, game: Game | str, a: Agent | str, b: Agent | str, seed: int = 0, opening_plies: int = 0, ply_limit: int | None = None
    ) -> Pairing:
        """The pairing of two agents, in canonical spelling; by default with the game's own ply limit.  Raises LudometerError.

        Agents made elsewhere are remembered: this process plays with them instead of making them anew.
        """
        game = find_game(game)
        if opening_plies < 0:
            raise LudometerError(f"an opening has 0 or more plies, not {opening_plies}")
        if ply_limit is not None and ply_limit < 1:
            raise LudometerError(f"a ply limit is 1 or more, not {ply_limit}")
        agents = []
        for given in (a, b):
            made = given if isinstance(given, Agent) else made_agent(game.reference, given)
            _ready.setdefault((game.reference, made.spec), made)
            agents.append(made.spec)
        limit = game.kind.ply_limit if ply_limit is None else ply_limit
        return cls(game.reference, agents[0], agents[1], seed, opening_plies, limit)

    def key(self) -> dict[str, Any]:
        """What the results depend on, for the store."""
        game = find_game(self.game)
        return {
            "unit": "pair",
            "game": game.spec,
            "players": [made_agent(self.game, spec).identity for spec in (self.a, self.b)],
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "ply_limit": self.ply_limit,
            "rules": rules_hash(game),
            "version": __version__,
        }

    @property
    def is_compiled(self) -> bool:
        """Whether whole games can be played by compiled code."""
        return all(has_mind(self.game, spec) for spec in (self.a, self.b))

    def swapped(self) -> Pairing:
        return replace(self, a=self.b, b=self.a)


@dataclass(frozen=True)
class PairResults:
    """How pairs went, in their order; game 2i has A as the first player, game 2i + 1 has B."""

    results: np.ndarray  # int8 [game]: WIN, DRAW, LOSS of the first player
    margins: np.ndarray  # int32 [game]: final points of the first player minus the second's
    lengths: np.ndarray  # int32 [game]: moves made after the opening
    thinking: np.ndarray | None  # float64 [pair, 4]: seconds of A, moves of A, seconds of B, moves of B; None if not measured
    seconds: float = 0.0  # of work

    def arrays(self, scored: bool) -> dict[str, np.ndarray]:
        """For the store, in the smallest types that hold the numbers."""
        lengths = self.lengths.astype(np.uint16 if self.lengths.max(initial=0) < 2**16 else np.uint32)
        kept = {"results": self.results, "lengths": lengths}
        if scored:
            kept["margins"] = self.margins.astype(np.int16)
        if self.thinking is not None:
            kept["thinking"] = self.thinking.astype(np.float32)
        return kept


def rules_hash(game: Game) -> str:
    """A hash of the sources of the game's rules; `none` for a game that has no source file."""
    from ludometer.core.compilation import source_stamp

    return source_stamp(*game.kind.loaded) or "none"


_ready: dict[tuple[str, str], Agent] = {}  # (game, spec) -> an agent that was made by the caller


def made_agent(game: str, spec: str) -> Agent:
    """The agent of this spec; made once in each process."""
    return _ready.get((game, spec)) or _made_agent(game, spec)


@lru_cache(maxsize=64)
def _made_agent(game: str, spec: str) -> Agent:
    return find_agent(spec, find_game(game))


@lru_cache(maxsize=256)
def has_mind(game: str, spec: str) -> bool:
    return made_agent(game, spec).mind() is not None


def pair_seed(pairing: Pairing, pair: int) -> int:
    """The seed of both games of a pair, as `play_game` takes it."""
    return game_seed(pairing.seed, pair)


def opening(pairing: Pairing, pair: int) -> Position:
    """Where the games of a pair begin."""
    game = find_game(pairing.game)
    if pairing.opening_plies == 0:
        return game.start()
    return position_of(game, random_openings(game, pairing.seed, pair, pair + 1, pairing.opening_plies)[0])


def play_pairs(pairing: Pairing, first: int, count: int, timed: bool = True, stop: Stop | None = None) -> PairResults:
    """Play pairs `first` … `first + count − 1`; raises Stopped once asked, and LudometerError for an agent that has no move.

    Without `timed` nobody measures how long the agents think: reading the clock takes longer than a random move.
    """
    if pairing.is_compiled:
        return _play_compiled(pairing, first, count, timed, stop or Stop())
    return _play_in_python(pairing, first, count, stop or Stop())


def _play_compiled(pairing: Pairing, first: int, count: int, timed: bool, stop: Stop) -> PairResults:
    began = time.perf_counter()
    game = find_game(pairing.game)
    agents = made_agent(pairing.game, pairing.a), made_agent(pairing.game, pairing.b)
    seeds = game_seeds(pairing.seed, first, first + count)
    starts = random_openings(game, pairing.seed, first, first + count, pairing.opening_plies) if pairing.opening_plies else None
    results, margins, lengths = np.empty(2 * count, np.int8), np.empty(2 * count, np.int32), np.empty(2 * count, np.int32)
    thinking = np.zeros((count, 4))
    for turned in (False, True):
        played = play_games(game, *agents, seeds, turned=turned, starts=starts, ply_limit=pairing.ply_limit, timed=timed, stop=stop)
        if len(played) < count:
            raise Stopped("the match was stopped")
        results[turned::2], margins[turned::2], lengths[turned::2] = played.results, played.margins, played.lengths
        if played.seconds is not None:
            for side in (FIRST, SECOND):
                place = 2 * (side ^ turned)  # the columns of the agent who sat there
                thinking[:, place] += played.seconds[:, side]
                thinking[:, place + 1] += played.turns[:, side]
    return PairResults(results, margins, lengths, thinking if timed else None, time.perf_counter() - began)


def _play_in_python(pairing: Pairing, first: int, count: int, stop: Stop) -> PairResults:
    began = time.perf_counter()
    results, margins, lengths = [], [], []
    thinking = np.zeros((count, 4))
    for place in range(count):
        for turned in (0, 1):
            session = _session(pairing, first + place, turned, stop)
            if session.result == UNFINISHED or session.result is None:
                raise LudometerError(f"a game of {pairing.a} against {pairing.b} was left without a result ({session.ended})")
            results.append(_result_of(session))
            last = session.position
            margins.append(last.margin if last.player == FIRST else -last.margin)
            lengths.append(session.ply)
            for turn in session.turns:
                agent = turn.before.player ^ turned
                thinking[place, 2 * agent : 2 * agent + 2] += turn.seconds, 1
    return PairResults(
        np.array(results, np.int8), np.array(margins, np.int32), np.array(lengths, np.int32), thinking, time.perf_counter() - began
    )


def _result_of(session: Session) -> int:
    """WIN, DRAW or LOSS of the first player."""
    if session.ended is None:
        last = session.position
        return last.outcome if last.player == FIRST else -last.outcome
    return _RESULTS[str(session.result)]


def _session(pairing: Pairing, pair: int, turned: int, stop: Stop | None = None) -> Session:
    players = (pairing.b, pairing.a) if turned else (pairing.a, pairing.b)
    agents = [made_agent(pairing.game, spec) for spec in players]
    start = opening(pairing, pair)
    return played_game(start.game, agents[0], agents[1], pair_seed(pairing, pair), start, pairing.ply_limit, stop=stop)


def game_record(pairing: Pairing, number: int) -> Record:
    """One game of a pairing, played again move for move."""
    return _session(pairing, number // 2, number % 2).record()
