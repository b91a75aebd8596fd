"""`ludometer play`: every option changes what it says it changes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludometer.arena.play.playing import play_game
from ludometer.core.record import parse_record, parse_records, read_records
from ludometer.games import game

TWO = ("--first", "random", "--second", "random")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch):
    def type_lines(*lines: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return type_lines


def test_json_is_the_record(run_json) -> None:
    record = play_game("quixo:3", "random", "random", seed=5)
    answer = run_json("play", "quixo:3", *TWO, "--seed", "5")
    assert answer == record.document()
    assert answer["moves"] == list(record.moves) and answer["position"] == str(record.final) and answer["result"] == record.result
    assert (answer["game"], answer["first"], answer["second"], answer["seed"]) == ("quixo:3", "random", "random", 5)
    assert (answer["start"], answer["ended"]) == (str(game("quixo:3").start()), None)


def test_first_and_second(run_json) -> None:
    answer = run_json("play", "tictactoe", "--first", "mcts:iterations=20", "--second", "random")
    assert (answer["first"], answer["second"]) == ("mcts:20", "random"), "specs are written in one way"
    swapped = run_json("play", "tictactoe", "--first", "random", "--second", "mcts:20")
    assert (swapped["first"], swapped["second"]) == ("random", "mcts:20") and swapped["moves"] != answer["moves"]


def test_seed(run_json) -> None:
    games = [run_json("play", "quixo:3", *TWO, "--seed", str(seed))["moves"] for seed in (0, 0, 1, 2)]
    assert games[0] == games[1] == run_json("play", "quixo:3", *TWO)["moves"]
    assert len({str(moves) for moves in games}) == 3


def test_start(run_json, run) -> None:
    start = "XX./.../OO. o"
    answer = run_json("play", "quixo:3", *TWO, "--start", start)
    assert answer["start"] == start and answer["moves"][0] in game("quixo:3").position(start).moves()
    assert answer["moves"] == list(play_game("quixo:3", "random", "random", start=start).moves)
    over = run_json("play", "quixo:3", *TWO, "--start", "XXX/.../OO. o")
    assert (over["moves"], over["result"]) == ([], "1-0")
    assert f'[Start "{start}"]' in run("play", "quixo:3", *TWO, "--start", start, "--quiet")[1]


def test_limit(run_json) -> None:
    for limit in (0, 3):
        answer = run_json("play", "quixo:5", *TWO, "--limit", str(limit))
        assert (len(answer["moves"]), answer["result"], answer["ended"]) == (limit, "1/2-1/2", "ply limit")
    assert run_json("play", "quixo:5", *TWO)["ended"] is None


def test_record_and_svg(run, tmp_path: Path) -> None:
    file, picture = tmp_path / "game.txt", tmp_path / "end.svg"
    status, out, err = run("play", "quixo:3", *TWO, "--record", str(file), "--svg", str(picture), "--quiet")
    assert status == 0 and err == f"written to {file}\nwritten to {picture}\n"
    (record,) = read_records(file)
    assert str(record) == out and record == play_game("quixo:3", "random", "random")
    assert picture.read_text() == record.final.svg()
    ElementTree.parse(picture)


def test_quiet_prints_the_record_alone(run) -> None:
    _, quiet, _ = run("play", "quixo:3", *TWO, "--quiet")
    status, loud, err = run("play", "quixo:3", *TWO)
    assert status == 0 and not err and loud.endswith(quiet) and parse_record(quiet).first == "random"
    before = loud.removesuffix(quiet)
    record = parse_record(quiet)
    assert before.startswith("quixo:3: random (x) against random (o)\n")
    assert [line for line in before.splitlines() if " plays " in line] == [
        f"{position.turn} plays {move}" for position, move in zip(record.positions, record.moves)
    ]
    assert record.final.board() in before


@pytest.mark.parametrize(
    ("spec", "start", "words"),
    [
        ("tictactoe", "XXX/OO./... o", "1-0: x wins"),
        ("tictactoe", "XX./OOO/X.. x", "0-1: o wins"),
        ("tictactoe", "XOX/XOX/OXO o", "1/2-1/2: a draw"),
        ("dots:1x1", "-/|a|/- a", "1-0: a wins"),
        ("dots:1x1", "-/|b|/- b", "0-1: b wins"),
    ],
)
def test_the_winner_is_named(run, spec: str, start: str, words: str) -> None:
    status, out, _ = run("play", spec, *TWO, "--start", start)
    assert status == 0 and f"\n\n{words}\n\n[Game" in out


def test_why_a_game_ended_is_said(run, typed) -> None:
    typed("A1>right", "resign")
    assert "\n1-0: x wins (resignation)\n" in run("play", "quixo:3", "--second", "human")[1]
    typed("quit")
    assert "\n*: no result (quit)\n" in run("play", "quixo:3")[1]


def test_by_default_a_person_plays_against_chance(run, typed) -> None:
    typed("A1>right", "quit")
    status, out, _ = run("play", "quixo:4")
    assert status == 0 and out.startswith("quixo:4: human (x) against random (o)\n") and out.count("x to move> ") == 2


def test_every_board_is_shown_once_and_the_last_one_again(run, typed) -> None:
    """A person is shown the board when asked for a move, whoever moved before; other boards are shown as they arise."""
    typed("quit")
    _, out, _ = run("play", "quixo:3", "--first", "random", "--second", "human")
    (record,) = parse_records(out[out.index("[Game ") :])
    assert [out.count(position.board()) for position in record.positions] == [0, 2]
    typed("A1>right", "quit")
    _, out, _ = run("play", "quixo:3")
    (record,) = parse_records(out[out.index("[Game ") :])
    assert [out.count(position.board()) for position in record.positions] == [1, 1, 2]


def test_a_person_and_a_program_read_different_streams(run, typed) -> None:
    typed("A1>right", "quit")
    status, out, err = run("play", "quixo:4", "--json")
    assert status == 0 and json.loads(out)["moves"][0] == "A1>right" and err.count("x to move> ") == 2


def test_a_game_that_openspiel_cannot_begin_is_refused(refuses) -> None:
    assert "from their start only" in refuses(
        "play", "tictactoe", "--first", "openspiel", "--start", "X../.../... o", "--second", "openspiel", "--quiet"
    )


def test_options_given_twice_are_refused(refuses) -> None:
    assert "iterations is given twice" in refuses("play", "tictactoe", "--first", "mcts:5,iterations=6")


def test_trees_of_every_turn(run, tmp_path: Path) -> None:
    """A picture for each search; the opening moves of the rule are made without one."""
    folder = tmp_path / "trees"
    players = ("--first", "alphabeta:variable=advantage", "--second", "random")
    status, _, told = run("play", "quixo:3", *players, "--seed", "3", "--quiet", "--trees", str(folder))
    drawn = sorted(path.name for path in folder.iterdir())
    assert status == 0 and drawn and all(int(name[5:8]) % 2 == 1 for name in drawn)
    assert f"{len(drawn)} trees drawn" in told
    status, _, told = run("play", "quixo:3", *TWO, "--trees", str(folder))
    assert status == 2 and "searches depth first" in told
