"""`ludometer games`: what can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludometer.commands.output import Json, print_json

if TYPE_CHECKING:
    from ludometer.core.game import GameKind


def games(json: Json = False) -> None:
    """List the games, who can play them, and which can be solved."""
    from ludometer.games import kinds

    rows = [describe(kind, spec) for kind in kinds().values() for spec in kind.listed]
    if json:
        print_json(rows)
        return
    width = max(len(row["spec"]) for row in rows)
    for kind in kinds().values():
        print(f"{kind.title}: {kind.syntax}")
        for row in rows:
            if row["spec"] in kind.listed:
                print(f"  {row['spec']:<{width}}  {'solvable' if row['solvable'] else '        '}  {', '.join(row['agents'])}")


def describe(kind: GameKind, spec: str) -> dict[str, Any]:
    """One row of the list; loads no compiler."""
    from ludometer import agents
    from ludometer.solve import is_solvable

    parameters = kind.aliases.get(spec, spec).partition(":")[2]
    players = [agent.name for agent in agents.kinds().values() if agent.refuses(kind) is None]
    return {"spec": spec, "name": kind.title, "agents": players, "solvable": is_solvable(kind, parameters)}
