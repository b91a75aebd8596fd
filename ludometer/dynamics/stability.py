"""Evolutionary stability in symmetric games, exactly.

x is evolutionarily stable if, against every other best reply y to x, x earns more against y than y does against itself:
(x − y)ᵀ A y > 0.  With z = y − x this says zᵀ A z < 0 for every z ≠ 0 that sums to 0, is free on the actions x uses and not
negative on its other best replies.  Eliminating one used action leaves a quadratic form that must be positive definite on the
free coordinates and, after completing squares, strictly copositive on the rest (Haigh 1975, Abakuks 1980).
"""

from __future__ import annotations

from fractions import Fraction

from ludometer.dynamics.payoffs import is_symmetric
from ludometer.games.matrix.bimatrix import Bimatrix

Square = list[list[Fraction]]


def is_evolutionarily_stable(game: Bimatrix, strategy: tuple[Fraction, ...]) -> bool | None:
    """Whether a strategy that is in equilibrium with itself is evolutionarily stable; None if the game is not symmetric."""
    if not is_symmetric(game):
        return None
    payoffs = game.row_payoffs
    earned = [sum((a * share for a, share in zip(row, strategy)), Fraction(0)) for row in payoffs]
    used = [action for action, share in enumerate(strategy) if share]
    others = [action for action, payoff in enumerate(earned) if payoff == max(earned) and not strategy[action]]
    base, free = used[0], used[1:]
    order = free + others
    form = [
        [
            -(payoffs[i][j] - payoffs[base][j] - payoffs[i][base] + payoffs[base][base])
            - (payoffs[j][i] - payoffs[base][i] - payoffs[j][base] + payoffs[base][base])
            for j in order
        ]
        for i in order
    ]
    for _ in free:  # complete the square of each free coordinate
        if form[0][0] <= 0:
            return False
        form = _without_first(form)
    return is_strictly_copositive(form)


def _without_first(form: Square) -> Square:
    """The form after the first coordinate has been chosen best: its Schur complement."""
    size = len(form)
    return [[form[i][j] - form[i][0] * form[0][j] / form[0][0] for j in range(1, size)] for i in range(1, size)]


def is_strictly_copositive(form: Square) -> bool:
    """Whether vᵀ M v > 0 for all v ≥ 0 except 0, for a symmetric matrix.

    Keller's criterion: every principal submatrix whose last row has positive cofactors only has a positive determinant.
    """
    size = len(form)
    for chosen in range(1, 1 << size):
        places = [place for place in range(size) if chosen >> place & 1]
        part = [[form[i][j] for j in places] for i in places]
        last = len(part) - 1
        cofactors = [(-1) ** (last + j) * determinant([row[:j] + row[j + 1 :] for row in part[:-1]]) for j in range(last + 1)]
        if all(cofactor > 0 for cofactor in cofactors) and determinant(part) <= 0:
            return False
    return True


def determinant(matrix: Square) -> Fraction:
    """The determinant of a square matrix of fractions; 1 for the empty one."""
    rows = [list(row) for row in matrix]
    product = Fraction(1)
    for column in range(len(rows)):
        found = next((place for place in range(column, len(rows)) if rows[place][column]), None)
        if found is None:
            return Fraction(0)
        if found != column:
            rows[column], rows[found] = rows[found], rows[column]
            product = -product
        product *= rows[column][column]
        for place in range(column + 1, len(rows)):
            if factor := rows[place][column] / rows[column][column]:
                rows[place] = [value - factor * other for value, other in zip(rows[place], rows[column])]
    return product
