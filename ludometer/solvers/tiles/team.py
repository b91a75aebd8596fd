"""Threads that share the rows of a table."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

Result = TypeVar("Result")

_AT_A_TIME = 1 << 16  # entries in the rows of one call
_WORTH_A_THREAD = 1 << 15  # entries below which another thread costs more time than it saves


class Team:
    """`threads` threads, including the calling one.  Their work releases the interpreter lock."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def over(self, begin: int, end: int, width: int, work: Callable[[int, int], Result], busy: int | None = None) -> list[Result]:
        """Call work(first row, end) for parts of the rows begin..end; returns the results in any order.

        `width`: entries of a row.  `busy`: number of rows with work in them, all by default.
        """
        threads = min(self.threads, (end - begin if busy is None else busy) * width // _WORTH_A_THREAD)
        if busy == 0:
            return []
        if self._pool is None or threads < 2:
            return [work(begin, end)]
        step = max(1, min(_AT_A_TIME // max(1, width), (end - begin) // (4 * threads)))
        firsts = itertools.count(begin, step)

        def take_turns() -> list[Result]:
            found = []
            while (first := next(firsts)) < end:
                found.append(work(first, min(end, first + step)))
            return found

        others = [self._pool.submit(take_turns) for _ in range(threads - 1)]
        results = take_turns()
        for other in others:
            results += other.result()
        return results

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def __enter__(self) -> Team:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
