"""`ludometer show`: a position, drawn and described."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ludometer.commands.output import GameSpec, Json, find_game, print_board, print_json


def show(
    game: GameSpec,
    position: Annotated[str, typer.Argument(metavar="[POSITION]", help="as the game writes it, in quotes", show_default=False)] = "start",
    moves: Annotated[str, typer.Option(metavar="MOVE,…", help="moves to make from there")] = "",
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="draw the position into this file")] = None,
    json: Json = False,
) -> None:
    """Show a position, its legal moves and its result, and how positions and moves are written."""
    shown = find_game(game).position(position)
    for move in re.split(r"[,\s]+", moves.strip()) if moves.strip() else []:
        shown = shown.play(move)
    if svg is not None:
        from ludometer.core.files import write_text

        write_text(svg, shown.svg())
    if json:
        print_json(shown.document())
        return
    from ludometer.view.results.lists import position_text

    print_board(shown)
    print(f"\n{position_text(shown)}")
    if svg is not None:
        print(f"drawn in {svg}")
