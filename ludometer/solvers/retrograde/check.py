"""Checking a solution by retrograde analysis again, by routines that share nothing with what solves.

Every entry is compared with what the rules and the entries of its successors say.  With distances a table that passes is right.  A stored
win in d moves has a successor that loses in d − 1, and so on down to a finished game.  A stored draw has no move that wins and at least
one that does not lose, so neither can force an end.  The check begins at the start and follows all moves: it also shows that no position
is missing, and that none is in the table which play cannot reach.
"""

from __future__ import annotations

import numpy as np

from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.core.position import Position, typed
from ludometer.solvers.check_findings import SHOWN, Findings
from ludometer.solvers.files.table_files import TableError
from ludometer.solvers.options import OptionError, VerifyOptions
from ludometer.solvers.retrograde.check_kernels import (
    CHECKED,
    MISSING,
    NO_MOVES,
    NOT_LEAST,
    SEEN,
    UNSEEN,
    Table,
    check_entries,
    entry_of_start,
    first_disorder,
)
from ludometer.solvers.retrograde.keys import fixing_symmetries, word_count
from ludometer.solvers.retrograde.query_kernels import state_of_entry
from ludometer.solvers.retrograde.solution import ArrayEntries, RetrogradeSolution
from ludometer.solvers.retrograde.store import arrays_of
from ludometer.solvers.retrograde.team import Threads

_ENTRIES_PER_TASK = 1 << 14
_KEYS_PER_TASK = 1 << 20


def check_retrograde(solution: RetrogradeSolution, options: VerifyOptions) -> tuple[int, Findings]:
    """(entries checked, errors) of all entries, or of a sample drawn by the seed.  Raises Stopped."""
    game = solution.game
    if options.device != "cpu":
        raise OptionError(f"{game.spec} is verified on the cpu, not on {options.device!r}", "leave out {device}")
    if solution.found is None:
        return 0, Findings(_wrong_sums(solution))
    try:
        entries = arrays_of(solution)
    except TableError as error:
        return 0, Findings([str(error)])
    with Threads(options.workers or usable_cores(), options.stop) as threads:
        return _Check(solution, entries, options, threads).run()


def _wrong_sums(solution: RetrogradeSolution) -> list[str]:
    """Whether the totals of the manifest are those of its counts by value."""
    stated = solution.stated_totals
    wrong = [key for key, value in solution.totals.document().items() if stated is not None and stated[key] != value]
    return [f"the manifest's {', '.join(wrong)} are not those of its counts"] if wrong else []


