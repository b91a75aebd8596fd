"""`ludometer check`: what is wrong with a game or agent file."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands.output import Json, print_json

FOUND = 1  # exit status: something is wrong with the file


def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="a Python file with a game or an agent")],
    game: Annotated[str, typer.Option(metavar="GAME", help="where an agent is checked")] = "tictactoe",
    seconds: Annotated[float, typer.Option(metavar="T", help="seconds that a call may take without the compiler", min=0.1)] = 10.0,
    json: Json = False,
) -> int:
    """Check a game or agent of your own: each mistake with its function and what to do."""
    from ludometer.checks.checking import check_file

    report = check_file(file, seconds, game)
    if json:
        print_json(report.document())
    else:
        print(report)
    return 0 if report.ok else FOUND
