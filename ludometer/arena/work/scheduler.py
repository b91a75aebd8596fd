"""Work on series in chunks: on threads, processes or a cluster, stopped at any moment, with the same results everywhere.

A *subject* is something with numbered units of work whose results depend on the subject and the number alone: the pairs of games of one
pairing, the positions of one test of moves.  How units are cut into chunks follows the clock, so that a chunk takes about a second;
what a unit gives does not depend on it.

    with Workers(workers, cluster) as crew:
        work_off([(pairing, [(0, 1000)])], crew, keep)

Work goes to a `concurrent.futures.Executor` and to nothing else.
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
_LEAST = 0.05  # seconds: chunks get shorter towards the end, so that all workers end together, but not shorter than this
_MOST_GROWTH = 8  # times that a chunk may be larger than the one before
_GLANCE = 0.05  # seconds between two looks at the request to stop
_GRACE = 1.0  # seconds that chunks have to end by themselves once it was made

Gap = tuple[int, int]  # (first unit, how many)


class Timed(Protocol):
    """What a chunk of work returns."""

    @property
    def seconds(self) -> float:
        """How long it took, on one core."""


class Subject(Protocol, Hashable):
    """What can be worked on.  It can be sent to another process unless it says `is_local`."""

    @property
    def is_compiled(self) -> bool:
        """Whether the work is done by compiled code that lets other threads run: threads are enough for it."""

    @property
    def is_local(self) -> bool:
        """Whether only this process can do it: threads have to be enough."""

    def key(self) -> dict[str, Any]:
        """What the results depend on, version and rules included."""

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> Timed:
        """Do `count` units from `first` on; raises Stopped once asked.  `pace` is seconds per unit as measured so far, 0 if unknown."""


@dataclass(frozen=True)
class Chunk:
    """Units of one subject."""

    subject: Any
    first: int
    count: int


OnChunk = Callable[[Chunk, Any], bool]  # gets a finished chunk and says whether its subject needs more


def work_off(wanted: Iterable[tuple[Subject, Sequence[Gap]]], crew: Workers, keep: OnChunk, stop: Stop) -> None:
    """Do the gaps of all subjects, taking turns between subjects; ends early once `stop` is asked.

    `keep` gets each finished chunk in this thread.  The first error of a chunk ends the work, after what is finished was kept.
    """
    plan = _Plan(wanted)
    running: dict[Future[Any], Chunk] = {}
    enough = Stop()  # what threads look at
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
                    if stop.asked:  # such as a program that Ctrl-C has ended as well
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
    """Do a chunk, here or in another process; there, `key` is what the subject must depend on there too.

    Raises LudometerError where it does not: another version of the program or of a game's rules must not add to the results.
    """
    if key is not None:
        differing = [name for name, value in chunk.subject.key().items() if key.get(name) != value]
        if differing:
            raise LudometerError(f"a worker has another {' and '.join(differing)} of {chunk.subject}; install the same everywhere")
    result: Timed = chunk.subject.work(chunk.first, chunk.count, seconds_per_unit, stop)
    return result


class _Plan:
    """What is still to be started, and how large the next chunk of each subject should be."""

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
        if not self._turns:  # nothing else to fill the workers with: share out what is left
            size = min(size, max(left // (2 * at_once), int(size * _LEAST / AIM), 1))
        count = min(size, there)
        if count < there:
            gaps.appendleft((first + count, there - count))
        if gaps:
            self._turns.append(subject)
        return Chunk(subject, first, count)

    def measure(self, chunk: Chunk, seconds: float) -> None:
        """Learn from a finished chunk."""
        self._pace[chunk.subject] = max(seconds, 1e-6) / chunk.count
        fitting = int(AIM / self._pace[chunk.subject])
        self._size[chunk.subject] = max(1, min(fitting, _MOST_GROWTH * chunk.count))

    def seconds_per_unit(self, subject: Any) -> float:
        return self._pace.get(subject, 0.0)

    def give_up(self, subject: Any) -> None:
        """Nobody needs more of this subject."""
        self._given_up.add(subject)
        self._gaps[subject].clear()
        if subject in self._turns:
            self._turns.remove(subject)

    def is_given_up(self, subject: Any) -> bool:
        return subject in self._given_up
