"""Tables of all positions: known answers, the slow twins, the rules played move by move, and what is refused."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.protocol import numbering
from ludometer.games import game
from ludometer.solvers.acyclic.solution import PositionTable
from ludometer.solvers.acyclic.table import TableTooLarge, estimate, make_table
from ludometer.solvers.files.table_files import TableError
from ludometer.solvers.files.table_folders import open_folder, store_arrays
from ludometer.solvers.solution import OutsideTable, Solution, Value
from tests.naive.dots import NaiveDots, edge_name
from tests.naive.mnk import NaiveMnk
from tests.naive.solving import Known, dots_gain, mnk_value

CONNECT_THREE = str(Path(__file__).parents[3] / "examples" / "connect_three.py")

# A game with the same positions at different moments and points for single moves: take 1 or 2 from two heaps, each
# stone is a point, whoever takes 2 moves again.
HEAPS = """
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN

GAME = GameKind(name=__file__, title="Heaps", syntax="heaps.py", listed=(), modules=(__name__,), scored=True)

class HeapsRules(NamedTuple):
    first: int
    second: int

class HeapsState(NamedTuple):
    heaps: tuple  # stones left of each heap
    lead: np.uint64  # points of the first player minus the second's, + 1000
    turn: np.uint64

def rules_from_text(text):
    return HeapsRules(5, 4)

def rules_to_text(rules):
    return ""

@njit
def start(rules):
    return HeapsState((np.uint64(rules.first), np.uint64(rules.second)), np.uint64(1000), U0)

@njit
def move_bound(rules):
    return 4

@njit
def legal_moves(rules, state, buffer):
    found = 0
    for heap in range(2):
        for more in range(2):
            if state.heaps[heap] > np.uint64(more):
                buffer[found] = 2 * heap + more
                found += 1
    return found

@njit
def play(rules, state, move):
    taken = np.uint64(1 + move % 2)
    first, second = state.heaps
    if move < 2:
        first -= taken
    else:
        second -= taken
    lead = state.lead + taken if state.turn == U0 else state.lead - taken
    return HeapsState((first, second), lead, state.turn if move % 2 == 1 else state.turn ^ U1)

@njit
def turn(rules, state):
    return np.int64(state.turn)

@njit
def margin(rules, state):
    lead = np.int64(state.lead) - 1000
    return lead if state.turn == U0 else -lead

@njit
def outcome(rules, state):
    if state.heaps[0] + state.heaps[1] > U0:
        return ONGOING
    lead = margin(rules, state)
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW

def format_position(rules, state):
    return f"{int(state.heaps[0])},{int(state.heaps[1])} {int(state.lead) - 1000} {'xo'[int(state.turn)]}"

def parse_position(rules, text):
    raise NotImplementedError

def format_move(rules, state, move):
    return f"{1 + move % 2} of {'AB'[move // 2]}"

def draw(rules, state, last):
    raise NotImplementedError

def text_board(rules, state, last):
    raise NotImplementedError
