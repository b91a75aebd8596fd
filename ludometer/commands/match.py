"""`ludometer match`: two agents, many games, and who is better."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import GameSpec, Json, find_game

AgentA = Annotated[str, typer.Argument(metavar="A", help="an agent, such as mcts:1000; all results are for this one")]
AgentB = Annotated[str, typer.Argument(metavar="B", help="the agent it plays against")]


def match(
    game: GameSpec,
    a: AgentA,
    b: AgentB,
    games: measuring.Games = 100,
    seed: measuring.Seed = 0,
    opening_plies: measuring.OpeningPlies = None,
    limit: measuring.Limit = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="end as soon as a sequential test decides between these differences, such as 0,20"),
    ] = None,
    until_width: Annotated[
        float | None, typer.Option(metavar="W", help="end as soon as the anytime interval of the score is so narrow, such as 0.02")
    ] = None,
    until_decided: Annotated[bool, typer.Option("--until-decided", help="end as soon as the anytime interval leaves out 50 %")] = False,
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    plot: measuring.Plot = None,
    json: Json = False,
) -> int:
    """Play a match: who is better, by how much, and how sure is that?"""
    chosen = find_game(game)
    from ludometer.arena.experiments.match import match as play_match

    measuring.check_plot(plot)
    test = None if sprt is None else elo_pair(sprt)
    with measuring.executing("playing", "games", workers, cluster, store, no_store) as execution:
        result = play_match(
            chosen,
            a,
            b,
            games,
            seed=seed,
            opening_plies=opening_plies,
            ply_limit=limit,
            sprt=test,
            until_width=until_width,
            until_decided=until_decided,
            execution=execution,
        )
    if plot is not None:
        result.plot(plot)
    how = measuring.stopped_after(result.games, result.wanted)
    return measuring.print_result(result, plot, json, result.ended == "stopped", execution, how)


def elo_pair(text: str) -> tuple[float, float]:
    """The two differences of a sequential test, written as 0,20; raises LudometerError."""
    from ludometer.core.errors import LudometerError, shorten

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise LudometerError(f"--sprt takes two Elo differences such as 0,20, not {shorten(text)}") from None
    return low, high
