"""What all tests share: which games the common checks are run on, and settings of the tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from ludometer.games import kinds
from tests.cpu_times import CpuTimes
from tests.slow import slow_tests

# Compiling inside a test is slow the first time, and a run must not depend on luck.
settings.register_profile("ludometer", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ludometer")

# Specs beside the listed ones: the smallest boards and lopsided ones, where rules go wrong first.
FURTHER_SPECS = {
    "dots": ("dots:1x1", "dots:2x3"),
    "mnk": ("mnk:1,1,1", "mnk:3,4,3", "mnk:7,8,4", "mnk:2,15,2"),
    "quixo": ("quixo:2", "quixo:6"),
}


def specs_of_all_games() -> list[str]:
    """The games the shared checks are run on: every built-in kind takes part without being named here."""
    return [spec for kind in kinds().values() for spec in (*kind.listed, *FURTHER_SPECS.get(kind.name, ()))]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", action="append", default=[], help="check this game only (a spec or a game file); may be repeated")
    parser.addoption("--cpu", type=Path, help="write the CPU seconds of every test and compilation to this file (see tests/cpu_times.py)")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--cpu"):
        config.pluginmanager.register(CpuTimes(file.resolve()))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in the list of slow ones are marked so."""
    listed, here = slow_tests(), f"{Path(__file__).parents[1]}/"
    for item in items:
        if item.nodeid.replace(here, "") in listed:
            item.add_marker(pytest.mark.slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with a parameter `contract_spec` is run on every game, or on those named by --game."""
    if "contract_spec" in metafunc.fixturenames:
        named = [str(Path(spec).resolve()) if spec.endswith(".py") else spec for spec in metafunc.config.getoption("--game")]
        metafunc.parametrize("contract_spec", named or specs_of_all_games())
