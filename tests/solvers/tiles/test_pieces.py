"""A pair that many threads share, within a limit of memory, in pieces that outlive a kill: always the same bytes."""

from __future__ import annotations

import dataclasses
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop
from ludometer.solvers.files.table_files import Origin
from ludometer.solvers.options import SolveOptions
from ludometer.solvers.tiles import folder as folders
from ludometer.solvers.tiles import team
from ludometer.solvers.tiles.codes import LOSS_IN_1, NO_CODE
from ludometer.solvers.tiles.estimate import estimate
from ludometer.solvers.tiles.folder import FolderJob, PieceTask, solve_in_folder
from ludometer.solvers.tiles.lookup import tile_tables
from ludometer.solvers.tiles.pair_solvers import CpuPairSolver
from ludometer.solvers.tiles.pair_work import PairWork
from ludometer.solvers.tiles.pairs import Pair
from ludometer.solvers.tiles.pieces import Piece, Pieces
from ludometer.solvers.tiles.solution import LAYOUT
from ludometer.solvers.tiles.team import Team
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles


def job(spec: str, folder: Path, **options: Any) -> FolderJob:
    of_job = {name: options.pop(name) for name in ("piece_entries", "interval") if name in options}
    threads = {} if "executor" in options else {"workers": 1}
    return FolderJob(lm.game(spec), SolveOptions(folder=folder, **threads, **options), **of_job)


def pieces_in(folder: Path, spec: str, **options: Any) -> Pieces:
    return Pieces(folder, Origin.of(lm.game(spec), LAYOUT), Stop(), **options)


class Killed(Exception):
    """In place of a kill."""


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, int, int, int]]:
    """Which rows are filled from now on: (pair, side, begin, end)."""
    seen: list[tuple[Any, int, int, int]] = []
    fill_rows = PairWork.fill_rows

    def noted(self: PairWork, side: int, further: np.ndarray, begin: int, end: int) -> None:
        seen.append((self._pair, side, begin, end))
        fill_rows(self, side, further, begin, end)

    monkeypatch.setattr(PairWork, "fill_rows", noted)
    return seen


# ---- threads ----


def test_every_row_is_given_out_once() -> None:
    for threads in (1, 2, 5):
        with Team(threads) as several:
            for rows, width in ((1, 1), (7, 100_000), (1000, 300), (100_000, 3)):
                parts = sorted(several.over(3, 3 + rows, width, lambda begin, end: (begin, end)))
                assert parts[0][0] == 3 and parts[-1][1] == 3 + rows
                assert all(before[1] == after[0] for before, after in zip(parts, parts[1:]))
            assert several.over(0, 10, 1 << 20, lambda begin, end: begin, busy=0) == []


def test_an_error_of_another_thread_is_not_lost() -> None:
    def fail(begin: int, end: int) -> None:
        raise ZeroDivisionError

    with Team(3) as several, pytest.raises(ZeroDivisionError):
        several.over(0, 1000, 10_000, fail)


@pytest.mark.parametrize("workers", [2, 3, 7])
def test_any_number_of_threads_makes_the_same_tables(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "_WORTH_A_THREAD", 1)  # share even the smallest rows
    monkeypatch.setattr(team, "_AT_A_TIME", 16)
    alone, together = (solve_tiles(lm.game("quixo:3"), workers=number) for number in (1, workers))
    for place in alone.counts:
        assert np.array_equal(alone.counts[place], together.counts[place])
        assert np.array_equal(alone.tables[place], together.tables[place])


