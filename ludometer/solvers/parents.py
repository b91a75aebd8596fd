"""What can have come before a position; no compiler is loaded for importing this."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludometer.core.position import Position


def predecessors(position: Position) -> list[tuple[int, Position]]:
    """(move, position before it) of every legal move that leads to this position of a tile game; see `tiles.predecessors`."""
    from ludometer.solvers.tiles.predecessors import predecessors as find

    return find(position)
