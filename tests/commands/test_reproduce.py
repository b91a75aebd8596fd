"""`ludometer reproduce`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludometer import cli


def test_json_has_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "002.moves44", "002.moves400", "--json", "--no-store"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert {"study", "item", "reported", "measured", "agrees", "verdict", "note"} <= set(first)
    assert (first["study"], first["item"], first["verdict"], first["agrees"]) == ("002", "002.moves44", "agrees", True)
    assert (second["verdict"], second["agrees"]) == ("report is wrong", False)
    assert "484" in second["note"]


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "--list", "002"]) == 0
    assert "002.moves44" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--quick", "--full"], ["005"], ["002.nothing"]])
def test_bad_input_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_run_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "store.sqlite")
    assert cli.main(["reproduce", "002.moves44", "--store", store]) == 0
    capsys.readouterr()
    assert cli.main(["runs", "--store", store, "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)
    assert (run["kind"], run["game"]) == ("reproduce", "002.moves44")
