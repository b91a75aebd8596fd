"""Experiments as pages see them: jobs of this lab, runs of the store, and live messages while they grow.

Topics of live messages:

    experiments/all          {jobs: […], runs: […]}, then {jobs: […]} or {runs: […]} whenever something changed
    experiment/run-3         {job, run, growing}: a run of the store, with tables and charts (see `view.results.growing_runs`)
    experiment/job-0123…     the same for a job, whose run may not have begun
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError
from ludometer.web.jobs.queue import QUEUED, RUNNING, Job, Jobs

if TYPE_CHECKING:
    from ludometer.view.results.growing_runs import GrowingRun
    from ludometer.web.live import Hub

ALL = "experiments/all"
STUDIES = "reproduce"  # the kind of runs that the page Studies shows
_BETWEEN = 1.0  # seconds between two looks at what pages follow
_SHARE = 0.1  # largest share of the time spent looking
_MOST_OPEN = 8  # runs kept open
_GROWING = 6.0  # seconds after its last growth that a run of another process counts as going on
_MOST_LISTED = 200  # runs


class Shelf:
    """Runs of the store, opened for reading; each answers one question at a time.  Used from threads."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self._open: OrderedDict[int, GrowingRun] = OrderedDict()
        self._lock = Lock()

    def listing(self) -> list[dict[str, Any]]:
        """The latest runs, newest first; empty if there is no store yet."""
        from ludometer.arena.work.store import Store

        if not self.store.is_file():
            return []
        with Store(self.store, read_only=True) as store:
            return [run.document() for run in store.latest(_MOST_LISTED, but=STUDIES)]

    def document(self, run: int) -> dict[str, Any]:
        """A run with its tables and charts; raises LudometerError."""
        with self._lock:
            return self._opened(run).document()

    def stamp(self, run: int) -> tuple[Any, ...]:
        with self._lock:
            return self._opened(run).stamp()

    def figure(self, run: int, form: str) -> bytes:
        with self._lock:
            return self._opened(run).figure(form)

    def _opened(self, run: int) -> GrowingRun:
        from ludometer.view.results.growing_runs import GrowingRun

        found = self._open.pop(run, None) or GrowingRun(run, self.store)
        self._open[run] = found
        while len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)[1].close()
        return found

    def close(self, run: int | None = None) -> None:
        """Close one run, or all."""
        with self._lock:
            for number in [run] if run is not None else list(self._open):
                found = self._open.pop(number, None)
                if found is not None:
                    found.close()

    def stamp_of_store(self) -> tuple[int, ...]:
        """Sizes and times of the store's files, which change when the store does."""
        found = []
        for file in (self.store, self.store.with_name(self.store.name + "-wal")):
            try:
                state = file.stat()
                found += [state.st_mtime_ns, state.st_size]
            except OSError:
                found += [0, 0]
        return tuple(found)