class _Check:
    """One verification of a table."""

    def __init__(self, solution: RetrogradeSolution, entries: ArrayEntries, options: VerifyOptions, threads: Threads) -> None:
        self._solution, self._options, self._threads = solution, options, threads
        game: Game = solution.game
        self._game = game
        self._start = game.start().state
        layout = solution.key_layout
        width = word_count(layout)
        words = [next((number for number, held in enumerate(layout.words) if held[leaf]), 0) for leaf in range(len(layout.shifts))]
        self._table = Table(
            np.array(words, np.int64),
            np.array(layout.shifts, np.uint64),
            np.array(layout.masks, np.uint64),
            solution.symmetries,
            entries.keys.reshape(-1, width),
            entries.values,
            solution.has_distances,
        )
        self._count = len(self._table.values)
        self._least = int(self._table.values.min(initial=0))
        self._counts = np.zeros(int(self._table.values.max(initial=0)) - self._least + 1, np.int64)
        self._marks = np.full(self._count, UNSEEN, np.uint8)
        self._findings = Findings()
        self._checked = 0
        self._total = self._count

    def run(self) -> tuple[int, Findings]:
        findings = self._findings
        if len(self._table.keys) != self._count or self._count != self._solution.entries:
            return 0, Findings([f"there are {len(self._table.keys):,} keys and {self._count:,} values, not {self._solution.entries:,}"])
        self._check_order()
        fixing = fixing_symmetries(self._game.rules, self._start).tolist()
        if not set(self._solution.symmetries.tolist()) <= set(fixing):
            findings.add("positions are taken for one under a symmetry that changes the start")
        if findings:
            return 0, findings
        if self._options.sample is not None and self._options.sample < self._count:
            self._check_sample(self._options.sample)
        else:
            self._check_all()
        return self._checked, findings

    def _check_order(self) -> None:
        keys = self._table.keys
        for entry in self._threads.run(
            lambda begin: int(first_disorder(keys, max(1, begin), min(begin + _KEYS_PER_TASK, self._count))),
            range(0, self._count, _KEYS_PER_TASK),
        ):
            if entry >= 0:
                self._findings.add(f"entry {entry}: the keys are not in ascending order")

    def _check_sample(self, sample: int) -> None:
        chosen = np.random.default_rng(self._options.seed).choice(self._count, sample, replace=False, shuffle=False)
        # Marks are shared by threads that mark successors, so a sample has a mark of its own.
        self._marks[:] = CHECKED
        self._marks[chosen] = SEEN
        self._total = sample
        self._pass()

    def _check_all(self) -> None:
        width = self._table.keys.shape[1]
        first = int(entry_of_start(self._game.rules, self._table, np.empty(width, np.uint64), np.empty(width, np.uint64)))
        if first < 0:
            self._findings.add("the start is not in the table")
            return
        if int(self._table.values[first]) != (self._solution.totals.start if self._table.exact else np.sign(self._solution.totals.start)):
            self._findings.add("the manifest's value of the start is not that of its entry")
        self._marks[first] = SEEN
        while self._pass():
            pass
        unseen = int(np.count_nonzero(self._marks == UNSEEN))
        if unseen:
            self._findings.add(f"{unseen:,} entries are of positions that cannot be reached from the start")
        self._findings.add(*self._wrong_totals(), *_wrong_sums(self._solution))

    def _pass(self) -> int:
        """Check all entries that are marked; returns how many those were."""
        game, table = self._game, self._table
        width = table.keys.shape[1]

        def work(begin: int) -> tuple[int, int, np.ndarray, np.ndarray]:
            wrong, counts = np.empty((SHOWN, 4), np.int64), np.zeros_like(self._counts)
            buffer, scratch = np.empty(game.move_bound, np.int32), np.empty((2, width), np.uint64)
            end = min(begin + _ENTRIES_PER_TASK, self._count)
            checked, errors = check_entries(
                game.rules, self._start, table, begin, end, SEEN, self._marks, buffer, scratch, wrong, counts, self._least
            )
            return int(checked), int(errors), wrong, counts

        before = self._checked
        marked = [
            begin for begin in range(0, self._count, _ENTRIES_PER_TASK) if (self._marks[begin : begin + _ENTRIES_PER_TASK] == SEEN).any()
        ]
        for checked, errors, wrong, counts in self._threads.run(work, marked):
            self._checked += checked
            self._counts += counts
            described = [self._describe(*map(int, row)) for row in wrong[:errors]]
            self._findings.add(*described)
            self._findings.add_further(errors - len(described))
            self._options.report(self._checked, self._total, "positions")
        return self._checked - before

    def _wrong_totals(self) -> list[str]:
        """Whether the counts by value are those of the entries."""
        stated: dict[int, int] = {}
        for value, count in self._solution.totals.counts.items():
            kept = value if self._table.exact else int(np.sign(value))
            stated[kept] = stated.get(kept, 0) + count
        found = {place + self._least: int(count) for place, count in enumerate(self._counts) if count}
        return [] if stated == found else ["the manifest's counts by value are not those of the entries"]

    def _describe(self, what: int, entry: int, stored: int, right: int) -> str:
        keys = self._table.keys.reshape(-1)
        position = Position(self._game, typed(state_of_entry(self._start, self._solution.key_layout, keys, entry)))
        where = f"entry {entry}, {str(position)!r}"
        if what == NOT_LEAST:
            return f"{where}: it is not the least of its images" if stored < 0 else f"{where}: entry {stored} stands for it"
        if what == MISSING:
            return f"{where}: the position after {position.move_text(stored)} is not in the table"
        if what == NO_MOVES:
            return f"{where}: it has no legal move and is not over"
        return f"{where}: stored value {stored}, but the rules and its successors say {right}"
