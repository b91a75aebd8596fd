"""Live messages: a page opens one WebSocket for a topic, and gets a snapshot and then every change.

A topic is `kind/name`, such as `game/7f3a…`.  The owner of a kind of topic provides snapshots and publishes changes.  Urgent changes, such
as a move, are sent at once; others, such as a count, are gathered and sent at most five times a second.  A page that reads too slowly
loses the changes that wait for it and gets a new snapshot, so no queue grows.

What is sent is a JSON object {"snapshot": …} or {"changes": […]}.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

BETWEEN = 0.2  # seconds between two batches of changes that are not urgent
MOST_WAITING = 64  # changes queued for one page
MOST_PAGES = 1000  # open at once
_NO_SUCH_TOPIC = 4404  # codes with which a WebSocket is closed
_TOO_MANY = 4429

Document = Mapping[str, object]  # an object for JSON
SnapshotOf = Callable[[str], Awaitable[Document | None]]
OnLeft = Callable[[str, str], None]
router = APIRouter()


class Hub:
    """Topics and the pages that follow them.  Used from the server's event loop only."""

    def __init__(self) -> None:
        self._snapshots: dict[str, SnapshotOf] = {}
        self._left: dict[str, OnLeft] = {}
        self._followers: dict[str, set[Follower]] = {}

    def provide(self, kind: str, snapshot: SnapshotOf, left: OnLeft | None = None) -> None:
        """Register a kind of topic.

        `snapshot(name)` is the whole state of topic `kind/name`, None if there is no such thing.  `left(name, topic)` is called when the
        last page that followed a topic has gone.
        """
        self._snapshots[kind] = snapshot
        if left is not None:
            self._left[kind] = left

    def is_followed(self, topic: str) -> bool:
        """True if a page follows this topic."""
        return bool(self._followers.get(topic))

    @property
    def pages(self) -> int:
        """Number of connected pages."""
        return sum(map(len, self._followers.values()))

    def publish(self, topic: str, change: Document | str, urgent: bool = False) -> None:
        """Send a change, as an object or as JSON text, to all pages that follow the topic."""
        followers = self._followers.get(topic)
        if followers:
            text = change if isinstance(change, str) else _json(change)
            for follower in followers:
                follower.add(text, urgent)

    async def snapshot(self, topic: str) -> Document | None:
        """The state of a topic, None if there is no such thing."""
        kind, _, name = topic.partition("/")
        provider = self._snapshots.get(kind)
        return await provider(name) if provider is not None else None

    def follow(self, topic: str) -> Follower:
        """Register a page; `leave` ends it."""
        follower = Follower(topic)
        self._followers.setdefault(topic, set()).add(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        """Forget a page that has gone."""
        followers = self._followers.get(follower.topic, set())
        followers.discard(follower)
        if not followers and self._followers.pop(follower.topic, None) is not None:
            kind, _, name = follower.topic.partition("/")
            if kind in self._left:
                self._left[kind](name, follower.topic)


class Follower:
    """The queue of changes for one page."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.waiting: list[str] = []  # JSON
        self.has_lost = False
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()

    def add(self, change: str, urgent: bool) -> None:
        """Queue a change; a full queue is dropped, and a snapshot will take its place."""
        if len(self.waiting) >= MOST_WAITING:
            self.waiting.clear()
            self.has_lost = True
        self.waiting.append(change)
        self._some.set()
        if urgent:
            self._urgent.set()

    async def gathered(self) -> list[str]:
        """Wait for changes, and take all that are queued."""
        await self._some.wait()
        changes, self.waiting = self.waiting, []
        self._some.clear()
        self._urgent.clear()
        return changes

    async def pause(self) -> None:
        """Wait until the next batch may be sent."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._urgent.wait(), BETWEEN)


@router.websocket("/live/{topic:path}")
async def live(socket: WebSocket, topic: str) -> None:
    """Serve a page that follows a topic until it is closed."""
    hub: Hub = socket.app.state.lab.hub
    await socket.accept()
    if hub.pages >= MOST_PAGES:
        await socket.close(_TOO_MANY, "too many pages are open")
        return
    follower = hub.follow(topic)
    try:
        first = await hub.snapshot(topic)
        if first is None:
            await socket.close(_NO_SUCH_TOPIC, "there is no such thing here")
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
    """Wait until the page is closed.  Pages send nothing, but only reading notices a disconnect at once."""
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
        await follower.pause()


def _json(value: Document) -> str:
    return json.dumps(value, separators=(",", ":"))
