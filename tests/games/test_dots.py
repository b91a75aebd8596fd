"""Dots-and-Boxes against its slow twin, frozen counts, known values, symmetries and notation."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludometer.core import protocol
from ludometer.core.bits import wide_to_integer
from ludometer.core.errors import IllegalMoveError, LudometerError, NotationError, SpecError
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.position import Position
from ludometer.games import game
from ludometer.solvers.perft import perft
from ludometer.view.boards.terminal import position_text
from tests.naive.dots import NaiveDots, games_by_margin
from tests.naive.dots import perft as naive_perft

# Moves sequences of length 1, 2, …; any free edge may be drawn, so these are falling factorials of the number of edges.
PERFT = {
    "1x1": [4, 12, 24, 24, 0],
    "1x2": [7, 42, 210, 840, 2520, 5040, 5040, 0],
    "2x2": [12, 132, 1320, 11880, 95040, 665280, 3991680],
    "2x3": [17, 272, 4080, 57120, 742560, 8910720],
    "3x3": [24, 552, 12144, 255024, 5100480],
    "9x9": [180, 32220, 5735160],
}
NAIVE_NODES = 30_000  # deeper counts are left to the compiled rules

# Complete games by boxes of a minus boxes of b.
GAMES_BY_MARGIN = {
    "1x1": {-1: 24},
    "1x2": {-2: 3168, 0: 1152, 2: 720},
    "1x3": {-3: 1415808, -1: 932544, 1: 569088, 3: 711360},
    "2x2": {-4: 116660736, -2: 84828672, 0: 76096512, 2: 82192896, 4: 119222784},
}

# Boxes of the first player minus the second's under best play.
BEST_MARGIN = {"1x1": -1, "1x2": 0, "1x3": -1, "2x2": 2}


def size_of(size: str) -> tuple[int, int]:
    rows, columns = size.split("x")
    return int(rows), int(columns)


def random_game(size: str, seed: int) -> tuple[list[Position], list[NaiveDots]]:
    """A random game, every position and its slow twin."""
    source = random.Random(seed)
    position, naive = game(f"dots:{size}").start(), NaiveDots(*size_of(size))
    positions, twins = [position], [naive]
    while not position.is_over:
        move = source.choice(position.moves())
        position = position.play(move)
        before, naive = naive, NaiveDots(*size_of(size))
        naive.drawn, naive.owners, naive.player = list(before.drawn), dict(before.owners), before.player
        naive.play(move)
        positions.append(position)
        twins.append(naive)
    return positions, twins


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("size", "games"), [("1x1", 5), ("1x2", 20), ("1x9", 5), ("9x1", 5), ("2x3", 20), ("3x3", 10), ("7x7", 2), ("9x9", 2)]
)
def test_same_as_slow_twin(size: str, games: int) -> None:
    for seed in range(games):
        for position, naive in zip(*random_game(size, seed)):
            assert position.player == naive.player
            assert position.margin == naive.margin()
            assert position.is_over == naive.is_over()
            assert str(position) == naive.text()
            assert position.moves() == naive.moves()
            assert position.game.position(naive.text()) == position
            if naive.is_over():
                assert position.outcome == (WIN if naive.margin() > 0 else DRAW if naive.margin() == 0 else LOSS)
            else:
                assert position.outcome == ONGOING


@pytest.mark.parametrize("size", PERFT)
def test_perft(size: str) -> None:
    start = game(f"dots:{size}").start()
    assert [perft(start, depth) for depth in range(1, len(PERFT[size]) + 1)] == PERFT[size]
    for depth, nodes in enumerate(PERFT[size], 1):
        if nodes <= NAIVE_NODES:
            assert naive_perft(NaiveDots(*size_of(size)), depth) == nodes


def count_by_margin(position: Position, known: dict[tuple[object, ...], dict[int, int]]) -> dict[int, int]:
    """Complete games by the first player's final lead, counted with the rules under test."""
    lead = position.margin if position.player == 0 else -position.margin
    if position.is_over:
        return {lead: 1}
    here = (position.state.horizontal, position.state.vertical, position.player)
    if here not in known:
        known[here] = {}
        for move in position.legal:
            for margin, games in count_by_margin(position.play(move), known).items():
                known[here][margin - lead] = known[here].get(margin - lead, 0) + games
    return {margin + lead: games for margin, games in known[here].items()}


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", GAMES_BY_MARGIN)
def test_games_by_margin(size: str) -> None:
    assert count_by_margin(game(f"dots:{size}").start(), {}) == GAMES_BY_MARGIN[size]
    assert games_by_margin(NaiveDots(*size_of(size))) == GAMES_BY_MARGIN[size]


