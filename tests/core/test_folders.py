"""Where files of the user lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ludometer.core import folders


def test_folders_that_were_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LUDOMETER_CACHE", "~/cache")
    assert folders.tables_folder() == tmp_path / "home" / "tables"
    assert folders.experiments_file() == tmp_path / "home" / "experiments.sqlite"
    assert folders.compiled_folder() == Path.home() / "cache"


@pytest.mark.skipif(sys.platform != "linux", reason="folders of another system")
def test_folders_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LUDOMETER_HOME", "LUDOMETER_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert folders.data_folder() == Path.home() / ".local" / "share" / "ludometer"
    assert folders.compiled_folder() == Path.home() / ".cache" / "ludometer" / "compiled"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert folders.tables_folder() == tmp_path / "data" / "ludometer" / "tables"
    assert folders.compiled_folder() == tmp_path / "cache" / "ludometer" / "compiled"
