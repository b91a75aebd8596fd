"""Nim: take as many counters as you like from one pile; who takes the last one wins."""

from ludometer.core.game import GameKind

GAME = GameKind(
    name="nim",
    title="Nim",
    syntax="nim:A,B,C… (up to 8 piles of 1 to 40 counters)",
    listed=("nim:3,4,5", "nim:1,2,3"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "evaluation")),
    solvable=lambda parameters: len(parameters.split(",")) <= 4,
    position_help="counters in each pile, then the side to move: 3,0,2 x",
    outside="([0-9]{1,2}(,[0-9]{1,2}){0,3})?",
    outside_help="nim:A,B,C with up to 4 piles",
    move_help="the pile and the number of counters taken: A-2",
)
