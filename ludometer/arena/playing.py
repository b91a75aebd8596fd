"""One game between two players."""

from __future__ import annotations

from collections.abc import Callable

from ludometer.agents import agent as find_agent
from ludometer.core.agent import Agent, Decision
from ludometer.core.errors import IllegalMoveError, LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, LOSS, RESULT_TEXT, WIN
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.record import PLY_LIMIT, QUIT, RESIGNATION, UNFINISHED, Record
from ludometer.core.requests import Forfeit, Quit, Resign, TakeBack
from ludometer.games import game as find_game

OnMove = Callable[[Position, Decision, Position], None]


def play_game(
    game: Game | str,
    first: Agent | str,
    second: Agent | str,
    seed: int = 0,
    start: Position | str | None = None,
    ply_limit: int | None = None,
    on_move: OnMove | None = None,
) -> Record:
    """Play one game and return its record; the same seed gives the same game.

    `ply_limit` is the number of moves after which the game is drawn; by default the game's own, if it has one.  `on_move`
    is called after each move with the position before it, the decision, and the position after it.  Raises
    LudometerError for specs that fit nothing and IllegalMoveError for an agent that breaks the rules.

    >>> play_game("quixo:3", "random", "random", seed=1).result
    '1-0'
    """
    game = find_game(game)
    players = find_agent(first, game), find_agent(second, game)
    begin = start if isinstance(start, Position) else game.position(start or "start")
    if begin.game != game:
        raise LudometerError(f"the position to start from belongs to {begin.game.spec}, not to {game.spec}")
    limit = game.kind.ply_limit if ply_limit is None else ply_limit
    if limit is not None and limit < 0:
        raise LudometerError(f"a ply limit is 0 or more, not {limit}")
    positions, ended, result = _play(players, begin, seed, limit, on_move)
    record = Record(
        game=game,
        moves=tuple(before.move_text(_move_to(after)) for before, after in zip(positions, positions[1:])),
        result=positions[-1].result or result,
        first=str(players[0]),
        second=str(players[1]),
        seed=seed,
        start=None if begin == game.start() else str(begin),
        ended=ended,
    )
    return record.replayed(positions)


def _play(
    players: tuple[Agent, Agent], begin: Position, seed: int, limit: int | None, on_move: OnMove | None
) -> tuple[list[Position], str | None, str]:
    """All positions of the game, why it ended if the rules did not end it, and its result in that case."""
    positions = [begin]
    sent = [agent.player(begin, side, limit) for side, agent in enumerate(players)]
    while not positions[-1].is_over:
        position = positions[-1]
        ply = len(positions) - 1
        if ply == limit:
            return positions, PLY_LIMIT, RESULT_TEXT[DRAW]
        try:
            decision = sent[position.player].choose(position, stream(seed, "game", ply))
        except TakeBack:
            _take_back(positions)
            continue
        except Resign as given_up:
            ended = f"forfeit: {given_up}" if isinstance(given_up, Forfeit) else RESIGNATION
            return positions, ended, RESULT_TEXT[LOSS if position.player == FIRST else WIN]
        except Quit:
            return positions, QUIT, UNFINISHED
        try:
            positions.append(position.play(decision.move))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"agent {players[position.player]} at {position}: {error}") from error
        for player in sent:
            player.observe(decision.move, positions[-1])
        if on_move is not None:
            on_move(position, decision, positions[-1])
    return positions, None, UNFINISHED


def _take_back(positions: list[Position]) -> None:
    """Go back to before the latest move of the player to move, if there is one."""
    player = positions[-1].player
    for place in range(len(positions) - 2, -1, -1):
        if positions[place].player == player:
            del positions[place + 1 :]
            return


def _move_to(position: Position) -> int:
    assert position.last is not None, "every position but the first was reached by a move"
    return position.last
