"""Experiments started from a page: a queue, worked off by processes of low priority and kept on disk.

A job is a request (see `requests`) and its progress.  Results go to the store of experiments, so a job that is stopped, killed, or ended
with the lab goes on from there.  States:

    queued      waits for its turn, also after a restart of the lab
    running     a process works on it
    done
    stopped     stopped on request; may be resumed
    failed      ended with an error, or its process died; may be resumed
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from ludometer.core.errors import LudometerError
from ludometer.core.files import reason, write_text
from ludometer.core.machine import usable_cores
from ludometer.web.jobs import requests

log = logging.getLogger("ludometer.web")

QUEUED, RUNNING, DONE, STOPPED, FAILED = "queued", "running", "done", "stopped", "failed"
STATES = (QUEUED, RUNNING, DONE, STOPPED, FAILED)
MOST_WAITING = 20  # jobs in the queue
MOST_KEPT = 100  # jobs in all; the oldest that are over are forgotten, their results stay in the store
_GRACE = 15.0  # seconds that a process gets to end after it was asked to
_LONGEST_LINE = 64 * 1024
_NAME = re.compile(r"[0-9a-f]{12}")

OnChange = Callable[["Job"], None]


class QueueFull(LudometerError):
    """Too many jobs wait."""


class JobDocument(TypedDict):
    """A job for JSON; times are seconds since 1970."""

    job: str
    kind: str
    title: str
    games: list[str]
    state: str
    created: float
    started: float | None
    ended: float | None
    seconds: float
    run: int | None
    progress: dict[str, Any]
    error: str
    request: dict[str, Any]


@dataclass
class Job:
    """One experiment."""

    id: str
    request: dict[str, Any]
    state: str = QUEUED
    created: float = field(default_factory=time.time)
    started: float | None = None  # of the latest continuation
    ended: float | None = None
    seconds: float = 0.0  # of work, over all continuations
    run: int | None = None  # its number in the store
    progress: dict[str, Any] = field(default_factory=dict)  # done, total, text, rate, left
    error: str = ""

    def document(self) -> JobDocument:
        """The job for JSON."""
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
        cores = usable_cores()
        self.folder = folder
        self.store = store
        self.tables = tables
        self.at_once = at_once or (2 if cores >= 4 else 1)
        self.workers = max(1, (cores - 1) // self.at_once)  # one core stays free for games in progress
        self.on_change: OnChange = lambda job: None
        self._jobs: dict[str, Job] = {}
        self._processes: dict[str, asyncio.subprocess.Process] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asked: set[str] = set()  # jobs asked to stop
        self._is_closing = False

    # Jobs

    def all(self) -> list[Job]:
        """All jobs, newest first."""
        return sorted(self._jobs.values(), key=lambda job: -job.created)

    def get(self, name: str) -> Job | None:
        """The job with this name."""
        return self._jobs.get(name)

    def of_run(self, run: int) -> Job | None:
        """The latest job that works on a run of the store."""
        return next((job for job in self.all() if job.run == run), None)

    @property
    def running(self) -> list[Job]:
        """The jobs at work."""
        return [job for job in self._jobs.values() if job.state == RUNNING]

    # Actions

    def submit(self, request: dict[str, Any]) -> Job:
        """A new job, or the one that already waits or works for the same request.

        Raises QueueFull, or LudometerError if the job cannot be written to disk.
        """
        for job in self._jobs.values():
            if job.request == request and job.state in (QUEUED, RUNNING):
                return job
        waiting = sum(job.state == QUEUED for job in self._jobs.values())
        if waiting >= MOST_WAITING:
            raise QueueFull(f"{waiting} experiments are waiting already; wait for one, or stop one")
        job = Job(secrets.token_hex(6), request)
        self._write(job)
        self._jobs[job.id] = job
        self._forget_oldest()
        self.on_change(job)
        self._start_waiting()
        return job

    def stop(self, job: Job) -> None:
        """End a job early; what is finished is kept."""
        if job.state == QUEUED:
            job.state = STOPPED
            self._changed(job)
        elif job.state == RUNNING:
            self._asked.add(job.id)
            self._ask_process(job.id)

    def resume(self, job: Job) -> None:
        """Queue a job that was stopped or has failed; others are left as they are."""
        if job.state in (STOPPED, FAILED):
            job.state, job.error, job.ended = QUEUED, "", None
            self._changed(job)
            self._start_waiting()

    def forget(self, job: Job) -> None:
        """Take a job off the list; raises LudometerError unless it is over.  Its results stay in the store."""
        if job.state in (QUEUED, RUNNING):
            raise LudometerError("this experiment is not over; stop it first")
        self._jobs.pop(job.id, None)
        self._file(job).unlink(missing_ok=True)

    # Start and end of the lab

    def open(self) -> None:
        """Read the jobs of an earlier lab, queue those that were running, and begin to work."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for file in self.folder.glob("*.json"):
            job = _read(file)
            if job is not None:
                self._jobs[job.id] = job
                if job.state == RUNNING:
                    job.state = QUEUED
        self._start_waiting()

    async def close(self) -> None:
        """Stop running jobs; they go on when the lab starts again."""
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

    # Work

    def _start_waiting(self) -> None:
        """Start the jobs that may work now, oldest first."""
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
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "ludometer.web.jobs.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,  # Ctrl-C in the lab's terminal is not for it
            )
        except OSError as fault:
            self._over(job, "", f"its process cannot be started: {reason(fault)}", 0, "")
            return
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
            error = error or f"its process wrote something that cannot be read ({fault})"
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
        self._start_waiting()

    def _ask_process(self, name: str) -> None:
        """Ask the process of a job to end, and kill it if it does not."""
        process = self._processes.get(name)
        if process is None or process.stdin is None or process.stdin.is_closing():
            return
        with suppress(OSError):
            process.stdin.write(b"stop\n")
            process.stdin.close()
        asyncio.get_running_loop().call_later(_GRACE, _kill, process)

    # Files

    def _changed(self, job: Job) -> None:
        """Save and announce a change of a job."""
        self._keep(job)
        self.on_change(job)

    def _file(self, job: Job) -> Path:
        return self.folder / f"{job.id}.json"

    def _keep(self, job: Job) -> None:
        """Save a job; if that fails the work goes on, and the file keeps an older state."""
        if job.id not in self._jobs:
            return
        try:
            self._write(job)
        except LudometerError as error:
            log.error("job %s cannot be saved: %s", job.id, error)

    def _write(self, job: Job) -> None:
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
    """The job of a file; None if it cannot be read, such as a file of another version."""
    try:
        job = Job(**json.loads(file.read_text()))
        job.document()
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return job if _NAME.fullmatch(job.id) and job.state in STATES else None
