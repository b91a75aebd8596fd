"""`ludometer tree`: the tree of a search."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_json


def tree(
    game: GameSpec,
    position: Annotated[str, typer.Argument(metavar="[POSITION]", help="as the game writes it, in quotes", show_default=False)] = "start",
    agent: Annotated[str, typer.Option(metavar="AGENT", help="who searches, such as alphabeta:2")] = "alphabeta:2",
    seed: Annotated[int, typer.Option(metavar="N", help="decides all chance")] = 0,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="draw the tree into this SVG, PNG or PDF file")] = None,
    json: Json = False,
) -> None:
    """Search a position, count the positions visited and moves pruned, and optionally draw the tree."""
    chosen = find_game(game)
    from ludometer.agents import agent as find_agent
    from ludometer.core.errors import SpecError
    from ludometer.core.files import check_writable
    from ludometer.core.random import stream

    player = find_agent(agent, chosen)
    if not hasattr(player, "tree"):
        raise SpecError(f"agent {player} does not search depth first, so it has no tree to show; try alphabeta:2")
    begin = chosen.position(position)
    if plot is not None:
        from ludometer.view.figures import check_format

        check_writable(plot)
        check_format(plot)
    with ending_on_interrupt():
        found = player.tree(begin, stream(seed, "game", 0))
    if plot is not None:
        from ludometer.view.search_trees import draw_tree

        draw_tree(found, plot)
    if json:
        print_json(found.document())
        return
    print(f"{chosen.spec}  {begin}")
    print(f"{found.nodes:,} positions looked at, {found.depth} plies deep, {found.pruned:,} moves cut off")
    print(f"chosen: {' '.join(found.chosen_moves)}")
    if plot is not None:
        print(f"drawn in {plot}")
