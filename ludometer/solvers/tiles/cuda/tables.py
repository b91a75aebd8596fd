"""Look-up tables for the kernels of `cuda`, made on the host."""

from __future__ import annotations

from math import comb

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.cuda.layout import NINE, PIECE, PIECES, SYMMETRIES
from ludometer.solvers.tiles.lookup import TileTables


def cell_after(tables: TileTables, way: int, symmetry: int, cell: int) -> int:
    return int(tables.permute[way, symmetry, cell // 8, 1 << cell % 8]).bit_length() - 1


def shift_groups(ways: np.ndarray) -> np.ndarray:
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


def small_tables(symmetries: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tables that kernels copy to shared memory: (seen, compress, spread), described at the constants in `cuda.layout`."""
    unchanged = np.arange(symmetries.shape[1])
    symmetries = np.array([*symmetries, *[unchanged] * (SYMMETRIES - len(symmetries))])  # as many as the kernels try
    values = np.arange(PIECE)
    seen = np.zeros((SYMMETRIES, PIECES, PIECE), np.uint32)
    for symmetry, image in enumerate(symmetries):
        for cell, after in enumerate(image):
            seen[symmetry, cell // 5] |= ((values >> cell % 5 & 1) << int(after)).astype(np.uint32)
    compress = np.zeros((PIECE, PIECE), np.uint8)
    spread = np.zeros((PIECE, PIECE), np.uint8)
    for selected in range(PIECE):
        for packed, bit in enumerate(bit for bit in range(5) if selected >> bit & 1):
            compress[selected] |= ((values >> bit & 1) << packed).astype(np.uint8)
            spread[selected] |= ((values >> packed & 1) << bit).astype(np.uint8)
    return seen.reshape(-1), compress.reshape(-1), spread.reshape(-1)


def nine_ranks(tiles: int) -> np.ndarray:
    """Ranks of up to 18 packed cells by chunks of 9: low chunks among those with as many tiles, then what high chunks add.

    In colexicographic order columns with the same high chunk follow each other.  High chunks come twice: for columns with `tiles` tiles and
    for those with one more.
    """
    counts = np.array([value.bit_count() for value in range(NINE)])
    low = [int(np.count_nonzero(counts[:value] == counts[value])) for value in range(NINE)]
    ranks = [low]
    for number in (tiles, tiles + 1):
        with_high = [comb(9, number - int(count)) if 0 <= number - count <= 9 else 0 for count in counts]
        ranks.append([0, *np.cumsum(with_high[:-1]).tolist()])
    return np.array(ranks, np.int64).astype(np.uint16).reshape(-1)


def five_ranks(chunks: int, cells: int) -> np.ndarray:
    """Ranks by chunks of 5: for chunk c, each number 0 … 5 c of tiles below it, and each value, what the chunk adds to the rank.

    What a row of more than 18 packed cells uses of these fits into 16 bits: it has at most 6 tiles.
    """
    ranks = []
    for chunk in range(chunks):
        for below in range(5 * chunk + 1):
            for value in range(32):
                places = [5 * chunk + bit for bit in range(5) if value >> bit & 1]
                added = sum(int(WAYS[place, below + number + 1]) for number, place in enumerate(places) if place < cells)
                ranks.append(added & 0xFFFF)
    return np.array(ranks, np.uint16)
