"""Three, six and nine men's morris: place men, then move them along the lines; closing a mill takes an enemy man."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="morris",
    title="Men's Morris",
    syntax="morris:3, morris:6 or morris:9 (men of each player)",
    listed=("morris:3", "morris:6", "morris:9"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    ply_limit=400,
    solvable=lambda parameters: parameters in ("3", "6"),
    position_help="points from the top left, the side to move and the men it has in hand: X../.O./... x 2",
    outside="[369]?",
    outside_help="morris:3, morris:6 or morris:9",
    move_help="the point a man is placed on, or both points of a move, then the man taken: A1, A1-D1, A1-D1xB4",
)
