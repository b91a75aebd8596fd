"""Verification of tile game tables on a GPU: every entry, while the tables are on the card.

Like `tiles.check_kernels`, this takes everything from the rules: positions are rebuilt from rows and columns, each legal move is
played by the game's own functions, each successor is turned to its least image and looked up.  With the solver's kernels
it shares the list of rows and nothing else.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from ludometer.core import protocol
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.board import count_symmetries
from ludometer.solvers.tiles.index import image_of_cell
from ludometer.solvers.tiles.pairs import X_TO_MOVE

CELLS = 25
MOVES = 64
SYMMETRIES = 8
PIECES = 5  # a set of cells is seen through a symmetry in pieces of five cells
IMAGES = SYMMETRIES * PIECES * 32
CHOICES = (CELLS + 1) * (CELLS + 1)
FAR = 1 << 20

_ONE = np.uint32(1)


class CheckedBoard(NamedTuple):
    """Look-up tables of the board on the card."""

    cells: int
    symmetries: int
    representatives: Any  # (rows of all sizes,) uint32
    first_row: Any  # (cells + 2,) int64
    number: Any  # (2^cells,) uint32: the place of a representative in the list of all
    images: Any  # IMAGES uint32, see `images_of_pieces`
    choices: Any  # CHOICES uint32, see `choices`


class CheckedPlace(NamedTuple):
    """One side of a pair."""

    more: int
    fewer: int
    side: int
    columns: int


class CheckedTables(NamedTuple):
    """The table that is checked, and those its successors are in; codes, uint8."""

    codes: Any
    replies: Any  # successors with as many tiles
    further: Any  # successors with one more


def images_of_pieces(game: Game, cells: int) -> np.ndarray:
    """(symmetry, piece, value) flattened: where a piece of five cells is seen, asked from the game's `transform`.

    A game with fewer than eight symmetries has the last ones change nothing.
    """
    table = np.zeros((SYMMETRIES, PIECES, 32), np.uint32)
    values = np.arange(32)
    for symmetry in range(SYMMETRIES):
        for cell in range(cells):
            after = int(image_of_cell(game.rules, cell, symmetry)) if symmetry < count_symmetries(game) else cell
            table[symmetry, cell // 5] |= ((values >> cell % 5 & 1) << after).astype(np.uint32)
    return table.reshape(-1)


def choices() -> np.ndarray:
    """k-subsets of n cells, flattened (n, k), uint32."""
    return np.ascontiguousarray(WAYS[: CELLS + 1, : CELLS + 1]).astype(np.uint32).reshape(-1)


@cuda.jit(device=True)
def through(images, symmetry, mask):
    seen = np.uint32(0)
    for piece in range(PIECES):
        seen |= images[(symmetry * PIECES + piece) * 32 + np.int32((mask >> np.uint32(5 * piece)) & np.uint32(31))]
    return seen


@cuda.jit(device=True)
def column_of(ways, x_tiles, o_tiles, everything):
    """The colexicographic rank of the O tiles among the cells without X tiles."""
    free = everything & ~x_tiles
    rank = np.uint32(0)
    seen = 0
    while o_tiles != 0:
        low = o_tiles & (~o_tiles + _ONE)
        o_tiles ^= low
        seen += 1
        rank += ways[cuda.popc(free & (low - _ONE)) * (CELLS + 1) + seen]
    return rank


@cuda.jit(device=True)
def o_tiles_of(ways, x_tiles, count, column, cells):
    """The O tiles of a column, `count` of them: the inverse of `column_of`."""
    o_tiles = np.uint32(0)
    free = cells - cuda.popc(x_tiles)
    for cell in range(cells - 1, -1, -1):
        if (x_tiles >> np.uint32(cell)) & _ONE == 0:
            free -= 1
            if count > 0 and ways[free * (CELLS + 1) + count] <= column:
                column -= ways[free * (CELLS + 1) + count]
                count -= 1
                o_tiles |= _ONE << np.uint32(cell)
    return o_tiles


@cuda.jit
def number_rows(representatives, number):
    """`number[mask]` is the place of a representative in the list of all."""
    index = cuda.grid(1)
    while index < representatives.size:
        number[representatives[index]] = index
        index += cuda.gridsize(1)


@cuda.jit(device=True)
def images_of(images, symmetries, tiles):
    """Number of different images of a set of tiles."""
    unchanged = 0
    for symmetry in range(symmetries):
        unchanged += np.int32(through(images, symmetry, tiles) == tiles)
    return symmetries // unchanged


@cuda.jit
def check_entries(rules, board, place_of, tables, counts, errors, wrong):
    """A thread per entry: `errors[0]` counts entries that are not what their successors say, `wrong[0]` gets one of them.

    `counts` (256, int64) gets the number of positions by stored code.
    """
    by_code = cuda.shared.array(256, np.uint32)
    images = cuda.shared.array(IMAGES, np.uint32)
    ways = cuda.shared.array(CHOICES, np.uint32)
    moves = cuda.local.array(MOVES, np.int32)
    for index in range(cuda.threadIdx.x, IMAGES, cuda.blockDim.x):
        images[index] = board.images[index]
    for index in range(cuda.threadIdx.x, CHOICES, cuda.blockDim.x):
        ways[index] = board.choices[index]
    for index in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        by_code[index] = 0
    cuda.syncthreads()
    cells, more, fewer, columns = board.cells, place_of.more, place_of.fewer, np.uint32(place_of.columns)
    everything = np.uint32((np.uint64(1) << np.uint64(cells)) - np.uint64(1))
    place = cuda.grid(1)
    while place < tables.codes.size:
        row = np.uint32(place) // columns
        x_tiles = np.uint32(board.representatives[board.first_row[more] + row])
        o_tiles = o_tiles_of(ways, x_tiles, fewer, np.uint32(place) - row * columns, cells)
        if place_of.side == X_TO_MOVE:
            state = tiling.state_of_tiles(rules, np.uint64(x_tiles), np.uint64(o_tiles))
        else:
            state = tiling.state_of_tiles(rules, np.uint64(o_tiles), np.uint64(x_tiles))
        right = protocol.outcome(rules, state)
        right_distance = 0
        if right == ONGOING:
            nearest, farthest, drawn = FAR, -1, False
            for index in range(protocol.legal_moves(rules, state, moves)):
                mover, other = tiling.tiles_of_state(rules, protocol.play(rules, state, np.int64(moves[index])))
                mine, his = np.uint32(mover), np.uint32(other)
                same = cuda.popc(mine) + cuda.popc(his) == more + fewer
                if cuda.popc(mine) < cuda.popc(his):
                    mine, his = his, mine
                best_x, best_o = mine, his
                for symmetry in range(1, SYMMETRIES):
                    seen = through(images, symmetry, mine)
                    if seen < best_x:
                        best_x = seen
                        best_o = through(images, symmetry, his)
                larger, smaller = cuda.popc(best_x), cuda.popc(best_o)
                child_columns = np.int64(ways[(cells - larger) * (CELLS + 1) + smaller])
                child = (np.int64(board.number[best_x]) - board.first_row[larger]) * child_columns + np.int64(
                    column_of(ways, best_x, best_o, everything)
                )
                code = np.int32(tables.replies[child]) if same else np.int32(tables.further[child])
                if code == 0:
                    drawn = True
                elif code < 128:
                    farthest = max(farthest, 0 if code == 1 else 2 * code - 3)
                else:
                    nearest = min(nearest, code - 128 if code < 130 else 2 * code - 258)
            if nearest < FAR:
                right, right_distance = WIN, nearest + 1
            elif drawn or farthest < 0:
                right, right_distance = DRAW, 0
            else:
                right, right_distance = LOSS, farthest + 1
        code = np.int32(tables.codes[place])
        cuda.atomic.add(by_code, code, np.uint32(images_of(images, board.symmetries, x_tiles)))
        stored, distance = DRAW, 0
        if 0 < code < 128:
            stored, distance = WIN, 0 if code == 1 else 2 * code - 3
        elif code == 255:
            stored = ONGOING  # no value has this code
        elif code >= 128:
            stored, distance = LOSS, code - 128 if code < 130 else 2 * code - 258
        if stored != right or distance != right_distance:
            cuda.atomic.add(errors, 0, 1)
            wrong[0] = place
        place += cuda.gridsize(1)
    cuda.syncthreads()
    for index in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        cuda.atomic.add(counts, index, np.int64(by_code[index]))