def test_on_the_diagonal_both_tables_stay_each_others_mirror() -> None:
    game = lm.game("quixo:3")
    tables = tile_tables(game)
    solver = CpuPairSolver(game, tables, workers=1)
    for pair in (Pair(total - fewer, fewer) for total in range(9, 4, -1) for fewer in range(total // 2 + 1)):
        solver.solve_pair(pair, Stop())
    with Team(1) as one:
        work = PairWork(game.rules, tables, Pair(2, 2), one, Stop())
        work.fill(0, solver.fetch(Pair(3, 2), 1), None)
        work.decide(work.begin(), None)
        second = work._sides[1].codes.copy()
        work._mirror()
        assert np.array_equal(second, work._sides[1].codes) and len(set(second.tolist())) > 5


@pytest.mark.exhaustive
def test_a_win_in_2_that_a_win_in_1_makes_unnecessary() -> None:
    """With 18 and 6 tiles on the 5×5 board some positions have a loss in 1 ahead, and all of them something better."""
    game = lm.game("quixo:5")
    tables = tile_tables(game)
    solver = CpuPairSolver(game, tables, workers=2)
    met = 0
    for pair in (Pair(total - fewer, fewer) for total in (25, 24) for fewer in range(total - 17)):
        counts = solver.solve_pair(pair, Stop())
        assert counts.sum() == comb(25, pair.more) * comb(25 - pair.more, pair.fewer) * len(pair.sides)
        met += counts[:, LOSS_IN_1].sum()
        assert not counts[:, NO_CODE].any()
    assert met > 0, "otherwise nothing is shown"


# ---- memory ----


@pytest.mark.exhaustive
def test_memory_is_what_was_said(tmp_path: Path) -> None:
    """Counted by the allocator: with the least memory, and with enough to read no table twice."""
    game = lm.game("quixo:4")
    solve_tiles(game, workers=1, keep="none")
    expected = estimate(game, 1)
    whole = None
    for limit in (expected.least_memory, (expected.least_memory + expected.all_memory) // 2, expected.all_memory):
        tracemalloc.start()
        solve_tiles(game, workers=1, memory=limit, folder=tmp_path / str(limit))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert 0.3 * limit < peak <= limit, (limit, peak)
        content = content_of(tmp_path / str(limit))
        assert whole is None or content == whole
        whole = content


@pytest.mark.parametrize("folder", [True, False])
def test_too_little_memory_is_refused_with_the_least(folder: bool, tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    expected = estimate(game, 1)
    least = expected.least_memory if folder else expected.memory["values"]
    where = {"folder": tmp_path} if folder else {}
    solve_tiles(game, workers=1, memory=least, keep="values", **where)
    with pytest.raises(LudometerError, match=r"cannot be solved .*in .* of memory; the least is memory [0-9.]+MB"):
        solve_tiles(game, workers=1, memory=least - 1, keep="values", **where)


def test_the_standard_game_fits_a_usual_machine() -> None:
    """Both tables of 9 and 8 tiles, and for each row of the most rows what is noted of it."""
    expected = estimate(lm.game("quixo:5"), 16)
    assert 2 * 3_289_000_000 < expected.least_memory < 7.5e9
    assert expected.least_memory < expected.all_memory < 64e9


# ---- pieces ----


def test_rows_are_cut_and_found_again(tmp_path: Path) -> None:
    pair = Pair(5, 2)  # 16 columns if there were 16 … any number will do
    pieces = pieces_in(tmp_path, "quixo:3", entries=50)
    assert pieces.of(pair, 0, 10, 20) == [Piece(0, 3), Piece(3, 6), Piece(6, 9), Piece(9, 10)]
    pieces.save(pair, 0, 3, 6, np.arange(60, dtype=np.uint8))
    pieces.save(pair, 0, 4, 5, np.zeros(20, np.uint8))  # within another one
    pieces.save(pair, 1, 0, 9, np.zeros(180, np.uint8))  # of the other side
    pieces.save(Pair(5, 3), 0, 0, 9, np.zeros(180, np.uint8))  # of another pair
    found = pieces.of(pair, 0, 10, 20)
    assert [(piece.begin, piece.end) for piece in found] == [(0, 3), (3, 6), (6, 9), (9, 10)]
    assert [piece.file is not None for piece in found] == [False, True, False, False]
    assert found[1].file is not None and found[1].file.array().tolist() == list(range(60))
    pieces.clear(pair)
    assert all(piece.file is None for piece in pieces.of(pair, 0, 10, 20)) and len(list(tmp_path.glob("05-03.*"))) == 1


def test_damaged_and_foreign_pieces_are_not_taken(tmp_path: Path) -> None:
    pair = Pair(5, 2)
    pieces = pieces_in(tmp_path, "quixo:3", entries=50)
    pieces.save(pair, 0, 0, 3, np.zeros(60, np.uint8))
    pieces.save(pair, 0, 3, 6, np.zeros(59, np.uint8))  # too short
    pieces_in(tmp_path, "quixo:4").save(pair, 0, 6, 9, np.zeros(60, np.uint8))
    assert [piece.file is not None for piece in pieces.of(pair, 0, 10, 20)] == [True, False, False, False]
    file = next(tmp_path.glob("05-02.0.0000000*"))
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    assert all(piece.file is None for piece in pieces.of(pair, 0, 10, 20))


def test_writing_waits_until_it_is_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.solvers.tiles import pieces as module

    now = 100.0
    monkeypatch.setattr(module.time, "monotonic", lambda: now)
    pieces = pieces_in(tmp_path, "quixo:3", interval=60)
    pieces.begin()
    assert not pieces.is_due()
    now = 159.0
    assert not pieces.is_due()
    now = 160.0
    assert pieces.is_due()
    pieces.save(Pair(5, 2), 0, 0, 1, np.zeros(6, np.uint8))
    assert not pieces.is_due()


@pytest.mark.exhaustive
@pytest.mark.parametrize("keep", ["distances", "values"])
@pytest.mark.parametrize("when", [1, 4, 9])
def test_no_finished_piece_is_computed_again(when: int, keep: str, tmp_path: Path, filled: list, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended while rows of a large pair are filled: what was written by then is read, and only the rest is filled."""
    small = {"piece_entries": 20_000, "interval": 0.0, "keep": keep}
    solve_in_folder(job("quixo:4", tmp_path / "whole", keep=keep))
    assert not list((tmp_path / "whole").glob("work/*")), "nothing is left of a run that was not long"
    pair = Pair(8, 5)
    all_of_it = [item for item in filled if item[0] == pair]
    assert [item[1:] for item in all_of_it] == [(0, 0, 1674), (1, 0, 1674)]
    filled.clear()
    save = Pieces.save
    saved: list[tuple[int, int, int]] = []

    def kill(self: Pieces, of: Pair, side: int, begin: int, end: int, codes: np.ndarray) -> None:
        save(self, of, side, begin, end, codes)
        if of == pair:
            saved.append((side, begin, end))
            if len(saved) == when:
                raise Killed

    monkeypatch.setattr(Pieces, "save", kill)
    with pytest.raises(Killed):
        solve_in_folder(job("quixo:4", tmp_path / "ended", **small))
    before = {(side, row) for one, side, begin, end in filled if one == pair for row in range(begin, end)}
    assert before == {(side, row) for side, begin, end in saved for row in range(begin, end)} and len(saved) == when
    filled.clear()
    monkeypatch.setattr(Pieces, "save", save)
    solve_in_folder(job("quixo:4", tmp_path / "ended", **small))
    after = [(side, row) for one, side, begin, end in filled if one == pair for row in range(begin, end)]
    assert not before.intersection(after) and len(before) + len(after) == 2 * 1674
    assert content_of(tmp_path / "ended") == content_of(tmp_path / "whole")


@pytest.mark.parametrize("pair", [Pair(3, 3), Pair(4, 3)])
@pytest.mark.parametrize("when", [1, 3])
def test_distances_that_are_done_are_not_gone_through_again(
    pair: Pair, when: int, tmp_path: Path, filled: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended between two distances, on the diagonal and beside it."""
    solve_in_folder(job("quixo:3", tmp_path / "whole"))
    save_round, decide = Pieces.save_round, PairWork.decide
    seen: list[int] = []
    began: list[tuple[Pair, int]] = []

    def kill(self: Pieces, of: Pair, win: int, tables: Any) -> None:
        save_round(self, of, win, tables)
        if of == pair:
            seen.append(win)
            if len(seen) == when:
                raise Killed

    def noted(self: PairWork, win: int, pieces: Pieces | None) -> None:
        began.append((self._pair, win))
        decide(self, win, pieces)

    with monkeypatch.context() as during, pytest.raises(Killed):
        during.setattr(Pieces, "save_round", kill)
        solve_in_folder(job("quixo:3", tmp_path / "ended", interval=0.0))
    assert len(list((tmp_path / "ended" / "work").glob(f"{pair.more:02}-{pair.fewer:02}.*"))) == len(pair.sides), "older ones are removed"
    filled.clear()
    monkeypatch.setattr(PairWork, "decide", noted)
    solve_in_folder(job("quixo:3", tmp_path / "ended", interval=0.0))
    assert began[0] == (pair, seen[-1]) and pair not in [item[0] for item in filled]
    assert content_of(tmp_path / "ended") == content_of(tmp_path / "whole")


def test_half_of_a_round_is_not_taken(tmp_path: Path) -> None:
    pieces = pieces_in(tmp_path, "quixo:3")
    pair = Pair(5, 2)
    pieces.save_round(pair, 3, [np.full(8, side, np.uint8) for side in range(2)])
    found = pieces.last_round(pair)
    assert found is not None and found[0] == 3 and [array.tolist() for array in found[1]] == [[0] * 8, [1] * 8]
    pieces._write("05-02.round004.0", np.zeros(8, np.uint8), {"win": 4, "tables": 2})  # killed before the second one
    found = pieces.last_round(pair)
    assert found is not None and found[0] == 3
    next(tmp_path.glob("05-02.round003.1*")).unlink()
    assert pieces.last_round(pair) is None


@pytest.mark.exhaustive
def test_pieces_of_a_pair_are_tasks_for_other_workers(tmp_path: Path, filled: list, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor gets the pieces of large pairs, and the pair itself finds all of its rows filled."""
    sent: list[Any] = []

    class Noting(ThreadPoolExecutor):
        def submit(self, work: Any, *arguments: Any) -> Any:  # type: ignore[override]
            sent.append(arguments[1])
            return super().submit(work, *arguments)

    solve_in_folder(job("quixo:4", tmp_path / "whole", keep="values"))
    filled.clear()
    with Noting(2) as executor:
        solve_in_folder(job("quixo:4", tmp_path / "sent", keep="values", executor=executor, piece_entries=100_000, interval=0.0))
    assert content_of(tmp_path / "sent") == content_of(tmp_path / "whole")
    pieces = [task for task in sent if isinstance(task, PieceTask)]
    large = {task.pair for task in pieces}
    assert len(pieces) > 2 * len(large) > 20
    rows = [(pair, side, row) for pair, side, begin, end in filled if pair in large for row in range(begin, end)]
    assert len(rows) == len(set(rows)), "no row is filled twice"
    for task in pieces:
        assert sent.index(task) < sent.index(task.pair)


def test_a_task_done_twice_does_no_harm(tmp_path: Path, filled: list) -> None:
    game = lm.game("quixo:3")
    order = folders.Order(game.spec, "cpu", str(tmp_path), "distances", False, 10, 0.0)
    for pair in (pair for pair in folders.sizes_of_game(game) if pair.more + pair.fewer > 7):
        folders.solve_pair_in_folder(order, pair)
    task = PieceTask(Pair(4, 3), 1, 2, 5)
    for _ in range(2):
        folders.fill_piece_in_folder(order, task)
    assert [item for item in filled if item[0] == task.pair] == [(task.pair, 1, 2, 5)]
    folders.fill_piece_in_folder(order, dataclasses.replace(task, end=6))
    assert filled[-1] == (task.pair, 1, 2, 6)
