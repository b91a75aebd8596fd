"""Playing of many pairings at once: missing pairs are played, and all pairs in the store are added up.

    totals = play_pairings([(first_pairing, 500), (second_pairing, 200)], Execution(store="experiments.sqlite"))
    totals[0].counts.score

The totals are of pairs 0, 1, 2, … without a gap.  They depend on the pairings and the numbers of pairs alone, not on the order or the
process in which pairs were played.  Matches, tournaments and ladders are built on this module.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ludometer.arena.measurements.pairs import Pairing, PairResults
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.work.execution import Execution, StartedExecution
from ludometer.arena.work.scheduler import Chunk, work_off
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError

_SECONDS_BETWEEN_REPORTS = 0.2

Arrays = dict[str, np.ndarray]
ProgressText = str | Callable[[Sequence[PairTotals]], str]  # fixed, or made from the totals of each pairing so far


class Watcher(Protocol):
    """Observer of a pairing that sees its pairs in order and may end it."""

    def watch(self, results: np.ndarray) -> int:
        """Add pairs, given as results of the first player (int8 [game]); returns the number of pairs that count."""

    @property
    def has_enough(self) -> bool:
        """Whether the pairing ends with the pairs that counted so far."""


def play_pairings(
    wants: Sequence[tuple[Pairing, int]],
    execution: Execution,
    *,
    watchers: Sequence[Watcher | None] | None = None,
    text: ProgressText = "",
) -> list[PairTotals]:
    """Play the pairs of each (pairing, pairs) that the store lacks; returns the totals of each pairing, in the order of `wants`.

    watchers   one for each pairing or None; a watcher may end its pairing early
    text       text for the progress callback

    If the work is stopped, finished pairs are kept and the totals are of these.  Raises LudometerError for a pairing that is asked for
    twice and for an agent that has no move, and StoreError.
    """
    with execution.started() as work:
        seen = watchers or [None] * len(wants)
        tallies = {
            pairing: _Tally(work.store, work.store.series(pairing.key(), pairing.document()), pairs, watcher)
            for (pairing, pairs), watcher in zip(wants, seen, strict=True)
        }
        if len(tallies) < len(wants):
            raise LudometerError("a pairing is asked for twice; ask for it once, with the larger number of pairs")
        reporter = _Reporter(list(tallies.values()), work, text)

        def keep(chunk: Chunk, result: PairResults) -> bool:
            tally = tallies[chunk.subject]
            is_new = tally.keep(chunk, result)
            reporter.report(2 * chunk.count if is_new else 0)
            return not tally.ended

        while not work.stop.asked:
            for tally in tallies.values():
                tally.read_more()  # pairs added by other processes; a complete pairing ends here
            missing = [(pairing, tally.missing()) for pairing, tally in tallies.items() if not tally.ended]
            if not missing:
                break
            work_off(missing, work.crew, keep, work.stop)
        reporter.report(0, last=True)
        return [tally.totals for tally in tallies.values()]


class Tallies:
    """Totals of series that another process may be adding to; repeated calls read new chunks only."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._kept: dict[tuple[int, int], tuple[_Tally, Watcher | None]] = {}

    def totals(self, series: int, pairs: int, watcher: Callable[[], Watcher] | None = None) -> tuple[PairTotals, Any]:
        """Totals of the pairs played so far, at most the first `pairs`, and their watcher, which `watcher` makes on the first call."""
        if (series, pairs) not in self._kept:
            watching = None if watcher is None else watcher()
            self._kept[series, pairs] = _Tally(self.store, series, pairs, watching), watching
        tally, watching = self._kept[series, pairs]
        tally.read_more()
        return tally.totals, watching


class _Tally:
    """Totals of one pairing, added up in the order of its pairs; chunks wait until all pairs before them are counted."""

    def __init__(self, store: Store, series: int, wanted: int, watcher: Watcher | None = None) -> None:
        self.series = series
        self.wanted = wanted
        self.totals = PairTotals()
        self.ended = False
        self._store = store
        self._watcher = watcher
        self._waiting: dict[int, tuple[int, float, Arrays]] = {}  # first pair -> pairs, seconds, arrays
        self.read_more()

    def read_more(self) -> None:
        """Count the pairs in the store that follow those counted so far."""
        if self.ended:
            return
        for first, count, seconds, arrays in self._store.chunks(self.series, self.totals.pairs, self.wanted):
            self._waiting[first] = count, seconds, arrays
            self._catch_up()
            if self.ended:
                break

    def missing(self) -> list[tuple[int, int]]:
        """(first, count) of the pairs that the store lacks."""
        return self._store.missing(self.series, self.wanted)

    def keep(self, chunk: Chunk, result: PairResults) -> bool:
        """Add a chunk to the store and, once no pair before it is missing, to the totals.

        Returns False if another process has added some of these pairs; its results are counted instead.
        """
        arrays = result.arrays()
        is_new = self._store.add(self.series, chunk.first, chunk.count, result.seconds, arrays)
        if is_new:
            self._waiting[chunk.first] = chunk.count, result.seconds, arrays
            self._catch_up()
        else:
            self._waiting.clear()
            self.read_more()
        return is_new

    def _catch_up(self) -> None:
        while self.totals.pairs in self._waiting and not self.ended:
            count, seconds, arrays = self._waiting.pop(self.totals.pairs)
            self._count(min(count, self.wanted - self.totals.pairs), count, seconds, arrays)
            self.ended |= self.totals.pairs >= self.wanted

    def _count(self, pairs: int, of: int, seconds: float, arrays: Arrays) -> None:
        """Add the first `pairs` of a chunk of `of` pairs, or fewer if the watcher ends the pairing."""
        if self._watcher is not None:
            pairs = self._watcher.watch(arrays["results"][: 2 * pairs])
            self.ended = self._watcher.has_enough
        if pairs:
            cut = {name: array[: len(array) // of * pairs] for name, array in arrays.items()}
            self.totals += PairTotals.of(cut, seconds * pairs / of)


class _Reporter:
    """Calls the progress callback at most five times a second and at the end."""

    def __init__(self, tallies: Sequence[_Tally], execution: StartedExecution, text: ProgressText) -> None:
        self._tallies = tallies
        self._execution = execution
        self._text = text
        self._wanted = 2 * sum(tally.wanted for tally in tallies)
        self._done = 2 * sum(execution.store.done(tally.series, tally.wanted) for tally in tallies)
        self._reported = time.perf_counter()

    def report(self, games: int, last: bool = False) -> None:
        """Add `games` finished games and report if due."""
        self._done = min(self._wanted, self._done + games)
        now = time.perf_counter()
        if self._execution.progress is not None and (last or now - self._reported >= _SECONDS_BETWEEN_REPORTS):
            self._reported = now
            text = self._text if isinstance(self._text, str) else self._text([tally.totals for tally in self._tallies])
            self._execution.report(self._done, self._wanted, text)
