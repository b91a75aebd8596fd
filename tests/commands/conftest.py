"""Commands run in this process, with a folder of tables of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.cli import LONGEST_MESSAGE, main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder of each test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LUDOMETER_HOME", str(folder))
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: (status, standard output, standard error)."""

    def run_command(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run_command


@pytest.fixture
def run_json(run: Run) -> Callable[..., Any]:
    def run_command(*arguments: str, expected: int = 0) -> Any:
        status, out, _ = run(*arguments, "--json")
        assert status == expected
        return json.loads(out)

    return run_command


@pytest.fixture
def refuses(run: Run) -> Callable[..., str]:
    """Runs a command that must be refused with one line; returns the line."""

    def run_command(*arguments: str) -> str:
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        lines = [line for line in err.splitlines() if line.startswith("ludometer: ")]
        assert len(lines) == 1 and err.endswith(f"{lines[0]}\n") and len(lines[0]) < LONGEST_MESSAGE + 100
        return lines[0]

    return run_command
