"""All Nash equilibria of a matrix game, exactly.

A mixed strategy x of the row player and a best reply of the column player meet in a vertex of {x ≥ 0, Bᵀx ≤ 1}, one y of the
column player in a vertex of {y ≥ 0, A y ≤ 1} (payoffs moved above zero, strategies not yet scaled to sum 1).  A pair of vertices is
an equilibrium when every action is unused or a best reply.  These pairs are the *extreme* equilibria: every equilibrium is a mixture
of them, in the way `components` describes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.frames import data_frame
from ludometer.dynamics.components import Component, find_components
from ludometer.dynamics.payoffs import GameLike, constant_sum, expected, find_game, names_of, scaled, transposed
from ludometer.dynamics.pivoting import Vertex, maximise, vertices
from ludometer.games.matrix.bimatrix import Bimatrix, Payoffs, parse_payoff

MOST_ACTIONS = 10  # of each player, for equilibria

Mixed = tuple[Fraction, ...]  # probabilities of a player's actions


@dataclass(frozen=True)
class Equilibrium:
    """An extreme Nash equilibrium."""

    row: Mixed
    column: Mixed
    payoffs: tuple[Fraction, Fraction]
    pareto: bool  # no cell of the table weakly dominates its payoffs
    pareto_lotteries: bool  # nor does any lottery over cells
    dominated_by: tuple[int, ...]  # numbers of equilibria with weakly dominating payoffs
    component: int  # number of its component
    stable: bool | None  # evolutionarily stable; None if the game or the pair is not symmetric

    @property
    def pure(self) -> bool:
        return max(self.row) == 1 == max(self.column)


@dataclass(frozen=True)
class Equilibria:
    """All extreme equilibria of a game, pure ones first, with their components."""

    game: Bimatrix
    spec: str
    found: tuple[Equilibrium, ...]
    components: tuple[Component, ...]
    degenerate: bool  # some mixed strategy has more best replies than actions in use
    value: Fraction | None  # of a constant-sum game, for the row player, by linear programme
    total: Fraction | None  # sum of both payoffs, if it is the same in every cell

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Any:
        return iter(self.found)

    def __getitem__(self, number: int) -> Equilibrium:
        return self.found[number]

    @cached_property
    def text(self) -> str:
        from ludometer.view.dynamics.text import equilibria_text

        return equilibria_text(self)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def document(self) -> list[dict[str, Any]]:
        """One JSON object for each equilibrium."""
        from ludometer.dynamics.documents import equilibrium_document

        return [equilibrium_document(self, number) for number in range(len(self.found))]

    def _repr_html_(self) -> str:
        from ludometer.view.dynamics.text import as_html

        return as_html(self.text)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each equilibrium; needs pandas.

        The columns `row NAME` and `column NAME` are the probabilities of the players' actions as fractions.
        """
        rows, columns = names_of(self.game)
        return data_frame(
            {
                **{f"row {name}": share for name, share in zip(rows, one.row)},
                **{f"column {name}": share for name, share in zip(columns, one.column)},
                "row payoff": one.payoffs[0],
                "column payoff": one.payoffs[1],
                "pure": one.pure,
                "pareto": one.pareto,
                "pareto_lotteries": one.pareto_lotteries,
                "component": one.component,
                "stable": one.stable,
            }
            for one in self.found
        )


