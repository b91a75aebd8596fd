"""Time limits on systems whose clock compiled code cannot read: a thread watches it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ludometer.core.stopping import Stop

_BETWEEN_LOOKS = 0.01  # seconds between two looks at what others ask for
SAFETY = 0.002  # seconds before the limit at which an answer is asked for


@contextmanager
def alarm(seconds: float, stop: Stop | None = None) -> Iterator[Stop]:
    """Yields what work is to look at: it is asked to stop when `stop` is and, where compiled code has no clock, after these seconds.

    0 seconds are no limit.
    """
    from ludometer.core.compiling.clock import HAS_CLOCK

    if HAS_CLOCK or not seconds:
        yield stop or Stop()
        return
    with ringing_after(seconds, stop) as bell:
        yield bell


@contextmanager
def ringing_after(seconds: float, stop: Stop | None = None) -> Iterator[Stop]:
    """Yields a request to stop that is made after so many seconds, or soon after `stop` is."""
    bell, done = Stop(), threading.Event()

    def watch() -> None:
        left = max(seconds / 2, seconds - SAFETY)
        while left > 0 and not (stop and stop.asked) and not done.wait(min(left, _BETWEEN_LOOKS)):
            left -= _BETWEEN_LOOKS
        if not done.is_set():
            bell.ask()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield bell
    finally:
        done.set()
        thread.join()
