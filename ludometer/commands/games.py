"""`ludometer games`: the list of games."""

from __future__ import annotations

from ludometer.commands.output import Json, print_json


def games(json: Json = False) -> None:
    """List the games, the agents that can play them, and whether they can be solved."""
    from ludometer.view.results.lists import games_document, games_text

    if json:
        print_json(games_document())
    else:
        print(games_text())
