"""Live messages: a page opens one WebSocket, names a topic, and gets a snapshot of it and then every change.

A topic is `kind/name`, such as `table/7f3a…`.  Whoever owns a kind of topic provides the snapshot; whoever changes something publishes a
message.  Changes that people wait for (a move) are sent at once, others (a number that grows) at most five times a second, gathered.  A
page that reads too slowly loses what waits for it and gets a new snapshot instead, so no queue grows.

What is sent is a JSON object {"snapshot": …} or {"changes": […]}.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

BETWEEN = 0.2  # seconds between two batches of changes that can wait
MOST_WAITING = 64  # changes that wait for one page
MOST_PAGES = 1000  # open at once
_NO_SUCH_TOPIC = 4404
_TOO_MANY = 4429

Snapshot = Callable[[str], Awaitable[dict[str, Any] | None]]
Left = Callable[[str, str], None]
router = APIRouter()


class Hub:
    """Topics and the pages that follow them.  Used from the server's event loop only; `publish_from_thread` may be called anywhere."""

    def __init__(self) -> None:
        self._snapshots: dict[str, Snapshot] = {}
        self._left: dict[str, Left] = {}
        self._followers: dict[str, set[Follower]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def provide(self, kind: str, snapshot: Snapshot, left: Left | None = None) -> None:
        """`snapshot(name)` is the whole state of topic `kind/name` for JSON, None if there is no such thing.

        `left(name, topic)` is called when the last page that followed a topic has gone.
        """
        self._snapshots[kind] = snapshot
        if left is not None:
            self._left[kind] = left

    def bind(self) -> None:
        """Remember the running loop, for other threads."""
        self._loop = asyncio.get_running_loop()

    def is_followed(self, topic: str) -> bool:
        return bool(self._followers.get(topic))

    @property
    def pages(self) -> int:
        """How many pages are connected."""
        return sum(map(len, self._followers.values()))

    def publish(self, topic: str, change: dict[str, Any] | str, urgent: bool = False) -> None:
        """Send a change (an object, or its JSON) to all pages that follow the topic; `urgent` ones at once."""
        followers = self._followers.get(topic)
        if followers:
            text = change if isinstance(change, str) else _json(change)
            for follower in followers:
                follower.add(text, urgent)

    def publish_from_thread(self, topic: str, change: dict[str, Any], urgent: bool = False) -> None:
        if self._loop is not None and not self._loop.is_closed():
            with suppress(RuntimeError):  # the loop has ended meanwhile, and every page with it
                self._loop.call_soon_threadsafe(self.publish, topic, change, urgent)

    async def snapshot(self, topic: str) -> dict[str, Any] | None:
        kind, _, name = topic.partition("/")
        provider = self._snapshots.get(kind)
        return await provider(name) if provider is not None else None

    def follow(self, topic: str) -> Follower:
        follower = Follower(topic)
        self._followers.setdefault(topic, set()).add(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        followers = self._followers.get(follower.topic, set())
        followers.discard(follower)
        if not followers and self._followers.pop(follower.topic, None) is not None:
            kind, _, name = follower.topic.partition("/")
            if kind in self._left:
                self._left[kind](name, follower.topic)


class Follower:
    """What waits for one page."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.waiting: list[str] = []  # JSON
        self.has_lost = False
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()

    def add(self, change: str, urgent: bool) -> None:
        if len(self.waiting) >= MOST_WAITING:
            self.waiting.clear()
            self.has_lost = True
        self.waiting.append(change)
        self._some.set()
        if urgent:
            self._urgent.set()

    async def gathered(self) -> list[str]:
        """The changes since the last call, as soon as there are some."""
        await self._some.wait()
        changes, self.waiting = self.waiting, []
        self._some.clear()
        self._urgent.clear()
        return changes

    async def rest(self) -> None:
        """Wait until the next batch may be sent."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._urgent.wait(), BETWEEN)


@router.websocket("/live/{topic:path}")
async def live(socket: WebSocket, topic: str) -> None:
    """A page that follows a topic until it is closed."""
    hub: Hub = socket.app.state.lab.hub
    await socket.accept()
    if hub.pages >= MOST_PAGES:
        await socket.close(_TOO_MANY, "too many pages are open")
        return
    follower = hub.follow(topic)
    try:
        first = await hub.snapshot(topic)
        if first is None:
            await socket.close(_NO_SUCH_TOPIC, "there is no such thing here (any more)")
            return
        await socket.send_text(f'{{"snapshot":{_json(first)}}}')
        reading = asyncio.create_task(_read(socket))
        sending = asyncio.create_task(_send_changes(socket, hub, follower))
        _, pending = await asyncio.wait((reading, sending), return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(reading, sending, return_exceptions=True)
    except (WebSocketDisconnect, RuntimeError):
        pass  # closed by the page while something was sent
    finally:
        hub.leave(follower)


async def _read(socket: WebSocket) -> None:
    """Pages say nothing here; reading notices at once when one is closed."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return


async def _send_changes(socket: WebSocket, hub: Hub, follower: Follower) -> None:
    while True:
        changes = await follower.gathered()
        if follower.has_lost:
            follower.has_lost = False
            snapshot = await hub.snapshot(follower.topic)
            if snapshot is None:
                return
            await socket.send_text(f'{{"snapshot":{_json(snapshot)}}}')
        else:
            await socket.send_text(f'{{"changes":[{",".join(changes)}]}}')
        await follower.rest()


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
