"""Fill the row, as a package.  This module is read whenever games are listed, so it loads no compiler."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="row",
    title="Fill the row",
    syntax="row",
    listed=("row",),
    modules=("ludometer_row.rules", "ludometer.core.gridgame"),
    position_help="the row with X, O and . for empty, then the side to move: X.O.... x",
    move_help="the cell to put a stone on, such as C1",
)
