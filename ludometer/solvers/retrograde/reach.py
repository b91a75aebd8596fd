"""All positions that can be reached from the start, one for each orbit of symmetries, found level by level on all cores."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ludometer.core.errors import GameDefinitionError, LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.random import stream
from ludometer.core.text import size_text
from ludometer.solvers.retrograde.keys import (
    KeyLayout,
    bits_in_keys,
    bits_in_random_games,
    fixing_symmetries,
    layout_of,
    packed_again,
    sort_keys,
    widths_of,
    word_count,
)
from ludometer.solvers.retrograde.reach_kernels import (
    BATCH,
    FOUND,
    NO_ROOM_IN_KEY,
    STATUS,
    STUCK,
    enter_keys,
    expand,
    first_key,
    move_slots,
)
from ludometer.solvers.retrograde.snapshots import Snapshots
from ludometer.solvers.retrograde.team import Threads

FULLEST = 0.7  # share of slots in use
GROWTH = 2
_FIRST_SLOTS = 1 << 14
_KEYS_PER_TASK = 1 << 17  # keys that a task may write at most, and has room for
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


@dataclass
class _Search:
    """How far the search for positions is."""

    layout: KeyLayout
    levels: list[np.ndarray] = field(default_factory=list)  # keys by the number of moves from the start
    slots: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint64))
    found: int = 0


def find_positions(
    game: Game,
    threads: Threads,
    memory: int,
    snapshots: Snapshots,
    progress: OnProgress | None = None,
    most: int | None = None,
) -> Positions:
    """All positions of a game.  Raises TooManyPositions beyond `memory` bytes or `most` positions, and Stopped."""
    start = game.start()
    symmetries = fixing_symmetries(game.rules, start.state)
    bits = bits_in_random_games(
        game.rules, _TRIAL_GAMES, _TRIAL_MOVES, stream(0, "retrograde", "bits"), np.empty(game.move_bound, np.int32)
    )
    widths = [int(leaf).bit_length() for leaf in bits]
    kept = snapshots.found()
    if kept is not None:
        widths = kept.widths
    while True:
        search = _Search(layout_of(widths))
        if kept is not None:
            search.levels = kept.levels
        more = _search(game, start.state, search, symmetries, threads, memory, snapshots, progress, most)
        if more is None:
            break
        kept = None
        widths = [max(had, needs + _SPARE_BITS if needs > had else 0) for had, needs in zip(widths, more)]
        widths = [min(64, width) for width in widths]
    search.slots = np.empty(0, np.uint64)
    keys = np.concatenate(search.levels)
    search.levels.clear()
    exact = layout_of([bits.bit_length() for bits in bits_in_keys(keys, search.layout)])
    if exact != search.layout:
        keys = packed_again(keys, search.layout, exact)
    threads.stop.check(f"solving {game.spec}")
    return Positions(exact, symmetries, sort_keys(keys, exact))


def _search(
    game: Game,
    start: object,
    search: _Search,
    symmetries: np.ndarray,
    threads: Threads,
    memory: int,
    snapshots: Snapshots,
    progress: OnProgress | None,
    most: int | None,
) -> list[int] | None:
    """Fill `search`.  Returns None, or how many bits each leaf needs at least where the layout has too few."""
    layout = search.layout
    width = word_count(layout)
    control = np.zeros(2, np.int64)
    if not search.levels:
        key, fits = first_key(game.rules, start, layout, symmetries)
        assert fits, "the start was among the states that the layout was made for"
        search.levels.append(np.array(key, np.uint64))
    search.found = sum(level.size for level in search.levels) // width
    search.slots = np.zeros(width * _slots_for(search.found), np.uint64)
    for level in search.levels:
        _enter(layout, level, search.slots, threads)
    control[FOUND] = search.found
    while search.levels[-1].size:
        depth = len(search.levels) - 1
        frontier, new = search.levels[-1], []
        waiting = _ranges(0, frontier.size // width, max(16, _KEYS_PER_TASK // game.move_bound))
        while waiting:
            limit = int(search.slots.size // width * FULLEST)
            found_bits = np.zeros(len(layout.shifts), np.uint64)
            slots = search.slots

            def work(task: int, waiting=waiting, limit=limit, slots=slots, found_bits=found_bits):  # type: ignore[no-untyped-def]
                begin, end = waiting[task]
                room = (end - begin) * game.move_bound
                new_keys = np.empty(width * room, np.uint64)
                scratch = np.empty(width * (BATCH + game.move_bound), np.uint64)
                buffer = np.empty(game.move_bound, np.int32)
                at, count = expand(
                    game.rules, start, layout, symmetries, frontier, begin, end, slots, limit, control, buffer, scratch, new_keys, found_bits
                )
                return (int(at), end), new_keys[: width * count].copy()

            left = []
            for (at, end), keys in threads.run(work, range(len(waiting))):
                if keys.size:
                    new.append(keys)
                if at < end:
                    left.append((at, end))
                if progress is not None:
                    progress(int(control[FOUND]), 0, f"positions {depth + 1} moves from the start")
            search.found = int(control[FOUND])
            if control[STATUS] == NO_ROOM_IN_KEY:
                return [int(leaf).bit_length() for leaf in found_bits]
            if control[STATUS] == STUCK:
                raise GameDefinitionError(f"{game.spec}: a position that is not over has no legal move")
            if most is not None and search.found > most:
                raise TooManyPositions(f"{game.spec} has more than {most:,} positions")
            waiting = sorted(left)
            if waiting:
                _grow(game, search, threads, memory, depth)
        search.levels.append(np.concatenate(new) if new else np.empty(0, np.uint64))
        if snapshots.is_due():
            snapshots.keep_found(layout, search.levels)
    return None


def _grow(game: Game, search: _Search, threads: Threads, memory: int, depth: int) -> None:
    """Make the hash table larger; raises TooManyPositions if memory does not allow it."""
    width = word_count(search.layout)
    needed = 8 * (search.slots.size * (1 + GROWTH) + width * search.found)
    if needed > memory:
        raise TooManyPositions(
            f"{game.spec} is too large to list its positions in {size_text(memory)} of memory: {search.found:,} positions were found, "
            f"up to {depth + 1} moves from the start, and there are more; going on needs {size_text(needed)}"
        )
    wider = np.zeros(GROWTH * search.slots.size, np.uint64)
    slots = search.slots

    def work(begin: int) -> None:
        move_slots(search.layout, slots, begin, min(begin + _SLOTS_PER_TASK, slots.size // width), wider)

    for _ in threads.run(work, range(0, slots.size // width, _SLOTS_PER_TASK)):
        pass
    search.slots = wider


def _enter(layout: KeyLayout, keys: np.ndarray, slots: np.ndarray, threads: Threads) -> None:
    count = keys.size // word_count(layout)
    for _ in threads.run(
        lambda begin: enter_keys(layout, keys, begin, min(begin + _SLOTS_PER_TASK, count), slots), range(0, count, _SLOTS_PER_TASK)
    ):
        pass


def _slots_for(count: int) -> int:
    """A power of two that `count` positions fill to less than the most."""
    return max(_FIRST_SLOTS, 1 << int(count / FULLEST).bit_length())


def _ranges(begin: int, end: int, step: int) -> list[tuple[int, int]]:
    return [(at, min(at + step, end)) for at in range(begin, end, step)]
