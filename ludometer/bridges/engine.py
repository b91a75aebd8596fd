"""Programs that speak the Universal Game Interface (docs/engines.md) as agents.

An engine runs in a process of its own, new for each game.  Whatever goes wrong (it does not start, is silent, floods its output, ends,
makes an illegal move) forfeits the game, and the record says why.
"""

from __future__ import annotations

import os
import sys
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.bridges.process import LineProcess, NoAnswer
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.requests import Forfeit, Request, Resign
from ludometer.core.stopping import Stop, Stopped

if TYPE_CHECKING:
    from ludometer.core.position import Position

RESIGN = "resign"
_LONGEST_LINE = 1_000_000  # bytes


class EngineProcess(LineProcess):
    """A running engine; with a log, every line of the talk is added to it."""

    longest = _LONGEST_LINE
    nonsense = f"it wrote a line of more than {_LONGEST_LINE:,} bytes"

    def __init__(self, agent: EngineAgent) -> None:
        command = [sys.executable, str(agent.file)] if agent.file.suffix == ".py" else [str(agent.file)]
        super().__init__(command, agent.file.parent)
        self.options: set[str] = set()  # those it has said it has, in lower case
        self._log = agent.log

    def tell(self, line: str) -> None:
        """Send a line; raises NoAnswer if the engine has ended."""
        self._note(">", line)
        self.send(line.encode())

    def until(self, word: str, seconds: float, stop: Stop | None = None) -> tuple[str, list[str]]:
        """The line that begins with this word, and the lines before it; raises NoAnswer, or Stopped."""
        deadline = clock.monotonic() + seconds
        slow = f"more than {seconds:g} s for {word}"
        before: list[str] = []
        while True:
            line = self.line(deadline, slow, word, stop).decode(errors="replace").strip()
            self._note("<", line)
            if line.split(maxsplit=1)[:1] == [word]:
                return line, before
            before = [*before[-99:], line]
            if clock.monotonic() > deadline:  # it writes, but not the answer
                self.end()
                raise NoAnswer(slow)

    def _note(self, mark: str, line: str) -> None:
        if self._log:
            with open(self._log, "a", encoding="utf-8") as file:
                file.write(f"{self.process.pid} {mark} {line[:1000]}\n")


class EngineAgent(Agent):
    """An engine with its limits; it is started once as a check, and then for each game."""

    def __init__(
        self, game: Game, spec: str, path: str, time: float, nodes: int, depth: int, patience: float, options: str, log: str
    ) -> None:
        super().__init__(game, spec)
        if not path:
            raise SpecError("agent engine needs a program: write engine:path=FILE or engine:path=FILE,time=1")
        self.file = Path(path).expanduser().resolve()
        if not self.file.is_file() or not (self.file.suffix == ".py" or os.access(self.file, os.X_OK)):
            raise SpecError(f"agent engine: {shorten(path)} is no program; a program is a Python file or may be executed")
        self.time, self.nodes, self.depth, self.patience = time, nodes, depth, patience
        self.options = dict(_option(part) for part in options.split(";") if part)
        self.log = str(Path(log).expanduser()) if log else ""
        try:
            self.begin(None).end()
        except NoAnswer as error:
            raise SpecError(f"agent engine: {self.file.name}: {error}") from error

    @property
    def go(self) -> str:
        """The command that asks for a move."""
        limits = [f"movetime {max(1, round(1000 * self.time))}"] if self.time else []
        limits += [f"nodes {self.nodes}"] if self.nodes else []
        limits += [f"depth {self.depth}"] if self.depth else []
        return " ".join(["go", *limits])

    def begin(self, ply_limit: int | None, stop: Stop | None = None) -> EngineProcess:
        """An engine that is ready for a new game; raises NoAnswer, or Stopped."""
        process = EngineProcess(self)
        process.tell("ugi")
        _, said = process.until("ugiok", self.patience, stop)
        for line in said:
            words = line.split()
            if words[:2] == ["option", "name"]:
                end = words.index("type") if "type" in words else len(words)
                process.options.add(" ".join(words[2:end]).lower())
        own = {"Game": self.game.reference, "PlyLimit": str(ply_limit or 0)}
        for name, value in {**own, **self.options}.items():
            if name.lower() in process.options:
                process.tell(f"setoption name {name} value {value}")
            elif name in self.options:
                process.end()
                known = ", ".join(sorted(process.options)) or "none"
                raise NoAnswer(f"it has no option {shorten(name)}; its options are {known}")
        process.tell("isready")
        process.until("readyok", self.patience, stop)
        process.tell("uginewgame")
        return process

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> EnginePlayer:
        return EnginePlayer(self, start or self.game.start(), side, ply_limit)