def best_margin(position: Position, known: dict[object, int]) -> int:
    """What the player to move can still gain on the other."""
    here = (position.state.horizontal, position.state.vertical)
    if here not in known:
        gains = []
        for move in position.legal:
            after = position.play(move)
            if after.player == position.player:
                gains.append(after.margin - position.margin + best_margin(after, known))
            else:
                gains.append(-best_margin(after, known))
        known[here] = max(gains, default=0)
    return known[here]


@pytest.mark.parametrize("size", BEST_MARGIN)
def test_known_values(size: str) -> None:
    assert best_margin(game(f"dots:{size}").start(), {}) == BEST_MARGIN[size]


def test_closing_keeps_the_turn_and_one_edge_may_close_two_boxes() -> None:
    position = game("dots:1x2").position("--/|_._|/-- b")
    assert position.moves() == ["B1-B2"]
    after = position.play("B1-B2")
    assert str(after) == "--/|b|b|/-- b"
    assert (after.turn, after.margin, after.outcome, after.result) == ("b", 2, WIN, "0-1")


def test_result_is_for_the_first_player() -> None:
    assert game("dots:1x2").position("--/|a|b|/-- a").result == "1/2-1/2"
    assert game("dots:1x2").position("--/|a|a|/-- a").result == "1-0"
    assert game("dots:1x1").position("-/|b|/- b").result == "0-1"


