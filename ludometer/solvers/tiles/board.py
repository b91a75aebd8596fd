"""The board of a tile game: where every move and every symmetry carries the cells, asked from the game's own functions.

Quixo is such a game: a push carries the cubes along a row and the cube taken goes to the other end, marked by the mover.
All that the solver needs is found by asking the game's own `play` where a single tile goes; nothing is written twice.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import game_kernels, protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.dispatch import supports
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.protocol import tiling
from ludometer.core.protocol.tiling import TILES

MOST_CELLS = 25  # look-up tables have an entry for each set of cells
MOST_SYMMETRIES = 8  # a symmetry is three bits of an entry, see `lookup.TileTables.orbit`
MOST_MOVES = 64  # sets of moves are words


def is_tile_game(game: Game) -> bool:
    """Whether the game says how its states are made of two sets of tiles."""
    return supports(game, TILES)


def check_board(game: Game) -> int:
    """The number of cells of a tile game's board; raises LudometerError for boards beyond the solver."""
    if not is_tile_game(game):
        raise LudometerError(f"{game.spec} is not a game of tiles: its states are not made of two sets of tiles")
    cells = int(count_cells(game.rules))
    for number, most, what in (
        (cells, MOST_CELLS, "cells"),
        (count_symmetries(game), MOST_SYMMETRIES, "symmetries"),
        (game.move_bound, MOST_MOVES, "moves"),
    ):
        if number > most:
            raise LudometerError(f"{game.spec}: {number} {what} are more than the solver's {most}")
    return cells


def count_symmetries(game: Game) -> int:
    """Symmetries of the board, the one that changes nothing included."""
    return int(game_kernels.image_of_move(game.rules, 0, 0)[1])


@kernel
def count_cells(rules):
    return np.int64(tiling.tile_cells(rules))


@kernel
def _tiles_after(rules, mover, other, move):
    return tiling.tiles_of_state(rules, protocol.play(rules, tiling.state_of_tiles(rules, mover, other), move))


@kernel
def _moves_with_tiles(rules, mover, other, buffer):
    return np.int64(protocol.legal_moves(rules, tiling.state_of_tiles(rules, mover, other), buffer))


@kernel
def _tiles_through(rules, mover, other, symmetry):
    return tiling.tiles_of_state(rules, protocol.transform(rules, tiling.state_of_tiles(rules, mover, other), symmetry))


def carried_cells(game: Game, cells: int) -> tuple[list[np.ndarray], np.ndarray]:
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


def symmetry_cells(game: Game, cells: int) -> list[np.ndarray]:
    images = []
    for symmetry in range(count_symmetries(game)):
        seen = [int(_tiles_through(game.rules, np.uint64(1 << c), np.uint64(0), symmetry)[0]) for c in range(cells)]
        images.append(np.array([bits.bit_length() - 1 for bits in seen]))
    return images
