"""The API of solved games: what is solved, what can be, what a solution says as a whole, and lines of perfect play."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response

from ludometer.core.errors import LudometerError
from ludometer.web import untrusted
from ludometer.web.jobs.requests import MOST_DISK, MOST_ENTRIES, MOST_SOLVING
from ludometer.web.lab import Lab, lab_of
from ludometer.web.problems import Problem, responses

_ANSWERING = 20.0  # seconds that a question about lines may take

router = APIRouter(prefix="/api/tables", tags=["tables"])
AnyLab = Annotated[Lab, Depends(lab_of)]
GameSpec = Annotated[str, Query(min_length=1, max_length=420, description="a solved game, such as quixo:3")]
_drawing = threading.Lock()


def _root(lab: Lab) -> Path | None:
    return lab.tables_folder


@router.get("")
async def list_tables(lab: AnyLab) -> dict[str, Any]:
    """Games that are solved here, and listed ones with what solving them takes: `solved` and `solvable`."""

    def documents() -> dict[str, Any]:
        from ludometer.view.results.solved_games import solvable_documents, solved_documents

        solvable = [{**row, "from_here": _is_small(row)} for row in solvable_documents(_root(lab))]
        return {"solved": solved_documents(_root(lab)), "solvable": solvable}

    return await asyncio.to_thread(documents)


def _is_small(row: dict[str, Any]) -> bool:
    """Whether a game may be solved from a page (see `experiments.checked`)."""
    return (
        row["seconds"] is not None
        and row["seconds"] <= MOST_SOLVING
        and row["bytes"] <= MOST_DISK
        and (row["entries"] or 0) <= MOST_ENTRIES
    )


def _missing(error: LudometerError, game: str) -> Problem:
    return Problem(404, f"{game} is not solved here: {error}")


@router.get("/analysis", responses=responses(404, 422))
async def show_analysis(lab: AnyLab, game: GameSpec) -> dict[str, Any]:
    """Totals, classes and distances of a solved game, with charts as data."""

    def document() -> dict[str, Any]:
        from ludometer.solvers.files.table_files import TableError
        from ludometer.view.results.solved_games import analysis_of

        chosen = untrusted.game(game)
        try:
            return analysis_of(chosen, _root(lab))
        except TableError as error:
            raise _missing(error, chosen.spec) from error

    return await asyncio.to_thread(document)


@router.get("/lines", responses=responses(404, 422))
async def show_lines(lab: AnyLab, game: GameSpec, count: Annotated[int, Query(ge=1, le=10)] = 3) -> dict[str, Any]:
    """Perfect play from the start, and the longest wins, move by move."""

    def document() -> dict[str, Any]:
        from ludometer.core.stopping import Stop
        from ludometer.solvers.files.table_files import TableError
        from ludometer.view.results.solved_games import lines_of

        chosen = untrusted.game(game)
        stop = Stop()
        timer = threading.Timer(_ANSWERING, stop.ask)
        timer.start()
        try:
            return lines_of(chosen, count, _root(lab), stop)
        except TableError as error:
            raise _missing(error, chosen.spec) from error
        finally:
            timer.cancel()

    return await asyncio.to_thread(document)


@router.get("/figure", response_class=Response, responses=responses(404, 422))
async def draw_table(
    lab: AnyLab,
    game: GameSpec,
    what: Literal["classes", "distances"] = "classes",
    form: Annotated[Literal["svg", "png"], Query(alias="format")] = "svg",
) -> Response:
    """Wins, losses and draws by class, or how long they take, as a file drawn by matplotlib."""

    def drawn() -> bytes:
        from ludometer.solvers.files.table_files import TableError
        from ludometer.view.figures import figure_bytes
        from ludometer.view.results import solution_plots
        from ludometer.view.results.solved_games import analysis_of

        chosen = untrusted.game(game)
        try:
            found = analysis_of(chosen, _root(lab))
        except TableError as error:
            raise _missing(error, chosen.spec) from error
        if not found["classes"]:
            raise LudometerError(f"{chosen.spec} is too large for a table: nothing was counted that could be drawn")
        with _drawing:
            picture = (
                solution_plots.class_figure(chosen.spec, found["classes"])
                if what == "classes"
                else solution_plots.distance_figure(chosen.spec, found["histogram"])
            )
            return figure_bytes(picture, form)

    content = await asyncio.to_thread(drawn)
    kind = {"svg": "image/svg+xml", "png": "image/png"}[form]
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{what}.{form}"'})
