"""A time limit for work that looks at a `Stop`."""

from __future__ import annotations

import threading
import time

from ludometer.core.stopping import Stop

_SECONDS_BETWEEN_LOOKS = 0.02


class Deadline:
    """A `stop` that is asked once the caller's is or, after `arm`, once the time since construction is over.

    A context manager: a thread watches the clock while the block lasts.
    """

    def __init__(self, caller: Stop | None, seconds: float | None) -> None:
        self.stop = Stop()
        self.caller = caller or Stop()
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._is_armed = False
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def arm(self) -> None:
        """Let the time count from now on; time that has passed since construction counts."""
        self._is_armed = True
        self._look()

    def _look(self) -> None:
        is_late = self._is_armed and self._ends is not None and time.monotonic() >= self._ends
        if is_late or self.caller.asked:
            self.stop.ask()

    def _watch(self) -> None:
        while not self._ended.wait(_SECONDS_BETWEEN_LOOKS) and not self.stop.asked:
            self._look()

    def __enter__(self) -> Deadline:
        self._watcher.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._ended.set()
        self._watcher.join()
