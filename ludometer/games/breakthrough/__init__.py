"""Breakthrough on r×c boards: men go forward, and the first to reach the other side wins."""

import re

from ludometer.core.game import GameKind

MOST_CELLS_SOLVED = 20


def _is_within_reach(parameters: str) -> bool:
    rows, columns = (int(part) for part in re.split("[xX×]", (parameters or "8x8").partition(",")[0]))
    return rows * columns <= MOST_CELLS_SOLVED


GAME = GameKind(
    name="breakthrough",
    title="Breakthrough",
    syntax="breakthrough:RxC (rows and columns, at most 64 cells), or breakthrough:RxC,1 with a single row of men on each side",
    listed=("breakthrough:8x8", "breakthrough:5x4"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    solvable=_is_within_reach,
    position_help="rows from the top with X, O and . for empty, then the side to move: OOOO/OOOO/..../XXXX/XXXX x",
    outside="([0-9]{1,2}x[0-9]{1,2}(,1)?)?",
    outside_help="breakthrough:RxC or breakthrough:RxC,1 with at most 64 cells",
    move_help="the cell a man leaves and the one it goes to: A4-B3",
)
