"""Sequential evaluation of a match: counts, the confidence sequence, and the pair after which a stopping rule ends it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludometer.arena.statistics.confidence_sequence import ConfidenceSequence, StoppingRule
from ludometer.arena.statistics.confidence_sequence_kernels import count_tables
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.sprt import Sprt

_LOOKS_PER_DOUBLING = 64  # between n and 2n pairs

# (9, 5): indicator of the pair score of each cell of `PairCounts.table`
_SCORE_OF_CELL = np.array([[x + y == points for points in range(5)] for x in range(3) for y in range(3)], np.int64)


@dataclass(frozen=True)
class MatchSnapshot:
    """Counts and anytime interval after a number of pairs."""

    counts: PairCounts
    anytime_interval: Interval


class Sequential:
    """Evaluator of a match that sees pairs in the order of their numbers.

    The looks are at fixed numbers of pairs, so that the end does not depend on how the pairs were divided into chunks.
    """

    def __init__(self, pairs: int, rule: StoppingRule | None = None, sprt: Sprt | None = None) -> None:
        """Evaluate at most `pairs` pairs; `rule` and `sprt` may end the match earlier."""
        self.ended: str | None = None  # `decided`, `width` or `sprt`
        self.sprt = sprt
        self.decision: str | None = None if sprt is None else "continue"
        self.sequence = ConfidenceSequence()
        self._wanted = pairs
        self._rule = rule or StoppingRule()
        self._table = np.zeros(9, np.int64)  # of all pairs so far
        self._looks: list[tuple[tuple[int, ...], float, float]] = []  # table, low, high

    @property
    def counts(self) -> PairCounts:
        return PairCounts(tuple(self._table.tolist()))

    @property
    def pairs(self) -> int:
        return int(self._table.sum())

    @property
    def has_enough(self) -> bool:
        return self.ended is not None

    @property
    def history(self) -> list[MatchSnapshot]:
        """Snapshot of each look."""
        return [MatchSnapshot(PairCounts(table), Interval(low, high)) for table, low, high in self._looks]

    def watch(self, results: np.ndarray) -> int:
        """Add pairs, given as results of the first player, int8 [game]; returns the number of pairs up to the end of the match."""
        if self.has_enough:
            return 0
        count = len(results) // 2
        ends = looks(self.pairs, count, self._wanted)
        tables = self._table + count_tables(np.ascontiguousarray(results, np.int8), np.array([*ends, count], np.int64))
        if ends:
            sequences = self.sequence.after_looks(tables[:-1] @ _SCORE_OF_CELL)
            decisions = [None] * len(ends) if self.sprt is None else self.sprt.decisions(tables[:-1] @ _SCORE_OF_CELL)
            for end, table, sequence, decision in zip(ends, tables, sequences, decisions):
                self.sequence = sequence
                self._looks.append((tuple(table.tolist()), sequence.interval.low, sequence.interval.high))
                self.ended = self._rule.reason(sequence.interval)
                if decision is not None:
                    self.decision = decision
                    self.ended = self.ended or ("sprt" if decision != "continue" else None)
                if self.ended:
                    self._table = table
                    return end
        self._table = tables[-1]
        return count


def looks(before: int, count: int, last: int) -> list[int]:
    """Looks among the next `count` pairs after the first `before`, as numbers of pairs from there.

    There is a look after every pair at first, later 64 times between n and 2n pairs, and after the last pair of the match.
    """
    found = []
    at = before
    while at < before + count:
        step = max(1, (1 << (at + 1).bit_length() - 1) // _LOOKS_PER_DOUBLING)
        at = min(at - at % step + step, last if at < last else at + step)
        if at <= before + count:
            found.append(at - before)
    return found
