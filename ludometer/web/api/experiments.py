"""The API of experiments: jobs of this lab, and runs of the store."""

from __future__ import annotations

import asyncio
import re
import tempfile
import threading
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict, Field

from ludometer.arena.experiments.scale_plan import COARSEST, FINEST
from ludometer.core.errors import LudometerError
from ludometer.web.jobs import queue, requests
from ludometer.web.jobs.queue import Job
from ludometer.web.lab import Lab, lab_of
from ludometer.web.problems import Problem, responses

MOST_EXPORTED = 200_000  # games in one file
_REBUILDING = 10.0  # seconds that a game may take to be played again

router = APIRouter(prefix="/api", tags=["experiments"])
pages = APIRouter(include_in_schema=False)
AnyLab = Annotated[Lab, Depends(lab_of)]

GameSpec = Annotated[str, Field(min_length=1, max_length=420, description="a game, such as quixo:4")]
AgentSpec = Annotated[str, Field(min_length=1, max_length=200, description="an agent, such as mcts:1000")]
Seed = Annotated[int, Field(ge=0, le=requests.LARGEST_SEED, description="decides all chance")]
Number = Annotated[int, Field(ge=2, le=requests.MOST_GAMES, multiple_of=2, description="games of each pairing, an even number")]
OpeningPlies = Annotated[int, Field(ge=0, le=40)] | None
Games = Annotated[list[GameSpec], Field(min_length=1, max_length=requests.MOST_GAMES_AT_ONCE)]
Seconds = Annotated[float, Field(gt=0, le=requests.MOST_SECONDS, allow_inf_nan=False)] | None


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seed: Seed = 0


class MatchRequest(_Request):
    """Two agents, many games: who is better, and how sure is that?"""

    kind: Literal["match"]
    game: GameSpec
    a: AgentSpec
    b: AgentSpec
    number: Number = 100
    opening_plies: OpeningPlies = None
    until: Literal["games", "decided"] = "games"


class TournamentRequest(_Request):
    """Several agents on one scale."""

    kind: Literal["tournament"]
    game: GameSpec
    agents: Annotated[list[AgentSpec], Field(min_length=2, max_length=requests.MOST_AGENTS)]
    number: Number = 100
    opening_plies: OpeningPlies = None


class LadderRequest(_Request):
    """Strength against thinking."""

    kind: Literal["ladder"]
    games: Games
    agents: Annotated[list[AgentSpec], Field(min_length=1, max_length=4)] = Field(default=["mcts"])
    rungs: Annotated[list[Annotated[str, Field(min_length=1, max_length=20)]], Field(min_length=1, max_length=requests.MOST_RUNGS)]
    versus: AgentSpec = "optimal"
    blunder: Annotated[list[Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]], Field(max_length=6)] = Field(default=[])
    measure: Literal["outcome", "accuracy", "length"] = "outcome"
    number: Number = 200


class DepthRequest(_Request):
    """How deep is a game?"""

    kind: Literal["depth"]
    games: Games
    precision: Annotated[float, Field(ge=FINEST, le=COARSEST, allow_inf_nan=False)] = 0.5
    seconds: Seconds = 60.0


class ReportRequest(_Request):
    """The card of a game."""

    kind: Literal["report"]
    games: Games
    number: Annotated[int, Field(ge=4, le=requests.MOST_GAMES)] = 200
    positions: Annotated[int, Field(ge=4, le=10_000)] = 400
    seconds: Seconds = 60.0


