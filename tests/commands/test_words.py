"""What commands print, word for word; times are written as #.  Results of long work are made by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.freezing import frozen
from tests.view import handmade


def timeless(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?( |\b)(s|ms|µs|ns)\b", "# s", text)


@pytest.fixture
def printed(run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """A command, its exit status and what it printed on both streams; how far long work is depends on the machine and is left out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludometer.commands.progress._SECONDS_BETWEEN_LINES", float("inf"))

    def ask(*words: str) -> str:
        status, out, err = run(*words)
        shown = f"$ {' '.join(words)}\n{out}" + (f"[standard error]\n{err}" if err else "") + (f"[exit {status}]\n" if status else "")
        return timeless(shown).replace(str(tmp_path), "HERE")

    return ask


def test_small_commands(printed) -> None:
    position = "XX./OO./... x"
    frozen(
        "words-small.txt",
        "\n".join(
            [
                printed("perft", "tictactoe", "2", "--divide"),
                printed("perft", "tictactoe", "0", "--divide"),
                printed("perft", "tictactoe", "3", "--position", position),
                printed("tree", "tictactoe", position, "--agent", "alphabeta:3"),
                printed("tree", "tictactoe", position, "--agent", "alphabeta:2", "--plot", "tree.svg"),
                printed("show", "tictactoe", position, "--svg", "board.svg"),
                printed("play", "tictactoe", "--first", "random", "--second", "random", "--limit", "2", "--record", "g.txt"),
            ]
        ),
    )


@pytest.mark.process
def test_solving(printed) -> None:
    frozen(
        "words-solving.txt",
        "\n".join(
            [
                printed("solve", "quixo:2", "--workers", "1", "--verify"),
                printed("solve", "quixo:2", "--workers", "1"),
                printed("solve", "quixo:2", "--workers", "1", "--no-store", "--values-only"),
                printed("solve", "tictactoe"),
                printed("solve", "dots:1x1", "--no-store"),
                printed("verify", "quixo:2"),
                printed("verify", "quixo:2", "--sample", "5"),
                printed("probe", "quixo:2", "X./.. o"),
                printed("probe", "quixo:2", "--svg", "values.svg"),
                printed("probe", "dots:1x1"),
                printed("analyze", "quixo:2"),
                printed("analyze", "dots:1x1", "--distances", "d.svg"),
            ]
        ).replace("x86_64", "#"),
    )


def test_the_seed_of_a_tree(run_json) -> None:
    """Chance decides the order of moves of equal promise."""
    found = {str(run_json("tree", "quixo:3", "--agent", "alphabeta:2", "--seed", str(seed))) for seed in range(4)}
    again = {str(run_json("tree", "quixo:3", "--agent", "alphabeta:2", "--seed", str(seed))) for seed in (0, 0)}
    strip = re.compile(r"'seconds': [^,}]+")
    assert len({strip.sub("", one) for one in found}) > 1 and len({strip.sub("", one) for one in again}) == 1


def test_bench(printed, run_json, refuses, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("benchmarks.counting")
    rows = [{"name": "one", "ours": 1234.5, "peer": 100.25, "ratio": 12.3}, {"name": "two", "ours": 0.5, "peer": None, "ratio": None}]
    fake.compare = lambda: rows  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "benchmarks.counting", fake)
    frozen("words-bench.txt", printed("bench", "counting"))
    assert run_json("bench", "counting") == rows
    assert "no benchmark is called 'nothing'; there are " in refuses("bench", "nothing")


