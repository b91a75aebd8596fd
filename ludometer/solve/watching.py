"""Long compiled work in a thread of its own, while this one says how far it is and can stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

_GLANCE = 0.2  # seconds between two looks
_STACK = 64 << 20  # bytes of stack for searches that call themselves; only what is used costs memory


def run_watched(
    work: Callable[[], Any],
    control: np.ndarray,
    stop: int,
    seconds: float | None = None,
    report: Callable[[], None] | None = None,
) -> Any:
    """What `work()` returns.  It must end soon after control[stop] is set, as happens after `seconds` or when interrupted.

    `report` is called now and then while the work goes on.
    """
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    end = None if seconds is None else time.monotonic() + seconds
    previous = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
    finally:
        threading.stack_size(previous)
    try:
        while thread.is_alive():
            left = _GLANCE if end is None else min(_GLANCE, max(0.0, end - time.monotonic()))
            thread.join(left)
            if end is not None and time.monotonic() >= end and control[stop] == 0:
                control[stop] = 1
            if report is not None and thread.is_alive():
                report()
    except BaseException:
        control[stop] = 1
        thread.join()
        raise
    if failure:
        raise failure[0]
    return outcome[0]
