"""Compiled games between two agents that have compiled players.

    seeds = game_seeds(match_seed, 0, 1000)
    games = play_games(game, first, second, seeds)          # in this thread; other threads may play others meanwhile
    games.results.sum()                                      # the first player's wins minus losses

Game i has the same moves as `play_game(game, first, second, seed=int(seeds[i]))`, on any thread and in any portions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.arena.play.playing import play_game
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.stopping import Stop

SEED_BITS = 53  # of the seed of a game: such numbers survive JSON and spreadsheets


@dataclass(frozen=True)
class PlayedGames:
    """Results of games.  Every array has one entry per finished game: fewer than requested if the work was stopped."""

    results: np.ndarray  # int8: WIN, DRAW or LOSS of the player who moves first
    margins: np.ndarray  # int32: points of that player minus the other's at the end
    lengths: np.ndarray  # int32: moves made
    turns: np.ndarray  # int32 (games, 2): moves made by the first and by the second player
    seconds: np.ndarray | None  # float64 (games, 2): thought by the first and by the second player; None if not requested
    positions: np.ndarray  # int64 (games, 2): visited by the decisions of the first and of the second player; −1 if not counted
    moves: np.ndarray | None  # int32 (games, room): the first `room` moves, padded with −1; None if not requested

    def __len__(self) -> int:
        return len(self.results)


def game_seed(match_seed: int, number: int) -> int:
    """The seed of game `number` of a match: `play_game` with this seed plays it again."""
    return int(stream(match_seed, "match", number)) >> 64 - SEED_BITS


def game_seeds(match_seed: int, begin: int, end: int) -> np.ndarray:
    """The seeds of games `begin` to `end` − 1 of a match (uint64)."""
    from ludometer.arena.play.games_kernels import write_seeds

    seeds = np.empty(end - begin, np.uint64)
    write_seeds(stream(match_seed, "match"), begin, SEED_BITS, seeds)
    return seeds


def play_games(
    game: Game,
    first: Agent,
    second: Agent,
    seeds: np.ndarray,
    *,
    turned: bool = False,
    starts: np.ndarray | None = None,
    ply_limit: int | None = None,
    timed: bool = False,
    room: int = 0,
    stop: Stop | None = None,
) -> PlayedGames:
    """Play one game for each seed (uint64), `first` moving first, with `turned` second.

    starts      states to begin from (see `rows_of`): one for all games or one for each; default: the start of the game
    ply_limit   moves after which a game is drawn; default: the game's own limit, if it has one
    timed       measure the thinking time of each side, which slows down fast players
    room        number of moves of each game to keep

    With `turned`, both seat orders of a match share one compiled function.  Raises LudometerError for agents without a compiled player,
    and the error of `play_game` if an agent has no move.
    """
    from ludometer.arena.play import games_kernels as kernels
    from ludometer.core.compiling.compiled_player import FOR_EVER

    stop = stop or Stop()
    players = first.compiled_player(stop), second.compiled_player(stop)
    for agent, player in zip((first, second), players):
        if player is None:
            raise LudometerError(f"agent {agent} has no compiled form; play_game plays with it")
    limit = game.kind.ply_limit if ply_limit is None else ply_limit
    rows = rows_of([game.start()]) if starts is None else starts
    if len(rows) not in (1, len(seeds)):
        raise LudometerError(f"{len(seeds)} games begin at one state or at {len(seeds)}, not at {len(rows)}")
    count = len(seeds)
    outcomes = kernels.Outcomes(
        result=np.zeros(count, np.int8),
        margin=np.zeros(count, np.int32),
        length=np.zeros(count, np.int32),
        turns=np.zeros((count, 2), np.int32),
        seconds=np.zeros((count if timed else 0, 2)),
        positions=np.zeros((count, 2), np.int64),
        moves=np.full((count, room), -1, np.int32),
    )
    buffer = np.empty(game.move_bound, np.int32)
    played = int(
        kernels.play_games(game.rules, players, turned, rows, seeds, FOR_EVER if limit is None else limit, outcomes, stop.flag, buffer)
    )
    if played < count and not stop.asked:
        _explain(
            game, (second, first) if turned else (first, second), int(seeds[played]), position_of(game, rows[played % len(rows)]), limit
        )
    return PlayedGames(
        outcomes.result[:played],
        outcomes.margin[:played],
        outcomes.length[:played],
        outcomes.turns[:played],
        outcomes.seconds[:played] if timed else None,
        outcomes.positions[:played],
        outcomes.moves[:played] if room else None,
    )


def _explain(game: Game, agents: tuple[Agent, Agent], seed: int, start: Position, limit: int | None) -> None:
    """Raise the error of a game in which an agent had no move, by playing it again in Python."""
    play_game(game, *agents, seed=seed, start=start, ply_limit=limit)
    raise LudometerError(f"{game.spec}, {agents[0]} against {agents[1]}, seed {seed}: an agent has no move in the compiled game only")


def rows_of(positions: Sequence[Position]) -> np.ndarray:
    """States of positions as rows for `play_games`: uint64 (positions, leaves of a state)."""
    return np.array([list(_leaves(position.state)) for position in positions], np.uint64)


def _leaves(state: Any) -> Iterable[int]:
    for part in state:
        if isinstance(part, tuple):
            yield from _leaves(part)
        else:
            yield int(part)


def position_of(game: Game, row: np.ndarray) -> Position:
    """The position with this row of `rows_of`."""
    from ludometer.core.compiling.leaves import state_of_leaves

    return Position(game, state_of_leaves(game.start().state, row, 0))


def random_openings(game: Game, match_seed: int, begin: int, end: int, plies: int) -> np.ndarray:
    """Rows of the openings number `begin` to `end` − 1 of a match: positions after `plies` random moves, fewer if the game would end.

    The moves depend on the match seed and the number of the opening alone, so that both games of a pair have the same opening.
    """
    from ludometer.arena.play.games_kernels import open_games

    start = game.start()
    rows = np.repeat(rows_of([start]), end - begin, axis=0)
    open_games(game.rules, start.state, stream(match_seed, "opening"), begin, plies, rows, np.empty(game.move_bound, np.int32))
    return rows
