"""Quixo players of the Politecnico di Torino course, unmodified, from the file they are written in.

A player runs in a process of its own, with a limit on the time per move; it is shown a copy of the board, so nothing it does to its
`game` reaches ours.  What it answers is checked by our rules.  A player that fails, is too slow, or answers with illegal moves too
often forfeits the game, and the record says why.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time as clock
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.agent import Agent, Decision
from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.requests import Forfeit

if TYPE_CHECKING:
    from ludometer.core.position import Position

KIND = "quixo"  # the only kind of game the course knows, …
SPEC = "quixo:5"  # … on this board
STARTING_SECONDS = 60.0  # for importing the file and making the player

_WORKER = Path(__file__).with_name("polito_worker.py")
_LONGEST_ANSWER = 10_000  # bytes
_CUBES = {".": -1, "X": 0, "O": 1}


class PolitoAgent(Agent):
    """A player from a file; a new process for each game and side, so that no game depends on the one before."""

    def __init__(self, game: Game, spec: str, path: str, time: float, tries: int, arguments: str, **named: str) -> None:
        super().__init__(game, spec)
        if game.spec != SPEC:
            raise SpecError(f"agent polito cannot play {game.spec}: its players know {SPEC} only")
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
        self._processes: dict[int, PlayerProcess] = {}  # by side
        try:
            self._processes[FIRST] = PlayerProcess(self.file, self.class_name, self.arguments, FIRST)
        except Forfeit as error:
            raise SpecError(f"agent polito: {self.file.name}: {error}") from error

    def begin(self) -> None:
        """End the processes of the last game."""
        for side, process in list(self._processes.items()):
            if process.has_played:
                process.end()
                del self._processes[side]

    def choose(self, position: Position, key: np.uint64) -> Decision:
        """The player's move; raises Forfeit when there is none."""
        since = clock.perf_counter()
        side = position.player
        if side not in self._processes:
            self._processes[side] = PlayerProcess(self.file, self.class_name, self.arguments, side)
        process = self._processes[side]
        process.has_played = True
        board = board_of(position)
        for attempt in range(self.tries):
            # Asked again, the player goes on with its chance where it was: the same seed might give the same illegal move.
            seed = int(key) if attempt == 0 else None
            answer = process.ask({"board": board, "side": side, "seed": seed}, self.time, "the move")
            move = move_number(answer.get("move"))
            if move in position.legal:
                return Decision(move, None, {"tries": attempt + 1, "seconds": clock.perf_counter() - since})
        process.end()
        raise Forfeit(f"{self.tries} illegal answers, the last one {_answer_text(answer)}")


def board_of(position: Position) -> list[list[int]]:
    """The rows of a Quixo board: −1 neutral, 0 the first player, 1 the second."""
    rows = str(position).partition(" ")[0].split("/")
    return [[_CUBES[cube] for cube in row] for row in rows]


def move_number(answer: Any) -> int:
    """Our number for a move [x, y, side], or −1."""
    from ludometer.games.quixo.rules import MOVE_OF, SMALLEST

    size = int(SPEC.partition(":")[2])
    if not isinstance(answer, list) or len(answer) != 3 or not all(isinstance(number, int) for number in answer):
        return -1
    x, y, side = answer
    if not (0 <= x < size and 0 <= y < size and 0 <= side < 4):
        return -1
    return int(MOVE_OF[size - SMALLEST, y * size + x, side])


def _answer_text(answer: dict[str, Any]) -> str:
    move = answer.get("move")
    return str(answer.get("answer", "nothing")) if move is None else f"(({move[0]}, {move[1]}), side {move[2]})"


class PlayerProcess:
    """The other end of `polito_worker`."""

    def __init__(self, file: Path, class_name: str, arguments: str, side: int) -> None:
        command = [sys.executable, "-P", str(_WORKER), str(file), class_name, arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=file.parent,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # so that the same seed gives the same game
            start_new_session=True,  # what the player starts in turn ends with it
        )
        self.has_played = False
        self._read = b""
        self._finalizer = weakref.finalize(self, _end, self.process)
        self.ask({"side": side}, STARTING_SECONDS, f"{file.name} to be loaded")

    def ask(self, request: dict[str, Any], seconds: float, waiting_for: str) -> dict[str, Any]:
        """The answer to a request; raises Forfeit, with the process ended, if none comes in time."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._forfeit("the player's process has ended") from None
        line = self._line(clock.monotonic() + seconds)
        if line is None:
            raise self._forfeit(f"more than {seconds:g} s for {waiting_for}")
        if not line:
            raise self._forfeit("the player's process has ended")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise self._forfeit("the player's process answered nonsense")
        if "error" in answer:
            raise self._forfeit(str(answer["error"]))
        return answer

    def _line(self, deadline: float) -> bytes | None:
        """The next line; empty if the process closed its end or writes without an end, None if it takes too long."""
        assert self.process.stdout is not None
        while b"\n" not in self._read:
            if not select.select([self.process.stdout], [], [], max(0.0, deadline - clock.monotonic()))[0]:
                return None
            part = os.read(self.process.stdout.fileno(), 65536)
            self._read += part
            if not part:
                return b""
            if len(self._read) > _LONGEST_ANSWER:
                return b"?"
        line, _, self._read = self._read.partition(b"\n")
        return line or b"?"

    def _forfeit(self, reason: str) -> Forfeit:
        self.end()
        return Forfeit(reason)

    def end(self) -> None:
        """End the process and all it has started."""
        self._finalizer()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:  # not waited for: the number still belongs to it, even if it has ended
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue  # a request that could not be written any more
