"""Entries of packed tables that a reader finds by himself, filled with whatever compresses best: the stored entry before.

These are finished games and wins in one move: more than half of all entries.  A reader asks the rules first
(`known_kernels`) and the table only if they do not decide.  A block is filled by itself: what comes before the first stored entry is
filled with that one.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ludometer.core.compiling.compilation import kernel
from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.core.stopping import Stop
from ludometer.solvers.files.packed_files import Fill
from ludometer.solvers.task_graph import run_all
from ludometer.solvers.tiles.codes import LOSS_BASE, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.index import Rows
from ludometer.solvers.tiles.known_kernels import mark_entries, restore_entries
from ludometer.solvers.tiles.packing import LEFT_OUT
from ludometer.solvers.tiles.pairs import Class

OnEntries = Callable[[int], None]  # told how many entries were done since it was told last

_ENTRIES_PER_TASK = 1 << 16  # a multiple of 4: tasks share no byte

_IS_LEFT_OUT = np.zeros(256, np.bool_)
_IS_LEFT_OUT[[WIN_BASE, LOSS_BASE, WIN_IN_1]] = True


@kernel
def fill_codes(codes, block):
    """Codes of whole blocks, in place: finished games and wins in one become the code before."""
    for begin in range(0, codes.size, block):
        end = min(begin + block, codes.size)
        last = np.uint8(0)
        for place in range(begin, end):
            if not _IS_LEFT_OUT[codes[place]]:
                last = codes[place]
                break
        for place in range(begin, end):
            if _IS_LEFT_OUT[codes[place]]:
                codes[place] = last
            else:
                last = codes[place]


@kernel
def fill_values(values, block):
    """Values, four to a byte, of whole blocks, in place: those marked LEFT_OUT become the value before."""
    for begin in range(0, values.size, block):
        end = min(begin + block, values.size)
        last = np.int64(0)
        for place in range(4 * begin, 4 * end):
            here = (np.int64(values[place >> 2]) >> (2 * (place & 3))) & 3
            if here != LEFT_OUT:
                last = here
                break
        for place in range(begin, end):
            byte = np.int64(values[place])
            filled = np.int64(0)
            for shift in range(0, 8, 2):
                here = (byte >> shift) & 3
                if here != LEFT_OUT:
                    last = here
                filled |= last << shift
            values[place] = np.uint8(filled)


FILLS: dict[str, Fill] = {"values": fill_values, "distances": fill_codes}  # by what is kept


def restore(
    game: Game,
    rows: Rows,
    place: Class,
    keep: str,
    entries: int,
    table: np.ndarray,
    done: OnEntries | None = None,
    stop: Stop | None = None,
) -> None:
    """Put finished games and wins in one back into the table of a class that was read from a packed file, in place; raises Stopped."""
    request = stop or Stop()

    def work(begin: int) -> int:
        end = min(begin + _ENTRIES_PER_TASK, entries)
        restore_entries(game.rules, rows, *place, keep == "values", begin, end, table, request.flag)
        return end - begin

    _in_threads(work, entries, done, request)


def mark(
    game: Game,
    rows: Rows,
    place: Class,
    entries: int,
    values: np.ndarray,
    done: OnEntries | None = None,
    stop: Stop | None = None,
) -> None:
    """Mark the finished games and wins in one among the values of a class, four to a byte, with LEFT_OUT, in place; raises Stopped."""
    request = stop or Stop()

    def work(begin: int) -> int:
        end = min(begin + _ENTRIES_PER_TASK, entries)
        mark_entries(game.rules, rows, *place, begin, end, values, request.flag)
        return end - begin

    _in_threads(work, entries, done, request)


def _in_threads(work: Callable[[int], int], entries: int, done: OnEntries | None, stop: Stop) -> None:
    """Do the work of all entries, a part at a time; `done` is told how many each was."""
    with ThreadPoolExecutor(usable_cores()) as pool:
        for number in run_all(pool, work, range(0, entries, _ENTRIES_PER_TASK), 4 * usable_cores(), stop):
            if done is not None:
                done(number)
    stop.check()
