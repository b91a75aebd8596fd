"""`ladder`, `depth` and `report` on the command line: keys, files, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludometer.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a command in this process with a store of its own: (status, standard output, standard error)."""
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path / "home"))

    def run_command(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run_command


def test_a_ladder_has_the_keys_people_script_against(run, tmp_path: Path) -> None:
    plot = tmp_path / "ladder.png"
    words = ("ladder", "tictactoe", "--agent", "mcts", "--rungs", "2,8", "--versus", "optimal", "--blunder", "0,0.5", "--games", "8")
    status, out, _ = run(*words, "--plot", str(plot), "--axis", "positions", "--json")
    assert status == 0 and plot.read_bytes().startswith(b"\x89PNG")
    points = json.loads(out)["points"]
    assert [(point["rung"], point["blunder"]) for point in points] == [("2", 0.0), ("8", 0.0), ("2", 0.5), ("8", 0.5)]
    assert {"value", "interval", "seconds_per_move"} <= set(points[0])
    status, out, _ = run(*words)
    assert status == 0 and "score against optimal" in out and "95 %" in out


@pytest.mark.parametrize("measure", ["accuracy", "length"])
def test_other_measures(run, measure: str) -> None:
    status, out, _ = run("ladder", "tictactoe", "--rungs", "2", "--measure", measure, "--games", "8", "--json")
    assert status == 0
    (point,) = json.loads(out)["points"]
    low, high = point["interval"]
    assert low <= point["value"] <= high and point["measure"] == measure


def test_depth_has_the_keys_people_script_against(run, tmp_path: Path) -> None:
    plot = tmp_path / "depth.svg"
    words = ("depth", "tictactoe", "mnk:3,4,3", "--precision", "2", "--rungs", "6", "--no-perfect")
    status, out, _ = run(*words, "--plot", str(plot), "--json")
    assert status == 0 and "</svg>" in plot.read_text()
    document = json.loads(out)
    assert [one["game"] for one in document["games"]] == ["mnk:3,3,3", "mnk:3,4,3"]
    for one in document["games"]:
        assert {"depth", "interval", "open", "growth", "rungs", "within", "mastery", "perfect", "fit"} <= set(one)
    latex = tmp_path / "depth.tex"
    status, out, _ = run(*words, "--latex", str(latex))
    assert status == 0 and "the last planned rung was reached" in out and "--rungs 6" in out
    assert r"\begin{tabular}" in latex.read_text()
    status, out, _ = run(*words, "--plan", "--json")
    assert status == 0 and [one["rungs"] for one in json.loads(out)["plans"]] == [6, 6]


def test_rate_has_the_keys_people_script_against(run, tmp_path: Path) -> None:
    status, out, _ = run("rate", "tictactoe", "random", "uct:4", "--precision", "2", "--plot", str(tmp_path / "levels.svg"), "--json")
    assert status == 0
    for one in json.loads(out):
        assert {"agent", "level", "interval", "equivalent", "games"} <= set(one)
    assert "</svg>" in (tmp_path / "levels.svg").read_text()


@pytest.mark.exhaustive
def test_a_report_is_written_and_printed(run, tmp_path: Path) -> None:
    out = tmp_path / "card.html"
    game = str(Path(__file__).parents[1] / "arena" / "no_skill.py")
    status, shown, _ = run("report", game, "--out", str(out), "--games", "4", "--positions", "4", "--rungs", "6", "--precision", "2")
    assert status == 0 and out.read_text().startswith("<!DOCTYPE html>")
    assert "choices per move" in shown and "beside other games" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ladder", "tictactoe", "--agent", "random"), "no budget"),
        (("ladder", "tictactoe", "--rungs", "x"), "whole number"),
        (("ladder", "tictactoe", "--blunder", "2"), "probabilities"),
        (("ladder", "tictactoe", "--normalise"), "--plot"),
        (("ladder", "tictactoe", "--axis", "money", "--plot", "x.png"), "--axis"),
        (("ladder", "nogame"), "nogame"),
        (("ladder", "ultimate", "--games", "4"), "optimal"),
        (("depth", "tictactoe", "--budget", "soon"), "60s"),
        (("depth", "tictactoe", "--rungs", "1"), "from 6 to 24"),
        (("depth", "tictactoe", "--precision", "0"), "from 0.05 to 2"),
        (("depth", "tictactoe", "--budget", "0.1s", "--precision", "0.05"), "cannot be reached in 0 s"),
        (("rate", "tictactoe", "nobody"), "no agent is called"),
        (("rate", "tictactoe", "random", "--precision", "9"), "from 0.05 to 2"),
        (("depth", "matrix:prisoners"), "same time"),
        (("report", "tictactoe", "--out", "card.docx"), ".html"),
    ],
)
def test_bad_input_is_said_in_one_line(run, words: tuple[str, ...], said: str) -> None:
    status, out, err = run(*words)
    assert status == 2 and out == "" and said in err and err.count("\n") == 1
