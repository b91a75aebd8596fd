"""`ludometer rate`: where does a player stand on the scale of a game?"""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands import measuring
from ludometer.commands.output import GameSpec, Json, find_game


def rate(
    game: GameSpec,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT…", help="agents to place, such as alphabeta:4")],
    precision: Annotated[float, typer.Option(metavar="LEVELS", help="half width of the interval that is planned for")] = 0.3,
    seed: measuring.Seed = 0,
    workers: measuring.Workers = None,
    cluster: measuring.Cluster = "",
    store: measuring.StoreFile = "",
    no_store: measuring.NoStore = False,
    plot: measuring.Plot = None,
    json: Json = False,
) -> int:
    """Place agents on the scale of a game: the level of each, and the yardstick's budget of equal strength.

    Random play stands at level 0, and a level is the step at which the better player scores 75 %.  Built-in games have a reference
    scale.  The scale of any other game is measured first, within two minutes.
    """
    chosen = find_game(game)
    from ludometer.arena.experiments.rating import rate as rate_agents

    measuring.check_plot(plot)
    with measuring.executing("rating", "games", workers, cluster, store, no_store) as execution:
        result = rate_agents(chosen, *agents, precision=precision, seed=seed, execution=execution)
        if plot is not None:
            result.plot(plot)
        return measuring.print_result(result, plot, json, False, execution)
