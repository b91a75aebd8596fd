"""`ludometer tournament`: several agents on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import GameSpec, Json, find_game

if TYPE_CHECKING:
    from ludometer.arena.measurements.pairings import PlayProgress

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

    measuring.check_playing(workers, cluster)
    measuring.check_plot(plot)
    with measuring.opened_store(store, no_store) as kept:
        with measuring.interruptible("playing", "games", kept is not None) as (report, stop):
            result = play_tournament(
                chosen,
                agents,
                games,
                gauntlet=gauntlet,
                anchor=anchor,
                seed=seed,
                opening_plies=opening_plies,
                ply_limit=limit,
                store=kept,
                workers=workers,
                cluster=cluster or None,
                progress=lambda at: report(at.done, at.wanted, progress_text(at)),
                stop=stop,
            )
        return measuring.print_result(result, plot, json, result.ended == "stopped", result.games, result.wanted, kept is not None)


def progress_text(at: PlayProgress) -> str:
    """How many pairings are through."""
    finished = sum(total.pairs > 0 and total.games * len(at.totals) >= at.wanted for total in at.totals)
    return f"{finished} of {len(at.totals)} pairings finished"
