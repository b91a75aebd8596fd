"""Many pairings at once: the pairs that a store does not have yet are played, and those of all origins are added up.

    with Store(path) as store:
        totals = play_pairings(store, [(first_pairing, 500), (second_pairing, 200)])
        totals[0].counts.score

What comes out depends on the pairings and the numbers of pairs alone: totals are of pairs 0, 1, 2, … without a gap, whoever played
them, in whatever order they were finished.  Matches, tournaments and ladders are made of this.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ludometer.arena.measurements.pairs import Pairing, PairResults
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.work.executors import Workers
from ludometer.arena.work.scheduler import Chunk, work_off
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop

_SECONDS_BETWEEN_REPORTS = 0.2

Arrays = dict[str, np.ndarray]


class Watcher(Protocol):
    """Somebody who sees the pairs of a pairing in their order and may end it."""

    def watch(self, results: np.ndarray) -> int:
        """See more pairs, as results of the first player (int8 [game]); returns how many of them count."""

    @property
    def has_enough(self) -> bool:
        """Whether the pairing ends with the pairs that counted so far."""


@dataclass(frozen=True)
class PlayProgress:
    """How far several pairings are."""

    wanted: int  # games
    done: int  # games that are in the store, also those that wait for others before them
    rate: float  # games a second in this run
    seconds_left: float | None
    totals: Sequence[PairTotals]  # of each pairing, of its pairs in order


OnPlayProgress = Callable[[PlayProgress], None]


@contextmanager
def opened(store: Store | None) -> Iterator[Store]:
    """The given store, or one in memory for as long as the block lasts."""
    with Store.in_memory() if store is None else nullcontext(store) as kept:
        yield kept


def play_pairings(
    store: Store,
    wants: Sequence[tuple[Pairing, int]],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    crew: Workers | None = None,
    watchers: Sequence[Watcher | None] | None = None,
    progress: OnPlayProgress | None = None,
    stop: Stop | None = None,
) -> list[PairTotals]:
    """Play what is missing of so many pairs of each pairing, and return the totals of each, in the order of `wants`.

    workers, cluster   as `Workers` takes them; or `crew`, ready-made workers that several calls share
    watchers           one for each pairing, or None: sees its pairs in order and may end it early
    progress           is told several times a second, and at the end
    stop               once asked, what is finished is kept, and the totals are of the pairs there are

    The same pairing may not be asked for twice.  Raises LudometerError for an agent that has no move, and StoreError.
    """
    stop = stop or Stop()
    seen = watchers or [None] * len(wants)
    by_pairing = {
        pairing: _Tally(store, store.series(pairing.key(), pairing.document()), pairs, watcher)
        for (pairing, pairs), watcher in zip(wants, seen, strict=True)
    }
    if len(by_pairing) < len(wants):
        raise LudometerError("a pairing is asked for twice; ask for it once, with the larger number of pairs")
    tallies = list(by_pairing.values())
    reporter = _Reporter(tallies, progress)

    def keep(chunk: Chunk, result: PairResults) -> bool:
        tally = by_pairing[chunk.subject]
        tally.keep(chunk, result)
        reporter.report(2 * chunk.count)
        return not tally.ended

    with _crew(crew, workers, cluster, any(not tally.ended for tally in tallies)) as working:
        while (missing := [(pairing, tally.gaps()) for pairing, tally in by_pairing.items() if not tally.ended]) and not stop.asked:
            work_off(missing, working, keep, stop)  # again if another process has left something undone
    reporter.report(0, last=True)
    return [tally.totals for tally in tallies]


class Tallies:
    """Totals of series that somebody else may be adding to: asked again, what was counted once is not read again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._kept: dict[tuple[int, int], tuple[_Tally, Watcher | None]] = {}

    def totals(self, series: int, pairs: int, watcher: Callable[[], Watcher] | None = None) -> tuple[PairTotals, Any]:
        """The totals of the first `pairs` pairs as far as they are there, and who watched them, made by `watcher` at first."""
        if (series, pairs) not in self._kept:
            watching = None if watcher is None else watcher()
            self._kept[series, pairs] = _Tally(self.store, series, pairs, watching), watching
        tally, watching = self._kept[series, pairs]
        tally.read_more()
        return tally.totals, watching


