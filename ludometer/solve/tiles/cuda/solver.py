"""Retrograde analysis of a tile game on a GPU: one pair of classes after the other, all of its tables on the card."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solve.tiles.binomials import WAYS
from ludometer.solve.tiles.codes import LOSS_BASE, SAFE, WIN_BASE, WIN_IN_1
from ludometer.solve.tiles.cuda.layout import MOST_MOVES, Board, Items, Place, Small, Target
from ludometer.solve.tiles.cuda.tables import cell_after, rank_chunks, shift_groups, small_tables
from ludometer.solve.tiles.lookup import TileTables, pair_entries, tile_tables
from ludometer.solve.tiles.pairs import O_TO_MOVE, X_TO_MOVE, Pair

# numba-cuda 0.30 still asks NumPy for names that NumPy 2.5 has dropped.
for _name, _now in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _name):
        setattr(np, _name, getattr(np, _now))

_LEAST_ROOM = 1 << 24  # positions a list has room for from the start
_COUNTERS = 16


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
        raise LudometerError("no CUDA device was found; use --device cpu")
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


class CudaPairSolver:
    """Solves pairs of a tile game on the GPU.  Tables stay there until freed with `forget`."""

    at_once = 1
    resident = True
    checkpoints = False  # solving again is faster than writing what only resuming needs
    checks = True

    def __init__(self, game: Game, tables: TileTables | None = None) -> None:
        self.cuda = cuda_or_error()
        _check_game(game)
        _without_warnings()
        self.game = game
        self.tables = tile_tables(game) if tables is None else tables
        self._codes: dict[tuple[Pair, int], Any] = {}
        self._longest: dict[Pair, int] = {}
        self._checked_board: Any = None  # made when first checking
        if is_simulated():
            self._launch = Launch(4, 2)
        else:
            multiprocessors = self.cuda.get_current_device().MULTIPROCESSOR_COUNT
            self._launch = Launch(256, 16 * multiprocessors)
        self._put_tables()
        self._counters = self.cuda.device_array(_COUNTERS, np.int64)
        self._room = 0
        self._lists: list[Any] = []
        self._status: Any = None
        self._lost: Any = None
        self._make_room(64 if is_simulated() else _LEAST_ROOM)
        self.seconds: dict[str, float] = {}  # by kernel, filled when `profile` is set
        self.profile = False

    def _put_tables(self) -> None:
        tables, to_device = self.tables, self.cuda.to_device
        cells, moves, symmetries = tables.cells, tables.moves, tables.symmetries
        ways = range(2 * moves + 1)
        goes_to = np.array([[[cell_after(tables, way, s, c) for c in range(cells)] for s in range(symmetries)] for way in ways])
        self._board = Board(
            everything=np.uint32((1 << cells) - 1),
            moves=moves,
            taken=to_device(tables.taken),
            entered=to_device(tables.entered),
            takes=to_device(tables.takes),
            enters=to_device(tables.enters),
            after=to_device(goes_to[:moves].astype(np.uint8)),
            groups=to_device(shift_groups(goes_to[: 2 * moves, 0])),
            orbit=to_device(tables.orbit),
            representatives=to_device(tables.representatives),
            weight=to_device(tables.weight),
        )
        self._small = Small(*(to_device(table) for table in small_tables(goes_to[2 * moves])))
        self._combinations = to_device(tables.combinations)
        self._ranks = {bits: to_device(rank_chunks(bits, chunks, cells)) for bits, chunks in ((6, 3), (5, 5))}

    def _make_room(self, listed: int) -> None:
        """Three lists for positions that wait for a decision (one for each side and a spare), grown when more room is needed."""
        if self._room >= listed:
            return
        self._lists, self._status, self._lost = [], None, None  # free the old ones first
        array = self._array
        self._lists = [Items(*(array(listed, kind) for kind in (np.uint32, np.uint8, np.uint8, np.uint32))) for _ in range(3)]
        self._status, self._lost = array(listed, np.uint8), array(listed, np.uint32)
        self._room = listed

    def _array(self, size: int, kind: Any) -> Any:
        """An array on the card; raises LudometerError when there is no room for it."""
        try:
            return self.cuda.device_array(size, kind)
        except Exception as error:  # the driver's error class differs between versions and the simulator
            if "MEMORY" not in str(error).upper():
                raise
            needed = size * np.dtype(kind).itemsize
            raise LudometerError(f"the card's memory does not suffice: no room for another {needed / 1e9:.1f} GB") from error

    def _run(self, name: str, kernel: Any, *arguments: Any, blocks: int | None = None, threads: int | None = None) -> None:
        launch = kernel[blocks or self._launch.blocks, threads or self._launch.threads]
        if not self.profile:
            launch(*arguments)
            return
        self.cuda.synchronize()
        since = time.perf_counter()
        launch(*arguments)
        self.cuda.synchronize()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - since

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
        )

    def solve_pair(self, pair: Pair, stop: Stop, all_kernels: bool = False) -> np.ndarray:
        """Solve one pair, whose further pairs have been solved and not forgotten; returns its counts by side and code (2 × 256).

        Looks at `stop` between kernels.  `all_kernels` calls those too for which there is nothing to do.
        """
        from ludometer.solve.tiles.cuda import fill_kernels, loss_kernels

        entries = pair_entries(self.tables, pair)
        board, small, counters = self._board, self._small, self._counters
        places = {side: self.place_of(pair, side) for side in pair.sides}
        trouble = self.cuda.to_device(np.zeros(1, np.int32))
        codes = {side: self._array(entries, np.uint8) for side in pair.sides}
        replies = {X_TO_MOVE: codes.get(O_TO_MOVE, codes[X_TO_MOVE]), O_TO_MOVE: codes[X_TO_MOVE]}

        def push(side: int, which: int, loss: int) -> None:
            what = (places[side], self._lost, counters, which, loss, replies[side], trouble)
            self._run("push", loss_kernels.push_wins, board, small, *what)

        for side in pair.sides:
            self._run("finish", fill_kernels.finish, self.game.rules, board, small, places[side], codes[side])
        for side in pair.sides:
            for begin in range(0, entries, self._room):
                end = min(entries, begin + self._room)
                self._set_counters()
                self._run("collect", loss_kernels.collect, codes[side], begin, end, self._lost, self._status, counters, LOSS_BASE, False)
                push(side, 0, LOSS_BASE)
        limit = WIN_IN_1
        self._set_counters()
        for side in pair.sides:
            stop.check("solving")
            further_pair, further = self._further(pair, side, codes[side])
            if further_pair is not None:
                limit = max(limit, self._longest[further_pair])
            self._fill(pair, places[side], codes[side], further, trouble)
            self._run("count", loss_kernels.count_listed, codes[side], counters, side)
        listed = [int(count) for count in counters.copy_to_host()[:2]]
        self._make_room(max(listed))
        for side in pair.sides:
            self._set_counters()
            items = self._lists[side]
            self._run("collect", loss_kernels.collect, codes[side], 0, entries, items.places, items.bounds, counters, LOSS_BASE + 1, True)
            self._run("clear", loss_kernels.clear, items.resume, listed[side])
        win = WIN_BASE
        while win <= limit and (any(listed) or all_kernels):
            stop.check("solving")
            lost_now = 0
            for side in pair.sides:
                if listed[side] == 0 and not all_kernels:
                    continue
                self._set_counters(listed[side])
                items, spare = self._lists[side], self._lists[2]
                what = (places[side], codes[side], replies[side], win, items, self._status, counters)
                self._run("check", loss_kernels.find_losses, board, small, *what)
                self._run("compact", loss_kernels.compact, items, self._status, counters, spare, self._lost, codes[side], LOSS_BASE + win)
                push(side, 2, LOSS_BASE + win)
                self._lists[side], self._lists[2] = spare, items
                _, listed[side], found = (int(count) for count in counters.copy_to_host()[:3])
                lost_now += found
            win += 1
            if lost_now:
                limit = max(limit, win)
            if limit >= LOSS_BASE - 1:
                raise LudometerError(f"pair {pair.more}, {pair.fewer}: distances beyond 250 moves do not fit into one byte")
        if trouble.copy_to_host()[0]:
            raise LudometerError(f"pair {pair.more}, {pair.fewer}: a win in exactly 2 moves has no code")
        return self._close(pair, places[X_TO_MOVE], codes)

    def _close(self, pair: Pair, place: Any, codes: dict[int, Any]) -> np.ndarray:
        """The last step: what is left is a draw; counts by side and code."""
        from ludometer.solve.tiles.cuda import table_kernels

        counts = np.zeros((2, 256), np.int64)
        weight = self._board.weight[place.first : place.first + place.rows]
        for side in pair.sides:
            self._codes[pair, side] = codes[side]
            on_device = self.cuda.to_device(counts[side])
            self._run("close", table_kernels.close, codes[side], place.columns, weight, on_device)
            counts[side] = on_device.copy_to_host()
        self._longest[pair] = _farthest(counts)
        return counts

    def _set_counters(self, listed: int = 0) -> None:
        values = np.zeros(_COUNTERS, np.int64)
        values[0] = listed
        self._counters.copy_to_device(values)

    def _further(self, pair: Pair, side: int, otherwise: Any) -> tuple[Pair | None, Any]:
        """The pair and table that moves taking a blank lead to; on a full board there is none."""
        if pair.more + pair.fewer == self.tables.cells:
            return None, otherwise
        if side == O_TO_MOVE:
            target = Pair(pair.more, pair.fewer + 1)
            return target, self._codes[target, X_TO_MOVE]
        target = Pair(pair.more + 1, pair.fewer)
        return target, self._codes[target, O_TO_MOVE]

    def target_of(self, pair: Pair, side: int, further: Any) -> Target:
        """Where the moves of one side that take a blank lead: to the table `further`."""
        cells = self.tables.cells
        length = cells - pair.more
        bits, chunks = (6, max(1, -(-length // 6))) if length <= 18 else (5, -(-length // 5))
        more, fewer = (pair.more + 1, pair.fewer) if side == X_TO_MOVE else (pair.more, pair.fewer + 1)
        first = int(self.tables.first_row[more])
        return Target(first, int(WAYS[max(0, cells - more), fewer]), further, length, bits, chunks, self._ranks[bits])

    def _fill(self, pair: Pair, place: Any, codes: Any, further: Any, trouble: Any) -> None:
        from ludometer.solve.tiles.cuda import fill_kernels

        target = self.target_of(pair, place.side, further)
        threads = self._launch.threads if is_simulated() or place.columns >= 256 else 64
        blocks = min(place.rows, self._launch.blocks)
        self._run("fill", fill_kernels.fill, self._board, place, target, codes, trouble, blocks=blocks, threads=threads)

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table, copied to the host."""
        fetched: np.ndarray = self._codes[pair, side].copy_to_host()
        return fetched

    def fetch_values(self, pair: Pair, side: int, marked: bool = False) -> np.ndarray:
        """The values of one table, packed as in `tiles.packing`; `marked`: with LEFT_OUT where the rules decide at once."""
        from ludometer.solve.tiles.cuda import table_kernels

        codes = self._codes[pair, side]
        packed = self.cuda.device_array(-(-codes.size // 4), np.uint8)
        self._run("pack", table_kernels.pack_values, codes, packed, marked)
        fetched: np.ndarray = packed.copy_to_host()
        return fetched

    def check(self, pair: Pair) -> tuple[list[str], np.ndarray]:
        """Compare every entry of a pair, whose further pairs are still here, with its successors.

        Returns what is wrong, and the positions by side and code (2 × 256).
        """
        from ludometer.solve.tiles.cuda import check_kernels as checking

        if self._checked_board is None:
            self._checked_board = self._make_checked_board()
        counts = np.zeros((2, 256), np.int64)
        wrong = []
        for side in pair.sides:
            codes = self._codes[pair, side]
            replies = codes if pair.is_diagonal else self._codes[pair, 1 - side]
            _, further = self._further(pair, side, codes)
            place = checking.CheckedPlace(pair.more, pair.fewer, side, pair.columns(self.tables.cells))
            found = [self.cuda.to_device(np.zeros(size, np.int64)) for size in (256, 1, 1)]
            tables = checking.CheckedTables(codes, replies, further)
            self._run("verify", checking.check_entries, self.game.rules, self._checked_board, place, tables, *found)
            counted, errors, one = (array.copy_to_host() for array in found)
            counts[side] = counted
            if errors[0]:
                who = "more" if side == X_TO_MOVE else "fewer"
                wrong.append(f"{errors[0]} wrong entries with {pair.more} and {pair.fewer} tiles, {who} to move, such as entry {one[0]}")
        return wrong, counts

    def _make_checked_board(self) -> Any:
        from ludometer.solve.tiles.cuda import check_kernels as checking

        cells, to_device = self.tables.cells, self.cuda.to_device
        number = self.cuda.device_array(1 << cells, np.uint32)
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
        from ludometer.solve.tiles.cuda import table_kernels

        codes = self._codes[pair, side]
        first = self.cuda.to_device(np.array([codes.size], np.int64))
        self._run("find", table_kernels.find_code, codes, code, first)
        entry = int(first.copy_to_host()[0])
        return entry if entry < codes.size else None

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        """Bring the tables of a pair that was solved elsewhere."""
        for side, side_codes in zip(pair.sides, codes):
            self._codes[pair, side] = self.cuda.to_device(np.ascontiguousarray(side_codes))
        self._longest[pair] = _farthest(counts)

    def forget(self, pair: Pair) -> None:
        """Free the tables of a pair on the card."""
        for side in pair.sides:
            self._codes.pop((pair, side), None)


def _check_game(game: Game) -> None:
    """Raise LudometerError for tile games beyond the kernels."""
    if game.move_bound > MOST_MOVES:
        raise LudometerError(f"{game.spec}: {game.move_bound} moves are more than the GPU solver's {MOST_MOVES}; use --device cpu")


def _farthest(counts: np.ndarray) -> int:
    """The farthest win code, or the one a move before the farthest loss: no win or bound of a pair before this one lies beyond."""
    used = np.flatnonzero(counts.sum(axis=0)[1:SAFE]) + 1
    return max((int(code) if code < LOSS_BASE else int(code) - 127 for code in used), default=WIN_BASE)
