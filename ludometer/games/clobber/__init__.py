"""Clobber on r×c boards: take a neighbouring enemy man; who cannot has lost."""

import re

from ludometer.core.game import GameKind

MOST_CELLS_SOLVED = 20


def _is_within_reach(parameters: str) -> bool:
    rows, columns = (int(part) for part in re.split("[xX×]", parameters or "5x6"))
    return rows * columns <= MOST_CELLS_SOLVED


GAME = GameKind(
    name="clobber",
    title="Clobber",
    syntax="clobber:RxC (rows and columns, at most 64 cells)",
    listed=("clobber:5x6", "clobber:3x3"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    solvable=_is_within_reach,
    position_help="rows from the top with X, O and . for empty, then the side to move: XOX/O.O/X.X x",
    outside="([0-9]{1,2}x[0-9]{1,2})?",
    outside_help="clobber:RxC with at most 64 cells",
    move_help="the cell of the man and that of the man it takes: A1-B1",
)
