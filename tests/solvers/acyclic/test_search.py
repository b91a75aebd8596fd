"""Values by search: known answers, tables of all positions, the slow twins, and what the search may take for granted."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pytest
from numba import njit

from ludometer.core.bits import U0
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.lattice import mirrored, reversed_bits, shift_up, transposed, turned
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.protocol import numbering, proving
from ludometer.games import game
from ludometer.games.dots.keys import least_by_steps, least_image
from ludometer.games.dots.solving import open_boxes
from ludometer.games.mnk import solving as mnk_solving
from ludometer.solvers.acyclic.search import OutOfBudget, Prover, prove
from ludometer.solvers.acyclic.solution import PositionTable, ProvenSolution
from ludometer.solvers.acyclic.table import make_table
from ludometer.solvers.solution import OutsideTable, Value
from tests.naive.dots import NaiveDots
from tests.naive.mnk import NaiveMnk
from tests.naive.solving import Known, dots_gain, mnk_value
from tests.solvers.acyclic.test_table import CONNECT_THREE, HEAPS, all_positions, random_positions

# Known answers

DOTS = {"1x1": -1, "1x2": 0, "1x3": -1, "2x2": 2, "2x3": -2, "3x2": -2, "3x3": -3, "3x4": 0}
LINES = {"3,3,3": DRAW, "4,4,3": WIN, "4,4,4": DRAW, "4,5,4": DRAW, "5,5,3": WIN, "1,1,1": WIN, "1,2,2": DRAW}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "spec, margin", [("1x1", -1), ("1x2", 0), ("1x3", -1), ("2x2", 2), ("2x3", -2), ("3x2", -2), ("3x3", -3), ("3x4", 0)]
)
def test_dots_and_boxes(spec: str, margin: int) -> None:
    proof = prove(game(f"dots:{spec}").start(), memory_mb=128)
    assert proof.value == Value((margin > 0) - (margin < 0), margin=margin)
    assert proof.nodes >= proof.table_entries > 0 or spec == "1x1"


@pytest.mark.parametrize("spec, outcome", LINES.items())
def test_lines_of_marks(spec: str, outcome: int) -> None:
    assert prove(game(f"mnk:{spec}").start(), memory_mb=64).value == Value(outcome)


@pytest.mark.exhaustive
def test_four_in_a_row_on_five_by_five_is_a_draw() -> None:
    proof = prove(game("mnk:5,5,4").start(), memory_mb=256)
    assert proof.value == Value(DRAW)
    assert proof.nodes < 100_000_000


# Against tables and the slow twins


def dots_position(rows: int, columns: int, drawn: list[str]) -> tuple[Position, NaiveDots]:
    position, twin = game(f"dots:{rows}x{columns}").start(), NaiveDots(rows, columns)
    for name in drawn:
        position = position.play(name)
        twin.play(name)
    return position, twin


@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 2), (2, 1), (1, 3)])
def test_every_set_of_edges_of_small_boards(rows: int, columns: int) -> None:
    names, known = NaiveDots(rows, columns).moves(), Known()
    prover = Prover(game(f"dots:{rows}x{columns}"), 1)
    for number in range(2 ** len(names)):
        position, twin = dots_position(rows, columns, [name for index, name in enumerate(names) if number >> index & 1])
        assert prover.prove(position).value.margin == twin.margin() + dots_gain(twin, known), str(position)


@kernel
def _tables(rules):
    return proving.search_tables(rules)


@kernel
def _compare_with_table(rules, tables, values, begin, end, step, buffer, wrong):
    """For entries of a dense table: is the best of the search's few moves as good as the best of all?  (checked, wrong)"""
    checked = 0
    errors = 0
    for index in range(begin, end, step):
        state = numbering.dense_state(rules, index)
        if open_boxes(rules, state.horizontal, state.vertical) == 0:
            continue
        best = -1000
        for place in range(proving.search_moves(rules, tables, state, buffer)):
            after, take, leave = proving.search_step(rules, state, np.int64(buffer[place]))
            value = np.int64(values[numbering.dense_index(rules, after)])
            best = max(best, -max(take + value, leave - value))
        least, most = proving.value_bounds(rules, state)
        checked += 1
        if best != values[index] or not least <= best <= most:
            wrong[errors % wrong.size] = index
            errors += 1
    return checked, errors


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec", ["dots:1x4", "dots:4x1", "dots:2x2", "dots:2x3", "dots:3x2", "dots:3x3"])
def test_the_few_moves_of_the_search_are_enough_in_every_position(spec: str) -> None:
    """Chains, loops, corners and what may be left of them, against the table, which knows nothing of them."""
    chosen = game(spec)
    values = make_table(chosen).tables()["values"]
    wrong = np.full(5, -1, np.int64)
    buffer = np.empty(chosen.move_bound + 5, np.int32)
    checked, errors = _compare_with_table(chosen.rules, _tables(chosen.rules), values, 0, values.size, 1, buffer, wrong)
    states = [Position(chosen, numbering.dense_state(chosen.rules, int(index))) for index in wrong if index >= 0]
    assert errors == 0, [str(position) for position in states]
    assert checked > 0.99 * values.size - 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec, count", [("dots:2x2", 300), ("dots:2x3", 500), ("dots:3x3", 1000), ("mnk:4,4,3", 500), ("mnk:4,4,4", 500)])
