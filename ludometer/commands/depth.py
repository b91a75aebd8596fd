"""`ludometer depth`: how deep is a game?"""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.ladder import GameSpecs
from ludometer.commands.output import Json, find_game, print_json
from ludometer.commands.solve import Tables

Budget = Annotated[
    str,
    typer.Option(metavar="TIME", help="time for all games, such as 60s, 5min or 2h; default: 2min a game", show_default=False),
]


def depth(
    games: GameSpecs,
    precision: Annotated[
        float, typer.Option(metavar="LEVELS", help="half width of the 95 % interval of the last rung's level that is planned for")
    ] = 0.4,
    budget: Budget = "",
    rungs: Annotated[
        int | None, typer.Option(metavar="N", help="rungs at most, 1, 2, 4, … iterations, instead of as many as the budget allows")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="say what would be played and how long it takes, and play nothing")] = False,
    seed: measuring.Seed = 0,
    opening_plies: Annotated[int, typer.Option(metavar="N", help="random plies at the beginning of every pair of games", min=0)] = 2,
    limit: measuring.Limit = None,
    perfect: Annotated[bool, typer.Option(help="let perfect play close the scale of a solved game")] = True,
    yardstick: Annotated[
        str, typer.Option(metavar="FAMILY", help="agents that climb, without their number of iterations; another yardstick, another scale")
    ] = "uct",
    tables: Tables = "",
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    plot: measuring.Plot = None,
    latex: Annotated[str | None, typer.Option(metavar="FILE", help="write the table as LaTeX")] = None,
    json: Json = False,
) -> int:
    """Measure depth: how many levels of skill a game has, counted from random play in steps of 75 %.

    Works for every game, solved or not, also from a file of yours.  docs/depth.md explains the numbers.
    """
    chosen = [find_game(game) for game in games]
    from ludometer.arena.experiments.depth import DepthPlan, plan_depth
    from ludometer.arena.experiments.depth import depth as measure_depth
    from ludometer.core.files import check_outputs, write_text

    measuring.check_plot(plot)
    if latex is not None:
        check_outputs(latex)
    with measuring.executing("measuring", "games", workers, cluster, store, no_store or plan) as execution:
        found = (plan_depth if plan else measure_depth)(
            *chosen,
            precision=precision,
            budget=budget or None,
            rungs=rungs,
            seed=seed,
            opening_plies=opening_plies,
            ply_limit=limit,
            perfect=perfect,
            tables=tables,
            yardstick=yardstick,
            execution=execution,
        )
        if isinstance(found, DepthPlan):
            print_json(found.document()) if json else print(found)
            return 0
        if plot is not None:
            found.plot(plot)
        if latex is not None:
            write_text(latex, found.to_latex())
        return measuring.print_result(found, plot, json, execution.is_stopped, execution)
