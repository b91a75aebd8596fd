"""`ludometer agents`: the list of agents and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands.output import Json, print_json

Name = Annotated[str, typer.Argument(metavar="[NAME]", help="show the options of this agent only", show_default=False)]


def agents(name: Name = "", json: Json = False) -> None:
    """List the agents, or the options of one."""
    from ludometer.view.results.lists import agent_text, agents_document, agents_text

    if json:
        print_json(agents_document(name))
    else:
        print(agent_text(name) if name else agents_text())
