"""Tables as data: cells that are words already, for programs that lay them out themselves."""

from __future__ import annotations

from typing import Any

Table = dict[str, Any]  # caption, head: [text], rows: [[text]], left: numbers of the columns that are words


def table(caption: str, cells: list[list[str]], left: tuple[int, ...] = (0,)) -> Table:
    """Cells, the first line being the head."""
    return {"caption": caption, "head": cells[0], "rows": cells[1:], "left": list(left)}
