"""m,n,k games: against a naive twin, frozen counts, notation, symmetries, drawing."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import ludometer as lm
from ludometer.core import protocol
from ludometer.core.errors import IllegalMoveError, NotationError, SpecError
from ludometer.core.outcome import ONGOING
from ludometer.games.mnk.notation import runs_of
from ludometer.solvers.perft import perft
from tests.naive.mnk import NaiveMnk

# (rows, columns, line) -> sequences of 1, 2, 3, … moves
PERFT = {
    (3, 3, 3): [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    (4, 4, 3): [16, 240, 3360, 43680, 524160, 5518656, 52817760],
    (3, 5, 3): [15, 210, 2730, 32760, 360360, 3445200, 29641464],
    (5, 3, 3): [15, 210, 2730, 32760, 360360, 3445200, 29641464],
    (1, 7, 2): [7, 42, 210, 600, 1320, 1152, 648],
    (2, 2, 2): [4, 12, 24, 0],
    (1, 1, 1): [1, 0],
    (9, 9, 2): [81, 6480, 511920, 36577632],
    (15, 15, 5): [225, 225 * 224, 225 * 224 * 223],
}


def spec(rows: int, columns: int, line: int) -> str:
    return f"mnk:{rows},{columns},{line}"


@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft(size):
    start = lm.game(spec(*size)).start()
    assert [perft(start, depth) for depth in range(1, len(PERFT[size]) + 1)] == PERFT[size]


@pytest.mark.parametrize("size", [size for size in PERFT if size[0] * size[1] < 20], ids=str)
def test_twin_has_the_same_perft(size):
    depth = min(4, len(PERFT[size]))
    assert NaiveMnk(*size).sequences(depth) == PERFT[size][depth - 1]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("size", "games"),
    [
        ((3, 3, 3), 200),
        ((3, 3, 2), 50),
        ((4, 4, 4), 80),
        ((5, 5, 4), 40),
        ((1, 1, 1), 1),
        ((1, 15, 4), 60),
        ((15, 1, 3), 60),
        ((2, 7, 3), 60),
        ((7, 4, 1), 5),
        ((7, 8, 8), 15),
        ((8, 7, 4), 15),
        ((8, 8, 5), 15),
        ((10, 12, 6), 4),
        ((15, 15, 5), 4),
        ((15, 15, 15), 1),
        ((13, 15, 4), 4),
    ],
    ids=str,
)
def test_random_games_agree_with_the_twin(size, games):
    chance = random.Random(repr(size))
    game = lm.game(spec(*size))
    for _ in range(games):
        twin = NaiveMnk(*size)
        position = game.start()
        while True:
            outcome = twin.outcome()
            assert position.outcome == (ONGOING if outcome is None else outcome)
            assert position.turn == twin.turn()
            assert str(position) == twin.text()
            assert game.position(str(position)) == position
            moves = twin.legal()
            assert [divmod(move, size[1] + 1) for move in position.legal] == moves
            if not moves:
                break
            choice = chance.randrange(len(moves))
            twin.play(moves[choice])
            position = position.play(position.legal[choice])


@pytest.mark.parametrize("size", [(3, 3, 3), (6, 11, 6), (15, 15, 15), (15, 13, 9)], ids=str)
def test_lines_are_found_everywhere(size):
    """Every line of the board alone, and every line less one mark."""
    rows, columns, line = size
    game = lm.game(spec(*size))
    for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
        for row in range(rows):
            for column in range(columns):
                places = [(row + down * i, column + right * i) for i in range(line)]
                if not all(0 <= r < rows and 0 <= c < columns for r, c in places):
                    continue
                for missing in (None, places[0], places[line // 2], places[-1]):
                    cells = ["X" if (r, c) in places and (r, c) != missing else "." for r in range(rows) for c in range(columns)]
                    grid = "/".join("".join(cells[r * columns : (r + 1) * columns]) for r in range(rows))
                    assert game.position(f"{grid} o").result == ("1-0" if missing is None else None)


@pytest.fixture(scope="module")
def tictactoe_ways():
    """Every position that play can reach, and how many sequences of moves lead to it."""
    waiting = {lm.game("tictactoe").start(): 1}
    found = {}
    while waiting:
        found |= waiting
        following: dict = {}
        for position, ways in waiting.items():
            for _, child in position.children():
                following[child] = following.get(child, 0) + ways
        waiting = following
    return found


@pytest.mark.exhaustive
def test_known_counts_of_tictactoe(tictactoe_ways):
    assert len(tictactoe_ways) == 5478
    final = [position for position in tictactoe_ways if position.is_over]
    assert len(final) == 958
    assert sum(tictactoe_ways[position] for position in final) == 255_168
    classes = {min(str(position.transformed(s)) for s in range(8)) for position in tictactoe_ways}
    assert len(classes) == 765


@pytest.mark.parametrize("text", ["tictactoe", "TicTacToe", "mnk:3,3,3", "mnk", "mnk: 3, 03 ,3"])
def test_spellings_of_tictactoe(text):
    assert lm.game(text).spec == "mnk:3,3,3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mnk:3,3", "mnk:3,3: write three numbers up to 15, rows, columns and the length of a line, such as mnk:3,3,3"),
        ("mnk:3x3,3", "mnk:3x3,3: write three numbers up to 15, rows, columns and the length of a line, such as mnk:3,3,3"),
        ("mnk:3,-3,3", "mnk:3,-3,3: write three numbers up to 15, rows, columns and the length of a line, such as mnk:3,3,3"),
        ("mnk:3,3,٣", "mnk:3,3,٣: write three numbers up to 15, rows, columns and the length of a line, such as mnk:3,3,3"),
        ("mnk:16,3,3", "mnk:16,3,3: a board has from 1 to 15 rows and columns"),
        ("mnk:3,0,3", "mnk:3,0,3: a board has from 1 to 15 rows and columns"),
        ("mnk:3,4,5", "mnk:3,4,5: the length of a line on this board is a number from 1 to 4"),
        ("mnk:3,4,0", "mnk:3,4,0: the length of a line on this board is a number from 1 to 4"),
    ],
)
def test_wrong_specs(text, message):
    with pytest.raises(SpecError, match=f"^{re.escape(message)}$"):
        lm.game(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XXX/OO./... x", "x is to move but has a line from A1 to C1 already; the game ended a move earlier, with o to move"),
        ("..O/XOX/O.. o", "o is to move but has a line from C1 to A3 already; the game ended a move earlier, with x to move"),
        ("XXX/OOO/... o", "o is to move but has a line from A2 to C2 already; the game ended a move earlier, with x to move"),
        ("XX/OO./... x", "character 3 is '/', expected one of X O . for C1"),
        ("XX./OO./...", "ends after 11 characters, expected a space and the side to move (x or o)"),
        ("XX./OO./... y", "character 13 is 'y', expected the side to move, x or o"),
        ("XX./OO./... x 1", "character 14 is ' ', expected the end"),
    ],
)
def test_wrong_positions(text, message):
    with pytest.raises(NotationError, match=f"^{re.escape(f'position {text!r}: {message}')}$"):
        lm.game("tictactoe").position(text)


def test_unusual_positions_are_taken():
    game = lm.game("tictactoe")
    assert game.position("xx./.X./... X").moves() == ["C1", "A2", "C2", "A3", "B3", "C3"]
    assert game.position("OO./.../... o").play("C1").result == "0-1"
    assert game.position("XXX/XXX/XXX o").result == "1-0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "move '': ends after 0 characters, expected a column from A to C"),
        ("D1", "move 'D1': character 1 is 'D', expected a column from A to C"),
        ("A4", "move 'A4': character 2 is '4', expected a row from 1 to 3"),
        ("A1!", "move 'A1!': character 3 is '!', expected the end"),
    ],
)
def test_wrong_moves(text, message):
    with pytest.raises(NotationError, match=f"^{re.escape(message)}$"):
        lm.game("tictactoe").start().play(text)


def test_moves_as_text():
    position = lm.game("tictactoe").start().play("b2")
    assert str(position) == ".../.X./... o"
    with pytest.raises(IllegalMoveError, match="^move 'B2' is not allowed here; legal moves are A1, B1, C1, A2, …$"):
        position.play("B2")
    with pytest.raises(IllegalMoveError, match="move number 3 is not allowed here"):
        position.play(3)  # the guard column
    assert str(lm.game("mnk:15,15,5").start().play("O15")).endswith("/..............X o")


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 5, 3), (15, 15, 5), (14, 9, 5), (1, 6, 3)], ids=str)
def test_symmetries_form_a_group(size):
    game = lm.game(spec(*size))
    start = game.start()
    cells = start.legal
    count = start.symmetry_count
    assert count == (8 if size[0] == size[1] else 4)
    images = [[start.transformed_move(cell, symmetry) for cell in cells] for symmetry in range(count)]
    assert images[0] == list(cells)
    assert all(sorted(image) == list(cells) for image in images)
    if min(size[0], size[1]) > 1:
        assert len({tuple(image) for image in images}) == count
    place = {cell: index for index, cell in enumerate(cells)}
    for first in images:
        for second in images:
            assert [second[place[cell]] for cell in first] in images


def test_numbers_of_the_symmetries():
    position = lm.game("tictactoe").position("XO./.../... x")
    seen = [str(position.transformed(symmetry)) for symmetry in range(8)]
    assert seen == [
        "XO./.../... x",
        ".OX/.../... x",
        ".../.../XO. x",
        ".../.../.OX x",
        "X../O../... x",
        "..X/..O/... x",
        ".../O../X.. x",
        ".../..O/..X x",
    ]
    wide = lm.game("mnk:2,15,3").position("XO............./............X.. o")
    assert str(wide.transformed(3)) == "..X............/.............OX o"


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(4, 4, 3), (15, 15, 5), (9, 14, 4)], ids=str)
def test_random_move_takes_the_legal_moves_in_order(size):
    """Random words at equal distances choose each legal move once."""
    chance = random.Random(repr(size))
    position = lm.game(spec(*size)).start()
    buffer = np.empty(position.game.move_bound, np.int32)
    for _ in range(9):
        moves = position.legal
        assert protocol.count_moves(position.game.rules, position.state) == len(moves)
        words = [np.uint64(((index << 32) // len(moves) + 1) << 32) for index in range(len(moves))]
        assert [protocol.random_move(position.game.rules, position.state, word, buffer) for word in words] == list(moves)
        position = position.play(chance.choice(moves))
        if position.is_over:
            break


def test_a_win_with_two_lines_at_once():
    position = lm.game("mnk:4,5,3").position("XX.OO/..X../O.X../..... x").play("C1")
    assert position.result == "1-0"
    assert runs_of(position.game.rules, list("XXXOO..X..O.X......."), "X") == [((0, 0), (0, 2)), ((0, 2), (2, 2))]


def test_drawing_shows_marks_moves_and_the_winning_line():
    position = lm.game("tictactoe").position("X.O/.X./O.. x")
    draw = position.game.kind.required("draw")
    picture = draw(position.game.rules, position.state, None)
    assert sorted(picture.spots) == list(position.legal)
    assert [shape.kind for shape in picture.shapes if shape.role == "first"] == ["cross"] * 2
    assert [shape.kind for shape in picture.shapes if shape.role == "second"] == ["ring"] * 2
    assert not [shape for shape in picture.shapes if shape.role == "last"]
    won = position.play("C3")
    picture = draw(won.game.rules, won.state, won.last)
    assert picture.spots == {}
    marked = [shape for shape in picture.shapes if shape.role == "last"]
    assert [shape.kind for shape in marked] == ["rect", "line"]
    spots = draw(position.game.rules, position.game.start().state, None).spots
    assert marked[1].numbers == (spots[0].x, spots[0].y, spots[10].x, spots[10].y)


def test_text_board():
    position = lm.game("mnk:2,3,2").start().play("B1").play("C2")
    lines = position.game.kind.required("text_board")(position.game.rules, position.state, position.last)
    assert ["".join(text for text, _ in line) for line in lines] == ["   A B C", " 1 . X . ", " 2 . . O "]
    assert ("O", "second last") in lines[2]
