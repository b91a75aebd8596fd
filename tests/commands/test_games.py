"""`ludometer games`: the list, for people and for programs."""

from __future__ import annotations

from ludometer import agents
from ludometer.games import game, kinds


def test_who_can_play_what(run_json) -> None:
    rows = {row["spec"]: row for row in run_json("games")}
    assert list(rows) == [spec for kind in kinds().values() for spec in kind.listed]
    for spec, row in rows.items():
        assert row["name"] == game(spec).kind.title
        assert row["agents"] == [kind.name for kind in agents.kinds().values() if kind.refuses(game(spec)) is None]
        assert {"random", "human"} <= set(row["agents"])
    assert rows["matrix:prisoners"]["agents"] == ["human", "random"]
    assert "polito" in rows["quixo:5"]["agents"] and "polito" not in rows["quixo:4"]["agents"]
    assert "window" in rows["dots:7x7"]["agents"] and "window" not in rows["quixo:5"]["agents"]
    assert "openspiel" in rows["ultimate"]["agents"] and "openspiel" not in rows["quixo:5"]["agents"]


def test_perfect_players_only_where_a_game_can_be_solved(run_json) -> None:
    rows = {row["spec"]: row for row in run_json("games")}
    for spec, row in rows.items():
        if not game(spec).kind.simultaneous:
            assert ("optimal" in row["agents"]) == row["solvable"], spec
    assert rows["dots:4x4"]["solvable"] and not rows["dots:7x7"]["solvable"] and not rows["mnk:15,15,5"]["solvable"]


def test_text(run, run_json) -> None:
    status, out, err = run("games")
    assert status == 0 and not err
    lines = out.splitlines()
    for kind in kinds().values():
        assert f"{kind.title}: {kind.syntax}" in lines
    for row in run_json("games"):
        (line,) = (line for line in lines if line.split()[0] == row["spec"])
        assert line.endswith(f"  {', '.join(row['agents'])}") and ("solvable" in line.split()) == row["solvable"]
