"""Retrograde analysis of a tile game on a GPU: one pair of classes after the other, within a limit of the card's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.options import OptionError
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.codes import LOSS_BASE, SAFE, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.cuda.allocation import Card
from ludometer.solvers.tiles.cuda.card_tables import CardTables
from ludometer.solvers.tiles.cuda.deciding import Decider, PairOnCard
from ludometer.solvers.tiles.cuda.launching import Launcher, cuda_or_error, is_simulated
from ludometer.solvers.tiles.cuda.layout import GROUPS, MOST_MOVES, Board, Cut, Moves, Place, Small, Target
from ludometer.solvers.tiles.cuda.memory import card_memory
from ludometer.solvers.tiles.cuda.tables import cell_after, five_ranks, nine_ranks, shift_groups, small_tables
from ludometer.solvers.tiles.lookup import TileTables, pair_entries, tile_tables
from ludometer.solvers.tiles.pairs import X_TO_MOVE, Pair, further_table
from ludometer.solvers.tiles.pieces import Pieces

SIMULATED: dict[str, Any] = {
    "context": 0,
    "least_room": 1,
    "usual_room": 64,
}  # replace those of CardMemory; the simulator is slow


class CudaPairSolver:
    """Solves pairs of a tile game on the GPU.  Tables are kept until freed with `forget`.

    `memory`: bytes of the card it may use in all.  None: what is free now.  `cuda.memory` plans their use.  Tables that do not fit
    beside the pair at work wait in the host's memory.
    """

    at_once = 1
    resident: bool  # whether all tables that are still needed fit on the card
    checkpoints: bool  # False if tables fit on the card: solving again is then faster than writing what only resuming needs

    def __init__(self, game: Game, tables: TileTables | None = None, memory: int | None = None, workers: int | None = None) -> None:
        self.cuda = cuda_or_error()
        _check_game(game)
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
        self.card_tables = CardTables(self._card, self.plan)
        self._longest: dict[Pair, int] = {}
        self._checked_board: Any = None  # made when first checking
        self.launcher = Launcher(self.cuda)
        self._copy_board()
        self._trouble = self._card.array(1, np.int32)
        self._histogram = self._card.array(256, np.int64)
        self.decider = Decider(self.launcher, self._card, self.card_tables, self.plan, self._board, self._small, self._trouble)
        self.card_tables.ensure_lists(self.plan.base_room)

    def _copy_board(self) -> None:
        """Copy the look-up tables of the board to the card."""
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
        """Peak of the bytes allocated on the card, without the driver's context and compiled kernels."""
        return self._card.peak

    def prepare(self, solve: bool, check: bool) -> None:
        """Compile the kernels by solving the smallest pair, then forget its tables."""
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
        """One side of a pair as the kernels take it."""
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
        """Solve one pair; returns its counts by side and code (2 × 256).

        Its further pairs must have been solved and not forgotten.  Checks `stop` between kernels.  `all_kernels`: launch every
        kernel, even without work for it, so that all are compiled.
        """
        from ludometer.solvers.tiles.cuda import fill_kernels

        entries = pair_entries(self.tables, pair)
        places = {side: self.place_of(pair, side) for side in pair.sides}
        trouble = self._trouble
        trouble.copy_to_device(np.zeros(1, np.int32))
        needs = (further_table(pair, side, self.tables.cells) for side in pair.sides)
        self.card_tables.touch(need for need in needs if need is not None)  # what is read next should be the last to leave the card
        codes = {side: self.card_tables.array(entries, np.uint8) for side in pair.sides}
        work = PairOnCard(pair, places, codes)
        what = (self._board, self._small, places[X_TO_MOVE], codes[X_TO_MOVE], codes[work.replies(X_TO_MOVE)])
        self.launcher.run("finish", fill_kernels.finish, self.game.rules, *what)
        limit = WIN_IN_1
        for side in pair.sides:
            stop.check("solving")
            further_pair, further = self._further(pair, side, codes[side])
            if further_pair is not None:
                limit = max(limit, self._longest[further_pair])
            self._fill(pair, places[side], codes[side], further)
            further = None  # frees it, since its room may be needed for the next
        self.decider.begin(work)
        self.decider.decide(work, limit, stop, all_kernels)
        if trouble.copy_to_host()[0]:
            raise LudometerError(f"pair {pair.more}, {pair.fewer}: a win in exactly 2 moves has no code")
        return self._close(pair, places[X_TO_MOVE], codes)

    def _close(self, pair: Pair, place: Any, codes: dict[int, Any]) -> np.ndarray:
        """Step 4: make what is left a draw and keep the tables; returns counts by side and code."""
        from ludometer.solvers.tiles.cuda import table_kernels

        counts = np.zeros((2, 256), np.int64)
        weight = self._board.weight[place.first : place.first + place.rows]
        for side in pair.sides:
            self._histogram.copy_to_device(counts[side])
            self.launcher.run("close", table_kernels.close, codes[side], place.columns, weight, self._histogram)
            counts[side] = self._histogram.copy_to_host()
        self.card_tables.keep(pair, codes)
        self._longest[pair] = _farthest(counts)
        return counts

    def _further(self, pair: Pair, side: int, otherwise: Any) -> tuple[Pair | None, Any]:
        """The pair and table that moves taking a blank lead to; (None, `otherwise`) on a full board."""
        target = further_table(pair, side, self.tables.cells)
        return (None, otherwise) if target is None else (target[0], self.card_tables.on_card(*target))

    def target_of(self, pair: Pair, side: int, further: Any) -> Target:
        """The target of one side's moves that take a blank, with `further` as its table."""
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
        """The division of a pair's columns into chunks."""
        length = self.tables.cells - pair.more
        if length <= 18:
            return Cut(length, 9, 2, self._nine_ranks[pair.fewer])
        return Cut(length, 5, -(-length // 5), self._five_ranks)

    def _fill(self, pair: Pair, place: Any, codes: Any, further: Any) -> None:
        """Step 2 for one side: what its moves that take a blank lead to."""
        from ludometer.solvers.tiles.cuda import fill_kernels

        target = self.target_of(pair, place.side, further)
        threads = self.launcher.threads if is_simulated() or target.number >= 256 else 64
        blocks = min(place.rows, self.launcher.blocks)
        what = (self._board, self._moves, place, target, codes)
        self.launcher.run("fill", fill_kernels.fill, *what, blocks=blocks, threads=threads, shared=place.columns)

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table in the host's memory."""
        return self.card_tables.fetch(pair, side)

    def fetch_values(self, pair: Pair, side: int, marked: bool = False) -> np.ndarray:
        """The values of one table, packed as in `tiles.packing`; `marked`: with LEFT_OUT where the rules decide at once."""
        from ludometer.solvers.tiles.cuda import table_kernels

        codes = self.card_tables.on_card(pair, side)
        packed = self.card_tables.array(-(-codes.size // 4), np.uint8)
        self.launcher.run("pack", table_kernels.pack_values, codes, packed, marked)
        fetched: np.ndarray = packed.copy_to_host()
        return fetched

    def check(self, pair: Pair) -> tuple[list[str], np.ndarray]:
        """Compare every entry of a pair with its successors; returns the errors found, and positions by side and code (2 × 256).

        The tables of its further pairs must not have been forgotten.
        """
        from ludometer.solvers.tiles.cuda import check_kernels as checking

        if self._checked_board is None:
            self._checked_board = self._make_checked_board()
        counts = np.zeros((2, 256), np.int64)
        wrong = []
        for side in pair.sides:
            tables = further = None  # frees the tables of the side before, whose room may be needed
            codes = self.card_tables.on_card(pair, side)
            replies = codes if pair.is_diagonal else self.card_tables.on_card(pair, 1 - side)
            _, further = self._further(pair, side, codes)
            place = checking.CheckedPlace(pair.more, pair.fewer, side, pair.columns(self.tables.cells))
            found = [self.card_tables.copied(np.zeros(size, np.int64)) for size in (256, 1, 1)]
            tables = checking.CheckedTables(codes, replies, further)
            self.launcher.run("verify", checking.check_entries, self.game.rules, self._checked_board, place, tables, *found)
            counted, errors, one = (array.copy_to_host() for array in found)
            counts[side] = counted
            if errors[0]:
                who = "more" if side == X_TO_MOVE else "fewer"
                wrong.append(f"{errors[0]} wrong entries with {pair.more} and {pair.fewer} tiles, {who} to move, such as entry {one[0]}")
        return wrong, counts

    def _make_checked_board(self) -> Any:
        from ludometer.solvers.tiles.cuda import check_kernels as checking

        cells, to_device = self.tables.cells, self.card_tables.copied
        number = self.card_tables.array(1 << cells, np.uint32)
        self.launcher.run("number", checking.number_rows, self._board.representatives, number)
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

        codes = self.card_tables.on_card(pair, side)
        first = self.card_tables.copied(np.array([codes.size], np.int64))
        self.launcher.run("find", table_kernels.find_code, codes, code, first)
        entry = int(first.copy_to_host()[0])
        return entry if entry < codes.size else None

    def put(self, pair: Pair, codes: Sequence[np.ndarray], counts: np.ndarray) -> None:
        """Take over the tables of a pair solved elsewhere."""
        for side, side_codes in zip(pair.sides, codes):
            self.card_tables.put(pair, side, side_codes)
        self._longest[pair] = _farthest(counts)

    def forget(self, pair: Pair) -> None:
        """Free the tables of a pair."""
        self.card_tables.forget(pair)

    def close(self) -> None:
        """Free all tables of pairs."""
        self.card_tables.clear()


def _check_game(game: Game) -> None:
    """Raise OptionError for games with more moves than the kernels have room for."""
    if game.move_bound > MOST_MOVES:
        raise OptionError(f"{game.spec}: {game.move_bound} moves are more than the GPU solver's {MOST_MOVES}", "use {device} cpu")


def _farthest(counts: np.ndarray) -> int:
    """The code of the farthest win, or of the win a move before the farthest loss; an upper bound for pairs that lead here."""
    used = np.flatnonzero(counts.sum(axis=0)[1:SAFE]) + 1
    return max((int(code) if code < LOSS_BASE else int(code) - 127 for code in used), default=WIN_BASE)
