"""Verification finds what is wrong, and nothing else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.solvers.check_findings import Findings
from ludometer.solvers.files.table_files import Origin, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import MANIFEST, open_folder, store_arrays, write_manifest
from ludometer.solvers.options import KEEP
from ludometer.solvers.tiles import check
from ludometer.solvers.tiles.codes import LOSS_BASE
from ludometer.solvers.tiles.estimate import estimate
from ludometer.solvers.tiles.solution import ENCODINGS, LAYOUT, TileSolution
from ludometer.solvers.verification import verify, verify_solved
from tests.solvers.solving_tiles import solve_tiles


@pytest.mark.parametrize("spec", ["quixo:2", "quixo:3"])
@pytest.mark.parametrize("keep", KEEP)
def test_right_tables_pass(spec: str, keep: str, tmp_path: Path) -> None:
    game = lm.game(spec)
    checked = 0 if keep == "none" else estimate(game).entries
    solve_tiles(game, folder=tmp_path, keep=keep)
    assert verify(tmp_path) == {"ok": True, "checked": checked, "errors": []}
    assert verify(solve_tiles(game, keep=keep), workers=1) == {"ok": True, "checked": checked, "errors": []}


@pytest.mark.exhaustive
def test_a_sample_of_the_four_by_four_board() -> None:
    seen: list[tuple[int, int, str]] = []
    report = verify(solve_tiles(lm.game("quixo:4")), sample=100_000, seed=7, progress=lambda *step: seen.append(step))
    assert report == {"ok": True, "checked": 100_000, "errors": []}
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[-1][:2] == (100_000, 100_000)


@pytest.mark.exhaustive
def test_the_whole_four_by_four_board(tmp_path: Path) -> None:
    solve_tiles(lm.game("quixo:4"), folder=tmp_path)
    assert verify(tmp_path) == {"ok": True, "checked": 5_604_135, "errors": []}


def test_a_sample_larger_than_the_tables_is_all_of_them() -> None:
    assert verify(solve_tiles(lm.game("quixo:2")), sample=1000)["checked"] == estimate(lm.game("quixo:2")).entries


def rewritten(folder: Path, name: str, array: np.ndarray, **changes: object) -> None:
    """Put another array into a finished folder, with checksums that agree."""
    opened = open_folder(folder)
    table = opened.tables[name]
    write_table(folder, name, array, opened.origin, table.encoding, {**table.meta, **changes})
    write_manifest(folder, {**opened.tables, name: TableFile(folder / f"{name}.table")}, opened.origin, opened.meta)


def test_every_wrong_entry_is_found(tmp_path: Path) -> None:
    """One entry after the other is made wrong in each possible way, under good checksums."""
    game = lm.game("quixo:2")
    solution = solve_tiles(game)
    for place in solution.tables:
        right = solution.tables[place]
        for entry in range(len(right)):
            for code in {0, 1, 2, 3, 128, 129, 130, 255} - {int(right[entry])}:
                wrong = right.copy()
                wrong[entry] = code
                changed = TileSolution(
                    game, "distances", solution.counts, {**solution.tables, place: wrong}, solution.rows, solution.start_code
                )
                report = verify(changed, workers=1)
                assert not report["ok"]
                assert any(f"class {place}, entry {entry}, " in error for error in report["errors"]), (place, entry, code)


def test_a_wrong_entry_in_a_file_is_described(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path)
    wrong = open_folder(tmp_path).tables["00-00"].array().copy()
    assert wrong.tolist() == [5]  # win in 7
    wrong[0] = 4
    rewritten(tmp_path, "00-00", wrong)
    report = verify(tmp_path)
    assert not report["ok"] and report["checked"] == estimate(game).entries
    expected = "class (0, 0), entry 0, '.../.../... x': stored win in 5, but the rules and its successors say win in 7"
    assert report["errors"][0] == expected


def test_wrong_values_are_found(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path, keep="values")
    wrong = open_folder(tmp_path).tables["03-02"].array().copy()
    wrong[5] ^= 0b11
    rewritten(tmp_path, "03-02", wrong)
    report = verify(tmp_path)
    assert any(error.startswith("class (3, 2), entry 20, ") for error in report["errors"])


def test_many_errors_are_counted(tmp_path: Path) -> None:
    solve_tiles(lm.game("quixo:3"), folder=tmp_path)
    rewritten(tmp_path, "03-03", np.zeros_like(open_folder(tmp_path).tables["03-03"].array()))
    report = verify(tmp_path)
    assert len(report["errors"]) == 20 and report["errors"][-1].startswith("… and ")


def test_wrong_totals_are_found(tmp_path: Path) -> None:
    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path / "class")
    table = open_folder(tmp_path / "class").tables["01-01"]
    rewritten(tmp_path / "class", "01-01", table.array(), counts={"1": 12})
    errors = verify(tmp_path / "class")["errors"]
    assert "class (1, 1): the numbers of wins, losses and draws are not those of its entries" in errors
    solve_tiles(game, folder=tmp_path / "all", keep="none")
    opened = open_folder(tmp_path / "all")
    write_manifest(tmp_path / "all", opened.tables, opened.origin, {**opened.meta, "win": 51, "loss": 30})
    assert verify(tmp_path / "all")["errors"] == ["the totals in the manifest are not the sums over the classes"]


def test_missing_and_additional_tables_are_found(tmp_path: Path) -> None:
    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path)
    opened = open_folder(tmp_path)
    origin = Origin.of(game, LAYOUT)
    meta = {"mover": 5, "other": 0, "entries": 1, "counts": {"0": 1}}
    write_table(tmp_path, "05-00", np.zeros(1, np.uint8), origin, ENCODINGS["distances"], meta)
    assert verify(tmp_path)["errors"] == ["05-00.table is not in the manifest"]
    tables = {**opened.tables, "05-00": TableFile(tmp_path / "05-00.table")}
    del tables["02-01"]
    (tmp_path / "02-01.table").unlink()
    write_manifest(tmp_path, tables, opened.origin, opened.meta)
    errors = verify(tmp_path)["errors"]
    assert errors == ["there is no table of class (2, 1)", "there is a table of class (5, 0), which does not exist"]


def test_changed_bytes_are_found(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path)
    files = [file for file in sorted(tmp_path.iterdir()) if file.stat().st_size]
    generator = np.random.default_rng(3)
    for _ in range(60):
        file = files[generator.integers(len(files))]
        whole = file.read_bytes()
        changed = bytearray(whole)
        changed[generator.integers(len(whole))] ^= int(generator.integers(1, 256))
        file.write_bytes(changed)
        report = verify(tmp_path)
        assert not report["ok"] and report["errors"], file.name
        file.write_bytes(whole)
    assert verify(tmp_path)["ok"]


def test_folders_that_cannot_be_verified(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="there is no folder"):
        verify(tmp_path / "nowhere")
    assert "no finished table" in verify(tmp_path)["errors"][0]
    with pytest.raises(LudometerError, match="1 entry or more"):
        verify(tmp_path, sample=0)
    store_arrays(tmp_path / "other", lm.game("mnk:3,3,3"), "unknown 1", {"some": np.zeros(3)}, {})
    assert verify(tmp_path / "other")["errors"] == ["no solver is known whose tables have layout 'unknown 1'"]
    solve_tiles(lm.game("quixo:2"), folder=tmp_path / "two")
    assert verify(tmp_path / "two", game=lm.game("quixo:3"))["errors"][0].startswith(f"'{tmp_path}/two/{MANIFEST}' is of 'quixo:2'")


def test_tasks_and_errors_are_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many entries and errors there are: two million tasks, or a line for each wrong entry, would not fit into memory."""
    outstanding, most, described = 0, 0, 0

    class Counting(ThreadPoolExecutor):
        def submit(self, function, /, *arguments, **options):
            nonlocal outstanding, most
            outstanding += 1
            most = max(most, outstanding)
            future = super().submit(function, *arguments, **options)
            result = future.result

            def taken(*rest):
                nonlocal outstanding, described
                outstanding -= 1
                described = max(described, len(result(*rest).described))
                return result(*rest)

            future.result = taken
            return future

    right = solve_tiles(lm.game("quixo:3"))
    nothing = {place: np.zeros_like(table) for place, table in right.tables.items()}
    wrong = TileSolution(right.game, "distances", right.counts, nothing, right.rows, right.start_code)
    monkeypatch.setattr(check, "ThreadPoolExecutor", Counting)
    monkeypatch.setattr(check, "_ENTRIES_PER_TASK", 100)
    report = verify(wrong, workers=2)
    assert report["checked"] == right.entries == 3732 and len(report["errors"]) == 20
    assert int(report["errors"][-1].split()[2]) > 1000
    assert 3732 / 100 > most >= 2 and most <= 2 * 4 and described <= 20