"""


@pytest.fixture(scope="module")
def tables() -> dict[str, PositionTable]:
    return {spec: make_table(game(spec)) for spec in ("mnk:3,3,3", "mnk:4,4,4", "dots:2x2", "dots:2x3", "dots:3x3")}


def plain_best(position: Position, known: dict[Position, Value]) -> Value:
    """The value by playing every legal move with the rules that people use."""
    if position.is_over:
        return Value(position.outcome, margin=position.margin) if position.game.kind.scored else Value(position.outcome, 0)
    if position not in known:
        seen = []
        for move in position.legal:
            after = position.play(move)
            value = plain_best(after, known)
            seen.append((value if after.player == position.player else value.for_other_player()).before_a_move())
        best = max(seen, key=Value.preference)
        known[position] = Value(best.outcome, margin=best.margin) if position.game.kind.scored else best
    return known[position]


def all_positions(start: Position) -> set[Position]:
    found, waiting = {start}, [start]
    while waiting:
        for _, after in waiting.pop().children():
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def random_positions(chosen: Game, count: int, seed: int) -> list[Position]:
    """Positions of random games, most of them somewhere in the middle."""
    source = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = chosen.start()
        for _ in range(source.randrange(2 * len(position.legal))):
            if position.is_over:
                break
            position = position.play(source.choice(position.legal))
        found.append(position)
    return found


# Known answers


@pytest.mark.exhaustive
def test_tic_tac_toe(tables: dict[str, PositionTable]) -> None:
    found = tables["mnk:3,3,3"].summary()
    assert found["states"] == found["win"] + found["loss"] + found["draw"] == 5478
    assert found["start"] == {"value": "draw", "distance": None}
    assert len(tables["mnk:3,3,3"].tables()["keys"]) == 765
    assert sum(found["histogram"]["loss"].values()) == found["loss"] and found["histogram"]["loss"][0] + 16 == 958
    assert [row["moves"] for row in tables["mnk:3,3,3"].counts_by_moves()] == list(range(10))


def test_four_in_a_row_on_four_by_four(tables: dict[str, PositionTable]) -> None:
    found = tables["mnk:4,4,4"].summary()
    assert found["states"] == 9_722_011
    assert found["start"] == {"value": "draw", "distance": None}


def test_three_in_a_row_on_four_by_four_wins() -> None:
    assert make_table(game("mnk:4,4,3")).summary()["start"] == {"value": "win", "distance": 5}


@pytest.mark.parametrize("spec", ["mnk:1,1,1", "mnk:2,2,2", "mnk:3,3,2", "mnk:3,4,3", "mnk:4,3,3", "mnk:2,5,3", "mnk:1,7,3", "mnk:3,4,4"])
def test_the_second_player_never_wins(spec: str) -> None:
    assert make_table(game(spec)).summary()["start"]["value"] in ("win", "draw")


@pytest.mark.parametrize(
    "spec, margin", [("1x1", -1), ("1x2", 0), ("2x1", 0), ("1x3", -1), ("2x2", 2), ("2x3", -2), ("3x2", -2), ("3x3", -3)]
)
def test_dots_and_boxes(spec: str, margin: int) -> None:
    found = make_table(game(f"dots:{spec}")).summary()
    assert found["start"] == {"margin": margin}
    assert found["states"] == 2 ** len(game(f"dots:{spec}").start().legal) == sum(found["histogram"]["margin"].values())


# Against slow and obvious ways


@pytest.mark.exhaustive
def test_every_position_of_tic_tac_toe(tables: dict[str, PositionTable]) -> None:
    solution, known = tables["mnk:3,3,3"], Known()
    positions = all_positions(solution.game.start())
    assert len(positions) == 5478
    for position in positions:
        twin = NaiveMnk(3, 3, 3)
        twin.board = [list(row) for row in str(position).split()[0].split("/")]
        twin.played = sum(mark != "." for row in twin.board for mark in row)
        value = mnk_value(twin, known)
        expected = Value(DRAW) if value == 0 else Value(WIN if value > 0 else LOSS, abs(value) - 1)
        assert solution.value(position) == expected, str(position)


@pytest.mark.parametrize("spec", ["mnk:2,3,2", "mnk:3,2,3", CONNECT_THREE])
def test_every_position_against_playing_all_moves(spec: str) -> None:
    solution, known = make_table(game(spec)), dict[Position, Value]()
    positions = all_positions(solution.game.start())
    assert solution.summary()["states"] == len(positions)
    for position in positions:
        expected = plain_best(position, known)
        assert solution.value(position) == (Value(DRAW) if expected.outcome == DRAW else expected), str(position)


@pytest.mark.exhaustive
def test_a_game_with_points_that_meets_positions_again_at_another_time(tmp_path: Path) -> None:
    """No function but the required ones; some player moves twice; positions are met after different numbers of moves."""
    (tmp_path / "heaps.py").write_text(HEAPS)
    solution, known = make_table(game(str(tmp_path / "heaps.py"))), dict[Position, Value]()
    positions = all_positions(solution.game.start())
    assert solution.summary()["states"] == len(positions)
    for position in positions:
        assert solution.value(position) == plain_best(position, known), str(position)


@pytest.mark.exhaustive
@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)])
def test_every_set_of_edges_of_small_boards(rows: int, columns: int) -> None:
    solution, known = make_table(game(f"dots:{rows}x{columns}")), Known()
    twin = NaiveDots(rows, columns)
    edges, start = twin.edges(), solution.game.start()
    place = {edge_name(edge): start.parse_move(edge_name(edge)) for edge in edges}
    for number in range(2 ** len(edges)):
        twin = NaiveDots(rows, columns)
        position = start
        for index, edge in enumerate(edges):
            if number >> index & 1:
                twin.play(edge_name(edge))
                position = position.play(place[edge_name(edge)])
        assert solution.value(position).margin == position.margin + dots_gain(twin, known), str(position)


@kernel
def _fill_by_the_rules(rules, values, begin, end):
    numbering._fill_by_playing(rules, values, begin, end)


@pytest.mark.parametrize("spec", ["dots:2x3", "dots:3x3"])
def test_the_table_of_dots_and_boxes_against_the_rules(spec: str) -> None:
    """The whole table of 2×3; of 3×3 a part that has boxes of all kinds."""
    chosen = game(spec)
    values = make_table(chosen).tables()["values"]
    again = values.copy()
    for begin in (0, values.size // 3, values.size - (1 << 17)):
        end = min(values.size, begin + (1 << 17))
        again[begin:end] = 99
        _fill_by_the_rules(chosen.rules, again, begin, end)
    assert np.array_equal(values, again)


@pytest.mark.parametrize("spec", ["mnk:4,4,4", "dots:3x3"])
def test_random_positions_agree_with_their_successors(tables: dict[str, PositionTable], spec: str) -> None:
    solution = tables[spec]
    for position in random_positions(solution.game, 200, 1):
        found = solution.probe(position)
        if position.is_over:
            assert found.best == () and found.value.outcome == position.outcome
            continue
        best = max((value for _, value in found.moves), key=Value.preference)
        assert found.value.preference() == best.preference(), str(position)


def test_margins_count_the_points_won_before(tables: dict[str, PositionTable]) -> None:
    position = game("dots:2x2").start()
    for move in ("A1-B1", "A2-B2", "A1-A2", "B1-B2"):  # the second player closes a box
        position = position.play(move)
    assert position.turn == "b" and position.margin == 1
    solution = tables["dots:2x2"]
    after = [solution.value(child) if child.player == 1 else solution.value(child).for_other_player() for _, child in position.children()]
    assert solution.value(position).margin == max(value.margin or 0 for value in after)


# Tables as arrays


def test_stored_tables_give_the_same_answers(tables: dict[str, PositionTable], tmp_path: Path) -> None:
    for spec in ("mnk:3,3,3", "dots:2x2"):
        solution = tables[spec]
        folder = store_arrays(tmp_path / spec.replace(":", "-"), solution.game, "strong 1", solution.tables(), {})
        again = PositionTable(solution.game, {name: table.array() for name, table in folder.tables.items()})
        for position in random_positions(solution.game, 50, 2):
            assert again.value(position) == solution.value(position)
        assert again.summary() | {"seconds": 0} == solution.summary() | {"seconds": 0}
        assert open_folder(folder.path, solution.game, "strong 1").tables.keys() == folder.tables.keys()


def test_arrays_of_another_shape_are_refused(tables: dict[str, PositionTable]) -> None:
    arrays = tables["mnk:3,3,3"].tables()
    with pytest.raises(TableError, match="has the arrays keys, values, moves, counts, not values"):
        PositionTable(game("mnk:3,3,3"), {"values": arrays["values"]})
    with pytest.raises(TableError, match="has the arrays values, not keys"):
        PositionTable(game("dots:1x1"), arrays)
    with pytest.raises(TableError, match="have the shapes"):
        PositionTable(game("dots:1x1"), {"values": np.zeros(15, np.int8)})


# What is refused


def test_positions_that_cannot_arise_are_not_guessed_at(tables: dict[str, PositionTable]) -> None:
    with pytest.raises(OutsideTable, match="cannot be reached"):
        tables["mnk:3,3,3"].value(game("mnk:3,3,3").position("XX./.../... x"))
    with pytest.raises(OutsideTable, match="a solution of mnk:3,3,3, not of mnk:4,4,4"):
        tables["mnk:3,3,3"].value(game("mnk:4,4,4").start())


@pytest.mark.parametrize("spec", ["dots:3x4", "dots:4x4", "dots:9x9", "mnk:5,5,4", "mnk:15,15,5"])
def test_games_that_do_not_fit_are_refused_at_once(spec: str) -> None:
    with pytest.raises(TableTooLarge, match=f"all positions of {spec} does not fit into 1024 MB"):
        make_table(game(spec))


@pytest.mark.exhaustive
def test_a_table_that_grows_too_large_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "heaps.py").write_text(HEAPS.replace("HeapsRules(5, 4)", "HeapsRules(60, 60)"))
    with pytest.raises(TableTooLarge, match="there are more than"):
        make_table(game(str(tmp_path / "heaps.py")), memory_mb=1)
    assert make_table(game(str(tmp_path / "heaps.py")), memory_mb=64).summary()["states"] > 60_000


def test_more_positions_than_allowed_end_the_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No larger table is begun for nothing."""

    def begun_again(*arguments: object) -> None:
        raise AssertionError("a larger table was begun")

    monkeypatch.setattr(sys.modules[make_table.__module__], "move_over", begun_again)
    with pytest.raises(TableTooLarge, match="there are more than 100 positions"):
        make_table(game("tictactoe"), most=100)


