"""Checking the tables of a tile game again: lengths, rows, every entry against its successors, and the totals."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ludometer.core.machine import usable_cores
from ludometer.core.outcome import DRAW
from ludometer.core.position import Position
from ludometer.core.stopping import Stop
from ludometer.solvers.check_findings import SHOWN, Findings
from ludometer.solvers.files.packed_files import PackedFile
from ludometer.solvers.files.table_files import TableFile
from ludometer.solvers.options import OptionError, VerifyOptions
from ludometer.solvers.solution import VALUE_NAMES
from ludometer.solvers.task_graph import run_all
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.board import count_cells
from ludometer.solvers.tiles.check_kernels import Class as KernelClass
from ludometer.solvers.tiles.check_kernels import check_entries, list_rows, tiles_of_entry
from ludometer.solvers.tiles.codes import decode
from ludometer.solvers.tiles.index import Rows, state_with_tiles
from ludometer.solvers.tiles.lookup import tile_tables
from ludometer.solvers.tiles.packing import CODE_OF_PACKED, packed_value
from ludometer.solvers.tiles.pair_solvers import solver_for
from ludometer.solvers.tiles.pairs import Class, all_pairs, classes_of
from ludometer.solvers.tiles.solution import ROWS, TileSolution
from ludometer.solvers.tiles.whole_tables import WholeTables

_ENTRIES_PER_TASK = 50_000
_TASKS_WAITING = 4  # for each worker


def check_tile_entries(solution: TileSolution, options: VerifyOptions) -> tuple[int, Findings]:
    """(entries checked, errors) of a tile game's solution."""
    if options.device != "cpu":
        return _check_on_device(solution, options)
    if solution.keep == "none":
        return 0, Findings(_check_totals(solution))
    checker = _TileChecker(solution, options.stop)
    findings = Findings(checker.check_shapes())
    if findings:
        return 0, findings
    sample = options.sample
    tasks = checker.tasks() if sample is None else checker.sample_tasks(sample, options.seed)
    total = solution.entries if sample is None else min(sample, solution.entries)
    counts: dict[Class, np.ndarray] = {place: np.zeros(256, np.int64) for place in solution.counts}
    done = 0
    at_once = options.workers or usable_cores()
    with ThreadPoolExecutor(at_once) as pool:
        for result in run_all(pool, checker.run, tasks, _TASKS_WAITING * at_once, options.stop):
            place = result.task.place
            counts[place] += result.counts
            findings.add(*result.described)
            findings.add_further(result.wrong - len(result.described))
            done += result.task.end - result.task.begin
            options.report(done, total, f"{place[0]} tiles of the mover, {place[1]} of the other")
    if sample is None:
        findings.add(*(error for place in counts for error in _compare_counts(solution, place, counts[place])))
        findings.add(*_check_totals(solution))
    return done, findings


def _check_on_device(solution: TileSolution, options: VerifyOptions) -> tuple[int, Findings]:
    """The same, with the entries compared and counted by a device's pair solver."""
    device, stop = options.device, options.stop
    solver_class = solver_for(device)
    if solution.keep != "distances":
        raise OptionError(f"on {device} only tables with distances are verified", "leave out {device}")
    if options.sample is not None:
        raise OptionError(f"on {device} every entry is checked", "leave out {sample}")
    if options.workers is not None:
        raise OptionError(f"on {device} there are no threads to choose", "leave out {workers}")
    findings = Findings(_TileChecker(solution, stop).check_shapes())
    if findings:
        return 0, findings
    tables = tile_tables(solution.game)
    solver = solver_class(solution.game, tables)
    solver.prepare(solve=False, check=True)
    pairs = all_pairs(tables.cells)
    arrays = WholeTables(solution, stop)
    checked = 0
    for pair in pairs:
        stop.check("verifying")
        places = classes_of(pair)
        stated = np.zeros((2, 256), np.int64)
        for side, place in enumerate(places):
            stated[side] = solution.counts[place]
        codes = [arrays.get(place) for place in places]
        solver.put(pair, codes, stated)
        wrong, counted = solver.check(pair)
        findings.add(*wrong)
        for side, place in enumerate(places):
            findings.add(*_compare_counts(solution, place, counted[side]))
        for done in pairs:  # the tables of two levels are enough
            if done.more + done.fewer > pair.more + pair.fewer + 1:
                solver.forget(done)
        checked += sum(map(len, codes))
        options.report(checked, solution.entries, f"{pair.more} and {pair.fewer} tiles")
    findings.add(*_check_totals(solution))
    return checked, findings


class _Task(NamedTuple):
    """Some entries of a class."""

    place: Class
    chosen: np.ndarray  # the entries, ascending (int64); empty: all of the class
    begin: int
    end: int  # of the chosen ones


class _Result(NamedTuple):
    """What became of a task."""

    task: _Task
    counts: np.ndarray  # positions by code (256)
    wrong: int  # entries
    described: list[str]  # the first of them


