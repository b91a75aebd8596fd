"""A lock that admits one writer to a folder; the system releases it when the process dies in any way."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludometer.core.errors import shorten
from ludometer.core.files import reason
from ludometer.core.stopping import Stop
from ludometer.solvers.files.table_files import TableError

LOCK = "lock"  # the file that is locked; it stays behind, and its existence alone means nothing

_PATIENCE = 60.0  # seconds to wait for a run of this process that was asked to stop

_held: dict[Path, Stop | None] = {}  # folders this process writes in, and the request that may end that
_changed = threading.Condition()


@contextmanager
def locked(folder: Path, stop: Stop | None = None) -> Iterator[None]:
    """Hold a folder for writing; raises TableError if another run holds it.  `stop`: the request that may end the work.

    Waits up to 60 s for a run of this process that was asked to stop.
    """
    key = folder.resolve()
    busy = TableError(f"another run is solving in {shorten(str(folder), 120)}; wait for it or choose another folder")
    with _changed:
        _changed.wait_for(lambda: not _is_ending(key), _PATIENCE)
        if key in _held:
            raise busy
        _held[key] = stop
    try:
        try:
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as error:
            raise TableError(f"cannot write in {shorten(str(folder), 120)}: {reason(error)}") from error
        try:
            try:
                _lock(descriptor)
            except OSError as error:
                raise busy from error
            yield
        finally:
            os.close(descriptor)
    finally:
        with _changed:
            del _held[key]
            _changed.notify_all()


def _is_ending(key: Path) -> bool:
    stop = _held.get(key)
    return stop is not None and stop.asked


def _lock(descriptor: int) -> None:
    """Lock an open file until it is closed or the process dies; raises OSError if another process has it.

    Child processes do not inherit such a lock: a worker that outlives a killed run must not keep the next one out.  Nor does it tell
    threads apart, hence the table of folders above.
    """
    if importlib.util.find_spec("fcntl") is not None:
        import fcntl

        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        _lock_on_windows(descriptor)


def _lock_on_windows(descriptor: int) -> None:
    msvcrt = importlib.import_module("msvcrt")
    msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