def test_games_that_can_repeat_are_refused() -> None:
    with pytest.raises(LudometerError, match="quixo:3 is not a game in turns without repetition"):
        make_table(game("quixo:3"))


def test_estimates() -> None:
    assert estimate(game("dots:3x3")).entries == 2**24
    expected = estimate(game("mnk:4,4,4"))
    assert 1_217_977 < expected.entries < 1_400_000 and expected.memory < 100 << 20
    assert estimate(game(CONNECT_THREE)).entries == 0


@pytest.mark.exhaustive
def test_progress_is_told() -> None:
    seen: list[tuple[int, int, str]] = []
    make_table(game("dots:3x3"), progress=lambda *step: seen.append(step))
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen) and seen[-1][:2] == (2**24, 2**24)
    make_table(game("mnk:4,4,4"), progress=lambda *step: seen.append(step))
    assert len(seen) > 4 and all(done <= total for done, total, _ in seen)


# Numbered states: what a game of the user's own may get wrong

# Take 1 to 3 stones from a heap; the number of a state is how many were taken.  The points are for the last stone, and the moves
# made are said to be many.
COUNTED = """
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN

GAME = GameKind(name=__file__, title="Counted", syntax="counted.py", listed=(), modules=(__name__,), scored=SCORED)

class CountedRules(NamedTuple):
    stones: int

class CountedState(NamedTuple):
    taken: np.uint64
    turn: np.uint64

def rules_from_text(text):
    return CountedRules(7)

def rules_to_text(rules):
    return ""

@njit
def start(rules):
    return CountedState(U0, U0)

@njit
def move_bound(rules):
    return 3

@njit
def legal_moves(rules, state, buffer):
    found = 0
    for more in range(3):
        if state.taken + np.uint64(more + 1) <= np.uint64(rules.stones):
            buffer[found] = more
            found += 1
    return found

@njit
def play(rules, state, move):
    return CountedState(state.taken + np.uint64(move + 1), state.turn ^ U1)

@njit
def turn(rules, state):
    return np.int64(state.turn)

@njit
def margin(rules, state):
    return np.int64(-POINTS) if state.taken == np.uint64(rules.stones) else np.int64(0)

@njit
def outcome(rules, state):
    return LOSS if state.taken == np.uint64(rules.stones) else ONGOING

@njit
def dense_size(rules):
    return rules.stones + 1

@njit
def dense_index(rules, state):
    return np.int64(state.taken)

@njit
def dense_state(rules, index):
    return CountedState(np.uint64(index), U0)

@njit
def dense_moves(rules, index):
    return 30 * index

def format_position(rules, state):
    return f"{int(state.taken)} {'xo'[int(state.turn)]}"

def parse_position(rules, text):
    raise NotImplementedError

def format_move(rules, state, move):
    return str(move + 1)

def draw(rules, state, last):
    raise NotImplementedError

def text_board(rules, state, last):
    raise NotImplementedError
"""


