"""One game between two agents."""

from __future__ import annotations

from collections.abc import Callable

from ludometer.agents import AgentLike
from ludometer.agents import agent as find_agent
from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import Session
from ludometer.core.agent import Agent, Decision
from ludometer.core.errors import IllegalMoveError
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST, SECOND
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.record import Record
from ludometer.core.stopping import Stop
from ludometer.games import game as find_game

OnMove = Callable[[Position, Decision, Position], None]


def play_game(
    game: Game | str,
    first: AgentLike,
    second: AgentLike,
    seed: int = 0,
    start: Position | str | None = None,
    ply_limit: int | None = None,
    on_move: OnMove | None = None,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Record:
    """Play one game between two agents and return its record; the same seed gives the same game.

        game           a game or its spec
        first, second  agents or their specs
        seed           decides all chance
        start          position the game begins at, or its text; default: the start
        ply_limit      moves after which the game is drawn; default: the game's own limit
        on_move        called after each move with the position before it, the decision, and the position after it
        seconds        time of each player for all its moves; default: no limit
        stop           once asked, the game ends with Stopped

    Raises LudometerError for specs that do not fit, and IllegalMoveError for an agent that breaks the rules.

    >>> lm.play_game("quixo:3", "random", "random", seed=1)
    <record of quixo:3: random against random, 1-0 after 11 moves>
    """
    game = find_game(game)
    agents = find_agent(first, game), find_agent(second, game)
    session = Session(game, start, ply_limit, (seconds, seconds), str(agents[FIRST]), str(agents[SECOND]), seed)
    return play_on(session, agents, on_move, stop).record()


def play_on(session: Session, agents: tuple[Agent, Agent], on_move: OnMove | None = None, stop: Stop | None = None) -> Session:
    """Let two agents play a session from where it stands to its end, and return it; chance comes from the session's seed, or from 0."""
    seats = tuple(Seat(session, side, agent) for side, agent in enumerate(agents))
    try:
        while session.to_move is not None:
            if stop is not None:
                stop.check("the game")
            seat, ply, before = seats[session.to_move], session.ply, session.position
            player, shown = seat.player(), session.seen_by(seat.side)  # told of the game before its clock runs
            key = stream(session.seed or 0, "game", ply)
            session.start_clock()
            choice = player.choose(shown, key, stop)
            try:
                session.answer(choice)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"agent {seat.agent} at {before}: {error}") from error
            if on_move is not None and isinstance(choice, Decision) and session.ply > ply:
                on_move(before, choice, session.position)
        for seat in seats:
            seat.see_the_end()
    finally:
        session.stop_clock()
        for seat in seats:
            seat.leave()
    return session
