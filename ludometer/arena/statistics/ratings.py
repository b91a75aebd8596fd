"""Ratings of several players from the pairs they played: Bradley–Terry with draws, on the Elo scale.

A player with rating r beats one with rating q with probability 1/(1 + 10^((q − r)/400)); a draw counts as half a win.  Half a
drawn game is added to every pairing that was played, so that the maximum-likelihood ratings are finite even if a player won every
game.
One player, the anchor, is pinned at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ludometer.arena.statistics.bootstrap import Bootstrap, Method
from ludometer.arena.statistics.pair_bounds import lower_bounds
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, Interval, PairCounts, checked_pentanomial, mean_score
from ludometer.core.errors import LudometerError

ELO_PER_LOGIT = 400 / log(10)
PSEUDO_GAMES = 0.5  # half a drawn game a pairing

_TOLERANCE = 1e-9  # of a rating, in logits
_LONGEST_STEP = 2.0  # of Newton's method, in logits
_NEWTON_STEPS = 200

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HeadToHead:
    """All pairs of games of two players, numbered from 0; the pentanomial is that of `a`.

    `draws` is the number of drawn games, None if unknown: a pair with the score ½ may be two draws, or a win each.
    """

    a: int
    b: int
    pentanomial: tuple[int, ...]
    draws: int | None = None

    @classmethod
    def of(cls, a: int, b: int, counts: PairCounts) -> HeadToHead:
        return cls(a, b, counts.pentanomial, counts.draws)

    def __post_init__(self) -> None:
        checked_pentanomial(self.pentanomial)

    @property
    def score(self) -> float:
        """Of `a`."""
        return mean_score(self.pentanomial)

    def for_player(self, player: int) -> tuple[int, ...]:
        """The pentanomial of `a` or `b`."""
        return self.pentanomial if player == self.a else self.pentanomial[::-1]


@dataclass(frozen=True)
class Ratings:
    """Elo ratings; the anchor has rating 0 and interval [0, 0].

    `superiority[i][j]` is the share of the resamples in which i is rated above j, never exactly 0 or 1.  A rating difference between
    players of different `groups` is a lower bound: the earlier group won every point against the later one.
    """

    elo: tuple[float, ...]
    intervals: tuple[Interval, ...]
    superiority: tuple[tuple[float, ...], ...]
    groups: tuple[tuple[int, ...], ...]


def rate(
    pairings: Sequence[HeadToHead],
    players: int,
    anchor: int = 0,
    alpha: float = 0.05,
    resamples: int = 2000,
    seed: int = 0,
    method: Method = "bca",
) -> Ratings:
    """Ratings with bootstrap intervals; raises LudometerError if players are not linked by games."""
    pentanomials = counts_of(pairings, players)
    bootstrap = Bootstrap.over(pentanomials, resamples, seed)
    elo = fit(bootstrap.samples, pairings, players, anchor)
    drawn = bootstrap.drawn(elo)
    above = (drawn[:, :, None] > drawn[:, None, :]).sum(axis=0) + (drawn[:, :, None] == drawn[:, None, :]).sum(axis=0) / 2
    superiority = (above + 0.5) / (resamples + 1)
    return Ratings(
        elo=tuple(float(value) for value in elo[0]),
        intervals=tuple(Interval(0.0, 0.0) if i == anchor else bootstrap.interval(elo[:, i], alpha, method) for i in range(players)),
        superiority=tuple(tuple(float(value) for value in row) for row in superiority),
        groups=strength_groups(pairings, players),
    )


def counts_of(pairings: Sequence[HeadToHead], players: int) -> Array:
    """(pairings, 5) counts; raises LudometerError for unknown or repeated pairings and for players that no games link."""
    seen = set()
    for pairing in pairings:
        if pairing.a == pairing.b or not 0 <= min(pairing.a, pairing.b) <= max(pairing.a, pairing.b) < players:
            raise LudometerError(f"a pairing is of two different players from 0 to {players - 1}, not {pairing.a} and {pairing.b}")
        if frozenset((pairing.a, pairing.b)) in seen:
            raise LudometerError(f"players {pairing.a} and {pairing.b} are paired twice; merge their counts")
        if not any(pairing.pentanomial):
            raise LudometerError(f"players {pairing.a} and {pairing.b} are paired, but played no games")
        seen.add(frozenset((pairing.a, pairing.b)))
    links = csr_array((players, players))
    if pairings:
        links = csr_array((np.ones(len(pairings)), ([p.a for p in pairings], [p.b for p in pairings])), shape=(players, players))
    parts, part = connected_components(links, directed=False)
    if parts > 1:
        stranger = int(np.flatnonzero(part != part[0])[0])
        raise LudometerError(f"players 0 and {stranger} cannot be compared: no chain of games links them")
    return np.array([pairing.pentanomial for pairing in pairings], dtype=np.float64)


def fit(samples: Array, pairings: Sequence[HeadToHead], players: int, anchor: int = 0) -> Array:
    """(samples, players) maximum-likelihood Elo ratings for counts (samples, pairings, 5), by Newton's method on all samples at once."""
    games = 2 * samples.sum(axis=-1) + PSEUDO_GAMES
    points = 2 * samples @ PAIR_SCORES + PSEUDO_GAMES / 2
    sides = np.zeros((len(pairings), players))
    for row, pairing in enumerate(pairings):
        sides[row, pairing.a], sides[row, pairing.b] = 1.0, -1.0
    free = np.delete(np.arange(players), anchor)
    sides = sides[:, free]
    products = (sides[:, :, None] * sides[:, None, :]).reshape(len(pairings), -1)
    found = np.zeros((len(samples), players - 1))
    for block in (slice(0, 1), slice(1, None)):  # the ratings of the data are the starting point for the resamples
        found[block] = found[0]
        found[block] = _newton(found[block], points[block], games[block], sides, products)
    ratings = np.zeros((len(samples), players))
    ratings[:, free] = found * ELO_PER_LOGIT
    return ratings