class EnginePlayer(Player):
    """One game of an engine."""

    agent: EngineAgent

    def __init__(self, agent: EngineAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self._process: EngineProcess | None = None
        self._last = start
        self._moves: list[str] = []

    def observe(self, move: int, after: Position) -> None:
        self._moves.append(written_move(self._last, move))
        self._last = after

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        since = clock.monotonic()
        try:
            if self._process is None:
                self._process = self.agent.begin(self.ply_limit, stop)
            return self._asked(self._process, position, int(key), since, stop)
        except NoAnswer as error:
            self.leave()
            return Forfeit(f"engine {self.agent.file.name}: {error}")
        except Stopped:
            self.leave()
            raise

    def _asked(self, process: EngineProcess, position: Position, key: int, since: float, stop: Stop | None) -> Decision | Request:
        start, moves = (self.start, self._moves) if position == self._last else (position, [])  # else it was asked without a history
        begin = "startpos" if start == self.agent.game.start() else f"fen {start}"
        process.tell(f"position {begin}{' moves ' + ' '.join(moves) if moves else ''}")
        if "seed" in process.options:
            process.tell(f"setoption name Seed value {key}")
        process.tell(self.agent.go)
        answer, said = process.until("bestmove", self.agent.time + self.agent.patience, stop)
        word = (answer.split(maxsplit=1)[1:] or [""])[0].strip()
        if word == RESIGN:
            return Resign()
        try:
            move = read_move(position, word)
        except LudometerError:
            self.leave()
            return Forfeit(f"engine {self.agent.file.name}: illegal move {shorten(word)}")
        report = report_of(said)
        value = report.pop("value", None)
        return Decision(move, value, {**report, "seconds": clock.monotonic() - since})

    def leave(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process = None


def written_move(position: Position, move: int) -> str:
    """A move as one word."""
    return position.move_text(move).replace(" ", "_")


def read_move(position: Position, word: str) -> int:
    """The legal move of a word; raises NotationError or IllegalMoveError."""
    for move in position.legal:
        if written_move(position, move) == word:
            return move
    return position.parse_move(word.replace("_", " "))


def report_of(lines: list[str]) -> dict[str, Any]:
    """Nodes, depth, value and principal variation, as the last `info` lines give them."""
    found: dict[str, Any] = {}
    for line in lines:
        words = line.split()
        if words[:1] != ["info"]:
            continue
        for name, word in zip(words[1:], words[2:]):
            if name in ("nodes", "depth") and word.isascii() and word.isdigit() and len(word) < 19:
                found[name] = int(word)
        if "score" in words and words[words.index("score") + 1 : words.index("score") + 2] == ["value"]:
            try:
                value = float(words[words.index("score") + 2])
            except (IndexError, ValueError):
                continue
            if 0.0 <= value <= 1.0:
                found["value"] = value
        if "pv" in words:
            found["pv"] = words[words.index("pv") + 1 :][:50]
    return found


def _option(text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not name or not equals:
        raise SpecError(f"agent engine: {shorten(text)} is no option; write option.NAME=VALUE")
    return name, value
