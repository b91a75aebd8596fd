"""An agent of ours as an engine: it answers the Universal Game Interface on two streams (docs/engines.md)."""

from __future__ import annotations

import threading
from typing import IO

import numpy as np

from ludometer import games
from ludometer.agents import agent as find_agent
from ludometer.bridges.engine import RESIGN, read_move, written_move
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import LudometerError
from ludometer.core.outcome import FIRST, ONGOING, WIN
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.stopping import Stop, Stopped

_SHARE = 30  # of the time left on a clock, a move takes one part


class EngineServer:
    """The talk of one engine, until `quit` or the end of the input."""

    def __init__(self, spec: str, game: str, source: IO[str], target: IO[str]) -> None:
        self._spec, self._source, self._target = spec, source, target
        self._game = games.game(game)
        self._agent: Agent | None = None
        self._ply_limit: int | None = self._game.kind.ply_limit
        self._key: int | None = None
        self._start = self._position = self._game.start()
        self._moves: list[int] = []
        self._player: Player | None = None
        self._seen: tuple[Position, int, list[int]] | None = None  # start, side, moves that the player was told of
        self._stop = Stop()
        self._thinking: threading.Thread | None = None
        self._lock = threading.Lock()

    def run(self) -> None:
        """Answer until the end; a line that cannot be obeyed is answered by `info string`."""
        for line in self._source:
            words = line.split()
            if not words:
                continue
            if words[0] == "quit":
                break
            try:
                self._obey(words[0], words[1:])
            except LudometerError as error:
                self._say(f"info string {error}")
        self._stop.ask()
        self._join()
        self._leave()

    def _say(self, line: str) -> None:
        with self._lock:
            self._target.write(line + "\n")
            self._target.flush()

    def _obey(self, word: str, rest: list[str]) -> None:
        if word == "stop":
            self._stop.ask()
            return
        if word == "isready":
            self._made()
            self._say("readyok")
            return
        self._join()
        if word == "ugi":
            self._say(f"id name ludometer {self._spec}")
            self._say("id author ludometer")
            self._say(f"option name Game type string default {self._game.reference}")
            self._say("option name PlyLimit type spin default 0 min 0 max 1000000")
            self._say("option name Seed type string default 0")
            self._say("ugiok")
        elif word == "setoption":
            self._set(rest)
        elif word == "uginewgame":
            self._leave()
        elif word == "position":
            self._place(rest)
        elif word == "go":
            self._go(rest)
        elif word == "query":
            self._query(rest)
        else:
            self._say(f"info string unknown command {word}")

    def _set(self, rest: list[str]) -> None:
        text = " ".join(rest)
        name, _, value = text.removeprefix("name ").partition(" value ")
        match name.strip().lower():
            case "game":
                self._game, self._agent = games.game(value.strip()), None
                self._ply_limit = self._game.kind.ply_limit
                self._start = self._position = self._game.start()
                self._moves = []
                self._leave()
            case "plylimit" if value.strip().isdigit():
                self._ply_limit = int(value) or None
                self._leave()
            case "seed" if value.strip().isdigit():
                self._key = int(value) & (2**64 - 1)
            case _:
                raise LudometerError(f"there is no option {name.strip() or 'without a name'} with the value {value.strip() or 'nothing'}")

    def _place(self, rest: list[str]) -> None:
        cut = rest.index("moves") if "moves" in rest else len(rest)
        begin, words = rest[:cut], rest[cut + 1 :]
        if begin[:1] not in (["startpos"], ["fen"]):
            raise LudometerError("position takes startpos or fen TEXT, then moves")
        start = self._game.start() if begin[0] == "startpos" else self._game.position(" ".join(begin[1:]))
        position, moves = start, []
        for word in words:
            moves.append(read_move(position, word))
            position = position.play(moves[-1])
        self._start, self._position, self._moves = start, position, moves

    def _made(self) -> Agent:
        if self._agent is None:
            self._agent = find_agent(self._spec, self._game)
        return self._agent

    def _go(self, rest: list[str]) -> None:
        if self._position.is_over:
            raise LudometerError("the game is over")
        self._stop = Stop()
        seconds = self._seconds(rest)
        self._thinking = threading.Thread(target=self._think, args=(self._stop, seconds), daemon=True)
        self._thinking.start()

    def _seconds(self, rest: list[str]) -> float | None:
        """The time for a move: `movetime`, or a share of the clock of the player to move; None: the agent's own limits."""
        given = {name: int(value) / 1000 for name, value in zip(rest, rest[1:]) if value.isdigit()}
        if "movetime" in given:
            return given["movetime"]
        side = "p1" if self._position.player == FIRST else "p2"
        return given[f"{side}time"] / _SHARE + given.get(f"{side}inc", 0.0) if f"{side}time" in given else None

    def _think(self, stop: Stop, seconds: float | None) -> None:
        timer = None
        if seconds is not None:
            timer = threading.Timer(seconds, stop.ask)
            timer.start()
        try:
            position = self._position
            key = np.uint64(self._key) if self._key is not None else stream(0, "game", len(self._moves))
            choice = self._seated(position).choose(position, key, stop)
            if not isinstance(choice, Decision):
                self._say(f"bestmove {RESIGN}")
                return
            said = [f"nodes {choice.positions}"] if choice.positions is not None else []
            said += [f"depth {choice.report['depth']}"] if "depth" in choice.report else []
            said += [f"score value {choice.value:.6f}"] if choice.value is not None else []
            word = written_move(position, choice.move)
            self._say(" ".join(["info", *said, f"pv {word}"]))
            self._say(f"bestmove {word}")
        except Stopped:
            self._say(f"bestmove {written_move(self._position, self._position.legal[0])}")  # stopped before it had a move
        except LudometerError as error:
            self._say(f"info string {error}")
            self._say(f"bestmove {RESIGN}")
        finally:
            if timer is not None:
                timer.cancel()

    def _seated(self, position: Position) -> Player:
        """The player of the running game, told of all moves; a new one if the game is not the one it has seen."""
        side, told = position.player, self._moves
        seen = self._seen
        if self._player is None or seen is None or seen[:2] != (self._start, side) or seen[2] != told[: len(seen[2])]:
            self._leave()
            self._player, seen = self._made().player(self._start, side, self._ply_limit), (self._start, side, [])
        after = self._start
        for number, move in enumerate(told):
            after = after.play(move)
            if number >= len(seen[2]):
                self._player.observe(move, after)
        self._seen = (self._start, side, list(told))
        return self._player

    def _query(self, rest: list[str]) -> None:
        position = self._position
        if rest == ["gameover"]:
            self._say(f"response {str(position.is_over).lower()}")
        elif rest == ["p1turn"]:
            self._say(f"response {str(position.player == FIRST).lower()}")
        elif rest == ["result"]:
            outcome = position.outcome if position.player == FIRST or position.outcome == ONGOING else -position.outcome
            self._say("response " + ("none" if outcome == ONGOING else "draw" if outcome == 0 else "p1win" if outcome == WIN else "p2win"))
        else:
            raise LudometerError("query takes gameover, p1turn or result")

    def _join(self) -> None:
        if self._thinking is not None:
            self._thinking.join()
        self._thinking = None

    def _leave(self) -> None:
        if self._player is not None:
            self._player.leave()
        self._player = self._seen = None
