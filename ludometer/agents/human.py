"""A person at the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import LOSS, WIN
from ludometer.core.requests import Quit, Resign, TakeBack

if TYPE_CHECKING:
    from ludometer.core.position import Position

AGENT = AgentKind(name="human", title="you, at the terminal", home="ludometer.agents.human:HumanAgent")

HELP = """\
  a move   {move_help}
  moves    list the legal moves
  hint     suggest a move
  undo     take back your last move and what came after it
  resign   give the game up
  quit     stop without a result"""
_MOST_REPLIES = 5_000  # positions that a hint looks at beyond the legal moves


class HumanAgent(Agent):
    """Shows the board, asks for a move and goes on asking until it gets one."""

    def __init__(self, game: Game, spec: str) -> None:
        super().__init__(game, spec)
        self._took_back_at: Position | None = None  # where a move was to be taken back

    def begin(self) -> None:
        self._took_back_at = None

    def choose(self, position: Position, key: np.uint64) -> Decision:
        from ludometer.view.terminal import position_text, wants_colour

        if position is self._took_back_at:
            print("  you have no move to take back")
        else:
            print(f"\n{position_text(position, wants_colour(sys.stdout))}")
        self._took_back_at = None
        while True:
            word = self._ask(f"{position.turn} to move> ")
            command = word.lower()
            if command in ("?", "help"):
                print(HELP.format(move_help=self.game.kind.move_help or f"such as {position.moves()[0]}"))
            elif command == "moves":
                print(in_columns(position.moves()))
            elif command == "hint":
                print(f"  {suggestion(position, key)}")
            elif command == "undo":
                self._took_back_at = position
                raise TakeBack
            elif command == "resign":
                raise Resign
            elif command in ("quit", "exit"):
                raise Quit
            elif word:
                try:
                    return Decision(position.parse_move(word))
                except LudometerError as error:
                    print(f"  {error}; ? for help")

    def _ask(self, prompt: str) -> str:
        """What the person typed; the end of input means quit."""
        if sys.stdin is None:
            raise Quit
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            raise Quit from None


def in_columns(words: list[str], width: int = 0) -> str:
    """Words in aligned columns, read from left to right, as many as the terminal's width allows."""
    width = width or min(100, shutil.get_terminal_size().columns)
    step = max(map(len, words), default=0) + 2
    per_line = max(1, (width - 2) // step)
    lines = ["".join(f"{word:<{step}}" for word in words[at : at + per_line]) for at in range(0, len(words), per_line)]
    return "\n".join("  " + line.rstrip() for line in lines)


def suggestion(position: Position, key: np.uint64) -> str:
    """A move worth a thought: one that wins at once, else a random one that (on boards that are not huge) does not lose at once."""
    if position.game.kind.simultaneous:
        return f"perhaps {_one_of(position.moves(), key)}"  # looking ahead would show what the other has chosen
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
