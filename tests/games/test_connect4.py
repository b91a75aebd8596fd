"""Connect Four: a naive twin, frozen counts, published values of small boards, and what is refused."""

from __future__ import annotations

import re

import pytest

from ludometer.core.errors import IllegalMoveError, NotationError, SpecError
from ludometer.games import game
from ludometer.solvers.acyclic.search import prove
from ludometer.solvers.acyclic.table import make_table
from tests.games.twins import assert_perft, assert_same_games, naive_perft
from tests.naive.connect4 import NaiveConnect4

PERFT = {
    (7, 6, 4): (7, 49, 343, 2401, 16807, 117649, 823536),
    (4, 4, 4): (4, 16, 64, 256, 1020, 4020, 15540),
    (3, 3, 3): (3, 9, 27, 78, 210, 456, 890),
}
# For the first player.  Lines of four: J. Tromp, "John's Connect Four Playground".
VALUES = {(3, 3, 3): 0, (4, 4, 4): 0, (5, 4, 4): 0, (6, 4, 4): -1, (4, 5, 4): 0, (4, 6, 4): 0, (5, 5, 4): 0}
LONG_VALUES = {(7, 4, 4): 0, (6, 5, 4): 0}
POSITIONS = {(4, 4): 161_029, (4, 5): 1_706_255}
AFTER_PLIES = (1, 7, 49, 238, 1120, 4263)  # distinct positions of the 7×6 board: OEIS A212693
GAMES_ON_4X3 = 356_232  # complete games: OEIS A342329


def spec(columns: int, rows: int, line: int) -> str:
    return f"connect4:{columns}x{rows},{line}"


@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft(size):
    assert_perft(game(spec(*size)), PERFT[size])
    assert naive_perft(NaiveConnect4(*size), 4) == PERFT[size][3]


@pytest.mark.parametrize("size", [(7, 6, 4), (4, 4, 4), (3, 3, 3), (1, 4, 2), (25, 1, 3), (2, 25, 6), (8, 7, 5), (5, 3, 1)], ids=str)
def test_random_games_agree_with_the_twin(size):
    assert assert_same_games(game(spec(*size)), NaiveConnect4(*size), 12) == 12


@pytest.mark.parametrize("size", VALUES, ids=str)
def test_published_values(size):
    assert prove(game(spec(*size)).start()).value.outcome == VALUES[size]


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", LONG_VALUES, ids=str)
def test_published_values_that_take_longer(size):
    assert prove(game(spec(*size)).start()).value.outcome == LONG_VALUES[size]


@pytest.mark.parametrize("size", POSITIONS, ids=str)
def test_published_numbers_of_positions(size):
    """All that can be reached, in a table whose value of the start is that of the search."""
    table = make_table(game(spec(*size, 4)))
    assert table.summary()["states"] == POSITIONS[size]
    assert table.value(table.game.start()).outcome == VALUES[*size, 4]


def test_positions_after_each_ply():
    layer = {game("connect4").start()}
    for wanted in AFTER_PLIES:
        assert len(layer) == wanted
        layer = {position.play(move) for position in layer for move in position.legal}


def test_complete_games():
    known = {}

    def games_from(position):
        if position not in known:
            known[position] = 1 if position.is_over else sum(games_from(position.play(move)) for move in position.legal)
        return known[position]

    assert games_from(game("connect4:4x3").start()) == GAMES_ON_4X3


def test_every_line_of_four_is_found():
    """All 69 lines of the 7×6 board, alone and with one disc missing, with discs of the opponent below."""
    subject = game("connect4")
    lines = 0
    for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
        for row in range(6):
            for column in range(7):
                places = [(row + down * i, column + right * i) for i in range(4)]
                if not all(0 <= r < 6 and 0 <= c < 7 for r, c in places):
                    continue
                lines += 1
                for missing in (None, 0, 1, 2, 3):
                    own = {place for number, place in enumerate(places) if number != missing}
                    board = [["X" if (r, c) in own else "." for c in range(7)] for r in range(6)]
                    for r in range(1, 6):
                        for c in range(7):
                            if board[r][c] == "." and any(board[above][c] != "." for above in range(r)):
                                board[r][c] = "O" if (r + c + c // 2) % 2 else "x"
                    text = "/".join("".join(line) for line in board).replace("x", "O") + " o"
                    try:
                        position = subject.position(text)
                    except NotationError:
                        continue  # the discs below make a line of their own
                    assert (position.result == "1-0") == (missing is None), text
    assert lines == 69


def test_specs():
    assert game("connect4").spec == "connect4:7x6,4" == game("CONNECT4:7X6").spec
    for wrong, message in (
        ("connect4:8x8", "72, and at most 64"),
        ("connect4:0x4", "from 1 to 25"),
        ("connect4:4x4,5", "from 1 to 4"),
        ("connect4:4", "write columns x rows"),
        ("connect4:4x4,0", "from 1 to 4"),
    ):
        with pytest.raises(SpecError, match=re.escape(message)):
            game(wrong)


def test_wrong_positions_and_moves():
    subject = game("connect4:3x3,3")
    for text, message in (
        (".../X../... o", "nothing lies below the disc on A2"),
        (".../.../XXX x", "x is to move but has a line already"),
        (".../.../.Z. x", "character 10 is 'Z', expected one of X O . for B3"),
        (".../../... x", "character 7 is '/', expected one of X O . for C2"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            subject.position(text)
    with pytest.raises(NotationError, match="a column from A to C"):
        subject.start().play("D")
    full = subject.position("X../O../X.. o")
    with pytest.raises(IllegalMoveError, match="not allowed here; legal moves are B, C"):
        full.play("A")


def test_drawing_shows_where_discs_fall_and_the_line_that_won():
    position = game("connect4").position("......./......./......./...O.../...O.../.XXXO.. x")
    draw = position.game.kind.required("draw")
    picture = draw(position.game.rules, position.state, None)
    assert picture.picks[0] == ("A6",) and picture.picks[3] == ("D3",)
    won = position.play("A")
    picture = draw(won.game.rules, won.state, won.last)
    assert picture.spots == {}
    strokes = [shape for shape in picture.shapes if shape.kind == "line"]
    assert [(shape.role, shape.numbers) for shape in strokes] == [("last", (1.1, 6.1, 4.1, 6.1))]
