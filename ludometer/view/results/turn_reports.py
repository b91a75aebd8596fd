"""What players reported of each move of a game, in words."""

from __future__ import annotations

from ludometer.arena.play.turn_reports import TurnTable
from ludometer.core.text import aligned

_FIRST_COLUMNS = ("ply", "player", "move", "value")


def turn_table_text(table: TurnTable) -> str:
    """Aligned columns, a line for each turn below the head."""
    reported = dict.fromkeys(name for row in table.rows for name in row if name not in (*_FIRST_COLUMNS, "agent"))
    names = [*_FIRST_COLUMNS, *reported]
    return aligned([names, *([_cell(row.get(name)) for name in names] for row in table.rows)])


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
