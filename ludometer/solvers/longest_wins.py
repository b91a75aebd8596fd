"""The positions of a solved game that are won in the largest number of moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.outcome import WIN
from ludometer.core.position import Position
from ludometer.core.stopping import Stop
from ludometer.solvers.solution import Solution

if TYPE_CHECKING:
    from ludometer.solvers.retrograde.solution import RetrogradeSolution
    from ludometer.solvers.tiles.solution import TileSolution

_MOST_VISITED = 4_000  # positions examined for solutions whose tables cannot be searched for their largest entries
_AT_ONCE = 1 << 22  # entries of a table compared at a time


@dataclass(frozen=True)
class LongestWins:
    """Positions won in `distance` moves, for the player to move."""

    distance: int
    positions: tuple[Position, ...]
    complete: bool  # False: only some positions were examined, and there may be longer wins


def longest_wins(solution: Solution, count: int = 3, stop: Stop | None = None) -> LongestWins:
    """Up to `count` positions that take the longest to win; raises LudometerError if distances are unknown or no position is won."""
    from ludometer.solvers.retrograde.solution import RetrogradeSolution
    from ludometer.solvers.tiles.solution import TileSolution

    game = solution.game
    if game.kind.scored:
        raise LudometerError(f"{game.spec} is about points: its values have no distance to the end")
    if not solution.has_distances:
        raise LudometerError(f"of {game.spec} no distances are kept; solve it with distances")
    if isinstance(solution, TileSolution):
        return _in_tables(solution, count, stop or Stop())
    if isinstance(solution, RetrogradeSolution):
        return _in_entries(solution, count, stop or Stop())
    return _from_the_start(solution, count, stop or Stop())


def _in_tables(solution: TileSolution, count: int, stop: Stop) -> LongestWins:
    """The entries of the largest code among all wins."""
    from ludometer.core.position import typed
    from ludometer.solvers.tiles.check_kernels import tiles_of_entry
    from ludometer.solvers.tiles.codes import LOSS_BASE, WIN_BASE, decode
    from ludometer.solvers.tiles.index import state_with_tiles

    wins = solution.total[WIN_BASE:LOSS_BASE]
    if not wins.any():
        raise LudometerError(f"no position of {solution.game.spec} is won")
    code = WIN_BASE + int(np.flatnonzero(wins)[-1])
    found: list[Position] = []
    for place in sorted(place for place, counts in solution.counts.items() if counts[code]):
        table = solution.tables[place]
        entries = table.array() if hasattr(table, "array") else np.asarray(table)
        for begin in range(0, len(entries), _AT_ONCE):
            stop.check("looking for the longest wins")
            for entry in np.flatnonzero(entries[begin : begin + _AT_ONCE] == code)[: count - len(found)]:
                mover, other = tiles_of_entry(solution.game.rules, solution.rows, place[0], place[1], begin + int(entry))
                state = state_with_tiles(solution.game.rules, np.uint64(mover), np.uint64(other))
                found.append(Position(solution.game, typed(state)))
            if len(found) >= count:
                return LongestWins(int(decode(code)[1] or 0), tuple(found), True)
    return LongestWins(int(decode(code)[1] or 0), tuple(found), True)


def _in_entries(solution: RetrogradeSolution, count: int, stop: Stop) -> LongestWins:
    """The entries of the largest value."""
    from ludometer.solvers.retrograde.store import arrays_of

    longest = max(solution.totals.counts)
    if longest <= 0:
        raise LudometerError(f"no position of {solution.game.spec} is won")
    entries = arrays_of(solution)
    found: list[Position] = []
    for begin in range(0, solution.entries, _AT_ONCE):
        stop.check("looking for the longest wins")
        here = np.flatnonzero(entries.values[begin : begin + _AT_ONCE] == longest)[: count - len(found)]
        found += [solution.position_of(entries, begin + int(entry)) for entry in here]
        if len(found) >= count:
            break
    return LongestWins(longest - 1, tuple(found), True)


def _from_the_start(solution: Solution, count: int, stop: Stop) -> LongestWins:
    """By looking at positions in the order of the moves made, until one is as far from the end as any can be."""
    histogram = solution.summary()["histogram"]["win"]
    if not histogram:
        raise LudometerError(f"no position of {solution.game.spec} is won")
    longest = max(map(int, histogram))
    level, seen = [solution.game.start()], 0
    found: dict[int, list[Position]] = {}
    while level and seen < _MOST_VISITED and len(found.get(longest, ())) < count:
        further: dict[Position, None] = {}
        for position in level:
            stop.check("looking for the longest wins")
            value = solution.value(position)
            seen += 1
            if value.outcome == WIN and value.distance is not None:
                found.setdefault(value.distance, []).append(position)
            if seen >= _MOST_VISITED or len(found.get(longest, ())) >= count:
                break
            for move in position.legal:
                further.setdefault(position.play(move))
        level = list(further)
    best = max(found, default=None)
    if best is None:
        raise LudometerError(f"none of the first {seen:,} positions of {solution.game.spec} is won")
    return LongestWins(best, tuple(found[best][:count]), best == longest)
