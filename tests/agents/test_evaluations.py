"""Evaluations against slow twins written from their descriptions, and keys worked out step by step."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from ludometer.agents.search import evaluation
from ludometer.core import game_kernels, protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import SpecError
from ludometer.core.outcome import ONGOING
from ludometer.core.position import Position
from ludometer.core.protocol import searching
from ludometer.core.random import draw, stream
from ludometer.games import game
from ludometer.games.ultimate.evaluation import EVALUATIONS, HEUR2, HEUR3
from ludometer.games.ultimate.rules import LINES

GAMES = ["tictactoe", "mnk:7,8,4", "mnk:15,15,5", "quixo:5", "dots:3x3", "dots:9x9", "ultimate", "ultimate:open"]


def random_positions(spec: str, games: int, seed: int = 1) -> list[Position]:
    """All unfinished positions of some random games."""
    found = []
    for number in range(games):
        source = random.Random(f"{seed} {number}")
        position = game(spec).start()
        for _ in range(300):
            if position.is_over:
                break
            found.append(position)
            position = position.play(source.choice(position.legal))
    return found


@kernel
def disagreements(rules, key, moves, one, other, buffer):
    """How often two evaluations differ on the way through random games, and on how many positions they were compared."""
    state = protocol.start(rules)
    differing, compared = 0, 0
    for number in range(moves):
        if protocol.outcome(rules, state) != ONGOING:
            state = protocol.start(rules)
        state = protocol.play(rules, state, protocol.random_move(rules, state, draw(key, np.uint64(number)), buffer))
        differing += np.int64(searching.evaluate(rules, state, one) != searching.evaluate(rules, state, other))
        compared += 1
    return differing, compared


@kernel
def wrong_keys(rules, key, moves, buffer):
    """How often a key carried along differs from the one worked out anew."""
    state = protocol.start(rules)
    known = protocol.key(rules, state)
    wrong = 0
    for number in range(moves):
        if protocol.outcome(rules, state) != ONGOING:
            state = protocol.start(rules)
            known = protocol.key(rules, state)
        move = np.int64(protocol.random_move(rules, state, draw(key, np.uint64(number)), buffer))
        after = protocol.play(rules, state, move)
        known = searching.key_after(rules, state, known, move, after)
        wrong += np.int64(known != protocol.key(rules, after))
        state = after
    return wrong


@pytest.mark.parametrize("spec", ["ultimate", "ultimate:open"])
def test_heur3_is_heur2_looked_up(spec: str) -> None:
    subject = game(spec)
    buffer = np.empty(subject.move_bound, np.int32)
    assert disagreements(subject.rules, stream(1, spec), 200_000, HEUR2, HEUR3, buffer) == (0, 200_000)


def plain_heur(position: Position, name: str) -> float:
    """The four evaluations of Ultimate, from the text of the position."""
    rows = str(position).split()[0].split("/")
    me, you = ("X", "O") if position.turn == "x" else ("O", "X")
    boards = [[rows[3 * (b // 3) + c // 3][3 * (b % 3) + c % 3] for c in range(9)] for b in range(9)]

    def winner(cells: list[str]) -> str:
        return next((cells[a] for a, b, c in LINES if cells[a] != "." and cells[a] == cells[b] == cells[c]), ".")

    won = [winner(cells) for cells in boards]

    def pairs(cells: list[str], who: str) -> int:
        lines = [[cells[place] for place in line] for line in LINES]
        other = "O" if who == "X" else "X"
        return sum(line.count(who) == 2 and other not in line for line in lines)

    def points(who: str) -> int:
        total = 5 * won.count(who) + 10 * (won[4] == who) + 3 * sum(won[corner] == who for corner in (0, 2, 6, 8))
        total += 3 * sum(cells[4] == who for cells in boards) + 3 * boards[4].count(who) + 4 * pairs(won, who)
        return total + 2 * sum(pairs(cells, who) for cells, owner in zip(boards, won) if owner == ".")

    if name == "heur1":
        return won.count(me) - won.count(you)
    bonus = 2 if name == "heur4" and str(position).split()[2] == "*" else 0
    return points(me) - points(you) + bonus


def test_ultimate_as_described() -> None:
    for position in random_positions("ultimate", 6):
        for name in EVALUATIONS:
            assert evaluation(position, name) == plain_heur(position, name), (name, str(position))


def plain_windows(position: Position, line: int) -> float:
    """The evaluation of m,n,k games from the text of the position."""
    rows = str(position).split()[0].split("/")
    me, you = ("X", "O") if position.turn == "x" else ("O", "X")
    height, width = len(rows), len(rows[0])
    windows = []
    for row, column, (down, right) in itertools.product(range(height), range(width), ((0, 1), (1, 0), (1, 1), (1, -1))):
        cells = [(row + step * down, column + step * right) for step in range(line)]
        if all(0 <= r < height and 0 <= c < width for r, c in cells):
            windows.append(cells)

    def completing(who: str) -> set[tuple[int, int]]:
        found = set()
        for cells in windows:
            marks = [rows[r][c] for r, c in cells]
            if marks.count(who) == line - 1 and "." in marks:
                found.add(cells[marks.index(".")])
        return found

    if completing(me):
        return math.inf
    if len(completing(you)) > 1:
        return -math.inf
    total = 0
    for cells in windows:
        marks = [rows[r][c] for r, c in cells]
        total += marks.count(me) if you not in marks else 0
        total -= marks.count(you) if me not in marks else 0
    return total


@pytest.mark.parametrize("spec, games", [("tictactoe", 40), ("mnk:3,4,3", 20), ("mnk:7,8,4", 6), ("mnk:15,15,5", 1), ("mnk:2,15,2", 10)])
def test_windows_as_described(spec: str, games: int) -> None:
    seen = set()
    for position in random_positions(spec, games):
        value = evaluation(position)
        assert value == plain_windows(position, position.game.rules.line), str(position)
        seen.add(value)
    assert math.inf in seen


def test_longest_line_as_described() -> None:
    for position in random_positions("quixo:5", 4):
        rows = str(position).split()[0].split("/")
        lines = [*rows, *("".join(column) for column in zip(*rows))]
        lines += ["".join(rows[i][i] for i in range(5)), "".join(rows[i][4 - i] for i in range(5))]
        longest = {symbol: max(line.count(symbol) for line in lines) for symbol in "XO"}
        me, you = ("X", "O") if position.turn == "x" else ("O", "X")
        assert evaluation(position) == longest[me] - longest[you]


@pytest.mark.parametrize(
    "spec, moves, value",
    [
        # Three sides of the only box: it can be taken, and nothing is left.
        ("dots:1x1", ["A1-B1", "A1-A2", "A2-B2"], 1),
        # Two sides: one box in a chain of one, which the player to move has to give.
        ("dots:1x1", ["A1-B1", "A2-B2"], -1),
        # Nothing drawn: four safe edges, no chain yet.
        ("dots:1x1", [], 0),
        # A corridor of three boxes, no safe edge: whoever moves gives all three away.
        ("dots:1x3", ["A1-B1", "B1-C1", "C1-D1", "A2-B2", "B2-C2", "C2-D2"], -3),
        # The same, opened at one end: all three can be taken at once.
        ("dots:1x3", ["A1-B1", "B1-C1", "C1-D1", "A2-B2", "B2-C2", "C2-D2", "A1-A2"], 3),
        # A loop of four boxes, closed all around: it must be given away whole.
        ("dots:2x2", ["A1-B1", "B1-C1", "A3-B3", "B3-C3", "A1-A2", "A2-A3", "C1-C2", "C2-C3"], -4),
    ],
)
def test_chains_by_hand(spec: str, moves: list[str], value: float) -> None:
    position = game(spec).start()
    for move in moves:
        position = position.play(move)
    assert evaluation(position, "chains") == value
    assert evaluation(position, "margin") == position.margin == 0


def test_two_long_chains_are_worth_what_control_wins() -> None:
    """Two corridors of three: given three boxes one keeps control by leaving two, 3 − 2 + |3 − 2| = 2 in all."""
    position = game("dots:2x3").start()
    for move in ["A1-B1", "B1-C1", "C1-D1", "A2-B2", "B2-C2", "C2-D2", "A3-B3", "B3-C3", "C3-D3"]:
        position = position.play(move)
    assert evaluation(position, "chains") == -2


@pytest.mark.parametrize(
    "spec, moves, value",
    [
        # Two loops of four: who is given one leaves all four of it to keep control and is given the other, 0 + |4 − 4| = 0 in all.
        ("dots:2x4", "A1-B1 B1-C1 C1-D1 D1-E1 A3-B3 B3-C3 C3-D3 D3-E3 A1-A2 A2-A3 E1-E2 E2-E3 C1-C2 C2-C3", 0),
        # A loop of four and a chain of five: the loop is opened first, 0 + |5 − 4| = 1.
        ("dots:3x3", "A1-B1 B1-C1 A1-A2 A2-A3 C1-C2 C2-C3 A3-B3 B3-C3 D1-D2 D2-D3 D3-D4 C4-D4 B4-C4 A4-B4", -1),
    ],
)
def test_loops_and_chains_together(spec: str, moves: str, value: float) -> None:
    position = game(spec).start()
    for move in moves.split():
        position = position.play(move)
    assert evaluation(position, "chains") == value and position.margin == 0


def test_a_chain_of_two_is_given_whole() -> None:
    """A corner, a chain of two, and a corridor of three: 1 is given, then 2, then 3, and nobody can keep control of a chain of two."""
    position = game("dots:2x3").start()
    for move in ["A1-B1", "B1-C1", "C1-D1", "A2-B2", "B2-C2", "C2-D2", "B2-B3", "D2-D3"]:
        position = position.play(move)
    assert evaluation(position, "chains") == -2


@kernel
def promise_of(rules, state, move, after, number):
    return searching.promise(rules, state, move, after, number)


def promise(position: Position, move: str) -> float:
    """What a move promises its maker by the game's first evaluation."""
    after = position.play(move)
    return float(promise_of(position.game.rules, position.state, position.parse_move(move), after.state, 0))


