"""Engines: theirs as our agents, our agents as engines, and everything that can go wrong."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ludometer as lm
from ludometer.agents import agent
from ludometer.arena.play.playing import play_game
from ludometer.bridges.engine import report_of
from ludometer.bridges.engine_server import EngineServer
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.web import untrusted
from tests.bridges.engines import BEGINNING, FAULTY, PYTHON, C

pytestmark = pytest.mark.process


def written(folder: Path, text: str, name: str = "engine.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_an_engine_plays(tmp_path: Path) -> None:
    file, log = written(tmp_path, PYTHON), tmp_path / "talk.txt"
    record = play_game("tictactoe", f"engine:path={file},time=5,log={log}", "random", seed=1)
    record.check()
    assert record.moves[0] == "A3" and record.ended is None and record.result
    talk = log.read_text()
    assert "> position startpos moves" in talk and "> go movetime 5000" in talk and "< bestmove" in talk
    decision = agent(f"engine:path={file}", "tictactoe").choose(game("tictactoe").start(), stream(1))
    assert isinstance(decision, Decision) and decision.report["nodes"] == 7 and decision.value == 0.5


def test_an_engine_in_c_plays_a_match(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    source = written(tmp_path, C, "engine.c")
    subprocess.run([compiler, "-O1", "-o", str(tmp_path / "engine"), str(source)], check=True)
    python = written(tmp_path, PYTHON)
    execution = lm.Execution(workers=1, pool="threads")
    in_c, in_python = (
        lm.match("tictactoe", f"engine:path={file}", "random", games=4, execution=execution) for file in (tmp_path / "engine", python)
    )
    assert in_c.counts == in_python.counts and in_c.games == 4


@pytest.mark.parametrize("fault", FAULTY)
def test_every_fault_forfeits_the_game_with_its_reason(fault: str, tmp_path: Path) -> None:
    lines, reason = FAULTY[fault]
    file = written(tmp_path, BEGINNING.replace("{lines}", lines))
    record = play_game("tictactoe", "random", f"engine:path={file},patience=0.5" if "0.5" in reason else f"engine:path={file}", seed=1)
    record.check()
    assert record.result == "1-0" and record.ended is not None
    assert record.ended.startswith("forfeit: engine engine.py: ") and reason in record.ended


def test_a_match_goes_on_after_a_forfeit_and_engines_are_restarted(tmp_path: Path) -> None:
    file = written(tmp_path, BEGINNING.replace("{lines}", "sys.exit()"))
    result = lm.match(
        "tictactoe", f"engine:path={file}", "random", games=4, opening_plies=2, execution=lm.Execution(workers=1, pool="threads")
    )
    assert result.games == result.counts.losses == 4


def test_engines_that_do_not_begin_are_refused_in_a_line(tmp_path: Path) -> None:
    silent = written(tmp_path, "import time\ntime.sleep(60)\n", "silent.py")
    good = written(tmp_path, PYTHON)
    for spec, message in (
        ("engine", "needs a program"),
        ("engine:path=nowhere", "is no program"),
        (f"engine:path={silent},patience=0.3", "silent.py: more than 0.3 s for ugiok"),
        (f"engine:path={good},option.Nothing=1", "no option 'Nothing'; its options are late, word"),
        (f"engine:path={good},option.Word", "is no option; write option.NAME=VALUE"),
    ):
        with pytest.raises(SpecError, match=message) as refusal:
            agent(spec, "tictactoe")
        assert len(str(refusal.value).splitlines()) == 1


def test_its_options_and_its_identity(tmp_path: Path) -> None:
    file = written(tmp_path, PYTHON)
    made = agent(f"engine:path={file},option.Word=B2,log={tmp_path / 'talk'}", "tictactoe")
    record = play_game("tictactoe", made, "random", seed=1, ply_limit=1)
    assert record.moves == ("B2",)
    assert agent(made.spec, "tictactoe").identity == made.identity and "talk" not in made.identity and "options=Word=B2" in made.identity
    late = play_game("tictactoe", f"engine:path={file},time=0.1,patience=0.3,option.Late=5", "random", seed=1)
    assert late.ended == "forfeit: engine engine.py: more than 0.4 s for bestmove"


def test_input_from_outside_names_no_engine(tmp_path: Path) -> None:
    file = written(tmp_path, PYTHON)
    with pytest.raises(LudometerError, match="cannot be had from outside"):
        untrusted.agent_spec(f"engine:path={file}", game("tictactoe"))


@pytest.mark.parametrize(("spec", "rules"), [("mcts:30", "tictactoe"), ("random", "quixo:3")])
def test_our_agent_through_the_protocol_equals_direct_play(spec: str, rules: str, tmp_path: Path) -> None:
    text = f"from ludometer.cli import main\nmain(['engine', '--agent', {spec!r}])\n"
    file = written(tmp_path, text)
    for seed in (1, 2):
        direct = play_game(rules, spec, spec, seed=seed)
        through = play_game(rules, f"engine:path={file}", f"engine:path={file}", seed=seed)
        assert through.moves == direct.moves and through.ended == direct.ended


def talk(lines: str, spec: str = "random", rules: str = "tictactoe") -> list[str]:
    out = io.StringIO()
    EngineServer(spec, rules, io.StringIO(lines), out).run()
    return out.getvalue().splitlines()


def test_the_talk_of_our_engine() -> None:
    said = talk("ugi\nisready\nquery gameover\nquery p1turn\nquery result\nposition startpos moves A1 B1\ngo nodes 5\nisready\nquit\nugi\n")
    assert said.count("ugiok") == 1 and "readyok" in said
    assert said[said.index("readyok") + 1 :][:3] == ["response false", "response true", "response none"]
    move = next(line for line in said if line.startswith("bestmove")).split()[1]
    assert move in game("tictactoe").position("XO./.../... x").moves() or move not in ("A1", "B1")
    won = talk("position startpos moves A1 A2 B1 B2 C1\nquery gameover\nquery result\ngo\n")
    assert won == ["response true", "response p1win", "info string the game is over"]


def test_wrong_lines_are_answered_and_the_engine_goes_on() -> None:
    said = talk(
        "nonsense\nposition here\nposition startpos moves Q7\nsetoption name Odd value 1\nsetoption name Game value chess\nquery x\nugi\n"
    )
    assert said[-1] == "ugiok" and sum(line.startswith("info string") for line in said) == 6


def test_stop_and_clocks_end_a_long_thought() -> None:
    for go in ("go movetime 50\n", "go p1time 1500 p2time 1500 p1inc 0 p2inc 0\n", "go\nstop\n"):
        said = talk(f"position startpos\n{go}quit\n", spec="mcts:100000000")
        assert said[-1].startswith("bestmove ")


def test_reports_of_engines_are_read_with_care() -> None:
    assert report_of(["info depth 3 nodes 12 score value 0.25 pv A1 B2", "info nodes x score value 7", "string", "info score value"]) == {
        "depth": 3,
        "nodes": 12,
        "value": 0.25,
        "pv": ["A1", "B2"],
    }


def test_no_process_is_left(tmp_path: Path) -> None:
    mark = f"left{tmp_path.name}"
    file = written(tmp_path, PYTHON, f"{mark}.py")
    play_game("tictactoe", f"engine:path={file}", "random", seed=1)
    processes = [Path(entry, "cmdline") for entry in Path("/proc").glob("[0-9]*")] if sys.platform == "linux" else []
    running = []
    for one in processes:
        try:
            running.append(one.read_bytes())
        except OSError:
            continue
    assert not [line for line in running if mark.encode() in line and b"pytest" not in line]
