"""Time limits: where compiled code cannot read the clock, a thread watches it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ludometer.core.stopping import Stop

_CHECK_INTERVAL = 0.01  # seconds between two checks of requests to stop
SAFETY = 0.002  # seconds before the limit at which the search is stopped


@contextmanager
def alarm(seconds: float, stop: Stop | None = None) -> Iterator[Stop]:
    """Yield a Stop that is asked when `stop` is and, where compiled code has no clock, after `seconds`.  0 seconds: no limit."""
    from ludometer.core.compiling.clock import HAS_CLOCK

    if HAS_CLOCK or not seconds:
        yield stop or Stop()
        return
    with ringing_after(seconds, stop) as bell:
        yield bell


@contextmanager
def ringing_after(seconds: float, stop: Stop | None = None) -> Iterator[Stop]:
    """Yield a Stop that is asked after `seconds`, or shortly after `stop` is."""
    bell, done = Stop(), threading.Event()

    def watch() -> None:
        left = max(seconds / 2, seconds - SAFETY)
        while left > 0 and not (stop and stop.asked) and not done.wait(min(left, _CHECK_INTERVAL)):
            left -= _CHECK_INTERVAL
        if not done.is_set():
            bell.ask()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield bell
    finally:
        done.set()
        thread.join()
