"""Matrix games: both players choose an action at the same time, and a table says what each of them is paid."""

from ludometer.core.game import GameKind

_NAMES = ("dispersion", "sexes", "prisoners", "brps", "stag", "pennies", "rps", "shapley", "hawkdove")

GAME = GameKind(
    name="matrix",
    title="Matrix game",
    syntax=(
        f"matrix:{'|'.join(_NAMES)}, matrix:FILE.nfg, "
        'or a table of row,column payoffs such as "matrix:3,2 0,0; 0,0 2,3", of single numbers if zero-sum'
    ),
    listed=tuple(f"matrix:{name}" for name in _NAMES),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing")),
    players=("row", "column"),
    simultaneous=True,
    position_help="the row player's action, a space, the column player's; a dot for one not chosen yet: C .",
    outside="(?=.*[,;])[-+0-9./,; ]{1,400}",
    outside_help="a game by its name, or a table of at most 400 characters",
    move_help="the action's name or its number, counted from 1: C or 1",
)
