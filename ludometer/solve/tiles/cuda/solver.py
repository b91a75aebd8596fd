"""The retrograde solver on a GPU: one pair of classes after the other, all of its tables on the card."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.solve.tiles.board import O_TO_MOVE, X_TO_MOVE, Pair, TileTables, pair_entries, tile_tables
from ludometer.solve.tiles.codes import LOSS_BASE, SAFE, WIN_BASE, WIN_IN_1

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


class CudaPairSolver:
    """Solves pairs of a tile game on the GPU.  Tables stay there until freed with `forget`."""

    at_once = 1
    resident = True
    checkpoints = False  # solving again is faster than writing what only resuming needs

    def __init__(self, game: Game, tables: TileTables | None = None) -> None:
        self.cuda = cuda_or_error()
        self.game = game
        self.tables = tile_tables(game) if tables is None else tables
        self._codes: dict[tuple[Pair, int], Any] = {}
        self._longest: dict[Pair, int] = {}
        self._row_number: Any = None  # made when first checking
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
        cell_after = np.array([[[_cell_after(tables, way, s, c) for c in range(cells)] for s in range(symmetries)] for way in ways])
        kept = ("taken", "entered", "orbit", "representatives", "weight", "combinations")
        self._device = SimpleNamespace(
            **{name: to_device(np.ascontiguousarray(getattr(tables, name))) for name in kept},
            after=to_device(cell_after[:moves].astype(np.uint8)),
            groups=to_device(_shift_groups(cell_after[: 2 * moves, 0])),
            small=tuple(to_device(table) for table in _small_tables(cell_after[2 * moves])),
            taken_moves=to_device(tables.takes),
            entering_moves=to_device(tables.enters),
            ranks={bits: to_device(_rank_chunks(bits, chunks, cells)) for bits, chunks in ((6, 3), (5, 5))},
        )
        self._everything = np.uint32((1 << cells) - 1)

    def _make_room(self, listed: int) -> None:
        """Three lists for positions that wait for a decision (one for each side and a spare), grown when more room is needed."""
        if self._room >= listed:
            return
        self._lists, self._status, self._lost = [], None, None  # free the old ones first
        array = self._array
        self._lists = [tuple(array(listed, kind) for kind in (np.uint32, np.uint8, np.uint8, np.uint32)) for _ in range(3)]
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

    def solve_pair(self, pair: Pair) -> np.ndarray:
        """Solve one pair, whose further pairs have been solved and not forgotten; returns its counts by side and code (2 × 256)."""
        from ludometer.solve.tiles.cuda import kernels

        tables, device = self.tables, self._device
        entries = pair_entries(tables, pair)
        columns = comb(tables.cells - pair.more, pair.fewer)
        rows = entries // columns
        first = int(tables.first_row[pair.more])
        own_rows = device.representatives[first : first + rows]
        at = int(tables.first_combination[tables.cells - pair.more, pair.fewer])
        combinations = device.combinations[at : at + columns]
        counters = self._counters
        trouble = self.cuda.to_device(np.zeros(1, np.int32))
        codes = {side: self._array(entries, np.uint8) for side in pair.sides}
        replies = {X_TO_MOVE: codes.get(O_TO_MOVE, codes[X_TO_MOVE]), O_TO_MOVE: codes[X_TO_MOVE]}
        place = (pair.is_diagonal, columns, first, self._everything, device.representatives)

        def push(side: int, which: int, loss: int) -> None:
            self._run(
                "push", kernels.push_wins, side, *place, combinations, device.entering_moves, device.groups, *device.small, device.orbit,
                device.weight, tables.moves, self._lost, counters, which, loss, replies[side], trouble,
            )  # fmt: skip

        for side in pair.sides:
            where = (own_rows, combinations, device.small[2], self._everything, side, columns, entries)
            self._run("finish", kernels.finish, self.game.rules, *where, codes[side])
        for side in pair.sides:
            for begin in range(0, entries, self._room):
                end = min(entries, begin + self._room)
                self._set_counters()
                self._run("collect", kernels.collect, codes[side], begin, end, self._lost, self._status, counters, 0, LOSS_BASE, False)
                push(side, 0, LOSS_BASE)
        limit = WIN_IN_1
        self._set_counters()
        for side in pair.sides:
            further_pair, further = self._further(pair, side, codes[side])
            if further_pair is not None:
                limit = max(limit, self._longest[further_pair])
            self._fill(kernels, pair, side, own_rows, combinations, codes[side], further, trouble)
            self._run("count", kernels.count_listed, codes[side], entries, counters, side)
        listed = [int(count) for count in counters.copy_to_host()[:2]]
        self._make_room(max(listed))
        for side in pair.sides:
            self._set_counters()
            items = self._lists[side]
            self._run("collect", kernels.collect, codes[side], 0, entries, items[0], items[1], counters, 0, LOSS_BASE + 1, True)
            self._run("clear", kernels.clear, items[2], listed[side])
        win = WIN_BASE
        while win <= limit and any(listed):
            lost_now = 0
            for side in pair.sides:
                if listed[side] == 0:
                    continue
                self._set_counters(listed[side])
                items, spare = self._lists[side], self._lists[2]
                self._run(
                    "check", kernels.find_losses, side, *place, combinations, device.taken_moves, device.groups, *device.small,
                    device.orbit, codes[side], replies[side], win, *items, self._status, counters, 0,
                )  # fmt: skip
                self._run("compact", kernels.compact, *items, self._status, counters, 0, *spare, self._lost, codes[side], LOSS_BASE + win)
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
        counts = np.zeros((2, 256), np.int64)
        for side in pair.sides:
            self._codes[pair, side] = codes[side]
            on_device = self.cuda.to_device(counts[side])
            self._run("close", kernels.close, codes[side], entries, columns, device.weight[first : first + rows], on_device)
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

    def _fill(self, kernels: Any, pair: Pair, side: int, own_rows: Any, combinations: Any, codes: Any, further: Any, trouble: Any) -> None:
        device = self._device
        rows, columns = len(own_rows), len(combinations)
        tables = self.tables
        length = tables.cells - pair.more
        bits, chunks = (6, max(1, -(-length // 6))) if length <= 18 else (5, -(-length // 5))
        more, fewer = (pair.more + 1, pair.fewer) if side == X_TO_MOVE else (pair.more, pair.fewer + 1)
        threads = self._launch.threads if is_simulated() or columns >= 256 else 64
        self._run(
            "fill", kernels.fill, side, rows, columns, length, bits, chunks, self._everything, own_rows, combinations, device.taken,
            device.entered, device.after, device.orbit, device.representatives, int(tables.first_row[more]),
            comb(max(0, tables.cells - more), fewer), device.groups, device.ranks[bits], codes, further, trouble,
            blocks=min(rows, self._launch.blocks), threads=threads,
        )  # fmt: skip

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table, copied to the host."""
        fetched: np.ndarray = self._codes[pair, side].copy_to_host()
        return fetched

    def fetch_values(self, pair: Pair, side: int) -> np.ndarray:
        """The values of one table, packed as in `solve.packing`."""
        from ludometer.solve.tiles.cuda import kernels

        codes = self._codes[pair, side]
        packed = self.cuda.device_array(-(-codes.size // 4), np.uint8)
        self._run("pack", kernels.pack_values, codes, packed)
        fetched: np.ndarray = packed.copy_to_host()
        return fetched

    def check(self, pair: Pair) -> str | None:
        """Compare every entry of a pair, whose further pairs are still here, with its successors: None, or what is wrong."""
        from ludometer.solve.tiles.cuda import check_kernels as checking

        cells = self.tables.cells
        if self._row_number is None:
            self._row_number = self.cuda.device_array(1 << cells, np.uint32)
            self._run("number", checking.number_rows, self._device.representatives, self._row_number)
            self._check_tables = (
                self.cuda.to_device(checking.images_of_pieces(self.game, cells)),
                self.cuda.to_device(checking.choices()),
            )
            self._first_row = self.cuda.to_device(self.tables.first_row)
        entries = pair_entries(self.tables, pair)
        columns = comb(cells - pair.more, pair.fewer)
        for side in pair.sides:
            codes = self._codes[pair, side]
            replies = codes if pair.is_diagonal else self._codes[pair, 1 - side]
            _, further = self._further(pair, side, codes)
            errors, wrong = self.cuda.to_device(np.zeros(1, np.int64)), self.cuda.to_device(np.zeros(1, np.int64))
            self._run(
                "verify", checking.check_entries, self.game.rules, cells, pair.more, pair.fewer, side, columns, entries,
                self._device.representatives, self._first_row, self._row_number, *self._check_tables, codes, replies, further, errors,
                wrong,
            )  # fmt: skip
            count = int(errors.copy_to_host()[0])
            if count:
                at = int(wrong.copy_to_host()[0])
                who = "more" if side == X_TO_MOVE else "fewer"
                return f"{count} wrong entries with {pair.more} and {pair.fewer} tiles, {who} to move, such as entry {at}"
        return None

    def find(self, pair: Pair, side: int, code: int) -> int | None:
        """The first entry of a table with this code, None if there is none."""
        from ludometer.solve.tiles.cuda import kernels

        codes = self._codes[pair, side]
        first = self.cuda.to_device(np.array([codes.size], np.int64))
        self._run("find", kernels.find_code, codes, code, first)
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


def _farthest(counts: np.ndarray) -> int:
    """The farthest win code, or the one a move before the farthest loss: no win or bound of a pair before this one lies beyond."""
    used = np.flatnonzero(counts.sum(axis=0)[1:SAFE]) + 1
    return max((int(code) if code < LOSS_BASE else int(code) - 127 for code in used), default=WIN_BASE)


def _cell_after(tables: TileTables, way: int, symmetry: int, cell: int) -> int:
    return int(tables.permute[way, symmetry, cell // 8, 1 << cell % 8]).bit_length() - 1


def _shift_groups(ways: np.ndarray) -> np.ndarray:
    """Each way to carry cells as the cells that stay, two groups that shift, and their shifts (up, down, up, down; 5 bits each)."""
    table = np.zeros((len(ways), 4), np.uint32)
    for number, way in enumerate(ways):
        shifts = {int(after) - cell for cell, after in enumerate(way)} - {0}
        if len(shifts) > 2:
            raise LudometerError("a move that shifts cells in more than two ways is beyond the GPU solver")
        for place, shift in enumerate([0, *sorted(shifts)]):
            table[number, place] = sum(1 << cell for cell, after in enumerate(way) if after - cell == shift)
            if shift:
                table[number, 3] |= np.uint32((shift if shift > 0 else -shift << 5) << 10 * (place - 1))
    return table.reshape(-1)


def _small_tables(symmetries: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What the kernels keep in shared memory; shapes and meaning stand beside the constants in `cuda_kernels`."""
    from ludometer.solve.tiles.cuda import kernels

    values = np.arange(kernels.PIECE)
    seen = np.zeros((kernels.SYMMETRIES, kernels.PIECES, kernels.PIECE), np.uint32)
    for symmetry, image in enumerate(symmetries):
        for cell, after in enumerate(image):
            seen[symmetry, cell // 5] |= ((values >> cell % 5 & 1) << int(after)).astype(np.uint32)
    compress = np.zeros((kernels.PIECE, kernels.PIECE), np.uint8)
    spread = np.zeros((kernels.PIECE, kernels.PIECE), np.uint8)
    for selected in range(kernels.PIECE):
        for packed, bit in enumerate(bit for bit in range(5) if selected >> bit & 1):
            compress[selected] |= ((values >> bit & 1) << packed).astype(np.uint8)
            spread[selected] |= ((values >> packed & 1) << bit).astype(np.uint8)
    ranks = np.zeros((21, kernels.MOST_BELOW, kernels.PIECE), np.uint32)
    for places, below, value in np.ndindex(*ranks.shape):
        bits = [places + bit for bit in range(5) if value >> bit & 1]
        ranks[places, below, value] = sum(comb(bit, below + number + 1) for number, bit in enumerate(bits)) & 0xFFFFFFFF
    return seen.reshape(-1), compress.reshape(-1), spread.reshape(-1), ranks.reshape(-1)


def _rank_chunks(bits: int, chunks: int, cells: int) -> np.ndarray:
    """Ranks by chunk: for chunk c, each number 0 … c·bits of tiles below it, and each value, what the chunk adds to the rank."""
    ranks = []
    for chunk in range(chunks):
        for below in range(chunk * bits + 1):
            for value in range(1 << bits):
                places = [chunk * bits + bit for bit in range(bits) if value >> bit & 1]
                added = sum(comb(place, below + number + 1) for number, place in enumerate(places) if place < cells)
                ranks.append(added & 0xFFFFFFFF)
    return np.array(ranks, np.uint32)
