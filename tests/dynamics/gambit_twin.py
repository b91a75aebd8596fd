"""The same questions asked of Gambit's exact enumeration (a development-only dependency)."""

from __future__ import annotations

import io
from fractions import Fraction

from ludometer.games.matrix.bimatrix import Bimatrix

Profile = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def extreme_equilibria(game: Bimatrix) -> tuple[list[Profile], list[list[Profile]]]:
    """All extreme equilibria, and the maximal sets of them of which every two can be mixed."""
    import pygambit

    theirs = pygambit.read_nfg(io.StringIO(game.to_nfg()))
    answer = pygambit.nash.enummixed_solve(theirs, rational=True, cliques=True)

    def profile(equilibrium) -> Profile:
        row, column = (tuple(Fraction(int(p.numerator), int(p.denominator)) for _, p in equilibrium[who]) for who in theirs.players)
        return row, column

    return [profile(e) for e in answer.equilibria], [[profile(e) for e in clique] for clique in answer.cliques]
