"""`ludometer depth`: how deep is a game?"""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.ladder import GameSpecs
from ludometer.commands.output import Json, find_game
from ludometer.commands.solve import Tables

Budget = Annotated[
    str,
    typer.Option(
        metavar="TIME",
        help="60s, 5min or 2h: rungs double until a plateau is shown or the time is over; default: the whole plan",
        show_default=False,
    ),
]


def depth(
    games: GameSpecs,
    budget: Budget = "",
    family: Annotated[
        list[str] | None,
        typer.Option(
            "--family",
            metavar="FAMILY",
            help="agents that climb, such as mcts or alphabeta:nodes; may be given several times; "
            "default: mcts:study=textbook, and alphabeta:nodes where the game has an evaluation",
        ),
    ] = None,
    stages: Annotated[int | None, typer.Option(metavar="N", help="do so many stages of the plan", min=1)] = None,
    rungs: Annotated[
        int | None, typer.Option(metavar="N", help="budgets at most, each twice the last; default 8, with --budget 14")
    ] = None,
    number: Annotated[
        int | None, typer.Option("--games", metavar="N", help="games of two rungs at most; default: 512, with --budget 8192")
    ] = None,
    seed: measuring.Seed = 0,
    opening_plies: Annotated[int, typer.Option(metavar="N", help="random plies at the beginning of every pair of games", min=0)] = 2,
    limit: measuring.Limit = None,
    perfect: Annotated[bool, typer.Option(help="put the perfect player on top of the ladder where the game is solved")] = True,
    tables: Tables = "",
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    plot: measuring.Plot = None,
    json: Json = False,
) -> int:
    """Measure depth: how many distinguishable steps the ladder of a game has, what mastering it takes, how far it reaches.

    Works for every game, solved or not, also from a file of yours.  One game is called deeper than another only where the intervals are
    disjoint in every family of agents.
    """
    chosen = [find_game(game) for game in games]
    from ludometer.arena.experiments.depth import depth as measure_depth

    measuring.check_plot(plot)
    seconds = seconds_of(budget)
    with measuring.executing("measuring", "games", workers, cluster, store, no_store) as execution:
        result = measure_depth(
            *chosen,
            families=family or (),
            seconds=seconds,
            stages=stages,
            most_rungs=rungs,
            most_games=number,
            seed=seed,
            opening_plies=opening_plies,
            ply_limit=limit,
            tables=tables,
            perfect=perfect,
            execution=execution,
        )
    if plot is not None:
        result.plot(plot)
    return measuring.print_result(result, plot, json, execution.is_stopped, execution)


def seconds_of(text: str) -> float | None:
    """A time written as 60s, 5min or 2h (a bare number: seconds); None for nothing.  Raises LudometerError."""
    from ludometer.core.errors import LudometerError, shorten

    if not text.strip():
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|sec|m|min|h)?\s*", text)
    if found is None or float(found[1]) <= 0:
        raise LudometerError(f"--budget is a time such as 60s, 5min or 2h, not {shorten(text.strip())}")
    return float(found[1]) * {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}[found[2] or "s"]
