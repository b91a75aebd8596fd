"""Tasks run in order of their dependences by any `concurrent.futures.Executor`."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import Any, TypeVar

from ludometer.core.stopping import Stop

Task = TypeVar("Task", bound=Hashable)
Result = TypeVar("Result")

_GLANCE = 0.02  # seconds between two checks for a request to stop


def run_graph(
    needs: Mapping[Task, Sequence[Task]],
    size: Callable[[Task], float],
    submit: Callable[[Task], Future[Any]],
    finished: Callable[[Task, Any], None],
    at_once: int | None = None,
    stop: Stop | None = None,
) -> None:
    """Run every task of `needs` after those it needs; a needed name that is no task counts as done.

    Of the tasks that are ready, the one with the longest critical path goes first (sizes added up along the tasks that wait for it).  At
    most `at_once` are submitted at a time; None submits all that are ready.  `finished` is called in this thread.  The first exception of a
    task ends the run once the tasks that have begun are done.  A request to stop does the same, with Stopped.
    """
    missing = {task: sum(need in needs for need in wanted) for task, wanted in needs.items()}
    waiting: dict[Task, list[Task]] = {task: [] for task in needs}
    for task, wanted in needs.items():
        for need in wanted:
            if need in waiting:
                waiting[need].append(task)
    way = _longest_ways(needs, waiting, size)
    ready = [(-way[task], number, task) for number, task in enumerate(needs) if missing[task] == 0]
    numbers = {task: number for number, task in enumerate(needs)}
    heapq.heapify(ready)
    running: dict[Future[Any], Task] = {}
    try:
        while ready or running:
            while ready and (at_once is None or len(running) < at_once):
                task = heapq.heappop(ready)[2]
                running[submit(task)] = task
            for future in _first_done(running, stop):
                task = running.pop(future)
                finished(task, future.result())
                for later in waiting[task]:
                    missing[later] -= 1
                    if missing[later] == 0:
                        heapq.heappush(ready, (-way[later], numbers[later], later))
    finally:
        for future in running:
            future.cancel()
        wait(running)


def run_all(
    executor: Executor, work: Callable[[Task], Result], tasks: Iterable[Task], at_once: int, stop: Stop | None = None
) -> Iterator[Result]:
    """The results of all tasks, in order of completion.  At most `at_once` are submitted, and in memory, at a time.

    The first exception ends the run.  A request to stop does the same, with Stopped.
    """
    waiting = iter(tasks)
    running: set[Future[Result]] = set()
    try:
        while True:
            running.update(executor.submit(work, task) for task in islice(waiting, at_once - len(running)))
            if not running:
                return
            for future in _first_done(running, stop):
                running.remove(future)
                yield future.result()
    finally:
        for future in running:
            future.cancel()
        wait(running)


def _first_done(running: Collection[Future[Any]], stop: Stop | None) -> set[Future[Any]]:
    """Those that have ended, at least one; raises Stopped."""
    while True:
        if stop is not None:
            stop.check()
        done = wait(running, _GLANCE, return_when=FIRST_COMPLETED).done
        if done:
            return done


def _longest_ways(
    needs: Mapping[Task, Sequence[Task]], waiting: Mapping[Task, Sequence[Task]], size: Callable[[Task], float]
) -> dict[Task, float]:
    way: dict[Task, float] = {}
    left = {task: len(later) for task, later in waiting.items()}
    last = [task for task, count in left.items() if count == 0]
    while last:
        task = last.pop()
        way[task] = size(task) + max((way[later] for later in waiting[task]), default=0)
        for need in needs[task]:
            if need in left:
                left[need] -= 1
                if left[need] == 0:
                    last.append(need)
    return way