def counted(folder: Path, scored: bool, points: int) -> Game:
    file = folder / f"counted_{scored}_{points}.py"
    file.write_text(COUNTED.replace("SCORED", str(scored)).replace("POINTS", str(points)))
    return game(str(file))


@pytest.mark.exhaustive
def test_numbered_states_of_the_users_own(tmp_path: Path) -> None:
    """Points up to 127 fit into a byte, whether the game bounds them or not, and any number of moves is counted."""
    solution = make_table(counted(tmp_path, True, 127))
    assert solution.is_dense and solution.tables()["values"].dtype == np.int8
    assert [int(value) for value in solution.tables()["values"]] == [127, 127, 127, -127, 127, 127, 127, 0]
    assert [row["moves"] for row in solution.counts_by_moves()] == [30 * index for index in range(8)]
    assert solution.summary()["states"] == 8
    probe = solution.probe(solution.game.start())
    assert probe.value == Value(WIN, margin=127) and [move + 1 for move in probe.best] == [3]


def test_points_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(LudometerError, match="its points do not fit into a table"):
        make_table(counted(tmp_path, True, 128))


def test_numbers_without_points(tmp_path: Path) -> None:
    """Such a table holds gains; ±1 in a game without points would be read as a distance."""
    with pytest.raises(LudometerError, match="numbers its states .dense_size., which is for games with points"):
        make_table(counted(tmp_path, False, 1))


def test_a_probe_is_one_call(tables: dict[str, PositionTable], monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of all moves are found by compiled code, as many as there are, and equal those found one by one."""
    for spec in ("mnk:4,4,4", "dots:2x2"):
        solution = tables[spec]
        for position in random_positions(solution.game, 20, 3):
            plain = Solution.probe(solution, position)
            with monkeypatch.context() as patch:
                patch.setattr(Position, "play", lambda *arguments: pytest.fail("a move was played in Python"))
                assert solution.probe(position) == plain
