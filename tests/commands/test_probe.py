"""`ludometer probe`: values of positions and moves."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludometer.games import game
from ludometer.solvers import solution_cache
from tests.solvers.acyclic.test_table import HEAPS


def test_quixo(run, run_json, tmp_path: Path) -> None:
    picture = tmp_path / "values.svg"
    answer = run_json("probe", "quixo:3", "--svg", str(picture))
    assert (answer["value"], answer["distance"]) == ("win", 7)
    start = game("quixo:3").start()
    assert [row["move"] for row in answer["moves"]] == start.moves()
    assert {row["value"] for row in answer["moves"] if row["move"] in answer["best"]} == {"win"}
    assert {row["distance"] for row in answer["moves"] if row["move"] in answer["best"]} == {7}
    assert len(ElementTree.parse(picture).findall(".//*[@class='value']")) == 2 * len(answer["moves"])
    status, out, _ = run("probe", "quixo:3", "XX./O../O.. x")
    assert status == 0 and "x to move: win in 1" in out


def test_values_follow_the_moves(run_json) -> None:
    """What a move is worth is what the position after it is worth to the other player, one move later."""
    answer = run_json("probe", "quixo:3", ".X./..O/... x")
    position = game("quixo:3").position(".X./..O/... x")
    swapped = {"win": "loss", "loss": "win", "draw": "draw"}
    for row in answer["moves"][:6]:
        after = run_json("probe", "quixo:3", str(position.play(row["move"])))
        assert (swapped[after["value"]], after["distance"] + 1) == (row["value"], row["distance"])


def test_a_finished_game(run, run_json) -> None:
    answer = run_json("probe", "quixo:3", "XXX/OO./... o")
    assert (answer["value"], answer["distance"], answer["moves"], answer["best"]) == ("loss", 0, [], [])
    assert "over: 1-0" in run("probe", "quixo:3", "XXX/OO./... o")[1]


def test_values_without_distances(run_json) -> None:
    run_json("solve", "quixo:3", "--values-only")
    answer = run_json("probe", "quixo:3", "XX./O../O.. x")
    assert (answer["value"], answer["distance"]) == ("win", None)
    by_move = {row["move"]: row for row in answer["moves"]}
    assert {by_move[move]["distance"] for move in answer["best"]} == {1}  # a win at once is known without distances
    assert len(answer["keeping"]) > len(answer["best"])


def test_tables_are_used(run_json, refuses, tmp_path: Path) -> None:
    run_json("solve", "quixo:2", "--keep", "none", "--tables", str(tmp_path / "totals"))
    assert "only totals were kept" in refuses("probe", "quixo:2", "--tables", str(tmp_path / "totals"))
    file = tmp_path / "totals" / "quixo-2" / "manifest.json"
    file.write_text(file.read_text().replace('"win": 50', '"win": 51'))
    assert "damaged" in refuses("probe", "quixo:2", "--tables", str(tmp_path / "totals"))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["quixo:5"], "run `ludometer solve quixo:5` first"),
        (["quixo:6"], "out of reach"),
        (["quixo:3", "XX"], "position"),
        (["quixo:3", "--svg", "/no/such/folder/x.svg"], "cannot write"),
    ],
)
def test_bad_input(refuses, arguments: list[str], part: str) -> None:
    assert part in refuses("probe", *arguments)


def test_every_option_changes_what_it_says(run, run_json, tmp_path: Path) -> None:
    assert run_json("probe", "quixo:2")["position"] != run_json("probe", "quixo:2", "X./.O x")["position"]
    run_json("solve", "quixo:2", "--values-only", "--tables", str(tmp_path / "mine"))
    assert run_json("probe", "quixo:2")["distance"] == 3
    assert run_json("probe", "quixo:2", "--tables", str(tmp_path / "mine"))["distance"] is None
    picture = tmp_path / "values.svg"
    assert f"drawn in {picture}" in run("probe", "quixo:2", "--svg", str(picture))[1] and "W3" in picture.read_text()


def test_a_game_of_unknown_size(refuses, run_json, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heaps.py").write_text(HEAPS)
    monkeypatch.setattr(solution_cache, "QUICK_POSITIONS", 10)
    for command in ("probe", "analyze"):
        assert "more than 10 positions" in refuses(command, str(tmp_path / "heaps.py"))


def test_predecessors(run, run_json) -> None:
    answer = run_json("probe", "quixo:3", "..X/.../... o", "--predecessors")
    quixo = game("quixo:3")
    assert answer["predecessors"]
    for row in answer["predecessors"]:
        assert str(quixo.position(row["position"]).play(row["move"])) == answer["position"]
    status, out, _ = run("probe", "quixo:3", "start", "--predecessors")
    assert status == 0 and "no move leads here" in out
    status, _, err = run("probe", "tictactoe", "start", "--predecessors")
    assert status == 2 and err.count("\n") == 1
