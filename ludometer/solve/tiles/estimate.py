"""What solving a tile game will take, from the number of its entries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ludometer.core.game import Game
from ludometer.solve.reach import cores
from ludometer.solve.tiles.board import check_board, count_cells, count_symmetries
from ludometer.solve.tiles.index import image_of_cell
from ludometer.solve.tiles.pairs import Pair, all_pairs, needed_by

_SCRATCH_BYTES = 20  # per entry of one table of a pair: two lists of 6 bytes, and 8 for lost positions
_SECONDS_PER_MOVE = 8e-9  # for one move of one entry on one core, measured with quixo:4 on an AMD EPYC


@dataclass(frozen=True)
class Estimate:
    """What solving a game will take; bytes by what is kept ("none", "values", "distances")."""

    states: int  # positions
    entries: int  # of all tables: positions up to the symmetries of one side's tiles
    memory: dict[str, int]  # most bytes at a time when solved in memory with one worker
    folder_memory: int  # … when solved in a folder, for each worker
    disk: dict[str, int]  # bytes of the finished folder
    working_disk: int  # further bytes while solving into a folder with values or nothing kept
    seconds: float  # on the processor with all cores, from a measured rate: a rough figure


def estimate(game: Game, workers: int | None = None) -> Estimate:
    """What solving a tile game will take, without beginning to."""
    cells = check_board(game)
    sizes = sizes_of_game(game)
    entries = sum(sizes.values())
    look_up = 4 << cells  # the largest look-up table: an orbit for each set of cells
    waiting = needed_by(sizes, cells)
    held = working = in_memory = 0
    for pair, size in sizes.items():
        held += size
        in_memory = max(in_memory, held + _SCRATCH_BYTES * size // len(pair.sides))
        working = max(working, held)
        for need in pair.needs(cells):
            waiting[need] -= 1
            if waiting[need] == 0:
                held -= sizes[need]
    scratch = max(size + _SCRATCH_BYTES * size // len(pair.sides) for pair, size in sizes.items())
    heads = 4096 * ((cells + 1) * (cells + 2) // 2)
    rows = 4 * sum(rows_by_size(game))
    return Estimate(
        states=3**cells,
        entries=entries,
        memory={"none": look_up + in_memory, "values": look_up + in_memory + entries // 4, "distances": look_up + scratch + entries},
        folder_memory=look_up + scratch,
        disk={"none": heads, "values": heads + rows + entries // 4, "distances": heads + rows + entries},
        working_disk=working,
        seconds=entries * game.move_bound * _SECONDS_PER_MOVE / (workers or cores()),
    )


@lru_cache(maxsize=8)
def sizes_of_game(game: Game) -> dict[Pair, int]:
    """Entries of every pair, both tables, in an order of solving; without look-up tables."""
    rows = rows_by_size(game)
    cells = len(rows) - 1
    return {pair: rows[pair.more] * pair.columns(cells) * len(pair.sides) for pair in all_pairs(cells)}


@lru_cache(maxsize=8)
def rows_by_size(game: Game) -> tuple[int, ...]:
    """The number of sets of a tiles up to symmetry, for every a: the average number of sets that a symmetry leaves as they are."""
    cells = int(count_cells(game.rules))
    symmetries = count_symmetries(game)
    total = np.zeros(cells + 1, np.int64)
    for symmetry in range(symmetries):
        image = [int(image_of_cell(game.rules, cell, symmetry)) for cell in range(cells)]
        unchanged = np.zeros(cells + 1, np.int64)
        unchanged[0] = 1
        for length in _cycles(image):  # a set is left as it is when it has all or nothing of every cycle
            unchanged[length:] += unchanged[:-length].copy()
        total += unchanged
    return tuple(int(count) // symmetries for count in total)


def _cycles(image: list[int]) -> list[int]:
    """Lengths of the cycles of a permutation."""
    left = set(range(len(image)))
    lengths = []
    while left:
        cell = left.pop()
        length = 1
        while (image[cell]) in left:
            cell = image[cell]
            left.remove(cell)
            length += 1
        lengths.append(length)
    return lengths
