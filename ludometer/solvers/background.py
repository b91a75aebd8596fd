"""Long work in a separate thread, while the calling thread reports progress and can stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ludometer.core.stopping import Stop, Stopped

_GLANCE = 0.02  # seconds between two looks: who asks for an end gets it within 50 ms
_BETWEEN_REPORTS = 0.2
_GRACE = 0.02  # for work that was asked to stop, before it is left to end by itself
_AFTER_INTERRUPT = 1.0
_STACK = 64 << 20  # bytes of stack for searches that call themselves; only what is used costs memory

_stack_guard = threading.Lock()  # the size of the next thread's stack is a setting of the whole process

Result = TypeVar("Result")


class _Work(threading.Thread):
    """A call in a separate thread, and its result or error."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._result: Any = None
        self._failure: BaseException | None = None

    def run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:
            self._failure = error

    def result(self) -> Any:
        """What the call returned or raised; it has ended."""
        if self._failure is not None:
            raise self._failure
        return self._result


def run_stoppable(work: Callable[[Stop], Result], stop: Stop | None, what: str) -> Result:
    """What `work(stop)` returns.  Raises Stopped within 50 ms of a request, KeyboardInterrupt likewise.

    Work looks at the request often enough to end by itself.  What cannot look, such as compiling, is left to end behind our back.
    """
    request = stop or Stop()
    thread = _Work(lambda: work(request))
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_GLANCE)
            if request.asked:
                thread.join(_GRACE)
                if thread.is_alive():
                    raise Stopped(f"{what} was stopped")
    except KeyboardInterrupt:
        request.ask()
        thread.join(_AFTER_INTERRUPT)
        raise
    result: Result = thread.result()
    return result


def run_watched(
    work: Callable[[], Any],
    control: np.ndarray,
    place: int,
    seconds: float | None = None,
    report: Callable[[], None] | None = None,
    stop: Stop | None = None,
) -> Any:
    """What `work()` returns.  It must end soon after control[place] is set, as happens after `seconds` or when asked to stop.

    `report` is called now and then while the work goes on.  Raises Stopped.
    """
    thread = _Work(work)
    with _stack_guard:
        previous = threading.stack_size(_STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(previous)
    now = time.monotonic()
    end = None if seconds is None else now + seconds
    told = now
    try:
        while thread.is_alive():
            thread.join(_GLANCE if end is None else min(_GLANCE, max(0.0, end - now)))
            now = time.monotonic()
            if ((end is not None and now >= end) or (stop is not None and stop.asked)) and control[place] == 0:
                control[place] = 1
            if report is not None and now - told >= _BETWEEN_REPORTS and thread.is_alive():
                told = now
                report()
    except BaseException:
        control[place] = 1
        thread.join()
        raise
    if stop is not None:
        stop.check()
    return thread.result()
