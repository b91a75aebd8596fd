"""The application and its web server: one process, one event loop, by default for this machine only."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludometer import __version__
from ludometer.core.errors import LudometerError
from ludometer.web import live, pages, problems
from ludometer.web.api import routers
from ludometer.web.guard import Guard
from ludometer.web.lab import Lab

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SWITCH_INTERVAL = 0.0005  # seconds that an agent's thread may hold Python's lock while the event loop waits for it
_GRACE = 3  # seconds that requests get to finish when the server ends
_COLLECT_AFTER = (10_000, 5, 200)  # thresholds of the garbage collector's generations; Python's own are (700, 10, 10)


class Files(StaticFiles):
    """Static files that browsers revalidate every time: a new version is seen at once, an unchanged file costs no bytes."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers["cache-control"] = "no-cache"
        return answer


class Compressed(GZipMiddleware):
    """Compresses pages and scripts, but not the states of games, which are many and small."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/sessions"):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class QuietlyCancelled:
    """Answers 503 to a request that is cancelled because the server ends; without it, the log gets a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def noted_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted_send)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not has_begun:
                body = problems.ProblemDetails(title="Service Unavailable", status=503, detail="the lab is ending").model_dump_json()
                await Response(body, 503, media_type="application/problem+json")(scope, receive, send)


class LabServer(uvicorn.Server):
    """uvicorn's server, which ends soon although agents think.

    Requests that wait for an agent are answered when their thought has stopped; those that are still unanswered after a few seconds are
    cancelled.
    """

    def __init__(self, config: uvicorn.Config, lab: Lab) -> None:
        super().__init__(config)
        self._lab = lab

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._lab.thinking.stop_all()
        deadline = asyncio.get_running_loop().call_later(_GRACE, self._cancel_requests)
        await super().shutdown(sockets)
        deadline.cancel()

    def _cancel_requests(self) -> None:
        for task in list(self.server_state.tasks):
            task.cancel()


def settle_garbage_collector() -> None:
    """Exempt all present objects from garbage collection, and make full passes rare.

    A full pass visits every tracked object while no request is served.  Modules and their functions live as long as the process, so
    visiting them is in vain.  Boards and games in progress accumulate, but hardly ever in cycles, so the quick passes over young objects
    suffice.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def create_app(lab: Lab, hosts: Iterable[str]) -> Guard:
    """The lab as an ASGI application that answers to these hosts only, each `name:port`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await lab.open()
        yield
        await lab.close()

    app = FastAPI(
        title="ludometer",
        version=__version__,
        description="Solve, play and measure two-player games.  Values are for the player to move unless named otherwise.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.lab = lab
    app.add_middleware(Compressed, minimum_size=1000, compresslevel=4)
    problems.install(app)
    for router in routers():
        for route in router.routes:  # the first sentence of a description is the summary, unless there is one
            if isinstance(route, APIRoute) and route.summary is None and route.description:
                route.summary = re.split(r"[.;:](?:\s|$)", route.description)[0].replace("`", "")
        app.include_router(router)
    app.include_router(live.router)
    app.include_router(pages.router())
    app.mount("/static", Files(directory=pages.HERE / "static"))
    return Guard(QuietlyCancelled(app), hosts)


def hosts_for(host: str, port: int, names: Iterable[str] = ()) -> list[str]:
    """The values of the header Host that a lab at this address answers to."""
    known = [*LOOPBACK, *names, *([host] if host not in ("0.0.0.0", "::") else [])]
    found = [f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in dict.fromkeys(known)]
    return [*found, *(host.rpartition(":")[0] for host in found if port == 80)]


def listen(host: str, port: int) -> socket.socket:
    """A listening socket at this address; raises LudometerError."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(256)
        return found
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudometerError(f"cannot listen at {host}:{port}: {reason.lower()}; choose another --port or --host") from error


def serve(lab: Lab, host: str, port: int, names: Iterable[str] = (), browser: bool = True, ready: Callable[[str], None] = print) -> None:
    """Run the lab until it is interrupted; `ready` is called with its address.  Port 0: any free port.  Raises LudometerError."""
    open_socket = listen(host, port)
    port = open_socket.getsockname()[1]
    shown = "127.0.0.1" if host == "0.0.0.0" else host
    address = f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
    config = uvicorn.Config(
        create_app(lab, hosts_for(host, port, names)),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws_max_size=64 * 1024,
        ws_max_queue=8,
        ws_ping_interval=20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2 * _GRACE,
        h11_max_incomplete_event_size=64 * 1024,
    )
    sys.setswitchinterval(_SWITCH_INTERVAL)
    server = LabServer(config, lab)
    settle_garbage_collector()

    async def run() -> None:
        started = asyncio.create_task(_announce(server, address, browser, ready))
        await server.serve(sockets=[open_socket])
        started.cancel()

    loop = asyncio.new_event_loop()  # asyncio.run would wait for threads, however long they take
    try:
        loop.run_until_complete(run())
    finally:
        lab.thinking.leave()


async def _announce(server: uvicorn.Server, address: str, browser: bool, ready: Callable[[str], None]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    ready(address)
    if browser:
        await asyncio.to_thread(webbrowser.open, address)
