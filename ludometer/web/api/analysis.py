"""More about a position: its predecessors and what a search looks at.  Values that grow come by WebSocket, see `analysis`."""

from __future__ import annotations

import io
import threading
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.solvers.tiles.board import is_tile_game
from ludometer.web import untrusted
from ludometer.web.api.positions import AgentName, GameName, PositionName, Seed
from ludometer.web.api.sessions import LabHere
from ludometer.web.play.analysis import encoded
from ludometer.web.problems import responses

router = APIRouter(prefix="/api", tags=["analysis"])
SECONDS = 10.0
_drawing = threading.Lock()  # matplotlib draws one picture at a time


@router.get("/predecessors", summary="Where a position of a tile game can have come from", responses=responses(422))
async def list_predecessors(lab: LabHere, game: GameName, position: PositionName = "start") -> dict[str, Any]:
    found = await lab.catalogue.position(game, position)

    def look(stop: Stop) -> list[dict[str, str]]:
        from ludometer.solvers import predecessors

        return [{"position": str(before), "move": before.move_text(move)} for move, before in predecessors(found)]

    return {"game": found.game.spec, "position": str(found), "predecessors": await lab.thinking.run(look, seconds=SECONDS)}


@router.get("/analysis", summary="Where the analysis of a position can be followed", responses=responses(422))
async def analysis_topic(lab: LabHere, game: GameName, position: PositionName = "start") -> dict[str, Any]:
    """`live` is a WebSocket: a snapshot, then changes while values grow."""
    found = await lab.catalogue.position(game, position)
    kinds = {"tiles": is_tile_game(found.game), "solved": lab.catalogue.is_solved(found.game)}
    return {"game": found.game.spec, "position": str(found), "live": f"/live/analysis/{encoded(found.game.spec, str(found))}", **kinds}


@router.get("/tree", summary="What a search looks at, in numbers", responses=responses(422))
async def tree(
    lab: LabHere, game: GameName, position: PositionName = "start", agent: AgentName = "alphabeta:2", seed: Seed = 0
) -> dict[str, Any]:
    found = await lab.catalogue.position(game, position)
    spec = await lab.catalogue.player_spec(agent, found.game)
    return await lab.thinking.run(lambda stop: _numbers(_tree(found, spec, seed, stop)), seconds=SECONDS)


@router.get("/tree.png", summary="What a search looks at, drawn", responses=responses(422))
async def tree_picture(
    lab: LabHere, game: GameName, position: PositionName = "start", agent: AgentName = "alphabeta:2", seed: Seed = 0
) -> Response:
    found = await lab.catalogue.position(game, position)
    spec = await lab.catalogue.player_spec(agent, found.game)
    picture = await lab.thinking.run(lambda stop: _picture(_tree(found, spec, seed, stop)), seconds=SECONDS)
    return Response(picture, media_type="image/png")


def _tree(position: Position, spec: str, seed: int, stop: Stop) -> Any:
    from ludometer.view.search_trees import MOST_DRAWN

    player = untrusted.agent(spec, position.game)
    if not hasattr(player, "tree"):
        raise LudometerError(f"agent {spec} does not search depth first, so it has no tree to show; try alphabeta:2")
    return player.tree(position, stream(seed, "game", 0), MOST_DRAWN + 1, stop)


def _numbers(tree: Any) -> dict[str, Any]:
    document: dict[str, Any] = tree.document()
    return document


def _picture(tree: Any) -> bytes:
    from ludometer.view.search_trees import tree_figure

    with _drawing:
        figure = tree_figure(tree)
        target = io.BytesIO()
        figure.savefig(target, format="png", dpi=110)
    return target.getvalue()
