"""The retrograde solver against known answers, a plain twin, and itself under other circumstances."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.solvers.files.locking import locked
from ludometer.solvers.files.table_files import DamagedTable, ForeignTable, TableError, write_table
from ludometer.solvers.files.table_folders import MANIFEST
from ludometer.solvers.options import KEEP
from ludometer.solvers.solution import OutsideTable, Value
from ludometer.solvers.task_graph import run_graph
from ludometer.solvers.tiles.estimate import estimate
from ludometer.solvers.tiles.solution import TileSolution, open_solution
from tests.naive import quixo as naive
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles

# Numbers of positions by distance, from the published solution of the 4×4 board (Tanaka et al., "Quixo Is Solved").
WINS_4 = {
    0: 4_697_505, 1: 15_277_446, 3: 2_419_938, 5: 1_740_992, 7: 1_214_497, 9: 658_834, 11: 287_864, 13: 100_374, 15: 29_314,
    17: 6_656, 19: 1_012, 21: 57,
}  # fmt: skip
LOSSES_4 = {
    0: 4_530_779, 1: 528, 2: 3_775_611, 4: 2_970_384, 6: 1_982_339, 8: 1_034_097, 10: 438_138, 12: 182_954, 14: 66_280,
    16: 18_014, 18: 4_084, 20: 520, 22: 8,
}  # fmt: skip
HISTOGRAMS = {
    "quixo:3": {
        "win": {0: 4435, 1: 7359, 3: 650, 5: 275, 7: 29},
        "loss": {0: 4123, 1: 14, 2: 2009, 4: 708, 6: 77, 8: 4},
    },
    "quixo:4": {"win": WINS_4, "loss": LOSSES_4},
}


@pytest.fixture(scope="module")
def solved_four() -> TileSolution:
    return solve_tiles(lm.game("quixo:4"))


def test_two_by_two() -> None:
    summary = solve_tiles(lm.game("quixo:2")).summary()
    assert (summary["states"], summary["win"], summary["loss"], summary["draw"]) == (81, 50, 31, 0)
    assert summary["start"] == {"value": "win", "distance": 3}


def test_three_by_three() -> None:
    summary = solve_tiles(lm.game("quixo:3")).summary()
    assert (summary["win"], summary["loss"], summary["draw"]) == (12_748, 6_935, 0)
    assert summary["start"] == {"value": "win", "distance": 7}
    assert summary["histogram"] == HISTOGRAMS["quixo:3"]


@pytest.mark.exhaustive
def test_four_by_four(solved_four: TileSolution) -> None:
    summary = solved_four.summary()
    assert (summary["win"], summary["loss"], summary["draw"]) == (26_434_489, 15_003_736, 1_608_496)
    assert summary["states"] == 3**16
    assert summary["histogram"] == HISTOGRAMS["quixo:4"]
    assert summary["device"] == "cpu" and summary["seconds"] > 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("..OX/..../XOO./.... x", Value(LOSS, 22)),
        ("XOOO/OOXO/OXXO/OOOX x", Value(LOSS, 1)),
        (".XX./O.OX/OXXX/OXXO x", Value(DRAW, None)),
    ],
)
def test_positions_of_the_literature(solved_four: TileSolution, text: str, value: Value) -> None:
    position = lm.game("quixo:4").position(text)
    assert solved_four.value(position) == value
    swapped = text[:-1].translate(str.maketrans("XO", "OX")) + "o"
    assert solved_four.value(lm.game("quixo:4").position(swapped)) == value
    assert {solved_four.value(position.transformed(symmetry)) for symmetry in range(position.symmetry_count)} == {value}


def test_classes_add_up(solved_four: TileSolution) -> None:
    classes = solved_four.classes()
    assert len(classes) == 17 * 18 // 2
    assert classes[0] == {"mover": 0, "other": 0, "win": 1, "loss": 0, "draw": 0}
    summary = solved_four.summary()
    assert all(sum(c[key] for c in classes) == summary[key] for key in ("win", "loss", "draw"))
    assert sum(c["win"] + c["loss"] + c["draw"] for c in classes if c["mover"] + c["other"] == 16) == 2**16


def test_probing_is_consistent(solved_four: TileSolution) -> None:
    position = lm.game("quixo:4").start()
    length = 0
    while not position.is_over:
        probe = solved_four.probe(position)
        assert probe.moves and set(probe.best) <= set(probe.keeping)
        assert dict(probe.moves)[probe.best[0]] == probe.value
        position = position.play(probe.best[0])
        length += 1
    assert length == 21


def plain_values(size: int) -> dict[str, tuple[str, int | None]]:
    """Value and distance of every board with X to move, by looking at all boards again and again."""
    swap = str.maketrans("XO", "OX")
    after: dict[str, list[str]] = {}
    known: dict[str, tuple[str, int]] = {}
    for cells in itertools.product(".XO", repeat=size * size):
        board = [list(cells[row * size : (row + 1) * size]) for row in range(size)]
        key = "".join(cells)
        winner = naive.winner(board, "X")
        if winner is not None:
            known[key] = ("win" if winner == "X" else "loss", 0)
        after[key] = [
            "".join("".join(line) for line in naive.play(board, "X", move)).translate(swap) for move in naive.legal_moves(board, "X")
        ]
    for distance in itertools.count(1):
        found = {}
        for key in after.keys() - known.keys():
            replies = [known.get(reply) for reply in after[key]]
            if any(reply is not None and reply[0] == "loss" for reply in replies):
                found[key] = ("win", distance)
            elif all(reply is not None and reply[0] == "win" for reply in replies):
                found[key] = ("loss", distance)
        known.update(found)
        if not found:
            return {key: known.get(key, ("draw", None)) for key in after}
    raise AssertionError("the count ends")


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [2, 3])
def test_every_board_agrees_with_the_plain_twin(size: int) -> None:
    game = lm.game(f"quixo:{size}")
    solution = solve_tiles(game)
    names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
    for key, expected in plain_values(size).items():
        text = "/".join(key[row * size : (row + 1) * size] for row in range(size)) + " x"
        value = solution.value(game.position(text))
        assert (names[value.outcome], value.distance) == expected, text


def test_results_do_not_depend_on_workers() -> None:
    game = lm.game("quixo:3")
    one = solve_tiles(game, workers=1)
    for workers in (2, 5):
        other = solve_tiles(game, workers=workers)
        assert other.tables.keys() == one.tables.keys()
        assert all(np.array_equal(other.tables[place], one.tables[place]) for place in one.tables)
        assert all(np.array_equal(other.counts[place], one.counts[place]) for place in one.counts)


@pytest.mark.parametrize("keep", KEEP)
@pytest.mark.parametrize("in_folder", [False, True])
def test_what_is_kept(keep: str, in_folder: bool, tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    full = solve_tiles(game)
    solution = solve_tiles(game, keep=keep, folder=tmp_path / "tables" if in_folder else None)
    assert {**solution.summary(), "seconds": 0} == {**full.summary(), "seconds": 0}
    assert solution.classes() == full.classes()
    for text in ("XO./.X./O.. x", "XXX/OO./... x", "X.X/O.O/X.O o"):
        position = game.position(text)
        exact = full.value(position)
        if keep == "none":
            with pytest.raises(OutsideTable, match="only totals"):
                solution.value(position)
        elif keep == "values":
            assert solution.value(position) == Value(exact.outcome, 0 if position.is_over else None)
        else:
            assert solution.value(position) == exact
    with pytest.raises(OutsideTable, match="not of quixo:2"):
        solution.value(lm.game("quixo:2").start())


def test_progress_counts_every_entry() -> None:
    game = lm.game("quixo:3")
    seen: list[tuple[int, int, str]] = []
    solve_tiles(game, progress=lambda done, total, text: seen.append((done, total, text)))
    total = estimate(game).entries
    assert [done for done, _, _ in seen] == sorted({done for done, _, _ in seen})
    assert seen[-1] == (total, total, "0 and 0 tiles")


def test_the_estimate_is_what_happens(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    expected = estimate(game)
    assert expected.states == 3**9
    for keep in KEEP:
        folder = tmp_path / keep
        solution = solve_tiles(game, folder=folder, keep=keep)
        size = sum(file.stat().st_size for file in folder.iterdir())
        assert expected.disk[keep] <= size <= expected.disk[keep] + 16_384
        if keep == "distances":
            assert expected.entries == sum(len(table.array()) for table in solution.tables.values())
    assert estimate(lm.game("quixo:5")).entries == pytest.approx(3**25 / 8, rel=0.01)


# ---- folders ----


def test_a_finished_folder_is_used_again(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    first = solve_tiles(game, folder=tmp_path)
    before = content_of(tmp_path)
    second = solve_tiles(game, folder=tmp_path)
    assert first.reused == 0 and second.reused == estimate(game).entries
    assert solve_tiles(game, folder=tmp_path, keep="values").keep == "distances"
    assert content_of(tmp_path) == before
    assert open_solution(tmp_path).summary()["histogram"] == HISTOGRAMS["quixo:3"]


def test_more_can_be_kept_later(tmp_path: Path) -> None:
    game = lm.game("quixo:2")
    for keep in KEEP:
        assert solve_tiles(game, folder=tmp_path / "grown", keep=keep).keep == keep
        solve_tiles(game, folder=tmp_path / keep, keep=keep)
        assert content_of(tmp_path / "grown") == content_of(tmp_path / keep)


def test_solving_again_repairs(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path)
    whole = content_of(tmp_path)
    damaged = tmp_path / "04-02.table"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\x77")
    (tmp_path / "03-03.table").unlink()
    with pytest.raises(TableError):
        open_solution(tmp_path)
    repaired = solve_tiles(game, folder=tmp_path)
    assert 0 < repaired.reused < estimate(game).entries
    assert content_of(tmp_path) == whole
    (tmp_path / MANIFEST).write_text("{")
    with pytest.raises(DamagedTable):
        open_solution(tmp_path)
    assert solve_tiles(game, folder=tmp_path).reused == estimate(game).entries
    assert content_of(tmp_path) == whole


@pytest.mark.parametrize("less", ["none", "values"])
def test_repairing_keeps_no_less_than_was_kept(tmp_path: Path, less: str) -> None:
    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path)
    whole = content_of(tmp_path)
    (tmp_path / "01-01.table").unlink()
    assert solve_tiles(game, folder=tmp_path, keep=less).keep == "distances"
    assert content_of(tmp_path) == whole


def test_a_folder_of_another_game_is_left_alone(tmp_path: Path) -> None:
    solve_tiles(lm.game("quixo:2"), folder=tmp_path)
    before = content_of(tmp_path)
    with pytest.raises(ForeignTable, match="is of 'quixo:2', not of quixo:3"):
        solve_tiles(lm.game("quixo:3"), folder=tmp_path)
    assert content_of(tmp_path) == before


def test_a_folder_that_is_solved_again_is_not_finished_meanwhile(tmp_path: Path) -> None:
    """Half of its tables may be of another kind by then: nobody may take it for a whole one."""
    solve_tiles(lm.game("quixo:2"), folder=tmp_path, keep="values")
    assert (tmp_path / MANIFEST).is_file()
    there: list[bool] = []

    def progress(done: int, total: int, text: str) -> None:
        there.append((tmp_path / MANIFEST).is_file())
        if len(there) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_tiles(lm.game("quixo:2"), folder=tmp_path, progress=progress)
    assert there == [False] * 5
    with pytest.raises(TableError, match="no finished table"):
        open_solution(tmp_path)
    assert solve_tiles(lm.game("quixo:2"), folder=tmp_path).keep == "distances"


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(TableError, match="another run"):
        solve_tiles(lm.game("quixo:2"), folder=tmp_path)
    assert solve_tiles(lm.game("quixo:2"), folder=tmp_path).summary()["start"] == {"value": "win", "distance": 3}


@contextmanager
def process_pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@contextmanager
def dask_cluster() -> Iterator[Executor]:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client.get_executor()


EXECUTORS = [process_pool, *([dask_cluster] if importlib.util.find_spec("distributed") else [])]


@pytest.mark.exhaustive
@pytest.mark.parametrize("executor_of", EXECUTORS)
def test_other_processes_make_the_same_tables(executor_of, tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    for keep in ("distances", "values"):
        solve_tiles(game, folder=tmp_path / f"threads-{keep}", keep=keep)
    with executor_of() as executor:
        for keep in ("distances", "values"):
            folder = tmp_path / f"processes-{keep}"
            solution = solve_tiles(game, folder=folder, keep=keep, executor=executor)
            assert solution.summary()["histogram"] == HISTOGRAMS["quixo:3"]
            assert content_of(folder) == content_of(tmp_path / f"threads-{keep}")


# ---- requests that cannot be met ----


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("mnk:3,3,3", {}, "not a game of tiles"),
        ("quixo:6", {}, "36 cells are more than"),
        ("quixo:2", {"keep": "all"}, "is one of none, values, distances"),
        ("quixo:2", {"workers": 0}, "1 or more, not 0"),
        ("quixo:2", {"device": "abacus"}, "devices are cpu"),
    ],
)
def test_wrong_requests(spec: str, options: dict, message: str) -> None:
    with pytest.raises(LudometerError, match=message):
        solve_tiles(lm.game(spec), **options)


def test_an_executor_needs_a_folder() -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(LudometerError, match="needs a folder"):
        solve_tiles(lm.game("quixo:2"), executor=pool)


def test_a_path_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match="cannot make the folder"):
        solve_tiles(lm.game("quixo:2"), folder=tmp_path / "file" / "tables")


# ---- the order of tasks ----


class Inline(Executor):
    """Runs a task when it is submitted, and notes the order."""

    def __init__(self) -> None:
        self.order: list[str] = []

    def submit(self, function, /, *arguments, **options):
        from concurrent.futures import Future

        future: Future = Future()
        self.order.append(arguments[0])
        try:
            future.set_result(function(*arguments))
        except LudometerError as error:
            future.set_exception(error)
        return future


def test_tasks_wait_for_what_they_need_and_the_longest_way_goes_first() -> None:
    executor = Inline()
    needs = {"a": [], "b": [], "c": ["a"], "d": ["b", "c"], "e": ["elsewhere"]}
    sizes = {"a": 1, "b": 3, "c": 5, "d": 1, "e": 6}
    done = []
    run_graph(needs, sizes.__getitem__, lambda task: executor.submit(str.upper, task), lambda task, result: done.append(result), 1)
    assert executor.order == ["a", "c", "e", "b", "d"]  # ways: a 7, c 6, e 6, b 4, d 1
    assert done == ["A", "C", "E", "B", "D"]


def test_the_first_error_of_a_task_ends_the_run() -> None:
    def work(task: str) -> None:
        if task == "b":
            raise TableError("no room")

    executor = Inline()
    with pytest.raises(TableError, match="no room"):
        run_graph({"a": [], "b": ["a"], "c": ["b"]}, lambda task: 1, lambda task: executor.submit(work, task), lambda *_: None, 1)
    assert executor.order == ["a", "b"]


def test_a_class_that_was_not_kept_is_not_guessed_at() -> None:
    game = lm.game("quixo:2")
    solution = solve_tiles(game)
    partial = TileSolution(game, "distances", solution.counts, {(0, 0): solution.tables[0, 0]}, solution.rows, solution.start_code)
    assert partial.value(game.start()) == Value(WIN, 3)
    with pytest.raises(OutsideTable, match="no table is kept of positions with 0 tiles of the mover and 1 of the other"):
        partial.probe(game.start())


def test_old_files_of_other_rules_are_solved_anew(tmp_path: Path) -> None:
    """A file with another stamp in a folder without a manifest is not taken for one of ours."""
    from ludometer.solvers.files.table_files import Origin
    from ludometer.solvers.tiles.solution import ENCODINGS, LAYOUT

    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path / "right")
    (tmp_path / "mixed").mkdir()
    foreign = Origin(game.spec, "0123456789abcdef", LAYOUT)
    meta = {"mover": 4, "other": 0, "entries": 1, "counts": {"128": 1}}
    write_table(tmp_path / "mixed", "04-00", np.array([128], np.uint8), foreign, ENCODINGS["distances"], meta)
    assert solve_tiles(game, folder=tmp_path / "mixed").reused == 0
    assert content_of(tmp_path / "mixed") == content_of(tmp_path / "right")