def test_promises_in_dots_and_boxes() -> None:
    """Closing a box before a safe edge, a safe edge before one that gives a box, one box given before two."""
    position = game("dots:2x3").start()
    for move in ("A1-B1", "A1-A2", "A2-B2", "C1-D1", "C2-D2", "C2-C3", "D2-D3"):
        position = position.play(move)
    closing, safe, giving, giving_two = (promise(position, move) for move in ("B1-B2", "A3-B3", "D1-D2", "C1-C2"))
    assert closing == 1 and safe == 0 and giving == -1 and giving_two == -1
    both = position.play("B1-B2")  # the box is closed, and the same player is to move again
    assert promise(both, "A3-B3") == 0


def test_an_unfinished_game_is_worth_nothing_where_results_count() -> None:
    position = game("quixo:5").position("XX.../...../...../...../....O x")
    assert evaluation(position) == 1.0 and evaluation(position, "result") == 0.0
    assert evaluation(game("quixo:5").position("XXXXX/...../...../...../....O o"), "result") == -10_000


def test_promises_in_quixo() -> None:
    """The longest line decides; of moves that make equally long ones, those that take a blank cube come first."""
    position = game("quixo:5").position("XX.../...../...../...../....O x")
    assert promise(position, "A1>right") == 2.0  # an own cube: A1 and E1 are left in the row
    assert promise(position, "B5>left") == 2.5  # a blank one: two in the row and two in the column
    assert promise(position, "C1>right") == 3.5  # A1, B1 and E1


