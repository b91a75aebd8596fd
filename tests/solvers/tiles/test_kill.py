"""A solver that is killed goes on where it stopped and ends with the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def killing(*arguments: str) -> dict:
    command = [sys.executable, "-m", "tests.solvers.tiles.killing", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    report: dict = json.loads(run.stdout)
    return report


@pytest.mark.kill
@pytest.mark.parametrize("kills", [8, pytest.param(30, marks=pytest.mark.nightly)])
def test_killed_at_random_moments(kills: int, tmp_path: Path) -> None:
    report = killing("moments", "quixo:4", str(kills), "1", str(tmp_path))
    assert report["equal"] and report["killed"] == kills and report["finished"] >= 1, report


@pytest.mark.kill
def test_killed_around_every_write(tmp_path: Path) -> None:
    """The files are 15 classes and the manifest, the rows where values are kept, and working files where distances are not."""
    report = killing("writes", "quixo:2", str(tmp_path))
    assert report == {"equal": True, "killed": 2 * (15 + 1 + 1) + (15 + 15 + 1 + 1) + (15 + 15 + 1)}
