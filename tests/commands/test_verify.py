"""`ludometer verify`: good tables pass, others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludometer.solvers.verification import verify
from tests.commands.test_solve import spoil


@pytest.mark.process
def test_good_tables(run, run_json, tmp_path: Path) -> None:
    run_json("solve", "quixo:3")
    folder = Path(run_json("solve", "quixo:3")["tables"])
    everything = {"ok": True, "checked": 3732, "errors": []}
    assert run_json("verify", "quixo:3") == run_json("verify", str(folder)) == everything
    assert run_json("verify", "quixo:3", "--tables", str(folder.parent)) == everything
    assert run_json("verify", "quixo:3", "--sample", "100", "--seed", "5")["checked"] == 100
    assert "3,732 entries checked, no error" in run("verify", "quixo:3")[1]


@pytest.mark.process
def test_a_changed_byte_is_found(run, run_json) -> None:
    folder = Path(run_json("solve", "quixo:3")["tables"])
    file = folder / "03-02.table"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    report = run_json("verify", "quixo:3", expected=1)
    assert not report["ok"] and "03-02.table" in report["errors"][0]
    status, out, _ = run("verify", str(folder))
    assert status == 1 and "NOT in order" in out
    assert run_json("solve", "quixo:3", "--verify")["verification"]["ok"]  # solving again repairs


@pytest.mark.process
def test_bad_input(run_json, refuses, tmp_path: Path) -> None:
    assert "neither a folder of tables nor a game" in refuses("verify", "nothing")
    assert "neither a folder" in refuses("verify", "a\0b")
    assert "run `ludometer solve quixo:3` first" in refuses("verify", "quixo:3")
    assert "--sample" in refuses("verify", "quixo:3", "--sample", "0")
    run_json("solve", "quixo:2")
    assert "no device is called 'abacus'" in refuses("verify", "quixo:2", "--device", "abacus")
    assert "every entry is checked" in refuses("verify", "quixo:2", "--device", "cuda", "--sample", "5")
    run_json("solve", "tictactoe")
    assert "only games of tiles" in refuses("verify", "tictactoe", "--device", "cuda")


# ---- every option changes what it says ----


@pytest.mark.process
def test_the_seed_decides_which_entries_a_sample_has(run_json) -> None:
    """With one wrong entry among 3,732, some samples meet it or what depends on it and some do not; one seed gives one answer."""
    folder = Path(run_json("solve", "quixo:3")["tables"])
    spoil(folder)

    def answer(seed: int) -> bool:
        report = verify(folder, sample=1500, seed=seed)
        assert report["checked"] == 1500
        return bool(report["ok"])

    answers = {seed: answer(seed) for seed in range(12)}
    assert set(answers.values()) == {True, False}
    for seed in (min(s for s in answers if answers[s]), min(s for s in answers if not answers[s])):
        report = run_json("verify", "quixo:3", "--sample", "1500", "--seed", str(seed), expected=0 if answers[seed] else 1)
        assert report["ok"] == answers[seed]


def test_options_arrive(run_json, refuses, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from ludometer.solvers import verification

    seen: list[tuple[Path, dict]] = []

    def watched(folder: Path, **options) -> dict:
        seen.append((folder, options))
        return {"ok": True, "checked": 1, "errors": []}

    run_json("solve", "quixo:2", "--tables", str(tmp_path / "mine"))
    monkeypatch.setattr(verification, "verify", watched)
    run_json("verify", "quixo:2", "--tables", str(tmp_path / "mine"), "--workers", "3", "--sample", "7", "--seed", "5", "--device", "cuda")
    folder, options = seen[-1]
    assert folder == tmp_path / "mine" / "quixo-2"
    assert (options["workers"], options["sample"], options["seed"], options["device"]) == (3, 7, 5, "cuda")
    assert "run `ludometer solve quixo:2` first" in refuses("verify", "quixo:2")  # nothing in the user's own folder


def test_workers_where_there_is_one(run_json, refuses) -> None:
    run_json("solve", "tictactoe")
    assert "verified by one thread" in refuses("verify", "tictactoe", "--workers", "2")
