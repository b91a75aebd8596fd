"""Progress on standard error: a bar with rate and time left on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ludometer.commands.output import say
from ludometer.core.progress import OnProgress
from ludometer.core.text import duration, short_number

_SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def shown_progress(what: str, unit: str) -> Iterator[OnProgress]:
    """Yield a progress callback; `what` names the work ("solving"), `unit` its unit ("entries")."""
    if sys.stderr.isatty():
        with _bar(what, unit) as report:
            yield report
    else:
        yield _lines(what, unit)


@contextmanager
def _bar(what: str, unit: str) -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[text]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, speed="", text="")
        pace = _Pace()

        def report(done: int, total: int, text: str) -> None:
            bar.update(task, completed=done, total=total or None, speed=pace.text(done, total, unit), text=text)

        yield report


def _lines(what: str, unit: str) -> OnProgress:
    pace = _Pace()
    told = time.perf_counter()

    def report(done: int, total: int, text: str) -> None:
        nonlocal told
        now = time.perf_counter()
        if now - told >= _SECONDS_BETWEEN_LINES:
            told = now
            say(f"{what}: {pace.text(done, total, unit)}; {text}")
        else:
            pace.begin(done)

    return report


class _Pace:
    """The rate since the first report, without the work of earlier runs."""

    def __init__(self) -> None:
        self._first: tuple[int, float] | None = None

    def begin(self, done: int) -> tuple[int, float]:
        if self._first is None:
            self._first = done, time.perf_counter()
        return self._first

    def text(self, done: int, total: int, unit: str) -> str:
        first, since = self.begin(done)
        worked, seconds = done - first, time.perf_counter() - since
        share = f" of {total:,} {unit} ({done / total:.0%})" if total else f" {unit}"
        if worked <= 0 or seconds <= 0:
            return f"{done:,}{share}"
        rate = worked / seconds
        left = f", {duration((total - done) / rate)} left" if total else ""
        return f"{done:,}{share}, {short_number(rate)}/s{left}"
