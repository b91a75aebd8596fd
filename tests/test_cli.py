"""The command line: what it prints, what it writes, and how it refuses."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludometer import __version__
from ludometer.cli import LONGEST_MESSAGE, main
from ludometer.core.record import parse_record, read_records
from ludometer.games import kinds


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs a command in this process: (status, standard output, standard error)."""

    def run_command(*arguments, typed=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = main(list(arguments))
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run_command


@pytest.fixture
def run_json(run):
    def run_command(*arguments, typed=""):
        status, out, _ = run(*arguments, "--json", typed=typed)
        assert status == 0
        return json.loads(out)

    return run_command


def in_a_new_process(*arguments, environment=None, **options):
    command = [sys.executable, "-m", "ludometer", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, timeout=120, **options)


def test_version_and_help(run):
    assert run("--version") == (0, f"ludometer {__version__}\n", "")
    for arguments in (["--help"], [], ["-h"]):
        status, out, err = run(*arguments)
        assert status == 0 and not err
        assert all(command in out for command in ("games", "show", "play", "perft", "warm"))
    for command in ("games", "show", "play", "perft", "warm"):
        status, out, err = run(command, "--help")
        assert status == 0 and not err and "--json" in out


def test_perft(run, run_json):
    answer = run_json("perft", "tictactoe", "3")
    assert (answer["game"], answer["depth"], answer["nodes"]) == ("mnk:3,3,3", 3, 504)
    divided = run_json("perft", "tictactoe", "3", "--divide")
    assert divided["nodes"] == 504 == sum(divided["divide"].values()) and len(divided["divide"]) == 9
    assert run_json("perft", "tictactoe", "0", "--divide")["nodes"] == 1
    assert run_json("perft", "quixo:3", "2", "--position", "XXX/.../... o")["nodes"] == 0
    assert "504" in run("perft", "tictactoe", "3", "--divide")[1]


@pytest.mark.parametrize("listed", [kind.listed[0] for kind in kinds().values()])
def test_every_game_is_shown(run, run_json, listed, tmp_path):
    answer = run_json("show", listed, "--svg", str(tmp_path / "board.svg"))
    assert answer["moves"] and answer["result"] is None
    ElementTree.parse(tmp_path / "board.svg")
    assert run("show", listed, answer["position"])[0] == 0


def test_a_position_may_begin_with_a_dash(run_json):
    for moves in ("A1-B1", "A1-B1,B1-C1"):
        position = run_json("show", "dots:1x2", "--moves", moves)["position"]
        assert position.startswith("-")
        assert run_json("show", "dots:1x2", position)["position"] == position
        assert run_json("perft", "dots:1x2", "1", "--position", position)["nodes"] > 0


def test_play(run, run_json, tmp_path):
    file, picture = tmp_path / "game.txt", tmp_path / "end.svg"
    arguments = ["play", "quixo:3", "--first", "random", "--second", "random", "--seed", "5"]
    answer = run_json(*arguments, "--record", str(file), "--svg", str(picture))
    assert set(answer) >= {"moves", "result", "position"}
    (record,) = read_records(file)
    assert (list(record.moves), record.result, str(record.final)) == (answer["moves"], answer["result"], answer["position"])
    ElementTree.parse(picture)
    status, out, err = run(*arguments)
    assert status == 0 and not err
    assert f"{record.result}: " in out and f"plays {record.moves[0]}" in out
    assert parse_record(out[out.index("[Game") :]) == record
    assert run(*arguments, "--quiet") == (0, str(record), "")
    assert run_json(*arguments[:-1], "6")["moves"] != answer["moves"]


def test_a_person_plays_on_the_command_line(run, run_json, tmp_path):
    file = tmp_path / "game.txt"
    words = "A1>right\nundo\nB1>left\nquit\n"
    status, out, err = run("play", "quixo:4", "--record", str(file), typed=words)
    assert status == 0 and err == f"written to {file}\n" and "x to move> " in out and "no result (quit)" in out
    (record,) = read_records(file)
    assert record.moves[0] == "B1>left" and (record.result, record.ended) == ("*", "quit")
    answer = run_json("play", "quixo:4", typed=words)  # board and prompts stay out of standard output
    assert answer["moves"] == list(record.moves)
    assert run("play", "quixo:4", typed="")[0] == 0
    assert run_json("play", "quixo:4", "--second", "human", typed="A1>right\nresign\n")["result"] == "1-0"


def test_a_hidden_choice_is_not_printed(run):
    status, out, _ = run("play", "matrix:prisoners", "--first", "human", "--second", "human", typed="1\n1\n")
    assert status == 0
    assert "plays" not in out and out.index("[Game") > 0


def test_warm(run_json, run):
    (row,) = run_json("warm", "quixo:3")
    assert row["game"] == "quixo:3"
    (row,) = run_json("warm", "quixo:3")
    assert (row["compiled"], row["seconds"]) == (0, 0)
    status, out, err = run("warm", "quixo:4")
    assert status == 0 and "quixo:4: compiled 0 functions" in out and "1/1 quixo:4" in err


LONG = "x" * 1_000_000
ODD = ["", " ", ":", "\0", "quixo:\0", "quixo:4\nquixo:5", "\U0001f600", LONG, f"quixo:{LONG}", "quixo:٣", "-", "-5", "quixo:4:4", "\ud800"]


@pytest.mark.parametrize("word", ODD)
@pytest.mark.parametrize("command", [["show"], ["perft"], ["play", "--first", "random", "--second", "random"], ["warm"]])
def test_no_such_game(run, command, word):
    status, out, err = run(*command, word, *(["1"] if command == ["perft"] else []))
    assert (status, out) == (2, "")
    assert_one_line(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["gmes"],
        ["show"],
        ["perft", "quixo:3"],
        ["perft", "quixo:3", "deep"],
        ["perft", "quixo:3", "-1"],
        ["perft", "quixo:3", "1000000000000"],
        ["perft", "quixo:3", "2", "--position"],
        ["perft", "quixo:3", "2", "--position", "XX"],
        ["perft", "quixo:3", "2", "3"],
        ["show", "quixo:3", "XX"],
        ["show", "quixo:3", LONG],
        ["show", "quixo:3", "XXX/.../...", "x"],
        ["show", "quixo:3", "--moves", "A1>right,A1>right,nonsense"],
        ["show", "quixo:3", "--moves", "A1>left"],
        ["show", "quixo:3", "--svg", "/"],
        ["show", "quixo:3", "--svg", "/no/such/folder/x.svg"],
        ["show", "quixo:3", "--svg", "x" * 5000],
        ["show", "quixo:3", "--svg", "a\0b"],
        ["show", "quixo:3", "--jsn"],
        ["play", "quixo:3", "--first", "nobody"],
        ["play", "quixo:3", "--first", "random:depth=3"],
        ["play", "quixo:3", "--first", LONG],
        ["play", "quixo:3", "--seed", "one"],
        ["play", "quixo:3", "--limit", "-3"],
        ["play", "quixo:3", "--start", "XXX"],
        ["play", "quixo:3", "--record", "/no/such/folder/x.txt"],
        ["play", "no/such/file.py"],
        ["--nonsense"],
        ["games", "extra"],
    ],
    ids=lambda arguments: " ".join(arguments)[:60].replace("\0", "0"),
)
def test_bad_input_gets_one_line(run, arguments):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert_one_line(err)


