"""Men's morris: a naive twin, frozen counts, published values, mills, flying, and what is refused."""

from __future__ import annotations

import random
import re

import pytest

from ludometer.agents.search import evaluation
from ludometer.core.errors import NotationError, SpecError
from ludometer.games import game
from ludometer.games.morris.points import BOARDS
from ludometer.games.morris.rules import IMAGE, NEIGHBOURS
from tests.games.twins import assert_perft, assert_same_games, assert_same_position, naive_perft, values_of_all
from tests.naive.morris import NaiveMorris

PERFT = {3: (9, 72, 504, 3024, 15120), 6: (16, 240, 3360, 43680, 531648), 9: (24, 552, 12144, 255024)}


@pytest.mark.parametrize("men", PERFT)
def test_perft(men):
    assert_perft(game(f"morris:{men}"), PERFT[men])
    assert naive_perft(NaiveMorris(men), 3) == PERFT[men][2]


@pytest.mark.parametrize(("men", "games"), [(3, 20), (6, 12), (9, 10)])
def test_random_games_agree_with_the_twin(men, games):
    assert assert_same_games(game(f"morris:{men}"), NaiveMorris(men), games) > games // 2


@pytest.mark.parametrize("men", [3, 6, 9])
def test_random_boards_agree_with_the_twin(men):
    """Boards that random play seldom meets: many mills, few men, flying, blocked players."""
    subject = game(f"morris:{men}")
    taken = flown = over = 0
    for number in range(150):
        chance = random.Random(f"{men} {number}")
        twin = NaiveMorris(men)
        twin.player = chance.choice("XO")
        hand = chance.choice([0, 0, 1, 2]) + (twin.player == "O")
        if hand == 1 and twin.player == "O":
            hand = 0
        twin.hand = {"X": hand - (twin.player == "O" and hand > 0), "O": hand}
        points = list(twin.points)
        chance.shuffle(points)
        for player in "XO":
            most = men - twin.hand[player]
            for _ in range(most if men == 3 else chance.choice([3, most, chance.randrange(3, most + 1)]) if most > 3 else most):
                twin.on[points.pop()] = player
        try:
            position = subject.position(twin.text())
        except NotationError as error:
            assert "has won already" in str(error)
            continue
        assert_same_position(position, twin)
        over += position.is_over
        for move in position.moves():
            taken += "x" in move
            over += position.play(move).is_over
        for move in chance.sample(position.moves(), min(5, len(position.moves()))):
            assert_same_position(position.play(move), twin.play(move))
        source = len(twin.men(twin.player)) == 3 and twin.hand[twin.player] == 0
        flown += source and not position.is_over
    assert over > 0 and (men == 3 or taken > 50) and (men != 9 or flown > 20)


def test_three_men_is_won_in_the_centre():
    """Player 1 wins by the centre; a corner draws and a side loses (Murray 1952)."""
    subject = game("morris:3")
    values = values_of_all(subject)
    start = subject.start()
    assert values[start] > 0
    found = {move: -values[after] for move, after in start.children()}
    assert {move for move, value in found.items() if value > 0} == {"B2"}
    assert {move for move, value in found.items() if value == 0} == {"A1", "C1", "A3", "C3"}
    assert {move for move, value in found.items() if value < 0} == {"B1", "A2", "C2", "B3"}


def test_boards():
    for board, points, edges, mills, symmetries in zip(BOARDS, (9, 16, 24), (16, 20, 32), (8, 8, 16), (8, 16, 16)):
        assert (len(board.places), len(board.edges), len(board.mills), len(board.images)) == (points, edges, mills, symmetries)
        assert len(set(board.images)) == symmetries


@pytest.mark.parametrize("board", [0, 1, 2])
def test_symmetries_keep_neighbours_and_mills(board):
    points, mills = len(BOARDS[board].places), {frozenset(mill) for mill in BOARDS[board].mills}
    for images in IMAGE[board, : len(BOARDS[board].images), :points]:
        assert {frozenset(int(images[point]) for point in mill) for mill in mills} == mills
        for point in range(points):
            assert sum(1 << int(images[each]) for each in range(points) if int(NEIGHBOURS[board, point]) >> each & 1) == int(
                NEIGHBOURS[board, images[point]]
            )


def test_men_in_mills_are_safe_unless_all_are():
    subject = game("morris:9")
    mill = subject.position("XX./..O/.../X....X/OOO/.../... x 0").play
    assert str(mill("G4-G1xF2")) == "XXX/.../.../X...../OOO/.../... o 0"
    with pytest.raises(NotationError, match="not allowed"):
        mill("G4-G1xC5")
    all_in_mills = subject.position("XX./.../.../X....X/OOO/.../... x 0")
    assert {"G4-G1xC5", "G4-G1xD5", "G4-G1xE5"} <= set(all_in_mills.moves())
    assert all_in_mills.play("G4-G1xC5").result == "1-0"


def test_two_mills_at_once_take_one_man():
    position = game("morris:9").position("XX./.../.../.....X/O.O/.O./..X x 1")
    after = position.play("G1xC5")
    assert str(after).count("O") == 2 and str(after) == "XXX/.../.../.....X/..O/.O./..X o 1"


def test_flying():
    three = "XX./.../.../X...../OOO/O../... x 0"
    assert "A1-G7" in game("morris:9").position(three).moves()
    assert "A1-D4" not in " ".join(game("morris:6").position("XX./.../X.../..O/OOO x 0").moves())
    assert "A1-E1" not in game("morris:6").position("XX./.../X.../..O/OOO x 0").moves()


def test_wrong_positions_and_specs():
    subject = game("morris:3")
    for text, message in (
        (".../.../... x", "a space and the men in hand, from 0 to 3"),
        (".../.../... x 2", "x has 0 men on the board and 2 in hand; together they are 3"),
        ("XXX/OO./... x 0", "o has 2 men on the board and 0 in hand; together they are 3"),
        ("XXX/OO./..O x 0", "x is to move but has won already"),
        (".../.../... x 3!", "character 16 is '!', expected the end"),
    ):
        with pytest.raises(NotationError, match=re.escape(message)):
            subject.position(text)
    with pytest.raises(NotationError, match="at most 6"):
        game("morris:6").position("XXX/X.X/XX../.../... o 0")
    assert game("morris").spec == "morris:9"
    with pytest.raises(SpecError, match="the number of men is 3, 6 or 9"):
        game("morris:4")


def test_drawing_shows_men_in_hand_and_offers_each_capture():
    position = game("morris:6").position("XX./..O/..../..O/... x 2")
    draw = position.game.kind.required("draw")
    picture = draw(position.game.rules, position.state, None)
    closing = position.parse_move("E1xD2")
    assert picture.picks[closing] == ("E1", "D2")
    assert picture.picks[position.parse_move("B2")] == ("B2",)
    small = [shape for shape in picture.shapes if shape.numbers[1] > picture.height - 0.7]
    assert [shape.role for shape in small] == ["first"] * 2 + ["second"] * 2


def test_men_in_hand_count_for_their_owner():
    """After one move the players have nine men each; the man on the corner has two open ways, against the player to move."""
    position = game("morris").start().play("A1")
    assert evaluation(position, "men") == -2
    assert evaluation(position.play("D2"), "men") == 2 - 4
