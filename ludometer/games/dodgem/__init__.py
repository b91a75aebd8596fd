"""Dodgem on n×n boards: drive all your cars over the far edge before the opponent does."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="dodgem",
    title="Dodgem",
    syntax="dodgem:N with N from 2 to 8",
    listed=("dodgem:3", "dodgem:4"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    ply_limit=400,
    solvable=lambda parameters: parameters in ("", "2", "3", "4", "5"),
    position_help="rows from the top with X, O and . for empty, then the side to move: X../X../.OO x",
    outside="[2-8]?",
    outside_help="dodgem:N with N from 2 to 8",
    move_help="the cell a car leaves and the one it goes to, or off for a car that leaves the board: A2-B2, C1-off",
)
