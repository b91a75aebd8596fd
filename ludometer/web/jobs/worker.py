"""`python -m ludometer.web.jobs.worker`: one experiment of the lab, in a process of its own with low priority.

The first line on standard input is JSON: {request, store, tables, workers}.  After it the line `stop`, or the end of the input (the lab is
gone), asks for an early end: what is finished by then is in the store, and the same request goes on from there.  Standard output has
JSON lines:

    {"run": 3}                                         the number of its run in the store
    {"done": 40, "total": 200, "text": "…", "rate": 12.5, "left": 13}     how far it is, a few times a second
    {"ended": "done"}                                  or stopped
    {"error": "…"}                                     one line for people
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ludometer.core.errors import Defect, LudometerError
from ludometer.core.stopping import Stop, Stopped

NICENESS = 15
_BETWEEN = 0.25  # seconds between two reports
_lock = threading.Lock()


def say(**line: Any) -> None:
    """Write one line for the lab.  If the lab is gone, further output is dropped."""
    with _lock:
        try:
            print(json.dumps(line), flush=True)
        except (BrokenPipeError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Reporter:
    """Reports progress, with the rate since this process began; units of earlier runs do not count."""

    def __init__(self) -> None:
        self._first: tuple[int, int, float] | None = None  # done, total, when
        self._told = 0.0

    def __call__(self, done: int, total: int, text: str) -> None:
        now = time.monotonic()
        if self._first is None or total != self._first[1] or done < self._first[0]:
            self._first = done, total, now
        if now - self._told < _BETWEEN and done < total:
            return
        self._told = now
        begun, _, since = self._first
        rate = (done - begun) / (now - since) if now > since and done > begun else None
        left = (total - done) / rate if rate and total else None
        say(done=int(done), total=int(total), text=text, rate=rate, left=left)


def main() -> int:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    order = json.loads(sys.stdin.readline())
    stop = Stop()

    def listen() -> None:
        sys.stdin.readline()  # `stop`, or nothing: the lab is gone
        stop.ask()

    threading.Thread(target=listen, daemon=True).start()
    from ludometer.core.compiling.compilation import compilations
    from ludometer.web.jobs.requests import carry_out

    compilations.quiet = True
    folders = [None if order[name] is None else Path(order[name]) for name in ("store", "tables")]
    try:
        ended = carry_out(order["request"], folders[0], folders[1], order["workers"], Reporter(), lambda run: say(run=run), stop)
    except Stopped:
        ended = "stopped"
    except (LudometerError, OSError, Defect) as error:
        say(error=" ".join(str(error).split())[:600])
        return 2
    say(ended=ended)
    return 0


if __name__ == "__main__":
    sys.exit(main())
