"""Locks between processes that need the same compiled code: one compiles it, the others wait and load it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows: every process compiles for itself
    fcntl = None  # type: ignore[assignment]  # a module or None

LONGEST_WAIT = 120.0  # seconds; after that a process compiles what another one holds
_POLLING = 0.05  # seconds


class CompileLock:
    """A lock on one file of compiled code, held until `release` or until the process ends."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def release(self) -> None:
        """Let other processes have the lock."""
        with contextlib.suppress(OSError):
            os.unlink(self._stream.name)
        self._stream.close()


def acquire(file: Path, is_ready: Callable[[], bool], longest_wait: float = LONGEST_WAIT) -> CompileLock | None:
    """The lock of `file`, once no other process holds it; None if `is_ready` or time runs out first, or if there can be no lock.

    A lock only saves work: a process that gets None may compile and write the file, which is replaced as a whole.
    """
    if fcntl is None:
        return None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        stream: BinaryIO = open(file.with_name(f"{file.name}.lock"), "ab")  # noqa: SIM115  # stays open while the lock is held
    except OSError:
        return None
    until = time.monotonic() + longest_wait
    try:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return CompileLock(stream)
            except BlockingIOError:
                if is_ready() or time.monotonic() > until:
                    break
                time.sleep(_POLLING)
    except OSError:  # a file system without locks
        pass
    except BaseException:
        stream.close()
        raise
    stream.close()
    return None
