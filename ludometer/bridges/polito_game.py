"""The module `game` that Quixo players of the Politecnico di Torino course import: Game, Move and Player, as these players know them.

It is loaded under that name in the player's own process (see `polito_worker`) and knows nothing of the rest of this package.  The
board is `_board[row, column]`, −1 for a neutral cube, 0 and 1 for the players; a place in a move is (x, y): column, then row.
Players look ahead by calling `_Game__move` on copies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from enum import Enum
from typing import Any

import numpy as np

SIZE = 5
NEUTRAL = -1


class Move(Enum):
    """The side at which the cube goes back in."""

    TOP = 0
    BOTTOM = 1
    LEFT = 2
    RIGHT = 3


class Player(ABC):
    """Somebody who makes moves."""

    @abstractmethod
    def make_move(self, game: Game) -> tuple[tuple[int, int], Move]:
        """((x, y) of the cube taken, the side it goes back in)."""


class Game:
    """A board and whose turn it is."""

    def __init__(self) -> None:
        self._board = np.full((SIZE, SIZE), NEUTRAL)
        self.current_player_idx = 1  # `play` passes the turn before each move
        self._latest_mover: int | None = None

    def get_board(self) -> np.ndarray:
        """A copy of the board."""
        return deepcopy(self._board)

    def get_current_player(self) -> int:
        """Who is to move: 0 or 1."""
        return deepcopy(self.current_player_idx)

    def print(self) -> None:
        """The board on standard output, `.` for neutral, X for the first player."""
        for row in self._board:
            print(" ".join({0: "X", 1: "O"}.get(int(cube), ".") for cube in row))

    def check_winner(self) -> int:
        """The player with a line, −1 if there is none; if both have one, the one who did not make the latest move."""
        lines = [*self._board, *self._board.T, self._board.diagonal(), self._board[:, ::-1].diagonal()]
        owners = {int(line[0]) for line in lines if line[0] != NEUTRAL and (line == line[0]).all()}
        if len(owners) == 2:
            return int(self.current_player_idx if self._latest_mover is None else 1 - self._latest_mover)
        return owners.pop() if owners else NEUTRAL

    def play(self, player1: Player, player2: Player) -> int:
        """Play until a player has won, and return which."""
        players = (player1, player2)
        while self.check_winner() == NEUTRAL:
            self.current_player_idx = (self.current_player_idx + 1) % 2
            done = False
            while not done:
                place, side = players[self.current_player_idx].make_move(self)
                done = self.__move(place, side, self.current_player_idx)
        return self.check_winner()

    def __move(self, from_pos: tuple[int, int], slide: Move, player_id: int) -> bool:
        """Make a move if it is legal; otherwise nothing changes and the answer is False."""
        if player_id not in (0, 1):
            return False
        place = from_pos[1], from_pos[0]
        if not (0 <= place[0] < SIZE and 0 <= place[1] < SIZE):
            return False
        before = self._board[place]
        if not self.__take(place, player_id):
            return False
        if not self.__slide(place, slide):
            self._board[place] = before
            return False
        self._latest_mover = int(player_id)
        return True

    def __take(self, from_pos: tuple[int, int], player_id: int) -> bool:
        """Turn the cube at (row, column) into the player's, if it is neutral or his and on the border."""
        row, column = from_pos
        on_border = row in (0, SIZE - 1) or column in (0, SIZE - 1)
        if not on_border or self._board[row, column] not in (NEUTRAL, player_id):
            return False
        self._board[row, column] = player_id
        return True

    def __slide(self, from_pos: tuple[int, int], slide: Move) -> bool:
        """Push the cube at (row, column) back in at a side, unless it is at that side."""
        row, column = from_pos
        line: Any
        if slide in (Move.LEFT, Move.RIGHT):
            line, at = self._board[row], column
        elif slide in (Move.TOP, Move.BOTTOM):
            line, at = self._board[:, column], row
        else:
            return False
        end = 0 if slide in (Move.LEFT, Move.TOP) else SIZE - 1
        if at == end:
            return False
        cube = line[at]
        if end == 0:
            line[1 : at + 1] = line[:at].copy()
        else:
            line[at:end] = line[at + 1 :].copy()
        line[end] = cube
        return True
