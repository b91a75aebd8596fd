"""Two processes with the same work on one store: both come to the same end, whatever the order of their steps.

The interleavings are enumerated in one process: two calls of `play_pairings` in two threads, of which one runs at a time, take turns at
every access to the store.  Processes of their own are in the last tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import PairResults
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.stopping import Stop

ENDLESS = 500  # accesses to the store that no run of these needs


class Turns:
    """Lets two threads run alternately: `lengths` are the accesses to the store of each turn; the last turns are unlimited."""

    def __init__(self, first: int, lengths: tuple[int, ...]) -> None:
        self._left = list(lengths)
        self._running = first
        self._is_over = [False, False]
        self._changed = threading.Condition()
        self.steps = 0

    def begin(self, thread: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._running == thread)

    def step(self, thread: int) -> None:
        with self._changed:
            self.steps += 1
            assert self.steps < ENDLESS, "no end in sight"
            if self._left and not self._is_over[1 - thread]:
                self._left[0] -= 1
                if self._left[0] < 0:
                    self._left.pop(0)
                    self._hand_over(thread)
            self._changed.wait_for(lambda: self._running == thread)

    def _hand_over(self, thread: int) -> None:
        self._running = 1 - thread
        self._changed.notify_all()

    def end(self, thread: int) -> None:
        with self._changed:
            self._is_over[thread] = True
            self._hand_over(thread)


class SharedStore(Store):
    """One process's view of a store that two share: every access is a step of that process."""

    def __init__(self, shared: Store, step: Callable[[], None]) -> None:
        self.path, self.read_only, self._lock, self._connection = shared.path, False, shared._lock, shared._connection
        self._step = step

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        self._step()
        return super()._rows(query, *values)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._step()
        with super()._transaction():
            yield


class AtOnce:
    """A crew that does a chunk when it is submitted."""

    at_once = 1

    def submit(self, work: Callable[..., Any], chunk: Any, pace: float, stop: Stop) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(chunk, pace, None, stop))
        return done

    def check(self) -> None:
        pass

    def abandon(self, running: Any) -> None:
        pass


@dataclass(frozen=True)
class Drawn:
    """A pairing whose pairs are drawn; `pace` decides the sizes of chunks and is no part of its key."""

    pace: float
    name: str = "drawn"
    is_compiled = True
    is_local = False

    def key(self) -> dict[str, Any]:
        return {"name": self.name}

    document = key

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> PairResults:
        lengths = np.repeat(np.arange(first, first + count, dtype=np.int32), 2)  # so that a pair counted twice would be seen
        return PairResults(np.zeros(2 * count, np.int8), None, lengths, None, count * self.pace)


def together(first: int, lengths: tuple[int, ...], pairs: int, paces: tuple[float, float], names: tuple[str, ...]) -> list[Any]:
    """What two processes find that work on one store in this order of steps; an error in place of a result that one does not find."""
    turns = Turns(first, lengths)
    found: list[Any] = [None, None]
    with Store.in_memory() as shared, Execution(shared).started() as work:

        def process(thread: int) -> None:
            crew: Any = AtOnce()
            turns.begin(thread)
            try:
                own: Any = replace(work, store=SharedStore(shared, lambda: turns.step(thread)), crew=crew)
                wants: Any = [(Drawn(paces[thread], name), pairs) for name in names]
                found[thread] = play_pairings(wants, own)
            except BaseException as error:
                found[thread] = error
            finally:
                turns.end(thread)

        threads = [threading.Thread(target=process, args=(thread,)) for thread in (0, 1)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    return found


def check_interleavings(switches: int, reach: int, pairs: int, names: tuple[str, ...] = ("drawn",)) -> int:
    """Every way to switch so often, each turn of up to `reach` accesses; returns how many there were."""
    paces = (0.3, 0.2)  # chunks of two and of three pairs: they overlap in part
    wants: Any = [(Drawn(0.1), pairs)]
    (alone,) = play_pairings(wants, Execution(workers=1))
    tried = 0
    for lengths in product(range(reach), repeat=switches):
        for first in (0, 1):
            tried += 1
            for totals in together(first, lengths, pairs, paces, names):
                assert isinstance(totals, list), (first, lengths, totals)
                for total in totals:
                    assert (total.counts, total.lengths) == (alone.counts, alone.lengths), (first, lengths)
    return tried


def test_two_schedulers_over_one_store_come_to_one_end() -> None:
    assert check_interleavings(switches=3, reach=12, pairs=6) == 2 * 12**3
    assert check_interleavings(switches=2, reach=16, pairs=5, names=("one", "other")) == 2 * 16**2


@pytest.mark.nightly
def test_two_schedulers_over_one_store_in_many_more_orders() -> None:
    assert check_interleavings(switches=4, reach=14, pairs=7) == 2 * 14**4


def test_pairs_that_another_process_adds_unseen_are_counted() -> None:
    """It fills the store after the last look at it, and leaves nothing to play."""
    drawn: Any = Drawn(0.1)
    result = drawn.work(0, 4, 0.0, None)
    with Store.in_memory() as store:

        class Late(Store):
            """Another process adds all pairs just before the missing ones are asked for."""

            def __init__(self) -> None:
                self.path, self.read_only, self._lock, self._connection = store.path, False, store._lock, store._connection

            def missing(self, series: int, units: int) -> list[tuple[int, int]]:
                store.add(series, 0, 4, 0.4, result.arrays())
                return super().missing(series, units)

        totals: list[PairTotals] = []
        working = threading.Thread(target=lambda: totals.extend(play_pairings([(drawn, 4)], Execution(Late()))), daemon=True)
        working.start()
        working.join(60)
        assert totals and totals[0].pairs == 4


COMMAND = ("tournament", "quixo:3", "random", "mcts:10", "mcts:50", "alphabeta:1", "--seed", "7", "--json")


def tournaments_at_once(folder: Path, games: int) -> None:
    """Two processes of one tournament on one store end, and find the same."""
    words = [sys.executable, "-m", "ludometer", *COMMAND, "--games", str(games)]
    environment = {**os.environ, "LUDOMETER_HOME": str(folder)}
    processes = [
        subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[3])
        for _ in range(2)
    ]
    try:
        printed = [process.communicate(timeout=300)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0, 0]
    one, other = ([(row["a"], row["b"], row["games"], row["pairs"]) for row in json.loads(text)["pairs"]] for text in printed)
    assert one == other and all(row[2] == games for row in one)


@pytest.mark.process
def test_two_processes_with_one_tournament(tmp_path: Path) -> None:
    for number in range(2):
        tournaments_at_once(tmp_path / str(number), 4000)


@pytest.mark.nightly
def test_two_processes_with_one_tournament_again_and_again(tmp_path: Path) -> None:
    for number in range(40):
        tournaments_at_once(tmp_path / str(number), 4000)
