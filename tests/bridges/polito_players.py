"""Players in the manner of the course, each as the text of a file of its own."""

RANDOM = """
import random
from game import Game, Move, Player

class RandomPlayer(Player):
    def __init__(self) -> None:
        super().__init__()

    def make_move(self, game: 'Game') -> tuple[tuple[int, int], Move]:
        from_pos = (random.randint(0, 4), random.randint(0, 4))
        move = random.choice([Move.TOP, Move.BOTTOM, Move.LEFT, Move.RIGHT])
        return from_pos, move
"""

# Tries every move on a deep copy and takes one that wins; has constructor arguments and a module of its own beside it.
LOOKING_AHEAD = """
from copy import deepcopy
import numpy as np
from game import Game, Move, Player
from border import places

class Ahead(Player):
    def __init__(self, number, depth=1, *, name='ahead'):
        self.number, self.depth = number, depth

    def make_move(self, game):
        assert game.get_current_player() == self.number
        board = game.get_board()
        board[:] = 7
        fallback = None
        for place in places():
            for side in Move:
                trial = deepcopy(game)
                if trial._Game__move(place, side, game.get_current_player()):
                    fallback = fallback or (place, side)
                    if trial.check_winner() == self.number:
                        return (np.int64(place[0]), np.int64(place[1])), side
        return fallback

class Other(Player):
    def make_move(self, game):
        return (0, 0), Move.RIGHT
"""
BORDER = """
def places():
    return [(x, y) for x in range(5) for y in range(5) if x in (0, 4) or y in (0, 4)]
"""

PREFIX = "import os, sys, time\nfrom game import Game, Move, Player\nclass Own(Player):\n    def make_move(self, game):\n"


def player(*lines: str) -> str:
    """A player whose `make_move` has these lines."""
    return PREFIX + "".join(f"        {line}\n" for line in lines)


LEGAL = (
    "board = game.get_board()",
    "me = game.get_current_player()",
    "for x in range(5):",
    "    if board[0, x] in (-1, me): return (x, 0), Move.BOTTOM",
    "for x in range(5):",
    "    if board[4, x] in (-1, me): return (x, 4), Move.TOP",
)

CHEATING = player(
    "game._board[:] = game.current_player_idx",
    "game.current_player_idx = 1 - game.current_player_idx",
    "Game.check_winner = lambda self: 0",
    "return (2, 2), Move.TOP",
)
