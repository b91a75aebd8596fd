"""The rules of a matrix game: two players choose an action each, neither knowing the other's choice, and are paid by a table.

           C       D         row_payoffs = [[-1, -4], [0, -3]]         State (0, 0): nothing chosen.  The row player's move i
    C   -1,-1    -4,0        column_payoffs = [[-1, 0], [-4, -3]]      gives (i + 1, 0), the column player's move j then
    D    0,-4   -3,-3        denominator = 1                           (i + 1, j + 1): the game is over.

The row player's choice is stored first.  Agents that could read it are refused, and pictures hide it.
After both choices it counts as the row player's turn again.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import DRAW, FIRST, LOSS, ONGOING, SECOND, WIN
from ludometer.core.random import below
from ludometer.games.matrix.bimatrix import Bimatrix, format_payoff
from ludometer.games.matrix.named import read_game

_LARGEST = 2**63 - 1


class MatrixRules(NamedTuple):
    rows: int  # actions of the row player
    columns: int  # actions of the column player
    row_payoffs: np.ndarray  # int64, rows × columns: numerators of what the row player is paid
    column_payoffs: np.ndarray  # int64, rows × columns: the same for the column player
    denominator: int  # of all payoffs
    names: np.ndarray  # uint8: the spec, title, players and labels as JSON, so that rules are complete in any process

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatrixRules) and _content(self) == _content(other)

    def __hash__(self) -> int:
        return hash(_content(self))


class MatrixState(NamedTuple):
    row: np.uint64  # 0, or 1 + the action the row player has chosen
    column: np.uint64  # the same for the column player


def _content(rules: MatrixRules) -> tuple[int | bytes, ...]:
    """All fields in a form that can be compared."""
    return tuple(field.tobytes() if isinstance(field, np.ndarray) else field for field in rules)


def rules_from_text(text: str) -> MatrixRules:
    """The parameter is the name of a game, the path of an .nfg file, or a payoff table; see `GAME.syntax`."""
    return make_rules(*read_game(text))


def rules_to_text(rules: MatrixRules) -> str:
    return _names(rules)[0]


def make_rules(game: Bimatrix, text: str = "") -> MatrixRules:
    """The rules of a table; `text` is what stands after `matrix:` in its spec, by default the payoffs typed out.

    Raises SpecError when the payoffs over their common denominator do not fit 64-bit integers.
    """
    payoffs = [payoff for table in (game.row_payoffs, game.column_payoffs) for row in table for payoff in row]
    denominator = 1
    for payoff in payoffs:
        denominator = math.lcm(denominator, payoff.denominator)
        if denominator > _LARGEST:
            raise SpecError("game matrix: the payoffs' common denominator has more than 63 bits; use simpler fractions")
    for payoff in payoffs:
        if abs(payoff * denominator) > _LARGEST:
            over = f" over the common denominator {denominator}" if denominator > 1 else ""
            raise SpecError(f"game matrix: the payoff {shorten(format_payoff(payoff))}{over} has more than 63 bits; use smaller payoffs")
    tables = [
        np.array([[int(payoff * denominator) for payoff in row] for row in table], np.int64)
        for table in (game.row_payoffs, game.column_payoffs)
    ]
    names = json.dumps([text or game.to_text(), game.title, game.players, game.row_labels, game.column_labels])
    return MatrixRules(
        len(game.row_labels), len(game.column_labels), tables[0], tables[1], denominator, np.frombuffer(names.encode(), np.uint8).copy()
    )


def _names(rules: MatrixRules) -> tuple[str, str, tuple[str, str], tuple[str, ...], tuple[str, ...]]:
    text, title, players, row_labels, column_labels = json.loads(rules.names.tobytes())
    return text, title, (players[0], players[1]), tuple(row_labels), tuple(column_labels)


def labels_of(rules: MatrixRules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of the row player's and the column player's actions."""
    return _names(rules)[3:]


def title_of(rules: MatrixRules) -> str:
    """Title of the game, empty for a typed table."""
    return _names(rules)[1]


def payoff_of(rules: MatrixRules, player: int, row: int, column: int) -> Fraction:
    """Payoff of a player (0: row, 1: column) when this row meets this column."""
    table = rules.row_payoffs if player == FIRST else rules.column_payoffs
    return Fraction(int(table[row, column]), rules.denominator)


def bimatrix_of(rules: MatrixRules) -> Bimatrix:
    """The table these rules were made of."""
    _, title, players, row_labels, column_labels = _names(rules)
    tables = [
        tuple(tuple(payoff_of(rules, player, i, j) for j in range(rules.columns)) for i in range(rules.rows)) for player in (FIRST, SECOND)
    ]
    return Bimatrix(title, row_labels, column_labels, tables[0], tables[1], players)


@njit
def start(rules):
    return MatrixState(U0, U0)


@njit
def move_bound(rules):
    return max(rules.rows, rules.columns)


@njit
def turn(rules, state):
    return np.int64(SECOND) if state.row != U0 and state.column == U0 else np.int64(FIRST)


@njit
def outcome(rules, state):
    """By convention the player who is paid more has won, so that matches can be counted."""
    if state.column == U0:
        return ONGOING
    row, column = np.int64(state.row) - 1, np.int64(state.column) - 1
    mine, theirs = rules.row_payoffs[row, column], rules.column_payoffs[row, column]
    if mine > theirs:
        return WIN
    return DRAW if mine == theirs else LOSS


@njit
def count_moves(rules, state):
    if state.column != U0:
        return np.int64(0)
    return np.int64(rules.rows) if state.row == U0 else np.int64(rules.columns)


@njit
def legal_moves(rules, state, buffer):
    count = count_moves(rules, state)
    for move in range(count):
        buffer[move] = move
    return count


@njit
def random_move(rules, state, word, buffer):
    return below(word, count_moves(rules, state))


@njit
def play(rules, state, move):
    chosen = np.uint64(move + 1)
    if state.row == U0:
        return MatrixState(chosen, U0)
    return MatrixState(state.row, chosen)


def result_text(rules: MatrixRules, state: MatrixState) -> str:
    """What both players are paid, exactly: `-4,0` is −4 for the row player and 0 for the column player."""
    row, column = int(state.row) - 1, int(state.column) - 1
    return ",".join(format_payoff(payoff_of(rules, player, row, column)) for player in (FIRST, SECOND))
