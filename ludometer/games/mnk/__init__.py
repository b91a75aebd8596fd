"""m,n,k games: players put marks on a board of m rows and n columns in turn; the first with k in a row wins.  3,3,3 is tic-tac-toe."""

from ludometer.core.game import GameKind

MOST_CELLS_SOLVED = 25


def _is_within_reach(parameters: str) -> bool:
    rows, columns, _ = (int(part) for part in (parameters or "3,3,3").split(","))
    return rows * columns <= MOST_CELLS_SOLVED


GAME = GameKind(
    name="mnk",
    title="m,n,k (tic-tac-toe and its family)",
    syntax="mnk:M,N,K (rows and columns from 1 to 15, length of a line) or tictactoe",
    listed=("tictactoe", "mnk:4,4,4", "mnk:5,5,4", "mnk:15,15,5"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "keys", "notation", "drawing", "evaluation", "solving")),
    aliases={"tictactoe": "mnk:3,3,3"},
    solvable=_is_within_reach,
    position_help="rows from the top with X, O and . for empty, then the side to move: X.O/.X./... o",
    outside="([0-9]{1,2}(,[0-9]{1,2}){2})?",
    outside_help="mnk:M,N,K with numbers from 1 to 15",
    move_help="the cell the mark is put on, column letter and row number from the top: B2",
)