def test_a_position_without_moves_is_a_draw() -> None:
    """Nothing follows, no win of the opponent either: not a loss.  Games may not have such positions, so no solver is asked."""
    toy = Path(__file__).parent / "tiles" / "two_cells.py"
    right = solve_tiles(lm.game(f"{toy}:right"))
    stuck = TileSolution(lm.game(f"{toy}:stuck"), "distances", right.counts, right.tables, right.rows, right.start_code)
    assert verify(stuck) == {"ok": True, "checked": right.entries, "errors": []}
    assert right.tables[0, 2].tolist() == [0]
    right.tables[0, 2][0] = LOSS_BASE
    assert any("class (0, 2)" in error and "say draw" in error for error in verify(stuck)["errors"])


def test_findings() -> None:
    few = Findings(["a", "b"])
    assert few and few.report(7) == {"ok": False, "checked": 7, "errors": ["a", "b"]}
    many = Findings()
    assert not many and many.report(3) == {"ok": True, "checked": 3, "errors": []}
    many.add(*(str(number) for number in range(25)))
    many.add_further(10**12)
    report = many.report(0)
    assert report["errors"][:19] == [str(number) for number in range(19)] and report["errors"][19:] == [f"… and {10**12 + 6} more"]
    assert len(many.lines) == 20
    exact = Findings(str(number) for number in range(20))
    assert exact.report(0)["errors"][-1] == "19"


def test_the_value_of_the_start_is_compared(tmp_path: Path) -> None:
    for keep in ("distances", "values"):
        solve_tiles(lm.game("quixo:2"), folder=tmp_path / keep, keep=keep)
        opened = open_folder(tmp_path / keep)
        write_manifest(tmp_path / keep, opened.tables, opened.origin, {**opened.meta, "start": 0})
        assert verify(tmp_path / keep)["errors"] == ["the value of the starting position in the manifest is not that of its entry"]


def test_what_was_checked_in_part_is_checked_again() -> None:
    """A device may have compared every entry while it solved; tables that an earlier run left were not among them."""
    right = solve_tiles(lm.game("quixo:2"))
    nothing = {place: np.zeros_like(table) for place, table in right.tables.items()}
    wrong = TileSolution(right.game, "distances", right.counts, nothing, right.rows, right.start_code)
    for checked in (0, 1, wrong.entries - 1):
        wrong.checked = checked
        report = verify_solved(wrong, workers=1)
        assert not report["ok"] and report["checked"] == right.entries
    wrong.checked = wrong.entries
    assert verify_solved(wrong) == {"ok": True, "checked": right.entries, "errors": []}
