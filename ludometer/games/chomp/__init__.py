"""Chomp on r×c squares of chocolate: bite off a lower right part; the upper left square is poisoned."""

import re

from ludometer.core.game import GameKind

MOST_SQUARES_SOLVED = 64


def _is_within_reach(parameters: str) -> bool:
    rows, columns = (int(part) for part in re.split("[xX×]", parameters or "3x4"))
    return rows * columns <= MOST_SQUARES_SOLVED


GAME = GameKind(
    name="chomp",
    title="Chomp",
    syntax="chomp:RxC (rows and columns, from 2 to 64 squares)",
    listed=("chomp:3x4", "chomp:5x7"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing")),
    solvable=_is_within_reach,
    position_help="rows from the top with # for chocolate and . for eaten, then the side to move: ####/##../##.. o",
    outside="([0-9]{1,2}x[0-9]{1,2})?",
    outside_help="chomp:RxC with at most 64 squares",
    move_help="the upper left square of what is eaten: C2",
)
