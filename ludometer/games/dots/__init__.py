"""Dots-and-Boxes: draw an edge between two neighbouring dots; who draws a box's fourth side owns the box and moves again."""

from ludometer.core.game import GameKind

MOST_EDGES_SOLVED = 40  # 4×4, proven by search in about two and a half minutes


def _solvable(parameters: str) -> bool:
    rows, columns = (int(part) for part in (parameters or "3x3").split("x"))
    return rows * (columns + 1) + columns * (rows + 1) <= MOST_EDGES_SOLVED


GAME = GameKind(
    name="dots",
    title="Dots-and-Boxes",
    syntax="dots:RxC with R rows and C columns of boxes, each from 1 to 9",
    listed=("dots:2x2", "dots:3x3", "dots:4x4", "dots:7x7"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation", "solving", "keys", "table", "windows")),
    players=("a", "b"),
    scored=True,
    offers=("windows",),
    solvable=_solvable,
    position_help=(
        "lines from the top joined by /: a row of dots gives its edges (- drawn, . free), a row of boxes gives edge, box, edge, … "
        "(| drawn, . free; boxes a, b or _ for open), then the side to move: -./|_._./.. b"
    ),
    outside="([1-9]x[1-9])?",
    outside_help="dots:RxC with R and C from 1 to 9",
    move_help="the two dots the edge joins, in either order, columns lettered and rows numbered from the upper left: A1-B1 or A1-A2",
)
