"""`ludometer report`: a game's report card."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.ladder import GameSpecs
from ludometer.commands.output import Json, find_game, print_json, say
from ludometer.commands.solve import Tables


def report(
    games: GameSpecs,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="write a page (.html), a text (.md) or the data (.json)", show_default=False),
    ] = None,
    budget: Annotated[
        str,
        typer.Option(metavar="TIME", help="60s, 5min or 2h for the depth of each game"),
    ] = "60s",
    precision: Annotated[float, typer.Option(metavar="LEVELS", help="half width of the depth's interval that is planned for")] = 0.5,
    rungs: Annotated[int | None, typer.Option(metavar="N", help="rungs of the scale at most, in place of a budget")] = None,
    games_each: Annotated[
        int, typer.Option("--games", metavar="N", help="games of the strongest agent against itself; weaker ones play more", min=4)
    ] = 200,
    positions: Annotated[
        int, typer.Option(metavar="N", help="random positions at which moves are judged and forced wins looked for", min=4)
    ] = 400,
    seed: measuring.Seed = 0,
    limit: measuring.Limit = None,
    tables: Tables = "",
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    json: Json = False,
) -> int:
    """The card of a game: branching, length, fairness, draws, complexity, ladder, depth and a sample game.

    Works for every game, also from a file of yours, and shows the same numbers of the built-in games beside it.
    """
    chosen = [find_game(game) for game in games]
    from ludometer.arena.experiments.report import report as make_report
    from ludometer.view.results.reports import check_report_file

    if out is not None:
        check_report_file(out)
    with measuring.executing("measuring", "units", workers, cluster, store, no_store) as execution:
        result = make_report(
            *chosen,
            games=games_each,
            positions=positions,
            budget=budget,
            precision=precision,
            rungs=rungs,
            seed=seed,
            ply_limit=limit,
            tables=tables,
            execution=execution,
        )
    if out is not None:
        result.save(out)
    if json:
        print_json(result.document())
    else:
        print(result)
    if out is not None:
        say(f"written to {out}")
    return 0
