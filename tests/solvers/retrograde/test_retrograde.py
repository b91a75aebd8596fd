"""Retrograde analysis of games that can repeat: the slow twin, the other solvers, known answers, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.stopping import Stop
from ludometer.solvers.acyclic.table import make_table
from ludometer.solvers.options import SolveOptions, VerifyOptions
from ludometer.solvers.retrograde import reach
from ludometer.solvers.retrograde.driver import solve_retrograde
from ludometer.solvers.retrograde.reach import Positions, TooManyPositions, find_positions
from ludometer.solvers.retrograde.rounds import FORWARD, REPEATED, STORED, Rounds, need_of
from ludometer.solvers.retrograde.rounds_kernels import decide_from_edges
from ludometer.solvers.retrograde.snapshots import Snapshots
from ludometer.solvers.retrograde.solution import ArrayEntries, RetrogradeSolution
from ludometer.solvers.retrograde.solver import RetrogradeSolver
from ludometer.solvers.retrograde.team import Threads
from ludometer.solvers.solution import OutsideTable
from ludometer.solvers.tiles.driver import solve_tiles
from tests.naive.circles import all_positions, values_of
from tests.solvers.retrograde.games import written

MEMORY = 1 << 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


def solved(game: Game, **options: object) -> RetrogradeSolution:
    return solve_retrograde(game, SolveOptions(**options))  # type: ignore[arg-type]  # any option


def check_with_twin(game: Game, solution: RetrogradeSolution) -> None:
    """Compare all positions, and the totals, with the slow twin."""
    known = values_of(game.start())
    for position, value in known.items():
        assert solution.value(position) == value, str(position)
    summary = solution.summary()
    assert summary["states"] == len(known)
    for name, outcome in (("win", WIN), ("loss", LOSS), ("draw", DRAW)):
        assert summary[name] == sum(value.outcome == outcome for value in known.values())
    assert solution.value(game.start()) == known[game.start()]


@pytest.mark.parametrize("wide", [0, 1])
def test_random_graphs_as_the_twin_says(folder: Path, wide: int) -> None:
    path = written(folder, "graph.py")
    seen = set()
    for seed in range(40):
        game = lm.game(f"{path}:{seed},{10 + 7 * (seed % 12)},{1 + seed % 5},{wide}")
        solution = solved(game)
        check_with_twin(game, solution)
        assert RetrogradeSolver().verify(solution, VerifyOptions())[1].lines == []
        values = {value for value, count in solution.totals.counts.items() if count}
        seen |= (
            {"draw"} & {"draw" if 0 in values else ""}
            | {f"win {v - 1}" for v in values if v > 0}
            | {f"loss {-v - 1}" for v in values if v < 0}
        )
    assert {"draw", "win 0", "win 1", "win 2", "win 3", "loss 0", "loss 1", "loss 2", "loss 3"} <= seen


def test_probes_rank_moves_as_the_twin_does(folder: Path) -> None:
    game = lm.game(f"{written(folder, 'graph.py')}:5,60,4,0")
    solution, known = solved(game), values_of(game.start())
    for position in known:
        if position.is_over:
            continue
        probe = solution.probe(position)
        assert probe.value == known[position]
        assert {value for move, value in probe.moves if move in probe.best} == {probe.value}


def test_pong_hau_ki_is_a_draw_with_published_counts(folder: Path) -> None:
    game = lm.game(written(folder, "pong.py"))
    solution = solved(game)
    check_with_twin(game, solution)
    summary = solution.summary()
    assert (summary["states"], summary["win"], summary["draw"], summary["loss"]) == (56, 8, 44, 4)
    assert summary["start"] == {"value": "draw", "distance": None}
    assert solution.entries < 56  # mirror images share an entry


def test_tables_agree_with_the_solver_of_games_without_repetition() -> None:
    for spec in ("tictactoe", "mnk:3,4,3"):
        game = lm.game(spec)
        solution, table = solved(game), make_table(game)
        ours, theirs = solution.summary(), table.summary()
        assert {key: ours[key] for key in ("states", "win", "loss", "draw", "start")} == {
            key: theirs[key] for key in ("states", "win", "loss", "draw", "start")
        }
        assert ours["histogram"] == theirs["histogram"]
        positions = all_positions(game.start()) if spec == "tictactoe" else [game.start()]
        for position in positions:
            assert solution.probe(position) == table.probe(position)


@pytest.mark.parametrize("spec", ["quixo:2", "quixo:3"])
def test_tables_agree_with_the_solver_of_tile_games(spec: str) -> None:
    game = lm.game(spec)
    solution, tiles = solved(game), solve_tiles(game, SolveOptions())
    assert isinstance(solution.found, ArrayEntries)
    for entry in range(solution.entries):
        position = solution.position_of(solution.found, entry)
        assert solution.probe(position) == tiles.probe(position)


def test_leaves_that_need_more_bits_than_random_games_show(folder: Path) -> None:
    game = lm.game(f"{written(folder, 'line.py')}:3000")
    solution = solved(game)
    assert solution.entries == 2 * 3001
    check = RetrogradeSolver().verify(solution, VerifyOptions())
    assert check[0] == solution.entries and not check[1]
    with pytest.raises(OutsideTable):
        solution.value(game.position("100000 x"))


def found_by(game: Game, threads: Threads) -> Positions:
    return find_positions(game, threads, MEMORY, Snapshots(None, None, Stop()))  # type: ignore[arg-type]  # nothing is written


def test_all_ways_give_the_same_values() -> None:
    """How edges are followed depends on the memory there is, the values do not."""
    game, stop = lm.game("quixo:3"), Stop()
    none = Snapshots(None, None, stop)  # type: ignore[arg-type]  # nothing is written
    with Threads(2, stop) as threads:
        positions = found_by(game, threads)
        need = need_of(game, positions, 2)
        more = need.always + need.following_back
        first = Rounds(game, positions, threads, MEMORY, none)
        first.run()
        assert first.way == STORED
        for memory, way in ((more + 8 * first.edges - 1, REPEATED), (more + 4 * first.edges - 1, FORWARD), (need.always, FORWARD)):
            rounds = Rounds(game, positions, threads, memory, none)
            assert np.array_equal(rounds.run(), first.values)
            assert rounds.way == way


def test_a_round_reads_what_earlier_rounds_decided() -> None:
    """A chain of forced moves to a lost end: each round decides one position, also where a later one is looked at after it."""
    edges = np.array([2, 0], np.uint32)  # 0 → 2 and 1 → 0, the turn passing with each move
    degrees, found = np.array([1, 1, 0], np.uint16), np.zeros(3, np.uint32)
    values = np.array([0, 0, -1], np.int16)
    for value, number, after in ((2, 0, [2, 0, -1]), (3, 1, [2, -3, -1])):
        assert decide_from_edges(edges, 0, 3, degrees, value, values, found) == 1 and found[0] == number
        assert values.tolist() == after


def test_many_threads_enter_long_keys_into_one_table(folder: Path) -> None:
    """Keys of three words, more threads than cores: no position is lost or entered twice."""
    path = written(folder, "graph.py")
    narrow, wide = (solved(lm.game(f"{path}:3,60000,4,{wide}"), workers=5) for wide in (0, 1))
    reached = len(all_positions(lm.game(f"{path}:3,3000,4,1").start()))
    assert solved(lm.game(f"{path}:3,3000,4,1"), workers=5).entries == reached
    assert len(wide.key_layout.words) > 1 == len(narrow.key_layout.words)
    assert wide.entries > 10_000
    assert wide.totals == narrow.totals


def test_small_hash_tables_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    game = lm.game("quixo:3")
    whole = solved(game)
    monkeypatch.setattr(reach, "FIRST_SLOTS", 64)
    grown = solved(game, workers=3)
    assert isinstance(whole.found, ArrayEntries) and isinstance(grown.found, ArrayEntries)
    assert np.array_equal(whole.found.keys, grown.found.keys) and np.array_equal(whole.found.values, grown.found.values)


def test_too_large_says_how_far_it_got() -> None:
    with pytest.raises(
        TooManyPositions, match=r"too large .* 4\.0 MB of memory: [\d,]+ were found, the last of them \d+ moves from the start"
    ):
        solved(lm.game("mnk:4,4,4"), memory=4_000_000)
    with pytest.raises(TooManyPositions, match="more than 100 positions"):
        solve_retrograde(lm.game("tictactoe"), SolveOptions(), most=100)


def test_too_little_memory_for_values_names_the_least() -> None:
    game, stop = lm.game("quixo:3"), Stop()
    with Threads(1, stop) as threads:
        positions = found_by(game, threads)
        least = need_of(game, positions, 1).always
        none = Snapshots(None, None, stop)  # type: ignore[arg-type]  # nothing is written
        with pytest.raises(TooManyPositions, match="4,433 positions up to symmetry.*the least that works is"):
            Rounds(game, positions, threads, least - 1, none)
        assert Rounds(game, positions, threads, least, none).run().size == 4433


def test_points_are_refused() -> None:
    with pytest.raises(LudometerError, match="counts points"):
        solved(lm.game("dots:1x2"))
