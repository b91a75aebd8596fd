"""Solutions made before are opened once, with few descriptors; what does not answer the question is refused when it is asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.solvers import open_solution, solution_cache, solution_for, solve
from ludometer.solvers.acyclic.solution import ProvenSolution
from ludometer.solvers.files import table_files
from ludometer.solvers.files.table_files import DamagedTable
from ludometer.solvers.tiles import solution as tile_solution
from ludometer.solvers.verification import verify
from tests.solvers.acyclic.test_table import HEAPS

DESCRIPTORS = Path("/proc/self/fd")


@pytest.fixture(autouse=True)
def nothing_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path / "home"))
    solution_cache._opened.clear()
    solution_cache._solved_here.clear()


def test_a_folder_is_opened_once_for_all(tmp_path: Path) -> None:
    solve("quixo:2", tables=tmp_path)
    first = open_solution("quixo:2", tmp_path)
    assert open_solution(lm.game("quixo:2"), str(tmp_path)) is first and solution_for(lm.game("quixo:2"), tmp_path) is first
    (tmp_path / "quixo-2" / "manifest.json").unlink()
    solve("quixo:2", tables=tmp_path)  # finished anew
    assert open_solution("quixo:2", tmp_path) is not first


def test_the_solution_asked_for_longest_ago_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "_MOST_OPEN", 2)
    shared, made = solution_cache._Shared(), []

    def ask(name: str) -> None:
        shared.get(name, lambda: made.append(name) or name)

    for name in "abacab":
        ask(name)
    assert made == ["a", "b", "c", "b"], "a was asked for more lately than b"


def test_a_folder_that_changes_is_not_believed(tmp_path: Path) -> None:
    solve("quixo:2", tables=tmp_path)
    open_solution("quixo:2", tmp_path)
    manifest = tmp_path / "quixo-2" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"win": 50', '"win": 51'))
    with pytest.raises(DamagedTable):
        open_solution("quixo:2", tmp_path)


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="counts the files of this process")
def test_few_descriptors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many classes and players there are, and although every class is asked about."""
    solve("quixo:3", tables=tmp_path)
    most = 7
    monkeypatch.setattr(table_files, "_maps", table_files._Maps(most))
    before = len(os.listdir(DESCRIPTORS))
    game = lm.game("quixo:3")
    players = [tile_solution.open_solution(tmp_path / "quixo-3", game) for _ in range(3)]
    for player in players:
        assert len(player.tables) == 55
        for place in player.tables:
            player.tables[place].item(0)
    assert len(os.listdir(DESCRIPTORS)) - before <= most
    assert verify(tmp_path / "quixo-3")["ok"] and len(os.listdir(DESCRIPTORS)) - before <= most + 1
    assert table_files.MOST_MAPPED < 100  # three players of any game stay far below the usual limit of 1,024


def test_a_file_that_is_replaced_while_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve("quixo:2", tables=tmp_path)
    monkeypatch.setattr(table_files, "_maps", table_files._Maps(1))
    solution = open_solution("quixo:2", tmp_path)
    file = tmp_path / "quixo-2" / "01-00.table"
    data = file.read_bytes()
    file.unlink()
    file.write_bytes(data)
    with pytest.raises(DamagedTable, match="was replaced while it was in use"):
        solution.tables[1, 0].item(0)


# ---- what is known, and what is not ----


def test_who_has_distances(tmp_path: Path) -> None:
    assert solve("quixo:2").has_distances and not solve("quixo:2", keep="values").has_distances
    assert solve("tictactoe").has_distances and solve("tictactoe").keep == "distances"
    points = solve("dots:1x2")
    assert not points.has_distances and points.keep == "values"
    assert not ProvenSolution(lm.game("tictactoe"), memory_mb=1).has_distances


def test_distances_where_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(LudometerError, match="dots:1x2 is about points.*leave out steps"):
        solution_for(lm.game("dots:1x2"), need_distances=True)
    solve("quixo:3", tables=tmp_path, keep="values")
    assert solution_for(lm.game("quixo:3"), tmp_path).keep == "values"
    assert solution_for(lm.game("quixo:3"), tmp_path, need_distances=True).has_distances  # solved on the spot


def test_a_folder_with_totals_only(tmp_path: Path) -> None:
    """Named by the user it is refused at once; among the user's tables it is as if there were none."""
    game = lm.game("quixo:2")
    solve(game, tables=tmp_path, keep="none")
    with pytest.raises(LudometerError, match="of quixo:2 only totals were kept in .*; solve it with values or distances kept"):
        solution_for(game, tmp_path)
    assert solution_for(game, tmp_path, need_values=False).summary()["win"] == 50
    home = tmp_path / "home" / "tables"
    solve(game, tables=home, keep="none")
    assert solution_for(game).value(game.start()).distance == 3


@pytest.mark.exhaustive
def test_a_game_of_unknown_size_is_not_taken_for_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heaps.py").write_text(HEAPS)
    game = lm.game(str(tmp_path / "heaps.py"))
    assert lm.forecast(game).entries is None
    positions = solve(game).summary()["states"]
    monkeypatch.setattr(solution_cache, "QUICK_POSITIONS", positions - 1)
    with pytest.raises(LudometerError, match=f"more than {positions - 1} positions, too many .* run `ludometer solve .*heaps.py` first"):
        solution_for(game)
    monkeypatch.setattr(solution_cache, "QUICK_POSITIONS", positions)
    assert solution_for(game).summary()["states"] == positions
    assert solution_for(game) is solution_for(game)


# ---- options that would do nothing are refused ----


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 2}, "solved by one thread; leave out workers"),
        ({"check": True}, "solve first, then verify"),
        ({"keep": "some"}, "keep is one of"),
    ],
)
def test_options_of_games_without_repetition(options: dict, message: str) -> None:
    with pytest.raises(LudometerError, match=message):
        solve("tictactoe", **options)


def test_options_of_verification() -> None:
    table = solve("tictactoe")
    with pytest.raises(LudometerError, match="on cuda only games of tiles are verified"):
        verify(table, device="cuda")
    with pytest.raises(LudometerError, match="verified by one thread; leave out workers"):
        verify(table, workers=2)
    with pytest.raises(LudometerError, match="solve first, then verify"):
        solve("quixo:2", check=True)
    with pytest.raises(LudometerError, match="no device is called 'abacus'"):
        verify(solve("quixo:2"), device="abacus")
    with pytest.raises(LudometerError, match="on cuda only tables with distances are verified"):
        verify(solve("quixo:2", keep="values"), device="cuda")
    assert verify(solve("dots:2x2"), workers=2)["ok"]
