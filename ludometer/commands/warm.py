"""`ludometer warm`: compile ahead."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands.output import Json, ending_on_interrupt, find_game, print_json, say


def warm(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…", help="which games; all listed ones if none is named")] = None,
    json: Json = False,
) -> None:
    """Compile the code of games now, so that later commands start at once."""
    from ludometer.games import kinds

    chosen = [find_game(spec) for spec in games or [spec for kind in kinds().values() for spec in kind.listed]]
    from ludometer.warming import warm as compile_ahead

    rows = []
    with ending_on_interrupt():
        for number, game in enumerate(chosen, start=1):
            say(f"{number}/{len(chosen)} {game.spec} …")
            count, seconds = compile_ahead(game)
            rows.append({"game": game.spec, "compiled": count, "seconds": seconds})
    if json:
        print_json(rows)
        return
    for row in rows:
        print(f"{row['game']}: compiled {row['compiled']} functions in {row['seconds']:.1f} s")
