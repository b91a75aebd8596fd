"""Checking a solution again: the bytes of its files, every entry against its successors, and the totals."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

from ludometer import games
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW
from ludometer.core.position import Position
from ludometer.solve.solution import VALUE_NAMES, Solution
from ludometer.solve.table_files import MANIFEST, SUFFIX, Origin, ProgressCallback, TableError, TableFile, read_manifest
from ludometer.solve.tiles.board import all_pairs, count_cells, pair_entries, tile_tables
from ludometer.solve.tiles.check_kernels import check_entries, list_rows, tiles_of_entry
from ludometer.solve.tiles.codes import decode
from ludometer.solve.tiles.driver import cores
from ludometer.solve.tiles.index import WAYS, state_with_tiles
from ludometer.solve.tiles.pair_solvers import solver_for
from ludometer.solve.tiles.solution import LAYOUT, ROWS, Class, TileSolution, classes_of

# layout -> (what opens a folder for a game, what checks the solution in it)
ENTRY_CHECKS = {
    LAYOUT: ("ludometer.solve.tiles.solution.open_solution", "ludometer.solve.verification.check_tile_entries"),
    "positions 1": ("ludometer.solve.acyclic.driver.open_acyclic", "ludometer.solve.acyclic.check.check_positions"),
    "proven start 1": ("ludometer.solve.acyclic.driver.open_acyclic", "ludometer.solve.acyclic.check.check_proven"),
}

_SHOWN = 20  # errors that are described
_ENTRIES_PER_TASK = 50_000

Report = dict[str, Any]


def verify(
    source: Path | Solution,
    *,
    sample: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    device: str = "cpu",
    game: Game | None = None,
    progress: ProgressCallback | None = None,
) -> Report:
    """Check a folder of tables, or a solution in memory: {ok, checked, errors}.

    Every byte of the files is compared with its checksum.  Then every entry, or `sample` of them chosen by `seed`, is compared with what
    the rules and the entries of its successors say; where all entries are checked the totals are counted again too.  With
    distances this leaves nothing to belief: a table that passes is right.  With values only it shows that no entry contradicts another.
    `errors` has at most 20 lines, the last of which says how many more there are.
    `device="cuda"` compares the entries of games of tiles, solved with distances, on a GPU.
    """
    if sample is not None and sample < 1:
        raise LudometerError(f"a sample has 1 entry or more, not {sample}")
    if isinstance(source, Solution):
        layout = LAYOUT if isinstance(source, TileSolution) else getattr(source, "layout", "")
        if layout not in ENTRY_CHECKS:
            return _report(0, [f"no routine is known that checks a {type(source).__name__}"])
        return _report(*_named(ENTRY_CHECKS[layout][1])(source, sample, seed, workers or cores(), progress))
    folder = Path(source)
    if not folder.is_dir():
        raise TableError(f"there is no folder {str(folder)!r}; name the folder of one game's tables")
    errors, layout, game = _check_files(folder, game)
    if errors or game is None:
        return _report(0, errors)
    if layout not in ENTRY_CHECKS:
        return _report(0, [f"no routine is known that checks entries of layout {layout!r}"])
    opener, check = (_named(path) for path in ENTRY_CHECKS[layout])
    if device != "cpu":
        return _report(*check_on_device(opener(folder=folder, game=game), device, sample, progress))
    return _report(*check(opener(folder=folder, game=game), sample, seed, workers or cores(), progress))


def check_on_device(solution: Solution, device: str, sample: int | None, progress: ProgressCallback | None) -> tuple[int, list[str]]:
    """Check all entries of a game of tiles where a device's pair solver can do it: (entries checked, what is wrong)."""
    if not isinstance(solution, TileSolution) or solution.keep != "distances":
        raise LudometerError(f"on {device} only games of tiles solved with distances are verified; leave out --device")
    if sample is not None:
        raise LudometerError(f"on {device} every entry is checked; leave out --sample")
    tables = tile_tables(solution.game)
    solver = solver_for(device)(solution.game, tables)
    sizes = {pair: pair_entries(tables, pair) * len(pair.sides) for pair in all_pairs(tables.cells)}
    everything, checked, errors = sum(sizes.values()), 0, []
    for pair, size in sizes.items():
        places = classes_of(pair)
        counts = np.zeros((2, 256), np.int64)
        for side, place in enumerate(places):
            counts[side] = solution.counts[place]
        codes = [solution.tables[place] for place in places]
        solver.put(pair, [table if isinstance(table, np.ndarray) else table.array() for table in codes], counts)
        wrong = solver.check(pair)
        errors += [wrong] if wrong else []
        for done in sizes:  # the tables of two levels are enough
            if done.more + done.fewer > pair.more + pair.fewer + 1:
                solver.forget(done)
        checked += size
        if progress is not None:
            progress(checked, everything, f"{pair.more} and {pair.fewer} tiles")
    return checked, errors


