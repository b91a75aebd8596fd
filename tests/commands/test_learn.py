"""`ludometer learn`: every option changes what it says, and Ctrl-C leaves nothing behind."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from ludometer.agents import qlearning, qlearning_files
from ludometer.games import game

GAME = "tictactoe"


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ctrl-C is pressed when the training first tells how far it is; the list has how far it ever was."""
    train = qlearning.train
    seen: list[int] = []

    def watched(chosen, settings, progress=None, stop=None):
        def pressing(done: int, total: int, text: str) -> None:
            progress(done, total, text)
            seen.append(done)
            signal.raise_signal(signal.SIGINT)

        return train(chosen, settings, pressing, stop)

    monkeypatch.setattr(qlearning, "train", watched)
    return seen


def test_ctrl_c_says_one_line_and_writes_nothing(run, interrupted: list[int], tmp_path: Path) -> None:
    file, handler = tmp_path / "weights.json", signal.getsignal(signal.SIGINT)
    for before in (None, "what was there"):
        if before is not None:
            file.write_text(before)
        interrupted.clear()
        status, out, err = run("learn", GAME, "--iterations", "1000", "--out", str(file))
        assert (status, out) == (130, "")
        assert err == "ludometer: the training at mnk:3,3,3 was stopped; nothing was written\n"
        assert interrupted == [10], "no further block of games was begun"
        assert (file.read_text() if file.exists() else None) == before
        assert [path.name for path in tmp_path.iterdir()] == ([] if before is None else ["weights.json"])
    assert signal.getsignal(signal.SIGINT) is handler, "as it was before"


def test_ctrl_c_on_a_terminal_leaves_a_clean_line(run, interrupted: list[int], monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, _, err = run("learn", GAME, "--iterations", "200", "--out", str(tmp_path / "w.json"))
    assert status == 130 and err == "\r2 of 200 games\r\033[Kludometer: the training at mnk:3,3,3 was stopped; nothing was written\n"


def test_how_far_it_is(run, tmp_path: Path) -> None:
    """Elsewhere than on a terminal every tenth is told, once."""
    status, _, err = run("learn", GAME, "--iterations", "40", "--out", str(tmp_path / "w.json"))
    assert status == 0
    assert err.splitlines() == [*(f"{done} of 40 games" for done in range(4, 41, 4)), f"written to {tmp_path / 'w.json'}"]


def test_options_reach_the_training(run_json, tmp_path: Path) -> None:
    chosen = game(GAME)
    file = tmp_path / "w.json"
    answer = run_json("learn", GAME, "--iterations", "20", "--seed", "7", "--out", str(file), "--options", "alpha=0.25,opponent=random")
    kept = qlearning_files.load(file, chosen)
    assert (kept.settings.iterations, kept.settings.seed, kept.settings.alpha, kept.settings.opponent) == (20, 7, 0.25, "random")
    wanted = qlearning.train(chosen, qlearning.settle(chosen, iterations=20, seed=7, alpha=0.25, opponent="random"))
    assert kept.moves_made == wanted.moves_made == answer["moves"]
    assert sorted(kept.memory.values[kept.memory.keys != 0]) == sorted(wanted.memory.values[wanted.memory.keys != 0])
    assert answer | {"seconds": 0} == {
        "game": "mnk:3,3,3",
        "agent": f"qlearning:weights={file}",
        "learner": "tabular",
        "iterations": 20,
        "seed": 7,
        "update": "step",
        "moves": wanted.moves_made,
        "seconds": 0,
        "file": str(file),
        "learnt": qlearning_files.inspect(wanted),
    }
    assert answer["seconds"] > 0


@pytest.mark.parametrize("twice", ["iterations=5", "seed=3", "alpha=0.5,seed=0", "7"])
def test_what_has_an_option_of_its_own_is_not_given_twice(run, twice: str, tmp_path: Path) -> None:
    """Else one of the two would silently do nothing."""
    status, out, err = run("learn", GAME, "--iterations", "20", "--out", str(tmp_path / "w.json"), "--options", twice)
    name = "seed" if "seed" in twice else "iterations"
    assert (status, out) == (2, "") and err == f"ludometer: {name} has an option of its own; write --{name}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("wrong", "message"), [("weights=w.json", "learning begins from nothing")])
def test_what_cannot_be_learnt_and_kept_is_refused(run, wrong: str, message: str, tmp_path: Path) -> None:
    status, out, err = run("learn", "quixo:3", "--out", str(tmp_path / "w.json"), "--options", wrong)
    assert (status, out) == (2, "") and err.startswith(f"ludometer: {message}") and len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_by_default_a_thousand_games_from_seed_0(run_json, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[qlearning.LearningSettings] = []
    train = qlearning.train

    def watched(chosen, settings, *rest):
        seen.append(settings)
        return train(chosen, qlearning.settle(chosen, iterations=1), *rest)

    monkeypatch.setattr(qlearning, "train", watched)
    answer = run_json("learn", GAME, "--out", str(tmp_path / "w.json"))
    assert (seen[0].iterations, seen[0].seed) == (1000, 0) == (answer["iterations"], answer["seed"])
    assert seen[0] == qlearning.settle(game(GAME))


def test_what_was_learnt_is_printed_as_a_table(run, tmp_path: Path) -> None:
    """Names of features to the left, numbers to the right, with four decimals."""
    chosen = game("quixo:3")
    status, out, err = run("learn", "quixo:3", "--iterations", "100", "--out", str(tmp_path / "w.json"))
    assert status == 0 and err.endswith(f"written to {tmp_path / 'w.json'}\n")
    *lines, last = out.splitlines()
    rows = qlearning_files.inspect(qlearning_files.load(tmp_path / "w.json", chosen))
    assert lines[0].split() == list(rows[0]) and len(lines) == len(rows) + 1
    for line, row in zip(lines[1:], rows):
        assert line.startswith(row["feature"]) and f"{row['mean']:.4f}" in line and line.endswith(row["against"])
    places = {line.index(f"{row['mean']:.4f}") + len(f"{row['mean']:.4f}") for line, row in zip(lines[1:], rows)}
    assert places == {lines[0].index("mean") + len("mean")}
    made = qlearning_files.load(tmp_path / "w.json", chosen).moves_made
    assert last.startswith(f"quixo:3: linear learner, 100 games with {made:,} moves in ") and last.endswith(" s")
    assert np.isfinite([row["mean"] for row in rows]).all()
