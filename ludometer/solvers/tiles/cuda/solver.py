"""Retrograde analysis of a tile game on a GPU: one pair of classes after the other, within as much of the card's memory as is given."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.options import OptionError
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.codes import LOSS_BASE, NO_CODE, SAFE, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.cuda.allocation import Card
from ludometer.solvers.tiles.cuda.layout import COUNTERS, GROUPS, MARKED, MOST_MOVES, TILE, Board, Cut, Items, Moves, Place, Small, Target
from ludometer.solvers.tiles.cuda.memory import ITEM, card_memory
from ludometer.solvers.tiles.cuda.tables import cell_after, five_ranks, nine_ranks, shift_groups, small_tables
from ludometer.solvers.tiles.lookup import TileTables, pair_entries, tile_tables
from ludometer.solvers.tiles.pairs import X_TO_MOVE, Pair, further_table
from ludometer.solvers.tiles.pieces import Pieces

# numba-cuda 0.30 still asks NumPy for names that NumPy 2.5 has dropped.
for _name, _now in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _name):
        setattr(np, _name, getattr(np, _now))

SIMULATED: dict[str, Any] = {"context": 0, "least_room": 1, "usual_room": 64}  # the simulator has time for small boards only
_KEPT_SHARE, _COMPACTED = 0.75, 4  # lists are compacted when less than this is left of them, and every so many distances


@dataclass(frozen=True)
class Launch:
    """How many threads a block has and how many blocks fill the card."""

    threads: int
    blocks: int


def cuda_or_error() -> Any:
    """The numba.cuda module; raises LudometerError where there is no GPU or no package for it."""
    try:
        from numba import cuda
    except ImportError as error:
        raise LudometerError("no CUDA support is installed; pip install 'ludometer[cuda]'") from error
    if not cuda.is_available():
        raise OptionError("no CUDA device was found", "use {device} cpu")
    return cuda


def is_simulated() -> bool:
    """Whether kernels run in Numba's simulator on the CPU."""
    from numba.core import config

    return bool(config.ENABLE_CUDASIM)


def _without_warnings() -> None:
    """Small pairs do not fill a card, and counts are copied from the host: Numba's advice about that is of no use to the user."""
    from numba.cuda.core import config

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    config.CUDA_WARN_ON_IMPLICIT_COPY = 0


@dataclass
class Table:
    """The codes of one side of a pair: on the card, in the host's memory, or both."""

    card: Any = None
    host: np.ndarray | None = None


