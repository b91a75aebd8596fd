"""`ludometer doctor`: what is installed here, and what is missing for what."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ludometer import __version__, doctor

ROOT = Path(__file__).parents[2]


def names_of(requirements: list[str]) -> list[str]:
    return [re.split(r"[<>=\[]", requirement)[0] for requirement in requirements]


def test_packages_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sorted(doctor.REQUIRED) == sorted(names_of(project["dependencies"]))
    extras = {extra: names_of(requirements) for extra, requirements in project["optional-dependencies"].items() if extra != "dev"}
    assert {extra: [name for name, _ in packages] for extra, (_, packages) in doctor.EXTRAS.items()} == extras


def test_what_is_here(run_json, run, home: Path) -> None:
    found = run_json("doctor")
    assert found["version"] == __version__ and found["python"] == ".".join(map(str, sys.version_info[:3])) and found["cores"] >= 1
    assert all(found["packages"][name] for name in doctor.REQUIRED)
    tables, experiments, compiled = found["folders"]
    assert tables == {"content": "solved tables", "path": str(home / "tables"), "exists": False, "writable": True}
    assert experiments["path"] == str(home / "experiments.sqlite")
    text = run("doctor")[1]
    assert f"ludometer {__version__}" in text and str(home / "tables") in text and compiled["path"] in text
    for each in found["missing"]:
        assert each["purpose"] in text and each["install"] in text


def test_folders_that_cannot_be_written(run_json, run, home: Path) -> None:
    home.write_text("a file where the folder should be")
    found = run_json("doctor")["folders"]
    assert [each["writable"] for each in found[:2]] == [False, False]
    assert run("doctor")[1].count("cannot be written") == 2


def test_missing_packages(run_json, run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in ("uvicorn", "pandas", "numba_cuda") else real(name))
    found = {each["packages"][0]: each for each in run_json("doctor")["missing"]}
    assert found["uvicorn"] == {
        "purpose": "the lab in the browser: serve",
        "packages": ["uvicorn"],
        "install": "pip install 'ludometer[web]'",
    }
    assert found["numba-cuda"]["install"] == "pip install 'ludometer[cuda]'" and found["pandas"]["install"] == "pip install pandas"
    assert "pip install 'ludometer[web]'" in run("doctor")[1]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: real("sys"))
    assert run_json("doctor")["missing"] == [] and "nothing is missing" in run("doctor")[1]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("NVIDIA H100, 81559 MiB, 550.1\nNVIDIA A10, 23028 MiB, 550.1\n", ["NVIDIA H100", "NVIDIA A10"]),
        (OSError("no such program"), []),
        (subprocess.TimeoutExpired("nvidia-smi", 10), []),
    ],
)
def test_gpus(run_json, run, monkeypatch: pytest.MonkeyPatch, answer: Any, expected: list[str]) -> None:
    def answered(command: list[str], **options: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return subprocess.CompletedProcess(command, 0, answer, "")

    monkeypatch.setattr(doctor.subprocess, "run", answered)
    assert [gpu["name"] for gpu in run_json("doctor")["gpus"]] == expected
    text = run("doctor")[1]
    assert all(name in text for name in expected) and ("no NVIDIA GPU found" in text) == (not expected)
