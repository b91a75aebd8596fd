"""The API of learning dynamics in matrix games."""

from __future__ import annotations

import asyncio
import threading
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from ludometer.core.errors import LudometerError
from ludometer.web import untrusted
from ludometer.web.problems import Problem, responses

MOST_ACTIONS = 5  # of a player
MOST_STEPS = 400_000  # of all learners together: pairs times episodes
_AT_ONCE = 2  # questions worked on; more wait
_MOST_WAITING = 16

router = APIRouter(prefix="/api/dynamics", tags=["dynamics"])
_turns = asyncio.Semaphore(_AT_ONCE)
_waiting = 0
_drawing = threading.Lock()


class Settings(BaseModel):
    """A matrix game and how it is learnt."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(min_length=1, max_length=420)] = Field(
        "matrix:sexes", description="matrix:NAME, or a table of row,column payoffs such as 3,2 0,0; 0,0 2,3"
    )
    rows: Annotated[str, Field(max_length=400)] = Field(
        "", description="names of the row player's actions, with commas between; default: as named or 1, 2, …"
    )
    columns: Annotated[str, Field(max_length=400)] = Field("", description="the same for the column player")
    dynamics: Literal["replicator", "boltzmann", "best-response"] = "replicator"
    tau: Annotated[float, Field(ge=0.01, le=1000, allow_inf_nan=False)] = Field(
        1.0, description="temperature τ of Boltzmann dynamics and learners"
    )
    kappa: Annotated[int, Field(ge=1, le=50)] = Field(1, description="leniency κ: actions are judged by the best of κ rewards")
    populations: Literal["1", "2"] = Field("2", description="1 for a symmetric game whose players are alike")
    learners: Literal["none", "cross", "faq", "greedy", "boltzmann"] = "none"
    alpha: Annotated[float, Field(ge=0.0001, le=1, allow_inf_nan=False)] = Field(0.02, description="learning rate α")
    epsilon: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = Field(0.1, description="exploration ε of greedy learners")
    runs: Annotated[int, Field(ge=1, le=200)] = Field(50, description="pairs of learners")
    episodes: Annotated[int, Field(ge=10, le=20_000)] = 4_000
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0


Asked = Annotated[Settings, Query()]


def _portrait(settings: Settings) -> Any:
    """The portrait that is asked for; raises LudometerError."""
    from ludometer.dynamics.payoffs import PREFIX, find_game, renamed
    from ludometer.dynamics.portrait import learning_dynamics

    if settings.learners != "none" and settings.runs * settings.episodes > MOST_STEPS:
        raise LudometerError(f"pairs times episodes are at most {MOST_STEPS:,} here, not {settings.runs * settings.episodes:,}")
    text = settings.game.strip()
    spec = text if text.lower().startswith(PREFIX) else PREFIX + text
    game = untrusted.game(spec)
    table, _ = find_game(game.spec)
    size = (len(table.row_labels), len(table.column_labels))
    if max(size) > MOST_ACTIONS:
        raise LudometerError(
            f"games here have at most {MOST_ACTIONS} actions a player, not {size[0]}×{size[1]}; `ludometer dynamics` takes larger ones"
        )
    table = renamed(table, _names(settings.rows), _names(settings.columns))
    return learning_dynamics(
        table,
        dynamics=settings.dynamics,
        tau=settings.tau,
        kappa=settings.kappa,
        populations=int(settings.populations),
        learners=_learners(settings),
        runs=settings.runs,
        episodes=settings.episodes,
        seed=settings.seed,
        workers=1,
    )


def _learners(settings: Settings) -> Any:
    """Settings of the learners, None if there are none; raises LudometerError."""
    from ludometer.dynamics.learners import learner_settings

    if settings.learners == "none":
        return None
    return learner_settings(
        settings.learners,
        alpha=settings.alpha,
        kappa=settings.kappa,
        epsilon=settings.epsilon if settings.learners == "greedy" else None,
        tau=settings.tau if settings.learners in ("faq", "boltzmann") else None,
    )


def _names(text: str) -> list[str] | None:
    return [name.strip() for name in text.split(",")] if text.strip() else None


async def _in_turn(work: Any, *given: Any) -> Any:
    """Work in a thread, a few at a time; raises Problem when too many wait already."""
    global _waiting
    if _waiting >= _MOST_WAITING:
        raise Problem(503, "too many questions at once; try again in a moment")
    _waiting += 1
    try:
        async with _turns:
            return await asyncio.to_thread(work, *given)
    finally:
        _waiting -= 1


@router.get("", responses=responses(422, 503))
async def show_dynamics(asked: Asked) -> dict[str, Any]:
    """Equilibria in fractions, rest points by kind, the field and its paths on a square or triangle, and where learners end."""

    def document() -> dict[str, Any]:
        from ludometer.view.dynamics.fields import dynamics_document

        return dynamics_document(_portrait(asked))

    found: dict[str, Any] = await _in_turn(document)
    return found


@router.get("/games")
async def list_named_games() -> list[dict[str, Any]]:
    """The matrix games that have names, with their tables."""

    def documents() -> list[dict[str, Any]]:
        from ludometer.dynamics.payoffs import named_documents

        return named_documents()

    return await asyncio.to_thread(documents)


def _figure(settings: Settings, form: str) -> bytes:
    from ludometer.view.figures import figure_bytes

    with _drawing:
        return figure_bytes(_portrait(settings).plot(), form)


class Figure(Settings):
    """The same, and the format of the file."""

    format: Literal["svg", "png"] = "svg"


@router.get("/figure", response_class=Response, responses=responses(422, 503))
async def figure(asked: Annotated[Figure, Query()]) -> Response:
    """The field as a file, drawn by matplotlib."""
    content = await _in_turn(_figure, asked, asked.format)
    kind = {"svg": "image/svg+xml", "png": "image/png"}[asked.format]
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="dynamics.{asked.format}"'})
