"""Tile games: two sides' tiles on a board of cells, where every move permutes the cells and may turn one blank into a tile.

Quixo is such a game: a push carries the cubes along a row and the cube taken goes to the other end, marked by the mover.
All that the solver needs is found by asking the game's own `play` where a single tile goes; nothing is written twice.

Seen with fixed colours, X is the side with more tiles (a) and O the side with fewer (b ≤ a).  A *pair* (a, b) has two tables:

    X to move   the class "mover a tiles, other b"      own tile moved → O to move, pair (a, b);  blank taken → O to move, pair (a+1, b)
    O to move   the class "mover b tiles, other a"      own tile moved → X to move, pair (a, b);  blank taken → X to move, pair (a, b+1)

With a = b the two classes are one and only "X to move" is kept.  The number of tiles never falls, so pairs are solved from
the full board down, and a pair needs just the two named after it.

A table has a row for each set of X tiles up to symmetry, in ascending order of its representative, and in the row a column
for each way to place the O tiles on the remaining cells, in colex order.  For one row and one move the new row is
the same for all columns; only the column changes, by a permutation of cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import entry, protocol, tiling
from ludometer.core.bits import U0, U1, popcount
from ludometer.core.compilation import kernel
from ludometer.core.dispatch import supports
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.tiling import TILES

X_TO_MOVE, O_TO_MOVE = 0, 1
MOST_CELLS = 25
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
    compress: np.ndarray  # (256, 256) uint8: the bits of the second byte selected by the first, packed together
    spread: np.ndarray  # (256, 256) uint8: the inverse
    rank_low: np.ndarray  # (2^16,) uint32: colex rank of the lowest bits
    rank_high: np.ndarray  # (17, 2^(N−16) or 1) uint32: rank the upper bits add when so many are set below
    orbit: np.ndarray  # (2^N,) uint32: row number · 8 + symmetry that leads to the row's representative
    representatives: np.ndarray  # (rows of all sizes,) uint32
    first_row: np.ndarray  # (N+2,) where the representatives with a tiles begin
    weight: np.ndarray  # (rows of all sizes,) uint8: images of the representative (1 to 8)
    kept_by: np.ndarray  # (rows of all sizes,) uint8: the symmetries other than none that leave the representative as it is, as bits
    combinations: np.ndarray  # (…,) uint32: columns as bit sets, for every (length, size)
    first_combination: np.ndarray  # (N+1, N+1) int64: where those of (length, size) begin


@dataclass(frozen=True)
class Pair:
    """The two classes in which one side has `more` tiles and the other `fewer`."""

    more: int
    fewer: int

    @property
    def is_diagonal(self) -> bool:
        return self.more == self.fewer

    @property
    def sides(self) -> tuple[int, ...]:
        """The tables kept: X to move, and O to move unless both have the same number of tiles."""
        return (X_TO_MOVE,) if self.is_diagonal else (X_TO_MOVE, O_TO_MOVE)

    def needs(self, cells: int) -> list[Pair]:
        """The pairs its blank-taking moves lead to."""
        if self.more + self.fewer >= cells:
            return []
        further = [Pair(self.more + 1, self.fewer)]
        if not self.is_diagonal:
            further.append(Pair(self.more, self.fewer + 1))
        return further


def all_pairs(cells: int) -> list[Pair]:
    """Every pair, in an order in which each comes after those it needs."""
    return [Pair(total - fewer, fewer) for total in range(cells, -1, -1) for fewer in range(total // 2 + 1)]


def pair_entries(tables: TileTables, pair: Pair) -> int:
    """Entries in one table of a pair."""
    rows = int(tables.first_row[pair.more + 1] - tables.first_row[pair.more])
    return rows * comb(tables.cells - pair.more, pair.fewer)


def is_tile_game(game: Game) -> bool:
    """Whether the game says how its states are made of two sets of tiles."""
    return supports(game, TILES)


def tile_tables(game: Game) -> TileTables:
    """All look-up tables for a tile game; its structure is asked from `play` and `transform` and checked."""
    cells = int(count_cells(game.rules))
    if cells > MOST_CELLS:
        raise LudometerError(f"{game.spec}: {cells} cells are more than the solver's {MOST_CELLS}")
    carried, taken = _carried_cells(game, cells)
    images = _symmetry_cells(game, cells)
    moves, symmetries = len(taken), len(images)
    entered = np.array([carried[m][taken[m]] for m in range(moves)], np.int64)
    chunks = max(2, -(-cells // _CHUNK))
    none = np.arange(cells)
    reverse = [np.argsort(way) for way in carried]
    permute = np.zeros((2 * moves + 1, symmetries, chunks, 256), np.uint32)
    _fill_permute(np.array([*carried, *reverse, none]), np.array(images), permute)
    compress, spread = _byte_tables()
    high_bits = max(0, cells - _LOW_BITS)
    rank_low = np.zeros(1 << _LOW_BITS, np.uint32)
    rank_high = np.zeros((_LOW_BITS + 1, 1 << high_bits), np.uint32)
    _fill_ranks(rank_low, rank_high, _binomials(cells + 1))
    orbit, representatives, first_row, weight, kept_by = _orbits(cells, permute[2 * moves])
    combinations, first_combination = _combinations(cells)
    return TileTables(
        cells, moves, symmetries, taken, entered, moves_by_cell(taken, chunks), moves_by_cell(entered, chunks), permute, compress, spread,
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


@kernel
def count_cells(rules):
    return np.int64(tiling.tile_cells(rules))


@kernel
def outcome_of_tiles(rules, mover, other):
    """The outcome for the player to move, from the two sets of tiles."""
    return np.int64(protocol.outcome(rules, tiling.state_of_tiles(rules, mover, other)))


@kernel
def _tiles_after(rules, mover, other, move):
    return tiling.tiles_of_state(rules, protocol.play(rules, tiling.state_of_tiles(rules, mover, other), move))


@kernel
def _moves_with_tiles(rules, mover, other, buffer):
    return np.int64(protocol.legal_moves(rules, tiling.state_of_tiles(rules, mover, other), buffer))


@kernel
def _tiles_through(rules, mover, other, symmetry):
    return tiling.tiles_of_state(rules, protocol.transform(rules, tiling.state_of_tiles(rules, mover, other), symmetry))


def _carried_cells(game: Game, cells: int) -> tuple[list[np.ndarray], np.ndarray]:
    """For each move where every cell's content goes, and the cell whose tile changes hands; from the game's `play`."""
    bound = game.move_bound
    carried, taken = [], np.zeros(bound, np.int64)
    for move in range(bound):
        entered = int(_tiles_after(game.rules, np.uint64(0), np.uint64(0), move)[1])
        goes = np.full(cells, -1, np.int64)
        for cell in range(cells):
            seen = int(_tiles_after(game.rules, np.uint64(0), np.uint64(1 << cell), move)[0])
            if seen:
                goes[cell] = seen.bit_length() - 1
        if entered.bit_count() != 1:
            raise LudometerError(f"{game.spec}: move {move} does not place exactly one tile")
        lost = [cell for cell in range(cells) if goes[cell] in (-1, entered.bit_length() - 1)]
        if len(lost) != 1:
            raise LudometerError(f"{game.spec}: move {move} does not take exactly one cell")
        goes[lost[0]] = entered.bit_length() - 1
        carried.append(goes)
        taken[move] = lost[0]
    _check_carrying(game, cells, carried, taken)
    return carried, taken


def _check_carrying(game: Game, cells: int, carried: list[np.ndarray], taken: np.ndarray) -> None:
    """Play random positions and compare with the permutations; a game of another structure is refused."""
    rng = np.random.default_rng(1)
    buffer = np.empty(game.move_bound, np.int32)
    for _ in range(20):
        colour = rng.integers(0, 3, cells)
        mover, other = (sum(1 << c for c in range(cells) if colour[c] == side) for side in (1, 2))
        count = _moves_with_tiles(game.rules, np.uint64(mover), np.uint64(other), buffer)
        expected = [m for m in range(len(taken)) if not other >> int(taken[m]) & 1]
        if count and list(buffer[:count]) != expected:
            raise LudometerError(f"{game.spec}: the legal moves are not those of a tile game")
        for m in buffer[:count]:
            moved = [sum(1 << int(carried[m][c]) for c in range(cells) if side >> c & 1) for side in (mover, other)]
            mine = moved[0] | 1 << int(carried[m][taken[m]])
            if tuple(map(int, _tiles_after(game.rules, np.uint64(mover), np.uint64(other), int(m)))) != (moved[1], mine):
                raise LudometerError(f"{game.spec}: move {m} is not a permutation of cells")


def _symmetry_cells(game: Game, cells: int) -> list[np.ndarray]:
    count = int(entry.image_of_move(game.rules, 0, 0)[1])
    images = []
    for symmetry in range(count):
        seen = [int(_tiles_through(game.rules, np.uint64(1 << c), np.uint64(0), symmetry)[0]) for c in range(cells)]
        images.append(np.array([bits.bit_length() - 1 for bits in seen]))
    return images


def moves_by_cell(cell_of_move: np.ndarray, chunks: int) -> np.ndarray:
    """For each chunk of eight cells and each set of them the moves whose cell is in it, as bits (at most 64 moves)."""
    table = np.zeros((chunks, 256), np.uint64)
    for move, cell in enumerate(cell_of_move):
        table[cell // _CHUNK, np.arange(256) >> cell % _CHUNK & 1 == 1] |= np.uint64(1 << move)
    return table


def _byte_tables() -> tuple[np.ndarray, np.ndarray]:
    compress = np.zeros((256, 256), np.uint8)
    spread = np.zeros((256, 256), np.uint8)
    values = np.arange(256)
    for mask in range(256):
        places = [bit for bit in range(8) if mask >> bit & 1]
        for packed, bit in enumerate(places):
            compress[mask] |= ((values >> bit & 1) << packed).astype(np.uint8)
            spread[mask] |= ((values >> packed & 1) << bit).astype(np.uint8)
    return compress, spread


def _binomials(size: int) -> np.ndarray:
    return np.array([[comb(n, k) for k in range(size + 1)] for n in range(size + 1)], np.int64)


@kernel
def _fill_ranks(rank_low, rank_high, binomials):
    for value in range(rank_low.size):
        rank, seen = 0, 0
        for bit in range(16):
            if value >> bit & 1:
                seen += 1
                if seen <= bit and bit < binomials.shape[0]:
                    rank += binomials[bit, seen]
        rank_low[value] = rank
    for below in range(rank_high.shape[0]):
        for value in range(rank_high.shape[1]):
            rank, seen = 0, below
            for bit in range(10):
                if value >> bit & 1:
                    seen += 1
                    if seen <= bit + 16 and bit + 16 < binomials.shape[0]:
                        rank += binomials[bit + 16, seen]
            rank_high[below, value] = rank


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
    """All subsets of size k of n cells in colex order, for the sizes that occur (k ≤ cells − n)."""
    first = np.full((cells + 1, cells + 1), -1, np.int64)
    total = 0
    for length in range(cells + 1):
        for size in range(min(length, cells - length) + 1):
            first[length, size] = total
            total += comb(length, size)
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


# The small functions below take the arrays they read, not the whole NamedTuple: handing that on would count references to
# every array in it at each call, which costs more than the work itself.


# Indices are unsigned, since Numba tests signed ones for being negative; the two chunks every board has are written out.


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
    """The colex rank of a set among those of its size."""
    low = value & np.uint32(0xFFFF)
    high = value >> np.uint32(16)
    if high == 0:
        return np.int64(rank_low[low])
    return np.int64(rank_low[low]) + np.int64(rank_high[popcount(np.uint64(low)), high])


@njit
def all_cells(cells):
    """The set of all cells."""
    return np.uint32((U1 << np.uint64(cells)) - U1)


@njit
def columns_of(cells, more, fewer):
    """Number of columns of a pair's tables: ways to place the O tiles beside the X tiles; 0 beyond the full board."""
    length = cells - more
    if length < fewer:
        return np.int64(0)
    ways = np.int64(1)
    for k in range(fewer):
        ways = ways * (length - k) // (k + 1)
    return ways


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
    columns = comb(tables.cells - more, fewer)
    return Pair(more, fewer), side, int(_locate(tables, np.uint32(x_tiles), np.uint32(o_tiles), columns))


def tiles_at(tables: TileTables, pair: Pair, side: int, index: int) -> tuple[int, int]:
    """(mover, other) of an entry: the inverse of `table_entry`, up to symmetry."""
    columns = comb(tables.cells - pair.more, pair.fewer)
    row, column = divmod(index, columns)
    x_tiles = int(tables.representatives[tables.first_row[pair.more] + row])
    free = [cell for cell in range(tables.cells) if not x_tiles >> cell & 1]
    value = int(tables.combinations[tables.first_combination[len(free), pair.fewer] + column])
    o_tiles = sum(1 << cell for place, cell in enumerate(free) if value >> place & 1)
    return (x_tiles, o_tiles) if side == X_TO_MOVE else (o_tiles, x_tiles)
