"""The demonstration runs, and leaves pictures and records that can be read."""

import inspect
import json
from pathlib import Path

import pytest

from ludometer import demo
from ludometer.cli import COMMANDS
from ludometer.core.record import read_records


@pytest.mark.exhaustive
def test_the_demonstration_solves_measures_and_draws(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    demo.main()
    shown = capsys.readouterr().out
    assert "win 26,434,489, loss 15,003,736, draw 1,608,496" in shown and "win 12,748, loss 6,935, draw 0" in shown
    wins = sorted(demo.FOLDER.glob("*-shortest-win.txt"))
    assert [len(read_records(file)[0].moves) for file in wins] == [7, 21]
    plots = {file.name for file in demo.FOLDER.glob("*.png")}
    assert plots == {f"quixo-{n}-{what}.png" for n in (3, 4) for what in ("classes", "distances")} | {"levels.png", "depth.png"}
    assert all((demo.FOLDER / name).read_bytes().startswith(b"\x89PNG") for name in plots)
    assert shown.count("[6/6]") == 1 and "[7/" not in shown
    assert shown.rstrip().count("\n  .venv/bin/ludometer ") == 4, "it ends with commands to try"
    answer = shown.splitlines()[-10:]
    assert any("quixo:4 is" in line and "levels deeper than quixo:3" in line for line in answer)
    assert any(line.startswith("alphabeta:3 plays quixo:4 at level ") for line in answer)

    measured = json.loads((demo.FOLDER / "depth.json").read_text())
    small, large = measured["games"]
    assert small["depth"] < large["depth"] and small["interval"][1] < large["interval"][0]
    assert [one["deeper"] for one in measured["comparisons"]] == ["quixo:4"]


@pytest.mark.parametrize("words", [command for command, _ in demo.NEXT])
def test_the_commands_to_try_next_are_commands(words):
    """They are not run here, for they take minutes; their options are."""
    program, command, *arguments = words.split()
    assert program == ".venv/bin/ludometer"
    known = {parameter for name in COMMANDS if name.__name__ == command for parameter in inspect.signature(name).parameters}
    assert {word[2:] for word in arguments if word.startswith("--")} <= known


def test_the_picture_in_the_documentation_is_the_one_drawn_today():
    kept = Path(__file__).parents[1] / "docs" / "pictures" / "gallery.svg"
    assert kept.read_text() == demo.draw_gallery()
    assert kept.stat().st_size < 300_000
