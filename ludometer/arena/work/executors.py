"""Executors of measuring work: threads for compiled code, processes for Python, or the workers of a dask cluster."""

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
from ludometer.core.machine import usable_cores
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.arena.work.scheduler import Chunk

_SECONDS_TO_CONNECT = 10
_CONNECTED = "running"  # status of a client whose scheduler answers
_CHUNKS_PER_CORE = 2  # on a cluster, so that a worker has its next chunk before it asks
POOLS = ("auto", "threads", "processes")


class Workers:
    """Context manager of threads, processes or a cluster; each is started when first needed and ended with the block."""

    def __init__(self, workers: int | None = None, cluster: str | None = None, pool: str = "auto") -> None:
        """`workers` threads or processes (default: one for each usable core), or the dask cluster at this address.

        The arguments are validated by `Execution`.
        """
        self._cluster = cluster
        self._count = workers or usable_cores()
        self._pool = pool
        self._threads: ThreadPoolExecutor | None = None
        self._processes: ProcessPoolExecutor | None = None
        self._client: Any = None
        self._remote: Executor | None = None
        self._remote_cores = 0
        self._lost_since: float | None = None  # when the scheduler was first found to be gone

    def __enter__(self) -> Workers:
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
            with suppress(OSError):  # the scheduler may be gone
                self._client.close(timeout=_SECONDS_TO_CONNECT if connected else 1)

    @property
    def at_once(self) -> int:
        """Number of chunks to submit at a time.

        With a cluster the first call connects to it and raises LudometerError if it does not answer or has no workers.
        """
        if self._cluster is None:
            return self._count
        if self._client is None:
            client = cluster_client(self._cluster)
            cores = sum(client.nthreads().values())
            if not cores:
                client.close()
                raise LudometerError(f"cluster {shorten(self._cluster)} has no workers; start some with `dask worker {self._cluster}`")
            self._client, self._remote, self._remote_cores = client, client.get_executor(pure=False), cores
        return _CHUNKS_PER_CORE * self._remote_cores

    def check(self) -> None:
        """Raise LudometerError if the cluster has been unreachable for 10 seconds."""
        if self._client is None or self._client.status == _CONNECTED:
            self._lost_since = None
            return
        self._lost_since = self._lost_since or time.monotonic()
        if time.monotonic() - self._lost_since > _SECONDS_TO_CONNECT:
            raise LudometerError(f"the cluster at {self._cluster} is gone; the same command goes on with what is done")

    def submit(self, work: Callable[..., Any], chunk: Chunk, pace: float, stop: Stop) -> Future[Any]:
        """Submit a chunk to the cluster, to threads or to processes; only threads check `stop`."""
        subject = chunk.subject
        if self._remote is not None:
            if subject.is_local:
                raise LudometerError(f"{subject} was made in this process and cannot be sent to a cluster; name its agents by specs")
            return self._remote.submit(work, chunk, pace, subject.key(), None)
        if self._pool == "processes" and subject.is_local:
            raise LudometerError(f"{subject} was made in this process and cannot be sent to another; name its agents by specs")
        if self._pool == "threads" or (self._pool == "auto" and (subject.is_compiled or subject.is_local)):
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._count, "ludometer")
            return self._threads.submit(work, chunk, pace, None, stop)
        if self._processes is None:
            self._processes = ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), _begin_process)
        return self._processes.submit(work, chunk, pace, subject.key(), None)

    def abandon(self, running: Iterable[Future[Any]]) -> None:
        """Discard running chunks: waiting ones are cancelled, processes are terminated; threads end once their `stop` is asked."""
        left = [future for future in running if not future.cancel() and not future.done()]
        if left and self._processes is not None:
            processes, self._processes = self._processes, None
            alive = list((processes._processes or {}).values())
            processes.shutdown(wait=False, cancel_futures=True)
            for process in alive:
                process.terminate()


def _begin_process() -> None:
    """Initialise a worker process: it ignores Ctrl-C and ends when its parent ends or is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def check_address(address: str) -> None:
    """Raise LudometerError unless the text has the form of a dask scheduler's address."""
    if not re.fullmatch(r"[a-z]+://[^\s/]+(:\d{1,5}/?|/\S+)", address):
        raise LudometerError(f"cluster {shorten(address)} is not an address like tcp://host:8786")


def cluster_client(address: str) -> Any:
    """Client of the dask scheduler at this address, to be closed by the caller; raises LudometerError if it does not answer."""
    try:
        from distributed import Client
    except ImportError:
        raise LudometerError("a cluster needs the package distributed; pip install 'ludometer[cluster]'") from None
    check_address(address)
    try:
        return Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise LudometerError(f"no cluster answers at {shorten(address)} ({type(error).__name__})") from error
