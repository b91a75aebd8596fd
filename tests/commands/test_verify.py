"""`ludometer verify`: good tables pass, others do not."""

from __future__ import annotations

from pathlib import Path


def test_good_tables(run, run_json, tmp_path: Path) -> None:
    run_json("solve", "quixo:3")
    folder = Path(run_json("solve", "quixo:3")["tables"])
    everything = {"ok": True, "checked": 3732, "errors": []}
    assert run_json("verify", "quixo:3") == run_json("verify", str(folder)) == everything
    assert run_json("verify", "quixo:3", "--tables", str(folder.parent)) == everything
    assert run_json("verify", "quixo:3", "--sample", "100", "--seed", "5")["checked"] == 100
    assert "3,732 entries checked, no error" in run("verify", "quixo:3")[1]


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
