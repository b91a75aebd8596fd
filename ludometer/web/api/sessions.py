"""Games in progress for programs and pages: start one, make moves, take them back, ask for a hint, fetch the record."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field

from ludometer.arena.play.session import Session
from ludometer.core.errors import LudometerError
from ludometer.core.record import parse_record
from ludometer.web.catalogue import HUMAN, canonical_player, in_thread
from ludometer.web.lab import Lab, lab_of
from ludometer.web.play.answers import advice
from ludometer.web.play.boards import board_document
from ludometer.web.play.lab_game import Table
from ludometer.web.play.lab_games import SLOWEST_PACE, new_session
from ludometer.web.problems import Problem, responses

router = APIRouter(prefix="/api/sessions", tags=["sessions"])

LabHere = Annotated[Lab, Depends(lab_of)]
Spec = Annotated[str, Field(max_length=500, description="a game or agent, such as quixo:4 or mcts:1000")]
PositionText = Annotated[str, Field(max_length=2000, description="a position as the game writes it, or start")]


class NewSession(BaseModel):
    """A game to be played: by name and players, or from a record."""

    game: Spec = ""
    first: Spec = HUMAN
    second: Spec = HUMAN
    start: PositionText = "start"
    seed: int | None = Field(None, ge=0, lt=2**53, description="decides all chance")
    record: str | None = Field(None, max_length=100_000, description="the record of a game; then game, start and seed are its own")
    pace: float = Field(0.0, ge=0, le=SLOWEST_PACE, description="seconds that an agent's move takes at least")
    paused: bool = False


class Move(BaseModel):
    """A move on the board of a certain version."""

    move: str = Field(max_length=200)
    version: int = Field(ge=0, lt=2**53, description="of the state in which it was chosen; 409 if the game has changed since")


class Action(BaseModel):
    """Something else that can be done with a game."""

    action: Literal["undo", "redo", "restart", "swap", "resign", "stop", "pause", "resume", "step"]


class Pace(BaseModel):
    seconds: float = Field(ge=0, le=SLOWEST_PACE)


async def table_of(lab: LabHere, session: Annotated[str, Path(max_length=32)]) -> Table:
    return await lab.games.get(session)


TableHere = Annotated[Table, Depends(table_of)]


async def _kept(lab: Lab, table: Table, status: int = 200) -> Response:
    """The state of a game, when it is in its file: nothing that was answered is lost."""
    await lab.games.saved(table)
    return _state(table, status)


def _state(table: Table, status: int = 200) -> Response:
    """The state of a game; it is JSON already."""
    return Response(table.text(), status, media_type="application/json")


@router.get("", summary="The games touched last")
async def list_sessions(lab: LabHere) -> list[dict[str, Any]]:
    return await in_thread(lab.games.recent)


@router.post("", status_code=201, summary="Start a game", responses=responses(422))
async def start_session(lab: LabHere, wanted: NewSession) -> Response:
    if wanted.record is not None:
        session, players = await _from_record(lab, wanted)
    else:
        game = await lab.catalogue.game(wanted.game)
        players = await lab.catalogue.check_player(wanted.first, game), await lab.catalogue.check_player(wanted.second, game)
        session = new_session(game, players, game.position(wanted.start), wanted.seed)
    return await _kept(lab, lab.games.new(session, players, wanted.pace, wanted.paused), 201)


async def _from_record(lab: Lab, wanted: NewSession) -> tuple[Session, tuple[str, str]]:
    """The game of a record; players that strangers cannot have are people here."""
    from ludometer import games

    text = wanted.record or ""
    record = await in_thread(parse_record, text, lambda spec: games.game(spec, trusted=False))
    game = await lab.catalogue.game(record.game.spec)
    session = await in_thread(Session.from_record, record)
    session.game = game

    def player(spec: str) -> str:
        try:
            return canonical_player(spec, game)
        except LudometerError:
            return HUMAN

    return session, (player(record.first), player(record.second))


@router.get("/{session}", summary="A game as it stands", responses=responses(404, 422))
async def show_session(table: TableHere) -> Response:
    return _state(table)


@router.delete("/{session}", status_code=204, summary="Delete a game", responses=responses(404, 422))
async def delete_session(lab: LabHere, table: TableHere) -> None:
    await lab.games.remove(table)


@router.post("/{session}/moves", summary="Make a move", responses=responses(404, 409, 422))
async def make_move(lab: LabHere, table: TableHere, wanted: Move) -> Response:
    lab.games.move(table, wanted.move, wanted.version)
    return await _kept(lab, table)


@router.post(
    "/{session}/actions", summary="Undo, redo, restart, swap, resign, stop, pause, resume or step", responses=responses(404, 409, 422)
)
async def act(lab: LabHere, table: TableHere, wanted: Action) -> Response:
    getattr(lab.games, wanted.action)(table)
    return await _kept(lab, table)


@router.post("/{session}/pace", summary="How fast agents play against each other", responses=responses(404, 422))
async def set_pace(lab: LabHere, table: TableHere, wanted: Pace) -> Response:
    lab.games.set_pace(table, wanted.seconds)
    return await _kept(lab, table)


@router.get("/{session}/hint", summary="A good move, and how good it is", responses=responses(404, 409, 422))
async def hint(lab: LabHere, table: TableHere) -> dict[str, Any]:
    if table.session.is_over:
        raise Problem(409, "the game is over")
    return {"version": table.version, **await advice(lab, table.shown)}


@router.get("/{session}/positions/{ply}", summary="The board after so many moves", responses=responses(404, 422))
async def past_position(table: TableHere, ply: Annotated[int, Path(ge=0, le=100_000)]) -> dict[str, Any]:
    turns = table.session.turns if table.viewer is None else table.session.turns_seen_by(table.viewer)
    if ply > len(turns):
        raise Problem(404, f"the game has {len(turns)} moves, not {ply}")
    position = table.session.start if ply == 0 else turns[ply - 1].after
    return {"ply": ply, "position": str(position), "board": board_document(position, playable=False)}


@router.get("/{session}/record", response_class=PlainTextResponse, summary="The record, as text", responses=responses(404, 422))
async def record(table: TableHere) -> PlainTextResponse:
    if table.viewer is not None and table.session.turns:
        raise Problem(409, "the record can be had when both players have chosen")
    name = "".join(letter if letter.isalnum() else "-" for letter in table.session.game.spec)
    headers = {"content-disposition": f'attachment; filename="{name}-{table.name[:6]}.txt"'}
    return PlainTextResponse(str(table.session.record()), headers=headers)
