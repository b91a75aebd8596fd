"""One pair of classes while the processor solves it: the steps of `kernels` in their order, shared by a team of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop
from ludometer.solvers.tiles import kernels
from ludometer.solvers.tiles.codes import LOSS_BASE, NO_CODE, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.kernels import Shape, Side
from ludometer.solvers.tiles.lookup import TileTables, pair_entries
from ludometer.solvers.tiles.pairs import O_TO_MOVE, X_TO_MOVE, Pair
from ludometer.solvers.tiles.pieces import Pieces
from ludometer.solvers.tiles.team import Team

Result = TypeVar("Result")

RESCAN_ALL_FRACTION = 1 / 4  # if a larger share of the rows has new wins, all rows are scanned again


class PairWork:
    """The tables of one pair at work.  On the diagonal, where one table is kept, both are: the second is the first with colours exchanged.

    `rows_of_codes`: hold codes of these rows only, for `fill_rows`.
    """

    def __init__(
        self, rules: Any, tables: TileTables, pair: Pair, team: Team, stop: Stop, rows_of_codes: tuple[int, int] | None = None
    ) -> None:
        self._rules, self._tables, self._pair, self._team, self._stop = rules, tables, pair, team, stop
        cells, length = tables.cells, tables.cells - pair.more
        columns = pair.columns(cells)
        rows = pair_entries(tables, pair) // columns
        at = int(tables.first_combination[length, pair.fewer])
        tiles = tables.combinations[at : at + columns]
        self._shape = Shape(pair.more, pair.fewer, rows, columns, tiles, kernels.columns_without(tiles, length))
        self._halves = kernels.halves(length, cells)
        self._first, end = rows_of_codes or (0, rows)
        self._entries = (end - self._first) * columns
        self._sides: list[Side] = []
        for to_move in (X_TO_MOVE, O_TO_MOVE):
            here = rows_of_codes is None or to_move in pair.sides
            codes = np.empty(-(-self._entries // 8) * 8 if here else 0, np.uint8)
            codes[self._entries :] = WIN_BASE  # read in words of eight
            masks = [np.zeros((rows, 2), np.uint64) for _ in range(2)]
            flags = [np.zeros(rows, np.bool_) for _ in range(5)]
            self._sides.append(Side(to_move, codes, codes.view(np.uint64), *masks, *flags))

    def codes(self, side: int) -> np.ndarray:
        """The codes of one table."""
        return self._sides[side].codes[: self._entries]

    def fill(self, side: int, further: np.ndarray, pieces: Pieces | None) -> None:
        """Step 1 for one table; what `pieces` has of it is taken from there, and what is new goes there from time to time."""
        rows, columns = self._shape.rows, self._shape.columns
        if pieces is None:
            self.fill_rows(side, further, 0, rows)
            return
        begin = 0
        for piece in pieces.of(self._pair, side, rows, columns):
            if piece.file is not None:
                self.codes(side)[piece.begin * columns : piece.end * columns] = piece.file.array()
                self._note(side, piece.begin, piece.end)
                begin = piece.end
                continue
            self.fill_rows(side, further, piece.begin, piece.end)
            if pieces.is_due():
                pieces.save(self._pair, side, begin, piece.end, self.codes(side)[begin * columns : piece.end * columns])
                begin = piece.end

    def fill_rows(self, side: int, further: np.ndarray, begin: int, end: int) -> None:
        """Step 1 for rows begin..end of one table."""
        cells, shape = self._tables.cells, self._shape
        length = cells - shape.more - (side == X_TO_MOVE)
        halves = kernels.halves(max(0, length), cells) if side == X_TO_MOVE else self._halves
        codes, stop = self._sides[side].codes, self._stop.flag

        def work(first: int, last: int) -> None:
            part = codes[(first - self._first) * shape.columns :]
            kernels.fill(self._rules, self._tables, shape, halves, self._sides[side], further, first, last, part, stop)

        self._each_row(work, begin, end)

    def resume(self, pieces: Pieces) -> int | None:
        """Take the tables as they were between two distances; returns the code of the next distance, None if there are none."""
        found = pieces.last_round(self._pair)
        if found is None:
            return None
        win, arrays = found
        for side, array in zip(self._pair.sides, arrays):
            self.codes(side)[:] = array
            self._note(side, 0, self._shape.rows)
        self._mirror()
        self._settle()
        return win

    def begin(self) -> int:
        """Step 2; returns the code of the first distance."""
        self._mirror()
        self._settle()
        for one, other in self._both():
            one.lost[:] = _has(one.bounds, LOSS_BASE & 127)  # finished, as `note_codes` has it
            self._push(one, other, LOSS_BASE)
        for one in self._sides:
            one.wins[one.fresh, 0] |= np.uint64(1 << WIN_IN_1)  # to be looked at in the second round
            one.fresh[:] = False
            if np.any(_has(one.wins, NO_CODE)):  # noted before wins in 1 were known, which may be better
                if np.any(one.codes[: self._entries] == NO_CODE):
                    raise self._no_code()
                one.wins[:, 1] &= ~np.uint64(1 << (NO_CODE - 64))
        self._settle()
        return WIN_BASE

    def decide(self, win: int, pieces: Pieces | None) -> None:
        """Step 3 from the distance of the code `win` on."""
        limit = max(WIN_IN_1, *(_highest(masks) for one in self._sides for masks in (one.wins, one.bounds)))
        while win <= limit:
            for one, other in self._both():
                self._wake(one, other, win)
            if sum(self._find(one, other, win) for one, other in self._both()):
                for one, other in self._both():
                    self._push(one, other, LOSS_BASE + win)
                limit = max(limit, win + 1)
            if limit >= NO_CODE:
                raise self._no_code()
            win += 1
            if pieces is not None and pieces.is_due():
                pieces.save_round(self._pair, win, [self.codes(side) for side in self._pair.sides])

    def close(self, side: int) -> np.ndarray:
        """Step 4 for one table; returns its positions by code (256)."""

        def work(first: int, end: int) -> np.ndarray:
            counts = np.zeros(256, np.int64)
            kernels.close(self._tables, self._shape, self._sides[side].codes, first, end, counts)
            return counts

        total: np.ndarray = sum(self._each_row(work), np.zeros(256, np.int64))
        return total

    def _both(self) -> list[tuple[Side, Side]]:
        x_side, o_side = self._sides
        return [(x_side, o_side), (o_side, x_side)]

    def _mirror(self) -> None:
        """On the diagonal, the second table from the first."""
        if self._pair.is_diagonal:
            one, other = self._sides
            self._each_row(lambda first, end: kernels.mirror(self._tables, self._shape, one, other, first, end, self._stop.flag))
            self._note(O_TO_MOVE, 0, self._shape.rows)

    def _note(self, side: int, begin: int, end: int) -> None:
        self._each_row(lambda first, last: kernels.note_rows(self._shape, self._sides[side], first, last), begin, end)

    def _settle(self) -> None:
        for one in self._sides:
            self._each_row(lambda first, end, one=one: kernels.settle(self._shape, one, first, end))  # type: ignore[misc]

    def _wake(self, one: Side, other: Side, win: int) -> None:
        """Find the rows of the other table that new wins of this one may decide."""
        one.fresh[:] |= _has(one.wins, win)
        fresh = int(np.count_nonzero(one.fresh))
        other.awake[:] = fresh > RESCAN_ALL_FRACTION * one.fresh.size
        if not other.awake[0]:
            self._each_row(lambda first, end: kernels.wake(self._tables, self._shape, one, other, first, end, self._stop.flag), busy=fresh)
        one.fresh[:] = False

    def _find(self, one: Side, other: Side, win: int) -> int:
        shape, halves, stop = self._shape, self._halves, self._stop.flag
        due = int(np.count_nonzero(_has(one.bounds, win) | one.is_open & one.awake))
        if due == 0:
            one.lost[:] = False

        def work(first: int, end: int) -> int:
            lost: int = kernels.find_losses(self._tables, shape, halves, one, other, win, first, end, stop)
            return lost

        return sum(self._each_row(work, busy=due))

    def _push(self, one: Side, other: Side, loss: int) -> None:
        shape, halves, stop = self._shape, self._halves, self._stop.flag

        def work(first: int, end: int) -> int:
            trouble: int = kernels.push_wins(self._tables, shape, halves, one, other, loss, first, end, stop)
            return trouble

        if sum(self._each_row(work, busy=int(np.count_nonzero(one.lost)))):
            raise self._no_code()

    def _each_row(
        self, work: Callable[[int, int], Result], begin: int = 0, end: int | None = None, busy: int | None = None
    ) -> list[Result]:
        """Let the team work on all rows, or on rows begin..end, of which `busy` have work in them; raises Stopped."""
        results = self._team.over(begin, self._shape.rows if end is None else end, self._shape.columns, work, busy)
        self._stop.check("solving")
        return results

    def _no_code(self) -> LudometerError:
        return LudometerError(
            f"positions with {self._pair.more} and {self._pair.fewer} tiles have a distance that has no code (see tiles.codes)"
        )


def _has(masks: np.ndarray, code: int) -> np.ndarray:
    """The rows that have noted this code."""
    found: np.ndarray = masks[:, code >> 6] >> np.uint64(code & 63) & np.uint64(1) != 0
    return found


def _highest(masks: np.ndarray) -> int:
    """The highest code that rows have noted."""
    low, high = (int(word) for word in np.bitwise_or.reduce(masks, axis=0))
    return (low | high << 64).bit_length() - 1
