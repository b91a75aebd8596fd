"""Step 3 of one pair on a GPU: for growing distances, the losses and the wins before them.

Positions that may be lost wait in lists where these fit into the card's memory, otherwise in the tables themselves (see `memory`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop
from ludometer.solvers.tiles.codes import LOSS_BASE, NO_CODE, SAFE, WIN_BASE
from ludometer.solvers.tiles.cuda.allocation import Card
from ludometer.solvers.tiles.cuda.card_tables import CardTables
from ludometer.solvers.tiles.cuda.launching import Launcher
from ludometer.solvers.tiles.cuda.layout import COUNTERS, MARKED, TILE, Board, Place, Small
from ludometer.solvers.tiles.cuda.memory import Plan
from ludometer.solvers.tiles.pairs import Pair

_KEPT_SHARE = 0.75  # a list is compacted when less than this share of it is undecided
_COMPACTED_EVERY = 4  # distances; lists are compacted then at the latest
_SPARE = 2  # the list beside those of the two sides


@dataclass
class PairOnCard:
    """What step 3 of a pair works on, by side."""

    pair: Pair
    places: dict[int, Place]
    codes: dict[int, Any]
    settled: dict[int, Any] = field(default_factory=dict)  # marks of the tables, MARKED to a byte
    lost: Any = None  # lost positions while tables are scanned
    listed: list[int] = field(default_factory=lambda: [0, 0])  # length of each side's list, decided positions included

    def replies(self, side: int) -> int:
        """The side whose table moves of own tiles lead to."""
        return side if self.pair.is_diagonal else 1 - side


class Decider:
    """Makes step 3, one pair after the other.  `trouble` on the card is set when a win in 2 turns up."""

    def __init__(self, launcher: Launcher, card: Card, tables: CardTables, plan: Plan, board: Board, small: Small, trouble: Any) -> None:
        self._launcher = launcher
        self._tables = tables
        self._plan = plan
        self._board, self._small = board, small
        self._trouble = trouble
        self._counters = card.array(COUNTERS, np.int64)
        self._side_counters = [self._counters[: COUNTERS // 2], self._counters[COUNTERS // 2 :]]

    def begin(self, work: PairOnCard) -> None:
        """Enter wins in 1 by moves of own tiles, then count the positions that may be lost."""
        from ludometer.solvers.tiles.cuda import loss_kernels, push_kernels

        for side, codes in work.codes.items():
            work.settled[side] = self._tables.array(-(-codes.size // MARKED), np.uint8)
            self._launcher.run("clear", push_kernels.clear, work.settled[side])
        self._tables.ensure_lists(self._plan.base_room)
        for side in work.codes:
            self._push_finished(work, side)
        self._set_counters()
        for side, codes in work.codes.items():
            what = (codes, work.settled[side], self._side_counters[side], self._trouble)
            self._launcher.run("count", loss_kernels.count_listed, *what)

    def decide(self, work: PairOnCard, limit: int, stop: Stop, all_kernels: bool) -> None:
        """Go through the distances until nothing changes.  Checks `stop` between them.

        `limit`: the code of the farthest win that a further pair or a finished position can bring.
        `all_kernels`: launch every kernel, even without work for it, so that all are compiled.
        """
        pair = work.pair
        waiting = [int(numbers[0]) for numbers in self._counted()]
        scanning = all_kernels and not self._plan.resident  # once, to compile it
        in_lists = False
        win = WIN_BASE
        while win <= limit and (any(waiting) or all_kernels):
            stop.check("solving")
            if not in_lists and not scanning and max(waiting) <= self._tables.largest_list(pair):
                waiting = self._list(work, max(waiting), win)
                in_lists = True
            if in_lists:
                found = self._go_through_lists(work, waiting, win, all_kernels)
            else:
                found = self._scan(work, waiting, win)
                scanning = False
            win += 1
            if found:
                limit = max(limit, win)
            if limit >= NO_CODE:
                raise LudometerError(f"pair {pair.more}, {pair.fewer}: distances beyond 250 moves do not fit into one byte")

    def _push_finished(self, work: PairOnCard, side: int) -> None:
        """Enter the wins in 1 before the finished positions of one side that are lost."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        codes, counters, size = work.codes[side], self._side_counters[side], self._tables.list_size
        for begin in range(0, codes.size, size):
            end = min(codes.size, begin + size)
            self._set_counters()
            what = (codes, begin, end, self._tables.lost, self._tables.lists[0].waits, counters, LOSS_BASE, LOSS_BASE, False)
            self._launcher.run("collect", loss_kernels.collect, *what)
            self._push(work, side, self._tables.lost, 0, LOSS_BASE, end - begin)

    def _list(self, work: PairOnCard, longest: int, win: int) -> list[int]:
        """Take the positions that may be lost from the tables into lists; returns their number for each side."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        work.lost = None
        self._tables.ensure_lists(max(longest, self._plan.base_room))
        self._set_counters()
        for side, codes in work.codes.items():
            items, counters = self._tables.lists[side], self._side_counters[side]
            what = (codes, 0, codes.size, items.places, items.waits, counters, LOSS_BASE + win, int(SAFE) - 1, True)
            self._launcher.run("collect", loss_kernels.collect, *what)
        work.listed = [int(numbers[0]) for numbers in self._counted()]
        return list(work.listed)

    def _go_through_lists(self, work: PairOnCard, waiting: list[int], win: int, all_kernels: bool) -> int:
        """Find the losses at one distance in lists, and enter the wins before them; returns the number of losses, updates `waiting`."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        launcher, lost = self._launcher, self._tables.lost
        sides = [side for side in work.pair.sides if waiting[side] or all_kernels]
        self._set_counters(*work.listed)
        for side in sides:
            items, listed, counters = self._tables.lists[side], work.listed[side], self._side_counters[side]
            tile = TILE if listed >= TILE * launcher.blocks // 2 else launcher.threads  # small tiles where blocks would be idle otherwise
            what = (work.places[side], work.codes[side], work.codes[work.replies(side)], win, items, tile, lost, counters)
            launcher.run("check", loss_kernels.find_losses, self._board, self._small, *what, blocks=launcher.blocks_for(listed, tile))
            self._push(work, side, lost, 2, LOSS_BASE + win, waiting[side])
        due = all_kernels or win % _COMPACTED_EVERY == 0
        compacted = [side for side in sides if due or waiting[side] < _KEPT_SHARE * work.listed[side]]
        for side in compacted:
            self._compact(work, side)
        counted = self._counted()
        for side in sides:
            waiting[side] -= int(counted[side][1])
            if side in compacted:
                waiting[side] = work.listed[side] = int(counted[side][3])
        return sum(int(counted[side][2]) for side in sides)

    def _compact(self, work: PairOnCard, side: int) -> None:
        """Drop decided positions from the list of one side."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        lists = self._tables.lists
        what = (work.codes[side], lists[side], self._side_counters[side], lists[_SPARE])
        self._launcher.run("compact", loss_kernels.compact, *what, blocks=self._launcher.blocks_for(work.listed[side], TILE))
        lists[side], lists[_SPARE] = lists[_SPARE], lists[side]

    def _scan(self, work: PairOnCard, waiting: list[int], win: int) -> int:
        """Do without lists what `_go_through_lists` does: search the tables in pieces whose losses fit into memory."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        if work.lost is None:
            self._tables.drop_lists()
            work.lost = self._tables.array(self._plan.lost_room(work.pair), np.uint32)
        lost, found = work.lost, 0
        for side, codes in work.codes.items():
            waiting[side] = 0
            for begin in range(0, codes.size, lost.size):
                end = min(codes.size, begin + lost.size)
                self._set_counters()
                counters, blocks = self._side_counters[side], self._launcher.blocks_for(end - begin, TILE)
                what = (work.places[side], codes, work.codes[work.replies(side)], win, begin, end, lost, counters)
                self._launcher.run("scan", loss_kernels.scan_losses, self._board, self._small, *what, blocks=blocks)
                self._push(work, side, lost, 2, LOSS_BASE + win, end - begin)
                _, left, losses = (int(number) for number in self._counted()[side][:3])
                waiting[side] += left
                found += losses
        return found

    def _push(self, work: PairOnCard, side: int, lost: Any, which: int, loss: int, most: int) -> None:
        """Enter the wins before the lost positions of one side.  `counters[which]` has the number of these, at most `most`."""
        from ludometer.solvers.tiles.cuda import push_kernels

        replies = work.replies(side)
        what = (work.places[side], lost, self._side_counters[side], which, loss, work.codes[replies], work.settled[replies], self._trouble)
        launcher = self._launcher
        blocks, threads = launcher.blocks_for(most), 2 * launcher.threads  # measured
        launcher.run("push", push_kernels.push_wins, self._board, self._small, *what, blocks=blocks, threads=threads)

    def _set_counters(self, x_listed: int = 0, o_listed: int = 0) -> None:
        """Set the first counter of each side, and all others to 0."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        self._launcher.run("set", loss_kernels.set_counters, self._counters, x_listed, o_listed, blocks=1)

    def _counted(self) -> np.ndarray:
        """The counters of each side (2, COUNTERS / 2)."""
        counted: np.ndarray = self._counters.copy_to_host().reshape(2, -1)
        return counted
