"""Threads that share a list of tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from ludometer.core.stopping import Stop
from ludometer.solvers.task_graph import run_all

Result = TypeVar("Result")

_WAITING = 3  # tasks with the pool for each thread


class Threads:
    """A pool of threads for kernels, which release the interpreter lock.  Looks at `stop` between tasks."""

    def __init__(self, count: int, stop: Stop) -> None:
        self.count = count
        self.stop = stop
        self._pool = ThreadPoolExecutor(count) if count > 1 else None

    def run(self, work: Callable[[int], Result], tasks: Sequence[int]) -> Iterator[Result]:
        """The results of work(task), in the order they come.  Raises Stopped."""
        if self._pool is None or len(tasks) < 2:
            for task in tasks:
                self.stop.check()
                yield work(task)
        else:
            yield from run_all(self._pool, work, tasks, _WAITING * self.count, self.stop)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown()