class _TileChecker:
    def __init__(self, solution: TileSolution, stop: Stop) -> None:
        self.solution = solution
        self.rules = solution.game.rules
        self.stop = stop
        self.cells = int(count_cells(self.rules))
        first_row = np.zeros(self.cells + 2, np.int64)
        number = list_rows(self.rules, np.empty(0, np.uint32), first_row, stop.flag)
        stop.check("verifying")
        representatives = np.empty(number, np.uint32)
        list_rows(self.rules, representatives, first_row, stop.flag)
        stop.check("verifying")
        self.rows = Rows(representatives, first_row)
        self.packed = solution.keep == "values"
        self.arrays = WholeTables(solution, stop)

    def entries(self, place: Class) -> int:
        more, fewer = max(place), min(place)
        first_row = self.rows.first_row
        return int((first_row[more + 1] - first_row[more]) * WAYS[self.cells - more, fewer])

    def check_shapes(self) -> list[str]:
        """Whether there is a table of the right length for every class, and the right list of rows."""
        errors = []
        tables = self.solution.tables
        places = {(a, b) for a in range(self.cells + 1) for b in range(self.cells + 1 - a)}
        errors += [f"there is no table of class {place}" for place in sorted(places - set(tables))]
        errors += [f"there is a table of class {place}, which does not exist" for place in sorted(set(tables) - places)]
        for place in sorted(places & set(tables)):
            expected = -(-self.entries(place) // 4) if self.packed else self.entries(place)
            found = tables[place]
            length = found.shape[0] if isinstance(found, TableFile | PackedFile) else len(found)
            if length != expected:
                errors.append(f"the table of class {place} has {length:,} bytes instead of {expected:,}")
        rows = self.solution.rows
        assert rows is not None
        if not all(np.array_equal(one, other) for one, other in zip(rows, self.rows)):
            errors.append(f"the list of rows ({ROWS}) is not that of {self.solution.game.spec}")
        return errors

    def tasks(self) -> Iterator[_Task]:
        """All entries, in portions."""
        everything = np.empty(0, np.int64)
        for place in sorted(self.solution.tables, key=lambda place: -self.entries(place)):
            for begin in range(0, self.entries(place), _ENTRIES_PER_TASK):
                yield _Task(place, everything, begin, min(begin + _ENTRIES_PER_TASK, self.entries(place)))

    def sample_tasks(self, sample: int, seed: int) -> Iterator[_Task]:
        """Entries drawn evenly from all tables, without the same one twice."""
        places = sorted(self.solution.tables)
        ends = np.cumsum([self.entries(place) for place in places])
        chosen = _draw(np.random.default_rng(seed), int(ends[-1]), min(sample, int(ends[-1])))
        for place, end in zip(places, ends):
            begin = int(end) - self.entries(place)
            mine = chosen[np.searchsorted(chosen, begin) : np.searchsorted(chosen, end)] - begin
            for first in range(0, mine.size, _ENTRIES_PER_TASK):
                yield _Task(place, mine, first, min(first + _ENTRIES_PER_TASK, mine.size))

    def run(self, task: _Task) -> _Result:
        mover, other = task.place
        tables = KernelClass(
            mover,
            other,
            self.packed,
            codes=self.arrays.get((mover, other)),
            replies=self.arrays.get((other, mover)),
            further=self.arrays.get((other, mover + 1)) if mover + other < self.cells else np.empty(0, np.uint8),
        )
        counts = np.zeros(256, np.int64)
        wrong = np.empty((SHOWN, 4), np.int64)
        number = int(check_entries(self.rules, self.rows, tables, task.chosen, task.begin, task.end, counts, wrong, self.stop.flag))
        self.stop.check("verifying")
        described = [self.describe(task.place, *map(int, wrong[index])) for index in range(min(number, SHOWN))]
        return _Result(task, counts, number, described)

    def describe(self, place: Class, index: int, stored: int, outcome: int, distance: int) -> str:
        tiles = tiles_of_entry(self.rules, self.rows, *place, index)
        state = state_with_tiles(self.rules, *map(np.uint64, tiles))
        position = Position(self.solution.game, state)
        found = "nothing (255)" if stored == 255 else self._value_text(*decode(stored))
        right = self._value_text(outcome, distance)
        return f"class {place}, entry {index}, {str(position)!r}: stored {found}, but the rules and its successors say {right}"

    def _value_text(self, outcome: int, distance: int | None) -> str:
        return VALUE_NAMES[outcome] if self.packed or outcome == DRAW else f"{VALUE_NAMES[outcome]} in {distance}"


def _draw(generator: np.random.Generator, count: int, sample: int) -> np.ndarray:
    """Different numbers below `count`, ascending; without a list of all of them."""
    chosen = np.unique(generator.integers(0, count, sample)) if sample < count else np.arange(count)
    while chosen.size < sample:
        chosen = np.unique(np.concatenate([chosen, generator.integers(0, count, sample - chosen.size)]))
    return chosen


def _compare_counts(solution: TileSolution, place: Class, counted: np.ndarray) -> list[str]:
    stated = solution.counts[place]
    if solution.keep == "values":
        stated, counted = (np.array([c[0], c[1:128].sum(), c[128:255].sum(), c[255]]) for c in (stated, counted))
    if np.array_equal(stated, counted):
        return []
    return [f"class {place}: the numbers of wins, losses and draws are not those of its entries"]


def _check_totals(solution: TileSolution) -> list[str]:
    """Whether all numbers stated agree with each other and with the number of positions."""
    errors = []
    cells = int(count_cells(solution.game.rules))
    for (mover, other), counts in solution.counts.items():
        if counts.sum() != WAYS[cells, mover] * WAYS[cells - mover, other]:
            errors.append(f"class {(mover, other)}: {int(counts.sum()):,} positions are counted, there are other than that")
    if len(solution.counts) != WAYS[cells + 2, 2]:
        errors.append(f"there are totals of {len(solution.counts)} classes instead of {WAYS[cells + 2, 2]}")
    if solution.stated_totals is not None and solution.stated_totals != {key: solution.summary()[key] for key in solution.stated_totals}:
        errors.append("the totals in the manifest are not the sums over the classes")
    stated = solution.start_code if solution.keep == "distances" else CODE_OF_PACKED[packed_value(solution.start_code)]
    if solution.keep != "none" and solution.code(solution.game.start()) != stated:
        errors.append("the value of the starting position in the manifest is not that of its entry")
    return errors
