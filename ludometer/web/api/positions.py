"""Games and positions for programs and pages: what is legal, what it is worth, what an agent would play."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.view.results.lists import games_document
from ludometer.web import untrusted
from ludometer.web.api.sessions import LabHere, Spec
from ludometer.web.catalogue import AgentForm, GameFamily, Level, agents_document, in_thread, kinds_document
from ludometer.web.play.answers import exact_document
from ludometer.web.play.boards import board_document, looks_module, position_from_parts, setup_document
from ludometer.web.play.lab_game import MoveReport
from ludometer.web.play.lab_games import plain_report
from ludometer.web.problems import responses

router = APIRouter(tags=["positions"])
SECONDS = 20.0  # deadline of one question

GameName = Annotated[str, Query(max_length=500, description="which game, such as quixo:4")]
PositionName = Annotated[str, Query(max_length=2000, description="as the game writes it, or start")]
AgentName = Annotated[str, Query(max_length=500, description="who is asked, such as mcts:1000")]
Seed = Annotated[int, Query(ge=0, lt=2**53, description="decides all chance")]


class SetUp(BaseModel):
    """A position part by part, with the parts that `/api/board` lists."""

    game: Spec
    parts: dict[str, Annotated[str, Field(max_length=20)]] = Field(max_length=1000)


class GameDescription(TypedDict):
    """What a page needs to know of a game before it is played."""

    game: str
    name: str
    sides: list[str]
    simultaneous: bool
    scored: bool
    position_help: str
    move_help: str
    start: str
    solved: bool
    levels: list[Level]
    agents: list[AgentForm]


class MoveResult(TypedDict):
    """A legal move and the position after it."""

    move: str
    position: str
    result: str | None


class LegalMoves(TypedDict):
    """The legal moves of a position."""

    game: str
    position: str
    turn: str | None
    moves: list[MoveResult]


class AgentChoice(TypedDict):
    """An agent's move; `value` is the points that it expects, from 0 to 1."""

    game: str
    position: str
    agent: str
    move: str
    value: float | None
    report: MoveReport


@router.get("/looks.js", include_in_schema=False)
async def looks() -> Response:
    """How the roles of drawings look, for the browser."""
    return Response(looks_module(), media_type="text/javascript", headers={"cache-control": "no-cache"})


@router.get("/api/games", summary="All listed games", tags=["games"])
async def games() -> list[dict[str, Any]]:
    return games_document()


@router.get("/api/kinds", summary="Families of games", tags=["games"])
async def kinds() -> list[GameFamily]:
    return kinds_document()


@router.get("/api/games/{game}", summary="One game: who can play it, with which options", tags=["games"], responses=responses(422))
async def one_game(lab: LabHere, game: Annotated[str, Path(max_length=500)]) -> GameDescription:
    found = await lab.catalogue.game(game)
    kind = found.kind
    return {
        "game": found.spec,
        "name": kind.title,
        "sides": list(kind.players),
        "simultaneous": kind.simultaneous,
        "scored": kind.scored,
        "position_help": kind.position_help,
        "move_help": kind.move_help,
        "start": str(found.start()),
        "solved": await in_thread(lab.catalogue.is_solved, found),
        "levels": await lab.catalogue.levels(found),
        "agents": await in_thread(agents_document, found),
    }


@router.get("/api/players", summary="The canonical spec of an agent, or why it cannot play", tags=["games"], responses=responses(422))
async def player(lab: LabHere, game: GameName, agent: AgentName) -> dict[str, str]:
    found = await lab.catalogue.game(game)
    return {"game": found.spec, "agent": await lab.catalogue.player_spec(agent, found)}


@router.get("/api/positions", summary="A position", responses=responses(422))
async def position(lab: LabHere, game: GameName, position: PositionName = "start") -> dict[str, Any]:
    return (await lab.catalogue.position(game, position)).document()


@router.get("/api/moves", summary="Legal moves and where they lead", responses=responses(422))
async def moves(lab: LabHere, game: GameName, position: PositionName = "start") -> LegalMoves:
    found = await lab.catalogue.position(game, position)
    rows = [MoveResult(move=move, position=str(after), result=after.result) for move, after in found.children()]
    return {"game": found.game.spec, "position": str(found), "turn": found.turn, "moves": rows}


@router.get("/api/board", summary="A position as a drawing", responses=responses(422))
async def board(lab: LabHere, game: GameName, position: PositionName = "start", after: str = Query("", max_length=200)) -> dict[str, Any]:
    """`after` is a move to be made first: the drawing then shows it as the latest one."""
    found = await lab.catalogue.position(game, position)
    if after:
        found = found.play(after)
    return {**found.document(), "sides": list(found.game.kind.players), "board": board_document(found), "setup": setup_document(found)}


@router.get("/api/board.svg", summary="A position as a picture", responses=responses(422))
async def picture(
    lab: LabHere,
    game: GameName,
    position: PositionName = "start",
    after: Annotated[str, Query(max_length=100, description="a move to make first, which is marked")] = "",
) -> Response:
    found = await lab.catalogue.position(game, position)
    found = found.play(after) if after else found
    headers = {"cache-control": "max-age=3600", "content-security-policy": "default-src 'none'"}
    return Response(found.svg(), media_type="image/svg+xml", headers=headers)


@router.post("/api/setup", summary="The position that consists of these parts", responses=responses(422))
async def setup(lab: LabHere, wanted: SetUp) -> dict[str, Any]:
    return position_from_parts(await lab.catalogue.game(wanted.game), wanted.parts).document()


@router.get("/api/probe", summary="Exact values of a position and its moves", responses=responses(422))
async def probe(lab: LabHere, game: GameName, position: PositionName = "start") -> dict[str, Any]:
    found = await lab.catalogue.position(game, position)

    def ask(stop: Stop) -> dict[str, Any]:
        return exact_document(found, lab.catalogue.solution(found.game).probe(found, stop))

    return await lab.thinking.run(ask, seconds=SECONDS)


@router.get("/api/best", summary="What an agent would play", responses=responses(422))
async def best(
    lab: LabHere, game: GameName, position: PositionName = "start", agent: AgentName = "mcts:1000", seed: Seed = 0
) -> AgentChoice:
    found = await lab.catalogue.position(game, position)
    if found.is_over:
        raise LudometerError(f"the game is over: {found.result}")
    spec = await lab.catalogue.player_spec(agent, found.game)
    if spec == untrusted.HUMAN:
        raise LudometerError("a person cannot be asked here; name an agent, such as mcts:1000")
    asked = await lab.thinking.agent(spec, found)
    choice = await lab.thinking.run(lambda stop: asked.choose(found, stream(seed, "game", 0), stop), seconds=SECONDS)
    if not isinstance(choice, Decision):
        raise LudometerError(f"{spec} has no move here")
    return {
        "game": found.game.spec,
        "position": str(found),
        "agent": spec,
        "move": found.move_text(choice.move),
        "value": choice.value,
        "report": plain_report(choice.report),
    }