@pytest.mark.parametrize("size", ["1x1", "1x3", "2x3", "3x3", "8x8"])
def test_symmetries_move_dots(size: str) -> None:
    positions, twins = random_game(size, 7)
    count = positions[0].symmetry_count
    assert count == (8 if len(set(size_of(size))) == 1 else 4)
    for position, naive in list(zip(positions, twins))[:: max(1, len(twins) // 12)]:
        for symmetry in range(count):
            image = position.transformed(symmetry)
            assert str(image) == naive.image(symmetry).text()
            assert (image.margin, image.outcome, image.player) == (position.margin, position.outcome, position.player)
            for move in position.legal[:10]:
                after = image.play(position.transformed_move(move, symmetry))
                assert after == position.play(move).transformed(symmetry)
                assert after.margin == position.play(move).margin


def test_key_knows_the_score_but_not_who_owns_which_box() -> None:
    board = game("dots:2x2")
    edges = "--/|{}|{}|/--/._._./.. {}"
    left_and_right = [board.position(edges.format(*owners)).key for owners in ("aba", "baa")]
    assert left_and_right[0] == left_and_right[1]
    others = [board.position(edges.format(*owners)).key for owners in ("aaa", "bba", "abb")]
    assert len({*left_and_right, *others}) == 4


@pytest.mark.parametrize("size", ["3x2", "9x9"])
def test_random_move_picks_every_free_edge(size: str) -> None:
    pick = protocol.PROTOCOL.implementation(type(game(f"dots:{size}").rules), "random_move")
    for position in random_game(size, 3)[0][:-1:7]:
        count = len(position.legal)
        buffer = np.empty(position.game.move_bound, np.int32)
        words = [np.uint64((((number << 32) // count) + 1) << 32) for number in range(count)]
        assert [int(pick(position.game.rules, position.state, word, buffer)) for word in words] == list(position.legal)


def test_masks_hold_every_edge_and_box() -> None:
    rules = game("dots:9x8").rules
    sizes = [wide_to_integer(words).bit_count() for words in (rules.boxes, rules.all_horizontal, rules.all_vertical)]
    assert sizes == [72, 80, 81]
    assert [len(game(f"dots:{size}").rules.empty) for size in ("7x7", "7x8", "9x9")] == [1, 2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", None),  # the start
        ("../._._./.. a", None),
        ("-.", "ends after 2 characters, expected '/' at the end of line 1"),
        ("x./._._./.. a", "character 1 is 'x', expected one of - . for the edge A1-B1"),
        ("|./._._./.. a", "character 1 is '|', expected one of - . for the edge A1-B1"),
        ("../-_._./.. a", "character 4 is '-', expected one of | . for the edge A1-A2"),
        ("../.c._./.. a", "character 5 is 'c', expected one of a b _ for the box below A1"),
        ("../._._./... a", "character 12 is '.', expected a space and the side to move (a or b)"),
        ("../._._./..", "ends after 11 characters, expected a space and the side to move (a or b)"),
        ("../._._./.. c", "character 13 is 'c', expected the side to move, a or b"),
        ("../._._./.. a ?", "character 14 is ' ', expected the end"),
        ("-./|a._./-. a", "character 5 is 'a', expected _ because this box's side B1-B2 is free"),
        ("-./|_|_./-. a", "character 5 is '_', expected an owner, a or b, because all sides of this box are drawn"),
    ],
)
def test_position_errors_name_the_character(text: str, message: str | None) -> None:
    board = game("dots:1x2")
    if message is None:
        assert board.position(text) == board.start()
        return
    with pytest.raises(NotationError) as caught:
        board.position(text)
    assert str(caught.value).endswith(message)


def test_owners_may_be_written_in_capitals() -> None:
    assert str(game("dots:1x1").position("-/|A|/- A")) == "-/|a|/- a"


@pytest.mark.parametrize("text", ["A1-B1", "b1-a1", " B1-A1 "])
def test_edges_are_named_by_their_ends_in_either_order(text: str) -> None:
    assert str(game("dots:1x1").start().play(text)) == "-/._./. b"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", NotationError, "expected a column from A to B"),
        ("C1-B1", NotationError, "character 1 is 'C', expected a column from A to B"),
        ("A3-A2", NotationError, "character 2 is '3', expected a row from 1 to 2"),
        ("A1B1", NotationError, "character 3 is 'B', expected '-' and the dot at the other end"),
        ("A1-", NotationError, "second dot '': ends after 0 characters, expected a column from A to B"),
        ("A1-C1", NotationError, "second dot 'C1': character 1 is 'C', expected a column from A to B"),
        ("A1-B1-", NotationError, "character 6 is '-', expected the end"),
        ("A1-B2", IllegalMoveError, "an edge joins two dots side by side or one above the other"),
        ("A1-A1", IllegalMoveError, "an edge joins two dots side by side or one above the other"),
        ("A1-A2", IllegalMoveError, "this edge has been drawn"),
    ],
)
def test_move_errors_say_what_is_right(text: str, error: type[LudometerError], message: str) -> None:
    position = game("dots:1x1").position("./|_./. b")
    with pytest.raises(error) as caught:
        position.play(text)
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize("text", ["0x1", "1x0", "10x1", "3", "3x", "x3", "3x3x3", "3 x 3", "-1x3", "٣x٣", "3x3\n4"])
def test_bad_sizes_are_refused(text: str) -> None:
    with pytest.raises(SpecError, match="rows x columns of boxes"):
        game(f"dots:{text}")


def test_specs() -> None:
    assert (game("dots").spec, game("dots:2X5").spec, game("DOTS:1x9").spec) == ("dots:3x3", "dots:2x5", "dots:1x9")


def test_small_boards_are_said_to_be_solvable() -> None:
    solvable = game("dots").kind.solvable
    assert [solvable(size) for size in ("", "3x3", "3x4", "4x3", "1x9", "4x4", "4x5", "7x7")] == [True] * 6 + [False] * 2


def test_pictures() -> None:
    position = game("dots:1x2").position("--/|a|_./-. b").play("C1-C2")
    assert position_text(position).splitlines() == ["   A   B   C", " 1 +---+---+", "   | A |   |", " 2 +---+   +"]
    picture = position.game.kind.required("draw")(position.game.rules, position.state, position.last)
    assert {move: (spot.x, spot.y) for move, spot in picture.spots.items()} == {4: (2.2, 1.7)}
    roles = [shape.role for shape in picture.shapes]
    assert (roles.count("first-area"), roles.count("second-area"), roles.count("faint"), roles.count("last")) == (1, 0, 1, 1)
