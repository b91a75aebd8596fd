"""Tic-tac-toe between players who look d moves ahead, without chance: exact probabilities as fractions.

A player of depth d values each move by minimax over the next d moves (its own included), with 0 where the game goes on, and
plays one of the best at random, all equally likely.  Depth 0 plays at random; depth 9 is perfect.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def result(board: str) -> int | None:
    """1 if X has won, -1 if O has, 0 for a draw, None while the game goes on; the board is nine of `X`, `O`, `.`."""
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return 1 if board[a] == "X" else -1
    return None if "." in board else 0


def after(board: str) -> list[str]:
    mark = "X" if board.count("X") == board.count("O") else "O"
    return [board[:cell] + mark + board[cell + 1 :] for cell in range(9) if board[cell] == "."]


@cache
def minimax(board: str, depth: int) -> int:
    """The value for X, looking `depth` moves ahead."""
    known = result(board)
    if known is not None or depth == 0:
        return known or 0
    values = [minimax(child, depth - 1) for child in after(board)]
    return max(values) if board.count("X") == board.count("O") else min(values)


@cache
def choices(board: str, depth: int) -> tuple[str, ...]:
    """The boards a player of this depth may move to, all equally likely."""
    children = after(board)
    if depth == 0:
        return tuple(children)
    values = [minimax(child, depth - 1) for child in children]
    best = max(values) if board.count("X") == board.count("O") else min(values)
    return tuple(child for child, value in zip(children, values) if value == best)


@cache
def chances(x_depth: int, o_depth: int, board: str = "." * 9) -> tuple[Fraction, Fraction, Fraction]:
    """The exact probabilities of X winning, a draw, and O winning."""
    known = result(board)
    if known is not None:
        return Fraction(known == 1), Fraction(known == 0), Fraction(known == -1)
    depth = x_depth if board.count("X") == board.count("O") else o_depth
    futures = [chances(x_depth, o_depth, child) for child in choices(board, depth)]
    win, draw, loss = (sum(future[place] for future in futures) / len(futures) for place in range(3))
    return Fraction(win), Fraction(draw), Fraction(loss)


def score(depth: int, other: int) -> Fraction:
    """The exact score of a depth against another over both seats."""
    win, draw, _ = chances(depth, other)
    _, late_draw, late_win = chances(other, depth)
    return (win + draw / 2 + late_win + late_draw / 2) / 2
