"""`ludometer engine`: an agent as an engine on standard input and output."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer


def engine(
    agent: Annotated[str, typer.Option(metavar="AGENT", help="who plays")] = "mcts:1000",
    game: Annotated[str, typer.Option(metavar="GAME", help="the game at first; the option Game sets another")] = "tictactoe",
) -> None:
    """Speak the Universal Game Interface (docs/engines.md) on standard input and output."""
    from ludometer.bridges.engine_server import EngineServer
    from ludometer.commands.output import find_game

    chosen = find_game(game)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what an agent prints is no answer
    EngineServer(agent, chosen.reference, sys.stdin, out).run()
