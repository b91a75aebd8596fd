"""`ludometer show`: a position, drawn and described."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands.output import GameSpec, Json, find_game, print_board, print_json

if TYPE_CHECKING:
    from ludometer.core.position import Position


def show(
    game: GameSpec,
    position: Annotated[str, typer.Argument(metavar="[POSITION]", help="as the game writes it, in quotes", show_default=False)] = "start",
    moves: Annotated[str, typer.Option(metavar="MOVE,…", help="moves to make from there")] = "",
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="draw the position into this file")] = None,
    json: Json = False,
) -> None:
    """Show a position, its legal moves and its result, and how positions and moves are written."""
    chosen = find_game(game)
    shown = chosen.position(position)
    for move in re.split(r"[,\s]+", moves.strip()) if moves.strip() else []:
        shown = shown.play(move)
    answer: dict[str, object] = {
        "game": chosen.spec,
        "position": str(shown),
        "turn": shown.turn,
        "moves": shown.moves(),
        "result": shown.result,
    }
    if chosen.kind.scored:
        answer["margin"] = shown.margin
    if svg is not None:
        from ludometer.core.files import write_text

        write_text(svg, shown.svg())
    if json:
        print_json(answer)
        return
    _describe(shown)
    if svg is not None:
        print(f"drawn in {svg}")


def _describe(position: Position) -> None:
    from ludometer.agents.human import in_columns

    kind = position.game.kind
    print_board(position)
    print(f"\n{position.game.spec}  {position}")
    if position.is_over:
        print(f"over: {position.result}")
    else:
        legal = position.moves()
        print(f"{position.turn} to move, {len(legal)} legal move{'s' if len(legal) > 1 else ''}:")
        print(in_columns(legal))
    print(f"\npositions: {kind.position_help}")
    print(f"moves: {kind.move_help}")
