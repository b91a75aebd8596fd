"""A request to end long work early, which any thread may make and compiled code can see.

    stop = Stop()
    threading.Timer(1.0, stop.ask).start()
    player.choose(position, key, stop)

Who does the work looks at it at least every few hundredths of a second.  Work that has something to show for itself by then returns it
(the best move so far); all other work raises `Stopped` and leaves what it worked on usable.
"""

from __future__ import annotations

import numpy as np

from ludometer.core.errors import LudometerError


class Stopped(LudometerError):
    """Work that was asked to stop before it had a result."""


class Stop:
    """Whether somebody has asked for an end."""

    __slots__ = ("flag",)

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)  # 1 once asked; compiled code is handed this array and reads it now and then

    @property
    def asked(self) -> bool:
        return bool(self.flag[0])

    def ask(self) -> None:
        """End the work soon.  May be called from any thread and any number of times."""
        self.flag[0] = 1

    def check(self, what: str = "the work") -> None:
        """Raise Stopped if an end was asked for."""
        if self.asked:
            raise Stopped(f"{what} was stopped")
