"""Games in progress for programs and pages: start one, make moves, take them back, ask for a hint, fetch the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from ludometer.arena.play.session import Session
from ludometer.core.errors import LudometerError
from ludometer.core.record import parse_record
from ludometer.web import untrusted
from ludometer.web.catalogue import in_thread
from ludometer.web.lab import Lab, lab_of
from ludometer.web.play.answers import Advice, advice
from ludometer.web.play.boards import BoardDocument, board_document
from ludometer.web.play.lab_game import LabGame
from ludometer.web.play.lab_games import SLOWEST_PACE, LabGames, RecentGame, new_session
from ludometer.web.problems import Problem, responses
from ludometer.web.untrusted import HUMAN

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


class Hint(Advice):
    """A good move, and the version of the game it is for."""

    version: int


class PastPosition(TypedDict):
    """A position of a game that is over or has gone on."""

    ply: int
    position: str
    board: BoardDocument


class Action(BaseModel):
    """Something that can be done with a game beside making a move."""

    action: Literal["undo", "redo", "restart", "swap", "resign", "stop", "pause", "resume", "step"]


def _actions(games: LabGames) -> dict[str, Callable[[LabGame], None]]:
    """What each action does."""
    return {
        "undo": games.undo,
        "redo": games.redo,
        "restart": games.restart,
        "swap": games.swap,
        "resign": games.resign,
        "stop": games.stop,
        "pause": games.pause,
        "resume": games.resume,
        "step": games.step,
    }


class Pace(BaseModel):
    """The speed of agents."""

    seconds: float = Field(ge=0, le=SLOWEST_PACE)


async def _game(lab: LabHere, session: Annotated[str, Path(max_length=32)]) -> LabGame:
    return await lab.games.get(session)


GameHere = Annotated[LabGame, Depends(_game)]


async def _kept(lab: Lab, game: LabGame, status: int = 200) -> Response:
    """The state of a game, once its file has it: nothing that was answered is lost."""
    await lab.games.saved(game)
    return _state(game, status)


def _state(game: LabGame, status: int = 200) -> Response:
    """The state of a game, from its JSON text."""
    return Response(game.text(), status, media_type="application/json")


@router.get("", summary="The games touched last")
async def list_sessions(lab: LabHere) -> list[RecentGame]:
    return await in_thread(lab.games.recent)


@router.post("", status_code=201, summary="Start a game", responses=responses(422))
async def start_session(lab: LabHere, wanted: NewSession) -> Response:
    if wanted.record is not None:
        session, players = await _from_record(lab, wanted)
    else:
        rules_of = await lab.catalogue.game(wanted.game)
        players = await lab.catalogue.player_spec(wanted.first, rules_of), await lab.catalogue.player_spec(wanted.second, rules_of)
        session = new_session(rules_of, players, rules_of.position(wanted.start), wanted.seed)
    return await _kept(lab, lab.games.new(session, players, wanted.pace, wanted.paused), 201)


async def _from_record(lab: Lab, wanted: NewSession) -> tuple[Session, tuple[str, str]]:
    """The game of a record; players that input from outside cannot name become people."""
    record = await in_thread(parse_record, wanted.record or "", untrusted.game)
    rules_of = await lab.catalogue.game(record.game.spec)
    session = await in_thread(Session.from_record, record)
    session.game = rules_of

    def player(spec: str) -> str:
        try:
            return untrusted.player_spec(spec, rules_of)
        except LudometerError:
            return HUMAN

    return session, (player(record.first), player(record.second))


@router.get("/{session}", summary="A game as it stands", responses=responses(404, 422))
async def show_session(game: GameHere) -> Response:
    return _state(game)


@router.delete("/{session}", status_code=204, summary="Delete a game", responses=responses(404, 422))
async def delete_session(lab: LabHere, game: GameHere) -> None:
    await lab.games.remove(game)


@router.post("/{session}/moves", summary="Make a move", responses=responses(404, 409, 422))
async def make_move(lab: LabHere, game: GameHere, wanted: Move) -> Response:
    lab.games.move(game, wanted.move, wanted.version)
    return await _kept(lab, game)


@router.post(
    "/{session}/actions", summary="Undo, redo, restart, swap, resign, stop, pause, resume or step", responses=responses(404, 409, 422)
)
async def act(lab: LabHere, game: GameHere, wanted: Action) -> Response:
    _actions(lab.games)[wanted.action](game)
    return await _kept(lab, game)


@router.post("/{session}/pace", summary="How fast agents play against each other", responses=responses(404, 422))
async def set_pace(lab: LabHere, game: GameHere, wanted: Pace) -> Response:
    lab.games.set_pace(game, wanted.seconds)
    return await _kept(lab, game)


@router.get("/{session}/hint", summary="A good move, and how good it is", responses=responses(404, 409, 422))
async def hint(lab: LabHere, game: GameHere) -> Hint:
    if game.session.is_over:
        raise Problem(409, "the game is over")
    return {"version": game.version, **await advice(lab, game.shown)}


@router.get("/{session}/positions/{ply}", summary="The board after a number of moves", responses=responses(404, 422))
async def past_position(game: GameHere, ply: Annotated[int, Path(ge=0, le=100_000)]) -> PastPosition:
    turns = game.session.turns if game.viewer is None else game.session.turns_seen_by(game.viewer)
    if ply > len(turns):
        raise Problem(404, f"the game has {len(turns)} moves, not {ply}")
    position = game.session.start if ply == 0 else turns[ply - 1].after
    return {"ply": ply, "position": str(position), "board": board_document(position, playable=False)}


@router.get("/{session}/record", response_class=PlainTextResponse, summary="The record, as text", responses=responses(404, 422))
async def record(game: GameHere) -> PlainTextResponse:
    if game.viewer is not None and game.session.turns:
        raise Problem(409, "the record can be had when both players have chosen")
    name = "".join(letter if letter.isalnum() else "-" for letter in game.session.game.spec)
    headers = {"content-disposition": f'attachment; filename="{name}-{game.name[:6]}.txt"'}
    return PlainTextResponse(str(game.session.record()), headers=headers)
