"""Experiments that people start from a page: a queue, worked off by processes of low priority, kept on disk.

A job is a request (see `requests`) and how far it is.  What it measures goes to the store of experiments, so a job that is stopped,
killed, or ended together with the lab goes on from there.  States:

    queued      waits for its turn, also after a restart of the lab
    running     a process works on it
    done
    stopped     somebody asked for it; may be resumed
    failed      it ended with an error, or its process died; may be resumed
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludometer.core.errors import LudometerError
from ludometer.core.files import write_text
from ludometer.web.jobs import requests

QUEUED, RUNNING, DONE, STOPPED, FAILED = "queued", "running", "done", "stopped", "failed"
STATES = (QUEUED, RUNNING, DONE, STOPPED, FAILED)
MOST_WAITING = 20  # jobs in the queue
MOST_KEPT = 100  # jobs in all; the oldest that are over are forgotten, what they measured stays in the store
_GRACE = 15.0  # seconds that a process has to end once it was asked to
_LONGEST_LINE = 64 * 1024
_NAME = re.compile(r"[0-9a-f]{12}")

OnChange = Callable[["Job"], None]


@dataclass
class Job:
    """One experiment."""

    id: str
    request: dict[str, Any]
    state: str = QUEUED
    created: float = field(default_factory=time.time)
    started: float | None = None  # the last time
    ended: float | None = None
    seconds: float = 0.0  # of work, over all its continuations
    run: int | None = None  # in the store
    progress: dict[str, Any] = field(default_factory=dict)  # done, total, text, rate, left
    error: str = ""

    def document(self) -> dict[str, Any]:
        """For JSON."""
        working = 0.0 if self.state != RUNNING or self.started is None else time.time() - self.started
        return {
            "job": self.id,
            "kind": self.request["kind"],
            "title": requests.title(self.request),
            "games": requests.games_of(self.request),
            "state": self.state,
            "created": self.created,
            "started": self.started,
            "ended": self.ended,
            "seconds": round(self.seconds + working, 3),
            "run": self.run,
            "progress": self.progress,
            "error": self.error,
            "request": self.request,
        }


class Jobs:
    """All jobs of one lab.  Used from its event loop only."""

    def __init__(self, folder: Path, store: Path | None = None, tables: Path | None = None, at_once: int | None = None) -> None:
        cores = os.cpu_count() or 1
        self.folder = folder
        self.store = store
        self.tables = tables
        self.at_once = at_once or (2 if cores >= 4 else 1)
        self.workers = max(1, (cores - 1) // self.at_once)  # a core stays free for who plays meanwhile
        self.on_change: OnChange = lambda job: None
        self._jobs: dict[str, Job] = {}
        self._processes: dict[str, asyncio.subprocess.Process] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asked: set[str] = set()  # jobs that somebody asked to stop
        self._is_closing = False

    # ---- what there is ----

    def all(self) -> list[Job]:
        """Newest first."""
        return sorted(self._jobs.values(), key=lambda job: -job.created)

    def get(self, name: str) -> Job | None:
        return self._jobs.get(name)

    def of_run(self, run: int) -> Job | None:
        """The latest job that works on a run of the store."""
        return next((job for job in self.all() if job.run == run), None)

    @property
    def running(self) -> list[Job]:
        return [job for job in self._jobs.values() if job.state == RUNNING]

    # ---- what people ask for ----

    def submit(self, request: dict[str, Any]) -> Job:
        """A new job, or the same one where it is asked for again before it ended; raises LudometerError when too many wait."""
        for job in self._jobs.values():
            if job.request == request and job.state in (QUEUED, RUNNING):
                return job
        waiting = sum(job.state == QUEUED for job in self._jobs.values())
        if waiting >= MOST_WAITING:
            raise LudometerError(f"{waiting} experiments are waiting already; wait for one, or stop one")
        job = Job(secrets.token_hex(6), request)
        self._jobs[job.id] = job
        self._forget_oldest()
        self._changed(job)
        self._pump()
        return job

    def stop(self, job: Job) -> None:
        """End it early; what is finished is kept."""
        if job.state == QUEUED:
            job.state = STOPPED
            self._changed(job)
        elif job.state == RUNNING:
            self._asked.add(job.id)
            self._ask_process(job.id)

    def resume(self, job: Job) -> None:
        """Go on where it stopped; nothing to do where it is at work or done."""
        if job.state in (STOPPED, FAILED):
            job.state, job.error, job.ended = QUEUED, "", None
            self._changed(job)
            self._pump()

    def forget(self, job: Job) -> None:
        """Take it off the list; raises LudometerError while it is at work.  What it measured stays in the store."""
        if job.state in (QUEUED, RUNNING):
            raise LudometerError("this experiment is not over; stop it first")
        self._jobs.pop(job.id, None)
        self._file(job).unlink(missing_ok=True)

    # ---- with the lab ----

    def open(self) -> None:
        """Read what an earlier lab left: what was running goes back into the queue, and work begins."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for file in self.folder.glob("*.json"):
            job = _read(file)
            if job is not None:
                self._jobs[job.id] = job
                if job.state == RUNNING:
                    job.state = QUEUED
        self._pump()

    async def close(self) -> None:
        """The lab ends: running jobs are stopped, and go on when it starts again."""
        self._is_closing = True
        for name in list(self._processes):
            self._ask_process(name)
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=2.0)
        for process in list(self._processes.values()):
            with suppress(ProcessLookupError):
                process.kill()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=2.0)

    # ---- the work ----

    def _pump(self) -> None:
        """Start what may be started, in the order in which it was asked for."""
        waiting = sorted((job for job in self._jobs.values() if job.state == QUEUED), key=lambda job: job.created)
        for job in waiting[: max(0, self.at_once - len(self.running))]:
            if self._is_closing:
                return
            job.state, job.started, job.ended, job.error = RUNNING, time.time(), None, ""
            job.progress = {}
            self._changed(job)
            self._tasks[job.id] = asyncio.create_task(self._work(job))

    async def _work(self, job: Job) -> None:
        """Run the process of a job to its end."""
        ended, error = "", ""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ludometer.web.jobs.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            start_new_session=True,  # Ctrl-C in the lab's terminal is not for it
        )
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._processes[job.id] = process
        complaints = asyncio.create_task(process.stderr.read())
        try:
            order = {"request": job.request, "store": _text(self.store), "tables": _text(self.tables), "workers": self.workers}
            process.stdin.write(json.dumps(order).encode() + b"\n")
            if job.id in self._asked:  # meanwhile
                self._ask_process(job.id)
            async for line in process.stdout:
                said = json.loads(line)
                ended, error = said.get("ended", ended), said.get("error", error)
                if "run" in said:
                    job.run = said["run"]
                    self._keep(job)
                if "done" in said:
                    job.progress = said
                self.on_change(job)
        except (OSError, ValueError) as fault:  # it died before it had read its order, or wrote something else
            error = error or f"its process said something that cannot be read ({fault})"
        status = await process.wait()
        self._over(job, ended, error, status, (await complaints).decode(errors="replace"))

    def _over(self, job: Job, ended: str, error: str, status: int, complaints: str) -> None:
        self._processes.pop(job.id, None)
        self._tasks.pop(job.id, None)
        job.ended = time.time()
        job.seconds += job.ended - (job.started or job.ended)
        was_asked = job.id in self._asked
        self._asked.discard(job.id)
        if self._is_closing and ended != DONE:
            job.state = QUEUED
        elif ended == DONE:
            job.state, job.error = DONE, ""
        elif error:
            job.state, job.error = FAILED, error
        elif ended == STOPPED or was_asked:
            job.state = STOPPED
        else:
            last = complaints.strip().splitlines()[-1:] or [""]
            how = f"its process was killed (signal {-status})" if status < 0 else f"its process ended with status {status}: {last[0]}"
            job.state, job.error = FAILED, f"{how}; what it had measured is kept"[:600]
        self._changed(job)
        self._pump()

    def _ask_process(self, name: str) -> None:
        """Ask the process of a job to end, and see to it that it does."""
        process = self._processes.get(name)
        if process is None or process.stdin is None or process.stdin.is_closing():
            return
        with suppress(OSError):
            process.stdin.write(b"stop\n")
            process.stdin.close()
        asyncio.get_running_loop().call_later(_GRACE, _kill, process)

    # ---- files ----

    def _changed(self, job: Job) -> None:
        self._keep(job)
        self.on_change(job)

    def _file(self, job: Job) -> Path:
        return self.folder / f"{job.id}.json"

    def _keep(self, job: Job) -> None:
        if job.id in self._jobs:
            write_text(self._file(job), json.dumps(vars(job)))

    def _forget_oldest(self) -> None:
        over = [job for job in self.all() if job.state not in (QUEUED, RUNNING)]
        for job in over[::-1][: max(0, len(self._jobs) - MOST_KEPT)]:
            self.forget(job)


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _read(file: Path) -> Job | None:
    """The job in a file; None if it cannot be read (a file of another program, or of another version)."""
    try:
        job = Job(**json.loads(file.read_text()))
        job.document()
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return job if _NAME.fullmatch(job.id) and job.state in STATES else None
