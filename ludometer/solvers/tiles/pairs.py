"""Classes of positions and the pairs in which they are solved.

A *class* is (tiles of the player to move, tiles of the other).  Seen with fixed colours, X is the side with more tiles (a) and O the side
with fewer (b ≤ a).  A *pair* (a, b) has two classes, each with a table:

    X to move   the class "mover a tiles, other b"      own tile moved → O to move, pair (a, b);  blank taken → O to move, pair (a+1, b)
    O to move   the class "mover b tiles, other a"      own tile moved → X to move, pair (a, b);  blank taken → X to move, pair (a, b+1)

With a = b the two classes are one and only "X to move" is kept.  The number of tiles never falls, so pairs are solved from
the full board down, and a pair needs just the two named after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

X_TO_MOVE, O_TO_MOVE = 0, 1

Class = tuple[int, int]  # tiles of the player to move, tiles of the other


@dataclass(frozen=True)
class Pair:
    """The two classes in which one side has `more` tiles and the other `fewer`."""

    more: int
    fewer: int

    @property
    def is_diagonal(self) -> bool:
        return self.more == self.fewer

    @property
    def sides(self) -> tuple[int, ...]:
        """The tables kept: X to move, and O to move unless both have the same number of tiles."""
        return (X_TO_MOVE,) if self.is_diagonal else (X_TO_MOVE, O_TO_MOVE)

    def columns(self, cells: int) -> int:
        """Columns of its tables: ways to place the O tiles beside the X tiles."""
        return comb(cells - self.more, self.fewer)

    def needs(self, cells: int) -> list[Pair]:
        """The pairs that moves taking a blank lead to."""
        if self.more + self.fewer >= cells:
            return []
        further = [Pair(self.more + 1, self.fewer)]
        if not self.is_diagonal:
            further.append(Pair(self.more, self.fewer + 1))
        return further


def further_table(pair: Pair, side: int, cells: int) -> tuple[Pair, int] | None:
    """(pair, side to move) of the table reached by this side's moves that take a blank; None on a full board."""
    if pair.more + pair.fewer >= cells:
        return None
    return (Pair(pair.more + 1, pair.fewer), O_TO_MOVE) if side == X_TO_MOVE else (Pair(pair.more, pair.fewer + 1), X_TO_MOVE)


def all_pairs(cells: int) -> list[Pair]:
    """Every pair, in an order in which each comes after those it needs."""
    return [Pair(total - fewer, fewer) for total in range(cells, -1, -1) for fewer in range(total // 2 + 1)]


def classes_of(pair: Pair) -> list[Class]:
    """The classes of a pair, in the order of `Pair.sides`."""
    return [(pair.more, pair.fewer)] if pair.is_diagonal else [(pair.more, pair.fewer), (pair.fewer, pair.more)]


def needed_by(pairs: Iterable[Pair], cells: int) -> dict[Pair, int]:
    """Number of these pairs that need each pair."""
    count: dict[Pair, int] = {}
    for pair in pairs:
        for need in pair.needs(cells):
            count[need] = count.get(need, 0) + 1
    return count


def no_longer_needed(pair: Pair, cells: int, waiting: dict[Pair, int]) -> list[Pair]:
    """The pairs that no unsolved pair needs once this one is solved.  Counts down `waiting` (see `needed_by`)."""
    for need in pair.needs(cells):
        waiting[need] -= 1
    done = [need for need in pair.needs(cells) if waiting[need] == 0]
    return done if waiting.get(pair) else [*done, pair]
