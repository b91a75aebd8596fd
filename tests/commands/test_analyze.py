"""`ludometer analyze`: counts by class and distance, and their plots."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_quixo(run, run_json, tmp_path: Path) -> None:
    plots = [tmp_path / "classes.png", tmp_path / "distances.svg"]
    answer = run_json("analyze", "quixo:3", "--plot", str(plots[0]), "--distances", str(plots[1]))
    classes = answer["classes"]
    assert len(classes) == 55 and all(set(row) >= {"mover", "other", "win", "loss", "draw"} for row in classes)
    assert (sum(row["win"] for row in classes), sum(row["loss"] for row in classes)) == (answer["win"], answer["loss"]) == (12_748, 6_935)
    assert plots[0].read_bytes().startswith(b"\x89PNG") and b"<svg" in plots[1].read_bytes()
    assert sorted(tmp_path.glob(".*")) == []
    status, out, _ = run("analyze", "quixo:3")
    assert status == 0 and "mover" in out and "4,435" in out


@pytest.mark.parametrize("name", ["x.txt", "/no/such/folder/x.png", "x"])
def test_bad_files(refuses, name: str, tmp_path: Path) -> None:
    assert refuses("analyze", "quixo:3", "--plot", name if name.startswith("/") else str(tmp_path / name))
    assert not list(tmp_path.glob("x*"))


def test_nothing_solved(refuses) -> None:
    assert "run `ludometer solve quixo:5` first" in refuses("analyze", "quixo:5")
