"""Rounds of retrograde analysis.

Round d decides the positions at distance d from those at distance d − 1.  A value (int16) is for the player to move: d + 1 a win in d
moves, −d − 1 a loss in d moves, 0 a draw or not decided yet.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.prefetching import prefetch
from ludometer.solvers.retrograde.atomics import add, replace_if
from ludometer.solvers.retrograde.index_kernels import NUMBER, SAME_PLAYER

_AHEAD = 12  # positions whose memory is asked for before they are looked at


@kernel
def decided_in(values, begin, end, value, found):
    """Write the numbers of positions begin..end with this value or its negative into `found` (uint32); returns how many."""
    count = 0
    for number in range(begin, end):
        if values[number] == value or values[number] == -value:
            found[count] = number
            count += 1
    return count


@njit
def _row(first, number):
    """Where the predecessors of a position begin; `first` has moved on by one row (see `enter_predecessors`)."""
    return first[number - 1] if number > 0 else np.int64(0)


@kernel
def predecessors_of(frontier, begin, end, first):
    """The number of predecessors of positions begin..end of `frontier`."""
    total = np.int64(0)
    for index in range(begin, end):
        if index + _AHEAD < end:
            prefetch(first, np.int64(frontier[index + _AHEAD]))
        number = np.int64(frontier[index])
        total += first[number] - _row(first, number)
    return total


@kernel
def decide_predecessors(frontier, begin, end, value, first, predecessors, degrees, values, found):
    """Decide what follows for the predecessors of positions begin..end of `frontier`, which were decided in the round before.

    `value` is what a win in this round is stored as.  degrees[p] counts down the moves of p that do not lose.  The numbers of the positions
    decided are written into `found`; returns how many.
    """
    count = 0
    for index in range(begin, end):
        if index + _AHEAD < end:
            prefetch(predecessors, _row(first, np.int64(frontier[index + _AHEAD])))
        number = np.int64(frontier[index])
        low, high = _row(first, number), first[number]
        for place in range(low, high):
            earlier = np.int64(predecessors[place] & NUMBER)
            prefetch(values, earlier)
            prefetch(degrees, earlier)
        is_win = values[number] > 0
        for place in range(low, high):
            edge = predecessors[place]
            earlier = np.int64(edge & NUMBER)
            if is_win == (edge & SAME_PLAYER != 0):
                if values[earlier] == 0 and replace_if(values, earlier, 0, value) == 0:
                    found[count] = earlier
                    count += 1
            elif add(degrees, earlier, -1) == 1:
                values[earlier] = -value
                found[count] = earlier
                count += 1
    return count


@kernel
def take_lost_moves(edges, begin, end, degrees, values, value):
    """Take from degrees[p] the moves of positions begin..end that lose, as far as that was decided before wins were stored as `value`.

    `edges` as `successors` writes them.
    """
    place = 0
    for number in range(begin, end):
        moves = np.int64(degrees[number])
        for _ in range(moves):
            edge = edges[place]
            place += 1
            after = np.int64(values[np.int64(edge & NUMBER)])
            if after != 0 and abs(after) < value and (after > 0) != (edge & SAME_PLAYER != 0):
                degrees[number] -= 1


@kernel
def decide_from_edges(edges, begin, end, degrees, value, values, found):
    """Decide those of positions begin..end that are won or lost in this round, from their successors; returns how many.

    `edges` as `successors` writes them.  Numbers are written into `found`.
    """
    place = 0
    count = 0
    for number in range(begin, end):
        moves = np.int64(degrees[number])
        if moves == 0 or values[number] != 0:
            place += moves
            continue
        is_won, is_lost = False, True
        for index in range(moves):
            edge = edges[place + index]
            after = np.int64(values[np.int64(edge & NUMBER)])
            if after == 0 or abs(after) >= value:
                is_lost = False
            elif (after > 0) == (edge & SAME_PLAYER != 0):
                is_won = True
                break
        place += moves
        if is_won or is_lost:
            values[number] = value if is_won else -value
            found[count] = number
            count += 1
    return count
