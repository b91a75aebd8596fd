"""A limit of time for work that goes on in stages."""

from __future__ import annotations

import threading
import time

from ludometer.core.stopping import Stop

_GLANCE = 0.02  # seconds between two looks at the clock


class Limit:
    """A request to stop that is made when the caller's is or, once armed, when the time is over."""

    def __init__(self, caller: Stop | None, seconds: float | None) -> None:
        self.stop = Stop()
        self.caller = caller or Stop()
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._armed = False
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def arm(self) -> None:
        """From now on time counts; that which has passed does too."""
        self._armed = True
        self._look()

    def _look(self) -> None:
        is_late = self._armed and self._deadline is not None and time.monotonic() >= self._deadline
        if is_late or self.caller.asked:
            self.stop.ask()

    def _watch(self) -> None:
        while not self._ended.wait(_GLANCE) and not self.stop.asked:
            self._look()

    def __enter__(self) -> Limit:
        self._watcher.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._ended.set()
        self._watcher.join()
