"""`ludometer match`: two agents, many games, and who is better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import GameSpec, Json, find_game

if TYPE_CHECKING:
    from ludometer.arena.experiments.match import MatchProgress

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

    measuring.check_playing(workers, cluster)
    measuring.check_plot(plot)
    test = None if sprt is None else elo_pair(sprt)
    with measuring.opened_store(store, no_store) as kept:
        with measuring.interruptible("playing", "games", kept is not None) as (report, stop):
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
                store=kept,
                workers=workers,
                cluster=cluster or None,
                progress=lambda at: report(at.done, at.wanted, progress_text(at)),
                stop=stop,
            )
        return measuring.print_result(result, plot, json, result.ended == "stopped", result.games, result.wanted, kept is not None)


def elo_pair(text: str) -> tuple[float, float]:
    """The two differences of a sequential test, written as 0,20; raises LudometerError."""
    from ludometer.core.errors import LudometerError, shorten

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise LudometerError(f"--sprt takes two Elo differences such as 0,20, not {shorten(text)}") from None
    return low, high


def progress_text(at: MatchProgress) -> str:
    """What is known while a match runs; the interval is the one that may be looked at."""
    from ludometer.arena.statistics.match_statistics import elo_of_score
    from ludometer.arena.statistics.pair_counts import Interval
    from ludometer.view.results.estimates import interval_text, percent_text, signed_text

    if not at.counts.pairs:
        return ""
    ends = [elo_of_score(min(1 - 1e-9, max(1e-9, score))) for score in (at.interval.low, at.counts.score, at.interval.high)]
    low, elo, high = (signed_text(end) if abs(end) < 1000 else "…" for end in ends)
    score = f"score {percent_text(at.counts.score)} ({interval_text(Interval(at.interval.low, at.interval.high), 1)})"
    return f"{score}, Elo {elo} ({low} to {high})"
