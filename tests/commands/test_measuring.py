"""`match`, `tournament` and `runs`: what they print, refuse, keep and give back."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.arena.experiments.tournament import finished_text
from ludometer.arena.measurements.pairs import Pairing, game_record
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.work.store import Store
from ludometer.core.agent import DECISIONS
from ludometer.core.errors import LudometerError
from ludometer.core.record import parse_records
from tests.commands.conftest import Run

GAME = "tictactoe"
MATCH_KEYS = {
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "score_interval",
    "elo",
    "elo_interval",
    "p_value",
    "first_player",
    "anytime_interval",
}
RUN_KEYS = {"run", "kind", "game", "players", "games", "done", "started", "seconds", "version"}

RunJson = Callable[..., Any]


def test_match(run: Run, run_json: RunJson, home: Path, tmp_path: Path) -> None:
    found = run_json("match", GAME, "mcts:5", "random", "--games", "60", "--seed", "4", "--sprt", "-400,400")
    assert set(found) >= MATCH_KEYS | {"sprt"} and found["wins"] + found["draws"] + found["losses"] == found["games"] <= 60
    assert set(found["first_player"]) >= {"wins", "draws", "losses"} and set(found["sprt"]) >= {"llr", "decision"}
    assert found["score"] == (found["wins"] + found["draws"] / 2) / found["games"]
    assert (home / "experiments.sqlite").is_file() and found["run"] == 1
    picture = tmp_path / "m.svg"
    status, out, err = run("match", GAME, "mcts:5", "random", "--games", "60", "--seed", "4", "--plot", str(picture))
    assert status == 0 and picture.read_text().count("<svg") == 1 and "drawn in" in err
    for word in ("wins", "draws", "losses", "score", "Elo", "p-value", "superiority", "first player", "length", "ended", "whatever moment"):
        assert word in out
    kept = run_json("match", GAME, "mcts:5", "random", "--games", "60", "--no-store")
    assert kept["run"] is None and len(run_json("runs")) == 1


def test_a_perfect_score_has_a_finite_elo(run: Run, run_json: RunJson) -> None:
    words = ("match", "mnk:1,3,2", "alphabeta:3", "random", "--games", "2", "--no-store", "--seed", "1")
    found = run_json(*words)
    assert abs(found["elo"]) < 2000 and all(abs(end) < 2000 for end in found["elo_interval"])
    assert run(*words)[0] == 0


def test_what_a_match_refuses(refuses: Callable[..., str], tmp_path: Path) -> None:
    for words, message in (
        ((GAME, "human", "random"), "human cannot play a match"),
        ((GAME, "random", "mcts:5", "--games", "7"), "even and at least 2"),
        ((GAME, "random", "nobody"), "no agent is called"),
        ((GAME, "random", "mcts:5", "--sprt", "20"), "two Elo differences"),
        ((GAME, "random", "mcts:5", "--sprt", "20,0"), "elo0 below elo1"),
        ((GAME, "random", "mcts:5", "--until-width", "2"), "between 0 and 1"),
        ((GAME, "random", "mcts:5", "--plot", "x.gif"), "written as"),
        ((GAME, "random", "mcts:5", "--store", "a", "--no-store"), "give one of them"),
        ((GAME, "random", "mcts:5", "--workers", "2", "--cluster", "tcp://127.0.0.1:1"), "leave out --workers"),
        ((GAME, "random", "mcts:5", "--cluster", "here", "--no-store"), "not an address"),
        ((GAME, "alphabeta:2,shuffle=no", "alphabeta:3,shuffle=no", "--opening-plies", "0"), "no more than 2"),
        ((GAME, "random", "mcts:5", "--store", str(tmp_path)), "unable to open"),
    ):
        assert message in refuses("match", *words), words


@pytest.mark.process
def test_tournament(run: Run, run_json: RunJson, refuses: Callable[..., str], tmp_path: Path) -> None:
    found = run_json("tournament", GAME, "random", "mcts:5", "mcts:40", "--games", "40")
    assert [set(player) >= {"agent", "rating", "interval", "games", "score"} for player in found["players"]] == [True] * 3
    assert found["players"][-1]["agent"] == "random" and found["players"][-1]["rating"] == 0
    assert len(found["pairs"]) == 3 and all(pair["wins"] + pair["draws"] + pair["losses"] == 40 for pair in found["pairs"])
    assert 0 <= found["transitivity"] <= 1
    again = run_json("tournament", GAME, "random", "mcts:5", "mcts:40", "--games", "40")
    assert {**again, "notes": []} == {**found, "notes": []}
    around = run_json("tournament", GAME, "random", "mcts:5", "--gauntlet", "mcts:40", "--games", "40")
    same = {(pair["a"], pair["b"]): pair["wins"] for pair in found["pairs"]}
    assert {pair["b"]: pair["wins"] for pair in around["pairs"]} == {
        "random": 40 - same["random", "mcts:40"] - next(p["draws"] for p in found["pairs"] if (p["a"], p["b"]) == ("random", "mcts:40")),
        "mcts:5": 40 - same["mcts:5", "mcts:40"] - next(p["draws"] for p in found["pairs"] if (p["a"], p["b"]) == ("mcts:5", "mcts:40")),
    }, "pairings do not depend on who else takes part, nor on the order of names"
    assert len(run_json("runs")) == 2
    picture = tmp_path / "t.png"
    status, out, _ = run("tournament", GAME, "random", "mcts:5", "mcts:40", "--games", "40", "--plot", str(picture))
    assert status == 0 and picture.stat().st_size > 1000 and "transitivity" in out and "stronger than the column" in out
    assert run("runs", "show", "1")[1].splitlines()[3:] == out.splitlines()
    for words, message in (
        (("random",), "at least two"),
        (("random", "random"), "named twice"),
        (("random", "human"), "human cannot play"),
        (("random", "mcts:5", "--anchor", "mcts:6"), "does not take part"),
        (("alphabeta:2,shuffle=no", "alphabeta:3,shuffle=no", "--opening-plies", "0"), "same game again"),
    ):
        assert message in refuses("tournament", GAME, *words)


@pytest.mark.process
def test_runs(run: Run, run_json: RunJson, refuses: Callable[..., str], tmp_path: Path) -> None:
    assert run("runs")[1].startswith("no runs yet") and run_json("runs") == []
    run_json("match", GAME, "mcts:5", "random", "--games", "20", "--seed", "4", "--opening-plies", "1")
    run_json("match", GAME, "mcts:5", "random", "--games", "20", "--seed", "5", "--opening-plies", "1")
    listed = run_json("runs")
    assert [set(one) for one in listed] == [RUN_KEYS] * 2 and [one["done"] for one in listed] == [20, 20]
    assert "mcts:5, random" in run("runs")[1]
    assert run_json("runs", "show", "2")["result"]["seed"] == 5
    shown = run("runs", "show", "1")[1]
    assert "mcts:5 (A) against random (B), 20 games" in shown

    pairing = Pairing.of(GAME, "mcts:5", "random", 4, 1)
    (record,) = parse_records(run("runs", "games", "1", "--game", "17")[1])
    assert record == game_record(pairing, 17) and record.first == "random"
    assert run_json("runs", "games", "1", "--game", "17")["moves"] == list(record.moves)
    games = run_json("runs", "games", "1", "--count", "30")
    assert len(games) == 20 and games[17]["result"] == record.result and games[17]["length"] == len(record.moves)
    assert "… 18 more" in run("runs", "games", "1", "--count", "2")[1]

    file = tmp_path / "games.csv"
    run_json("runs", "export", "1", str(file))
    with open(file, newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["result"] for row in rows] == [game["result"] for game in games] and rows[17]["first"] == "random"
    assert run_json("runs", "export", "1", str(file), "--format", "json")["games"] == 20
    assert [game["seed"] for game in json.loads(file.read_text())["games_played"]] == [game["seed"] for game in games]
    assert run("runs", "export", "1", str(file), "--format", "records")[0] == 0
    assert list(parse_records(file.read_text())) == [game_record(pairing, number) for number in range(20)]

    found = run_json("runs", "compare", "1", "2")
    assert found["settings"] == {"seed": [4, 5]} and found["interval"][0] < found["difference"] < found["interval"][1]
    assert "a difference is not shown" in run("runs", "compare", "1", "2")[1]

    for words, message in (
        (("show", "7"), "there is no run 7"),
        (("games", "1", "--game", "20"), "has games 0 to 19"),
        (("export", "1", str(file), "--format", "xml"), "is exported as"),
        (("export", "1", str(tmp_path / "no" / "where")), "there is no folder"),
        (("--store", str(tmp_path / "absent")), "there is no store"),
    ):
        assert message in refuses("runs", *words)
    assert run("runs", "delete", "1")[0] == 0 and [one["run"] for one in run_json("runs")] == [2]


def test_options_of_runs_may_stand_before_the_subcommand(run: Run, run_json: RunJson, refuses: Callable[..., str], tmp_path: Path) -> None:
    file, table = str(tmp_path / "mine.sqlite"), str(tmp_path / "games.csv")
    run_json("match", GAME, "mcts:5", "random", "--games", "4", "--store", file)
    shown = (("show", "1"), ("games", "1"), ("games", "1", "--game", "2"), ("export", "1", table), ("compare", "1", "1"))
    for words in (*shown, ("delete", "1")):
        status, out, _ = run("runs", "--store", file, "--json", *words)
        assert status == 0 and json.loads(out), words
        if words in shown:
            assert json.loads(out) == run_json("runs", *words, "--store", file), words
    assert "there is no store" in refuses("runs", "show", "1")


def test_a_pairing_is_finished_with_its_last_game() -> None:
    """24 games are 8 for each of three pairings."""

    def totals(*games: int) -> list[PairTotals]:
        return [PairTotals(PairCounts.from_results([0] * played)) for played in games]

    for games, finished in (((0, 0, 0), 0), ((8, 0, 0), 1), ((6, 8, 6), 1), ((8, 8, 6), 2), ((8, 8, 8), 3)):
        assert finished_text(totals(*games), 4) == f"{finished} of 3 pairings finished"


def test_parquet_without_pyarrow(run_json: RunJson, refuses: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_json("match", GAME, "mcts:5", "random", "--games", "4")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "needs the package pyarrow" in refuses("runs", "export", "1", str(tmp_path / "g.parquet"), "--format", "parquet")


def test_games_of_other_decisions_cannot_be_rebuilt(
    run_json: RunJson, refuses: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludometer.arena.measurements import pairs

    run_json("match", GAME, "mcts:5", "random", "--games", "4")
    monkeypatch.setattr(pairs, "DECISIONS", pairs.DECISIONS + 1)
    pairs._key_of.cache_clear()
    try:
        assert f"decisions {DECISIONS}, which is different now" in refuses("runs", "games", "1", "--game", "2")
    finally:
        pairs._key_of.cache_clear()


def test_a_store_that_may_not_be_written_to(run: Run, run_json: RunJson, refuses: Callable[..., str], home: Path) -> None:
    run_json("match", GAME, "mcts:5", "random", "--games", "4")
    file = home / "experiments.sqlite"
    before = file.read_bytes()
    os.chmod(file, 0o444)
    os.chmod(home, 0o555)
    try:
        if os.access(file, os.W_OK):
            pytest.skip("this user may write everywhere")
        assert "may not be written to" in refuses("match", GAME, "mcts:5", "random", "--games", "8")
        assert len(run_json("runs")) == 1
    finally:
        os.chmod(home, 0o755)
    assert file.read_bytes() == before


@pytest.mark.process
def test_the_document_shows_what_the_commands_print(run: Run) -> None:
    """Of docs/measuring.md: the match and the game that is rebuilt from it; speed is another on every machine."""
    document = (Path(__file__).parents[2] / "docs" / "measuring.md").read_text()
    for command in ("match quixo:3 mcts:300 alphabeta:2 --games 1000", "runs games 1 --game 17"):
        shown = document.split(f"    $ ludometer {command}\n")[1].split("\n\nThe last lines")[0].split("\n\nGames are")[0]
        status, out, _ = run(*command.split())
        # How wide the columns are depends on the text of the speed too.
        printed = [line.split() for line in out.splitlines() if not line.startswith("speed")]
        assert status == 0 and printed == [line.split() for line in shown.splitlines() if not line.startswith("    speed")]


def games_done(file: Path) -> int:
    try:
        with Store(file, read_only=True) as store:
            return sum(run.done for run in store.runs())
    except LudometerError:  # not there yet
        return 0


@pytest.mark.process
def test_ctrl_c_ends_with_what_is_known_and_the_same_command_goes_on(tmp_path: Path) -> None:
    words = ["match", "quixo:3", "mcts:200", "random", "--games", "4000", "--json", "--store", str(tmp_path / "s.sqlite")]
    command = [sys.executable, "-m", "ludometer", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not games_done(tmp_path / "s.sqlite"):
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    found = json.loads(out)
    assert 0 < found["games"] < 4000 and found["ended"] == "stopped"
    assert f"stopped after {found['games']:,} of 4,000 games; the same command goes on from there" in err
    more = subprocess.run(
        [*command[:-2], "--store", words[-1], "--games", str(found["games"])], capture_output=True, text=True, timeout=300
    )
    again = json.loads(more.stdout)
    assert [again[key] for key in ("games", "wins", "draws", "losses")] == [found[key] for key in ("games", "wins", "draws", "losses")]
