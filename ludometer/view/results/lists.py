"""Games, agents and positions described: the lists that commands print and other programs can send on.  No compiler is loaded for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludometer import agents
from ludometer.core.text import aligned, in_columns, size_text
from ludometer.games import kinds
from ludometer.solvers import is_solvable

if TYPE_CHECKING:
    from ludometer.core.position import Position


def games_document() -> list[dict[str, Any]]:
    """Every listed game: its spec, what people call it, which agents can play it, and whether it can be solved."""
    return [
        {
            "spec": spec,
            "name": kind.title,
            "agents": [agent.name for agent in agents.kinds().values() if agent.refuses(game) is None],
            "solvable": is_solvable(kind, game.parameters),
        }
        for kind in kinds().values()
        for spec, game in zip(kind.listed, kind.listed_games())
    ]


def tables_text(root: Path, rows: list[dict[str, Any]]) -> str:
    """Solved tables, as `solvers.files.table_lists` lists them: a line for each game, then the sum."""
    if not rows:
        return f"no solved tables in {root}"
    lines = [["game", "kept", "", "room", "positions"]]
    for row in rows:
        name = row["game"] or Path(row["folder"]).name
        if row["problem"] is not None:
            lines.append([name, "", "", size_text(row["bytes"]), row["problem"]])
            continue
        states = "" if row["states"] is None else f"{row['states']:,}"
        lines.append([name, row["keep"], "packed" if row["packed"] else "plain", size_text(row["bytes"]), states])
    total = size_text(sum(row["bytes"] for row in rows))
    return f"{aligned(lines, left=(0, 1, 2))}\n{total} in {root}"


def games_text() -> str:
    """The same for people, kind by kind."""
    rows = {row["spec"]: row for row in games_document()}
    width = max(map(len, rows))
    lines = []
    for kind in kinds().values():
        lines.append(f"{kind.title}: {kind.syntax}")
        for spec in kind.listed:
            row = rows[spec]
            lines.append(f"  {spec:<{width}}  {'solvable' if row['solvable'] else '        '}  {', '.join(row['agents'])}")
    return "\n".join(lines)


def position_text(position: Position) -> str:
    """Whose turn it is and what can be played, or how the game ended; then how positions and moves are written."""
    kind = position.game.kind
    lines = [f"{position.game.spec}  {position}"]
    if position.is_over:
        lines.append(f"over: {position.result}")
    else:
        legal = position.moves()
        lines += [f"{position.turn} to move, {len(legal)} legal move{'s' if len(legal) > 1 else ''}:", in_columns(legal)]
    return "\n".join([*lines, "", f"positions: {kind.position_help}", f"moves: {kind.move_help}"])
