"""The tic-tac-toe study's own alpha-beta players, to the digit: a game against itself and the states it visited, turn by turn.

game = play(4, 3)
game.states                        # (25589, 19061, 1, 1, 1)
play_week_three(order=1).states    # (6982, 3224, 686, 219, 68, 35, 16, 5, 2)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludometer.core.errors import LudometerError

if TYPE_CHECKING:
    from ludometer.studies.study_003.emulation_kernels import Board

Marks = tuple[np.uint64, np.uint64]  # of the player who began and of the other: cell number = bit

LARGEST = 5  # rows and columns: the keys of larger boards do not fit


@dataclass(frozen=True)
class EmulatedGame:
    """A game on an N×N board with `line` in a row to win."""

    size: int
    line: int
    states: tuple[int, ...]  # visited in each turn, the root included
    moves: tuple[int, ...]  # cells in reading order, from 0

    @property
    def board(self) -> str:
        """The final board, rows from the top."""
        cells = ["."] * self.size**2
        for turn, cell in enumerate(self.moves):
            cells[cell] = "XO"[turn % 2]
        return "/".join("".join(cells[row * self.size : (row + 1) * self.size]) for row in range(self.size))


def play(size: int, line: int) -> EmulatedGame:
    """Let the program of the fourth week play against itself; raises LudometerError for boards it is not meant for."""
    if not 1 < line <= size <= LARGEST:
        wanted = f"{size}×{size} with {line} in a row"
        raise LudometerError(f"the study's program is played again on boards up to {LARGEST}×{LARGEST}, not on {wanted}")
    from ludometer.studies.study_003 import emulation_kernels as kernels

    board = kernels.new_board(size, line)
    scratch, tables = kernels.new_scratch(board), (kernels.new_table(), kernels.new_table())

    def turn(marks: Marks, key: int, ply: int) -> tuple[int, int]:
        counts = np.ones(1, np.int64)
        found = kernels.search(board, tables[ply % 2], counts, scratch, marks, key, ply, -kernels.WON, kernels.WON, ply % 2)
        return int(counts[0]), int(found[1])

    return _game(board, turn)


def play_week_three(order: int = 0, answers: bool = False) -> EmulatedGame:
    """Let the program of the third week play tic-tac-toe against itself.

    `order`: 0 moves as listed, 1 best evaluation first, −1 worst first; `answers`: positions without pruned descendants are looked up.
    """
    from ludometer.studies.study_003 import emulation_kernels, week_three_kernels

    board = emulation_kernels.new_board(3, 3)
    scratch, tables = emulation_kernels.new_scratch(board), (emulation_kernels.new_table(), emulation_kernels.new_table())
    window = -week_three_kernels.NOTHING, week_three_kernels.NOTHING

    def turn(marks: Marks, key: int, ply: int) -> tuple[int, int]:
        counts = np.array([1, -1])
        week_three_kernels.search(board, tables[ply % 2], counts, scratch, marks, key, ply, ply, *window, ply % 2, order, answers)
        return int(counts[0]), int(counts[1])

    return _game(board, turn)


def _game(board: Board, turn: Callable[[Marks, int, int], tuple[int, int]]) -> EmulatedGame:
    """A game in which `turn` gives (states visited, move) for the marks of both players, the key of the position and its ply."""
    from ludometer.studies.study_003.emulation_kernels import has_line

    states, moves = [], []
    marks, key = [np.uint64(0), np.uint64(0)], 0
    for ply in range(board.size**2):
        visited, move = turn((marks[0], marks[1]), key, ply)
        states.append(visited)
        moves.append(move)
        marks[ply % 2] |= np.uint64(1 << move)
        key += (2 - ply % 2) * 3**move
        if has_line.py_func(board, marks[ply % 2]):
            break
    return EmulatedGame(board.size, board.line, tuple(states), tuple(moves))
