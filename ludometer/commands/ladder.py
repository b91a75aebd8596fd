"""`ludometer ladder`: strength against resources."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import Json, find_game
from ludometer.commands.solve import Tables

GameSpecs = Annotated[
    list[str], typer.Argument(metavar="GAME...", help="one or more games, such as quixo:3 quixo:4; see `ludometer games`")
]
Agents = Annotated[
    list[str],
    typer.Option(
        "--agent",
        metavar="FAMILY",
        help="an agent without its budget, such as mcts or alphabeta:nodes (its bare name where the budget is not the main option); "
        "may be given several times",
    ),
]


def ladder(
    games: GameSpecs,
    agent: Agents = ["mcts"],  # noqa: B006  (what the parser takes for a default)
    rungs: Annotated[str, typer.Option(metavar="BUDGET,…", help="budgets of the agents, from small to large")] = "1,10,100",
    versus: Annotated[
        str, typer.Option(metavar="AGENT", help="the opponent, or `rungs`: all rungs against each other; not for accuracy")
    ] = "optimal",
    blunder: Annotated[
        str, typer.Option(metavar="P,…", help="probabilities of a random move of the opponent, a curve for each", show_default=False)
    ] = "",
    measure: Annotated[str, typer.Option(metavar="WHAT", help="outcome, accuracy or length")] = "outcome",
    count: Annotated[
        int | None,
        typer.Option("--games", metavar="N", help="games of each rung, or positions it is judged at; default: 200 or 1000"),
    ] = None,
    seed: measuring.Seed = 0,
    opening_plies: measuring.OpeningPlies = None,
    limit: measuring.Limit = None,
    axis: Annotated[str, typer.Option(metavar="AXIS", help="resource in the plot: budget, positions or seconds")] = "budget",
    normalise: Annotated[bool, typer.Option("--normalise", help="divide every curve of the plot by its value at the last rung")] = False,
    tables: Tables = "",
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    plot: measuring.Plot = None,
    json: Json = False,
) -> int:
    """Measure how strength grows with resources: a strategy ladder.

    outcome: the score against an opponent; accuracy: how often a move is right, by the exact solution; length: moves of a game.
    """
    chosen = [find_game(game) for game in games]
    from ludometer.arena.experiments.families import split_rungs
    from ludometer.arena.experiments.ladder import AXES
    from ludometer.arena.experiments.ladder import ladder as measure_ladder
    from ludometer.core.errors import LudometerError

    measuring.check_plot(plot)
    if axis not in AXES:
        raise LudometerError(f"--axis is one of {', '.join(AXES)}, not {axis}")
    if plot is None and (normalise or axis != "budget"):
        raise LudometerError("--axis and --normalise are about the plot; add --plot FILE")
    blunders = chances(blunder)
    is_judged = measure == "accuracy"
    unit = "positions" if is_judged else "games"
    with measuring.executing("measuring", unit, workers, cluster, store, no_store) as execution:
        result = measure_ladder(
            *chosen,
            agent=agent,
            rungs=split_rungs(rungs),
            versus=versus,
            blunder=blunders,
            measure=measure,
            games=None if is_judged else count,
            positions=count if is_judged else None,
            seed=seed,
            opening_plies=opening_plies,
            ply_limit=limit,
            tables=tables,
            execution=execution,
        )
    if plot is not None:
        result.plot(plot, axis=axis, normalised=normalise)
    return measuring.print_result(result, plot, json, result.ended == "stopped", execution)


def chances(text: str) -> tuple[float, ...]:
    """Probabilities written as 0,0.01,0.05; raises LudometerError."""
    from ludometer.core.errors import LudometerError, shorten

    try:
        found = tuple(float(part) for part in text.split(",")) if text.strip() else ()
    except ValueError:
        found = (-1.0,)
    if not all(0 <= one <= 1 for one in found):
        raise LudometerError(f"--blunder takes probabilities such as 0,0.01,0.05, not {shorten(text)}")
    return found