class SolveRequest(BaseModel):
    """Every position of a game, exactly."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["solve"]
    game: GameSpec


AnyRequest = Annotated[
    MatchRequest | TournamentRequest | LadderRequest | DepthRequest | ReportRequest | SolveRequest, Field(discriminator="kind")
]


class Progress(BaseModel):
    """Progress of a job, in games, positions or table entries."""

    done: int = 0
    total: int = 0
    text: str = ""
    rate: float | None = Field(None, description="units a second")
    left: float | None = Field(None, description="estimated seconds to the end")


class JobDocument(BaseModel):
    """An experiment that was started in this lab."""

    job: str
    kind: str
    title: str
    games: list[str]
    state: Literal["queued", "running", "done", "stopped", "failed"]
    created: float = Field(description="seconds since 1970")
    started: float | None
    ended: float | None
    seconds: float = Field(description="of work, over all continuations")
    run: int | None = Field(description="its number in the store of experiments")
    progress: Progress
    error: str
    request: dict[str, Any]


class RunDocument(BaseModel):
    """A run of the store, begun here or on a terminal, and its progress."""

    run: int
    kind: str
    game: str
    players: list[str]
    games: int = Field(description="games, or positions, that it wants")
    done: int
    started: str
    seconds: float
    version: str
    state: str
    job: str | None = Field(description="the job of this lab that works on it, if one does")


JobName = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{12}$", description="the name of a job")]
RunNumber = Annotated[int, PathParameter(ge=1, le=2**53, description="the number of a run")]


def _job(lab: Lab, name: str) -> Job:
    found = lab.jobs.get(name)
    if found is None:
        raise Problem(404, f"there is no job {name} (any more)")
    return found


def _submit(lab: Lab, request: dict[str, Any]) -> queue.JobDocument:
    try:
        return lab.jobs.submit(request).document()
    except queue.QueueFull as error:
        raise Problem(429, str(error)) from error
    except LudometerError as error:  # the disk is full or read-only
        raise Problem(507, str(error)) from error


# Jobs


@router.get("/jobs", response_model=list[JobDocument])
async def list_jobs(lab: AnyLab) -> Any:
    """All experiments that were started in this lab, newest first."""
    return [job.document() for job in lab.jobs.all()]


@router.post("/jobs", status_code=201, response_model=JobDocument, responses=responses(422, 429, 507))
async def start_job(lab: AnyLab, request: AnyRequest) -> Any:
    """Start an experiment; the same one again is the one that waits or runs already.  It goes on where an earlier one stopped."""
    return _submit(lab, await asyncio.to_thread(requests.checked, request.model_dump()))


@router.get("/jobs/{name}", response_model=JobDocument, responses=responses(404))
async def show_job(lab: AnyLab, name: JobName) -> Any:
    """One experiment of this lab."""
    return _job(lab, name).document()


@router.post("/jobs/{name}/stop", response_model=JobDocument, responses=responses(404))
async def stop_job(lab: AnyLab, name: JobName) -> Any:
    """End an experiment early; what is measured is kept, and `resume` goes on from there."""
    job = _job(lab, name)
    lab.jobs.stop(job)
    return job.document()


@router.post("/jobs/{name}/resume", response_model=JobDocument, responses=responses(404))
async def resume_job(lab: AnyLab, name: JobName) -> Any:
    """Go on with an experiment that was stopped or has failed."""
    job = _job(lab, name)
    lab.jobs.resume(job)
    return job.document()


@router.delete("/jobs/{name}", status_code=204, responses=responses(404, 409))
async def forget_job(lab: AnyLab, name: JobName) -> Response:
    """Take an experiment that is over off the list.  What it measured stays in the store."""
    job = _job(lab, name)
    try:
        lab.jobs.forget(job)
    except LudometerError as error:
        raise Problem(409, str(error)) from error
    return Response(status_code=204)


# Runs


@router.get("/runs", response_model=list[RunDocument])
async def list_runs(lab: AnyLab) -> Any:
    """The latest runs of the store, newest first, also those that were begun on a terminal."""
    return (await lab.watch.listing())["runs"]


async def _found(lab: Lab, run: int) -> dict[str, Any]:
    found = await lab.watch.experiment(f"run-{run}")
    if found is None:
        raise Problem(404, f"there is no run {run} in the store")
    document: dict[str, Any] = found["run"]
    return document


@router.get("/runs/{run}", responses=responses(404))
async def show_run(lab: AnyLab, run: RunNumber) -> dict[str, Any]:
    """A run with what it says so far: tables in words, and charts as data."""
    return await _found(lab, run)


@router.delete("/runs/{run}", status_code=204, responses=responses(404, 409))
async def delete_run(lab: AnyLab, run: RunNumber) -> Response:
    """Delete a run and the games that no other run needs."""
    await _found(lab, run)
    job = lab.jobs.of_run(run)
    if job is not None and job.state in ("queued", "running"):
        raise Problem(409, f"run {run} is being measured; stop it first")

    def delete() -> None:
        from ludometer.arena.work.store import Store

        lab.shelf.close(run)
        with Store(lab.store) as store:
            store.delete(run)

    await asyncio.to_thread(delete)
    if job is not None:
        lab.jobs.forget(job)
    return Response(status_code=204)


@router.post("/runs/{run}/resume", status_code=201, response_model=JobDocument, responses=responses(404, 422, 429, 507))
async def resume_run(lab: AnyLab, run: RunNumber) -> Any:
    """Go on with a run that was begun on a terminal, where all it needs may be named from outside."""
    await _found(lab, run)

    def request() -> dict[str, Any]:
        from ludometer.arena.work.store import Store
        from ludometer.web.jobs.stored_requests import request_of

        with Store(lab.store, read_only=True) as store:
            return requests.checked(request_of(store, store.run(run)))

    return _submit(lab, await asyncio.to_thread(request))


@router.get("/runs/{run}/games", responses=responses(404, 422))
async def list_games(
    lab: AnyLab, run: RunNumber, first: Annotated[int, Query(ge=0, le=10**9)] = 0, count: Annotated[int, Query(ge=1, le=100)] = 20
) -> list[dict[str, Any]]:
    """Games of a run that are played, in the order of their numbers; none where it has no games, such as one that judges moves."""
    await _found(lab, run)

    def games() -> list[dict[str, Any]]:
        from ludometer.arena.experiments.runs import games_from
        from ludometer.arena.work.store import Store

        with Store(lab.store, read_only=True) as store:
            has_games = any(store.key_of(series).get("unit") == "pair" for series, _ in store.parts(run))
            return [vars(game) for game in islice(games_from(store, run, first), count)] if has_games else []

    return await asyncio.to_thread(games)


@router.get("/runs/{run}/games/{game}", responses=responses(404, 422))
async def show_game(lab: AnyLab, run: RunNumber, game: Annotated[int, PathParameter(ge=0, le=10**9)]) -> dict[str, Any]:
    """One game of a run, played again move for move from its seed."""
    await _found(lab, run)

    def record() -> dict[str, Any]:
        from ludometer.arena.experiments.runs import rebuilt
        from ludometer.arena.work.store import Store
        from ludometer.core.stopping import Stop

        stop = Stop()
        timer = threading.Timer(_REBUILDING, stop.ask)
        timer.start()
        try:
            with Store(lab.store, read_only=True) as store:
                found = rebuilt(store, run, game, stop)
            return {**found.document(), "text": str(found)}
        finally:
            timer.cancel()

    return await asyncio.to_thread(record)


_TYPES = {"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml", "png": "image/png"}


@router.get("/runs/{run}/download", response_class=Response, responses=responses(404, 422))
async def download_run(
    lab: AnyLab, run: RunNumber, form: Annotated[Literal["csv", "json", "svg", "png"], Query(alias="format")]
) -> Response:
    """The games of a run as a table (csv), all that is known of it (json), or its plot (svg, png)."""
    found = await _found(lab, run)
    if form in ("svg", "png"):
        content = await asyncio.to_thread(lab.shelf.figure, run, form)
    elif found["done"] > MOST_EXPORTED:
        raise Problem(422, f"run {run} has more than {MOST_EXPORTED:,} games; `ludometer runs export {run} FILE` writes them")
    else:
        content = await asyncio.to_thread(_exported, lab, run, form)
    name = f"ludometer-run-{run}.{form}"
    return Response(content, media_type=_TYPES[form], headers={"content-disposition": f'attachment; filename="{name}"'})


def _exported(lab: Lab, run: int, form: str) -> bytes:
    from ludometer.arena.experiments.runs import export
    from ludometer.arena.work.store import Store

    with Store(lab.store, read_only=True) as store, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export"
        export(store, run, form, str(file))
        return file.read_bytes()


@pages.get("/experiments/{name}")
async def show_experiment(request: Request, name: str) -> Response:
    """The page of one experiment, `run-3` or `job-0123456789ab`."""
    from ludometer.web.pages import PAGES, render

    if not re.fullmatch(r"run-[1-9][0-9]{0,14}|job-[0-9a-f]{12}", name, re.ASCII):
        raise Problem(404, "there is no such experiment")
    page = next(page for page in PAGES if page.path == "/experiments")
    return render(request, "experiment.html", page=page, name=name)
