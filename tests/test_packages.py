"""Games and agents of installed packages: the example, installed by hand into an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "examples" / "package"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with the package and what an installer writes beside it."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    shutil.copytree(PACKAGE / "ludometer_row", tmp_path / "ludometer_row", ignore=shutil.ignore_patterns("__pycache__"))
    beside = tmp_path / f"ludometer_row-{project['version']}.dist-info"
    beside.mkdir()
    (beside / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (beside / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
    return subprocess.run([sys.executable, "-m", "ludometer", *words], capture_output=True, text=True, env=environment, cwd=folder)


def test_the_example_package_is_listed_and_plays(installed: Path) -> None:
    games = json.loads(run(installed, "games", "--json").stdout)
    assert [row["name"] for row in games if row["spec"] == "row"] == ["Fill the row"]
    (shown,) = json.loads(run(installed, "agents", "leftmost", "--json").stdout)
    assert [(option["name"], option["default"]) for option in shown["options"]] == [("place", 0)]
    played = run(installed, "match", "row", "leftmost:2", "random", "--games", "10", "--workers", "2", "--no-store", "--json")
    assert json.loads(played.stdout)["games"] == 10, played.stderr


def test_a_package_that_does_not_load_is_named_in_a_line(installed: Path) -> None:
    (installed / "ludometer_row" / "leftmost.py").write_text("import nothing_there\n")
    refused = run(installed, "match", "row", "random", "random", "--games", "2", "--no-store")
    assert refused.returncode == 2 and "package ludometer-row: leftmost = ludometer_row.leftmost:choose does not load" in refused.stderr
    assert len([line for line in refused.stderr.splitlines() if line.startswith("ludometer: ")]) == 1
