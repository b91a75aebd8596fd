"""Totals of pairs of games in constant memory: results, histograms of lengths and margins, time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ludometer.arena.statistics.confidence_sequence_kernels import count_tables
from ludometer.arena.statistics.pair_counts import PairCounts


@dataclass(frozen=True)
class Spread:
    """Histogram of whole numbers; the sum of two merges them.

    >>> lengths = Spread.of([9, 7, 9, 8])
    >>> lengths.mean, lengths.lowest, lengths.highest, lengths.quantile(0.5)
    (8.25, 7, 9, 8)
    """

    first: int = 0  # the number that times[0] counts
    times: tuple[int, ...] = ()

    @classmethod
    def of(cls, numbers: np.ndarray | list[int]) -> Spread:
        values = np.asarray(numbers)
        if not len(values):
            return cls()
        low = int(values.min())
        return cls(low, tuple(np.bincount(values.astype(np.int64) - low).tolist()))

    def __add__(self, other: Spread) -> Spread:
        if not self.times or not other.times:
            return self if self.times else other
        low = min(self.first, other.first)
        total = np.zeros(max(self.first + len(self.times), other.first + len(other.times)) - low, np.int64)
        for part in (self, other):
            total[part.first - low : part.first - low + len(part.times)] += part.times
        return Spread(low, tuple(total.tolist()))

    @property
    def count(self) -> int:
        return sum(self.times)

    @property
    def total(self) -> int:
        """The sum of all numbers."""
        return sum((self.first + place) * times for place, times in enumerate(self.times))

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation, with n − 1 in the denominator; 0 below two numbers."""
        if self.count < 2:
            return 0.0
        away = sum(times * (self.first + place - self.mean) ** 2 for place, times in enumerate(self.times))
        return sqrt(away / (self.count - 1))

    @property
    def lowest(self) -> int:
        return self.first

    @property
    def highest(self) -> int:
        return self.first + max(0, len(self.times) - 1)

    def quantile(self, share: float) -> int:
        """Smallest number that is at least as large as this share of all numbers."""
        goal, seen = share * self.count, 0
        for place, times in enumerate(self.times):
            seen += times
            if seen >= goal and seen:
                return self.first + place
        return self.highest


@dataclass(frozen=True)
class Thinking:
    """Thinking time of an agent and the number of timed moves."""

    seconds: float = 0.0
    moves: int = 0

    def __add__(self, other: Thinking) -> Thinking:
        return Thinking(self.seconds + other.seconds, self.moves + other.moves)

    @property
    def per_move(self) -> float | None:
        """Seconds per move; None if no move was timed."""
        return self.seconds / self.moves if self.moves else None


@dataclass(frozen=True)
class Visited:
    """Positions visited by an agent's decisions, and the number of these decisions."""

    positions: int = 0
    decisions: int = 0

    def __add__(self, other: Visited) -> Visited:
        return Visited(self.positions + other.positions, self.decisions + other.decisions)

    @property
    def per_decision(self) -> float | None:
        """Positions per decision; None if the agent does not report them."""
        return self.positions / self.decisions if self.decisions else None


@dataclass(frozen=True)
class PairTotals:
    """Totals of pairs 0 … n − 1 of a pairing; the sum with the totals of the next pairs continues them."""

    counts: PairCounts = PairCounts()
    lengths: Spread = Spread()  # moves of a game after its opening
    margins: Spread | None = None  # for the first player, in games with points
    thinking: tuple[Thinking, Thinking] = (Thinking(), Thinking())  # of A and of B
    seconds: float = 0.0  # of work on one core
    visited: tuple[Visited, Visited] = (Visited(), Visited())  # by A and by B

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray], seconds: float) -> PairTotals:
        """Totals of a chunk of the store; see `PairResults.arrays`."""
        results = np.ascontiguousarray(arrays["results"], np.int8)
        visits = arrays["visits"].sum(axis=0, dtype=np.int64) if "visits" in arrays else np.zeros(4, np.int64)
        thinking = arrays["thinking"].sum(axis=0, dtype=np.float64) if "thinking" in arrays else np.zeros(4)
        return cls(
            counts=PairCounts(tuple(count_tables(results, np.array([len(results) // 2]))[0].tolist())),
            lengths=Spread.of(arrays["lengths"]),
            margins=Spread.of(arrays["margins"]) if "margins" in arrays else None,
            thinking=(Thinking(float(thinking[0]), round(thinking[1])), Thinking(float(thinking[2]), round(thinking[3]))),
            seconds=seconds,
            visited=(Visited(int(visits[0]), int(visits[1])), Visited(int(visits[2]), int(visits[3]))),
        )

    def __add__(self, other: PairTotals) -> PairTotals:
        margins = [part.margins for part in (self, other) if part.margins is not None]
        return PairTotals(
            counts=self.counts + other.counts,
            lengths=self.lengths + other.lengths,
            margins=sum(margins, Spread()) if margins else None,
            thinking=(self.thinking[0] + other.thinking[0], self.thinking[1] + other.thinking[1]),
            seconds=self.seconds + other.seconds,
            visited=(self.visited[0] + other.visited[0], self.visited[1] + other.visited[1]),
        )

    @property
    def pairs(self) -> int:
        return self.counts.pairs

    @property
    def games(self) -> int:
        return self.counts.games

    @property
    def moves(self) -> int:
        """Number of moves in all games after their openings."""
        return self.lengths.total

    @property
    def positions_per_decision(self) -> tuple[float | None, float | None]:
        """Of A and of B; None for an agent that does not report them."""
        return self.visited[0].per_decision, self.visited[1].per_decision

    @property
    def seconds_per_move(self) -> tuple[float | None, float | None]:
        """Of A and of B; None if pairs are too short to be timed."""
        return self.thinking[0].per_move, self.thinking[1].per_move
