"""Connect Four on w×h boards: drop a disc into a column, k in a row win."""

from ludometer.core.game import GameKind

MOST_CELLS_SOLVED = 30


def _is_within_reach(parameters: str) -> bool:
    columns, rows = (int(part) for part in (parameters or "7x6,4").partition(",")[0].split("x"))
    return columns * rows <= MOST_CELLS_SOLVED


GAME = GameKind(
    name="connect4",
    title="Connect Four",
    syntax="connect4:WxH,K (columns, rows and length of a line; W·(H+1) at most 64; without ,K it is 4)",
    listed=("connect4:7x6,4", "connect4:4x4,4"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation", "solving")),
    solvable=_is_within_reach,
    position_help="rows from the top with X, O and . for empty, then the side to move: ..../..../.O../.XX. o",
    outside="([0-9]{1,2}x[0-9]{1,2}(,[0-9]{1,2})?)?",
    outside_help="connect4:WxH,K with W·(H+1) at most 64",
    move_help="the column the disc is dropped into: D",
)
