"""Stores of version 0.2 go on: experiments of built-in games are continued, those of game files are reported as not used."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

import ludometer as lm
from ludometer.arena.work.store import FORMAT

EXAMPLE = Path(__file__).parents[3] / "examples" / "connect_three.py"


def as_version_0_2(value: object) -> object:
    """A key as version 0.2 wrote it: a hash of sources and the version of the program."""
    if isinstance(value, list):
        return [as_version_0_2(one) for one in value]
    if not isinstance(value, dict):
        return value
    plain = {name: as_version_0_2(one) for name, one in value.items() if name not in ("knowledge", "decisions")}
    return plain | {"rules": "0123456789abcdef", "version": "0.2.0"} if "decisions" in value else plain


def make_old(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        for table in ("series", "runs"):
            for number, text in connection.execute(f"SELECT id, key FROM {table}").fetchall():
                key = json.dumps(as_version_0_2(json.loads(text)), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                assert "decisions" not in key and '"version":"0.2.0"' in key
                connection.execute(f"UPDATE {table} SET key = ? WHERE id = ?", (key, number))
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def form_of(file: Path) -> int:
    connection = sqlite3.connect(file)
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(form)


def test_an_old_store_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "three.py"
    shutil.copy(EXAMPLE, own)
    file = tmp_path / "experiments.sqlite"
    with lm.Store(file) as store:
        before = lm.match("tictactoe", "random", "random", games=20, seed=1, execution=lm.Execution(store, workers=1))
        lm.match(str(own), "random", "random", games=20, seed=1, execution=lm.Execution(store, workers=1))
    make_old(file)

    with lm.Store(file, read_only=True) as store:
        assert [run.done for run in store.runs()] == [10, 10]
    assert form_of(file) == 1, "a reader changes nothing"

    with lm.Store(file) as store:
        assert form_of(file) == FORMAT
        with monkeypatch.context() as patch:
            patch.setattr("ludometer.arena.work.scheduler.do_chunk", lambda *arguments: pytest.fail("a game was played again"))
            after = lm.match("tictactoe", "random", "random", games=20, seed=1, execution=lm.Execution(store, workers=1))
        assert after.score == before.score and after.notes == before.notes
        assert len(store.runs()) == 2
        again = lm.match(str(own), "random", "random", games=20, seed=1, execution=lm.Execution(store, workers=1))
        assert any(
            "20 games that the store has of the same request are not used: they were played by version 0.2.0" in one for one in again.notes
        )


def test_a_store_of_a_later_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "experiments.sqlite"
    lm.Store(file).close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    for read_only in (False, True):
        with pytest.raises(lm.LudometerError, match=f"has format {FORMAT + 1}"):
            lm.Store(file, read_only=read_only)
