"""Agents that think while the pages go on: in threads, since compiled code releases Python's lock, each with a request to stop.

Every thought has a `Stop` that a page or a deadline can ask, and a share of a small pool of threads.  The operating system divides the
cores among them, so that a quick answer comes soon even beside long ones.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ludometer.agents import agent as find_agent
from ludometer.arena.seat import Seat
from ludometer.arena.session import Session
from ludometer.core.agent import Decision
from ludometer.core.random import stream
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop

Result = TypeVar("Result")

DEADLINE = 60.0  # seconds after which a thought has to end
_THREADS = 16


class Thinking:
    """The threads that agents think in."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, "thinking")
        self._stops: set[Stop] = set()

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

    def close(self) -> None:
        """End all thoughts; those that are only waiting for a thread never begin."""
        for stop in self._stops:
            stop.ask()
        self._pool.shutdown(wait=False, cancel_futures=True)


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

    def choose(self, stop: Stop) -> Decision | Request:
        """Called in a thread.  Makes the agent first, if nobody sits here."""
        if self.seat is None:
            self.seat = Seat(self._session, self.side, find_agent(self.spec, self._session.game, trusted=False))
        self.seat.session = self._session
        return self.seat.choose(stream(self._session.seed or 0, "game", self._session.ply), stop)

    def document(self) -> dict[str, Any]:
        return {"side": self.side, "agent": self.spec, "since": self.since}
