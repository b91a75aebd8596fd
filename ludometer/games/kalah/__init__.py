"""Kalah with m pits a side and n seeds in each: sow, move again from the store, capture."""

from ludometer.core.game import GameKind

MOST_SOLVED = 18


def _is_within_reach(parameters: str) -> bool:
    pits, seeds = (int(part) for part in (parameters or "6,4").split(",")[:2])
    return pits * seeds <= MOST_SOLVED


GAME = GameKind(
    name="kalah",
    title="Kalah",
    syntax="kalah:M,N (pits of a side from 1 to 8, seeds in a pit from 1 to 12), or kalah:M,N,empty with captures of nothing",
    listed=("kalah:6,4", "kalah:3,3"),
    modules=tuple(f"{__name__}.{part}" for part in ("rules", "notation", "drawing", "solving")),
    scored=True,
    solvable=_is_within_reach,
    position_help="x's pits in the order of sowing and its store, o's likewise, then the side to move: 3 0 4 +1 / 3 3 3 +1 x",
    outside="([0-9]{1,2},[0-9]{1,2}(,empty)?)?",
    outside_help="kalah:M,N or kalah:M,N,empty",
    move_help="the pit that is sown, counted in the order of sowing: 2",
)
