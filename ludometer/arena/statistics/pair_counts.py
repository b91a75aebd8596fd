"""Counts of a match by seat-swapped pairs of games.

A pair is two games from the same opening with the same seed: A moves first in one, B in the other.  The two games of a pair depend
on each other; different pairs are independent.  The pair is therefore the unit of all statistics of a match.  A pair's score for A
is the mean of the two games (win 1, draw ½, loss 0): one of 0, ¼, ½, ¾, 1.  The counts of the five scores are the *pentanomial* of
the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometer.core.errors import LudometerError

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # the five scores a pair can have
PAIR_SCORES.flags.writeable = False

_LOSS, _DRAW, _WIN = 0, 1, 2  # A's half points in one game


@dataclass(frozen=True)
class Interval:
    """Closed interval from `low` to `high`."""

    low: float
    high: float

    def document(self) -> list[float]:
        """For JSON."""
        return [self.low, self.high]

    @property
    def width(self) -> float:
        return self.high - self.low

    def contains(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class PairCounts:
    """Counts of the results of pairs; the sum of two merges two parts of a match.

    `table[3 * x + y]` counts the pairs in which A made x half points moving first and y half points moving second
    (0 lost, 1 drawn, 2 won).  Everything else is derived from it.

    >>> counts = PairCounts.from_results([1, -1, 0, 1])  # A wins both games; A draws as first, then B wins as first
    >>> counts.wins, counts.draws, counts.losses, counts.score, counts.pentanomial
    (2, 1, 1, 0.625, (0, 1, 0, 0, 1))
    """

    table: tuple[int, ...] = (0,) * 9

    def __post_init__(self) -> None:
        if len(self.table) != 9 or min(self.table) < 0:
            raise LudometerError(f"the results of pairs are nine counts from 0 on, not {self.table}")

    @classmethod
    def from_results(cls, results: ArrayLike) -> PairCounts:
        """Count single games: 1, 0, −1 for the player who moved first, in game order.

        Game 2k has A first, game 2k+1 has B first.  Raises LudometerError for half a pair or any other number.
        """
        games = np.asarray(results)
        if games.ndim != 1 or len(games) % 2:
            raise LudometerError(f"games come in seat-swapped pairs: an even number of them, not {games.size}")
        if not np.isin(games, (-1, 0, 1)).all():
            raise LudometerError("the result of a game is 1, 0 or -1 for the player who moved first")
        whole = games.astype(np.int64)
        cells = np.bincount(3 * (1 + whole[0::2]) + (1 - whole[1::2]), minlength=9)
        return cls(tuple(int(count) for count in cells))

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(tuple(mine + its for mine, its in zip(self.table, other.table)))

    def swapped(self) -> PairCounts:
        """The counts from B's side."""
        return PairCounts(tuple(self.table[3 * (2 - y) + (2 - x)] for x in range(3) for y in range(3)))

    @property
    def pairs(self) -> int:
        return sum(self.table)

    @property
    def games(self) -> int:
        return 2 * self.pairs

    def _as_first(self, points: int) -> int:
        """Number of games in which A made `points` half points moving first."""
        return sum(self.table[3 * points + y] for y in range(3))

    def _as_second(self, points: int) -> int:
        return sum(self.table[3 * x + points] for x in range(3))

    @property
    def wins(self) -> int:
        """Games won by A."""
        return self._as_first(_WIN) + self._as_second(_WIN)

    @property
    def draws(self) -> int:
        return self._as_first(_DRAW) + self._as_second(_DRAW)

    @property
    def losses(self) -> int:
        """Games lost by A."""
        return self._as_first(_LOSS) + self._as_second(_LOSS)

    @property
    def score(self) -> float:
        """A's share of the points; ½ before the first game."""
        return mean_score(self.pentanomial)

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """(5,) numbers of pairs in which A scored 0, ¼, ½, ¾ and 1."""
        return tuple(sum(self.table[3 * x + y] for x in range(3) for y in range(3) if x + y == points) for points in range(5))

    def pentanomial_document(self) -> dict[str, int]:
        """JSON object of the numbers of pairs in which A made 0, 0.5, 1, 1.5 and 2 points."""
        return dict(zip(("0", "0.5", "1", "1.5", "2"), self.pentanomial))

    @property
    def first_player_pentanomial(self) -> tuple[int, ...]:
        """(5,) pentanomial of the player who moved first: A in one game of a pair, B in the other."""
        return tuple(sum(self.table[3 * x + y] for x in range(3) for y in range(3) if x + 2 - y == points) for points in range(5))

    @property
    def first_player_results(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the player who moved first."""
        return self._as_first(_WIN) + self._as_second(_LOSS), self.draws, self._as_first(_LOSS) + self._as_second(_WIN)

    @property
    def seats(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """A's wins, draws and losses moving first, and moving second."""
        orders = (_WIN, _DRAW, _LOSS)
        first, second = (tuple(seat(points) for points in orders) for seat in (self._as_first, self._as_second))
        return (first[0], first[1], first[2]), (second[0], second[1], second[2])


def pentanomial_of(scores: ArrayLike) -> NDArray[np.int64]:
    """(5,) counts of each pair score; raises LudometerError for any other score."""
    quarters = np.asarray(scores, dtype=np.float64) * 4
    places = np.rint(quarters).astype(np.int64)
    if (places != quarters).any() or (places < 0).any() or (places > 4).any():
        raise LudometerError("the score of a pair is 0, 0.25, 0.5, 0.75 or 1")
    return np.bincount(places.ravel(), minlength=5)


def checked_pentanomial(pentanomial: Sequence[int] | ArrayLike) -> NDArray[np.float64]:
    """(5,) float64 counts; raises LudometerError unless they are five numbers from 0 on."""
    counts = np.asarray(pentanomial, dtype=np.float64)
    if counts.shape != (5,) or not np.isfinite(counts).all() or (counts < 0).any():
        raise LudometerError(f"a pentanomial is five counts from 0 on, not {counts.tolist()}")
    return counts


def mean_score(pentanomial: Sequence[int] | ArrayLike) -> float:
    """Mean pair score, which is A's share of the points; ½ without a pair."""
    counts = checked_pentanomial(pentanomial)
    return float(counts @ PAIR_SCORES / counts.sum()) if counts.sum() else 0.5


def pair_variance(pentanomial: Sequence[int] | ArrayLike) -> float:
    """Sample variance of a pair's score (n − 1 in the denominator); 0 for fewer than two pairs.

    Divided by the number of pairs it is the variance of the match score, however the two games of a pair are correlated.
    """
    counts = checked_pentanomial(pentanomial)
    pairs = counts.sum()
    if pairs < 2:
        return 0.0
    return float(counts @ (PAIR_SCORES - mean_score(counts)) ** 2 / (pairs - 1))


def checked_error(alpha: float) -> float:
    """Return `alpha`; raises LudometerError unless it is strictly between 0 and 1."""
    if not 0 < alpha < 1:
        raise LudometerError(f"an error probability lies between 0 and 1, not {alpha:g}")
    return alpha
