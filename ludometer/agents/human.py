"""A person at the terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Player
from ludometer.core.errors import LudometerError
from ludometer.core.outcome import FIRST, LOSS, WIN
from ludometer.core.requests import Quit, Request, Resign, TakeBack
from ludometer.core.stopping import Stop
from ludometer.core.text import in_columns

if TYPE_CHECKING:
    from ludometer.core.position import Position

AGENT = AgentKind(
    name="human",
    title="you, at the terminal",
    home="ludometer.agents.human:HumanAgent",
    simultaneous=True,
    inside_only="it asks the person at the terminal",
)

HELP = """\
  a move   {move_help}
  moves    list the legal moves
  hint     suggest a move
  undo     take back your last move and what came after it
  resign   give the game up
  quit     stop without a result"""
_MOST_REPLIES = 5_000  # positions that a hint examines beyond the legal moves


class HumanAgent(Agent):
    """The person at the terminal."""

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> Player:
        return HumanPlayer(self, start or self.game.start(), side, ply_limit)


class HumanPlayer(Player):
    """Shows the board and asks until it gets a move."""

    def __init__(self, agent: Agent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self._took_back = False  # True if the last answer was `undo`: being asked again means that there was no move to take back

    def observe(self, move: int, after: Position) -> None:
        self._took_back = False

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        if self._took_back:
            print("  you have no move to take back")
        else:
            print(f"\n{position.board(_shows_colour())}")
        self._took_back = False
        while True:
            word = _typed(f"{position.turn} to move> ")
            command = None if word is None else word.lower()
            if command in (None, "quit", "exit"):
                return Quit()
            if command == "resign":
                return Resign()
            if command == "undo":
                self._took_back = True
                return TakeBack()
            if command in ("?", "help"):
                print(HELP.format(move_help=position.game.kind.move_help or f"such as {position.moves()[0]}"))
            elif command == "moves":
                print(in_columns(position.moves()))
            elif command == "hint":
                print(f"  {suggestion(position, key)}")
            elif word:
                try:
                    return Decision(position.parse_move(word))
                except LudometerError as error:
                    print(f"  {error}; ? for help")


def _typed(prompt: str) -> str | None:
    """A line of input; None at its end."""
    if sys.stdin is None:
        return None
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


def _shows_colour() -> bool:
    """True if the board is printed in colours: on a terminal, unless `NO_COLOR` is set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def suggestion(position: Position, key: np.uint64) -> str:
    """A hint: a move that wins at once, otherwise a random one that, on boards of moderate size, does not lose at once."""
    if position.game.kind.simultaneous:
        return f"perhaps {_one_of(position.moves(), key)}"  # looking ahead would reveal the opponent's choice
    safe = []
    look_further = len(position.legal) ** 2 <= _MOST_REPLIES
    for move, after in position.children():
        if _won_by(after, position.player):
            return f"{move} wins at once"
        if not (look_further and any(_won_by(reply, 1 - position.player) for _, reply in after.children())):
            safe.append(move)
    if safe:
        return f"perhaps {_one_of(safe, key)}"
    return f"every move can lose at once; perhaps {_one_of(position.moves(), key)}"


def _won_by(position: Position, player: int) -> bool:
    return position.outcome == (WIN if position.player == player else LOSS)


def _one_of(moves: list[str], key: np.uint64) -> str:
    return moves[int(key) * len(moves) >> 64]
