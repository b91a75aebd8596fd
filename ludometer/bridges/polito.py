"""Quixo players of the Politecnico di Torino course, unmodified, from the file they are written in.

A player runs in a process of its own, with a limit on the time per move; it is shown a copy of the board, so nothing it does to its
`game` reaches ours.  What it answers is checked by our rules, and as in the course it is asked again while its answer is illegal.  A player
that fails, or has no legal answer when its time is used up, forfeits the game, and the record says why.
"""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.bridges import COURSE_GAME
from ludometer.bridges.process import NoAnswer, TooSlow, WorkerProcess
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.requests import Forfeit
from ludometer.core.stopping import Stop, Stopped

if TYPE_CHECKING:
    from ludometer.core.position import Position

STARTING_SECONDS = 60.0  # for importing the file and making the player

_WORKER = Path(__file__).with_name("polito_worker.py")
_CUBES = {".": -1, "X": 0, "O": 1}


class PolitoAgent(Agent):
    """The player in a file.  It is loaded once as a check, and then in a process for each game."""

    def __init__(self, game: Game, spec: str, path: str, time: float, tries: int, arguments: str, **named: str) -> None:
        super().__init__(game, spec)
        if not path:
            raise SpecError("agent polito needs the file of a player: write polito:path=FILE or polito:path=FILE,class=NAME")
        file = Path(path).expanduser()
        if not file.is_file():
            raise SpecError(f"agent polito: there is no file {shorten(path)}")
        self.file = file.resolve()
        self.class_name = named["class"]
        self.arguments = arguments
        self.time = time
        self.tries = tries
        process = self.begin_process(FIRST)
        try:
            process.answer(STARTING_SECONDS, "the file to be loaded")
        except NoAnswer as error:
            raise SpecError(f"agent polito: {self.file.name}: {error}") from error
        finally:
            process.end()

    def begin_process(self, side: int) -> WorkerProcess:
        """A process that loads the player, for a side; its first answer says that it has."""
        process = WorkerProcess(_WORKER, str(self.file), self.class_name, self.arguments, folder=self.file.parent)
        process.tell({"side": side})
        return process

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> PolitoPlayer:
        return PolitoPlayer(self, start or self.game.start(), side, ply_limit)


class PolitoPlayer(Player):
    """One game of a player; what it remembers lives in its process, which a request to stop ends."""

    agent: PolitoAgent

    def __init__(self, agent: PolitoAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self._process: WorkerProcess | None = agent.begin_process(side)
        self._is_ready = False

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Forfeit:
        try:
            choice = self._choose(self._ready_process(stop), position, int(key), stop)
        except NoAnswer as error:
            choice = Forfeit(str(error))
        except Stopped:
            self.leave()
            raise
        if isinstance(choice, Forfeit):
            self.leave()
        return choice

    def _ready_process(self, stop: Stop | None) -> WorkerProcess:
        """The process with the player in it; a new one if the last was ended."""
        if self._process is None:
            self._process = self.agent.begin_process(self.side)
        if not self._is_ready:
            self._process.answer(STARTING_SECONDS, f"{self.agent.file.name} to be loaded", stop)
            self._is_ready = True
        return self._process

    def _choose(self, process: WorkerProcess, position: Position, key: int, stop: Stop | None) -> Decision | Forfeit:
        """Ask until the answer is legal, the time is used up, or the allowed number of answers was illegal."""
        since, board, tries, wrong = clock.monotonic(), board_of(position), 0, ""
        while tries == 0 or tries != self.agent.tries:
            # Asked again, the player goes on with its chance where it was: the same seed might give the same illegal move.
            process.tell({"board": board, "side": self.side, "seed": key if tries == 0 else None})
            try:
                answer = process.answer(max(0.0, self.agent.time - (clock.monotonic() - since)), "the move", stop)
            except TooSlow:
                slow = f"more than {self.agent.time:g} s for the move"
                return Forfeit(f"{slow}, after {wrong}" if wrong else slow)
            tries += 1
            move = move_number(answer.get("move"))
            if move in position.legal:
                return Decision(move, None, {"tries": tries, "seconds": clock.monotonic() - since})
            wrong = f"{tries} illegal answer{'s' if tries > 1 else ''}, the last one {_answer_text(answer)}"
        return Forfeit(wrong)

    def leave(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process, self._is_ready = None, False


def board_of(position: Position) -> list[list[int]]:
    """The rows of a Quixo board: −1 neutral, 0 the first player, 1 the second."""
    rows = str(position).partition(" ")[0].split("/")
    return [[_CUBES[cube] for cube in row] for row in rows]


def move_number(answer: Any) -> int:
    """Our number for a move [x, y, side], or −1."""
    from ludometer.games.quixo.rules import MOVE_OF, SMALLEST

    size = int(COURSE_GAME.partition(":")[2])
    if not isinstance(answer, list) or len(answer) != 3 or not all(isinstance(number, int) for number in answer):
        return -1
    x, y, side = answer
    if not (0 <= x < size and 0 <= y < size and 0 <= side < 4):
        return -1
    return int(MOVE_OF[size - SMALLEST, y * size + x, side])


def _answer_text(answer: dict[str, Any]) -> str:
    move = answer.get("move")
    return str(answer.get("answer", "nothing")) if move is None else f"(({move[0]}, {move[1]}), side {move[2]})"
