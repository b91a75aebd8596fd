"""The tic-tac-toe study's own alpha-beta players, to the digit: a game against itself and the states it visited, turn by turn.

game = play(4, 3)
game.states                        # (25589, 19061, 1, 1, 1)
play_week_three(order=1).states    # (6982, 3224, 686, 219, 68, 35, 16, 5, 2)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludometer.core.errors import LudometerError

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
        raise LudometerError(
            f"the study's program is played again on boards up to {LARGEST}×{LARGEST}, not {size}×{size} with {line} in a row"
        )
    from ludometer.studies.study_003 import emulation_kernels as kernels

    states, moves = np.zeros(size * size, np.int64), np.zeros(size * size, np.int64)
    turns = int(kernels.play_game(kernels.new_board(size, line), states, moves))
    return EmulatedGame(size, line, tuple(states[:turns].tolist()), tuple(moves[:turns].tolist()))


def play_week_three(order: int = 0, answers: bool = False) -> EmulatedGame:
    """Let the program of the third week play tic-tac-toe against itself.

    `order`: 0 moves as listed, 1 best evaluation first, −1 worst first; `answers`: positions without pruned descendants are looked up.
    """
    from ludometer.studies.study_003 import emulation_kernels, week_three_kernels

    states, moves = np.zeros(9, np.int64), np.zeros(9, np.int64)
    turns = int(week_three_kernels.play_game(emulation_kernels.new_board(3, 3), order, answers, states, moves))
    return EmulatedGame(3, 3, tuple(states[:turns].tolist()), tuple(moves[:turns].tolist()))
