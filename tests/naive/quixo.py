"""Quixo written from the rules alone, slowly and plainly: the board is a list of rows of "X", "O" and ".".

On his turn a player picks a cube from the rim of the board that is blank or bears his own symbol, turns it to his symbol, and
slides it back in from an end of the row or column it left, pushing the others along; not from the end where it was.  A row,
column or diagonal of one symbol ends the game: whoever's symbol it is has won, except that a player who lines up the
opponent's symbol loses, even if his own is lined up by the same push.
"""

from __future__ import annotations

Board = list[list[str]]

OPPONENT = {"X": "O", "O": "X"}


def empty_board(size: int) -> Board:
    return [["."] * size for _ in range(size)]


def legal_moves(board: Board, player: str) -> list[str]:
    """Moves such as "A1>right", in no particular order; none when the game is over."""
    if winner(board, player) is not None:
        return []
    size = len(board)
    moves = []
    for row in range(size):
        for column in range(size):
            on_rim = row == 0 or column == 0 or row == size - 1 or column == size - 1
            if not on_rim or board[row][column] == OPPONENT[player]:
                continue
            square = "ABCDEFGH"[column] + str(row + 1)
            if row != 0:
                moves.append(square + ">top")
            if row != size - 1:
                moves.append(square + ">bottom")
            if column != 0:
                moves.append(square + ">left")
            if column != size - 1:
                moves.append(square + ">right")
    return moves


def play(board: Board, player: str, move: str) -> Board:
    square, side = move.split(">")
    column = "ABCDEFGH".index(square[0])
    row = int(square[1:]) - 1
    after = [list(line) for line in board]
    if side in ("left", "right"):
        cubes = after[row]
        cubes.pop(column)
        cubes.insert(0 if side == "left" else len(cubes), player)
    else:
        cubes = [line[column] for line in after]
        cubes.pop(row)
        cubes.insert(0 if side == "top" else len(cubes), player)
        for line, cube in zip(after, cubes):
            line[column] = cube
    return after


def winner(board: Board, player: str) -> str | None:
    """Who has won, when `player` is to move (his opponent has just pushed); None while the game goes on."""
    size = len(board)
    lines = [list(line) for line in board]
    lines += [[board[row][column] for row in range(size)] for column in range(size)]
    lines.append([board[i][i] for i in range(size)])
    lines.append([board[i][size - 1 - i] for i in range(size)])
    symbols = {line[0] for line in lines if len(set(line)) == 1 and line[0] != "."}
    if player in symbols:
        return player
    return OPPONENT[player] if symbols else None


def text(board: Board, player: str) -> str:
    return "/".join("".join(line) for line in board) + " " + player.lower()


def perft(board: Board, player: str, depth: int) -> int:
    """The number of sequences of exactly so many moves."""
    if depth == 0:
        return 1
    return sum(perft(play(board, player, move), OPPONENT[player], depth - 1) for move in legal_moves(board, player))
