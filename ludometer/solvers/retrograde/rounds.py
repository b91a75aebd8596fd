"""The value and distance of every position, round by round.

Three ways, by the memory there is:

- `stored`: all edges are kept until they are reversed, and then each is followed back once.  4 + 4 bytes for an edge.
- `repeated`: the moves are played twice instead, once to count them and once to enter the predecessors.  4 bytes for an edge.
- `forward`: no edge is kept; every round plays the moves of all positions that are not decided.  Much slower where distances are long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludometer.core.errors import GameDefinitionError, LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.text import size_at_least, size_text
from ludometer.solvers.retrograde.index_kernels import Listing, count_predecessors, enter_numbers, enter_predecessors, successors
from ludometer.solvers.retrograde.keys import word_count
from ludometer.solvers.retrograde.reach import Positions, TooManyPositions
from ludometer.solvers.retrograde.rounds_kernels import (
    decide_from_edges,
    decide_predecessors,
    decided_in,
    predecessors_of,
    take_lost_moves,
)
from ludometer.solvers.retrograde.snapshots import Snapshots
from ludometer.solvers.retrograde.team import Threads

MOST_POSITIONS = (1 << 31) - 2
LARGEST_VALUE = (1 << 15) - 1

STORED, REPEATED, FORWARD = "stored", "repeated", "forward"

_EDGES_PER_TASK = 1 << 18
_POSITIONS_PER_TASK = 1 << 18
_AT_A_TIME = 64  # positions whose moves `successors` looks up together


@dataclass(frozen=True)
class Need:
    """Bytes of memory that valuing positions takes, beside the edges."""

    always: int
    following_back: int  # more, if edges are followed back


def need_of(game: Game, positions: Positions, threads: int) -> Need:
    """What valuing these positions takes."""
    count, width = positions.count, word_count(positions.layout)
    degree = _degree_type(game).itemsize
    per_task = 4 * _EDGES_PER_TASK + (4 + 8 * width + 8) * _AT_A_TIME * game.move_bound
    always = count * (8 * width + 2 + degree) + 4 * _directory_size(count) + 4 * threads * per_task
    return Need(always, 8 * (count + 1) + 4 * count)


def _degree_type(game: Game) -> np.dtype:
    return np.min_scalar_type(game.move_bound)


def _directory_size(count: int) -> int:
    """A power of two of which `count` positions fill at most two thirds."""
    return max(64, 1 << int(1.5 * count).bit_length())


class Rounds:
    """The values of all positions, while they are being found."""

    def __init__(
        self,
        game: Game,
        positions: Positions,
        threads: Threads,
        memory: int,
        snapshots: Snapshots,
        progress: OnProgress | None = None,
    ) -> None:
        """Raises TooManyPositions if `memory` bytes are too few."""
        self._game, self._threads, self._memory = game, threads, memory
        self._snapshots, self._progress = snapshots, progress
        self._start = game.start().state
        self._count = positions.count
        self._need = need_of(game, positions, threads.count)
        if self._need.always > memory or self._count > MOST_POSITIONS:
            raise TooManyPositions(
                f"{game.spec} has {self._count:,} positions up to symmetry; valuing them takes {size_text(self._need.always)} of memory, "
                f"of which {size_text(memory)} may be used: the least that works is {size_at_least(self._need.always)}"
                if self._count <= MOST_POSITIONS
                else f"{game.spec} has {self._count:,} positions up to symmetry, of which this solver takes {MOST_POSITIONS:,} at most"
            )
        self._listing = self._listed(positions)
        self.values = np.zeros(self._count, np.int16)
        self._degrees = np.zeros(self._count, _degree_type(game))
        self._step = max(_AT_A_TIME, _EDGES_PER_TASK // game.move_bound // _AT_A_TIME * _AT_A_TIME)
        self.edges = 0  # moves of all positions, once they are counted
        self.way = ""  # one of the ways above, once it is chosen

    def _listed(self, positions: Positions) -> Listing:
        slots = np.zeros(_directory_size(self._count), np.uint32)
        step = _POSITIONS_PER_TASK
        keys, layout = positions.keys, positions.layout
        for _ in self._threads.run(
            lambda begin: enter_numbers(layout, keys, begin, min(begin + step, self._count), slots), range(0, self._count, step)
        ):
            pass
        return Listing(layout, positions.symmetries, keys, slots)

    def run(self) -> np.ndarray:
        """All values (int16, see `rounds_kernels`).  Raises Stopped."""
        kept = self._snapshots.decided()
        if kept is not None and kept.values.size == self._count:
            self.values = kept.values
        else:
            kept = None
        first, predecessors = self._reverse_edges()
        distance = 0 if kept is None else kept.distance
        if kept is not None and first is not None:
            self._take_lost_moves(distance + 1)
        frontier = self._decided_in(distance + 1)
        decided = int(np.count_nonzero(self.values))
        while frontier.size:
            self._report(decided, f"{distance} moves from the end")
            distance += 1
            value = distance + 1
            if value > LARGEST_VALUE:
                raise LudometerError(f"{self._game.spec} has distances beyond {LARGEST_VALUE - 1:,} moves, which tables cannot hold")
            if first is not None and predecessors is not None:
                frontier = self._follow_back(frontier, value, first, predecessors)
            else:
                frontier = self._play_forward(value)
            decided += frontier.size
            if frontier.size and self._snapshots.is_due():
                self._snapshots.keep_decided(self.values, distance)
        self._report(self._count, "all positions")
        return self.values

    def _report(self, done: int, text: str) -> None:
        if self._progress is not None:
            self._progress(done, self._count, text)

    # ---- edges ----

    def _edges(self, begin: int) -> tuple[int, int, np.ndarray]:
        """(begin, end, edges) of one task."""
        game, end = self._game, min(begin + self._step, self._count)
        edges = np.empty((end - begin) * game.move_bound, np.uint32)
        most = _AT_A_TIME * game.move_bound
        waiting, places = np.empty(most * word_count(self._listing.layout), np.uint64), np.empty(most, np.int64)
        buffer = np.empty(game.move_bound, np.int32)
        count = successors(game.rules, self._start, self._listing, begin, end, buffer, waiting, places, edges, self._degrees, self.values)
        return begin, end, edges[: int(count)]

    @property
    def _tasks(self) -> range:
        return range(0, self._count, self._step)

    def _reverse_edges(self) -> tuple[np.ndarray | None, np.ndarray | None]:
        """(`first`, predecessors) as `decide_predecessors` takes them; (None, None) if there is no memory for them."""
        budget = self._memory - self._need.always - self._need.following_back
        follows_back = budget >= 0
        first = np.zeros(self._count + 1 if follows_back else 1, np.int64)
        stored: dict[int, np.ndarray] | None = {} if follows_back else None
        total = done = lost = 0

        def count(begin: int) -> tuple[int, int, np.ndarray, int]:
            begin, end, edges = self._edges(begin)
            missing = count_predecessors(edges, edges.size, first) if follows_back else np.count_nonzero(edges == np.uint32(0xFFFFFFFF))
            return begin, end, edges, int(missing)

        for begin, end, edges, missing in self._threads.run(count, self._tasks):
            total, done, lost = total + edges.size, done + end - begin, lost + missing
            if stored is not None:
                stored[begin] = edges.copy()
                if 8 * total > budget:
                    stored = None
            self._report(done, "counting moves")
        self.edges = total
        if lost:
            raise GameDefinitionError(f"{self._game.spec}: playing the same moves again led to {lost:,} other positions")
        if not follows_back or 4 * total > budget:
            self.way = FORWARD
            return None, None
        self.way = REPEATED if stored is None else STORED
        np.cumsum(first, out=first)
        predecessors = np.empty(total, np.uint32)
        done = 0

        def enter(begin: int) -> int:
            end = min(begin + self._step, self._count)
            edges = self._edges(begin)[2] if stored is None else stored.pop(begin)
            enter_predecessors(edges, begin, end, self._degrees, first, predecessors)
            return end - begin

        for entered in self._threads.run(enter, self._tasks):
            done += entered
            self._report(done, "entering predecessors")
        return first, predecessors

    def _take_lost_moves(self, value: int) -> None:
        """Bring degrees to where they are before the round that looks at wins stored as `value`."""

        def work(begin: int) -> None:
            begin, end, edges = self._edges(begin)
            take_lost_moves(edges, begin, end, self._degrees, self.values, value)

        for _ in self._threads.run(work, self._tasks):
            pass

    # ---- rounds ----

    def _decided_in(self, value: int) -> np.ndarray:
        """The numbers of all positions with this value or its negative."""

        def work(begin: int) -> np.ndarray:
            end = min(begin + _POSITIONS_PER_TASK, self._count)
            found = np.empty(end - begin, np.uint32)
            return found[: int(decided_in(self.values, begin, end, value, found))].copy()

        return _joined(list(self._threads.run(work, range(0, self._count, _POSITIONS_PER_TASK))))

    def _follow_back(self, frontier: np.ndarray, value: int, first: np.ndarray, predecessors: np.ndarray) -> np.ndarray:
        step = max(256, min(1 << 16, frontier.size // (4 * self._threads.count)))

        def work(begin: int) -> np.ndarray:
            end = min(begin + step, frontier.size)
            found = np.empty(int(predecessors_of(frontier, begin, end, first)), np.uint32)
            count = decide_predecessors(frontier, begin, end, value, first, predecessors, self._degrees, self.values, found)
            return found[: int(count)].copy()

        return _joined(list(self._threads.run(work, range(0, frontier.size, step))))

    def _play_forward(self, value: int) -> np.ndarray:
        def work(begin: int) -> np.ndarray:
            begin, end, edges = self._edges(begin)
            found = np.empty(end - begin, np.uint32)
            return found[: int(decide_from_edges(edges, begin, end, self._degrees, value, self.values, found))].copy()

        return _joined(list(self._threads.run(work, self._tasks)))


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, np.uint32)
