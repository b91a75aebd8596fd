"""Games without repetition: solved, kept, opened again, checked again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.solvers import open_solution, solution_for, solve
from ludometer.solvers.acyclic import check, driver, solution
from ludometer.solvers.acyclic.driver import solve_acyclic
from ludometer.solvers.acyclic.search import prove
from ludometer.solvers.acyclic.solution import LAYOUT, NOT_PROVEN, PROVEN_LAYOUT, PositionTable, ProvenSolution
from ludometer.solvers.acyclic.store import open_acyclic
from ludometer.solvers.acyclic.table import TableTooLarge
from ludometer.solvers.files.table_files import ForeignTable, MissingTable
from ludometer.solvers.files.table_folders import open_folder, store_arrays, write_manifest
from ludometer.solvers.options import SolveOptions
from ludometer.solvers.solution import Value
from ludometer.solvers.solvable import folder_for
from ludometer.solvers.verification import verify
from tests.solvers.folders import content_of

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "connect_three.py")


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:3,4,3", "dots:1x2", "dots:2x2", EXAMPLE])
def test_a_table_is_kept_and_opened_again(spec: str, tmp_path: Path) -> None:
    game = lm.game(spec)
    first = solve(game, tables=tmp_path)
    folder = folder_for(game, tmp_path)
    bytes_before = content_of(folder)
    again = open_solution(game, tmp_path)
    assert isinstance(first, PositionTable) and isinstance(again, PositionTable)
    assert {**again.summary(), "seconds": 0} == {**first.summary(), "seconds": 0}
    assert again.probe(game.start()) == first.probe(game.start())
    assert isinstance(solve(game, tables=tmp_path), PositionTable) and content_of(folder) == bytes_before
    assert again.classes() == first.classes()
    report = verify(folder, game=game)
    assert report == {"ok": True, "checked": len(again.tables()["values"]), "errors": []}
    assert verify(first) == report
    assert verify(first, sample=10, seed=1) == {"ok": True, "checked": 10, "errors": []}


def test_tic_tac_toe() -> None:
    summary = solve("tictactoe").summary()
    assert (summary["states"], summary["win"] + summary["loss"] + summary["draw"]) == (5478, 5478)
    assert summary["start"] == {"value": "draw", "distance": None} and "table" in summary["method"]
    rows = solve("tictactoe").classes()
    assert [(row["moves"], row["mover"], row["other"]) for row in rows] == [(n, n // 2, n - n // 2) for n in range(10)]
    assert sum(row["win"] + row["loss"] + row["draw"] for row in rows) == 5478
    dots = solve("dots:2x2").summary()
    assert dots["start"] == {"margin": 2} and sum(dots["histogram"]["margin"].values()) == dots["states"] == 2**12


def test_a_damaged_table_is_solved_again(tmp_path: Path) -> None:
    solve("tictactoe", tables=tmp_path)
    folder = tmp_path / "mnk-3-3-3"
    before = content_of(folder)
    file = folder / "values.table"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert not verify(folder)["ok"]
    with pytest.raises(LudometerError, match="damaged"):
        open_solution("tictactoe", tmp_path)
    solve("tictactoe", tables=tmp_path)
    assert content_of(folder) == before


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(MissingTable):
        open_solution("tictactoe", tmp_path)
    game = lm.game("tictactoe")
    store_arrays(tmp_path / "other", game, "other 1", {"some": np.zeros(3)}, {})
    with pytest.raises(ForeignTable, match="layout 'other 1'"):
        open_acyclic(game, tmp_path / "other")
    solve("tictactoe", tables=tmp_path, keep="none")
    assert not (tmp_path / "mnk-3-3-3").exists()
    with pytest.raises(LudometerError, match="none, values, distances"):
        solve_acyclic(game, SolveOptions(keep="some"))
    with pytest.raises(LudometerError, match="on the cpu"):
        solve("tictactoe", device="cuda")


# ---- verification finds what is wrong ----


def changed(table: PositionTable, **arrays: np.ndarray) -> PositionTable:
    found = PositionTable(table.game, {**table.tables(), **arrays})
    assert isinstance(found, PositionTable)
    return found


def test_every_wrong_value_is_found() -> None:
    for spec, step in (("tictactoe", 11), ("dots:1x2", 5)):
        table = solve(spec)
        assert isinstance(table, PositionTable)
        right = table.tables()["values"]
        for entry in range(0, len(right), step):
            for value in {0, 1, -1, 3, -3} - {int(right[entry])}:
                values = right.copy()
                values[entry] = value
                report = verify(changed(table, values=values))
                assert any(f"entry {entry}" in error for error in report["errors"]), (spec, entry, value)


def test_other_mistakes_are_found() -> None:
    table = solve("tictactoe")
    assert isinstance(table, PositionTable)
    arrays = table.tables()
    for name in ("moves", "counts"):
        wrong = arrays[name].copy()
        wrong[100] += 1
        assert any(error.startswith("entry 100: stored") for error in verify(changed(table, **{name: wrong}))["errors"])
    fewer = {name: np.delete(array, 100, axis=0) for name, array in arrays.items()}
    assert "a position that can be reached is not in the table" in verify(changed(table, **fewer))["errors"]
    last = arrays["keys"].max(axis=0, keepdims=True) + np.uint64(1)
    extra = {name: np.concatenate([array, last if name == "keys" else array[:1]]) for name, array in arrays.items()}
    assert "1 entries are of positions that cannot be reached from the start" in verify(changed(table, **extra))["errors"]
    swapped = arrays["keys"].copy()
    swapped[[5, 6]] = swapped[[6, 5]]
    assert verify(changed(table, keys=swapped))["errors"] == ["the positions are not in ascending order"]
    twice = arrays["keys"].copy()
    twice[6] = twice[5]
    assert verify(changed(table, keys=twice))["errors"] == ["the positions are not in ascending order"]
    nothing = changed(table, values=np.zeros_like(arrays["values"]))
    assert not verify(nothing, sample=2000)["ok"] and len(verify(nothing)["errors"]) == 20


def test_a_manifest_that_says_otherwise_is_found(tmp_path: Path) -> None:
    solve("tictactoe", tables=tmp_path)
    folder = tmp_path / "mnk-3-3-3"
    opened = open_folder(folder)
    assert opened.origin.layout == LAYOUT
    write_manifest(folder, opened.tables, opened.origin, {**opened.meta, "win": 1, "draw": 2})
    assert verify(folder)["errors"] == ["the manifest's draw, win are not those of the entries"]


# ---- larger games are searched ----


@pytest.fixture
def no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no table fitted into memory."""

    def refuse(game: object, progress: object, stop: object) -> None:
        raise TableTooLarge("too large")

    monkeypatch.setattr(driver, "make_table", refuse)