def _named(path: str) -> Callable[..., Any]:
    """A function by its full name; modules of other solvers are loaded only when needed."""
    module, _, name = path.rpartition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def _report(checked: int, errors: list[str]) -> Report:
    shown = errors[:_SHOWN]
    if len(errors) > _SHOWN:
        shown[-1] = f"… and {len(errors) - _SHOWN + 1} more"
    return {"ok": not errors, "checked": checked, "errors": shown}


def _check_files(folder: Path, game: Game | None) -> tuple[list[str], str, Game | None]:
    """(errors, layout, game) of a folder, every byte of which is read."""
    try:
        manifest = read_manifest(folder)
        found = game or games.game(manifest["game"])
        origin = Origin.of(found, manifest["layout"])
        origin.check(manifest, folder / MANIFEST)
    except LudometerError as error:
        return [str(error)], "", None
    errors = []
    for name, listed in manifest["files"].items():
        try:
            table = TableFile(folder / f"{name}{SUFFIX}", origin)
        except TableError as error:
            errors.append(str(error))
            continue
        if table.name != name or table.bytes != listed["bytes"] or table.head_checksum != listed["head"]:
            errors.append(f"{table.file.name} is not the file the manifest lists")
        errors += [f"{table.file.name}: the checksum of segment {number + 1} does not agree" for number in table.bad_segments()]
    listed_names = {f"{name}{SUFFIX}" for name in manifest["files"]}
    errors += [f"{file.name} is not in the manifest" for file in sorted(folder.glob(f"*{SUFFIX}")) if file.name not in listed_names]
    return errors, manifest["layout"], found


# ---- tile games ----


def check_tile_entries(
    solution: TileSolution, sample: int | None, seed: int, workers: int, progress: ProgressCallback | None
) -> tuple[int, list[str]]:
    """(entries checked, errors) of a tile game's solution."""
    if solution.keep == "none":
        return 0, _check_totals(solution)
    checker = _TileChecker(solution)
    errors = checker.check_shapes()
    if errors:
        return 0, errors
    tasks = checker.tasks() if sample is None else checker.sample_tasks(sample, seed)
    total = sum(task[3] - task[2] for task in tasks)
    counts: dict[Class, np.ndarray] = {place: np.zeros(256, np.int64) for place in solution.counts}
    done = 0
    with ThreadPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(checker.run, task) for task in tasks]):
            task, seen, found = future.result()
            counts[task[0]] += seen
            errors += found
            done += task[3] - task[2]
            if progress is not None:
                progress(done, total, f"{task[0][0]} tiles of the mover, {task[0][1]} of the other")
    if sample is None:
        errors += [error for place in counts for error in _compare_counts(solution, place, counts[place])]
        errors += _check_totals(solution)
    return done, errors


Task = tuple[Class, np.ndarray, int, int]  # class, chosen entries (or none: all), begin, end