def assert_one_line(text):
    assert text.startswith("ludometer: ") and text.endswith("\n")
    assert len(text.splitlines()) == 1 and len(text) < LONGEST_MESSAGE + 100
    assert text[:-1].isprintable()


def test_a_mistyped_command_gets_a_suggestion(run):
    assert "'games'" in run("gmes")[2]
    assert "--first" in run("play", "quixo:3", "--firs", "x")[2]
    assert "did you mean quixo" in run("show", "quxo:3")[2]


def test_nothing_is_written_on_bad_input(run, tmp_path):
    file, old = tmp_path / "new.svg", tmp_path / "old.svg"
    old.write_text("precious")
    for target in (file, old):
        assert run("show", "quixo:3", "XX", "--svg", str(target))[0] == 2
        assert run("show", "quixo:3", "--moves", "A1>left", "--svg", str(target))[0] == 2
        assert run("play", "quixo:3", "--first", "nobody", "--record", str(target), "--svg", str(target))[0] == 2
        assert run("play", "quixo:3", "--record", str(target), "--svg", "/no/such/folder/x")[0] == 2
    assert old.read_text() == "precious" and list(tmp_path.iterdir()) == [old]


def test_files_go_to_devices_too(run):
    assert run("show", "quixo:3", "--svg", "/dev/null")[0] == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("arguments", [["--help"], ["games", "--json"], ["games"], ["play", "--help"]])
def test_help_and_lists_load_no_compiler(arguments):
    script = (
        "import sys; from ludometer.cli import main; main(sys.argv[1:]);"
        "print([n for n in ('numba', 'scipy', 'matplotlib') if n in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=60, check=True)
    assert run.stderr == "[]\n" and run.stdout


@pytest.mark.process
def test_a_second_process_compiles_nothing():
    arguments = ["play", "quixo:3", "--first", "random", "--second", "random", "--quiet"]
    first, second = (in_a_new_process(*arguments, environment={"LUDOMETER_TIMING": "1"}) for _ in range(2))
    assert first.stdout == second.stdout and first.returncode == second.returncode == 0
    assert second.stderr == "compiled 0 functions in 0.0 s\n"


def test_a_closed_pipe_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run([sys.executable, "-m", "ludometer", "games"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert process.stderr == "" and process.returncode == 1


# Says on standard error when counting begins; the count itself would take ages.
COUNTING = """
import importlib, sys
module = importlib.import_module("ludometer.solvers.perft")
count = module.perft
def perft(*given):
    print("begun", file=sys.stderr, flush=True)
    return count(*given)
module.perft = perft
from ludometer.cli import main
sys.exit(main(["perft", "quixo:5", "30"]))
"""


@pytest.mark.process
def test_interrupting_compiled_code_ends_quietly():
    """Also where this process was itself started with Ctrl-C ignored, as background jobs of a shell are."""
    assert in_a_new_process("perft", "quixo:5", "2").returncode == 0  # so that nothing is left to compile
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen([sys.executable, "-c", COUNTING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        assert process.stderr.readline() == "begun\n" and process.poll() is None
        time.sleep(0.3)  # into the compiled code
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "") and process.returncode == 130
    finally:
        process.kill()


def test_two_results_do_not_go_into_one_file(capsys, tmp_path):
    file = str(tmp_path / "same.txt")
    assert main(["play", "tictactoe", "--first", "random", "--second", "random", "--record", file, "--svg", file]) == 2
    assert "one file" in capsys.readouterr().err
    assert main(["show", "tictactoe", "--svg", ""]) == 2
    assert "is empty" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