class Watch:
    """Publishes changes of jobs and runs.  Used from the event loop; reads the store in threads."""

    def __init__(self, hub: Hub, jobs: Jobs, shelf: Shelf) -> None:
        self.hub, self.jobs, self.shelf = hub, jobs, shelf
        self._followed: dict[str, Any] = {}  # topic -> what was last seen of its run
        self._seen_store: tuple[int, ...] = ()
        self._grown: dict[int, tuple[int, float]] = {}  # run -> games that were there, and since when
        self._task: asyncio.Task[None] | None = None
        hub.provide("experiments", self._list_snapshot)
        hub.provide("experiment", self._snapshot)
        jobs.on_change = self._job_changed

    def open(self) -> None:
        self._task = asyncio.create_task(self._look_again_and_again())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.shelf.close()

    # What pages get

    async def listing(self) -> dict[str, Any]:
        """Jobs and runs; a run says which job works on it, and whether it goes on."""
        runs = await asyncio.to_thread(self.shelf.listing)
        return {"jobs": [job.document() for job in self.jobs.all()], "runs": [self._with_state(run) for run in runs]}

    async def experiment(self, name: str) -> dict[str, Any] | None:
        """{job, run} of `job-…` or `run-…`; None if there is neither."""
        kind, _, number = name.partition("-")
        if kind == "job":
            job = self.jobs.get(number)
            if job is None:
                return None
            run = None if job.run is None else await self._run(job.run)
            return {"job": job.document(), "run": run}
        if kind != "run" or not number.isascii() or not number.isdigit() or len(number) > 15:
            return None
        found = await self._run(int(number))
        if found is None:
            return None
        job = self.jobs.of_run(int(number))
        return {"job": None if job is None else job.document(), "run": found}

    async def _run(self, run: int) -> dict[str, Any] | None:
        try:
            return self._with_state(await asyncio.to_thread(self.shelf.document, run))
        except LudometerError:
            return None

    def _with_state(self, run: dict[str, Any]) -> dict[str, Any]:
        """A run with `state`: that of its job, or what can be seen of it."""
        job = self.jobs.of_run(run["run"])
        if job is not None and job.state in (QUEUED, RUNNING):
            state = job.state
        elif run["games"] and run["done"] >= run["games"]:
            state = "done"
        else:
            state = job.state if job is not None else "running" if self._grows(run) else "stopped"
        return {**run, "state": state, "job": None if job is None else job.id}

    def _grows(self, run: dict[str, Any]) -> bool:
        """True if a run has just grown: another process, such as a command on a terminal, works on it."""
        now = time.monotonic()
        done, since = self._grown.get(run["run"], (-1, 0.0))
        if run["done"] != done:
            self._grown[run["run"]] = run["done"], now if done >= 0 else 0.0
            return done >= 0
        return now - since < _GROWING and since > 0

    async def _list_snapshot(self, name: str) -> dict[str, Any] | None:
        if name != "all":
            return None
        self._followed.setdefault(ALL, None)
        return await self.listing()

    async def _snapshot(self, name: str) -> dict[str, Any] | None:
        found = await self.experiment(name)
        if found is not None:
            self._followed.setdefault(f"experiment/{name}", None)
        return found

    # Changes

    def _job_changed(self, job: Job) -> None:
        self.hub.publish(ALL, {"job": job.document()})
        for topic in (f"experiment/job-{job.id}", f"experiment/run-{job.run}"):
            if self.hub.is_followed(topic):
                self.hub.publish(topic, {"job": job.document()})

    async def _look_again_and_again(self) -> None:
        while True:
            began = time.monotonic()
            for topic in list(self._followed):
                if not self.hub.is_followed(topic):
                    del self._followed[topic]
                elif topic == ALL:
                    await self._look_at_store()
                else:
                    await self._look_at_run(topic)
            spent = time.monotonic() - began
            await asyncio.sleep(max(_BETWEEN, spent / _SHARE))

    async def _look_at_store(self) -> None:
        stamp = self.shelf.stamp_of_store()
        going_on = any(now - since < 2 * _GROWING for now in (time.monotonic(),) for _, since in self._grown.values() if since)
        if stamp != self._seen_store or going_on:
            self._seen_store = stamp
            try:
                self.hub.publish(ALL, {"runs": (await self.listing())["runs"]})
            except LudometerError:
                return  # a store that cannot be read just now

    async def _look_at_run(self, topic: str) -> None:
        name = topic.partition("/")[2]
        kind, _, number = name.partition("-")
        job = self.jobs.get(number) if kind == "job" else None
        run = int(number) if kind == "run" else None if job is None else job.run
        if run is None:
            return
        try:
            seen = await asyncio.to_thread(self.shelf.stamp, run)
        except LudometerError:
            return
        state = self.jobs.of_run(run)
        now = (*seen, None if state is None else state.state)
        if now != self._followed[topic]:
            self._followed[topic] = now
            found = await self._run(run)
            if found is not None:
                self.hub.publish(topic, {"run": found})
