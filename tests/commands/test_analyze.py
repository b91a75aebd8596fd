"""`ludometer analyze`: counts by class and distance, and their plots."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.process
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


# ---- every option changes what it says ----


def test_tables_are_those_that_were_named(run_json, refuses, tmp_path: Path) -> None:
    """A folder with totals is enough to count; that it was read shows when it is damaged."""
    run_json("solve", "quixo:3", "--keep", "none", "--tables", str(tmp_path / "mine"))
    answer = run_json("analyze", "quixo:3", "--tables", str(tmp_path / "mine"))
    assert answer["win"] == 12_748 and answer["histogram"]["win"]["7"] == 29
    manifest = tmp_path / "mine" / "quixo-3" / "manifest.json"
    manifest.write_text(manifest.read_text().replace("12748", "12749"))
    assert "damaged" in refuses("analyze", "quixo:3", "--tables", str(tmp_path / "mine"))
    assert run_json("analyze", "quixo:3")["win"] == 12_748  # not among the user's tables


def test_each_plot_goes_into_its_file(run, tmp_path: Path) -> None:
    for option, part in (("--plot", "take blanks in turn"), ("--distances", "how long wins and losses take")):
        file = tmp_path / f"{option}.svg"
        status, _, err = run("analyze", "quixo:2", option, str(file))
        assert status == 0 and f"drawn in {file}" in err and part in file.read_text()
        assert len(list(tmp_path.glob("*.svg"))) == 1
        file.unlink()


def test_nothing_to_count(refuses, run_json, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.solvers.acyclic import driver
    from ludometer.solvers.acyclic.table import TableTooLarge

    def too_large(*arguments, **options):
        raise TableTooLarge("too large")

    monkeypatch.setattr(driver, "make_table", too_large)
    run_json("solve", "tictactoe")
    assert "values are found by search, and there is nothing to count" in refuses("analyze", "tictactoe")
