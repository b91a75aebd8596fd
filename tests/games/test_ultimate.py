"""Ultimate Tic-Tac-Toe, closed and open: against a naive twin, frozen counts, notation, symmetries, drawing."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import ludometer as lm
from ludometer.core import protocol
from ludometer.core.errors import IllegalMoveError, NotationError, SpecError
from ludometer.core.outcome import ONGOING
from ludometer.solvers.perft import perft
from tests.naive.ultimate import NaiveUltimate

VARIANTS = ("ultimate", "ultimate:open")

# sequences of 1, 2, 3, … moves
PERFT = {
    "ultimate": [81, 720, 6336, 55080, 473256, 4020960, 33782544],
    "ultimate:open": [81, 720, 6336, 55080, 473256, 4017888, 33702480],
}

EMPTY = "........."


def table(*boards: str) -> str:
    """The nine rows of a table whose small boards are given as nine characters each; those left out are empty."""
    small = [*boards, *[EMPTY] * (9 - len(boards))]
    return "/".join("".join(small[3 * (row // 3) + c][3 * (row % 3) : 3 * (row % 3) + 3] for c in range(3)) for row in range(9))


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft(variant):
    start = lm.game(variant).start()
    assert [perft(start, depth) for depth in range(1, len(PERFT[variant]) + 1)] == PERFT[variant]


@pytest.mark.parametrize("variant", VARIANTS)
def test_twin_has_the_same_perft(variant):
    assert [NaiveUltimate(variant != "ultimate").sequences(depth) for depth in (1, 2, 3, 4)] == PERFT[variant][:4]


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_agree_with_the_twin(variant):
    chance = random.Random(variant)
    game = lm.game(variant)
    results = set()
    for number in range(150):
        twin = NaiveUltimate(variant != "ultimate")
        position = game.start()
        while True:
            outcome = twin.outcome()
            assert position.outcome == (ONGOING if outcome is None else outcome)
            assert position.turn == twin.turn()
            assert str(position) == twin.text()
            assert game.position(str(position)) == position
            moves = twin.legal()
            assert [divmod(move, 9) for move in position.legal] == moves
            if not moves:
                break
            if number % 50 == 0 and twin.played % 9 == 8:
                assert perft(position, 3) == twin.sequences(3)
            choice = chance.randrange(len(moves))
            twin.play(moves[choice])
            position = position.play(position.legal[choice])
        results.add(position.result)
    assert results == {"1-0", "0-1", "1/2-1/2"}


def test_specs():
    assert lm.game("Ultimate").spec == "ultimate"
    assert lm.game("ultimate:OPEN").spec == "ultimate:open"
    with pytest.raises(SpecError, match="^ultimate:shut: the only variant is ultimate:open; write ultimate or ultimate:open$"):
        lm.game("ultimate:shut")


def test_a_won_board_is_shut_or_stays_open():
    boards = table("XX.......", EMPTY, EMPTY, EMPTY, "O.O......")
    closed = lm.game("ultimate").position(f"{boards} x A1").play("A1/C1")
    assert str(closed).endswith(" o C1")
    sent_back = closed.play("C1/A1")
    assert str(sent_back).endswith(" x *")
    assert len(sent_back.legal) == 81 - 9 - 3
    assert not [move for move in sent_back.moves() if move.startswith("A1/")]
    opened = lm.game("ultimate:open").position(f"{boards} x A1 {EMPTY}").play("A1/C1").play("C1/A1")
    assert str(opened).endswith(" x A1 X........")
    assert opened.moves() == ["A1/A2", "A1/B2", "A1/C2", "A1/A3", "A1/B3", "A1/C3"]


def test_an_open_board_stays_with_its_first_winner():
    boards = table("XXXOO....")
    game = lm.game("ultimate:open")
    later = game.position(f"{boards} o A1 X........").play("A1/C2")
    assert str(later).split()[-1] == "X........"
    full = game.position(f"{table('XXXOO.XOX')} o A1 X........").play("A1/C2").play("C2/A1")
    assert str(full).split()[-2:] == ["*", "X........"]
    assert len(full.legal) == 81 - 9 - 1


def test_a_board_filled_by_the_move_itself_gives_free_choice():
    position = lm.game("ultimate").position(f"{table('.XOXOOXOX')} x A1").play("A1/A1")
    assert str(position).endswith(" o *")


def test_the_game_goes_on_until_no_cell_can_be_played():
    """No line of three boards is possible any more, and yet it is not a draw before the last cell is taken."""
    x, o, full = "XXX......", "OOO......", "XOXXOOOXX"
    boards = table(x, o, x, x, o, o, o, x, "XOXXO.OXX")
    position = lm.game("ultimate").position(f"{boards} o C3")
    assert position.result is None
    assert position.play("C3/C2").result == "1/2-1/2"
    drawn = lm.game("ultimate").position(f"{table(x, o, x, x, o, o, o, x, full)} x *")
    assert drawn.result == "1/2-1/2" and drawn.legal == ()
    with pytest.raises(NotationError, match="no player can be sent to small board C3, which is full"):
        lm.game("ultimate").position(f"{table(x, o, x, x, o, o, o, x, full)} x C3")


def test_three_boards_in_a_line_win():
    boards = table("XXX......", "OO.......", "OO.......", EMPTY, "XXX......", EMPTY, EMPTY, EMPTY, "XX.......")
    position = lm.game("ultimate").position(f"{boards} x C3").play("C3/C1")
    assert position.result == "1-0"
    assert position.legal == ()
    assert lm.game("ultimate").position(str(position)) == position


WON = "XXX......"


@pytest.mark.parametrize(
    ("variant", "rest", "message"),
    [
        ("ultimate", f"{table()} x", "ends after 91 characters, expected a space and the small board to play in (A1 to C3, or * for any)"),
        ("ultimate", f"{table()} x D1", "character 93 is 'D', expected the small board to play in, a column from A to C"),
        ("ultimate", f"{table()} x A4", "character 94 is '4', expected the small board to play in, a row from 1 to 3"),
        ("ultimate", f"{table()} x A", "ends after 93 characters, expected the small board to play in, a row from 1 to 3"),
        ("ultimate", f"{table()} x * {EMPTY}", "character 94 is ' ', expected the end"),
        ("ultimate", f"{table(WON)} o A1", "no player can be sent to small board A1, which is won by x; write * for any board"),
        ("ultimate", f"{table(EMPTY, 'XOXXOOOXX')} o B1", "no player can be sent to small board B1, which is full; write * for any board"),
        (
            "ultimate",
            f"{table(EMPTY, EMPTY, EMPTY, 'XXXOOO...')} x *",
            "small board A2 holds lines of both players, but a board that is won is closed",
        ),
        (
            "ultimate",
            f"{table(WON, WON, WON)} x *",
            "x is to move but has three small boards in a line already; the game ended a move earlier, with o to move",
        ),
        (
            "ultimate:open",
            f"{table()} x *",
            "ends after 93 characters, expected a space and the owners of the nine small boards (X, O or . for each)",
        ),
        ("ultimate:open", f"{table()} x * ....?....", "character 99 is '?', expected one of X O . for the owner of small board B2"),
        ("ultimate:open", f"{table()} x * ....", "ends after 98 characters, expected one of X O . for the owner of small board B2"),
        ("ultimate:open", f"{table()} x * {EMPTY}X", "character 104 is 'X', expected the end"),
        ("ultimate:open", f"{table(WON)} x * O........", "small board A1 holds no line of its owner o"),
        ("ultimate:open", f"{table(WON)} x * {EMPTY}", "small board A1 holds a line of x, so its owner cannot be '.'"),
        (
            "ultimate:open",
            f"{table('XXXOOO...')} x * {EMPTY}",
            "small board A1 holds a line of x and o, so its owner cannot be '.'",
        ),
        (
            "ultimate:open",
            f"{table(EMPTY, 'XOXXOOOXX')} o B1 {EMPTY}",
            "no player can be sent to small board B1, which is full; write * for any board",
        ),
    ],
)
def test_wrong_positions(variant, rest, message):
    with pytest.raises(NotationError, match=f": {re.escape(message)}$"):
        lm.game(variant).position(rest)


@pytest.mark.parametrize("owners", ["X........", "O........"])
def test_open_boards_with_lines_of_both_keep_the_owner_written(owners):
    text = f"{table('XXXOOO...')} x A1 {owners}"
    assert str(lm.game("ultimate:open").position(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "move '': ends after 0 characters, expected a small board, a column from A to C"),
        ("B4/A1", "move 'B4/A1': character 2 is '4', expected a small board, a row from 1 to 3"),
        ("B2-A1", "move 'B2-A1': character 3 is '-', expected '/' and the cell in the small board, such as A3"),
        ("B2/", "move 'B2/': ends after 3 characters, expected a cell, a column from A to C"),
        ("B2/A3x", "move 'B2/A3x': character 6 is 'x', expected the end"),
    ],
)
def test_wrong_moves(text, message):
    with pytest.raises(NotationError, match=f"^{re.escape(message)}$"):
        lm.game("ultimate").start().play(text)


def test_moves_as_text():
    position = lm.game("ultimate").start().play("b2/a3")
    assert str(position) == f"{table(EMPTY, EMPTY, EMPTY, EMPTY, '......X..')} o A3"
    with pytest.raises(IllegalMoveError, match="^move 'B2/A1' is not allowed here; legal moves are A3/A1, A3/B1, A3/C1, A3/A2, …$"):
        position.play("B2/A1")


def test_symmetries_form_a_group():
    start = lm.game("ultimate").start()
    images = [[start.transformed_move(move, symmetry) for move in range(81)] for symmetry in range(start.symmetry_count)]
    assert len(images) == 8 and len({tuple(image) for image in images}) == 8
    assert images[0] == list(range(81))
    for first in images:
        assert sorted(first) == list(range(81))
        for second in images:
            assert [second[move] for move in first] in images


@pytest.mark.parametrize("variant", VARIANTS)
def test_symmetries_keep_the_game(variant):
    chance = random.Random(variant)
    game = lm.game(variant)
    for _ in range(10):
        position = game.start()
        while not position.is_over:
            move = chance.choice(position.legal)
            symmetry = chance.randrange(8)
            image = position.transformed(symmetry)
            assert list(image.legal) == sorted(image.transformed_move(m, symmetry) for m in position.legal)
            following = position.play(move)
            assert following.transformed(symmetry) == image.play(position.transformed_move(move, symmetry))
            assert game.position(str(image)) == image
            position = following
        assert {position.transformed(symmetry).result for symmetry in range(8)} == {position.result}


def test_numbers_of_the_symmetries():
    position = lm.game("ultimate").start().play("B1/A2")
    seen = [position.transformed(symmetry) for symmetry in range(8)]
    assert [str(image).split()[-1] for image in seen] == ["A2", "C2", "A2", "C2", "B1", "B1", "B3", "B3"]
    assert str(seen[1]) == f"{table(EMPTY, '.....X...')} o C2"
    assert str(seen[4]) == f"{table(EMPTY, EMPTY, EMPTY, '.X.......')} o B1"


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_move_takes_the_legal_moves_in_order(variant):
    """Random words at equal distances choose each legal move once."""
    chance = random.Random(variant)
    game = lm.game(variant)
    buffer = np.empty(game.move_bound, np.int32)
    for _ in range(20):
        position = game.start()
        while not position.is_over:
            moves = position.legal
            assert protocol.count_moves(game.rules, position.state) == len(moves)
            words = [np.uint64(((index << 32) // len(moves) + 1) << 32) for index in range(len(moves))]
            assert [protocol.random_move(game.rules, position.state, word, buffer) for word in words] == list(moves)
            position = position.play(chance.choice(moves))


@pytest.mark.parametrize("variant", VARIANTS)
def test_drawing_shows_every_legal_move(variant):
    chance = random.Random(variant)
    position = lm.game(variant).start()
    draw = position.game.kind.required("draw")
    while True:
        picture = draw(position.game.rules, position.state, position.last)
        assert sorted(picture.spots) == list(position.legal)
        boards = {move // 9 for move in position.legal}
        assert len([shape for shape in picture.shapes if shape.role == "target"]) == len(boards)
        marks = [shape.role for shape in picture.shapes if shape.kind in ("cross", "ring") and not shape.role.endswith("area")]
        text = str(position).split()[0]
        assert (marks.count("first"), marks.count("second")) == (text.count("X"), text.count("O"))
        if position.is_over:
            break
        position = position.play(chance.choice(position.legal))
    won = [shape for shape in picture.shapes if shape.role.endswith("area")]
    assert {shape.kind for shape in won} >= {"rect"} and len(won) >= 6


def test_text_board():
    boards = table("XXX......", EMPTY, "..O......")
    position = lm.game("ultimate").position(f"{boards} o C1").play("C1/B2")
    lines = position.game.kind.required("text_board")(position.game.rules, position.state, position.last)
    assert ["".join(text for text, _ in line).rstrip() for line in lines] == [
        "     A       B       C",
        "   X X X | . . . | . . O",
        " 1 . . . | . . . | . O .",
        "   . . . | . . . | . . .",
        "   ------+-------+------",
        "   . . . | . . . | . . .",
        " 2 . . . | . . . | . . .",
        "   . . . | . . . | . . .",
        "   ------+-------+------",
        "   . . . | . . . | . . .",
        " 3 . . . | . . . | . . .",
        "   . . . | . . . | . . .",
    ]
    assert ("O", "second last") in lines[2]
    assert (".", "first-area") in lines[2]
    assert (".", "target") in lines[5]
