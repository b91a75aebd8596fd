"""Hex on n×n boards: join your two sides of the board by a chain of stones."""

from ludometer.core.game import GameKind

LARGEST_SOLVED = 4

GAME = GameKind(
    name="hex",
    title="Hex",
    syntax="hex:N with N from 1 to 19, or hex:N,swap if the second player may take over the first stone",
    listed=("hex:11", "hex:5,swap", "hex:3"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    solvable=lambda parameters: int((parameters or "11").partition(",")[0]) <= LARGEST_SOLVED,
    position_help="rows from the top with X, O and . for empty, then the side to move: .X./.O./... x",
    outside="([0-9]{1,2}(,swap)?)?",
    outside_help="hex:N or hex:N,swap with N from 1 to 19",
    move_help="the cell a stone is put on, or swap: B2",
)
