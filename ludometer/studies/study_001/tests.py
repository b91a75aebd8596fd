"""The report's statistics, worked out again from its percentages and numbers of games."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from ludometer.studies.agreement import wrong
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.laboratory import Laboratory


@dataclass(frozen=True)
class Said:
    """A result of the report: its share of games, and an upper (or lower) limit for the p-value as a power of ten or a number."""

    what: str
    percent: float
    games: int
    below: float | None = None  # p < this
    above: float | None = None  # p > this
    about: float | None = None  # p ≈ this
    below_power: int | None = None  # p < 10^this, where that is too small for a float


BINOMIAL = (
    Said("heur1 against random", 96.35, 10_000, below_power=-320),
    Said("heur3 against random", 99.4, 1000, below_power=-280),
    Said("expectimax against random", 100, 100, below=1e-30),
    Said("minimax against expectimax", 78, 100, below=1e-7),
    Said("depth 2 against 1", 79.8, 1000, below=1e-80),
    Said("depth 3 against 2", 69.5, 100, below=1e-4),
    Said("depth 3 against 1", 75.5, 100, below=1e-6),
    Said("heur3 against heur1", 84.05, 1000, below=1e-110),
    Said("alpha-beta against minimax in 0.1 s", 71.15, 1000, below=1e-40),
    Said("basic memory", 50.5, 100, about=1.0),
    Said("symmetry", 43.5, 100, above=0.19),
    Said("Zobrist", 52.5, 100, above=0.76),
    Said("first player", 56.17, 300, below=0.05),
    Said("tabular Q-learning", 0.5, 1000, below_power=-280),
    Said("Q-learning with features", 0.4, 1000, below_power=-280),
)
PROPORTIONS = (("minimax against alpha-beta", 49.6, 1000, 0.098, 0.7542), ("heur4 against heur3", 50.25, 1000, 0.032, 0.858))


def binomial_power(wins: int, games: int) -> float:
    """log10 of the two-sided exact binomial p-value against ½."""
    from scipy.special import gammaln, logsumexp

    extreme = max(wins, games - wins)
    if 2 * extreme == games:
        return 0.0
    terms = [gammaln(games + 1) - gammaln(k + 1) - gammaln(games - k + 1) for k in range(extreme, games + 1)]
    return float((logsumexp(terms)) / 2.302585092994046 + log10(2) - games * log10(2))


def proportion_test(percent: float, games: int) -> tuple[float, float]:
    """(χ², p) of R's test that two shares w/n and (n − w)/n are equal, with the continuity correction, as the report used it."""
    from scipy.special import chdtrc

    wins = percent / 100 * games
    gap = abs(2 * wins - games) / games
    statistic = max(0.0, gap - 1 / games) ** 2 / (0.5 / games)
    return statistic, float(chdtrc(1, statistic))


def is_true(said: Said) -> bool:
    """Whether the p-value is as the report says, with half wins rounded down as in its other numbers, or up."""
    wins = floor(said.percent / 100 * said.games + 1e-9)
    return any(_fits(said, binomial_power(count, said.games)) for count in {wins, floor(said.percent / 100 * said.games + 0.5)})


def _fits(said: Said, power: float) -> bool:
    if said.below_power is not None:
        return power < said.below_power
    p_value = 10**power
    if said.below is not None:
        return p_value < said.below
    return p_value > said.above if said.above is not None else abs(p_value - (said.about or 0)) < 0.01


def _recomputed(lab: Laboratory) -> Measured:
    untrue = [said.what for said in BINOMIAL if not is_true(said)]
    for what, percent, games, statistic, p_value in PROPORTIONS:
        ours = proportion_test(percent, games)
        if round(ours[0], 3) != statistic or abs(ours[1] - p_value) > 5e-4:
            untrue.append(what)
    only_rounded = binomial_power(69, 100)
    note = (
        f"69.5 % of 100 is below 10⁻⁴ only as 70 wins (69: p = {10**only_rounded:.2g}); the “proportion test” compares w/n with "
        "(n − w)/n as if they were independent, which they are not: the exact binomial test gives p = "
        + " and ".join(f"{10 ** binomial_power(floor(percent / 100 * games + 1e-9), games):.2f}" for _, percent, games, *_ in PROPORTIONS)
    )
    return Measured(
        untrue, f"{len(BINOMIAL) + len(PROPORTIONS) - len(untrue)} of {len(BINOMIAL) + len(PROPORTIONS)} are as reported", note=note
    )


ENTRIES = (
    Entry(
        name="001.pvalues",
        title="p-values and χ², worked out again from percentages and numbers of games",
        where="IV to IX",
        kind=Kind.EXACT,
        reported=[],
        reported_text="15 binomial p-values, two proportion tests",
        settings="exact binomial tests; χ² = (|2w − n|/n − 1/n)² / (½/n)",
        measure=_recomputed,
        rule=wrong(
            "one is not: 100 wins of 100 have a two-sided p-value of 2 · 2⁻¹⁰⁰ = 1.6 · 10⁻³⁰, not below 10⁻³⁰; half of it, one-sided, is",
            truth=["expectimax against random"],
        ),
        in_suite=True,
    ),
)
