"""Payoff tables, exact: typed in a spec or made in Python.  The named games are in `named`, Gambit's files in `nfg`.

A payoff is an integer, a decimal or a fraction and is kept as the fraction it is: 0.1 is 1/10, never the nearest binary number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ludometer.core.errors import LudometerError, SpecError, shorten

MOST_ACTIONS = 100  # of each player
LONGEST_LABEL = 60
LONGEST_NUMBER = 40  # characters
MOST_ZEROS = 30  # the largest exponent; each power of ten is written out in an exact number

NOT_CHOSEN = "."  # in positions, for an action not chosen yet

Payoffs = tuple[tuple[Fraction, ...], ...]  # one tuple for each row

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?\d+/\d+", re.ASCII)


@dataclass(frozen=True)
class Bimatrix:
    """A game of two players who choose at the same time: payoffs[i][j] is paid when row i meets column j."""

    title: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_payoffs: Payoffs  # what the row player is paid
    column_payoffs: Payoffs  # what the column player is paid
    players: tuple[str, str] = ("Row", "Column")

    def __post_init__(self) -> None:
        rows, columns = len(self.row_labels), len(self.column_labels)
        for count, who in ((rows, "row"), (columns, "column")):
            if not 1 <= count <= MOST_ACTIONS:
                raise LudometerError(f"the {who} player of a matrix game has from 1 to {MOST_ACTIONS} actions, not {count}")
        for table in (self.row_payoffs, self.column_payoffs):
            if len(table) != rows or any(len(row) != columns for row in table):
                raise LudometerError(f"a payoff table for {rows} row and {columns} column labels has {rows} rows of {columns} payoffs each")
        for label in self.row_labels + self.column_labels:
            if len(label) > LONGEST_LABEL:
                raise LudometerError(f"the name of an action has at most {LONGEST_LABEL} characters, unlike {shorten(label)}")

    def to_nfg(self) -> str:
        """The game as a Gambit .nfg file, payoff version; reading it back gives an equal game."""
        rows, columns = range(len(self.row_labels)), range(len(self.column_labels))
        labels = " ".join("{ " + " ".join(map(_quoted, side)) + " }" for side in (self.row_labels, self.column_labels))
        # The format runs through the first player's actions fastest.
        lines = [" ".join(f"{self.row_payoffs[i][j]} {self.column_payoffs[i][j]}" for i in rows) for j in columns]
        head = f"NFG 1 R {_quoted(self.title)} {{ {' '.join(map(_quoted, self.players))} }}"
        return "\n".join([head, f"{{ {labels} }}", "", *lines, ""])

    def to_text(self) -> str:
        """The payoffs as typed in a spec: `3,2 0,0; 0,0 2,3`."""
        return "; ".join(
            " ".join(f"{format_payoff(a)},{format_payoff(b)}" for a, b in zip(row, column))
            for row, column in zip(self.row_payoffs, self.column_payoffs)
        )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def format_payoff(payoff: Fraction) -> str:
    """A payoff exactly: `-4`, `0.25`, or `1/3` where a decimal would not end."""
    rest, places = payoff.denominator, 0
    while rest % 10 == 0 or rest % 2 == 0 or rest % 5 == 0:
        rest //= 10 if rest % 10 == 0 else 2 if rest % 2 == 0 else 5
        places += 1
    if rest != 1 or places > 9:
        return str(payoff)
    if places == 0:
        return str(payoff.numerator)
    digits = f"{abs(payoff.numerator) * 10**places // payoff.denominator:0{places + 1}d}"
    return f"{'-' if payoff < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def parse_payoff(text: str) -> Fraction | None:
    """The number in a text, or None if it is none of the accepted forms."""
    if len(text) > LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    if "/" in text:
        above, below = text.split("/")
        return Fraction(int(above), int(below)) if int(below) else None
    exponent = text.lower().partition("e")[2]
    return Fraction(text) if not exponent or abs(int(exponent)) <= MOST_ZEROS else None


def numbered(count: int) -> tuple[str, ...]:
    """Labels for actions without names: 1, 2, …"""
    return tuple(str(number + 1) for number in range(count))


def action_names(labels: tuple[str, ...]) -> list[str]:
    """Names of actions in positions and moves."""
    names = ["_".join("".join(c if c.isprintable() else " " for c in label).split()) for label in labels]
    seen = Counter(name.casefold() for name in names)
    clear = [name != NOT_CHOSEN and name != "" and not name.isdigit() and seen[name.casefold()] == 1 for name in names]
    return [name if good else str(number) for number, (name, good) in enumerate(zip(names, clear), 1)]


def parse_table(text: str) -> Bimatrix:
    """The game typed as `3,2 0,0; 0,0 2,3`: rows end with `;`, cells with a space; raises SpecError.

    Where no cell has a comma the game is zero-sum: each number is paid to the row player by the column player.
    """
    zero_sum = "," not in text
    pairs: list[list[tuple[Fraction, Fraction]]] = []
    for number, row in enumerate(text.split(";"), 1):
        cells = [_cell(cell, number, zero_sum) for cell in row.split()]
        if pairs and len(cells) != len(pairs[0]):
            raise SpecError(f"game matrix: every row has as many cells; row 1 has {len(pairs[0])}, row {number} has {len(cells)}")
        pairs.append(cells)
    if not pairs[0]:
        raise SpecError("game matrix: the payoff table is empty; write rows of cells such as 3,2 0,0; 0,0 2,3")
    return Bimatrix(
        "",
        numbered(len(pairs)),
        numbered(len(pairs[0])),
        tuple(tuple(a for a, _ in row) for row in pairs),
        tuple(tuple(b for _, b in row) for row in pairs),
    )


def _cell(text: str, row: int, zero_sum: bool) -> tuple[Fraction, Fraction]:
    """Both payoffs of a typed cell."""
    payoffs = [parse_payoff(part) for part in text.split(",")]
    if zero_sum and payoffs[0] is not None:
        return payoffs[0], -payoffs[0]
    if len(payoffs) != 2 or payoffs[0] is None or payoffs[1] is None:
        example = "a payoff such as 3, -0.5 or 1/3" if zero_sum else "two payoffs such as 3,2 or -0.5,1/3"
        raise SpecError(f"game matrix: cell {shorten(text)} in row {row} is not {example}")
    return payoffs[0], payoffs[1]


def matrix_game(
    row_payoffs: Any,
    column_payoffs: Any = None,
    title: str = "",
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
) -> Bimatrix:
    """Make a payoff table from lists, tuples or NumPy arrays.

        row_payoffs      a row for each action of the row player: integers, floats, fractions or texts such as "1/3"
        column_payoffs   the same shape; default: the game is zero-sum
        title            name of the game
        row_labels       names of the row player's actions
        column_labels    names of the column player's actions

    A float counts as the decimal it prints as: 0.1 is 1/10.  Raises LudometerError.

    >>> lm.matrix_game([[3, 0], [0, 2]], [[2, 0], [0, 3]]).to_text()
    '3,2 0,0; 0,0 2,3'
    """
    rows = _table(row_payoffs, "row")
    columns = tuple(tuple(-payoff for payoff in row) for row in rows) if column_payoffs is None else _table(column_payoffs, "column")
    width = len(rows[0]) if rows else 0
    given = (len(columns), len(columns[0]) if columns else 0)
    if given != (len(rows), width):
        shapes = f"{len(rows)}×{width} and {given[0]}×{given[1]}"
        raise LudometerError(f"both players' payoff tables have the same number of rows and columns, not {shapes}")
    names = [tuple(map(str, labels)) if labels is not None else None for labels in (row_labels, column_labels)]
    return Bimatrix(title, names[0] or numbered(len(rows)), names[1] or numbered(width), rows, columns)


def _table(payoffs: Any, player: str) -> Payoffs:
    """A table given in Python, exactly."""
    payoffs = payoffs.tolist() if hasattr(payoffs, "tolist") else payoffs
    if isinstance(payoffs, str) or not hasattr(payoffs, "__iter__"):
        raise LudometerError(f"the {player} player's payoffs are a table, a list of rows of numbers, not {shorten(str(payoffs))}")
    table = []
    for number, row in enumerate(payoffs, 1):
        row = row.tolist() if hasattr(row, "tolist") else row
        if isinstance(row, str) or not hasattr(row, "__iter__"):
            raise LudometerError(f"row {number} of the {player} player's payoffs is {shorten(str(row))}, not a list of numbers")
        table.append(tuple(_exact(payoff, f"row {number} of the {player} player's payoffs") for payoff in row))
        if len(table[-1]) != len(table[0]):
            raise LudometerError(
                f"every row has as many payoffs; row 1 of the {player} player's has {len(table[0])}, row {number} has {len(table[-1])}"
            )
    return tuple(table)


def _exact(payoff: Any, place: str) -> Fraction:
    """A number given in Python as the fraction it is, a float as the decimal it prints as."""
    if isinstance(payoff, (int, Fraction)) and not isinstance(payoff, bool):
        return Fraction(payoff)
    value = parse_payoff(str(payoff))  # float, Decimal, text, NumPy's numbers
    if value is None:
        raise LudometerError(f"{place}: {shorten(str(payoff))} is not a finite number such as 3, -0.25 or 1/3")
    return value
