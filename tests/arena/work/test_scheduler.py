"""The work loop with subjects that are no games: order, shares, stopping, errors."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import pytest

from ludometer.arena.work.execution import Execution
from ludometer.arena.work.executors import Workers
from ludometer.arena.work.scheduler import Chunk, do_chunk, work_off
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped


@dataclass(frozen=True)
class Done:
    seconds: float
    units: range


@dataclass(frozen=True)
class Counting:
    """Units are numbers; `pace` is what one takes."""

    name: str
    pace: float = 0.0
    fails_at: int = -1
    seen: list[int] = field(default_factory=list, compare=False, hash=False)
    is_compiled = True
    is_local = False

    def key(self) -> dict[str, Any]:
        return {"name": self.name}

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> Done:
        for unit in range(first, first + count):
            if stop is not None and stop.asked:
                raise Stopped("stopped")
            if unit == self.fails_at:
                raise LudometerError(f"{self.name} cannot do {unit}")
            self.seen.append(unit)
            time.sleep(self.pace)
        return Done(max(1e-9, count * self.pace), range(first, first + count))


def units(kept: list[tuple[Chunk, Done]], subject: Counting) -> list[int]:
    return sorted(unit for chunk, done in kept for unit in done.units if chunk.subject == subject)


def test_every_unit_is_done_once_and_subjects_take_turns() -> None:
    kept: list[tuple[Chunk, Done]] = []
    one, other = Counting("one"), Counting("other", 0.001)
    with Workers(3) as crew:
        work_off([(one, [(0, 500), (700, 300)]), (other, [(2, 60)])], crew, lambda chunk, done: kept.append((chunk, done)) or True, Stop())
    assert units(kept, one) == [*range(500), *range(700, 1000)] and units(kept, other) == list(range(2, 62))
    started = [chunk.subject.name for chunk, _ in kept]
    assert set(started[:6]) == {"one", "other"}
    assert all(
        later <= 8 * earlier
        for earlier, later in zip(
            [1] + [len(d.units) for c, d in kept if c.subject == other], [len(d.units) for c, d in kept if c.subject == other]
        )
    )


def test_what_nobody_needs_any_more_is_not_done() -> None:
    subject, other = Counting("one", 0.001), Counting("other", 0.001)
    kept: list[Chunk] = []

    def keep(chunk: Chunk, done: Done) -> bool:
        kept.append(chunk)
        return chunk.subject == other or chunk.first < 5

    with Workers(1) as crew:
        work_off([(subject, [(0, 10**9)]), (other, [(0, 20)])], crew, keep, Stop())
    assert len(subject.seen) < 200 and len(other.seen) == 20


def test_an_error_is_told_and_what_was_finished_is_kept() -> None:
    kept: list[Chunk] = []
    subject = Counting("one", fails_at=300)
    with Workers(2) as crew, pytest.raises(LudometerError, match="one cannot do 300"):
        work_off([(subject, [(0, 1000)])], crew, lambda chunk, done: kept.append(chunk) or True, Stop())
    assert sum(chunk.count for chunk in kept) >= 64


def test_stopping_is_prompt() -> None:
    stop = Stop()
    subject = Counting("one", 0.01)
    threading.Timer(0.3, stop.ask).start()
    with Workers(2) as crew:
        work_off([(subject, [(0, 10**9)])], crew, lambda chunk, done: True, stop)
    assert stop.asked and len(subject.seen) < 10_000


def test_a_subject_is_asked_for_once() -> None:
    with Workers(1) as crew, pytest.raises(LudometerError, match="asked for twice"):
        work_off([(Counting("one"), [(0, 1)]), (Counting("one"), [(1, 1)])], crew, lambda chunk, done: True, Stop())


def test_a_worker_with_another_version_is_refused() -> None:
    with pytest.raises(LudometerError, match="another name"):
        do_chunk(Chunk(Counting("one"), 0, 1), 0.0, {"name": "two"}, None)


def test_workers_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludometer.arena.work.executors._SECONDS_TO_CONNECT", 0.5)
    with pytest.raises(LudometerError, match="1 or more"):
        Execution(workers=0)
    for address, message in (("here:8786", "not an address"), ("tcp://127.0.0.1:9", "no cluster answers")):
        with pytest.raises(LudometerError, match=message) as caught, Execution(cluster=address).started() as work:
            work_off([(Counting("one"), [(0, 1)])], work.crew, lambda chunk, done: True, work.stop)
        assert "\n" not in str(caught.value)


def test_nothing_is_kept_of_a_subject_that_was_given_up() -> None:
    """Chunks of it that were at work meanwhile are dropped."""

    class Two:
        """Two chunks are at work at a time, and both are finished when the first is waited for."""

        at_once = 2

        def submit(self, work: Any, chunk: Chunk, pace: float, stop: Stop) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_result(work(chunk, pace, None, stop))
            return done

        def check(self) -> None:
            pass

        def abandon(self, running: Any) -> None:
            pass

    kept: list[str] = []
    crew: Any = Two()

    def keep(chunk: Chunk, done: Done) -> bool:
        kept.append(chunk.subject.name)
        return chunk.subject.name == "other"

    one, other = Counting("one"), Counting("other")
    work_off([(one, [(0, 10)])], crew, keep, Stop())
    assert kept == ["one"] and len(one.seen) == 2
    work_off([(Counting("one"), [(0, 100)]), (other, [(0, 4)])], crew, keep, Stop())
    assert kept.count("one") == 2 and len(other.seen) == 4
