"""The lab as a process: how it ends, what it does about garbage."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from pathlib import Path
from typing import Any

from ludometer.web.live import Hub
from ludometer.web.server import QuietlyCancelled, settle_garbage_collector
from tests.web.conftest import PATIENCE, LabProcess


def test_changes_are_gathered_again_after_an_urgent_one() -> None:
    async def check() -> None:
        follower = Hub().follow("game/x")
        for urgent in (True, False):
            follower.add("1", urgent)
            assert await follower.gathered() == ["1"]
        follower.add("2", urgent=False)
        waiting = asyncio.create_task(follower.pause())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done(), "nothing is urgent"
        follower.add("3", urgent=True)
        await waiting
        assert await follower.gathered() == ["2", "3"]

    asyncio.run(check())


def test_a_lab_ends_quietly_while_agents_think(tmp_path: Path) -> None:
    running = LabProcess(tmp_path)
    running.get("/api/best", game="quixo:4", agent="mcts:10")  # compiles
    begun = running.post("/api/sessions", game="quixo:4", first="human", second="mcts:time=10")
    path = f"/api/sessions/{begun['id']}"
    running.post(f"{path}/moves", move="A1>right", version=begun["version"])
    answers: list[int] = []

    def ask() -> None:
        client = type(running.client)(base_url=running.url, timeout=PATIENCE)
        answers.append(client.get("/api/best", params={"game": "quixo:4", "agent": "mcts:time=10"}).status_code)

    request = threading.Thread(target=ask)
    request.start()
    end = time.monotonic() + PATIENCE
    while running.get(path)["thinking"] is None:
        assert time.monotonic() < end, "the agent never began"
        time.sleep(0.02)
    time.sleep(0.3)  # the request has reached its agent
    assert running.stop() == 130
    request.join(PATIENCE)
    assert answers in ([200], [503]), "the move it had by then, or a word that the lab is ending"
    assert (tmp_path / "errors.txt").read_text() == ""


def test_a_cancelled_request_is_answered_and_not_an_error() -> None:
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(PATIENCE)

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        request = asyncio.create_task(QuietlyCancelled(app)({"type": "http"}, None, send))  # type: ignore[arg-type]  # nothing is received
        await asyncio.sleep(0)
        request.cancel()
        await request

    asyncio.run(run())
    assert sent[0]["status"] == 503 and json.loads(sent[1]["body"])["detail"] == "the lab is ending"


def test_what_is_there_when_the_lab_starts_is_not_visited_by_the_garbage_collector() -> None:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's own, whatever other tests have set
    kept = [[]]  # type: ignore[var-annotated]  # tracked by the collector
    try:
        settle_garbage_collector()
        assert gc.get_freeze_count() > 10_000 and not any(each is kept for each in gc.get_objects())
        assert gc.get_threshold() > (700, 10, 10)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