@pytest.mark.parametrize("spec", GAMES)
def test_keys_carried_along(spec: str) -> None:
    subject = game(spec)
    assert wrong_keys(subject.rules, stream(1, spec), 5_000, np.empty(subject.move_bound, np.int32)) == 0


@pytest.mark.parametrize(("spec", "least"), [("ultimate", 1500), ("ultimate:open", 1500), ("tictactoe", 200), ("mnk:15,15,5", 1500)])
def test_keys_that_are_updated_tell_positions_apart(spec: str, least: int) -> None:
    keys = {str(position): position.key for position in random_positions(spec, 40)}
    assert len(set(keys.values())) == len(keys) > least


@pytest.mark.parametrize("spec", GAMES)
def test_images_are_worth_the_same(spec: str) -> None:
    source = random.Random(1)
    names = searching.evaluations(game(spec))
    for position in source.sample(random_positions(spec, 3), 12):
        for name in names:
            value = evaluation(position, name)
            assert all(evaluation(position.transformed(number), name) == value for number in range(position.symmetry_count))


def test_finished_games_and_unknown_names() -> None:
    over = game("tictactoe").position("XXX/OO./... o")
    assert evaluation(over) == -10_000
    with pytest.raises(SpecError, match="it has windows"):
        evaluation(game("tictactoe").start(), "beauty")


def test_a_game_without_evaluations_counts_the_margin() -> None:
    position = game("examples/connect_three.py").start()
    assert evaluation(position) == 0 == game_kernels.look(position.game.rules, position.state, np.empty(3, np.int32))[2]
