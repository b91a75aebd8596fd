"""The outermost layer: who may talk to the lab, how much they may send, and what browsers are told about it.

The lab has no passwords: it trusts programs on the same machine.  It must not trust *web pages* that run in a browser on the same machine,
so every request has to name the lab as its host (which stops DNS rebinding), and a request that a page makes has to come from one of
the lab's own pages (Origin, Sec-Fetch-Site).  Anything else gets 403, also for static files and WebSockets.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 256 * 1024  # in the body of a request
_READING = ("GET", "HEAD", "OPTIONS")
_ONCE = (b"host", b"origin", b"content-length", b"content-type", b"sec-fetch-site")
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class Guard:
    """Wraps an application; `hosts` are the only values of the header Host that it answers to."""

    def __init__(self, app: App, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(f"http://{host}" for host in self.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await _refuse(scope, receive, send, *refused)
            return
        await self.app(scope, receive, _with_headers(send, _header(scope, b"host").decode("latin-1")))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """(status, why) of a request that is not answered; None if it is."""
        names = [name for name, _ in scope["headers"]]
        for name in _ONCE:
            if names.count(name) > 1:
                return 403, f"the header {name.decode()} stands twice"
        host = _header(scope, b"host").decode("latin-1").lower()
        if host not in self.hosts:
            return 403, "this host name is not one of the lab's own"
        origin = _header(scope, b"origin").decode("latin-1").lower()
        if origin and origin not in self.origins:
            return 403, "requests of other web pages are not answered"
        is_reading = scope["type"] == "http" and scope["method"] in _READING
        site = _header(scope, b"sec-fetch-site")
        if not is_reading and site not in (b"", b"same-origin", b"none"):
            return 403, "requests of other web pages are not answered"
        return None if is_reading or scope["type"] == "websocket" else self._wrong_body(scope, names)

    def _wrong_body(self, scope: Scope, names: list[bytes]) -> tuple[int, str] | None:
        if b"transfer-encoding" in names:
            return 411, "a request that sends data says how much in Content-Length"
        length = _header(scope, b"content-length") or b"0"
        if not length.isdigit():
            return 400, "Content-Length is a number of bytes"
        if int(length) > MOST_BYTES:
            return 413, f"a request may send {MOST_BYTES:,} bytes, not {int(length):,}"
        return None


def _header(scope: Scope, name: bytes) -> bytes:
    return next((bytes(value) for given, value in scope["headers"] if given == name), b"")


def _with_headers(send: Send, host: str) -> Send:
    extra = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
    extra.append((b"content-security-policy", _POLICY.format(host=host).encode()))

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            own = {name for name, _ in headers}
            message["headers"] = headers + [pair for pair in extra if pair[0] not in own]
        await send(message)

    return send_with_headers


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    body = json.dumps({"type": "about:blank", "title": "Refused", "status": status, "detail": why}).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if scope["type"] == "http":
        await _with_headers(send, "'none'")({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return
    await receive()  # the request to connect
    if "websocket.http.response" in scope.get("extensions", {}):
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": why})  # servers answer 403
