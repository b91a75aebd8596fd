"""A request to end long work early, which any thread may make and compiled code can see.

    stop = Stop()
    threading.Timer(1.0, stop.ask).start()
    player.choose(position, key, stop)

Work checks the request at least every few hundredths of a second.  Work with a partial result returns it (the best move so far); other
work raises `Stopped` and leaves its files and objects usable.
"""

from __future__ import annotations

import numpy as np

from ludometer.core.errors import LudometerError


class Stopped(LudometerError):
    """Work that was asked to stop before it had a result."""


class Stop:
    """A request to stop; not made at first."""

    __slots__ = ("flag",)

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)  # 1 once asked; compiled code reads this array

    @property
    def asked(self) -> bool:
        return bool(self.flag[0])

    def ask(self) -> None:
        """Make the request, from any thread and any number of times."""
        self.flag[0] = 1

    def check(self, what: str = "the work") -> None:
        """Raise Stopped if the request was made."""
        if self.asked:
            raise Stopped(f"{what} was stopped")
