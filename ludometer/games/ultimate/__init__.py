"""Ultimate Tic-Tac-Toe: nine small boards form a big one; the cell a player chooses names the board the opponent must play in."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="ultimate",
    title="Ultimate Tic-Tac-Toe",
    syntax="ultimate, or ultimate:open to play on in small boards that are won",
    listed=("ultimate", "ultimate:open"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation", "features")),
    solvable=lambda parameters: False,
    position_help=(
        "the nine rows of nine cells from the top with X, O and . for empty, the side to move, and the small board to play in "
        "(A1 to C3, * for any): ........./........./........./........./....X..../........./........./........./......... o B2; "
        "ultimate:open adds who owns the nine small boards, row by row: ......... (X, O or . for none)"
    ),
    move_help="the small board and the cell in it, each a column letter A to C and a row number 1 to 3 from the top: B2/A3",
)
