"""`ludometer new`: a commented file with a game or an agent that works at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludometer.core.errors import LudometerError, shorten

app = typer.Typer(no_args_is_help=True, help="Write a file with a game or agent that works at once, to be changed.")

File = Annotated[str, typer.Argument(metavar="FILE", help="the Python file to write, such as my_agent.py")]
Force = Annotated[bool, typer.Option("--force", help="replace the file if it exists")]

AGENT_TEXT = '''"""Takes a win that is one move away, and else moves at random."""

import random

# What the options mean, for `ludometer agents FILE`.
OPTIONS = {"tries": "moves it looks at before it moves at random"}


def choose(position, tries: int = 100):
    """Return a legal move: its text, such as position.moves()[0], or its number, such as position.legal[0]."""
    moves = position.moves()
    for move in moves[:tries]:
        after = position.play(move)
        if after.is_over and after.result == ("1-0" if position.player == 0 else "0-1"):
            return move
    return random.choice(moves)  # `random` is seeded for each move, so games can be repeated
'''

GAME_TEXT = '''"""Fill the row: players put stones on a row of cells in turn; two own stones side by side win, a full row is a draw."""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING

CELLS = 7

GAME = GameKind(
    name=__file__,
    title="Fill the row",
    syntax="FILE.py",  # how the game is named; add parameters in rules_from_text
    listed=(),
    modules=(__name__, "ludometer.core.gridgame"),  # what is not defined here comes from gridgame: text and pictures
    position_help="the row with X, O and . for empty, then the side to move: X.O.... x",
    move_help="the cell to put a stone on, such as C1",
)


class RowRules(NamedTuple):  # the parameters of the game; gridgame asks for rows and columns
    rows: int
    columns: int


class RowState(NamedTuple):  # all that decides how the game goes on: unsigned 64-bit integers only
    mover: np.uint64  # stones of the player to move; bit i is cell i
    other: np.uint64  # stones of the opponent
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text):
    """The rules for the parameters after the colon of a spec."""
    if text:
        raise GAME.wrong(text, "this game takes no parameters")
    return RowRules(1, CELLS)


@njit
def start(rules):
    return RowState(U0, U0, U0)


@njit
def move_bound(rules):
    """Moves are whole numbers from 0 to this minus 1.  Here a move is a cell."""
    return rules.columns


@njit
def legal_moves(rules, state, buffer):
    """Write the legal moves into the buffer, in ascending order, and return their number: 0 when the game is over."""
    count = 0
    if outcome(rules, state) != ONGOING:
        return count
    for cell in range(rules.columns):
        if (state.mover | state.other) >> np.uint64(cell) & U1 == U0:
            buffer[count] = cell
            count += 1
    return count


@njit
def play(rules, state, move):
    """The next state, seen by the other player: mover and other change places."""
    stone = U1 << np.uint64(move)
    return RowState(state.other, state.mover | stone, state.turn ^ U1)


@njit
def outcome(rules, state):
    """WIN, DRAW, LOSS or ONGOING for the player to move: only the other one can have won with the latest move."""
    if state.other & (state.other >> U1) != U0:
        return LOSS
    full = (U1 << np.uint64(rules.columns)) - U1
    return DRAW if state.mover | state.other == full else ONGOING
'''


@app.command("agent")
def agent(file: File, force: Force = False) -> None:
    """Write an agent: a function that chooses a move."""
    write(file, AGENT_TEXT, force)
    print(f"{file} is written; try: ludometer match tictactoe {file} random")


@app.command("game")
def game(file: File, force: Force = False) -> None:
    """Write a game: stones on a row of cells."""
    write(file, GAME_TEXT, force)
    print(f"{file} is written; try: ludometer play {file} --first random --second mcts:100")


def write(file: str, text: str, force: bool) -> None:
    """Write a new Python file; raises LudometerError for one that exists, unless `force` is set."""
    path = Path(file).expanduser()
    if path.suffix != ".py":
        raise LudometerError(f"the file is a Python file, such as my_file.py, not {shorten(file)}")
    if path.exists() and not force:
        raise LudometerError(f"{shorten(file)} exists; --force replaces it")
    try:
        path.write_text(text)
    except OSError as error:
        raise LudometerError(f"cannot write {shorten(file)}: {(error.strerror or str(error)).lower()}") from error