@pytest.mark.parametrize("spec", ["tictactoe", "dots:2x2"])
def test_the_start_is_proven_and_kept(spec: str, no_tables: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = lm.game(spec)
    expected = {move: value for move, value in PositionTable(game, strong_arrays(spec)).probe(game.start()).moves}
    solved = solve(game, tables=tmp_path)
    assert isinstance(solved, ProvenSolution)
    summary = solved.summary()
    assert (
        summary["states"] is None and summary["method"].startswith("proven by search") and summary["histogram"] == {"win": {}, "loss": {}}
    )
    opened = open_folder(folder_for(game, tmp_path))
    assert opened.origin.layout == PROVEN_LAYOUT and NOT_PROVEN not in opened.tables["moves"].array()
    again = open_solution(game, tmp_path)
    assert isinstance(again, ProvenSolution)

    def search_is_forbidden(*arguments: object) -> None:
        raise AssertionError("the values of the start are known")

    with monkeypatch.context() as patch:
        patch.setattr(again._prover, "prove", search_is_forbidden)
        probe = again.probe(game.start())
        assert again.summary()["start"] == summary["start"] and again.summary()["method"].startswith("proven before")
    known = [(value.outcome, value.margin) for _, value in probe.moves]
    assert known == [(value.outcome, value.margin) for value in expected.values()]
    later = game.start().play(game.start().legal[0]).play(game.start().legal[1])
    assert again.value(later) == prove(later).value
    assert verify(folder_for(game, tmp_path)) == {"ok": True, "checked": 1 + len(probe.moves), "errors": []}
    with pytest.raises(LudometerError, match="nothing to count"):
        again.classes()


def strong_arrays(spec: str) -> dict[str, np.ndarray]:
    from ludometer.solvers.acyclic.table import make_table

    return make_table(lm.game(spec)).tables()


def test_a_wrong_proof_is_found(no_tables: None) -> None:
    game = lm.game("tictactoe")
    moves = np.zeros(9, np.int16)
    moves[4], moves[8] = 1, NOT_PROVEN
    report = verify(ProvenSolution(game, 1, moves))
    assert report["checked"] == 9
    assert report["errors"] == ["the start: stored 1, but a new proof says 0", "move B2: stored 1, but a new proof says 0"]


def test_moves_are_left_out_when_they_cost_too_much(no_tables: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "_MORE_NODES", 0)
    monkeypatch.setattr(solution, "_FREE_NODES", 0)
    solved = solve("tictactoe", tables=tmp_path)
    assert isinstance(solved, ProvenSolution) and (solved.move_values == NOT_PROVEN).all()
    again = open_solution("tictactoe", tmp_path)
    assert again.value(lm.game("tictactoe").start()) == Value(DRAW)
    assert {value.outcome for _, value in again.probe(lm.game("tictactoe").start()).moves} == {DRAW}  # searched now


def test_forecasts_and_what_is_solved_on_the_spot(tmp_path: Path) -> None:
    assert lm.forecast("dots:3x3").states == 2**24 and lm.forecast("dots:3x3").disk == 0
    table = lm.forecast("mnk:4,4,4", tables=tmp_path)
    assert table.states is None and 1e6 < table.entries < 2e6 and table.disk > 1e7 and table.seconds is not None
    assert lm.forecast("mnk:5,5,4").seconds is None
    with pytest.raises(LudometerError, match="run `ludometer solve mnk:5,5,4` first"):
        solution_for(lm.game("mnk:5,5,4"), tmp_path)
    game = lm.game("tictactoe")
    position = game.position("XX./OO./... x")
    assert solution_for(game, tmp_path).value(position).outcome == WIN
    assert solution_for(game, tmp_path).value(position.play("C3")).outcome == WIN
    assert solution_for(game, tmp_path).value(position.play("C1")).outcome == LOSS


def test_the_order_of_keys_is_strict_in_every_word() -> None:
    wrong = ["the positions are not in ascending order"]
    for rows, found in (
        ([[1, 5], [1, 6], [2, 0]], []),
        ([[1, 5], [1, 5]], wrong),  # twice the same
        ([[1, 6], [1, 5]], wrong),  # disorder in the second word
        ([[2, 0], [1, 9]], wrong),
        ([[1, 9], [2, 0]], []),
        ([[1, 5]], []),
    ):
        assert check._check_order(np.array(rows, np.uint64)) == found, rows
