"""Who may talk to the lab."""

from __future__ import annotations

import socket

import pytest

from ludometer.web.guard import MOST_BYTES, Guard
from tests.web.conftest import PATIENCE, Api, LabProcess

PATHS = ("/", "/static/lab.css", "/api/openapi.json", "/nothing-here")


def raw(lab: LabProcess, *lines: str, body: bytes = b"") -> tuple[int, str]:
    """(status, everything) of a request written by hand."""
    with socket.create_connection(("127.0.0.1", lab.port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    text = answer.decode("utf-8", "replace")
    return int(text.split(" ", 2)[1]), text


@pytest.mark.parametrize("path", PATHS)
def test_a_foreign_host_or_origin_is_refused_everywhere(lab: LabProcess, path: str) -> None:
    own = f"127.0.0.1:{lab.port}"
    for host in ("evil.example", f"evil.example:{lab.port}", "127.0.0.1:1", "127.0.0.1", f"127.0.0.1.evil.example:{lab.port}", ""):
        assert raw(lab, f"GET {path} HTTP/1.1", f"Host: {host}")[0] in (400, 403), host
    for origin in ("http://evil.example", "null", f"https://{own}", "http://127.0.0.1:1", f"http://{own}.evil.example"):
        assert raw(lab, f"GET {path} HTTP/1.1", f"Host: {own}", f"Origin: {origin}")[0] == 403, origin
    assert raw(lab, f"GET {path} HTTP/1.1", f"Host: {own}", f"Host: {own}")[0] in (400, 403)
    assert raw(lab, f"GET {path} HTTP/1.1", f"Host: {own}", f"Origin: http://{own}", f"Origin: http://{own}")[0] == 403
    for host in (own, f"localhost:{lab.port}"):
        assert raw(lab, f"GET {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}")[0] in (200, 404)


def test_a_foreign_page_gets_no_web_socket(lab: LabProcess) -> None:
    own = f"127.0.0.1:{lab.port}"
    handshake = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")

    def status(*headers: str) -> int:
        with socket.create_connection(("127.0.0.1", lab.port), timeout=PATIENCE) as connection:
            connection.sendall("\r\n".join(["GET /live/game/x HTTP/1.1", *headers, "Connection: Upgrade", *handshake, "", ""]).encode())
            return int(connection.recv(65536).split(b" ", 2)[1])

    assert status(f"Host: {own}", f"Origin: http://{own}") == 101
    assert status(f"Host: {own}", "Origin: http://evil.example") == 403
    assert status(f"Host: evil.example:{lab.port}", f"Origin: http://evil.example:{lab.port}") == 403
    assert status(f"Host: {own}", f"Origin: http://{own}", "Sec-Fetch-Site: cross-site") == 403


def test_what_is_sent_is_bounded(lab: LabProcess) -> None:
    own = f"127.0.0.1:{lab.port}"
    assert raw(lab, "POST /api/sessions HTTP/1.1", f"Host: {own}", "Content-Length: 99999999")[0] == 413
    assert raw(lab, "POST /api/sessions HTTP/1.1", f"Host: {own}", f"Content-Length: {MOST_BYTES + 1}")[0] == 413
    whole = raw(lab, "POST /api/sessions HTTP/1.1", f"Host: {own}", f"Content-Length: {MOST_BYTES}", body=b" " * MOST_BYTES)
    assert whole[0] == 422, "as much as is allowed gets in, and is no game"
    assert raw(lab, "POST /api/sessions HTTP/1.1", f"Host: {own}", "Transfer-Encoding: chunked", body=b"0\r\n\r\n")[0] == 411
    assert raw(lab, "POST /api/sessions HTTP/1.1", f"Host: {own}", "Sec-Fetch-Site: cross-site", "Content-Length: 2", body=b"{}")[0] == 403


@pytest.mark.parametrize("name", ["host", "origin", "content-length", "content-type", "sec-fetch-site"])
def test_a_header_that_decides_stands_once(name: str) -> None:
    """Whoever reads another one of the two would decide otherwise."""
    values = {
        "host": "lab:1",
        "origin": "http://lab:1",
        "content-length": "2",
        "content-type": "application/json",
        "sec-fetch-site": "none",
    }
    headers = [(key.encode(), value.encode()) for key, value in values.items()]
    scope = {"type": "http", "method": "POST", "headers": headers}
    guard = Guard(None, ["lab:1"])
    assert guard._refusal(scope) is None
    twice = {**scope, "headers": [*headers, (name.encode(), values[name].encode())]}
    assert guard._refusal(twice) == (403, f"the header {name} stands twice")


def test_every_answer_carries_a_strict_policy(api: Api) -> None:
    for path in PATHS:
        headers = api.client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy and "*" not in policy and "data:" not in policy
        assert headers["x-content-type-options"] == "nosniff" and "access-control-allow-origin" not in headers


def test_errors_are_problem_details_for_programs_and_pages_for_people(api: Api) -> None:
    answer = api.client.get("/<script>alert(1)</script>")
    assert answer.status_code == 404 and answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 404 and "nothing at" in answer.json()["detail"]
    page = api.client.get("/<script>alert(1)</script>", headers={"accept": "text/html"})
    assert page.status_code == 404 and "<script>alert" not in page.text and "&lt;script&gt;" in page.text


@pytest.mark.parametrize("site", ["same-site", "cross-site", "anything"])
def test_pages_of_other_ports_change_nothing(site: str) -> None:
    """Another port of this machine is the same site but another origin: its pages may follow a link, and no more."""
    guard = Guard(None, ["lab:1"])
    headers = [(b"host", b"lab:1"), (b"sec-fetch-site", site.encode()), (b"content-type", b"application/json"), (b"content-length", b"2")]
    assert guard._refusal({"type": "http", "method": "POST", "headers": headers}) == (403, "requests of other web pages are not answered")
    assert guard._refusal({"type": "http", "method": "GET", "headers": headers}) is None
