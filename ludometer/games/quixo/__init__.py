"""Quixo on n×n boards: take a blank or own cube from the border, push it back in from another end of its row or column."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="quixo",
    title="Quixo",
    syntax="quixo:N with N from 2 to 6",
    listed=("quixo:3", "quixo:4", "quixo:5"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation", "features")),
    ply_limit=400,
    solvable=lambda parameters: parameters != "6",
    position_help="rows from the top with X, O and . for blank, then the side to move: XX..O/...../...../...../..... x",
    outside="[2-6]?",
    outside_help="quixo:N with N from 2 to 6",
    move_help="the cube taken, then the side it comes back in at: A1>right",
)
