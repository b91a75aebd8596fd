"""`ludometer games`: what can be played."""

from __future__ import annotations

from ludometer.commands.output import Json, print_json


def games(json: Json = False) -> None:
    """List the games, who can play them, and which can be solved."""
    from ludometer.view.results.lists import games_document, games_text

    if json:
        print_json(games_document())
    else:
        print(games_text())
