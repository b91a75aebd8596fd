"""Scheduler: works off series in chunks on threads, processes or a cluster.

A *subject* has numbered units of work whose results depend on the subject and the number alone, such as the pairs of games of a
pairing.  The size of chunks is adapted to measured time, so that a chunk takes about a second.  The results do not depend on it, nor
on interruptions.

    with Workers(workers, cluster) as crew:
        work_off([(pairing, [(0, 1000)])], crew, keep)

All work is submitted to a `concurrent.futures.Executor`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Protocol

from ludometer.arena.work.executors import Workers
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped

AIM = 0.7  # seconds that a chunk should take
_LEAST = 0.05  # seconds: shortest chunk towards the end, where chunks shrink so that all workers end together
_MOST_GROWTH = 8  # largest ratio of the sizes of successive chunks
_GLANCE = 0.05  # seconds between two checks of `stop`
_GRACE = 1.0  # seconds that running chunks have to end once `stop` was asked

Gap = tuple[int, int]  # (first unit, how many)


class Timed(Protocol):
    """What a chunk of work returns."""

    @property
    def seconds(self) -> float:
        """Seconds of work on one core."""


class Subject(Protocol, Hashable):
    """Series that can be worked on.  It can be sent to another process unless `is_local`."""

    @property
    def is_compiled(self) -> bool:
        """Whether the work is compiled code that releases the interpreter lock, so that threads suffice."""

    @property
    def is_local(self) -> bool:
        """Whether only this process can do the work, in threads."""

    def key(self) -> dict[str, Any]:
        """Everything that the results depend on, version and rules included."""

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> Timed:
        """Do `count` units from `first` on; raises Stopped once asked.  `pace` is seconds per unit as measured so far, 0 if unknown."""


@dataclass(frozen=True)
class Chunk:
    """Units of one subject."""

    subject: Any
    first: int
    count: int


OnChunk = Callable[[Chunk, Any], bool]  # called with a finished chunk; returns whether its subject needs more


def work_off(wanted: Iterable[tuple[Subject, Sequence[Gap]]], crew: Workers, keep: OnChunk, stop: Stop) -> None:
    """Do the gaps of all subjects in round-robin order; ends early once `stop` is asked.

    `keep` is called with each finished chunk, in this thread.  The first error of a chunk ends the work; chunks finished before are
    kept.
    """
    plan = _Plan(wanted)
    running: dict[Future[Any], Chunk] = {}
    enough = Stop()  # checked by the threads
    stopped_at: float | None = None
    try:
        while plan or running:
            while not stop.asked and len(running) < crew.at_once and (chunk := plan.next(crew.at_once)):
                running[crew.submit(do_chunk, chunk, plan.seconds_per_unit(chunk.subject), enough)] = chunk
            if stop.asked:
                enough.ask()
                stopped_at = stopped_at or time.monotonic()
                if not running or time.monotonic() - stopped_at > _GRACE:
                    return
            crew.check()
            for future in wait(running, timeout=_GLANCE, return_when=FIRST_COMPLETED).done:
                chunk = running.pop(future)
                try:
                    result = future.result()
                except Stopped:
                    continue
                except Exception:
                    if stop.asked:  # Ctrl-C may have ended an external program as well
                        continue
                    raise
                plan.measure(chunk, result.seconds)
                if not plan.is_given_up(chunk.subject) and not keep(chunk, result):
                    plan.give_up(chunk.subject)
            if not plan and all(plan.is_given_up(chunk.subject) for chunk in running.values()):
                return
    except BrokenProcessPool:
        raise LudometerError("a working process died, perhaps for want of memory; the same command goes on with what is done") from None
    except CancelledError:
        raise LudometerError("the cluster is gone; the same command goes on with what is done") from None
    finally:
        enough.ask()
        crew.abandon(running)


def do_chunk(chunk: Chunk, seconds_per_unit: float, key: dict[str, Any] | None, stop: Stop | None) -> Timed:
    """Do a chunk, in this or another process.  In another process `key` is the key that the subject has in the submitting one.

    Raises LudometerError if the keys differ: another version of the program or of a game's rules must not add to the results.
    """
    if key is not None:
        differing = [name for name, value in chunk.subject.key().items() if key.get(name) != value]
        if differing:
            raise LudometerError(f"a worker has another {' and '.join(differing)} of {chunk.subject}; install the same everywhere")
    result: Timed = chunk.subject.work(chunk.first, chunk.count, seconds_per_unit, stop)
    return result


class _Plan:
    """Gaps not started yet, and the size of the next chunk of each subject."""

    def __init__(self, wanted: Iterable[tuple[Subject, Sequence[Gap]]]) -> None:
        self._gaps: dict[Any, deque[Gap]] = {}
        self._turns: deque[Any] = deque()
        self._size: dict[Any, int] = {}  # subject -> units in its next chunk
        self._pace: dict[Any, float] = {}  # subject -> seconds per unit
        self._given_up: set[Any] = set()
        for subject, gaps in wanted:
            if subject in self._gaps:
                raise LudometerError(f"{subject} is asked for twice")
            self._gaps[subject] = deque(gaps)
            if gaps:
                self._turns.append(subject)

    def __bool__(self) -> bool:
        return bool(self._turns)

    def next(self, at_once: int) -> Chunk | None:
        """The next chunk to start; chunks of one subject come in the order of their units."""
        if not self._turns:
            return None
        subject = self._turns.popleft()
        gaps = self._gaps[subject]
        first, there = gaps.popleft()
        left = there + sum(count for _, count in gaps)
        size = self._size.get(subject, 1)
        if not self._turns:  # the last subject: divide its remaining units among the workers
            size = min(size, max(left // (2 * at_once), int(size * _LEAST / AIM), 1))
        count = min(size, there)
        if count < there:
            gaps.appendleft((first + count, there - count))
        if gaps:
            self._turns.append(subject)
        return Chunk(subject, first, count)

    def measure(self, chunk: Chunk, seconds: float) -> None:
        """Update pace and chunk size from a finished chunk."""
        self._pace[chunk.subject] = max(seconds, 1e-6) / chunk.count
        fitting = int(AIM / self._pace[chunk.subject])
        self._size[chunk.subject] = max(1, min(fitting, _MOST_GROWTH * chunk.count))

    def seconds_per_unit(self, subject: Any) -> float:
        return self._pace.get(subject, 0.0)

    def give_up(self, subject: Any) -> None:
        """Start no more chunks of this subject."""
        self._given_up.add(subject)
        self._gaps[subject].clear()
        if subject in self._turns:
            self._turns.remove(subject)

    def is_given_up(self, subject: Any) -> bool:
        return subject in self._given_up
