"""Othello on n×n boards: enclose the opponent's discs to turn them; the player with more discs at the end wins."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="othello",
    title="Othello",
    syntax="othello:N with N 4, 6 or 8",
    listed=("othello:8", "othello:6", "othello:4"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    scored=True,
    solvable=lambda parameters: parameters == "4",
    position_help="rows from the top with X, O and . for empty, then the side to move: ..../.OX./.XO./.... x",
    outside="[468]?",
    outside_help="othello:4, othello:6 or othello:8",
    move_help="the cell the disc is put on, or pass if no disc can be turned: C4",
)
