"""Games, agents and positions described: the lists that commands print and other programs can send on.  No compiler is loaded for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludometer import agents
from ludometer.core.text import aligned, in_columns, size_text
from ludometer.games import kinds
from ludometer.solvers import is_solvable

if TYPE_CHECKING:
    from ludometer.core.agent import AgentKind
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


def agents_document(name: str = "") -> list[dict[str, Any]]:
    """Every agent, or the one of this name, with its options; raises SpecError if there is none."""
    chosen = agents.kinds_of(name)
    return [
        {
            "name": kind.name,
            "title": kind.title,
            "syntax": kind.syntax,
            "options": [
                {
                    "name": option.name,
                    "default": option.default,
                    "help": option.help,
                    "choices": list(option.choices),
                    "least": option.least,
                    "most": option.most,
                }
                for option in kind.options
            ],
        }
        for kind in chosen
    ]


def agents_text() -> str:
    """The agents by name, a line for each, and where the options of one are shown."""
    rows = [[kind.name, kind.title] for kind in agents.kinds().values()]
    return f"{aligned(rows, left=(0, 1))}\n\n`ludometer agents NAME` lists the options of one agent"


def agent_text(name: str) -> str:
    """One agent, or those of a study: title, how specs are written, and options; raises SpecError if there is none."""
    return "\n\n".join(map(_kind_text, agents.kinds_of(name)))


def _kind_text(kind: AgentKind) -> str:
    head = [f"{kind.short_name}: {kind.title}", "", *spec_help(kind)]
    if not kind.options:
        return "\n".join(head)
    width = max(len(option.name) for option in kind.options)
    room = max(len(option.format(option.default)) for option in kind.options)
    lines = []
    for option in kind.options:
        allowed = f" ({', '.join(option.choices)})" if option.choices else ""
        lines.append(f"  {option.name:<{width}}  {option.format(option.default):>{room}}  {option.help}{allowed}")
    return "\n".join([*head, "", "options and their defaults:", *lines])


def spec_help(kind: AgentKind) -> list[str]:
    """How specs of this agent are written."""
    if not kind.options:
        return [f"write {kind.short_name}"]
    main = ""
    if kind.main:
        option = kind.option(kind.main)
        main = f"; a bare value is {kind.main}: {kind.short_name}:{option.format(option.default)}"
    return [f"write {kind.short_name} or {kind.short_name}:OPTION=VALUE,…{main}"]


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
