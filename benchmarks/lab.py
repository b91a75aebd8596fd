"""The web lab under load: 100 people play at once against `mcts:200`, each move from the click to the answer on the board, in milliseconds.

    python -m benchmarks.lab [--players 100] [--moves 12] [--ladder | --pages]

Every player checks that its own moves, and no others, are in its game.  With `--ladder` a ladder runs beside it at low priority, as one
that was started in the lab does; it has to play games before and while people do.  `--pages` opens every page in Chromium with an empty
cache instead: how many bytes it loads, and how long it takes from the address to a page that can be used, in milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PLAYERS, MOVES = 100, 12
LADDERS = (False, True)  # with a ladder beside
ROUNDS = 3  # of page loads; the least counts
GAME, AGENT = "quixo:5", "mcts:200"
PAUSE = 1.0  # seconds that a player thinks, on average
LADDER = ("ladder", "quixo:4", "--agent", "mcts", "--rungs", "1,10,100,1000", "--games", "100000")
TOY = {"PLAYERS": 2, "MOVES": 1, "LADDERS": (False,), "ROUNDS": 0}


def compare() -> list[dict[str, Any]]:
    """A row for each figure."""
    rows = []
    for beside in LADDERS:
        found = measure(PLAYERS, MOVES, beside)
        name = f"lab, {PLAYERS} players" + (" beside a ladder" if beside else "")
        rows += [{"name": f"{name}: {key}", "ours": value, "peer": None, "ratio": None} for key, value in found.items()]
    if not ROUNDS or not (shutil.which("chromium") and shutil.which("chromedriver")):
        print("page loads are not measured: that takes rounds, chromium and chromedriver", file=sys.stderr)
        return rows
    for path, (weight, ready) in page_loads().items():
        rows.append({"name": f"lab, page {path}: kB", "ours": weight, "peer": None, "ratio": None})
        rows.append({"name": f"lab, page {path}: usable after ms", "ours": ready, "peer": None, "ratio": None})
    return rows


def measure(players: int, moves: int, beside_a_ladder: bool) -> dict[str, float]:
    """Times of all moves of all players, and how long the server took to listen."""
    with tempfile.TemporaryDirectory() as home, _server(Path(home)) as (port, seconds):
        asyncio.run(_play(port, 2, 2, random.Random(0)))  # compiles
        with _ladder(Path(home)) if beside_a_ladder else _nothing():
            times = asyncio.run(_play(port, players, moves, random.Random(1)))
    times.sort()
    return {
        "listens s": seconds,
        "moves": len(times),
        "median ms": 1000 * times[len(times) // 2],
        "p95 ms": 1000 * times[int(len(times) * 0.95)],
        "p99 ms": 1000 * times[int(len(times) * 0.99)],
    }


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _server(home: Path) -> Iterator[tuple[int, float]]:
    """A lab of its own: (port, seconds until it listened)."""
    command = [sys.executable, "-m", "ludometer", "serve", "--no-browser", "--port", "0"]
    since = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "LUDOMETER_HOME": str(home)}, text=True)
    assert process.stdout is not None
    found = re.search(r":(\d+)/", process.stdout.readline())
    seconds = time.perf_counter() - since
    assert found, "the lab did not start"
    try:
        yield int(found[1]), seconds
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _ladder(home: Path) -> Iterator[None]:
    from ludometer.arena.work.store import Store

    path = home / "ladder.sqlite"

    def played() -> int:
        if not path.is_file():
            return 0
        with Store(path, read_only=True) as store:
            return sum(run.done for run in store.runs())

    command = ["nice", "-n", "10", sys.executable, "-m", "ludometer", *LADDER, "--store", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not played():  # it compiles, and solves its game, before the first one
            assert process.poll() is None, "the ladder ended before anybody played beside it"
            time.sleep(0.2)
        before = played()
        yield
        assert process.poll() is None and played() > before, "the ladder played no games beside the people"
    finally:
        process.terminate()
        process.wait()


# Where each page can be used: what stands on it then.  ID is a game in progress.
READY = {
    "/": ".game img",
    "/play": "#second select",
    "/play/ID": ".board .area.open",
    "/watch/ID": ".board .area",
    "/analyse": ".board .area.open",
    "/experiments": "#list li, #empty:not([hidden])",
    "/dynamics": "#panels svg",
    "/tables": "#solved li, #none:not([hidden])",
    "/studies": "#rows tr",
    "/api": "#endpoints tbody tr",
}
# Run in the page before anything else: notes when what is waited for is first there.
WAITING = """
const note = () => { if (window.usableAfter === undefined && document.querySelector(%s)) window.usableAfter = performance.now(); };
new MutationObserver(note).observe(document, {subtree: true, childList: true, attributes: true});
"""
WEIGHT = """return ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, each) => sum + each.transferSize, 0)"""


def page_loads(rounds: int = ROUNDS) -> dict[str, tuple[float, float]]:
    """For each page kilobytes loaded with an empty cache, and milliseconds until it can be used: the least of several rounds."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"):
        options.add_argument(argument)
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as home, _server(Path(home)) as (port, _):
        driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            asyncio.run(_play(port, 2, 2, random.Random(0)))  # compiles
            table = asyncio.run(_new_game(port))
            for path, css in READY.items():
                loads = [_load(driver, f"http://127.0.0.1:{port}{path.replace('ID', table)}", css) for _ in range(rounds + 1)][1:]
                found[path] = max(weight for weight, _ in loads) / 1024, min(ready for _, ready in loads)
        finally:
            driver.quit()
    return found


