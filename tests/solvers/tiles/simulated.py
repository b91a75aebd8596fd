"""What the tests of the GPU solver run in Numba's CUDA simulator, which must be chosen before Numba is loaded: a program of its own.

    NUMBA_ENABLE_CUDASIM=1 python -m tests.solvers.tiles.simulated PART FOLDER

PART is a function below.  Each either ends well or with a traceback.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ludometer.cli import main
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from ludometer.solvers.files.table_files import TableFile, write_table
from ludometer.solvers.files.table_folders import MANIFEST, open_folder, write_manifest
from ludometer.solvers.solvable import folder_for
from ludometer.solvers.tiles.codes import LOSS_BASE, LOSS_IN_1, NO_CODE, SAFE, UNDECIDED
from ludometer.solvers.tiles.cuda import fill_kernels
from ludometer.solvers.tiles.cuda.deciding import PairOnCard
from ludometer.solvers.tiles.cuda.launching import Launcher
from ludometer.solvers.tiles.cuda.memory import ITEM, card_memory
from ludometer.solvers.tiles.cuda.solver import SIMULATED, CudaPairSolver
from ludometer.solvers.tiles.folder import solve_pair_in_folder
from ludometer.solvers.tiles.lookup import TileTables, pair_entries
from ludometer.solvers.tiles.pair_solvers import CpuPairSolver, WrongEntries
from ludometer.solvers.tiles.pair_work import PairWork
from ludometer.solvers.tiles.pairs import X_TO_MOVE, Pair, all_pairs
from ludometer.solvers.tiles.solution import TileSolution
from ludometer.solvers.tiles.team import Team
from ludometer.solvers.verification import verify, verify_solved
from tests.solvers.solving_tiles import solve_tiles

HERE = Path(__file__).parent


def same_bytes(folder: Path) -> None:
    """Every pair of the smallest board, solved and checked; a wrong entry is noticed."""
    chosen = game("quixo:2")
    solver = CudaPairSolver(chosen)
    on_the_processor = CpuPairSolver(chosen, solver.tables)
    for pair in all_pairs(4):
        counts = solver.solve_pair(pair, Stop())
        np.testing.assert_array_equal(counts, on_the_processor.solve_pair(pair, Stop()))
        wrong, counted = solver.check(pair)
        assert wrong == [] and (counted == counts).all(), pair
        used = [code for code in range(1, 255) if counts[:, code].any()]
        assert solver._longest[pair] == max([code if code < LOSS_BASE else code - 127 for code in used]), pair
        for side in pair.sides:
            np.testing.assert_array_equal(solver.fetch(pair, side), on_the_processor.fetch(pair, side))
            for marked in (False, True):
                values = solver.fetch_values(pair, side, marked)
                np.testing.assert_array_equal(values, on_the_processor.fetch_values(pair, side, marked))
    pair = all_pairs(4)[-1]
    codes = solver.fetch(pair, 0)
    assert solver.find(pair, 0, int(codes[0])) == 0 and solver.find(pair, 0, 77) is None
    for wrong_code in (3 if codes[0] != 3 else 4, 255):
        solver.put(pair, [np.full_like(codes, wrong_code)], counts)
        assert solver.check(pair)[0], wrong_code
    # After wins in 251 moves, the farthest there are, a loss in 252 would be right; no code says that, and 255 does not either.
    further = Pair(1, 0)
    solver.put(further, [np.full_like(solver.fetch(further, side), 127) for side in further.sides], np.zeros((2, 256), np.int64))
    for code in (254, 255):
        solver.put(pair, [np.full_like(codes, code)], counts)
        assert solver.check(pair)[0], code


def limited_memory(folder: Path) -> None:
    """The same bytes within any limit: lists that fit or not, tables that stay or wait on the host, pieces of several sizes."""
    chosen = game(f"{HERE / 'row_game.py'}:6,2")
    cells = 6
    plenty = CudaPairSolver(chosen)
    on_the_processor = CpuPairSolver(chosen, plenty.tables)
    expected = {pair: on_the_processor.solve_pair(pair, Stop()) for pair in all_pairs(cells)}
    needs = replace(card_memory(chosen), **SIMULATED)
    assert needs.least < needs.resident <= needs.full
    happened: Counter[str] = Counter()
    run = Launcher.run

    def noted(self: Launcher, name: str, *arguments: Any, **options: Any) -> None:
        happened[name] += 1
        run(self, name, *arguments, **options)

    Launcher.run = noted  # type: ignore[method-assign]
    assert plenty.resident and all(plenty.plan.list_room(pair) == entries for pair, entries in needs.entries.items())
    checking = 4 * (1 << cells) + 8 * (cells + 2) + 4 * 8 * 5 * 32 + 4 * 26 * 26 + (1 << 13)
    assert plenty._card.used == needs.fixed - checking + ITEM * plenty.plan.base_room, "all that is allocated is planned"
    seen = []
    for limit in (needs.least, needs.least + ITEM * 6):
        happened.clear()
        solver = CudaPairSolver(chosen, plenty.tables, limit)
        assert not solver.resident and solver.checkpoints
        elsewhere = solver._card.array(checking, np.uint8)  # room that is planned for checking is no help
        for pair, counts in expected.items():
            np.testing.assert_array_equal(solver.solve_pair(pair, Stop()), counts, str((limit, pair)))
        on_card = solver.card_tables.count_on_card()
        seen.append((happened["scan"], happened["check"]))
        assert 0 < on_card < len(solver.card_tables), "some tables wait on the host"
        for pair in expected:
            for side in pair.sides:
                np.testing.assert_array_equal(solver.fetch(pair, side), on_the_processor.fetch(pair, side), str((limit, pair)))
        del elsewhere
        pair = Pair(2, 1)
        wrong, counted = solver.check(pair)
        assert not wrong and (counted == expected[pair]).all()
        np.testing.assert_array_equal(solver.fetch_values(pair, 1), on_the_processor.fetch_values(pair, 1))
        assert limit - ITEM < solver.peak_memory <= limit, "the limit is used, and kept"
    assert seen[0][0] > seen[1][0] > 0, "less memory, more pieces"
    assert seen[1][1] > 0, "lists take over"
    try:
        CudaPairSolver(chosen, plenty.tables, needs.least - 1)
    except LudometerError as error:
        assert "cannot be solved in" in str(error) and "the least is memory" in str(error), error
    else:
        raise AssertionError("too little memory")


def made_up_tables(folder: Path) -> None:
    """Step 3 by scanning, after further tables made up at random: long waits for a bound, and wins that come in the meantime."""
    chosen = game("quixo:3")
    needs = replace(card_memory(chosen), **SIMULATED)
    solver = CudaPairSolver(chosen, None, needs.least + ITEM * 10)
    on_the_processor = CpuPairSolver(chosen, solver.tables)
    chance = np.random.default_rng(1)
    scans = 0
    run = solver.launcher.run

    def noted(name: str, *arguments: Any, **options: Any) -> None:
        nonlocal scans
        scans += name == "scan"
        run(name, *arguments, **options)

    solver.launcher.run = noted  # type: ignore[method-assign]
    counts = np.zeros((2, 256), np.int64)
    counts[0, 9] = 1  # the farthest code there is
    for pair in (Pair(3, 2), Pair(3, 3)):
        for need in pair.needs(9):
            codes = [chance.choice([0, 133, *range(2, 10)], needs.entries[need], p=[0.03, 0.01, *[0.12] * 8]) for _ in need.sides]
            for each in (solver, on_the_processor):
                each.put(need, [table.astype(np.uint8) for table in codes], counts)
        scans = 0
        np.testing.assert_array_equal(solver.solve_pair(pair, Stop()), on_the_processor.solve_pair(pair, Stop()), str(pair))
        for side in pair.sides:
            found, expected = solver.fetch(pair, side), on_the_processor.fetch(pair, side)
            np.testing.assert_array_equal(found, expected, str((pair, side)))
        assert scans > 2, "no lists for a while"
        kinds = {int(code) for side in pair.sides for code in on_the_processor.fetch(pair, side)}
        assert len(kinds) > 6, "values of many kinds"
        solver.forget(pair)


def wins_at_once_instead(folder: Path) -> None:
    """A loss in exactly 1 ahead is no trouble where a move of an own tile wins at once: there is no win in 2 then."""
    chosen, pair = game("quixo:3"), Pair(5, 2)
    solver = CudaPairSolver(chosen)
    on_the_processor = CpuPairSolver(chosen, solver.tables)
    needs = pair.needs(9)
    further = [np.zeros(pair_entries(solver.tables, need), np.uint8) for need in needs]

    def put(which: Any) -> None:
        for need, codes in zip(needs, further):
            which.put(need, [codes.copy() for _ in need.sides], np.zeros((2, 256), np.int64))

    for codes in further:
        for entry in range(codes.size):
            codes[entry] = LOSS_IN_1
            put(on_the_processor)
            try:
                on_the_processor.solve_pair(pair, Stop())
            except LudometerError:
                codes[entry] = UNDECIDED
    put(on_the_processor)
    expected = on_the_processor.solve_pair(pair, Stop())
    put(solver)
    noted = []
    begin = solver.decider.begin

    def note(work: PairOnCard) -> None:
        noted.extend(int(np.count_nonzero(codes.copy_to_host() == NO_CODE)) for codes in work.codes.values())
        begin(work)

    solver.decider.begin = note  # type: ignore[method-assign]
    np.testing.assert_array_equal(solver.solve_pair(pair, Stop()), expected)
    for side in pair.sides:
        np.testing.assert_array_equal(solver.fetch(pair, side), on_the_processor.fetch(pair, side), str(side))
    assert any(noted), "filling has met losses in 1"


def limited_folder(folder: Path) -> None:
    """Drivers with a solver that has the least memory: tables come from the host or from files, and a killed run goes on."""
    from ludometer.solvers.tiles import folder as folders
    from ludometer.solvers.tiles.pair_solvers import DEVICES

    least = replace(card_memory(game("quixo:2")), **SIMULATED).least
    solved: list[Pair] = []

    class Small(CudaPairSolver):
        def __init__(self, chosen: Game, tables: TileTables | None = None, memory: int | None = None, workers: int | None = None) -> None:
            super().__init__(chosen, tables, least)

        def solve_pair(self, pair: Pair, stop: Stop, pieces: Any = None, all_kernels: bool = False) -> np.ndarray:
            if not all_kernels:
                solved.append(pair)
            return super().solve_pair(pair, stop, pieces, all_kernels)

    sys.modules["small_card"] = ModuleType("small_card")
    sys.modules["small_card"].Small = Small  # type: ignore[attr-defined]
    DEVICES["cuda"] = "small_card.Small"
    folders._room = lambda job: 0  # no pair is so small that it stays in memory
    chosen = game("quixo:2")
    expected = solve_tiles(chosen)
    found = solve_tiles(chosen, device="cuda", check=True)
    assert all(np.array_equal(found.tables[place], expected.tables[place]) for place in expected.tables)
    expected = solve_tiles(chosen, keep="values")

    def cut_off(done: int, total: int, text: str) -> None:
        if len(solved) == 4:
            raise KeyboardInterrupt

    solved.clear()
    try:
        solve_tiles(chosen, device="cuda", keep="values", folder=folder / "cut", progress=cut_off)
    except KeyboardInterrupt:
        first = set(solved)
    solved.clear()
    found = solve_tiles(chosen, device="cuda", keep="values", folder=folder / "cut")
    there = {pair for pair in first if pair not in solved}
    assert len(there) >= 3 and there | set(solved) == set(all_pairs(4)), "what was finished is not solved again"
    for place, table in expected.tables.items():
        kept = found.tables[place]
        assert np.array_equal(kept.array() if isinstance(kept, TableFile) else kept, table), place
    assert not (folder / "cut" / "work").exists()


def rows_by_hand(folder: Path) -> None:
    """Step 2 on single rows with 13 to 18 free cells (two chunks of nine) and with more (chunks of five), against the processor's.

    The tables their moves lead to are made up: what counts is that the same entries are read.
    """
    from numba.cuda.simulator import kernelapi

    def find_first_set(self: Any, value: Any) -> int:
        return (int(value) & -int(value)).bit_length()

    kernelapi.FakeCUDAModule.ffs = find_first_set  # the simulator's own counts to 32, a card's to 64
    chance = np.random.default_rng(1)
    for cells, more, fewer, bits in ((18, 5, 2, 9), (18, 3, 2, 9), (18, 0, 0, 9), (22, 3, 2, 5)):
        solver = CudaPairSolver(game(f"{HERE / 'row_game.py'}:{cells},{cells}"))
        tables, pair = solver.tables, Pair(more, fewer)
        for side in pair.sides:
            place = solver.place_of(pair, side)._replace(rows=1)
            length = int(tables.first_row[more + 2] - tables.first_row[more + 1]) * (cells - more - 1) ** 3  # more than there are
            further = chance.choice([0, 1, 2, 3, 9, 128, 130, 131, 140], length).astype(np.uint8)
            if side == X_TO_MOVE:
                further[chance.random(length) < 0.8] = 5  # wins of the opponent: positions that may be lost
            else:
                further[further == 128] = 2
            target = solver.target_of(pair, side, solver.cuda.to_device(further))
            assert (place.cut.bits, place.cut.chunks) == (bits, 2 if bits == 9 else -(-(cells - more) // 5)), "the branch that is meant"
            start = np.zeros(place.columns, np.uint8)
            codes = solver.cuda.to_device(start)
            fill_kernels.fill[1, 4, 0, place.columns](solver._board, solver._moves, place, target, codes)
            with Team(1) as one:
                on_the_processor = PairWork(solver.game.rules, tables, pair, one, Stop(), rows_of_codes=(0, 1))
                on_the_processor.fill_rows(side, further, 0, 1)
            expected = on_the_processor.codes(side)
            assert NO_CODE not in expected
            np.testing.assert_array_equal(codes.copy_to_host(), expected, str((cells, pair, side)))
            assert place.columns == 1 or {bool(code > LOSS_BASE and code < SAFE) for code in expected} == {True, False}
            assert UNDECIDED not in expected
    # a loss in exactly 1 ahead, and nothing better: a win in 2, which has no code
    codes = solver.cuda.to_device(start)
    odd = solver.cuda.to_device(np.full_like(further, LOSS_IN_1))
    fill_kernels.fill[1, 4, 0, place.columns](solver._board, solver._moves, place, target._replace(codes=odd), codes)
    assert (codes.copy_to_host() == NO_CODE).all()


def values_without_code(folder: Path) -> None:
    """Wins in 2 are refused, by a blank and by an own tile; a game with one symmetry is solved."""
    toy = HERE / "two_cells.py"
    for kind, where in (("blank", "pair 0, 0"), ("own", "pair 1, 0")):
        try:
            solve_tiles(game(f"{toy}:{kind}"), device="cuda")
        except LudometerError as error:
            assert where in str(error) and "win in exactly 2" in str(error), error
        else:
            raise AssertionError(kind)
    assert solve_tiles(game(f"{toy}:right"), device="cuda", check=True).summary()["draw"] == 9
    few = game(f"{HERE / 'row_game.py'}:4,2")  # two symmetries
    expected = solve_tiles(few)
    found = solve_tiles(few, device="cuda", check=True)
    assert all(np.array_equal(found.tables[place], expected.tables[place]) for place in expected.tables)
    many = game(f"{HERE / 'row_game.py'}:24,2")
    try:
        CudaPairSolver(many)
    except LudometerError as error:
        assert "46 moves are more than the GPU solver's 44" in str(error)
    else:
        raise AssertionError("too many moves")


def spoil(folder: Path, name: str = "00-00") -> None:
    """Make one entry of a finished folder wrong, under good checksums."""
    opened = open_folder(folder)
    table = opened.tables[name]
    wrong = table.array().copy()
    wrong[0] = 4 if wrong[0] != 4 else 5
    write_table(folder, name, wrong, opened.origin, table.encoding, table.meta)
    write_manifest(folder, {**opened.tables, name: TableFile(folder / f"{name}.table")}, opened.origin, opened.meta)


def reused_folders(folder: Path) -> None:
    """`solve --device cuda --verify` checks what earlier runs left, and what other processes made."""
    spec, chosen = "quixo:2", game("quixo:2")
    command = ["solve", spec, "--device", "cuda", "--verify", "--json", "--tables"]
    tables = folder / "reused"
    assert main([*command, str(tables)]) == 0  # solved here, checked on the way
    assert main([*command, str(tables)]) == 0  # found
    kept = folder_for(chosen, tables)
    spoil(kept)
    assert main([*command, str(tables)]) == 1, "a finished folder was not checked"
    (kept / MANIFEST).unlink()
    (kept / "04-00.table").unlink()
    assert main([*command, str(tables)]) == 1, "the pairs of an earlier run were not checked"

    class Elsewhere(Executor):
        """Other processes, whose last pair comes out wrong."""

        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[None]:
            future: Future[None] = Future()
            order, pair = arguments
            future.set_result(solve_pair_in_folder(order, pair))
            if pair == Pair(0, 0):
                path = Path(order.folder)
                table = TableFile(path / "00-00.table")
                write_table(path, "00-00", np.array([4], np.uint8), open_folder(folder / "whole").origin, table.encoding, table.meta)
            return future

    solve_tiles(chosen, folder=folder / "whole")
    solution = solve_tiles(chosen, device="cuda", folder=folder / "cluster", executor=Elsewhere())
    assert solution.checked == 0 and not verify_solved(solution, folder / "cluster", device="cuda")["ok"]


def device_verification(folder: Path) -> None:
    """On a GPU lengths, rows, counts and totals are compared too."""
    chosen = game("quixo:2")
    right = solve_tiles(chosen)
    everything = {"ok": True, "checked": right.entries, "errors": []}
    assert verify(right, device="cuda") == everything

    def changed(tables: Any = None, counts: Any = None, rows: Any = None, start: int = right.start_code) -> list[str]:
        solution = TileSolution(chosen, "distances", counts or right.counts, tables or right.tables, rows or right.rows, start)
        report = verify(solution, device="cuda")
        assert not report["ok"]
        return list(report["errors"])

    wrong_counts = right.counts[1, 1].copy()
    wrong_counts[[1, 2]] = wrong_counts[[2, 1]]
    expected = "class (1, 1): the numbers of wins, losses and draws are not those of its entries"
    assert changed(counts={**right.counts, (1, 1): wrong_counts}) == [expected]
    assert changed(tables={**right.tables, (2, 1): right.tables[2, 1][:-1]}) == ["the table of class (2, 1) has 3 bytes instead of 4"]
    assert right.rows is not None
    other_rows = right.rows._replace(representatives=right.rows.representatives[::-1].copy())
    assert changed(rows=other_rows) == ["the list of rows (rows) is not that of quixo:2"]
    assert "the value of the starting position" in changed(start=right.start_code + 1)[0]
    wrong = right.tables[1, 1].copy()
    wrong[0] = 255
    assert any("wrong entries with 1 and 1 tiles" in error for error in changed(tables={**right.tables, (1, 1): wrong}))


def order_of_events(folder: Path) -> None:
    """Kernels are compiled before the first report, so that no rate counts compiling; stopping; wrong entries are no bad input."""
    from numba.cuda.core import config

    happened: list[str] = []
    prepare = CudaPairSolver.prepare

    def noted(self: CudaPairSolver, solve: bool, check: bool) -> None:
        happened.append("prepare")
        prepare(self, solve, check)

    CudaPairSolver.prepare = noted  # type: ignore[method-assign]
    chosen = game("quixo:2")
    for where in (None, folder / "events"):
        happened.clear()
        solve_tiles(chosen, device="cuda", folder=where, progress=lambda done, total, text: happened.append(text))
        assert happened[0] == "prepare" and len(happened) > 5
    assert not config.CUDA_LOW_OCCUPANCY_WARNINGS and not config.CUDA_WARN_ON_IMPLICIT_COPY
    stop = Stop()
    try:
        solve_tiles(chosen, device="cuda", stop=stop, progress=lambda *step: stop.ask())
    except Stopped:
        pass
    else:
        raise AssertionError("not stopped")
    check = CudaPairSolver.check
    CudaPairSolver.check = lambda self, pair: (["one wrong entry"], check(self, pair)[1])  # type: ignore[method-assign]
    try:
        solve_tiles(chosen, device="cuda", check=True)
    except WrongEntries as error:
        assert str(error) == "one wrong entry" and not isinstance(error, LudometerError)
    else:
        raise AssertionError("a wrong entry was not reported")
    assert main(["solve", "quixo:2", "--device", "cuda", "--no-store", "--verify"]) == 1
    try:
        solve_tiles(chosen, device="cuda", workers=3)
    except LudometerError as error:
        assert "leave out workers" in str(error)
    else:
        raise AssertionError("workers")


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
    print(json.dumps({"done": sys.argv[1]}))
