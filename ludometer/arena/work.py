"""Work on series in chunks: on threads, processes or a cluster, stopped at any moment, with the same results everywhere.

Work goes to a `concurrent.futures.Executor` and to nothing else.  How the units of a series are cut into chunks follows the clock, so
that a chunk takes about a second; what a unit gives does not depend on it.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.stopping import Stop, Stopped

AIM = 0.7  # seconds that a chunk should take
_MOST_GROWTH = 8  # times that a chunk may be larger than the one before
_GLANCE = 0.05  # seconds between two looks at the request to stop

Subject = TypeVar("Subject")


class Timed(Protocol):
    """What a chunk of work returns; `seconds` says how long it took."""

    @property
    def seconds(self) -> float: ...


@dataclass(frozen=True)
class Gap(Generic[Subject]):
    """Units of one subject that are still to be done."""

    subject: Subject  # equal subjects share their pace
    first: int
    count: int


def work_off(
    gaps: Iterable[Gap[Any]],
    submit: Callable[[Gap[Any]], Future[Any]],
    keep: Callable[[Gap[Any], Any], bool],
    at_once: int,
    stop: Stop,
) -> bool:
    """Do all units of the gaps, in order, at most `at_once` chunks at a time; False if it was stopped before the end.

    `submit` starts a chunk; `keep` gets each finished one in this thread and returns whether to go on.  The first error of a chunk ends the
    work after the chunks that have begun.
    """
    waiting = deque(gaps)
    running: dict[Future[Any], Gap[Any]] = {}
    pace: dict[Any, int] = {}  # subject -> units in its next chunk
    going_on = True
    try:
        while (waiting or running) and going_on:
            while waiting and len(running) < at_once and not stop.asked:
                gap = waiting.popleft()
                size = min(gap.count, pace.get(gap.subject, 1))
                if size < gap.count:
                    waiting.appendleft(Gap(gap.subject, gap.first + size, gap.count - size))
                chunk = Gap(gap.subject, gap.first, size)
                running[submit(chunk)] = chunk
            for future in wait(running, timeout=_GLANCE, return_when=FIRST_COMPLETED).done:
                chunk = running.pop(future)
                try:
                    result: Timed = future.result()
                except Stopped:
                    continue
                fitting = int(chunk.count * AIM / max(result.seconds, 1e-6))
                pace[chunk.subject] = max(1, min(fitting, _MOST_GROWTH * chunk.count))
                going_on = keep(chunk, result) and going_on
            if stop.asked and not running:
                return False
    except BrokenProcessPool:
        raise LudometerError("a working process died, perhaps for want of memory; the same command goes on with what is done") from None
    finally:
        if running:
            stop_here = stop.flag.copy()
            stop.ask()  # threads look at it and end soon
            for future in running:
                future.cancel()
            wait(running)
            stop.flag[:] = stop_here
    return going_on or not waiting


@contextmanager
def executor_for(compiled: bool, workers: int | None = None, cluster: str | None = None) -> Iterator[tuple[Executor, int]]:
    """An executor and how many chunks it should have at once: threads for compiled work, processes for Python, or a dask cluster."""
    if workers is not None and workers < 1:
        raise LudometerError(f"workers are 1 or more, not {workers}")
    if cluster:
        with cluster_client(cluster) as client:
            cores = sum(client.nthreads().values())
            if not cores:
                raise LudometerError(f"cluster {shorten(cluster)} has no workers; start some with `dask worker {cluster}`")
            with client.get_executor(pure=False) as executor:
                yield executor, 2 * cores
        return
    count = workers or usable_cores()
    if compiled:
        with ThreadPoolExecutor(count) as threads:
            yield threads, count
        return
    processes = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"))
    try:
        yield processes, count
    except BaseException:
        _end(processes)
        raise
    processes.shutdown(wait=False, cancel_futures=True)


def _end(processes: ProcessPoolExecutor) -> None:
    """Do not wait for games that nobody wants any more."""
    running = list((processes._processes or {}).values())
    processes.shutdown(wait=False, cancel_futures=True)
    for process in running:
        process.terminate()


def usable_cores() -> int:
    """Cores this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


@contextmanager
def cluster_client(address: str) -> Iterator[Any]:
    """A client of the dask scheduler at this address; raises LudometerError with one line."""
    try:
        from distributed import Client
    except ImportError:
        raise LudometerError("--cluster needs the package distributed; pip install 'ludometer[cluster]'") from None
    if "://" not in address:
        raise LudometerError(f"--cluster {shorten(address)} is not an address like tcp://host:8786")
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise LudometerError(f"no cluster answers at {shorten(address)} ({type(error).__name__})") from error
    with client:
        yield client