def test_random_positions_against_the_table(spec: str, count: int) -> None:
    table, prover = make_table(game(spec)), Prover(game(spec), 32)
    for position in random_positions(game(spec), count, 3):
        found, expected = prover.prove(position).value, table.value(position)
        assert (found.outcome, found.margin) == (expected.outcome, expected.margin), str(position)


@pytest.mark.exhaustive
def test_every_position_of_tic_tac_toe() -> None:
    known, prover = Known(), Prover(game("tictactoe"), 1)
    for position in all_positions(game("tictactoe").start()):
        twin = NaiveMnk(3, 3, 3)
        twin.board = [list(row) for row in str(position).split()[0].split("/")]
        twin.played = sum(mark != "." for row in twin.board for mark in row)
        value = mnk_value(twin, known)
        assert prover.prove(position).value.outcome == (value > 0) - (value < 0), str(position)


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec", ["dots:2x3", "mnk:4,4,3", CONNECT_THREE])
def test_best_moves_are_all_that_keep_the_value(spec: str) -> None:
    table, prover = make_table(game(spec)), Prover(game(spec), 8)
    for position in random_positions(game(spec), 100, 4):
        assert prover.prove(position, best=True).best == table.probe(position).keeping, str(position)


@pytest.mark.exhaustive
def test_a_game_that_brings_nothing_but_the_rules(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("games") / "heaps.py"
    file.write_text(HEAPS)
    table, prover = make_table(game(str(file))), Prover(game(str(file)), 1)
    for position in random_positions(game(str(file)), 100, 5):
        assert prover.prove(position).value == table.value(position), str(position)
    for position in all_positions(game(CONNECT_THREE).start()):
        assert position.is_over or prove(position, memory_mb=1).value.outcome in (WIN, DRAW, LOSS)


@pytest.mark.exhaustive
def test_a_tiny_table_changes_nothing_but_the_work() -> None:
    """With room for few entries these push each other out all the time."""
    small, large = prove(game("dots:3x3").start(), memory_mb=1), prove(game("dots:3x3").start(), memory_mb=64)
    tiny = Prover(game("dots:3x3"), 1)
    tiny._run = tiny._run._replace(table=tiny._run.table[: 64 * 2 * 4], deep=tiny._run.deep[: 32 * 4 * 4])
    assert small.value == large.value == tiny.prove(game("dots:3x3").start()).value
    assert tiny.entries == (64 + 32) * 4 and tiny.nodes > large.nodes


def test_equal_questions_cost_equal_work() -> None:
    first, second = (prove(game("mnk:4,4,4").start(), memory_mb=16) for _ in range(2))
    assert (first.nodes, first.table_entries) == (second.nodes, second.table_entries)


# As a solution


def test_a_solution_that_searches_agrees_with_the_table() -> None:
    table, searched = make_table(game("dots:2x2")), ProvenSolution(game("dots:2x2"), memory_mb=4)
    for position in random_positions(game("dots:2x2"), 50, 6):
        assert searched.probe(position) == table.probe(position)


def test_summary() -> None:
    found = ProvenSolution(game("dots:2x3"), memory_mb=4).summary()
    assert found["start"] == {"margin": -2} and found["states"] is None and found["nodes"] > found["table_entries"] > 0
    assert ProvenSolution(game("mnk:4,4,4"), memory_mb=4).summary()["start"] == {"value": "draw", "distance": None}


def test_finished_positions() -> None:
    over = game("tictactoe").position("XXX/OO./... o")
    assert prove(over, memory_mb=1, best=True).value == Value(LOSS, 0)
    assert ProvenSolution(game("tictactoe"), memory_mb=1).probe(over).best == ()
    drawn = game("tictactoe").position("XOX/XOX/OXO o")
    assert prove(drawn, memory_mb=1, best=True).value == Value(DRAW), "a draw has no distance, as in tables"


# Limits


def test_a_search_out_of_time_says_so() -> None:
    with pytest.raises(OutOfBudget, match="dots:5x5: no proof within 0.3 s"):
        prove(game("dots:5x5").start(), memory_mb=16, seconds=0.3)


@pytest.mark.exhaustive
def test_a_search_goes_on_after_running_out_of_time() -> None:
    prover = Prover(game("dots:3x4"), 128)
    with pytest.raises(OutOfBudget):
        prover.prove(prover.game.start(), seconds=0.05)
    assert prover.prove(prover.game.start()).value.margin == 0


@pytest.mark.exhaustive
def test_progress_is_told() -> None:
    seen: list[tuple[int, int, str]] = []
    with pytest.raises(OutOfBudget):
        prove(game("dots:4x4").start(), memory_mb=16, seconds=1, progress=lambda *step: seen.append(step))
    assert len(seen) >= 2 and seen[-1][0] > seen[0][0] and seen[0][2] == "is it +0 or more?"


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(LudometerError, match="quixo:4 is not a game in turns without repetition"):
        Prover(game("quixo:4"))
    with pytest.raises(LudometerError, match="at least 1 MB"):
        Prover(game("tictactoe"), 0)
    with pytest.raises(OutsideTable, match="a search of mnk:3,3,3, not of mnk:4,4,4"):
        Prover(game("tictactoe"), 1).prove(game("mnk:4,4,4").start())


# Keys and symmetries


@kernel
def _dots_key(rules, state):
    return least_image(rules, state.horizontal, state.vertical), least_by_steps(rules, state.horizontal, state.vertical)


@pytest.mark.parametrize(
    "spec", ["dots:1x1", "dots:1x3", "dots:3x1", "dots:2x3", "dots:3x3", "dots:4x4", "dots:6x6", "dots:7x7", "dots:9x9"]
)
def test_equal_keys_of_edges_seen_through_symmetries(spec: str) -> None:
    for position in random_positions(game(spec), 20, 7):
        keys = {_dots_key(position.game.rules, position.transformed(s).state) for s in range(position.symmetry_count)}
        assert len(keys) == 1
        fast, slow = keys.pop()
        assert fast == slow


@kernel
def _keys_of_steps(rules, tables, state, buffer):
    """Two keys, which should be equal, of each state that a step of the search leads to, and of the state itself."""
    begun = proving.search_key_begun(rules, tables, state)
    found = [(proving.search_key(rules, state), proving.search_key_after(rules, tables, begun, state, state))]
    for place in range(proving.search_moves(rules, tables, state, buffer)):
        after = proving.search_step(rules, state, np.int64(buffer[place]))[0]
        found.append((proving.search_key(rules, after), proving.search_key_after(rules, tables, begun, state, after)))
    return found


@pytest.mark.parametrize("spec", ["dots:1x3", "dots:2x3", "dots:3x3", "dots:4x4", "dots:4x5", "dots:6x6", "dots:9x9", "mnk:4,4,3"])
def test_keys_made_from_what_states_have_in_common(spec: str) -> None:
    chosen = game(spec)
    buffer = np.empty(chosen.move_bound + 5, np.int32)
    for position in random_positions(chosen, 30, 11):
        if not position.is_over:
            for slow, fast in _keys_of_steps(chosen.rules, _tables(chosen.rules), position.state, buffer):
                assert slow == fast, str(position)


@kernel
def _graphs_of_quiet_states(rules, tables, values, graphs, worths):
    """Deep keys, in one word, and values of all states without a box open to capture; returns how many there are."""
    found = 0
    for index in range(values.size - 1):
        state = numbering.dense_state(rules, index)
        if proving.worth_remembering(rules, state):
            first, second, third = proving.deep_key(rules, tables, state)
            if second != U0 or third >> np.uint64(18) != U0 or first >> np.uint64(36) != U0:
                return -1  # more than nine boxes can need
            graphs[found] = first | (third << np.uint64(36))
            worths[found] = values[index]
            found += 1
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec, symmetries", [("dots:2x2", 8), ("dots:2x3", 4), ("dots:3x3", 8)])
def test_states_with_equal_graphs_are_worth_the_same(spec: str, symmetries: int) -> None:
    chosen = game(spec)
    values = make_table(chosen).tables()["values"]
    graphs, worths = np.empty(values.size, np.uint64), np.empty(values.size, np.int8)
    found = _graphs_of_quiet_states(chosen.rules, _tables(chosen.rules), values, graphs, worths)
    order = np.argsort(graphs[:found])
    graphs, worths = graphs[order], worths[order]
    same = graphs[1:] == graphs[:-1]
    assert np.all(worths[1:][same] == worths[:-1][same])
    assert found > symmetries * (1 + np.count_nonzero(~same)), "more are alike than those that symmetries make so"


@kernel
def _deep_key(rules, tables, state):
    return proving.deep_key(rules, tables, state)


def _joined(boxes: dict[int, set[int]], outside: dict[int, int]) -> list[tuple[tuple[int, int], ...]]:
    """For each box, sorted: (neighbours, free edges to the outside) of itself, then of its neighbours, sorted."""
    kind = {box: (len(beside), outside[box]) for box, beside in boxes.items()}
    return sorted((kind[box], *sorted(kind[other] for other in beside)) for box, beside in boxes.items())


@pytest.mark.parametrize("spec", ["dots:2x8", "dots:3x5", "dots:4x4"])
def test_a_graph_can_be_read_from_its_key(spec: str) -> None:
    chosen = game(spec)
    rows, columns = chosen.rules.rows, chosen.rules.columns
    stride, checked = columns + 1, 0
    for position in random_positions(chosen, 300, 12):
        level, upright = int(position.state.horizontal[0]), int(position.state.vertical[0])
        boxes: dict[int, set[int]] = {}
        outside: dict[int, int] = {}
        for row in range(rows):
            for column in range(columns):
                box = row * stride + column
                around = [(level >> box, row > 0, box - stride), (level >> box + stride, row < rows - 1, box + stride)]
                around += [(upright >> box, column > 0, box - 1), (upright >> box + 1, column < columns - 1, box + 1)]
                free = [(inside, other) for drawn, inside, other in around if not drawn & 1]
                if free:
                    boxes[box] = {other for inside, other in free if inside}
                    outside[box] = len(free) - len(boxes[box])
        if any(len(beside) + outside[box] == 2 and all(len(boxes[o]) + outside[o] == 2 for o in beside) for box, beside in boxes.items()):
            continue  # short chains may be left out in pairs
        first, second, third = (int(word) for word in _deep_key(chosen.rules, _tables(chosen.rules), position.state))
        lines, read, ground = first | second << 64, {}, {}
        for rank in range(len(boxes)):
            read[rank] = {low for low in range(rank) if lines >> rank * (rank - 1) // 2 + low & 1}
            for low in read[rank]:
                read[low].add(rank)
            ground[rank] = third >> 2 * rank & 3
        assert lines >> len(boxes) * (len(boxes) - 1) // 2 == 0
        assert _joined(read, ground) == _joined(boxes, outside), str(position)
        checked += 1
    assert checked > 50


# SHA-256 of the deep keys of random positions, one hexadecimal line of three words each.
DEEP_KEYS = {
    "dots:2x2": "1b1800fea68a5063e095b8b6a18fe3139757863a9e2f5cabb29e9d6dd6414112",
    "dots:2x8": "aa36c3cf819d295b4bc0238454ec98e115a25a71b85a9bb40b0ca40a8bff4ad8",
    "dots:3x3": "7d90fce83e3f4f289912c2800e5cbb25129f4b5a071d29927caca575b0c0e3b3",
    "dots:3x5": "f1da22f6ce85f3855e2bcb0ca26dbee59c418ac0013a4e0d49bba03d4101d2e0",
    "dots:4x4": "3bca6ae99c5235663523f91097e47ef35b68f4e73124f1908dc5813bbffdf445",
}


@pytest.mark.parametrize("spec", DEEP_KEYS)
def test_deep_keys_are_the_frozen_ones(spec: str) -> None:
    chosen = game(spec)
    tables = _tables(chosen.rules)
    keys = [_deep_key(chosen.rules, tables, position.state) for position in random_positions(chosen, 1000, 12)]
    text = "".join(" ".join(f"{int(word):016x}" for word in key) + "\n" for key in keys)
    assert len(set(keys)) > 100
    assert hashlib.sha256(text.encode()).hexdigest() == DEEP_KEYS[spec]


@kernel
def _mnk_key(rules, state):
    return proving.canonical(rules, state), mnk_solving.least_by_cells(rules, state.mover, state.other)


@pytest.mark.parametrize("spec", ["mnk:1,1,1", "mnk:1,4,2", "mnk:3,3,3", "mnk:4,3,3", "mnk:5,5,4", "mnk:7,7,4", "mnk:15,15,5"])
def test_equal_keys_of_marks_seen_through_symmetries(spec: str) -> None:
    for position in random_positions(game(spec), 20, 8):
        images = [position.transformed(s) for s in range(position.symmetry_count)]
        keys = {_mnk_key(position.game.rules, image.state) for image in images}
        assert len(keys) == 1
        fast, slow = keys.pop()
        assert fast == slow
        assert fast[1] == images.count(images[0])  # as many symmetries leave the position as it is


@njit
def _compiled(word, stride, rows, columns):
    return reversed_bits(word), mirrored(word, stride, columns), turned(word, (rows - 1) * stride + columns - 1)


@njit
def _transposed(word, stride, length):
    return transposed(word, stride, length)


@njit
def _shifted(words, places):
    return shift_up(words, places)


def test_lattices_point_by_point() -> None:
    source = random.Random(9)
    for _ in range(200):
        rows, columns = source.randint(1, 7), source.randint(1, 7)
        stride = columns + source.randint(0, 1)
        points = {(r, c) for r in range(rows) for c in range(columns) if source.random() < 0.5}

        def as_word(chosen: set[tuple[int, int]], stride: int = stride) -> int:
            return sum(1 << r * stride + c for r, c in chosen)

        reverse, mirror, turn = _compiled(np.uint64(as_word(points)), stride, rows, columns)
        assert int(reverse) == int(f"{as_word(points):064b}"[::-1], 2)
        assert int(mirror) == as_word({(r, columns - 1 - c) for r, c in points})
        assert int(turn) == as_word({(rows - 1 - r, columns - 1 - c) for r, c in points})
        square = {(r, c) for r, c in points if r < columns and c < rows}
        length = max(rows, columns)
        if length * (length + 1) <= 64:
            swapped = _transposed(np.uint64(as_word(square, length + 1)), length + 1, length)
            assert int(swapped) == as_word({(c, r) for r, c in square}, length + 1)
        number, places = source.getrandbits(128), source.randint(1, 63)
        words = (np.uint64(number & (1 << 64) - 1), np.uint64(number >> 64))
        shifted = number << places & (1 << 128) - 1
        for found in (_shifted(words, np.uint64(places)), shift_up(words, np.uint64(places))):
            assert int(found[0]) | int(found[1]) << 64 == shifted


def test_the_search_of_marks_sees_wins_and_threats() -> None:
    """One move is searched where it is the only sensible one: complete a line, or stop one."""
    chosen = game("mnk:4,4,3")
    buffer = np.empty(chosen.move_bound + 5, np.int32)
    for text, expected in (("XX../OO../..../.... x", "C1"), ("X.../OO../...X/.... x", "C2"), ("X.X./OO../..../.... o", "C2")):
        position = chosen.position(text)
        count = _search_moves(chosen.rules, _tables(chosen.rules), position.state, buffer)
        assert [position.move_text(int(move)) for move in buffer[:count]] == [expected]


@kernel
def _search_moves(rules, tables, state, buffer):
    return proving.search_moves(rules, tables, state, buffer)


@pytest.mark.exhaustive
def test_strong_and_proof_agree_on_the_larger_table() -> None:
    table = make_table(game("mnk:3,5,4"))
    assert isinstance(table, PositionTable)
    prover = Prover(game("mnk:3,5,4"), 16)
    for position in random_positions(game("mnk:3,5,4"), 200, 10):
        assert prover.prove(position).value.outcome == table.value(position).outcome, str(position)
