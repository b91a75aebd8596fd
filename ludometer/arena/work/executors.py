"""Who does the work: threads for compiled code, processes for Python, or the workers of a dask cluster."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.arena.work.scheduler import Chunk

_SECONDS_TO_CONNECT = 10
_CONNECTED = "running"  # what a client says of itself while its scheduler is there
_CHUNKS_PER_CORE = 2  # on a cluster, so that a worker has the next chunk when it is done with one


class Workers:
    """A crew for as long as the `with` block lasts; threads and processes begin when they are first needed.

    at_once     how many chunks it should have at a time
    """

    def __init__(self, workers: int | None = None, cluster: str | None = None) -> None:
        """`workers` threads or processes, by default one for each core, or the dask cluster at this address."""
        if workers is not None and workers < 1:
            raise LudometerError(f"workers are 1 or more, not {workers}")
        self._cluster = cluster or None
        self._count = workers or usable_cores()
        self._threads: ThreadPoolExecutor | None = None
        self._processes: ProcessPoolExecutor | None = None
        self._client: Any = None
        self._remote: Executor | None = None
        self._lost_since: float | None = None  # when the scheduler was first found to be gone
        self.at_once = self._count

    def __enter__(self) -> Workers:
        if self._cluster:
            self._client = cluster_client(self._cluster)
            cores = sum(self._client.nthreads().values())
            if not cores:
                self._client.close()
                raise LudometerError(f"cluster {shorten(self._cluster)} has no workers; start some with `dask worker {self._cluster}`")
            self._remote = self._client.get_executor(pure=False)
            self.at_once = _CHUNKS_PER_CORE * cores
        return self

    def __exit__(self, *reason: object) -> None:
        if self._threads is not None:
            self._threads.shutdown()
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)
        if self._client is not None:
            connected = self._client.status == _CONNECTED
            if connected and self._remote is not None:
                self._remote.shutdown(wait=False)
            with suppress(OSError):  # a scheduler that is gone does not say goodbye
                self._client.close(timeout=_SECONDS_TO_CONNECT if connected else 1)

    def check(self) -> None:
        """Raise LudometerError once the cluster has been out of reach for a while; else chunks would be waited for in vain."""
        if self._client is None or self._client.status == _CONNECTED:
            self._lost_since = None
            return
        self._lost_since = self._lost_since or time.monotonic()
        if time.monotonic() - self._lost_since > _SECONDS_TO_CONNECT:
            raise LudometerError(f"the cluster at {self._cluster} is gone; the same command goes on with what is done")

    def submit(self, work: Callable[..., Any], chunk: Chunk, pace: float, stop: Stop) -> Future[Any]:
        """Start a chunk where it can be done best; threads of this process look at `stop`, others cannot."""
        subject = chunk.subject
        if self._remote is not None:
            if subject.is_local:
                raise LudometerError(f"{subject} was made in this process and cannot be sent to a cluster; name its agents by specs")
            return self._remote.submit(work, chunk, pace, subject.key(), None)
        if subject.is_compiled or subject.is_local:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._count, "ludometer")
            return self._threads.submit(work, chunk, pace, None, stop)
        if self._processes is None:
            self._processes = ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), _begin_process)
        return self._processes.submit(work, chunk, pace, subject.key(), None)

    def abandon(self, running: Iterable[Future[Any]]) -> None:
        """Nobody wants these chunks any more: threads are waited for (ask their `stop` first), processes are ended."""
        left = [future for future in running if not future.cancel() and not future.done()]
        if left and self._processes is not None:
            processes, self._processes = self._processes, None
            alive = list((processes._processes or {}).values())
            processes.shutdown(wait=False, cancel_futures=True)
            for process in alive:
                process.terminate()


def _begin_process() -> None:
    """A working process leaves Ctrl-C to its parent, and ends when the parent does, even where that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def usable_cores() -> int:
    """Cores this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def cluster_client(address: str) -> Any:
    """A client of the dask scheduler at this address, to be closed by who asked; raises LudometerError with one line."""
    try:
        from distributed import Client
    except ImportError:
        raise LudometerError("--cluster needs the package distributed; pip install 'ludometer[cluster]'") from None
    if not re.fullmatch(r"[a-z]+://[^\s/]+(:\d{1,5}/?|/\S+)", address):
        raise LudometerError(f"--cluster {shorten(address)} is not an address like tcp://host:8786")
    try:
        return Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise LudometerError(f"no cluster answers at {shorten(address)} ({type(error).__name__})") from error
