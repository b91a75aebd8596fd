"""Look-up tables of a tile game's board: sets of cells are moved, transformed and ranked without a loop over bits.

A table of positions has a row for each set of X tiles up to symmetry, in ascending order of its representative, and in the row a column
for each way to place the O tiles on the remaining cells, in colexicographic order (explained in `index`).  For one row and one move the new
row is the same for all columns; only the column changes, by a permutation of cells.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.board import carried_cells, check_board, symmetry_cells
from ludometer.solvers.tiles.pairs import O_TO_MOVE, X_TO_MOVE, Pair, all_pairs

MOST_ENTRIES = (1 << 32) - 1  # of one table: lists of entries have 32 bits for each

_CHUNK = 8  # bits permuted or compressed by one look-up
_BYTE = np.uint32(255)
_EIGHT = np.uint32(8)
_LOW_BITS = 16  # bits ranked by the first look-up


class TileTables(NamedTuple):
    """Look-up tables of one board; sizes: M moves, S symmetries, N cells, K = ⌈N/8⌉ chunks, at least 2."""

    cells: int  # N
    moves: int  # M
    symmetries: int  # S
    taken: np.ndarray  # (M,) cell a move takes its tile from
    entered: np.ndarray  # (M,) cell it goes to
    takes: np.ndarray  # (K, 256) uint64: the moves that take from one of these cells of a chunk, as bits
    enters: np.ndarray  # (K, 256) uint64: the moves that enter one of these cells of a chunk, as bits
    permute: np.ndarray  # (2M+1, S, K, 256) uint32: bits of a chunk after move m (m+M: its reverse; 2M: none) and a symmetry
    carry: np.ndarray  # (2M+1, S, N) uint8: the cell that the content of a cell is then on
    composed: np.ndarray  # (S, S) int64: the symmetry that is the first and then the second
    compress: np.ndarray  # (256, 256) uint8: the bits of the second byte selected by the first, packed together
    spread: np.ndarray  # (256, 256) uint8: the inverse
    rank_low: np.ndarray  # (2^16,) uint32: colexicographic rank of the lowest bits
    rank_high: np.ndarray  # (17, 2^(N−16) or 1) uint32: rank that the upper bits add, by the number of bits set below
    orbit: np.ndarray  # (2^N,) uint32: row number · 8 + symmetry that leads to the row's representative
    representatives: np.ndarray  # (rows of all sizes,) uint32
    first_row: np.ndarray  # (N+2,) where the representatives with a tiles begin
    weight: np.ndarray  # (rows of all sizes,) uint8: images of the representative (1 to 8)
    kept_by: np.ndarray  # (rows of all sizes,) uint8: the symmetries other than none that leave the representative as it is, as bits
    combinations: np.ndarray  # (…,) uint32: columns as bit sets, for every (length, size)
    first_combination: np.ndarray  # (N+1, N+1) int64: where those of (length, size) begin


def pair_entries(tables: TileTables, pair: Pair) -> int:
    """Entries in one table of a pair."""
    rows = int(tables.first_row[pair.more + 1] - tables.first_row[pair.more])
    return rows * pair.columns(tables.cells)


def tile_tables(game: Game) -> TileTables:
    """All look-up tables of a tile game, derived from its `play` and `transform`; raises LudometerError if these are inconsistent."""
    cells = check_board(game)
    carried, taken = carried_cells(game, cells)
    images = symmetry_cells(game, cells)
    moves, symmetries = len(taken), len(images)
    entered = np.array([carried[m][taken[m]] for m in range(moves)], np.int64)
    chunks = max(2, -(-cells // _CHUNK))
    none = np.arange(cells)
    reverse = [np.argsort(way) for way in carried]
    permute = np.zeros((2 * moves + 1, symmetries, chunks, 256), np.uint32)
    ways = np.array([*carried, *reverse, none])
    _fill_permute(ways, np.array(images), permute)
    carry = np.array(images).astype(np.uint8)[:, ways].transpose(1, 0, 2).copy()
    composed = np.array([[_number_of(images, second[first]) for second in np.array(images)] for first in np.array(images)], np.int64)
    compress, spread = _byte_tables()
    high_bits = max(0, cells - _LOW_BITS)
    rank_low = np.zeros(1 << _LOW_BITS, np.uint32)
    rank_high = np.zeros((_LOW_BITS + 1, 1 << high_bits), np.uint32)
    _fill_ranks(rank_low, rank_high, cells)
    orbit, representatives, first_row, weight, kept_by = _orbits(cells, permute[2 * moves])
    largest = max(int(first_row[pair.more + 1] - first_row[pair.more]) * pair.columns(cells) for pair in all_pairs(cells))
    if largest > MOST_ENTRIES:
        raise LudometerError(f"{game.spec}: a table of {largest:,} entries is beyond the solver's {MOST_ENTRIES:,}")
    combinations, first_combination = _combinations(cells)
    return TileTables(
        cells, moves, symmetries, taken, entered, moves_by_cell(taken, chunks), moves_by_cell(entered, chunks), permute, carry, composed,
        compress, spread,
        rank_low, rank_high, orbit, representatives, first_row, weight, kept_by, combinations, first_combination,
    )  # fmt: skip


@kernel
def _fill_permute(ways, images, permute):
    """Bits of each chunk after each way (way, cell) and symmetry (symmetry, cell)."""
    for way in range(ways.shape[0]):
        for symmetry in range(images.shape[0]):
            for chunk in range(permute.shape[2]):
                for value in range(1, 256):
                    low = value & -value
                    cell = chunk * 8 + popcount(np.uint64(low - 1))
                    rest = permute[way, symmetry, chunk, value ^ low]
                    if cell < ways.shape[1]:
                        rest |= np.uint32(1) << np.uint32(images[symmetry, ways[way, cell]])
                    permute[way, symmetry, chunk, value] = rest


def moves_by_cell(cell_of_move: np.ndarray, chunks: int) -> np.ndarray:
    """For each chunk of eight cells and each set of them the moves whose cell is in it, as bits (at most 64 moves)."""
    table = np.zeros((chunks, 256), np.uint64)
    for move, cell in enumerate(cell_of_move):
        table[cell // _CHUNK, np.arange(256) >> cell % _CHUNK & 1 == 1] |= np.uint64(1 << move)
    return table


def _number_of(images: list[np.ndarray], wanted: np.ndarray) -> int:
    """Number of the symmetry that moves cells like `wanted`; raises LudometerError if there is none."""
    for number, image in enumerate(images):
        if np.array_equal(image, wanted):
            return number
    raise LudometerError("the symmetries of the board are not closed: two of them one after the other are none of them")


def _byte_tables() -> tuple[np.ndarray, np.ndarray]:
    compress = np.zeros((256, 256), np.int64)
    spread = np.zeros((256, 256), np.int64)
    masks, values = np.arange(256)[:, None], np.arange(256)
    packed = np.zeros((256, 1), np.int64)  # selected bits below
    for bit in range(8):
        selected = masks >> bit & 1
        compress |= (selected & values >> bit) << packed
        spread |= (selected & values >> packed) << bit
        packed += selected
    return compress.astype(np.uint8), spread.astype(np.uint8)


@njit
def rank_from(value, first, seen, cells):
    """The sum of C(cell, number of cells up to and with it) over the cells of `value`, which begin at `first` with `seen` below."""
    rank = np.int64(0)
    cell = first
    while value != 0:
        if value & 1:
            seen += 1
            if seen <= cell and cell < cells:
                rank += WAYS[cell, seen]
        value >>= 1
        cell += 1
    return rank


@kernel
def _fill_ranks(rank_low, rank_high, cells):
    """Contributions to a colexicographic rank (see `index`) of the cells below 16 and of those from 16 on."""
    for value in range(rank_low.size):
        rank_low[value] = rank_from(value, 0, 0, cells)
    for below in range(rank_high.shape[0]):
        for value in range(rank_high.shape[1]):
            rank_high[below, value] = rank_from(value, _LOW_BITS, below, cells)


@kernel
def _canonical_masks(permute, begin, end, canonical, symmetry_to):
    """For masks begin..end the least image and the symmetry that leads there."""
    chunks = permute.shape[1]
    for mask in range(begin, end):
        best = np.uint32(0xFFFFFFFF)
        best_symmetry = 0
        for symmetry in range(permute.shape[0]):
            image = np.uint32(0)
            for chunk in range(chunks):
                image |= permute[symmetry, chunk, (mask >> (8 * chunk)) & 255]
            if image < best:
                best = image
                best_symmetry = symmetry
        canonical[mask] = best
        symmetry_to[mask] = best_symmetry


@kernel
def _number_orbits(canonical, symmetry_to, permute, next_row, number, representatives, weight, kept_by):
    """Number the representatives by size, then replace each mask's canonical form by row number · 8 + symmetry."""
    chunks = permute.shape[1]
    for mask in range(canonical.size):
        if canonical[mask] == mask:
            size = popcount(np.uint64(mask))
            number[mask] = next_row[size]
            stable = 0
            keeping = np.uint8(0)
            for symmetry in range(permute.shape[0]):
                image = np.uint32(0)
                for chunk in range(chunks):
                    image |= permute[symmetry, chunk, (mask >> (8 * chunk)) & 255]
                if image == mask:
                    stable += 1
                    keeping |= np.uint8(1 << symmetry)
            representatives[next_row[size]] = mask
            weight[next_row[size]] = permute.shape[0] // stable
            kept_by[next_row[size]] = keeping & np.uint8(0xFE)
            next_row[size] += 1
    for mask in range(canonical.size):
        canonical[mask] = number[canonical[mask]] * np.uint32(8) + np.uint32(symmetry_to[mask])


