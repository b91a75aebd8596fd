"""`ludometer tables`: which tables there are, packed and plain again."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.process
def test_pack_and_unpack(run, run_json, home: Path) -> None:
    folder = Path(run_json("solve", "quixo:3")["tables"])
    before = run_json("probe", "quixo:3")
    (row,) = run_json("tables", "list")["games"]
    assert (row["game"], row["keep"], row["packed"], row["states"], row["problem"]) == ("quixo:3", "distances", False, 19683, None)
    packed = run_json("tables", "pack", "quixo:3")
    assert packed["packed"] and packed["filled"] and packed["bytes"] < packed["bytes_before"] == row["bytes"]
    assert run_json("probe", "quixo:3") == before
    assert run_json("verify", "quixo:3")["ok"]
    assert "packed" in run("tables", "list")[1]
    assert not run_json("tables", "unpack", str(folder))["packed"]
    assert run_json("probe", "quixo:3") == before


@pytest.mark.process
def test_solve_packs(run, run_json, refuses) -> None:
    run_json("solve", "quixo:3", "--values-only", "--pack")
    listed = run_json("tables", "list")
    assert listed["games"][0]["packed"] and listed["games"][0]["keep"] == "values" and listed["bytes"] == listed["games"][0]["bytes"]
    _, text, _ = run("match", "quixo:3", "optimal", "mcts:20", "--games", "60", "--no-store")
    assert "A moving first 30 0 0 100.0 %" in " ".join(text.split()), "3×3 is won by who moves first"
    assert "--no-store" in refuses("solve", "quixo:3", "--pack", "--no-store")
    assert "leave out --pack" in refuses("solve", "tictactoe", "--pack")
    assert "leave out --pack" in refuses("solve", "quixo:2", "--pack", "--keep", "none")


@pytest.mark.exhaustive
def test_as_stored_is_larger(run_json, tmp_path: Path) -> None:
    sizes = []
    for options in ([], ["--as-stored"]):
        tables = ["--tables", str(tmp_path / str(len(sizes)))]
        run_json("solve", "quixo:4", "--values-only", *tables)
        row = run_json("tables", "pack", "quixo:4", *tables, *options)
        assert row["filled"] == (not options)
        sizes.append(row["bytes"])
    assert sizes[0] < sizes[1]


def test_what_is_listed_and_refused(run, run_json, refuses, home: Path, tmp_path: Path) -> None:
    assert run_json("tables", "list") == {"tables": str(home / "tables"), "games": [], "bytes": 0}
    assert "no solved tables" in run("tables", "list")[1]
    assert "run `ludometer solve quixo:3` first" in refuses("tables", "pack", "quixo:3")
    folder = Path(run_json("solve", "quixo:2")["tables"])
    (folder / "manifest.json").unlink()
    (row,) = run_json("tables", "list")["games"]
    assert row["game"] is None and "not finished" in row["problem"] and "not finished" in run("tables", "list")[1]
    assert "no finished table" in refuses("tables", "pack", str(folder))
    run_json("solve", "tictactoe", "--tables", str(tmp_path))
    assert "tables of games without repetition are not packed" in refuses("tables", "pack", "tictactoe", "--tables", str(tmp_path))


def test_sample(run, run_json, refuses, tmp_path: Path) -> None:
    import numpy as np

    folder = run_json("solve", "quixo:2")["tables"]
    file = tmp_path / "some.npz"
    answer = run_json("tables", "sample", "quixo:2", "--number", "40", "--by", "class", "--seed", "3", "--texts", "--out", str(file))
    assert (answer["game"], answer["positions"], answer["by"], answer["seed"], answer["file"]) == ("quixo:2", 40, "class", 3, str(file))
    assert answer["win"] + answer["draw"] + answer["loss"] == 40
    with np.load(file) as arrays:
        assert len(arrays["states"]) == len(arrays["position"]) == 40 and int((arrays["outcome"] == 1).sum()) == answer["win"]
    assert "40 positions of quixo:2 drawn by uniform" in run("tables", "sample", folder, "--number", "40", "--out", str(file))[1]
    with np.load(file) as arrays:
        assert "position" not in arrays
    assert ".npz or .parquet" in refuses("tables", "sample", "quixo:2", "--out", str(tmp_path / "some.csv"))
    assert "uniform, class, distance, play" in refuses("tables", "sample", "quixo:2", "--by", "luck", "--out", str(file))
    assert "run `ludometer solve quixo:3` first" in refuses("tables", "sample", "quixo:3", "--out", str(file))
