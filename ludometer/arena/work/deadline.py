"""Time limit for work that can be stopped by a `Stop`."""

from __future__ import annotations

import threading
import time

from ludometer.core.stopping import Stop

_SECONDS_BETWEEN_LOOKS = 0.02


class Deadline:
    """Context manager with a `stop` that is asked when the caller's is, or when `seconds` have passed since construction.

    The time limit takes effect only after `arm`.  A thread watches the clock while the block lasts.
    """

    def __init__(self, caller: Stop | None, seconds: float | None) -> None:
        self.stop = Stop()
        self.caller = caller or Stop()
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._is_armed = False
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def arm(self) -> None:
        """Let the time limit take effect; it counts from construction."""
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
