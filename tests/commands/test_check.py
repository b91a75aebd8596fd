"""`ludometer check` and `ludometer new`: the usual mistakes, each in one line, and files that work at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.checks.checking import check_file, kind_of_file
from ludometer.commands.new import AGENT_TEXT, GAME_TEXT
from ludometer.core.compiling.explanations import explain
from ludometer.core.errors import GameDefinitionError
from ludometer.core.outcome import ONGOING
from ludometer.games import game

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_three.py"

# name: (what stands in the example, what stands there by mistake, the function, what the message says)
PLAIN = {
    "signed integers": ("state.turn ^ U1)", "1 - int(state.turn))", "play", "field turn of the state is int, not uint64"),
    "a list in the state": (
        "ConnectThreeState(U0, U0, U0)",
        "ConnectThreeState([], U0, U0)",
        "start",
        "field mover of the state is a list",
    ),
    "a missing function": ("def outcome(", "def outcomes(", "GAME", "does not define outcome(rules, state)"),
    "moves in the wrong order": (
        "buffer[count] = column",
        "buffer[count] = 2 - column",
        "legal_moves",
        "not distinct and ascending: [2",
    ),
    "an illegal move": ("return 3  # a move is a column", "return 2", "legal_moves", "not between 0 and move_bound - 1 = 1"),
    "an endless loop": (
        "    count = 0\n",
        "    count = 0\n    while True:\n        count += 0\n",
        "legal_moves",
        "does not return within 1 s",
    ),
    "an import error": ("import numpy as np\n", "import numpy as np\nimport nothing_there\n", "GAME", "No module named 'nothing_there'"),
    "ongoing without a move": ("return LOSS\n", "return ONGOING\n", "legal_moves", "outcome says ONGOING but there is no legal move"),
    "nothing returned": ("            count += 1\n    return count", "            count += 1", "legal_moves", "returns nothing"),
    "an undefined name": ("stone = U1 <<", "stone = U7 <<", "play", "NameError: name 'U7' is not defined"),
}


@pytest.mark.process
@pytest.mark.parametrize("mistake", PLAIN)
def test_mistakes_in_a_game(mistake: str, tmp_path: Path) -> None:
    right, wrong, function, message = PLAIN[mistake]
    text = EXAMPLE.read_text()
    assert right in text
    file = tmp_path / "my_game.py"
    file.write_text(text.replace(right, wrong, 1))
    report = check_file(str(file), seconds=1.0)
    assert [finding.function for finding in report.findings] == [function]
    assert message in report.findings[0].message and "\n" not in report.findings[0].message


@pytest.mark.process
def test_a_game_that_never_ends(tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    text = GAME_TEXT.replace("state.mover | stone,", "U0,").replace(
        "return DRAW if state.mover | state.other == full else ONGOING", "return ONGOING"
    )
    file.write_text(text)
    (finding,) = check_file(str(file)).findings
    assert finding.function == "outcome" and "does not end within 20,000 moves; set ply_limit" in finding.message


@pytest.mark.process
def test_mistakes_in_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "my_agent.py"
    for text, message in (
        ("import time\n\n\ndef choose(position):\n    return position.legal[time.time_ns() // 100 % len(position.legal)]\n", "two moves"),
        ("def choose(position):\n    while True:\n        pass\n", "does not return within 1 s"),
        ("def choose(position):\n    return 99\n", "move number 99 is not allowed here"),
    ):
        file.write_text(text)
        (finding,) = check_file(str(file), seconds=1.0).findings
        assert finding.function == "choose" and message in finding.message


@pytest.mark.process
def test_new_files_work_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any], run_json: Callable[..., Any], refuses: Callable[..., str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for what in ("agent", "game"):
        assert run("new", what, f"my_{what}.py")[0] == 0
        assert "exists; --force replaces it" in refuses("new", what, f"my_{what}.py")
        assert run("new", what, f"my_{what}.py", "--force")[0] == 0
        assert kind_of_file(tmp_path / f"my_{what}.py") == what
        assert run_json("check", f"my_{what}.py")["findings"] == []
    assert "a Python file" in refuses("new", "agent", "my_agent.txt")
    assert run_json("match", "my_game.py", "my_agent.py", "random", "--games", "4", "--no-store")["games"] == 4
    (tmp_path / "my_agent.py").write_text("def choose(position):\n    return 1 / 0\n")
    found = run_json("check", "my_agent.py", expected=1)
    assert not found["ok"] and "line 2, in choose: ZeroDivisionError" in found["findings"][0]["message"]


COMPILED = {
    "a list": ("    count = 0\n", "    count = 0\n    found = []\n", "in legal_moves: a list in compiled code"),
    "no import": ("stone = U1 <<", "stone = U7 <<", "in play: U7 is not defined; import it"),
    "signed": ("state.turn ^ U1)", "np.int64(1) - np.int64(state.turn))", "fields of ConnectThreeState are not always uint64 (int64)"),
    "a wrong field": ("(state.other, state.mover", "(state.oter, state.mover", "in play: there is no field or method oter"),
}


@pytest.mark.compile
@pytest.mark.parametrize("mistake", COMPILED)
def test_the_compilers_reports_are_condensed(mistake: str, tmp_path: Path, refuses: Callable[..., str]) -> None:
    right, wrong, message = COMPILED[mistake]
    file = tmp_path / "mistaken.py"
    file.write_text(EXAMPLE.read_text().replace(right, wrong, 1))
    line = refuses("match", str(file), "mcts:5", "random", "--games", "2", "--no-store")
    assert "mistaken.py, line " in line and message in line


def test_unknown_reports_keep_their_first_sentence() -> None:
    assert explain(ValueError("Failed in nopython mode\nSomething odd happened\nmore")) == "Something odd happened"


def test_templates_are_games_and_agents(tmp_path: Path) -> None:
    assert compile(AGENT_TEXT, "agent", "exec") and ONGOING not in (0, 1)
    (tmp_path / "broken.py").write_text("GAME = 3\n")
    with pytest.raises(GameDefinitionError, match="has no GAME = GameKind"):
        game(str(tmp_path / "broken.py"))
