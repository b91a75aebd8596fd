"""`ludometer serve`: where it listens, and what it says when it cannot."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys

import pytest

pytest.importorskip("fastapi")

from ludometer.cli import main
from ludometer.web import server


@pytest.fixture
def served(monkeypatch, tmp_path) -> list:
    """The arguments with which a lab would have been started."""
    calls: list = []
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    monkeypatch.setattr(server, "serve", lambda *arguments: calls.append(arguments))
    return calls


def test_it_listens_on_this_machine_only_unless_told_otherwise(served, capsys, tmp_path) -> None:
    assert main(["serve", "--no-browser", "--tables", str(tmp_path / "own")]) == 0
    lab, host, port, names, browser, _ = served[0]
    assert (host, port, list(names), browser) == ("127.0.0.1", 8080, [], False) and lab.thinking.tables == tmp_path / "own"
    assert capsys.readouterr().err == ""
    assert main(["serve", "--host", "0.0.0.0", "--name", "box"]) == 0
    assert "warning" in capsys.readouterr().err and served[1][1] == "0.0.0.0" and list(served[1][3]) == ["box"]


def test_names_that_it_answers_to() -> None:
    assert set(server.hosts_for("127.0.0.1", 81)) == {"127.0.0.1:81", "localhost:81", "[::1]:81"}
    assert "0.0.0.0:81" not in server.hosts_for("0.0.0.0", 81)
    assert "box:81" in server.hosts_for("0.0.0.0", 81, ["box"]) and "10.0.0.5:81" in server.hosts_for("10.0.0.5", 81)
    assert "localhost" in server.hosts_for("127.0.0.1", 80)


def test_a_port_that_is_taken(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    said = capsys.readouterr().err
    assert "cannot listen" in said and "--port" in said and said.count("\n") == 1


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    said = capsys.readouterr().err
    assert "pip install 'ludometer[web]'" in said and said.count("\n") == 1


def test_help_loads_no_web_server() -> None:
    loaded = "any(name in sys.modules for name in ('fastapi', 'uvicorn', 'jinja2'))"
    text = f"import sys; from ludometer.cli import main; main(['serve', '--help']); sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=120).returncode == 0