class CudaPairSolver:
    """Solves pairs of a tile game on the GPU.  Tables are kept until freed with `forget`.

    `memory`: bytes of the card it may use in all; None: what is free now.  `cuda.memory` says how they are shared out.  Tables
    that do not fit beside the pair at work wait in the host's memory; `peak_memory` says how much of the card was used.
    """

    at_once = 1
    resident: bool  # whether all tables that are still needed fit on the card
    checkpoints: bool  # if so, solving again is faster than writing what only resuming needs

    def __init__(self, game: Game, tables: TileTables | None = None, memory: int | None = None, workers: int | None = None) -> None:
        self.cuda = cuda_or_error()
        _check_game(game)
        _without_warnings()
        self.game = game
        needs = card_memory(game)
        self._card = Card(self.cuda, is_simulated())
        if is_simulated():
            needs = replace(needs, **SIMULATED)
        free = self._card.free()
        limit = needs.full if free is None else free + needs.context
        self.plan = needs.plan(limit if memory is None else min(memory, limit))
        self.resident = self.plan.resident
        self.checkpoints = not self.resident
        self._card.limit(self.plan.budget, at_once=memory is not None or not self.resident)
        self.tables = tile_tables(game) if tables is None else tables
        self._codes: dict[tuple[Pair, int], Table] = {}  # those used last at the end
        self._holding = threading.RLock()  # drivers forget tables while the next pair is solved
        self._longest: dict[Pair, int] = {}
        self._checked_board: Any = None  # made when first checking
        if is_simulated():
            self._launch = Launch(4, 2)
        else:
            multiprocessors = self.cuda.get_current_device().MULTIPROCESSOR_COUNT
            self._launch = Launch(256, 16 * multiprocessors)
        self._kernels: dict[Any, Any] = {}
        self._put_tables()
        self._counters = self._card.array(COUNTERS, np.int64)
        self._side_counters = [self._counters[: COUNTERS // 2], self._counters[COUNTERS // 2 :]]
        self._trouble = self._card.array(1, np.int32)
        self._histogram = self._card.array(256, np.int64)
        self._drop_lists()
        self._make_room(self.plan.base_room)
        self.seconds: dict[str, float] = {}  # by kernel, filled when `profile` is set
        self.profile = False

    def _put_tables(self) -> None:
        tables, to_device = self.tables, self._card.put
        cells, moves, symmetries = tables.cells, tables.moves, tables.symmetries
        ways = range(2 * moves + 1)
        goes_to = np.array([[[cell_after(tables, way, s, c) for c in range(cells)] for s in range(symmetries)] for way in ways])
        self._board = Board(
            everything=np.uint32((1 << cells) - 1),
            moves=moves,
            ways=to_device(np.stack([tables.takes, tables.enters])),
            orbit=to_device(tables.orbit),
            representatives=to_device(tables.representatives),
            weight=to_device(tables.weight),
        )
        groups = shift_groups(goes_to[: 2 * moves, 0])
        self._moves = Moves(
            taken=to_device(tables.taken),
            entered=to_device(tables.entered),
            after=to_device(goes_to[:moves].astype(np.uint8)),
            groups=to_device(groups),
        )
        seen, compress, spread = small_tables(goes_to[2 * moves])
        unused = np.zeros(GROUPS - groups.size, np.uint32)
        self._small = Small(to_device(np.concatenate([groups, unused, seen])), to_device(np.concatenate([compress, spread])))
        self._combinations = to_device(tables.combinations)
        self._five_ranks = to_device(five_ranks(5, cells))
        self._nine_ranks = [to_device(nine_ranks(tiles)) for tiles in range(cells // 2 + 1)]

    @property
    def peak_memory(self) -> int:
        """The most bytes of the card that were allocated at a time, not counting the driver's context and compiled kernels."""
        return self._card.peak

    def _drop_lists(self) -> None:
        self._room = 0
        self._lists: list[Any] = []
        self._lost: Any = None

    def _make_room(self, listed: int) -> None:
        """Three lists for positions that wait for a decision (one for each side and a spare), grown when more room is needed."""
        if self._room >= listed:
            return
        self._drop_lists()
        self._reserve(ITEM * listed)
        array = self._card.array
        self._lists = [Items(*(array(listed, kind) for kind in (np.uint32, np.uint16, np.uint32))) for _ in range(3)]
        self._lost = array(listed, np.uint32)
        self._room = listed

    def _reserve(self, size: int) -> None:
        """See to it that so many bytes of the card are free: at the cost of lists, then of tables, those used longest ago first."""
        if self._card.has_room(size):
            return
        self._drop_lists()
        with self._holding:
            for table in list(self._codes.values()):
                if self._card.has_room(size):
                    return
                if table.card is not None:
                    if table.host is None:
                        table.host = table.card.copy_to_host()
                    table.card = None

    def _array(self, size: int, kind: Any) -> Any:
        """An array on the card, for which room is made; raises LudometerError when there is none."""
        self._reserve(size * np.dtype(kind).itemsize)
        return self._card.array(size, kind)

    def _put(self, array: np.ndarray) -> Any:
        """A copy on the card, for which room is made."""
        self._reserve(array.nbytes)
        return self._card.put(array)

    def _list_room(self, pair: Pair) -> int:
        """Positions of a pair that can be listed: as planned; with all tables on the card, what there is now if that is more."""
        planned = self.plan.list_room(pair)
        left = (self.plan.budget - self._card.used) // ITEM + self._room if self.resident else 0
        return max(planned, min(left, self.plan.entries[pair]))

    def _on_card(self, pair: Pair, side: int) -> Any:
        """The codes of one table, brought to the card if they are not there."""
        with self._holding:
            table = self._codes[pair, side] = self._codes.pop((pair, side))
            if table.card is None:
                assert table.host is not None
                table.card = self._put(np.ascontiguousarray(table.host))
            return table.card

    def _run(self, name: str, kernel: Any, *arguments: Any, blocks: int | None = None, threads: int | None = None, shared: int = 0) -> None:
        """Launch a kernel; `shared`: bytes of shared memory that it takes beside what its own text says."""
        launch = self._compiled(kernel, arguments)[blocks or self._launch.blocks, threads or self._launch.threads, 0, shared]
        if not self.profile:
            launch(*arguments)
            return
        self.cuda.synchronize()
        since = time.perf_counter()
        launch(*arguments)
        self.cuda.synchronize()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - since

    def _compiled(self, kernel: Any, arguments: Sequence[Any]) -> Any:
        """A kernel for arguments of these types, which it has at every launch: Numba would find them out again each time, slowly."""
        if is_simulated():
            return kernel
        if kernel not in self._kernels:
            self._kernels[kernel] = kernel.specialize(*arguments)
        return self._kernels[kernel]

    def _blocks(self, items: int, each: int | None = None) -> int:
        """Blocks for so many items, `each` to a block (None: one to a thread): a block too many costs its copy of the small tables."""
        return max(1, min(self._launch.blocks, -(-items // (each or self._launch.threads))))

    def prepare(self, solve: bool, check: bool) -> None:
        """Compile the kernels on the smallest pair, whose tables are then forgotten."""
        pair = Pair(self.tables.cells, 0)
        if solve:
            self.solve_pair(pair, Stop(), all_kernels=True)
            self.fetch_values(pair, X_TO_MOVE)
        else:
            self.put(pair, [np.zeros(pair_entries(self.tables, pair), np.uint8)] * 2, np.zeros((2, 256), np.int64))
        if check:
            self.check(pair)
        self.forget(pair)
        self.cuda.synchronize()

    def place_of(self, pair: Pair, side: int) -> Place:
        """Where one side of a pair is, for the kernels."""
        tables = self.tables
        columns = pair.columns(tables.cells)
        at = int(tables.first_combination[tables.cells - pair.more, pair.fewer])
        return Place(
            side=side,
            diagonal=pair.is_diagonal,
            rows=pair_entries(tables, pair) // columns,
            columns=columns,
            first=int(tables.first_row[pair.more]),
            combinations=self._combinations[at : at + columns],
            cut=self.cut_of(pair),
        )

    def solve_pair(self, pair: Pair, stop: Stop, pieces: Pieces | None = None, all_kernels: bool = False) -> np.ndarray:
        """Solve one pair, whose further pairs have been solved and not forgotten; returns its counts by side and code (2 × 256).

        Looks at `stop` between kernels.  `all_kernels` calls those too for which there is nothing to do.
        """
        from ludometer.solvers.tiles.cuda import fill_kernels

        entries = pair_entries(self.tables, pair)
        places = {side: self.place_of(pair, side) for side in pair.sides}
        trouble = self._trouble
        trouble.copy_to_device(np.zeros(1, np.int32))
        with self._holding:  # what is read next should be the last to leave the card
            for side in pair.sides:
                need = further_table(pair, side, self.tables.cells)
                if need is not None:
                    self._codes[need] = self._codes.pop(need)
        codes = {side: self._array(entries, np.uint8) for side in pair.sides}
        step = _Step(pair, places, codes, trouble)
        what = (self._board, self._small, places[X_TO_MOVE], codes[X_TO_MOVE], codes[step.replies(X_TO_MOVE)])
        self._run("finish", fill_kernels.finish, self.game.rules, *what)
        limit = WIN_IN_1
        for side in pair.sides:
            stop.check("solving")
            further_pair, further = self._further(pair, side, codes[side])
            if further_pair is not None:
                limit = max(limit, self._longest[further_pair])
            self._fill(pair, places[side], codes[side], further)
            further = None  # it may have to make room for the next
        self._begin_deciding(step)
        self._decide(step, limit, stop, all_kernels)
        if trouble.copy_to_host()[0]:
            raise LudometerError(f"pair {pair.more}, {pair.fewer}: a win in exactly 2 moves has no code")
        return self._close(pair, places[X_TO_MOVE], codes)

    def _begin_deciding(self, step: _Step) -> None:
        """Wins in 1 by moves of own tiles; then what may be lost is counted."""
        from ludometer.solvers.tiles.cuda import loss_kernels, push_kernels

        for side, codes in step.codes.items():
            step.settled[side] = self._array(-(-codes.size // MARKED), np.uint8)
            self._run("clear", push_kernels.clear, step.settled[side])
        self._make_room(self.plan.base_room)
        for side in step.codes:
            self._push_finished(step, side)
        self._set_counters()
        for side, codes in step.codes.items():
            self._run("count", loss_kernels.count_listed, codes, step.settled[side], self._side_counters[side], step.trouble)

    def _push_finished(self, step: _Step, side: int) -> None:
        """The wins in 1 before the positions of one side that are lost already."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        codes, counters = step.codes[side], self._side_counters[side]
        for begin in range(0, codes.size, self._room):
            end = min(codes.size, begin + self._room)
            self._set_counters()
            what = (codes, begin, end, self._lost, self._lists[0].waits, counters, LOSS_BASE, LOSS_BASE, False)
            self._run("collect", loss_kernels.collect, *what)
            self._push(step, side, self._lost, 0, LOSS_BASE, end - begin)

    def _decide(self, step: _Step, limit: int, stop: Stop, all_kernels: bool) -> None:
        """Step 3: for growing distances, losses and the wins before them.

        `limit` is the farthest win that a further pair or a finished position can bring.
        """
        pair = step.pair
        waiting = [int(numbers[0]) for numbers in self._counted()]
        scanning = all_kernels and not self.resident  # once, to compile it
        in_lists = False
        win = WIN_BASE
        while win <= limit and (any(waiting) or all_kernels):
            stop.check("solving")
            if not in_lists and not scanning and max(waiting) <= self._list_room(pair):
                waiting = self._list(step, max(waiting), win)
                in_lists = True
            if in_lists:
                found = self._go_through_lists(step, waiting, win, all_kernels)
            else:
                found = self._scan(step, waiting, win)
                scanning = False
            win += 1
            if found:
                limit = max(limit, win)
            if limit >= NO_CODE:
                raise LudometerError(f"pair {pair.more}, {pair.fewer}: distances beyond 250 moves do not fit into one byte")

    def _list(self, step: _Step, most: int, win: int) -> list[int]:
        """Take the positions that may be lost from the tables into lists; returns how many there are for each side."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        step.lost = None
        self._make_room(max(most, self.plan.base_room))
        self._set_counters()
        for side, codes in step.codes.items():
            items, counters = self._lists[side], self._side_counters[side]
            what = (codes, 0, codes.size, items.places, items.waits, counters, LOSS_BASE + win, int(SAFE) - 1, True)
            self._run("collect", loss_kernels.collect, *what)
        step.listed = [int(numbers[0]) for numbers in self._counted()]
        return list(step.listed)

    def _go_through_lists(self, step: _Step, waiting: list[int], win: int, all_kernels: bool) -> int:
        """The losses at one distance, found in lists, and the wins before them; returns how many losses, and updates `waiting`."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        sides = [side for side in step.pair.sides if waiting[side] or all_kernels]
        self._set_counters(*step.listed)
        for side in sides:
            items, listed, counters = self._lists[side], step.listed[side], self._side_counters[side]
            tile = TILE if listed >= TILE * self._launch.blocks // 2 else self._launch.threads  # few, if blocks were idle otherwise
            what = (step.places[side], step.codes[side], step.codes[step.replies(side)], win, items, tile, self._lost, counters)
            self._run("check", loss_kernels.find_losses, self._board, self._small, *what, blocks=self._blocks(listed, tile))
            self._push(step, side, self._lost, 2, LOSS_BASE + win, waiting[side])
        compacted = [side for side in sides if all_kernels or win % _COMPACTED == 0 or waiting[side] < _KEPT_SHARE * step.listed[side]]
        for side in compacted:
            self._compact(step, side)
        counted = self._counted()
        for side in sides:
            waiting[side] -= int(counted[side][1])
            if side in compacted:
                waiting[side] = step.listed[side] = int(counted[side][3])
        return sum(int(counted[side][2]) for side in sides)

    def _compact(self, step: _Step, side: int) -> None:
        """Drop the positions that are decided from the list of one side."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        items, spare = self._lists[side], self._lists[2]
        what = (step.codes[side], items, self._side_counters[side], spare)
        self._run("compact", loss_kernels.compact, *what, blocks=self._blocks(step.listed[side], TILE))
        self._lists[side], self._lists[2] = spare, items

    def _scan(self, step: _Step, waiting: list[int], win: int) -> int:
        """The same where lists do not fit: the tables themselves are searched, in pieces whose losses fit into the memory there is."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        if step.lost is None:
            self._drop_lists()
            step.lost = self._array(self.plan.lost_room(step.pair), np.uint32)
        lost, found = step.lost, 0
        for side, codes in step.codes.items():
            waiting[side] = 0
            for begin in range(0, codes.size, lost.size):
                end = min(codes.size, begin + lost.size)
                self._set_counters()
                counters = self._side_counters[side]
                what = (step.places[side], codes, step.codes[step.replies(side)], win, begin, end, lost, counters)
                self._run("scan", loss_kernels.scan_losses, self._board, self._small, *what, blocks=self._blocks(end - begin, TILE))
                self._push(step, side, lost, 2, LOSS_BASE + win, end - begin)
                _, left, losses = (int(number) for number in self._counted()[side][:3])
                waiting[side] += left
                found += losses
        return found

    def _push(self, step: _Step, side: int, lost: Any, which: int, loss: int, most: int) -> None:
        """The wins before the lost positions of one side, of which there are at most so many; `counters[which]` has the number."""
        from ludometer.solvers.tiles.cuda import push_kernels

        replies = step.replies(side)
        what = (step.places[side], lost, self._side_counters[side], which, loss, step.codes[replies], step.settled[replies], step.trouble)
        threads = 2 * self._launch.threads  # measured
        self._run("push", push_kernels.push_wins, self._board, self._small, *what, blocks=self._blocks(most), threads=threads)

    def _close(self, pair: Pair, place: Any, codes: dict[int, Any]) -> np.ndarray:
        """The last step: what is left is a draw; counts by side and code."""
        from ludometer.solvers.tiles.cuda import table_kernels

        counts = np.zeros((2, 256), np.int64)
        weight = self._board.weight[place.first : place.first + place.rows]
        for side in pair.sides:
            self._histogram.copy_to_device(counts[side])
            self._run("close", table_kernels.close, codes[side], place.columns, weight, self._histogram)
            counts[side] = self._histogram.copy_to_host()
        with self._holding:
            self._codes.update({(pair, side): Table(card=codes[side]) for side in pair.sides})
        self._longest[pair] = _farthest(counts)
        return counts

    def _set_counters(self, x_listed: int = 0, o_listed: int = 0) -> None:
        """Set all counters to 0 but the first of each side."""
        from ludometer.solvers.tiles.cuda import loss_kernels

        self._run("set", loss_kernels.set_counters, self._counters, x_listed, o_listed, blocks=1)

    def _counted(self) -> np.ndarray:
        """The counters of each side (2, COUNTERS / 2)."""
        counted: np.ndarray = self._counters.copy_to_host().reshape(2, -1)
        return counted

    def _further(self, pair: Pair, side: int, otherwise: Any) -> tuple[Pair | None, Any]:
        """The pair and table that moves taking a blank lead to; on a full board there is none."""
        target = further_table(pair, side, self.tables.cells)
        return (None, otherwise) if target is None else (target[0], self._on_card(*target))

    def target_of(self, pair: Pair, side: int, further: Any) -> Target:
        """Where the moves of one side that take a blank lead: to the table `further`."""
        cells = self.tables.cells
        more, fewer = (pair.more + 1, pair.fewer) if side == X_TO_MOVE else (pair.more, pair.fewer + 1)
        first = int(self.tables.first_row[more])
        columns = int(WAYS[max(0, cells - more), fewer])
        full = pair.more + pair.fewer == cells
        number = 0 if full else int(WAYS[cells - pair.more - 1, pair.fewer])
        at = 0 if full else int(self.tables.first_combination[cells - pair.more - 1, pair.fewer])
        others = self._combinations[at : at + max(1, number)]
        return Target(first, columns, further, number, others)

    def cut_of(self, pair: Pair) -> Cut:
        """How the columns of a pair are cut into chunks."""
        length = self.tables.cells - pair.more
        if length <= 18:
            return Cut(length, 9, 2, self._nine_ranks[pair.fewer])
        return Cut(length, 5, -(-length // 5), self._five_ranks)

    def _fill(self, pair: Pair, place: Any, codes: Any, further: Any) -> None:
        from ludometer.solvers.tiles.cuda import fill_kernels

        target = self.target_of(pair, place.side, further)
        threads = self._launch.threads if is_simulated() or target.number >= 256 else 64
        blocks = min(place.rows, self._launch.blocks)
        what = (self._board, self._moves, place, target, codes)
        self._run("fill", fill_kernels.fill, *what, blocks=blocks, threads=threads, shared=place.columns)

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table, copied to the host."""
        with self._holding:
            table = self._codes[pair, side]
            fetched: np.ndarray = table.card.copy_to_host() if table.host is None else table.host
            if not self.resident:
                table.host = fetched  # so that it need not be copied again
            return fetched

    def fetch_values(self, pair: Pair, side: int, marked: bool = False) -> np.ndarray:
        """The values of one table, packed as in `tiles.packing`; `marked`: with LEFT_OUT where the rules decide at once."""
        from ludometer.solvers.tiles.cuda import table_kernels

        codes = self._on_card(pair, side)
        packed = self._array(-(-codes.size // 4), np.uint8)
        self._run("pack", table_kernels.pack_values, codes, packed, marked)
        fetched: np.ndarray = packed.copy_to_host()
        return fetched

    def check(self, pair: Pair) -> tuple[list[str], np.ndarray]:
        """Compare every entry of a pair, whose further pairs are still here, with its successors.

        Returns what is wrong, and the positions by side and code (2 × 256).
        """
        from ludometer.solvers.tiles.cuda import check_kernels as checking

        if self._checked_board is None:
            self._checked_board = self._make_checked_board()
        counts = np.zeros((2, 256), np.int64)
        wrong = []
        for side in pair.sides:
            tables = further = None  # that of the other side may have to make room
            codes = self._on_card(pair, side)
            replies = codes if pair.is_diagonal else self._on_card(pair, 1 - side)
            _, further = self._further(pair, side, codes)
            place = checking.CheckedPlace(pair.more, pair.fewer, side, pair.columns(self.tables.cells))
            found = [self._put(np.zeros(size, np.int64)) for size in (256, 1, 1)]
            tables = checking.CheckedTables(codes, replies, further)
            self._run("verify", checking.check_entries, self.game.rules, self._checked_board, place, tables, *found)
            counted, errors, one = (array.copy_to_host() for array in found)
            counts[side] = counted
            if errors[0]:
                who = "more" if side == X_TO_MOVE else "fewer"
                wrong.append(f"{errors[0]} wrong entries with {pair.more} and {pair.fewer} tiles, {who} to move, such as entry {one[0]}")
        return wrong, counts

    def _make_checked_board(self) -> Any:
        from ludometer.solvers.tiles.cuda import check_kernels as checking

        cells, to_device = self.tables.cells, self._put
        number = self._array(1 << cells, np.uint32)
        self._run("number", checking.number_rows, self._board.representatives, number)
        return checking.CheckedBoard(
            cells,
            self.tables.symmetries,
            self._board.representatives,
            to_device(self.tables.first_row),
            number,
            to_device(checking.images_of_pieces(self.game, cells)),
            to_device(checking.choices()),
        )

    def find(self, pair: Pair, side: int, code: int) -> int | None:
        """The first entry of a table with this code, None if there is none."""
        from ludometer.solvers.tiles.cuda import table_kernels

        codes = self._on_card(pair, side)
        first = self._put(np.array([codes.size], np.int64))
        self._run("find", table_kernels.find_code, codes, code, first)
        entry = int(first.copy_to_host()[0])
        return entry if entry < codes.size else None

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        """Bring the tables of a pair that was solved elsewhere."""
        for side, side_codes in zip(pair.sides, codes):
            with self._holding:
                self._codes[pair, side] = Table(host=side_codes)
                if self.resident:
                    self._on_card(pair, side)
                    self._codes[pair, side].host = None
        self._longest[pair] = _farthest(counts)

    def forget(self, pair: Pair) -> None:
        """Free the tables of a pair."""
        with self._holding:
            for side in pair.sides:
                self._codes.pop((pair, side), None)

    def close(self) -> None:
        """Free all tables of pairs."""
        self._codes.clear()


@dataclass
class _Step:
    """What step 3 of a pair works on, by side."""

    pair: Pair
    places: dict[int, Place]
    codes: dict[int, Any]
    trouble: Any
    settled: dict[int, Any] = field(default_factory=dict)  # marks of tables, MARKED to a byte
    lost: Any = None  # room for lost positions while tables are scanned
    listed: list[int] = field(default_factory=lambda: [0, 0])  # the length of each side's list, with those that are gone

    def replies(self, side: int) -> int:
        """The side whose table moves of own tiles lead to."""
        return side if self.pair.is_diagonal else 1 - side


def _check_game(game: Game) -> None:
    """Raise LudometerError for tile games beyond the kernels."""
    if game.move_bound > MOST_MOVES:
        raise OptionError(f"{game.spec}: {game.move_bound} moves are more than the GPU solver's {MOST_MOVES}", "use {device} cpu")


def _farthest(counts: np.ndarray) -> int:
    """The farthest win code, or the one a move before the farthest loss: no win or bound of a pair before this one lies beyond."""
    used = np.flatnonzero(counts.sum(axis=0)[1:SAFE]) + 1
    return max((int(code) if code < LOSS_BASE else int(code) - 127 for code in used), default=WIN_BASE)
