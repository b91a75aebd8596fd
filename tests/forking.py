"""Work in child processes that are killed: for programs that fork, and therefore have one thread when they do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def child(work: Callable[[], Any]) -> int:
    """Start `work` in a process that shares all that is compiled; returns its id."""
    number = os.fork()
    if number == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)
    return number


def ended_well(number: int) -> bool:
    """Wait for a process; False if it was killed.  Any other end is an error."""
    status = os.waitpid(number, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return False
    if status != 0:
        raise RuntimeError(f"the work ended with status {status}")
    return True


def kill_at_renaming(count: int, after: bool) -> None:
    """From now on this process is killed at the renaming of a file number `count`: just before it or just after."""
    rename = os.replace
    left = count

    def replace(source: Path, destination: Path) -> None:
        nonlocal left
        left -= 1
        if left == 0 and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        rename(source, destination)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    os.replace = replace  # type: ignore[assignment]
