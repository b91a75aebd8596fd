"""Two games written from docs/adding-a-game.md and docs/solving-any-game.md alone."""

from __future__ import annotations

# Leap: a 2×3 board; each side has two men.  A man steps to a neighbouring empty cell (not diagonally) or leaps along a row, over an
# enemy, to the empty cell behind it, which takes that man.  Without men, or without a move, one has lost.  Men can walk in circles.
LEAP = '''
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core import gridgame
from ludometer.core.bits import U0, U1
from ludometer.core.drawing import Spot
from ludometer.core.game import GameKind
from ludometer.core.notation import square_name
from ludometer.core.outcome import LOSS, ONGOING

GAME = GameKind(
    name=__file__, title="Leap", syntax="leap.py", listed=(), modules=(__name__, "ludometer.core.gridgame"), ply_limit=200,
    position_help="rows from the top with X, O and ., then the side to move: XX./.OO x", move_help="from and to: A1-B1",
)

class LeapRules(NamedTuple):
    rows: int
    columns: int

class LeapState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64

def rules_from_text(text):
    if text:
        raise GAME.wrong(text, "Leap takes no parameters")
    return LeapRules(2, 3)

@njit
def start(rules):
    return LeapState(np.uint64(0b000011), np.uint64(0b110000), U0)

@njit
def move_bound(rules):
    return 36  # from · 6 + to

@njit
def taken_by(origin, target):
    """The cell leapt over, -1 for a step, -2 for what is neither."""
    if origin // 3 == target // 3 and abs(origin - target) == 2:
        return (origin + target) // 2
    if abs(origin - target) == 3 or (origin // 3 == target // 3 and abs(origin - target) == 1):
        return -1
    return -2

@njit
def moves_from(state, buffer):
    count = 0
    empty = ~(state.mover | state.other)
    for origin in range(6):
        for target in range(6):
            over = taken_by(origin, target)
            if over == -2 or (state.mover >> np.uint64(origin)) & U1 == U0 or (empty >> np.uint64(target)) & U1 == U0:
                continue
            if over >= 0 and (state.other >> np.uint64(over)) & U1 == U0:
                continue
            buffer[count] = 6 * origin + target
            count += 1
    return count

@njit
def legal_moves(rules, state, buffer):
    return moves_from(state, buffer)

@njit
def play(rules, state, move):
    origin, target = move // 6, move % 6
    over = taken_by(origin, target)
    left = state.other if over < 0 else state.other & ~(U1 << np.uint64(over))
    men = (state.mover & ~(U1 << np.uint64(origin))) | (U1 << np.uint64(target))
    return LeapState(left, men, state.turn ^ U1)

@njit
def outcome(rules, state):
    buffer = np.empty(36, np.int32)
    return LOSS if moves_from(state, buffer) == 0 else ONGOING

def draw(rules, state, last):
    picture = gridgame.draw(rules, state, last)
    for move in range(36):
        (row, column), (to_row, to_column) = divmod(move // 6, 3), divmod(move % 6, 3)
        picture.spots[move] = Spot(1.1 + 0.8 * column + 0.2 * to_column, 1.1 + 0.8 * row + 0.2 * to_row, 0.1)
        picture.picks[move] = (square_name(row, column), square_name(to_row, to_column))
    return picture

def format_move(rules, state, move):
    names = ("A1", "B1", "C1", "A2", "B2", "C2")
    return f"{names[move // 6]}-{names[move % 6]}"
'''

# Room: a 2×3 board; place a stone on an empty cell that touches no stone of one's own.  Who cannot passes.  When neither can, the game is
# over: more stones win.  A pass brings back the board, never the position.
ROOM = """
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core.bits import U0, U1, popcount
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN

GAME = GameKind(
    name=__file__, title="Room", syntax="room.py", listed=(), modules=(__name__, "ludometer.core.gridgame"),
    position_help="rows from the top with X, O and ., then the side to move: X../..O x", move_help="a cell, or pass",
)
NEAR = np.array([0b001010, 0b010101, 0b100010, 0b010001, 0b101010, 0b010100], np.uint64)
PASS = 6

class RoomRules(NamedTuple):
    rows: int
    columns: int

class RoomState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64

def rules_from_text(text):
    if text:
        raise GAME.wrong(text, "Room takes no parameters")
    return RoomRules(2, 3)

@njit
def start(rules):
    return RoomState(U0, U0, U0)

@njit
def move_bound(rules):
    return 7

@njit
def places(mover, other):
    found = U0
    for cell in range(6):
        here = U1 << np.uint64(cell)
        if (mover | other) & here == U0 and mover & NEAR[cell] == U0:
            found |= here
    return found

@njit
def outcome(rules, state):
    if places(state.mover, state.other) != U0 or places(state.other, state.mover) != U0:
        return ONGOING
    more = popcount(state.mover) - popcount(state.other)
    return WIN if more > 0 else LOSS if more < 0 else DRAW

@njit
def legal_moves(rules, state, buffer):
    if outcome(rules, state) != ONGOING:
        return 0
    cells, count = places(state.mover, state.other), 0
    for cell in range(6):
        if (cells >> np.uint64(cell)) & U1 != U0:
            buffer[count] = cell
            count += 1
    if count == 0:
        buffer[0] = PASS
        count = 1
    return count

@njit
def play(rules, state, move):
    stone = U0 if move == PASS else U1 << np.uint64(move)
    return RoomState(state.other, state.mover | stone, state.turn ^ U1)

def format_move(rules, state, move):
    return "pass" if move == PASS else ("A1", "B1", "C1", "A2", "B2", "C2")[move]
"""