def _load(driver: Any, address: str, css: str) -> tuple[float, float]:
    """(bytes, milliseconds) of a page."""
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WAITING % json.dumps(css)})
    driver.get(address)
    while (ready := driver.execute_script("return window.usableAfter ?? null")) is None:
        time.sleep(0.02)
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    return driver.execute_script(WEIGHT), ready


async def _new_game(port: int) -> str:
    state = await Client(port).post("/api/sessions", {"game": GAME, "second": "human"})
    return str(state["id"])


async def _play(port: int, players: int, moves: int, chance: random.Random) -> list[float]:
    games = [_one_player(port, moves, random.Random(chance.random())) for _ in range(players)]
    return [seconds for times in await asyncio.gather(*games) for seconds in times]


async def _one_player(port: int, moves: int, chance: random.Random) -> list[float]:
    """Seconds from each move to the agent's answer, both seen on the player's own WebSocket."""
    from websockets.asyncio.client import connect

    await asyncio.sleep(chance.random() * PAUSE)
    client = Client(port)
    state = await client.post("/api/sessions", {"game": GAME, "second": AGENT})
    times, own = [], []
    async with connect(f"ws://127.0.0.1:{port}/live/game/{state['id']}", max_size=None, compression=None) as socket:
        state = json.loads(await socket.recv())["snapshot"]
        while len(own) < moves and state["turn"] == 0:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * PAUSE)
            own.append(chance.choice(state["board"]["moves"])["move"])
            since = time.perf_counter()
            await client.post(f"/api/sessions/{state['id']}/moves", {"move": own[-1], "version": state["version"]})
            while len(state["moves"]) < 2 * len(own) and state["result"] is None:
                message = json.loads(await socket.recv())
                state = message["snapshot"] if "snapshot" in message else message["changes"][-1]["state"]
            times.append(time.perf_counter() - since)
            assert state["moves"][0::2] == own, "a move was lost, or came from another game"
    return times


class Client:
    """One connection that is kept, as browsers do; by hand, since a library for requests takes more time than the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        content = json.dumps(body)
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
        request = f"{head}Content-Length: {len(content)}\r\n\r\n{content}".encode()
        try:
            return await self._answer(request)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.streams = None  # the server ends connections that were idle for some seconds; a move that is sent twice is made once
            return await self._answer(request)

    async def _answer(self, request: bytes) -> Any:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", answer, re.IGNORECASE)
        assert length and answer.split()[1] in ("200", "201"), answer
        return json.loads(await reader.readexactly(int(length[1])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--moves", type=int, default=12)
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--pages", action="store_true")
    given = parser.parse_args()
    if given.pages:
        for path, (weight, ready) in page_loads().items():
            print(f"{path:>12} {weight:8.1f} kB {ready:8.0f} ms")
        return
    for name, value in measure(given.players, given.moves, given.ladder).items():
        print(f"{name:>12} {value:10.3f}")


if __name__ == "__main__":
    main()