class _TileChecker:
    def __init__(self, solution: TileSolution) -> None:
        self.solution = solution
        self.rules = solution.game.rules
        self.cells = int(count_cells(self.rules))
        self.first_row = np.zeros(self.cells + 2, np.int64)
        rows = list_rows(self.rules, np.empty(0, np.uint32), self.first_row)
        self.representatives = np.empty(rows, np.uint32)
        list_rows(self.rules, self.representatives, self.first_row)
        self.packed = solution.keep == "values"

    def entries(self, place: Class) -> int:
        more, fewer = max(place), min(place)
        return int((self.first_row[more + 1] - self.first_row[more]) * WAYS[self.cells - more, fewer])

    def table(self, place: Class) -> np.ndarray:
        found = self.solution.tables[place]
        return found.unchecked if isinstance(found, TableFile) else np.asarray(found)

    def check_shapes(self) -> list[str]:
        """Whether there is a table of the right length for every class, and the right list of rows."""
        errors = []
        places = {(a, b) for a in range(self.cells + 1) for b in range(self.cells + 1 - a)}
        errors += [f"there is no table of class {place}" for place in sorted(places - set(self.solution.tables))]
        errors += [f"there is a table of class {place}, which does not exist" for place in sorted(set(self.solution.tables) - places)]
        for place in sorted(places & set(self.solution.tables)):
            expected = -(-self.entries(place) // 4) if self.packed else self.entries(place)
            if len(self.table(place)) != expected:
                errors.append(f"the table of class {place} has {len(self.table(place)):,} bytes instead of {expected:,}")
        rows = self.solution.rows
        assert rows is not None
        if not (np.array_equal(rows.representatives, self.representatives) and np.array_equal(rows.first_row, self.first_row)):
            errors.append(f"the list of rows ({ROWS}) is not that of {self.solution.game.spec}")
        return errors

    def tasks(self) -> list[Task]:
        """All entries, in portions."""
        everything = np.empty(0, np.int64)
        return [
            (place, everything, begin, min(begin + _ENTRIES_PER_TASK, self.entries(place)))
            for place in sorted(self.solution.tables, key=lambda place: -self.entries(place))
            for begin in range(0, self.entries(place), _ENTRIES_PER_TASK)
        ]

    def sample_tasks(self, sample: int, seed: int) -> list[Task]:
        """Entries drawn evenly from all tables, without the same one twice."""
        places = sorted(self.solution.tables)
        ends = np.cumsum([self.entries(place) for place in places])
        generator = np.random.default_rng(seed)
        sample = min(sample, int(ends[-1]))
        chosen = _draw(generator, int(ends[-1]), sample)
        tasks: list[Task] = []
        for place, end in zip(places, ends):
            begin = int(end) - self.entries(place)
            mine = chosen[np.searchsorted(chosen, begin) : np.searchsorted(chosen, end)] - begin
            if mine.size:
                tasks += [(place, mine, b, min(b + _ENTRIES_PER_TASK, mine.size)) for b in range(0, mine.size, _ENTRIES_PER_TASK)]
        return tasks

    def run(self, task: Task) -> tuple[Task, np.ndarray, list[str]]:
        """(the task, positions by code, errors)."""
        (mover, other), chosen, begin, end = task
        replies = self.table((other, mover))
        further = self.table((other, mover + 1)) if mover + other < self.cells else np.empty(0, np.uint8)
        counts = np.zeros(256, np.int64)
        wrong = np.empty((_SHOWN, 4), np.int64)
        number = int(
            check_entries(
                self.rules, self.representatives, self.first_row, mover, other, self.table((mover, other)), replies, further,
                self.packed, chosen, begin, end, counts, wrong,
            )
        )  # fmt: skip
        errors = [self.describe((mover, other), *map(int, wrong[index])) for index in range(min(number, _SHOWN))]
        errors += [f"class {(mover, other)}: one more entry is wrong"] * (number - len(errors))
        return task, counts, errors

    def describe(self, place: Class, index: int, stored: int, outcome: int, distance: int) -> str:
        tiles = tiles_of_entry(self.rules, self.representatives, self.first_row, *place, index)
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
    if solution.keep != "none" and solution.code(solution.game.start()) != solution.start_code and solution.keep == "distances":
        errors.append("the value of the starting position in the manifest is not that of its entry")
    return errors