def equilibria(game: GameLike, column_payoffs: Any = None) -> Equilibria:
    """Find all extreme Nash equilibria of a matrix game, exactly.

        game             a spec such as "matrix:sexes", a table made by `matrix_game`, or the row player's payoffs
        column_payoffs   the column player's payoffs if `game` is the row player's

    Every equilibrium is a mixture of extreme ones.  Raises LudometerError for games of more than 10×10 actions.

    >>> [(one.row[0], one.column[0]) for one in lm.equilibria("matrix:sexes")]
    [(Fraction(1, 1), Fraction(1, 1)), (Fraction(0, 1), Fraction(0, 1)), (Fraction(3, 5), Fraction(2, 5))]
    """
    table, spec = find_game(game, column_payoffs)
    check_size(table)
    rows, columns = len(table.row_labels), len(table.column_labels)
    row_side = [_relabelled(vertex, rows, columns, 0) for vertex in vertices(scaled(transposed(table.column_payoffs)))]
    column_side = [_relabelled(vertex, columns, rows, rows) for vertex in vertices(scaled(table.row_payoffs))]
    degenerate = any(v.tight.bit_count() > rows for v in row_side) or any(v.tight.bit_count() > columns for v in column_side)
    pairs = _meeting(row_side, column_side, (1 << (rows + columns)) - 1)
    ordered = sorted(((row_side[a].point, column_side[b].point) for a, b in pairs), key=_pure_first)
    components = find_components(ordered)
    total = constant_sum(table)
    found = _described(table, ordered, components)
    value = None if total is None else zero_sum_value(table.row_payoffs)
    assert value is None or all(one.payoffs[0] == value for one in found), "two exact methods disagree about the value"
    return Equilibria(table, spec, found, components, degenerate, value, total)


def check_size(game: Bimatrix) -> None:
    """Raise LudometerError if a game is too large for its equilibria to be found."""
    rows, columns = len(game.row_labels), len(game.column_labels)
    if max(rows, columns) > MOST_ACTIONS:
        raise LudometerError(f"equilibria are found for games up to {MOST_ACTIONS}×{MOST_ACTIONS}; this one is {rows}×{columns}")


def _pure_first(pair: tuple[Mixed, Mixed]) -> tuple[int, list[Fraction], list[Fraction]]:
    used = sum(p > 0 for strategy in pair for p in strategy)
    return used, [-p for p in pair[0]], [-p for p in pair[1]]


def _relabelled(vertex: Vertex, own: int, others: int, unused_from: int) -> Vertex:
    """The vertex scaled to sum 1, its bits in the order of all actions: the row player's, then the column player's.

    In a vertex, the first `own` bits say which actions are unused, the rest which of the other's actions are best replies.
    """
    total = sum(vertex.point)
    unused, replies = vertex.tight & ((1 << own) - 1), vertex.tight >> own
    replies_from = 0 if unused_from else own
    return Vertex(tuple(p / total for p in vertex.point), unused << unused_from | replies << replies_from)


def _meeting(row_side: Sequence[Vertex], column_side: Sequence[Vertex], every: int) -> Iterable[tuple[int, int]]:
    """Pairs of vertices that together have every label."""
    labels = np.array([vertex.tight for vertex in column_side], np.int64)
    for number, vertex in enumerate(row_side):
        for other in np.flatnonzero((labels | vertex.tight) == every):
            yield number, int(other)


def _described(game: Bimatrix, pairs: Sequence[tuple[Mixed, Mixed]], components: Sequence[Component]) -> tuple[Equilibrium, ...]:
    from ludometer.dynamics.stability import is_evolutionarily_stable

    payoffs = [(expected(game.row_payoffs, *pair), expected(game.column_payoffs, *pair)) for pair in pairs]
    homes = {number: place for place, component in enumerate(components) for number in component.members}
    cells = [cell for row, column in zip(game.row_payoffs, game.column_payoffs) for cell in zip(row, column)]
    return tuple(
        Equilibrium(
            row,
            column,
            paid,
            not any(_better(cell, paid) for cell in cells),
            not _beaten_by_lottery(paid, cells),
            tuple(number for number, other in enumerate(payoffs) if _better(other, paid)),
            homes[place],
            is_evolutionarily_stable(game, row) if row == column else None,
        )
        for place, ((row, column), paid) in enumerate(zip(pairs, payoffs))
    )


