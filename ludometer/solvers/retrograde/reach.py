"""All positions that can be reached from the start, one for each orbit of symmetries, found level by level on all cores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludometer.core.errors import GameDefinitionError, LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.random import stream
from ludometer.core.text import size_at_least, size_text
from ludometer.solvers.retrograde.keys import (
    WORD,
    KeyLayout,
    bits_in_random_games,
    fixing_symmetries,
    layout_of,
    packed_again,
    sort_keys,
    word_count,
)
from ludometer.solvers.retrograde.reach_kernels import (
    BATCH,
    FOUND,
    NO_ROOM_IN_KEY,
    STATUS,
    STUCK,
    bits_of_images,
    enter_keys,
    expand,
    first_key,
    move_slots,
)
from ludometer.solvers.retrograde.snapshots import Snapshots
from ludometer.solvers.retrograde.team import Threads

FULLEST = 0.7  # share of slots in use
GROWTH = 2
FIRST_SLOTS = 1 << 14
_KEYS_PER_TASK = 1 << 17  # keys that a task writes at most
_SLOTS_PER_TASK = 1 << 18
_TRIAL_GAMES, _TRIAL_MOVES = 200, 200
_SPARE_BITS = 2  # given to a leaf beside what it needs, when it needs more than it had


class TooManyPositions(LudometerError):
    """A game with more positions than memory, or the caller, allows."""


@dataclass
class Positions:
    """All positions of a game, as ascending keys."""

    layout: KeyLayout
    symmetries: np.ndarray  # int64: under which positions are taken for one, see `fixing_symmetries`
    keys: np.ndarray  # flat uint64

    @property
    def count(self) -> int:
        return self.keys.size // word_count(self.layout)


def find_positions(
    game: Game,
    threads: Threads,
    memory: int,
    snapshots: Snapshots,
    progress: OnProgress | None = None,
    most: int | None = None,
) -> Positions:
    """All positions of a game.  Raises TooManyPositions beyond `memory` bytes or `most` positions, and Stopped."""
    symmetries = fixing_symmetries(game.rules, game.start().state)
    kept = snapshots.found()
    if kept is None:
        key, buffer = stream(0, "retrograde", "bits"), np.empty(game.move_bound, np.int32)
        bits = bits_in_random_games(game.rules, _TRIAL_GAMES, _TRIAL_MOVES, key, buffer)
        widths, levels = [int(leaf).bit_length() for leaf in bits], []
    else:
        widths, levels = kept.widths, kept.levels
    while True:
        search = _Search(game, layout_of(widths), symmetries, levels, threads, memory, progress)
        needed = search.run(snapshots, most)
        if needed is None:
            break
        widths = [max(had, min(WORD, needs + _SPARE_BITS) if needs > had else 0) for had, needs in zip(widths, needed)]
        levels = []
    keys = search.keys()
    exact = layout_of(search.exact_widths(keys))
    if exact != search.layout:
        keys = packed_again(keys, search.layout, exact)
    threads.stop.check(f"solving {game.spec}")
    return Positions(exact, symmetries, sort_keys(keys, exact))


class _Search:
    """A search for all positions, one number of moves from the start after the other."""

    def __init__(
        self,
        game: Game,
        layout: KeyLayout,
        symmetries: np.ndarray,
        levels: list[np.ndarray],
        threads: Threads,
        memory: int,
        progress: OnProgress | None,
    ) -> None:
        """`levels`: what was found before; none to begin with the start."""
        self.layout = layout
        self._game, self._symmetries, self._threads = game, symmetries, threads
        self._memory, self._progress = memory, progress
        self._start = game.start().state
        self._width = word_count(layout)
        if not levels:
            key, fits = first_key(game.rules, self._start, layout, symmetries)
            assert fits, "the start was among the states that the layout was made for"
            levels = [np.array(key, np.uint64)]
        self._levels = levels  # keys by the number of moves from the start
        self._control = np.zeros(2, np.int64)
        self._control[FOUND] = sum(level.size for level in levels) // self._width
        # All threads may enter one more batch each after the table has as many positions as it should.
        spare = threads.count * (BATCH + game.move_bound)
        self._slots = np.zeros(self._width * _slots_for(self.found, spare), np.uint64)
        self._bits = np.zeros(len(layout.shifts), np.uint64)
        for level in levels:
            self._enter(level)

    @property
    def found(self) -> int:
        return int(self._control[FOUND])

    def keys(self) -> np.ndarray:
        """All keys in the order they were found; the search gives them away."""
        self._slots = np.empty(0, np.uint64)
        keys = np.concatenate(self._levels)
        self._levels.clear()
        return keys

    def exact_widths(self, keys: np.ndarray) -> list[int]:
        """The bits that each leaf needs in these positions and their images."""
        count = keys.size // self._width

        def work(begin: int) -> np.ndarray:
            bits = np.zeros(len(self.layout.shifts), np.uint64)
            end = min(begin + _SLOTS_PER_TASK, count)
            bits_of_images(self._game.rules, self._start, self.layout, self._symmetries, keys, begin, end, bits)
            return bits

        both = np.bitwise_or.reduce(list(self._threads.run(work, range(0, count, _SLOTS_PER_TASK))))
        return [int(leaf).bit_length() for leaf in both]

    def run(self, snapshots: Snapshots, most: int | None) -> list[int] | None:
        """Find everything.  Returns None, or how many bits each leaf needs at least if the layout has too few."""
        while self._levels[-1].size:
            frontier = self._levels[-1]
            new: list[np.ndarray] = []
            end, step = frontier.size // self._width, max(16, _KEYS_PER_TASK // self._game.move_bound)
            waiting = [(at, min(at + step, end)) for at in range(0, end, step)]
            while waiting:
                waiting = self._expand(frontier, waiting, new)
                if self._control[STATUS] == NO_ROOM_IN_KEY:
                    return [int(leaf).bit_length() for leaf in self._bits]
                if self._control[STATUS] == STUCK:
                    raise GameDefinitionError(f"{self._game.spec}: a position that is not over has no legal move")
                if most is not None and self.found > most:
                    raise TooManyPositions(f"{self._game.spec} has more than {most:,} positions")
                if waiting:
                    self._grow()
            self._levels.append(np.concatenate(new) if new else np.empty(0, np.uint64))
            if snapshots.is_due():
                snapshots.keep_found(self.layout, self._levels)
        return None

    def _expand(self, frontier: np.ndarray, waiting: list[tuple[int, int]], new: list[np.ndarray]) -> list[tuple[int, int]]:
        """Play the moves of these ranges of the frontier; new keys are appended to `new`.  Returns the ranges left over by a full table."""
        game, width, slots = self._game, self._width, self._slots
        limit = int(slots.size // width * FULLEST)

        def work(task: int) -> tuple[int, int, np.ndarray]:
            begin, end = waiting[task]
            found = np.empty(width * (end - begin) * game.move_bound, np.uint64)
            scratch = np.empty(width * (BATCH + game.move_bound), np.uint64)
            buffer = np.empty(game.move_bound, np.int32)
            at, count = expand(
                game.rules, self._start, self.layout, self._symmetries, frontier, begin, end,
                slots, limit, self._control, buffer, scratch, found, self._bits,
            )  # fmt: skip
            return int(at), end, found[: width * count].copy()

        left = []
        for at, end, keys in self._threads.run(work, range(len(waiting))):
            if keys.size:
                new.append(keys)
            if at < end:
                left.append((at, end))
            if self._progress is not None:
                self._progress(self.found, 0, self._depth_text())
        return sorted(left)

    def _depth_text(self) -> str:
        return f"positions {len(self._levels)} move{'s' if len(self._levels) > 1 else ''} from the start"

    def _grow(self) -> None:
        """Make the hash table larger; raises TooManyPositions if memory does not allow it."""
        slots, width = self._slots, self._width
        needed = 8 * (slots.size * (1 + GROWTH) + width * self.found)
        if needed > self._memory:
            raise TooManyPositions(
                f"{self._game.spec} is too large for listing its positions in {size_text(self._memory)} of memory: "
                f"{self.found:,} were found, the last of them {self._depth_text().removeprefix('positions ')}, and there are more; "
                f"going on takes {size_at_least(needed)}"
            )
        wider = np.zeros(GROWTH * slots.size, np.uint64)

        def work(begin: int) -> None:
            move_slots(self.layout, slots, begin, min(begin + _SLOTS_PER_TASK, slots.size // width), wider)

        for _ in self._threads.run(work, range(0, slots.size // width, _SLOTS_PER_TASK)):
            pass
        self._slots = wider

    def _enter(self, keys: np.ndarray) -> None:
        count, slots = keys.size // self._width, self._slots

        def work(begin: int) -> None:
            enter_keys(self.layout, keys, begin, min(begin + _SLOTS_PER_TASK, count), slots)

        for _ in self._threads.run(work, range(0, count, _SLOTS_PER_TASK)):
            pass


def _slots_for(count: int, spare: int) -> int:
    """A power of two that `count` positions fill to less than the most, and that has `spare` places beyond the most."""
    return max(FIRST_SLOTS, 1 << int(count / FULLEST).bit_length(), 1 << int(spare / (1 - FULLEST)).bit_length())
