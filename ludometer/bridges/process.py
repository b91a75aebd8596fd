"""Processes for code of other projects: they exchange lines and can be ended at any time."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop

_LONGEST_ANSWER = 10_000  # bytes
_GLANCE = 0.01  # seconds between two looks at a request to stop


class NoAnswer(LudometerError):
    """The process gave no answer and was ended; the text says why, in one line."""


class TooSlow(NoAnswer):
    """The answer did not come in time."""


class LineProcess:
    """A program that exchanges lines of text."""

    longest = _LONGEST_ANSWER  # bytes of a line

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """Start a program; raises NoAnswer if it cannot be started."""
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={**os.environ, "PYTHONHASHSEED": "0"},  # so that the same seed gives the same game
                start_new_session=True,  # what it starts in turn ends with it
            )
        except OSError as error:
            raise NoAnswer(f"it cannot be started: {(error.strerror or str(error)).lower()}") from error
        self._read = b""
        self._finalizer = weakref.finalize(self, _end, self.process)

    def send(self, line: bytes) -> None:
        """Send a line; raises NoAnswer if the process has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):  # a pipe closed there, or here
            raise self._given_up("its process has ended") from None

    def line(self, deadline: float | None, slow: str, waiting_for: str, stop: Stop | None = None) -> bytes:
        """The next line, without its end.

        Raises TooSlow with the text `slow` when the clock (`time.monotonic`) passes the deadline, NoAnswer if the process has ended
        or a line is too long, and Stopped once a stop is asked for; the process has ended then.
        """
        try:
            line = self._line(deadline, waiting_for, stop)
        except LudometerError:
            self.end()
            raise
        if line is None:
            self.end()
            raise TooSlow(slow)
        return line

    def _line(self, deadline: float | None, waiting_for: str, stop: Stop | None) -> bytes | None:
        """The next line; None if it takes too long."""
        assert self.process.stdout is not None
        while b"\n" not in self._read:
            if stop is not None:
                stop.check(waiting_for)
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            glance = wait if stop is None else _GLANCE if wait is None else min(_GLANCE, wait)
            if not select.select([self.process.stdout], [], [], glance)[0]:
                if deadline is not None and time.monotonic() >= deadline:
                    return None
                continue
            part = os.read(self.process.stdout.fileno(), 65536)
            self._read += part
            if not part:
                raise self._given_up("its process has ended")
            if len(self._read) > self.longest and b"\n" not in self._read[: self.longest + 1]:
                raise self._given_up(self.nonsense)
        line, _, self._read = self._read.partition(b"\n")
        return line

    nonsense = "its process answered nonsense"

    def _given_up(self, reason: str) -> NoAnswer:
        self.end()
        return NoAnswer(reason)

    def end(self) -> None:
        """End the process and its child processes.  May be called twice."""
        self._finalizer()


class WorkerProcess(LineProcess):
    """A Python script that answers requests; lines are JSON."""

    def __init__(self, script: Path, *arguments: str, folder: Path | None = None) -> None:
        super().__init__([sys.executable, "-P", str(script), *arguments], folder)

    def tell(self, request: dict[str, Any]) -> None:
        """Send a request; raises NoAnswer if the process has ended."""
        self.send(json.dumps(request).encode())

    def answer(self, seconds: float | None, waiting_for: str, stop: Stop | None = None) -> dict[str, Any]:
        """The answer to a request.

        Raises NoAnswer after `seconds` without one (None: no limit), and Stopped once a stop is asked for; the process has
        ended then.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        line = self.line(deadline, "" if seconds is None else f"more than {seconds:g} s for {waiting_for}", waiting_for, stop)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise self._given_up(self.nonsense)
        if "error" in answer:
            raise self._given_up(str(answer["error"]))
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:  # not waited for: the number still belongs to it, even if it has ended
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue  # a request that could not be written any more