def _better(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    """Whether a pair of payoffs weakly dominates another: better for one player and not worse for the other."""
    return one[0] >= other[0] and one[1] >= other[1] and one != other


def _beaten_by_lottery(paid: tuple[Fraction, Fraction], cells: Sequence[tuple[Fraction, Fraction]]) -> bool:
    """Whether some lottery over cells pays one player more and the other no less: max of Σ gains with no gain below zero."""
    gains = list(dict.fromkeys((a - paid[0], b - paid[1]) for a, b in cells))
    scale = math.lcm(*(part.denominator for gain in gains for part in gain))
    whole = [(int(a * scale), int(b * scale)) for a, b in gains]
    best = maximise([a + b for a, b in whole], [[-a for a, _ in whole], [-b for _, b in whole], [1] * len(whole)], [0, 0, 1])
    assert best is not None  # the weights are at most 1
    return best.value > 0


def zero_sum_value(payoffs: Payoffs) -> Fraction:
    """The value for the row player by exact linear programme: the largest Σy with A y ≤ 1 is one over the value of A."""
    denominator = math.lcm(*(payoff.denominator for row in payoffs for payoff in row))
    least = min(map(min, payoffs))
    best = maximise(
        [1] * len(payoffs[0]), [[int((payoff - least) * denominator) + 1 for payoff in row] for row in payoffs], [1] * len(payoffs)
    )
    assert best is not None
    return (1 / best.value - 1) / denominator + least


def nash_conv(game: GameLike, row: Sequence[Any], column: Sequence[Any]) -> tuple[Any, Any]:
    """Gains of the row and the column player by a best reply; NashConv is their sum, zero in equilibrium.

    Exact for fractions and whole numbers, in floating point for floats.
    """
    table, _ = find_game(game)
    p, q = check_profile(table, row, column)
    rows = [sum((a * share for a, share in zip(line, q)), start=0 * q[0]) for line in table.row_payoffs]
    columns = [sum((b * share for b, share in zip(line, p)), start=0 * p[0]) for line in transposed(table.column_payoffs)]
    mine = sum((payoff * share for payoff, share in zip(rows, p)), start=0 * p[0])
    theirs = sum((payoff * share for payoff, share in zip(columns, q)), start=0 * q[0])
    return max(rows) - mine, max(columns) - theirs


def check_profile(game: Bimatrix, row: Sequence[Any], column: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Both mixed strategies as numbers; raises LudometerError unless they are probabilities of the right length."""
    checked = []
    for who, strategy, labels in (("row", row, game.row_labels), ("column", column, game.column_labels)):
        shares = [_share(who, share) for share in strategy]
        if len(shares) != len(labels):
            raise LudometerError(
                f"the {who} player has {len(labels)} actions, so a mixed strategy has {len(labels)} numbers, not {len(shares)}"
            )
        if min(shares) < 0 or abs(sum(shares) - 1) > (0 if all(isinstance(share, Fraction) for share in shares) else 1e-9):
            given = " ".join(map(str, shares))
            raise LudometerError(f"the {who} player's mixed strategy {shorten(given)} is not a row of probabilities that sum to 1")
        checked.append(shares)
    return checked[0], checked[1]


def _share(who: str, share: Any) -> Any:
    if isinstance(share, (int, Fraction)):
        return Fraction(share)
    if isinstance(share, str):
        value = parse_payoff(share.strip())
        if value is None:
            raise LudometerError(f"the {who} player's mixed strategy has {shorten(share)}, which is not a number such as 0.6 or 3/5")
        return value
    return float(share)


def parse_profile(game: Bimatrix, text: str) -> tuple[list[Fraction], list[Fraction]]:
    """A pair of mixed strategies as typed: `3/5,2/5 O` or `P P`, the row player's and, after a space, the column player's."""
    parts = text.split()
    if len(parts) != 2:
        raise LudometerError(f"profile {shorten(text)}: write the row player's mixed strategy, a space and the column player's: 3/5,2/5 O")
    strategies: list[list[Any]] = []
    for part, names in zip(parts, names_of(game)):
        folded = [name.casefold() for name in names]
        if part.casefold() in folded:
            strategies.append([Fraction(int(name == part.casefold())) for name in folded])
        else:
            strategies.append(list(part.split(",")))
    return check_profile(game, *strategies)