def _newton(start: Array, points: Array, games: Array, sides: Array, products: Array) -> Array:
    """(samples, free players) maximum of the likelihood, in logits; the length of steps is bounded so that they do not overshoot."""
    ratings = start.copy()
    size = ratings.shape[1]
    for _ in range(_NEWTON_STEPS):
        expected = 1 / (1 + np.exp(-(ratings @ sides.T)))
        slope = (points - games * expected) @ sides
        curvature = ((games * expected * (1 - expected)) @ products).reshape(-1, size, size)
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        ratings += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _TOLERANCE))
        if longest.max(initial=0.0) < _TOLERANCE:
            return ratings
    raise LudometerError("the ratings do not converge: one pairing has far more games than the others")


def strength_groups(pairings: Sequence[HeadToHead], players: int) -> tuple[tuple[int, ...], ...]:
    """The players in groups, strongest first.  A group won every point that it played against later groups.

    With more than one group some rating differences have no upper bound (Ford 1957).
    """
    scored = np.zeros((players, players), dtype=bool)
    for pairing in pairings:
        scored[pairing.a, pairing.b] = pairing.score > 0
        scored[pairing.b, pairing.a] = pairing.score < 1
    count, group = connected_components(csr_array(scored), directed=True, connection="strong")
    reach = np.zeros((count, count), dtype=bool)
    reach[group[np.nonzero(scored)[0]], group[np.nonzero(scored)[1]]] = True
    for middle in range(count):
        reach |= reach[:, middle, None] & reach[None, middle]
    order = sorted(range(count), key=lambda member: (-int(reach[member].sum()), int(np.flatnonzero(group == member)[0])))
    return tuple(tuple(int(player) for player in np.flatnonzero(group == member)) for member in order)


@dataclass(frozen=True)
class Cycle:
    """Three players of whom each beats the next and the third the first; `shown` if all three scores are significantly above ½."""

    players: tuple[int, int, int]
    scores: tuple[float, float, float]  # of each against the next
    shown: bool


def non_transitive_triples(pairings: Sequence[HeadToHead], alpha: float = 0.05) -> tuple[Cycle, ...]:
    """All three-player cycles in the scores, those that are `shown` first.

    The lower bounds of all pairings hold simultaneously with confidence 1 − alpha, and so do all cycles that are `shown`.
    """
    ahead: dict[tuple[int, int], tuple[float, bool]] = {}  # (winner, loser) -> score and whether it is shown to be above ½
    for pairing in pairings:
        if pairing.score != 0.5:
            winner, loser = (pairing.a, pairing.b) if pairing.score > 0.5 else (pairing.b, pairing.a)
            counts = pairing.for_player(winner)
            ahead[winner, loser] = mean_score(counts), bool(lower_bounds(counts, alpha / len(pairings))[0] > 0.5)
    found = []
    for trio in combinations(sorted({player for pair in ahead for player in pair}), 3):
        for cycle in (trio, (trio[0], trio[2], trio[1])):
            steps = [(cycle[0], cycle[1]), (cycle[1], cycle[2]), (cycle[2], cycle[0])]
            if all(step in ahead for step in steps):
                first, second, third = (ahead[step] for step in steps)
                found.append(Cycle(cycle, (first[0], second[0], third[0]), first[1] and second[1] and third[1]))
    return tuple(sorted(found, key=lambda cycle: (not cycle.shown, cycle.players)))
