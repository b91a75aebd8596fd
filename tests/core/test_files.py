"""Files written whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludometer.core.errors import LudometerError
from ludometer.core.files import check_outputs, replacing, write_text


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = write_text(tmp_path / "some.txt", "old")
    with pytest.raises(ZeroDivisionError), replacing(file) as stream:
        stream.write(b"new")
        raise ZeroDivisionError
    assert file.read_text() == "old" and list(tmp_path.iterdir()) == [file]
    with replacing(file, durable=True) as stream:
        stream.write(b"new")
        assert file.read_text() == "old"
    assert file.read_text() == "new" and list(tmp_path.iterdir()) == [file]


def test_writes_at_the_same_time_do_not_meet(tmp_path: Path) -> None:
    """Every write has a temporary file of its own, whichever process and thread it is in."""
    file, gate = tmp_path / "some.txt", threading.Barrier(4)

    def write(number: int) -> None:
        with replacing(file) as stream:
            gate.wait()
            stream.write(str(number).encode() * 10_000)
            gate.wait()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert file.read_text() in [str(number) * 10_000 for number in range(4)] and list(tmp_path.iterdir()) == [file]


def test_permissions_are_those_of_new_files_and_the_mask_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mask belongs to the whole process: setting it for a moment would show in files that other threads make."""
    expected = tmp_path / "plain"
    expected.write_text("")
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the mask was set"))
    file = write_text(tmp_path / "some.txt", "text")
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(expected.stat().st_mode)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(LudometerError, match="there is no folder"):
        write_text(tmp_path / "no" / "file", "x")
    with pytest.raises(LudometerError, match="it is a folder"):
        write_text(tmp_path, "x")
    with pytest.raises(LudometerError, match="not UTF-8"):
        write_text(tmp_path / "x", "\ud800")
    assert not list(tmp_path.iterdir())


def test_two_results_need_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_outputs("one.txt", None, "two.txt", None)
    for other in ("one.txt", str(tmp_path / "one.txt")):
        with pytest.raises(LudometerError, match="cannot be written into one file"):
            check_outputs("one.txt", other)
