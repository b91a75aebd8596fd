"""Time, memory and disk that solving a tile game takes, estimated from the number of its entries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.solvers.tiles.board import check_board, count_cells, count_symmetries
from ludometer.solvers.tiles.index import image_of_cell
from ludometer.solvers.tiles.pairs import Pair, all_pairs, needed_by

_ROW_BYTES = 72  # for each row of a pair, both tables, while it is solved (`kernels.Side`)
_WORKER_BYTES = 4 << 20  # scratch of a thread
_LARGE = 1 << 22  # entries of a pair above which threads share it
_SECONDS_PER_ENTRY = 0.2e-6  # on one core; an order of magnitude, used unless `pace` measures it


@dataclass(frozen=True)
class Estimate:
    """Cost of solving a game; dictionaries by what is kept ("none", "values", "distances")."""

    states: int  # positions
    entries: int  # of all tables: positions up to the symmetries of one side's tiles
    memory: dict[str, int]  # most bytes at a time when solved in memory
    least_memory: int  # … when solved in a folder: the pair at work; tables it needs are read from files
    all_memory: int  # … with which no table that another pair needs has to be read from a file
    disk: dict[str, int]  # bytes of the finished folder
    working_disk: int  # further bytes while solving into a folder with values or nothing kept
    piece_disk: int  # further bytes while a long pair is solved: what a killed run goes on from
    seconds: float  # on the processor


def estimate(game: Game, workers: int | None = None, seconds_per_entry: float | None = None) -> Estimate:
    """Cost of solving a tile game.

    `seconds_per_entry`: for one core, as measured by `pace.seconds_per_entry`.
    """
    cells = check_board(game)
    sizes = sizes_of_game(game)
    rows = rows_by_size(game)
    entries = sum(sizes.values())
    threads = workers or usable_cores()
    fixed = look_up_bytes(game) + threads * _WORKER_BYTES
    waiting = needed_by(sizes, cells)
    held = held_most = in_memory = 0
    for pair, size in sizes.items():
        in_memory = max(in_memory, held)
        held += size
        held_most = max(held_most, held)
        for need in pair.needs(cells):
            waiting[need] -= 1
            if waiting[need] == 0:
                held -= sizes[need]
    at_once = pairs_at_once(game, threads)
    most_at_work = at_once * max(at_work(pair, size, rows) for pair, size in sizes.items())
    in_memory = max(in_memory, entries if at_once > 1 else 0) + most_at_work  # other orders hold other tables, never more than all
    heads = 4096 * ((cells + 1) * (cells + 2) // 2)
    row_bytes = 4 * sum(rows)
    return Estimate(
        states=3**cells,
        entries=entries,
        memory={"none": fixed + in_memory, "values": fixed + in_memory + entries // 4, "distances": fixed + most_at_work + entries},
        least_memory=fixed + most_at_work,
        all_memory=fixed + in_memory,
        disk={"none": heads, "values": heads + row_bytes + entries // 4, "distances": heads + row_bytes + entries},
        working_disk=held_most,
        piece_disk=2 * max(sizes.values()),
        seconds=entries * (seconds_per_entry or _SECONDS_PER_ENTRY) / threads,
    )


def pairs_at_once(game: Game, workers: int | None = None) -> int:
    """Number of pairs solved at the same time, one by each thread; 1 if pairs are so large that threads share the rows of one."""
    return 1 if max(sizes_of_game(game).values()) > _LARGE else workers or usable_cores()


def at_work(pair: Pair, entries: int, rows: tuple[int, ...]) -> int:
    """Bytes of a pair with `entries` entries while it is solved: two tables, on the diagonal as well, and data of each row."""
    return 2 * entries // len(pair.sides) + _ROW_BYTES * rows[pair.more]


def look_up_bytes(game: Game) -> int:
    """Bytes of the look-up tables of a board (`lookup.TileTables`) and of the scratch to make them."""
    cells = check_board(game)
    permute = 4 * 256 * max(2, -(-cells // 8)) * (2 * game.move_bound + 1) * count_symmetries(game)
    columns = 4 * sum(comb(length, size) for length in range(cells + 1) for size in range(min(length, cells - length) + 1))
    return (9 << cells) + permute + columns + (4 << 17)


@lru_cache(maxsize=8)
def sizes_of_game(game: Game) -> dict[Pair, int]:
    """Entries of every pair, both tables together, in an order of solving.  Needs no look-up tables."""
    rows = rows_by_size(game)
    cells = len(rows) - 1
    return {pair: rows[pair.more] * pair.columns(cells) * len(pair.sides) for pair in all_pairs(cells)}


@lru_cache(maxsize=8)
def rows_by_size(game: Game) -> tuple[int, ...]:
    """Number of sets of a tiles up to symmetry, for every a, by Burnside's lemma."""
    cells = int(count_cells(game.rules))
    symmetries = count_symmetries(game)
    total = np.zeros(cells + 1, np.int64)
    for symmetry in range(symmetries):
        image = [int(image_of_cell(game.rules, cell, symmetry)) for cell in range(cells)]
        unchanged = np.zeros(cells + 1, np.int64)
        unchanged[0] = 1
        for length in _cycles(image):  # a set is unchanged if it holds all or nothing of every cycle
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
