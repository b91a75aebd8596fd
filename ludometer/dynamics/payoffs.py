"""A matrix game as numbers: exact fractions, scaled integers for pivoting, floats for fields and learners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.games.matrix.bimatrix import Bimatrix, Payoffs, action_names, format_payoff, matrix_game
from ludometer.games.matrix.named import read_game

PREFIX = "matrix:"
Table = list[list[int]]
GameLike = Any  # a spec such as "matrix:sexes", a Bimatrix, a Game of kind matrix, or a table of the row player's payoffs


def find_game(game: GameLike, column_payoffs: Any = None) -> tuple[Bimatrix, str]:
    """The payoff table that is meant, and its spec.

    `game` is a spec (the word `matrix:` may be left out), a Bimatrix, a `Game`, or the row player's payoffs as lists or an array with
    the column player's as the second argument.  Raises LudometerError.
    """
    if isinstance(game, Bimatrix):
        return game, PREFIX + game.to_text()
    if isinstance(game, str) and column_payoffs is None:
        return _from_spec(game)
    if hasattr(game, "rules") and hasattr(game, "spec"):
        return _from_spec(game.spec)
    table = matrix_game(game, column_payoffs)
    return table, PREFIX + table.to_text()


def _from_spec(spec: str) -> tuple[Bimatrix, str]:
    text = spec.strip()
    name, colon, rest = text.partition(":")
    if colon and name.lower() == PREFIX[:-1]:
        text = rest
    else:
        from ludometer import games

        known = {word for kind in games.kinds().values() for word in (kind.name, *kind.aliases)}
        if name.lower() in known or text.partition(":")[0].endswith(".py"):
            raise SpecError(f"{shorten(spec)} is not a matrix game: only those have payoff tables; write matrix:NAME or a table")
    table, canonical = read_game(text)
    return table, PREFIX + canonical


def transposed(table: Payoffs) -> Payoffs:
    return tuple(zip(*table))


def is_symmetric(game: Bimatrix) -> bool:
    """Whether both players have the same actions and are paid alike: what is paid does not depend on who is row and who is column."""
    return game.column_payoffs == transposed(game.row_payoffs)


def constant_sum(game: Bimatrix) -> Fraction | None:
    """What both players are paid together, if that is the same in every cell."""
    sums = {a + b for row, column in zip(game.row_payoffs, game.column_payoffs) for a, b in zip(row, column)}
    return sums.pop() if len(sums) == 1 else None


def scaled(table: Payoffs) -> Table:
    """Whole positive numbers in the same proportions: times the common denominator, moved so that the least is 1."""
    denominator = math.lcm(*(payoff.denominator for row in table for payoff in row))
    whole = [[int(payoff * denominator) for payoff in row] for row in table]
    least = min(map(min, whole))
    divisor = math.gcd(*(payoff - least for row in whole for payoff in row)) or 1
    return [[(payoff - least) // divisor + 1 for payoff in row] for row in whole]


def as_arrays(game: Bimatrix) -> tuple[np.ndarray, np.ndarray]:
    """The payoffs of row and column player as float64 arrays, rows × columns."""
    tables = tuple(np.array([[float(payoff) for payoff in row] for row in table]) for table in (game.row_payoffs, game.column_payoffs))
    if not all(np.isfinite(table).all() for table in tables):
        raise LudometerError("these payoffs are too large for floating-point numbers; use smaller ones")
    return tables[0], tables[1]


def expected(table: Payoffs, row: tuple[Fraction, ...], column: tuple[Fraction, ...]) -> Fraction:
    """The mean payoff when both mix so."""
    return sum((p * q * table[i][j] for i, p in enumerate(row) if p for j, q in enumerate(column) if q), Fraction(0))


def names_of(game: Bimatrix) -> tuple[list[str], list[str]]:
    """What the actions of row and column player are called."""
    return action_names(game.row_labels), action_names(game.column_labels)


def renamed(game: Bimatrix, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None) -> Bimatrix:
    """The game with other names of its actions; raises LudometerError unless there are as many."""
    given = []
    for names, labels, who in ((rows, game.row_labels, "row"), (columns, game.column_labels, "column")):
        if names is not None and len(names) != len(labels):
            raise LudometerError(f"the {who} player has {len(labels)} actions, so there are as many names, not {len(names)}")
        given.append(labels if names is None else tuple(names))
    return replace(game, row_labels=given[0], column_labels=given[1])


def named_documents() -> list[dict[str, Any]]:
    """The games that have names: {game, title, rows, columns, payoffs: [[[row, column]]]}, payoffs as texts."""
    from ludometer import games

    found = []
    for listed in games.kinds()[PREFIX[:-1]].listed_games():
        table, spec = find_game(listed.spec)
        rows, columns = names_of(table)
        pairs = [[[format_payoff(a), format_payoff(b)] for a, b in zip(*both)] for both in zip(table.row_payoffs, table.column_payoffs)]
        symmetric = is_symmetric(table)
        found.append({"game": spec, "title": table.title, "rows": rows, "columns": columns, "payoffs": pairs, "symmetric": symmetric})
    return found
