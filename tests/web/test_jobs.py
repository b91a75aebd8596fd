"""The queue of experiments: what is allowed, kept, stopped, killed and resumed."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from ludometer.arena.experiments.ladder import ladder
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped
from ludometer.view.results.growing_runs import GrowingRun
from ludometer.web.api.experiments import DepthRequest, LadderRequest, MatchRequest, ReportRequest, TournamentRequest
from ludometer.web.jobs import queue
from ludometer.web.jobs.queue import DONE, FAILED, MOST_WAITING, QUEUED, RUNNING, STOPPED, Job, Jobs
from ludometer.web.jobs.requests import carry_out, checked
from tests.web.conftest import PATIENCE

LADDER: dict[str, Any] = {
    "kind": "ladder",
    "games": ["mnk:3,3,3"],
    "agents": ["mcts"],
    "rungs": ["1", "8"],
    "versus": "random",
    "blunder": [],
    "measure": "outcome",
    "number": 2000,
    "seed": 3,
}
LONG = {**LADDER, "rungs": ["2000", "4000"], "number": 100_000}


async def until(condition: Any, what: str) -> None:
    for _ in range(int(PATIENCE / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


def with_jobs(folder: Path, test: Any, at_once: int = 1) -> None:
    async def run() -> None:
        jobs = Jobs(folder / "jobs", folder / "store.sqlite", None, at_once)
        jobs.open()
        try:
            await test(jobs)
        finally:
            await jobs.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    "change, said",
    [
        ({"games": ["/etc/passwd.py"]}, "game file"),
        ({"games": ["quixo:7"]}, "quixo"),
        ({"versus": "polito:player.py"}, "outside"),
        ({"rungs": ["10", "100000000"]}, "at most"),
        ({"rungs": ["ten"]}, "whole number"),
        ({"versus": "optimal:tables=/tmp"}, "file"),
        ({"versus": "human"}, "human"),
        ({"versus": "nobody"}, "no agent"),
        ({"games": ["mnk:3,3,3", "tictactoe"]}, "twice"),
        ({"versus": "rungs", "measure": "length"}, "rungs"),
        ({"kind": "party"}, "one of"),
    ],
)
def test_what_cannot_be_started_from_a_page(change: dict[str, Any], said: str) -> None:
    with pytest.raises(LudometerError, match=said):
        checked({**LADDER, **change})


@pytest.mark.parametrize(
    "asked, expected",
    [
        (MatchRequest(kind="match", game="tictactoe", a="random", b="mcts:1", number=8), {"games": 8}),
        (TournamentRequest(kind="tournament", game="tictactoe", agents=["random", "mcts:1"], number=8), {"games": 8}),
        (LadderRequest(kind="ladder", games=["tictactoe"], rungs=["1"], number=8), {"games": 8, "positions": None}),
        (
            LadderRequest(kind="ladder", games=["tictactoe"], rungs=["1"], number=8, measure="accuracy"),
            {"games": None, "positions": 8},
        ),
        (DepthRequest(kind="depth", games=["tictactoe"], seconds=7), {"budget": 7}),
        (ReportRequest(kind="report", games=["tictactoe"], number=8, seconds=7), {"games": 8, "budget": 7}),
        (ReportRequest(kind="report", games=["tictactoe"], seconds=None), {"games": 200, "budget": 60.0}),
    ],
)
def test_a_request_is_carried_out_with_its_settings(
    asked: Any, expected: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, Any]] = []
    module = importlib.import_module(f"ludometer.arena.experiments.{asked.kind}")
    signature = inspect.signature(getattr(module, asked.kind))

    def measure(*arguments: Any, **options: Any) -> None:
        seen.append(signature.bind(*arguments, **options).arguments)
        raise Stopped("that is all")

    monkeypatch.setattr(module, asked.kind, measure)
    with pytest.raises(Stopped, match="that is all"):
        carry_out(checked(asked.model_dump()), tmp_path / "store", None, 1, lambda *_: None, lambda _: None, Stop())
    assert {name: seen[0][name] for name in expected} == expected


def test_games_that_are_too_large_are_not_solved_from_a_page() -> None:
    with pytest.raises(LudometerError, match="too large"):
        checked({"kind": "solve", "game": "quixo:5"})
    assert checked({"kind": "solve", "game": "tictactoe"})["game"] == "mnk:3,3,3"


@pytest.mark.process
def test_a_ladder_that_is_killed_and_resumed_is_the_one_that_was_never_killed(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        changes: list[str] = []
        jobs.on_change = lambda job: changes.append(job.state)
        job = jobs.submit(checked(LADDER))
        await until(lambda: job.run is not None, "the run to begin")
        process = jobs._processes[job.id]
        os.kill(process.pid, signal.SIGKILL)
        await until(lambda: job.state == FAILED, "the death to be noticed")
        assert "killed (signal 9)" in job.error and "kept" in job.error
        jobs.resume(job)
        await until(lambda: job.state == DONE, "the end")
        assert job.error == "" and job.progress["done"] == job.progress["total"]
        assert {QUEUED, RUNNING, FAILED, DONE} <= set(changes)

    with_jobs(tmp_path, test)
    with Store.in_memory() as store:
        known = ladder("mnk:3,3,3", rungs=("1", "8"), versus="random", games=2000, seed=3, execution=Execution(store))
    with GrowingRun(1, tmp_path / "store.sqlite") as growing:
        found = growing.result()
        assert found is not None
        same = ("rung", "player", "value", "interval", "units", "positions_per_move")
        assert [[getattr(point, name) for name in same] for point in found.points] == [  # type: ignore[union-attr]
            [getattr(point, name) for name in same] for point in known.points
        ]


@pytest.mark.process
def test_jobs_wait_for_their_turn_and_can_be_stopped(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        first = jobs.submit(checked(LONG))
        second = jobs.submit(checked({**LONG, "seed": 4}))
        assert (first.state, second.state) == (RUNNING, QUEUED)
        assert jobs.submit(checked(LONG)) is first  # asked for twice
        jobs.stop(second)
        assert second.state == STOPPED
        await until(lambda: first.run is not None, "the run to begin")
        with pytest.raises(LudometerError, match="not over"):
            jobs.forget(first)
        jobs.stop(first)
        await until(lambda: first.state == STOPPED, "the stop")
        jobs.forget(first)
        assert jobs.get(first.id) is None and not (tmp_path / "jobs" / f"{first.id}.json").exists()

    with_jobs(tmp_path, test)


@pytest.mark.process
def test_a_lab_that_ends_keeps_its_jobs_and_goes_on_with_them(tmp_path: Path) -> None:
    async def begin(jobs: Jobs) -> None:
        job = jobs.submit(checked(LADDER))
        await until(lambda: job.run is not None, "the run to begin")

    with_jobs(tmp_path, begin)
    (file,) = (tmp_path / "jobs").glob("*.json")
    kept = json.loads(file.read_text())
    assert kept["state"] in (QUEUED, DONE)
    file.write_text(json.dumps({**kept, "state": RUNNING}))  # as a lab that was killed leaves it
    (tmp_path / "jobs" / "stray.json").write_text("{}")

    async def go_on(jobs: Jobs) -> None:
        (job,) = jobs.all()
        await until(lambda: job.state == DONE, "the end")

    with_jobs(tmp_path, go_on)


def test_there_is_a_limit_to_what_waits(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        jobs._is_closing = True  # nothing is started
        for seed in range(MOST_WAITING):
            jobs.submit({**LADDER, "seed": seed})
        with pytest.raises(LudometerError, match="waiting already"):
            jobs.submit({**LADDER, "seed": 99})

    with_jobs(tmp_path, test)


@pytest.mark.process
def test_an_error_of_the_experiment_is_told_in_one_line(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        job = jobs.submit({**LADDER, "versus": "nobody"})  # not checked: as if the agent had gone since
        await until(lambda: job.state == FAILED, "the failure")
        assert "no agent is called" in job.error and "\n" not in job.error and "Traceback" not in job.error

    with_jobs(tmp_path, test)


def test_a_job_as_json() -> None:
    document = Job("0" * 12, checked({"kind": "match", "game": "tictactoe", "a": "mcts:10", "b": "random", "number": 2})).document()
    assert document["title"] == "mcts:10 against random" and document["games"] == ["mnk:3,3,3"] and document["state"] == QUEUED


def test_a_stop_is_meant_for_one_continuation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jobs, "_start_waiting", lambda jobs: None)

    async def test(jobs: Jobs) -> None:
        job = jobs.submit(LADDER)
        job.state = RUNNING
        jobs.stop(job)
        jobs._over(job, STOPPED, "", 0, "")
        assert job.state == STOPPED
        jobs.resume(job)
        assert job.state == QUEUED
        job.state = RUNNING
        jobs._over(job, "", "", -9, "")
        assert job.state == FAILED and "killed (signal 9)" in job.error

    with_jobs(tmp_path, test)


def test_the_oldest_jobs_that_are_over_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jobs, "_start_waiting", lambda jobs: None)
    monkeypatch.setattr(queue, "MOST_KEPT", 3)

    async def test(jobs: Jobs) -> None:
        made = []
        for number, state in enumerate((DONE, QUEUED, STOPPED, FAILED, QUEUED)):
            job = jobs.submit({**LADDER, "seed": number})
            job.created, job.state = float(number), state
            made.append(job)
        assert [job in jobs.all() for job in made] == [False, True, False, True, True]
        assert len(list((tmp_path / "jobs").glob("*.json"))) == 3

    with_jobs(tmp_path, test)
