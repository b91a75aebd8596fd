"""How measuring work is executed: store, workers, progress and stop.

    execution = Execution(workers=4, store="experiments.sqlite")
    match("quixo:4", "mcts:1000", "alphabeta:4", games=1000, execution=execution)

Results do not depend on it, except that `stop` and `seconds` limit how much is measured: finished work is kept and counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from ludometer.arena.work.deadline import Deadline
from ludometer.arena.work.executors import POOLS, Workers, check_address
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop


@dataclass(frozen=True)
class Execution:
    """How measuring work is executed; raises LudometerError for settings that do not fit.

        store      an open Store, or the path of a store that is opened for the work; default: results are kept in memory only
        workers    threads or processes; default: one for each usable core
        cluster    address of a dask scheduler, tcp://host:8786, whose workers work instead of this machine's
        pool       "threads", "processes", or "auto": threads for compiled code, processes for Python
        seconds    stop after this time
        progress   called with (done, total, text) a few times a second
        stop       once asked, the work ends early

    >>> lm.Execution(workers=2).workers
    2
    """

    store: Store | str | Path | None = None
    workers: int | None = None
    cluster: str | None = None
    pool: str = "auto"
    seconds: float | None = None
    progress: OnProgress | None = None
    stop: Stop | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise LudometerError(f"workers are 1 or more, not {self.workers}")
        if self.pool not in POOLS:
            raise LudometerError(f"pool is one of {', '.join(POOLS)}, not {self.pool!r}")
        if self.cluster is not None:
            check_address(self.cluster)
            if self.workers is not None or self.pool != "auto":
                raise LudometerError("a cluster has workers of its own; give either the cluster or workers and pool of this machine")
        if self.seconds is not None and not self.seconds > 0:
            raise LudometerError(f"seconds are a time above 0, not {self.seconds:g}")

    @contextmanager
    def started(self) -> Iterator[StartedExecution]:
        """Context manager of the started execution: it opens the store and provides the workers.  A started one yields itself."""
        with ExitStack() as stack:
            if isinstance(self.store, Store):
                store = self.store
            else:
                store = stack.enter_context(Store.in_memory() if self.store is None else Store(self.store))
            stop = self.stop or Stop()
            if self.seconds is not None:
                deadline = stack.enter_context(Deadline(stop, self.seconds))
                deadline.arm()
                stop = deadline.stop
            crew = stack.enter_context(Workers(self.workers, self.cluster, self.pool))
            given = {field.name: getattr(self, field.name) for field in fields(Execution)}
            yield StartedExecution(**given | {"store": store, "stop": stop}, crew=crew, is_kept=self.store is not None)

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was asked."""
        return self.stop is not None and self.stop.asked

    def report(self, done: int, total: int, text: str) -> None:
        """Call `progress`, if there is one."""
        if self.progress is not None:
            self.progress(done, total, text)


@dataclass(frozen=True, kw_only=True)
class StartedExecution(Execution):
    """Execution under way, made by `Execution.started`.  All work that it is passed to shares its store, workers and stop."""

    store: Store
    stop: Stop
    crew: Workers
    is_kept: bool  # False: the store is in memory and ends with the work

    @contextmanager
    def started(self) -> Iterator[StartedExecution]:
        yield self

    def run_number(self, run: int) -> int | None:
        """The number of a run as results show it; None if its store ends with the work."""
        return run if self.is_kept else None
