"""Agents that think while pages stay responsive: in threads, since compiled code releases Python's lock.

Every thought has a `Stop` that a page or a deadline can ask, and a share of a small pool of threads.  The operating system divides the
cores among the threads, so a quick answer comes soon even beside long ones.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np
from typing_extensions import TypedDict

from ludometer.agents import agent as find_agent
from ludometer.agents import kinds
from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import Session
from ludometer.core.agent import Agent, Decision, split_spec
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop, Stopped
from ludometer.web import untrusted

Result = TypeVar("Result")

DEADLINE = 60.0  # seconds after which a thought is asked to stop
_THREADS = 16
_THREAD_NAME = "thinking"
_GRACE = 0.5  # seconds that threads get to end when the process does
_INTERRUPTED = 130  # exit status of a process ended by Ctrl-C


class ThoughtDocument(TypedDict):
    """An agent that is thinking, for JSON."""

    side: int
    agent: str
    since: float  # seconds since 1970


class Thinking:
    """The pool of threads that agents think in."""

    def __init__(self, tables: Path | None = None) -> None:
        """`tables` is the folder of solved tables that agents use; None: the user's."""
        self.tables = tables
        self._pool = ThreadPoolExecutor(_THREADS, _THREAD_NAME)
        self._stops: set[Stop] = set()
        self._compiled: set[tuple[str, str]] = set()  # (kind of agent, kind of game) whose code is ready

    async def run(self, work: Callable[[Stop], Result], stop: Stop | None = None, seconds: float = DEADLINE) -> Result:
        """Result of `work(stop)`, called in a thread.

        The work is asked to stop after `seconds`, and when the caller is cancelled.
        """
        asked = stop or Stop()
        loop = asyncio.get_running_loop()
        bell = loop.call_later(seconds, asked.ask)
        self._stops.add(asked)
        try:
            return await loop.run_in_executor(self._pool, work, asked)
        except asyncio.CancelledError:
            asked.ask()
            raise
        finally:
            bell.cancel()
            self._stops.discard(asked)

    async def agent(self, spec: str, position: Position, trusted: bool = False) -> Agent:
        """An agent whose code is compiled, so that compiling does not count as thinking.  Raises LudometerError.

        `trusted` is for the lab's own specs; all others are checked as input from outside.
        """
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._compiled_agent, spec, position, trusted)

    def _compiled_agent(self, spec: str, position: Position, trusted: bool) -> Agent:
        key = split_spec(spec)[0], position.game.kind.name
        made = self._agent(spec, position.game, trusted)
        if key not in self._compiled and not position.is_over:
            at_once = Stop()
            at_once.ask()
            with suppress(Stopped):
                made.choose(position, np.uint64(0), at_once)
            self._compiled.add(key)
        return made

    def _agent(self, spec: str, game: Game, trusted: bool) -> Agent:
        """The agent of a spec; one that plays from tables gets the lab's own folder, which input from outside cannot name."""
        if not trusted:
            spec = untrusted.agent_spec(spec, game)
        name, parameters = split_spec(spec)
        kind = kinds().get(name)
        if self.tables is None or kind is None or not any(option.name == "tables" for option in kind.options):
            return find_agent(spec, game)
        values = kind.parse_options(parameters)
        return kind.agent(game, kind.spec({**values, "tables": str(self.tables)}).partition(":")[2])

    def stop_all(self) -> None:
        """Ask every running thought to stop."""
        for stop in self._stops:
            stop.ask()

    def close(self) -> None:
        """End all thoughts; those that wait for a thread never begin."""
        self.stop_all()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def leave(self) -> None:
        """End the process if a thread would hold it up, such as one that compiles.  Called last of all."""
        threads = [thread for thread in threading.enumerate() if thread is not threading.current_thread() and not thread.daemon]
        for thread in threads:
            thread.join(_GRACE / max(1, len(threads)))
        if any(thread.is_alive() for thread in threads):
            sys.stdout.flush()
            os._exit(_INTERRUPTED)


class Thought:
    """One agent that thinks about one position of one game.

    It works on a copy of the session.  The thread therefore sees the game as it was when the thought began, whatever the event loop does to
    the session meanwhile.  A seat of an earlier thought is moved to the copy: it finds the turns it knows, since copies share them.
    """

    def __init__(self, session: Session, side: int, spec: str, seat: Seat | None) -> None:
        self.side = side
        self.spec = spec
        self.stop = Stop()
        self.since = time.time()
        self.seat = seat
        self._session = session.copy()

    async def sit_down(self, thinking: Thinking) -> None:
        """Prepare the seat, with a new agent if there was none."""
        if self.seat is None:
            agent = await thinking.agent(self.spec, self._session.seen_by(self.side))
            self.seat = Seat(self._session, self.side, agent)
        self.seat.session = self._session

    def choose(self, stop: Stop) -> Decision | Request:
        """The agent's choice; called in a thread, after `sit_down`."""
        assert self.seat is not None
        return self.seat.choose(stream(self._session.seed or 0, "game", self._session.ply), stop)

    def document(self) -> ThoughtDocument:
        """The thought for JSON."""
        return {"side": self.side, "agent": self.spec, "since": self.since}
