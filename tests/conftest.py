"""What all tests share: which games the common checks are run on, and settings of the tools."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import settings

from ludometer.core.files import replacing
from ludometer.core.folders import compiled_folder
from ludometer.games import kinds
from tests.cpu_times import CpuTimes

# Compiling inside a test is slow the first time, and a run must not depend on luck.
settings.register_profile("ludometer", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ludometer")

# Specs beside the listed ones: the smallest boards and lopsided ones, where rules go wrong first.
FURTHER_SPECS = {
    "breakthrough": ("breakthrough:3x1", "breakthrough:4x3,1"),
    "chomp": ("chomp:1x2", "chomp:3x3"),
    "clobber": ("clobber:1x2", "clobber:2x3"),
    "connect4": ("connect4:1x1,1", "connect4:5x3,3"),
    "dodgem": ("dodgem:2", "dodgem:8"),
    "dots": ("dots:1x1", "dots:2x3"),
    "hex": ("hex:1", "hex:2,swap"),
    "kalah": ("kalah:1,1", "kalah:8,12,empty"),
    "mnk": ("mnk:1,1,1", "mnk:3,4,3", "mnk:7,8,4", "mnk:2,15,2"),
    "nim": ("nim:1", "nim:40,1,2,3,4"),
    "quixo": ("quixo:2", "quixo:6"),
    "teeko": ("teeko:advanced",),
}


def specs_of_all_games() -> list[str]:
    """The games the shared checks are run on: every built-in kind takes part without being named here."""
    return [spec for kind in kinds().values() for spec in (*kind.listed, *FURTHER_SPECS.get(kind.name, ()))]


def game_file(text: str, name: str = "own") -> Path:
    """A game file with this text, whose path depends on the text alone: compiled code is known by the path, and is found by later runs."""
    file = compiled_folder() / "games-of-tests" / hashlib.sha256(text.encode()).hexdigest()[:16] / f"{name}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as stream:
        stream.write(text.encode())
    return file


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", action="append", default=[], help="check this game only (a spec or a game file); may be repeated")
    parser.addoption("--cpu", type=Path, help="write the CPU seconds of every test and compilation to this file (see tests/cpu_times.py)")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--cpu"):
        config.pluginmanager.register(CpuTimes(file.resolve()))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that drive a browser, and name for each test the group whose compiled code it shares."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group_of(item)))


def group_of(item: pytest.Item) -> str:
    """The lab for tests that share it; the kind of game that a parameter names; else the file of the test.

    With `--dist loadgroup` one worker runs a whole group, so that it compiles what the group needs and starts one lab and one browser.
    """
    if {"chromium", "lab"} & set(getattr(item, "fixturenames", ())):
        return "lab"
    callspec = getattr(item, "callspec", None)
    names = {alias: full.partition(":")[0] for kind in kinds().values() for alias, full in kind.aliases.items()}
    for value in callspec.params.values() if callspec else ():
        name = value.partition(":")[0] if isinstance(value, str) else ""
        if names.get(name, name) in kinds():
            return names.get(name, name)
    return item.path.stem if item.path.parent == Path(__file__).parent else f"{item.path.parent.name}/{item.path.stem}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with a parameter `contract_spec` is run on every game, or on those named by --game."""
    if "contract_spec" in metafunc.fixturenames:
        named = [str(Path(spec).resolve()) if spec.endswith(".py") else spec for spec in metafunc.config.getoption("--game")]
        metafunc.parametrize("contract_spec", named or specs_of_all_games())
