"""Agents that think while the pages go on: in threads, since compiled code releases Python's lock, each with a request to stop.

Every thought has a `Stop` that a page or a deadline can ask, and a share of a small pool of threads.  The operating system divides the
cores among them, so that a quick answer comes soon even beside long ones.
"""

from __future__ import annotations

import asyncio
import copy
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ludometer.agents import agent as find_agent
from ludometer.agents import kinds
from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import Session
from ludometer.core.agent import Agent, Decision
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop, Stopped

Result = TypeVar("Result")

DEADLINE = 60.0  # seconds after which a thought has to end
_THREADS = 16
_NAME = "thinking"
_GRACE = 0.5  # seconds that threads get to see that they are to end
_INTERRUPTED = 130  # the status of a process that Ctrl-C ended


class Thinking:
    """The threads that agents think in."""

    def __init__(self, tables: Path | None = None) -> None:
        self.tables = tables  # the folder of solved tables that agents use; None: the user's
        self._pool = ThreadPoolExecutor(_THREADS, _NAME)
        self._stops: set[Stop] = set()
        self._warm: set[tuple[str, str]] = set()  # kinds of agents and games that have met: their code is there

    async def run(self, work: Callable[[Stop], Result], stop: Stop | None = None, seconds: float = DEADLINE) -> Result:
        """What `work(stop)` gives; it is asked to stop after these seconds, and when whoever waits for it goes away."""
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
        """An agent whose code is ready, so that no time is counted while it is compiled.  Raises LudometerError."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._made, spec, position, trusted)

    def _made(self, spec: str, position: Position, trusted: bool) -> Agent:
        key = spec.partition(":")[0], position.game.kind.name
        made = self._found(spec, position.game, trusted)
        if key not in self._warm and not position.is_over:
            at_once = Stop()
            at_once.ask()
            with suppress(Stopped):
                made.choose(position, np.uint64(0), at_once)
            self._warm.add(key)
        return made

    def _found(self, spec: str, game: Game, trusted: bool) -> Agent:
        """The agent a spec names; one that plays from tables gets the lab's own folder, which strangers cannot name."""
        name, _, parameters = spec.partition(":")
        kind = kinds().get(name)
        if self.tables is None or kind is None or kind.inside_only or not any(option.name == "tables" for option in kind.options):
            return find_agent(spec, game, trusted)
        values = kind.parse_options(parameters, trusted)
        return kind.agent(game, kind.spec({**values, "tables": str(self.tables)}).partition(":")[2])

    def close(self) -> None:
        """End all thoughts; those that are only waiting for a thread never begin."""
        for stop in self._stops:
            stop.ask()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def leave(self) -> None:
        """Called last of all: end the process if a thread is left that would hold it up, such as one that compiles."""
        threads = [thread for thread in threading.enumerate() if thread is not threading.current_thread() and not thread.daemon]
        for thread in threads:
            thread.join(_GRACE / max(1, len(threads)))
        if any(thread.is_alive() for thread in threads):
            sys.stdout.flush()
            os._exit(_INTERRUPTED)


class Thought:
    """One agent that thinks about one position of one game.  It sees the game as it was when it began, whatever happens to it since."""

    def __init__(self, session: Session, side: int, spec: str, seat: Seat | None) -> None:
        self.side = side
        self.spec = spec
        self.stop = Stop()
        self.since = time.time()
        self.seat = seat
        self._session = copy.copy(session)
        self._session.turns = list(session.turns)

    async def sit_down(self, thinking: Thinking) -> None:
        """Make the agent, if nobody sits here."""
        if self.seat is None:
            agent = await thinking.agent(self.spec, self._session.seen_by(self.side))
            self.seat = Seat(self._session, self.side, agent)
        self.seat.session = self._session

    def choose(self, stop: Stop) -> Decision | Request:
        """Called in a thread, after `sit_down`."""
        assert self.seat is not None
        return self.seat.choose(stream(self._session.seed or 0, "game", self._session.ply), stop)

    def document(self) -> dict[str, Any]:
        return {"side": self.side, "agent": self.spec, "since": self.since}