def _crew(crew: Workers | None, workers: int | None, cluster: str | None, needed: bool) -> AbstractContextManager[Workers]:
    """The workers of the caller, or new ones; of a cluster only where there is work for it."""
    if crew is not None:
        return nullcontext(crew)
    return Workers(workers, cluster if needed else None)


class _Tally:
    """The pairs of one pairing, added up in their order; chunks that come too early wait."""

    def __init__(self, store: Store, series: int, wanted: int, watcher: Watcher | None = None) -> None:
        self.series = series
        self.wanted = wanted
        self.totals = PairTotals()
        self.ended = False
        self._store = store
        self._watcher = watcher
        self._waiting: dict[int, tuple[int, float, Arrays]] = {}  # first pair -> how many, seconds, arrays
        self.read_more()

    def read_more(self) -> None:
        """Count what the store has beyond the pairs counted so far."""
        if self.ended:
            return
        for first, count, seconds, arrays in self._store.chunks(self.series, self.totals.pairs, self.wanted):
            self._waiting[first] = count, seconds, arrays
            self._catch_up()
            if self.ended:
                break

    def gaps(self) -> list[tuple[int, int]]:
        """(first, count) of the pairs that nobody has played."""
        return self._store.missing(self.series, self.wanted)

    def keep(self, chunk: Chunk, result: PairResults) -> None:
        """Into the store and, as soon as no pair before it is missing, into the totals."""
        arrays = result.arrays()
        if self._store.add(self.series, chunk.first, chunk.count, result.seconds, arrays):
            self._waiting[chunk.first] = chunk.count, result.seconds, arrays
            self._catch_up()
        else:  # another process was faster with some of these pairs
            self._waiting.clear()
            self.read_more()

    def _catch_up(self) -> None:
        while self.totals.pairs in self._waiting and not self.ended:
            count, seconds, arrays = self._waiting.pop(self.totals.pairs)
            self._count(min(count, self.wanted - self.totals.pairs), count, seconds, arrays)
            self.ended |= self.totals.pairs >= self.wanted

    def _count(self, pairs: int, of: int, seconds: float, arrays: Arrays) -> None:
        """Add the first `pairs` of a chunk of `of` pairs, or fewer if the watcher says so."""
        if self._watcher is not None:
            pairs = self._watcher.watch(arrays["results"][: 2 * pairs])
            self.ended = self._watcher.has_enough
        if pairs:
            cut = {name: array[: len(array) // of * pairs] for name, array in arrays.items()}
            self.totals += PairTotals.of(cut, seconds * pairs / of)


class _Reporter:
    """Tells `progress` now and then."""

    def __init__(self, tallies: Sequence[_Tally], progress: OnPlayProgress | None) -> None:
        self._tallies = tallies
        self._progress = progress
        self._wanted = 2 * sum(tally.wanted for tally in tallies)
        self._before = 2 * sum(tally._store.done(tally.series, tally.wanted) for tally in tallies)
        self._new = 0
        self._began = time.perf_counter()
        self._told = self._began

    def report(self, games: int, last: bool = False) -> None:
        self._new += games
        now = time.perf_counter()
        if self._progress is None or not (last or now - self._told >= _SECONDS_BETWEEN_REPORTS):
            return
        self._told = now
        rate = self._new / max(now - self._began, 1e-9)
        done = min(self._wanted, self._before + self._new)
        left = (self._wanted - done) / rate if rate > 0 else None
        self._progress(PlayProgress(self._wanted, done, rate, left, [tally.totals for tally in self._tallies]))
