"""`ludometer tournament`: several agents on one scale."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import GameSpec, Json, find_game

Agents = Annotated[list[str], typer.Argument(metavar="AGENT…", help="who takes part, such as random mcts:100 mcts:1000")]


def tournament(
    game: GameSpec,
    agents: Agents,
    games: measuring.Games = 100,
    gauntlet: Annotated[str | None, typer.Option(metavar="AGENT", help="this one plays against all others, and nobody else plays")] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="AGENT", help="whose rating is 0; default: the first, or that of the gauntlet")
    ] = None,
    seed: measuring.Seed = 0,
    opening_plies: measuring.OpeningPlies = None,
    limit: measuring.Limit = None,
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    plot: measuring.Plot = None,
    json: Json = False,
) -> int:
    """Play a tournament: ratings with intervals, the cross table, and whether one scale describes it; --games are for each pairing."""
    chosen = find_game(game)
    from ludometer.arena.experiments.tournament import tournament as play_tournament

    measuring.check_plot(plot)
    with measuring.executing("playing", "games", workers, cluster, store, no_store) as execution:
        result = play_tournament(
            chosen,
            agents,
            games,
            gauntlet=gauntlet,
            anchor=anchor,
            seed=seed,
            opening_plies=opening_plies,
            ply_limit=limit,
            execution=execution,
        )
    if plot is not None:
        result.plot(plot)
    how = measuring.stopped_after(result.games, result.wanted)
    return measuring.print_result(result, plot, json, result.ended == "stopped", execution, how)
