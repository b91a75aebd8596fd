"""Ultimate Tic-Tac-Toe as text.

Position: the nine rows of the table, the side to move, and the small board to play in, `*` for any; with the open rules then
the owners of the small boards, since a board may hold lines of both players.

    X......../........./........./........./........./........./........./........./......... o A1
    X......../........./........./........./........./........./........./........./......... o A1 .........

Move: the small board and the cell in it, `B2/A3`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core.bits import Words
from ludometer.core.drawing import Part
from ludometer.core.errors import NotationError, unexpected
from ludometer.core.notation import TURN, format_grid, impossible, parse_end, parse_grid, parse_side, square_name
from ludometer.games.ultimate import GAME
from ludometer.games.ultimate.rules import ANY, UltimateRules, UltimateState, contains_line


def name_of(number: int) -> str:
    """A1 to C3, for a small board or for a cell in one."""
    return square_name(*divmod(number, 3))


def place_of(board: int, cell: int) -> tuple[int, int]:
    """Row and column on the 9×9 table."""
    return 3 * (board // 3) + cell // 3, 3 * (board % 3) + cell % 3


def bits_of(marks: Words, board: int) -> int:
    """The nine bits of one small board."""
    return int(marks[board // 7]) >> 9 * (board % 7) & 511


def cells_of(state: UltimateState) -> list[str]:
    """The 81 cells of the table, row by row: `X`, `O` or `.`."""
    first, second = (state.mover, state.other) if state.turn == 0 else (state.other, state.mover)
    cells = ["."] * 81
    for board in range(9):
        for cell in range(9):
            row, column = place_of(board, cell)
            if bits_of(first, board) >> cell & 1:
                cells[9 * row + column] = "X"
            elif bits_of(second, board) >> cell & 1:
                cells[9 * row + column] = "O"
    return cells


def owners_of(state: UltimateState) -> str:
    """Winner of each small board: `X`, `O` or `.` for none."""
    boards = int(state.mover_boards), int(state.other_boards)
    first, second = boards if state.turn == 0 else boards[::-1]
    return "".join("X" if first >> board & 1 else "O" if second >> board & 1 else "." for board in range(9))


def format_position(rules: UltimateRules, state: UltimateState) -> str:
    grid = format_grid(cells_of(state), 9, GAME.players[int(state.turn)])
    text = f"{grid} {'*' if state.board == ANY else name_of(int(state.board))}"
    return f"{text} {owners_of(state)}" if rules.open else text


def parse_position(rules: UltimateRules, text: str) -> UltimateState:
    """Any numbers of marks are taken, but small boards and the board to play in must agree with the marks."""
    cells, at = parse_grid(text, 9, 9, "XO.")
    player, at = parse_side(text, at, GAME.players)
    board, at = _parse_board_to_play(text, at)
    marks = [[_bits_in(cells, small, symbol) for small in range(9)] for symbol in GAME.players]
    if rules.open:
        owners, at = _parse_owners(text, at)
    else:
        owners = _owners_by_lines(text, marks)
    parse_end(text, at)
    _check_owners(text, marks, owners)
    boards = [sum(1 << small for small in range(9) if owners[small] == symbol) for symbol in GAME.players]
    if contains_line(boards[player]):
        raise impossible(
            text,
            f"{GAME.players[player]} is to move but has three small boards in a line already; "
            f"the game ended a move earlier, with {GAME.players[1 - player]} to move",
        )
    if board is not None:
        if marks[0][board] | marks[1][board] == 511:
            raise _cannot_play_in(text, board, "full")
        if not rules.open and owners[board] != ".":
            raise _cannot_play_in(text, board, f"won by {owners[board]}")
    wide = [(np.uint64(_joined(small[:7])), np.uint64(_joined(small[7:]))) for small in marks]
    return UltimateState(
        wide[player],
        wide[1 - player],
        np.uint64(boards[player]),
        np.uint64(boards[1 - player]),
        ANY if board is None else np.uint64(board),
        np.uint64(player),
    )


def _bits_in(cells: list[str], board: int, symbol: str) -> int:
    places = [place_of(board, cell) for cell in range(9)]
    return sum(1 << cell for cell, (row, column) in enumerate(places) if cells[9 * row + column] == symbol)


def _joined(bits: list[int]) -> int:
    return sum(nine << 9 * place for place, nine in enumerate(bits))


def _parse_name(what: str, text: str, at: int, meaning: str) -> int:
    """The number of a small board or cell written at this place, such as `C1`."""
    column = "abc".find(text[at : at + 1].lower() or "?")
    if column < 0:
        raise unexpected(what, text, at, f"{meaning}, a column from A to C")
    row = "123".find(text[at + 1 : at + 2] or "?")
    if row < 0:
        raise unexpected(what, text, at + 1, f"{meaning}, a row from 1 to 3")
    return 3 * row + column


def _parse_board_to_play(text: str, at: int) -> tuple[int | None, int]:
    """(board or None for any, next index) after one space."""
    if text[at : at + 1] != " ":
        raise unexpected("position", text, at, "a space and the small board to play in (A1 to C3, or * for any)")
    if text[at + 1 : at + 2] == "*":
        return None, at + 2
    if not text[at + 1 : at + 2]:
        raise unexpected("position", text, at + 1, "the small board to play in (A1 to C3, or * for any)")
    return _parse_name("position", text, at + 1, "the small board to play in"), at + 3


def _parse_owners(text: str, at: int) -> tuple[str, int]:
    """(nine characters in lower case, next index) after one space."""
    if text[at : at + 1] != " ":
        raise unexpected("position", text, at, "a space and the owners of the nine small boards (X, O or . for each)")
    for board in range(9):
        owner = text[at + 1 + board : at + 2 + board]
        if not owner or owner.lower() not in "xo.":
            raise unexpected("position", text, at + 1 + board, f"one of X O . for the owner of small board {name_of(board)}")
    return text[at + 1 : at + 10].lower(), at + 10


def _owners_by_lines(text: str, marks: list[list[int]]) -> str:
    """Owners of the small boards under the closed rules, where a board has lines of one player at most."""
    owners = ""
    for board in range(9):
        having = [symbol for symbol, boards in zip(GAME.players, marks) if contains_line(boards[board])]
        if len(having) == 2:
            raise impossible(text, f"small board {name_of(board)} holds lines of both players, but a board that is won is closed")
        owners += having[0] if having else "."
    return owners


def _check_owners(text: str, marks: list[list[int]], owners: str) -> None:
    """Raise unless every owner has a line in his small board and every line has an owner."""
    for board in range(9):
        having = [symbol for symbol, boards in zip(GAME.players, marks) if contains_line(boards[board])]
        if owners[board] == "." and having:
            raise impossible(text, f"small board {name_of(board)} holds a line of {' and '.join(having)}, so its owner cannot be '.'")
        if owners[board] != "." and owners[board] not in having:
            raise impossible(text, f"small board {name_of(board)} holds no line of its owner {owners[board]}")


def _cannot_play_in(text: str, board: int, why: str) -> NotationError:
    return impossible(text, f"no player can be sent to small board {name_of(board)}, which is {why}; write * for any board")


PLAY_IN = "board to play in"


def setup_parts(rules: UltimateRules, state: UltimateState) -> list[Part]:
    """The cells, the side to move and the board to play in; with the open rules also who owns a small board in which both have a line."""
    cells, owners = cells_of(state), owners_of(state)
    places = [(f"{name_of(board)}/{name_of(cell)}", place_of(board, cell)) for board in range(9) for cell in range(9)]
    here = "*" if state.board == ANY else name_of(int(state.board))
    return [
        *(Part(name, cells[9 * row + column], (".", "X", "O")) for name, (row, column) in places),
        Part(TURN, GAME.players[int(state.turn)], GAME.players, on_board=False),
        Part(PLAY_IN, here, ("*", *map(name_of, range(9))), on_board=False),
        *(
            Part(_owner_part(board), owner.replace(".", "X"), ("X", "O"), on_board=False)
            for board, owner in enumerate(owners)
            if rules.open
        ),
    ]


def _owner_part(board: int) -> str:
    return f"owner of {name_of(board)}"


def setup_text(rules: UltimateRules, values: Mapping[str, str]) -> str:
    """The position of these parts.  A small board's owner follows from its lines, or from its part if both players have one."""
    cells = ["."] * 81
    for board in range(9):
        for cell in range(9):
            row, column = place_of(board, cell)
            cells[9 * row + column] = values.get(f"{name_of(board)}/{name_of(cell)}", ".")
    text = f"{format_grid(cells, 9, values.get(TURN, ''))} {values.get(PLAY_IN, '*')}"
    if not rules.open:
        return text
    owners = ""
    for small in range(9):
        having = "".join(symbol for symbol in "XO" if contains_line(_bits_in(cells, small, symbol)))
        owners += values.get(_owner_part(small), "X") if len(having) == 2 else having or "."
    return f"{text} {owners}"


def format_move(rules: UltimateRules, state: UltimateState, move: int) -> str:
    board, cell = divmod(move, 9)
    return f"{name_of(board)}/{name_of(cell)}"


def parse_move(rules: UltimateRules, state: UltimateState, text: str) -> int:
    board = _parse_name("move", text, 0, "a small board")
    if text[2:3] != "/":
        raise unexpected("move", text, 2, "'/' and the cell in the small board, such as A3")
    cell = _parse_name("move", text, 3, "a cell")
    if len(text) > 5:
        raise unexpected("move", text, 5, "the end")
    return 9 * board + cell