def test_warm(printed, run_json, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer import warming
    from ludometer.games import kinds

    monkeypatch.setattr(warming, "warm", lambda game: (3, 1.25))
    frozen("words-warm.txt", printed("warm", "quixo:3", "tictactoe"))
    assert run_json("warm", "quixo:3") == [{"game": "quixo:3", "compiled": 3, "seconds": 1.25}]
    assert [row["game"] for row in run_json("warm")] == [game.spec for kind in kinds().values() for game in kind.listed_games()]


LONG_WORK: dict[str, tuple[str, list[str], Callable[[], Any]]] = {
    "match": ("ludometer.arena.experiments.match.match", ["dots:2x2", "mcts:100", "random"], handmade.match_result),
    "tournament": ("ludometer.arena.experiments.tournament.tournament", ["quixo:3", "mcts:100", "random"], handmade.tournament_result),
    "ladder": ("ludometer.arena.experiments.ladder.ladder", ["quixo:3"], handmade.length_ladder),
    "depth": ("ludometer.arena.experiments.depth.depth", ["quixo:3"], handmade.depths),
    "report": ("ludometer.arena.experiments.report.report", ["quixo:3"], handmade.report),
}


@pytest.mark.parametrize("command", LONG_WORK)
def test_long_work(printed, run_json, run, monkeypatch: pytest.MonkeyPatch, command: str, tmp_path: Path) -> None:
    """The text or the document, where it was drawn or written, and what Ctrl-C left."""
    place, words, make = LONG_WORK[command]
    result = make()
    if command in ("match", "tournament"):
        result = replace(result, ended="games", notes=())
    if command == "ladder":
        result = replace(result, ended="done")
    monkeypatch.setattr(place, lambda *arguments, **options: result)
    assert run_json(command, *words, "--no-store") == _through_json(result.document())
    status, out, err = run(command, *words, "--no-store")
    assert (status, out, err) == (0, f"{result}\n", "")
    picture = "card.md" if command == "report" else "plot.svg"
    option = "--out" if command == "report" else "--plot"
    status, out, err = run(command, *words, option, picture)
    assert (status, out) == (0, f"{result}\n") and err == f"{'written to' if command == 'report' else 'drawn in'} {picture}\n"
    assert (tmp_path / picture).stat().st_size > 1000


def _through_json(document: Any) -> Any:
    import json

    return json.loads(json.dumps(document))


def test_what_ctrl_c_left(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result so far is printed, a line says how it goes on, and the exit status is 130."""

    def stopped(place: str, result: Any) -> None:
        def work(*arguments: Any, execution: Any, **options: Any) -> Any:
            execution.stop.ask()
            return result

        monkeypatch.setattr(place, work)

    for command, made, line in (
        ("match", handmade.match_result("stopped"), "stopped after 1,000 of 1,200 games; "),
        ("tournament", handmade.tournament_result(), "stopped after 200 of 300 games; "),
        ("ladder", handmade.length_ladder(), "stopped; "),
        ("depth", handmade.depths(), "stopped; "),
    ):
        place, words, _ = LONG_WORK[command]
        stopped(place, made)
        for options, ending in (((), "the same command goes on from there"), (("--no-store",), "nothing was kept (--no-store)")):
            assert run(command, *words, *options) == (130, f"{made}\n", f"{line}{ending}\n"), command


def test_axes_and_normalising_reach_the_plot(run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[Any, ...]] = []
    ladder = handmade.length_ladder()
    ladder = replace(ladder, ended="done")
    monkeypatch.setattr(type(ladder), "plot", lambda self, path, axis, normalised: seen.append((path, axis, normalised)))
    monkeypatch.setattr("ludometer.arena.experiments.ladder.ladder", lambda *arguments, **options: ladder)
    file = str(tmp_path / "x.png")
    for options in ((), ("--axis", "seconds"), ("--normalise",), ("--axis", "positions", "--normalise")):
        assert run("ladder", "quixo:3", "--no-store", "--plot", file, *options)[0] == 0
    assert seen == [(file, "budget", False), (file, "seconds", False), (file, "budget", True), (file, "positions", True)]
    for options in (("--axis", "seconds"), ("--normalise",)):
        assert run("ladder", "quixo:3", "--no-store", *options)[0] == 2


def test_runs(printed, run_json) -> None:
    frozen("words-no-runs.txt", printed("runs"))
    run_json("match", "tictactoe", "mcts:5", "random", "--games", "24", "--seed", "4", "--opening-plies", "1")
    run_json("match", "tictactoe", "mcts:5", "random", "--games", "24", "--seed", "5", "--opening-plies", "1")
    words = [
        printed("runs", "games", "1", "--count", "3"),
        printed("runs", "games", "1"),
        printed("runs", "games", "1", "--game", "0"),
        printed("runs", "compare", "1", "2"),
        printed("runs", "export", "1", "games.csv"),
        Path("games.csv").read_text(),
        printed("runs", "export", "1", "games.txt", "--format", "records"),
        Path("games.txt").read_text()[:400],
        printed("runs", "delete", "1"),
    ]
    frozen("words-runs.txt", "\n".join(words))
    assert run_json("runs", "delete", "2") == {"deleted": 2} and run_json("runs") == []


def test_dynamics(printed) -> None:
    few = ("--runs", "6", "--episodes", "200", "--workers", "1")
    words = [
        printed("dynamics", "matrix:sexes", *few, "--profile", "O M", "--write", "game.nfg"),
        printed("dynamics", "matrix:brps", "--populations", "1", "--learners", "none"),
        printed("dynamics", "matrix:stag", "--tau", "0.3", "--kappa", "2", "--learners", "none", "--eliminate", "weak"),
        printed("dynamics", "matrix:prisoners", "--dynamics", "best-response", "--fictitious", "10"),
    ]
    frozen("words-dynamics.txt", "\n".join(words), 0.01)


def test_matches_tell_how_far_they_are() -> None:
    from ludometer.arena.statistics.pair_counts import Interval, PairCounts
    from ludometer.view.results.matches import match_progress_text

    def told(counts: PairCounts, low: float, high: float) -> str:
        return match_progress_text(counts, Interval(low, high))

    assert told(PairCounts(), 0, 1) == ""
    assert told(PairCounts((1, 0, 0, 0, 1, 0, 0, 0, 2)), 0.4, 0.9) == "score 62.5 % (40.0 to 90.0 %), Elo +89 (−70 to +382)"
    assert told(PairCounts((0, 0, 0, 0, 0, 0, 0, 0, 2)), 0.2, 1.0) == "score 100.0 % (20.0 to 100.0 %), Elo … (−241 to …)"


@pytest.mark.parametrize("text", ["soon", "5 hours", "0", "0.0min", "1e3s", "5d"])
def test_times_that_are_none(refuses, text: str) -> None:
    assert f"a time is written as 60s, 5min or 2h, not {text!r}" in refuses("depth", "tictactoe", "--budget", text)


def test_times() -> None:
    from ludometer.core.text import seconds_of

    assert [seconds_of(text) for text in ("90", "90s", "90sec", "1.5m", "1.5min", "0.5h", " 5 s ", "0.25", "250ms")] == [
        *(90, 90, 90, 90, 90, 1800, 5, 0.25, 0.25)
    ]


def test_probabilities() -> None:
    from ludometer.commands.ladder import chances
    from ludometer.core.errors import LudometerError

    assert chances("0,0.25,1") == (0.0, 0.25, 1.0) and chances("") == chances("  ") == ()
    for text in ("1.01", "-0.01", "0.5,x", "0.5,,1", "nan"):
        with pytest.raises(LudometerError, match="probabilities such as 0,0.01,0.05"):
            chances(text)
