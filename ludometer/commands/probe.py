"""`ludometer probe`: the exact value of a position and of every move in it."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_board, print_json
from ludometer.commands.progress import shown_progress
from ludometer.commands.solve import Tables


def probe(
    game: GameSpec,
    position: Annotated[str, typer.Argument(metavar="[POSITION]", help="as the game writes it, in quotes", show_default=False)] = "start",
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="draw the position with the values of the moves into this file")] = None,
    before: Annotated[
        bool, typer.Option("--predecessors", help="also list the positions that lead here by one move (games of tiles)")
    ] = False,
    tables: Tables = "",
    json: Json = False,
) -> None:
    """Say who wins from a position, in how many moves, and what each move is worth.

    Values are for the player to move; a move's value is for the player who makes it.  Small games that were not solved before are solved on
    the spot.
    """
    chosen = find_game(game)
    asked = chosen.position(position)
    from ludometer.core.files import check_writable, write_text
    from ludometer.solvers import predecessors, solution_for
    from ludometer.view.results.solution_documents import predecessors_document, probe_document
    from ludometer.view.results.solutions import move_colours, move_labels, predecessors_text, probe_text

    if svg is not None:
        check_writable(svg)
    came_from = predecessors(asked) if before else None
    with shown_progress("solving", "entries") as progress, ending_on_interrupt():
        found = solution_for(chosen, tables or None, progress=progress).probe(asked)
    if svg is not None:
        write_text(svg, asked.svg(labels=move_labels(found), colours=move_colours(found)))
    if json:
        document = probe_document(asked, found)
        print_json(document if came_from is None else {**document, "predecessors": predecessors_document(came_from)})
        return
    print_board(asked)
    print(f"\n{probe_text(asked, found)}")
    if came_from is not None:
        print(predecessors_text(came_from))
    if svg is not None:
        print(f"drawn in {svg}")