@kernel
def _count_rows(canonical, counts):
    for mask in range(canonical.size):
        if canonical[mask] == mask:
            counts[popcount(np.uint64(mask))] += 1


def _orbits(cells: int, permute: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    canonical = np.empty(1 << cells, np.uint32)
    symmetry_to = np.empty(1 << cells, np.uint8)
    _canonical_masks(permute, 0, 1 << cells, canonical, symmetry_to)
    counts = np.zeros(cells + 1, np.int64)
    _count_rows(canonical, counts)
    first_row = np.concatenate([[0], np.cumsum(counts)])
    representatives = np.empty(first_row[-1], np.uint32)
    weight = np.empty(first_row[-1], np.uint8)
    kept_by = np.empty(first_row[-1], np.uint8)
    number = np.empty(1 << cells, np.uint32)
    _number_orbits(canonical, symmetry_to, permute, first_row[:-1].copy(), number, representatives, weight, kept_by)
    return canonical, representatives, first_row, weight, kept_by


def _combinations(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """All subsets of size k of n cells in colexicographic order, for the sizes that occur (k ≤ cells − n)."""
    first = np.full((cells + 1, cells + 1), -1, np.int64)
    total = 0
    for length in range(cells + 1):
        for size in range(min(length, cells - length) + 1):
            first[length, size] = total
            total += int(WAYS[length, size])
    combinations = np.empty(total, np.uint32)
    _list_combinations(cells, first, combinations)
    return combinations, first


@kernel
def _list_combinations(cells, first, combinations):
    for length in range(cells + 1):
        for size in range(min(length, cells - length) + 1):
            at = first[length, size]
            value = (1 << size) - 1
            while value < 1 << length:
                combinations[at] = value
                at += 1
                if value == 0:
                    break
                low = value & -value
                higher = value + low
                value = higher | (((value ^ higher) // low) >> 2)


# The functions below take the arrays they read, not the whole NamedTuple: passing it would count references to every array in it at each
# call, which costs more than the work itself.  Indices are unsigned, since Numba tests signed ones for being negative.  The two chunks that
# every board has are written out.


@njit
def permuted(permute, way, symmetry, mask):
    """A set of cells after a move (`way` m), its reverse (M + m) or none (2M), seen through a symmetry."""
    way, symmetry = np.uint64(way), np.uint64(symmetry)
    image = permute[way, symmetry, U0, mask & _BYTE] | permute[way, symmetry, U1, (mask >> _EIGHT) & _BYTE]
    for chunk in range(2, permute.shape[2]):
        image |= permute[way, symmetry, np.uint64(chunk), (mask >> np.uint32(8 * chunk)) & _BYTE]
    return image


@njit
def moves_of(table, mask):
    """The moves that `takes` or `enters` names for a set of cells, as bits."""
    found = np.uint64(0)
    for chunk in range(table.shape[0]):
        found |= table[chunk, (mask >> np.uint32(8 * chunk)) & np.uint32(255)]
    return found


@njit
def packed(compress, chunks, selected, mask):
    """The bits of `mask` at the cells `selected`, packed together."""
    here = selected & _BYTE
    value = np.uint32(compress[here, mask & _BYTE])
    place = popcount(np.uint64(here))
    here = (selected >> _EIGHT) & _BYTE
    value |= np.uint32(compress[here, (mask >> _EIGHT) & _BYTE]) << np.uint32(place)
    for chunk in range(2, chunks):
        place += popcount(np.uint64(here))
        here = (selected >> np.uint32(8 * chunk)) & _BYTE
        value |= np.uint32(compress[here, (mask >> np.uint32(8 * chunk)) & _BYTE]) << np.uint32(place)
    return value


@njit
def unpacked(spread, chunks, selected, value):
    """The inverse of `packed`."""
    here = selected & _BYTE
    mask = np.uint32(spread[here, value & _BYTE])
    for chunk in range(1, chunks):
        value >>= np.uint32(popcount(np.uint64(here)))
        here = (selected >> np.uint32(8 * chunk)) & _BYTE
        mask |= np.uint32(spread[here, value & _BYTE]) << np.uint32(8 * chunk)
    return mask


@njit
def rank(rank_low, rank_high, value):
    """The colexicographic rank of a set among those of its size."""
    low = value & np.uint32(0xFFFF)
    high = value >> np.uint32(16)
    if high == 0:
        return np.int64(rank_low[low])
    return np.int64(rank_low[low]) + np.int64(rank_high[popcount(np.uint64(low)), high])


@njit
def all_cells(cells):
    """The set of all cells."""
    return np.uint32((U1 << np.uint64(cells)) - U1)


@kernel
def _locate(tables, x_tiles, o_tiles, columns):
    """The entry of (X tiles, O tiles) in its table."""
    found = tables.orbit[x_tiles]
    row = np.int64(found >> np.uint32(3))
    image = permuted(tables.permute, 2 * tables.moves, found & np.uint32(7), o_tiles)
    representative = tables.representatives[row]
    free = ~representative & all_cells(tables.cells)
    first = tables.first_row[popcount(np.uint64(representative))]
    value = packed(tables.compress, tables.permute.shape[2], free, image)
    return (row - first) * columns + rank(tables.rank_low, tables.rank_high, value)


def table_entry(tables: TileTables, mover: int, other: int) -> tuple[Pair, int, int]:
    """(pair, side to move, entry) of a position given by the tiles of the player to move and of the other."""
    more, fewer = mover.bit_count(), other.bit_count()
    side = X_TO_MOVE
    x_tiles, o_tiles = mover, other
    if more < fewer:
        more, fewer, side, x_tiles, o_tiles = fewer, more, O_TO_MOVE, other, mover
    pair = Pair(more, fewer)
    return pair, side, int(_locate(tables, np.uint32(x_tiles), np.uint32(o_tiles), pair.columns(tables.cells)))
