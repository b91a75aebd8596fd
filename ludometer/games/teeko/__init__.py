"""Teeko on 5×5 points: place four men each, then move them; four in a row or in a square win."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="teeko",
    title="Teeko",
    syntax="teeko or teeko:advanced (corners of larger squares win as well)",
    listed=("teeko",),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    ply_limit=400,
    position_help="rows from the top with X, O and . for empty, then the side to move: ...../..X../.XO../..O../..... x",
    outside="(advanced)?",
    outside_help="teeko or teeko:advanced",
    move_help="the point a man is placed on, or both points of a move: C3, C3-D4",
)
