"""Work in a thread of its own, and how it is stopped; what it leaves is used by the next run."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped
from ludometer.solvers import background, open_solution, solve
from ludometer.solvers.acyclic.search import Prover
from ludometer.solvers.background import run_stoppable, run_watched
from ludometer.solvers.files import locking
from ludometer.solvers.files.locking import locked
from ludometer.solvers.tiles.lookup import tile_tables
from ludometer.solvers.tiles.pair_solvers import CpuPairSolver
from ludometer.solvers.tiles.pairs import Pair
from ludometer.solvers.verification import verify
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles


def test_work_that_does_not_look_is_left_behind() -> None:
    """The caller is free at once; the work ends when it can."""
    stop, goes_on, ended = Stop(), threading.Event(), threading.Event()

    def work(request: Stop) -> None:
        stop.ask()
        goes_on.wait()
        ended.set()

    with pytest.raises(Stopped, match="some work was stopped"):
        run_stoppable(work, stop, "some work")
    assert not ended.is_set()
    goes_on.set()
    assert ended.wait(10)


def test_results_and_errors_arrive() -> None:
    assert run_stoppable(lambda stop: 42, None, "counting") == 42

    def fails(stop: Stop) -> None:
        raise LudometerError("no room")

    with pytest.raises(LudometerError, match="no room"):
        run_stoppable(fails, Stop(), "failing")


def test_an_interrupt_asks_the_work_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = threading.Event()
    began = threading.Event()

    def work(stop: Stop) -> None:
        began.set()
        while not stop.asked:
            pass
        seen.set()

    join = threading.Thread.join

    def interrupted(self: threading.Thread, timeout: float | None = None) -> None:
        began.wait()
        monkeypatch.setattr(threading.Thread, "join", join)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_stoppable(work, None, "waiting")
    assert seen.is_set()


def test_the_size_of_stacks_is_set_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a setting of the whole process: a second thread must not take the first one's for what was there before."""
    set_size, sizes, inside = threading.stack_size, [], threading.Lock()

    def watched_size(size: int = 0) -> int:
        if size == background._STACK:
            assert inside.acquire(blocking=False), "two threads set the size at once"
        previous = set_size(size)
        if size != background._STACK:
            sizes.append(size)
            inside.release()
        return previous

    monkeypatch.setattr(threading, "stack_size", watched_size)
    failures: list[BaseException] = []

    def many() -> None:
        try:
            for _ in range(50):
                run_watched(lambda: None, np.zeros(1, np.int64), 0)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and sizes == [0] * 200


# ---- solving, proving and verifying are stopped ----


@pytest.mark.parametrize("keep", ["distances", "values"])
def test_a_stopped_run_goes_on_where_it_ended(keep: str, tmp_path: Path) -> None:
    solve("quixo:3", tables=tmp_path / "whole", keep=keep)
    stop = Stop()
    told: list[int] = []

    def progress(done: int, total: int, text: str) -> None:
        told.append(done)
        if len(told) == 8:
            stop.ask()

    with pytest.raises(Stopped):
        solve("quixo:3", tables=tmp_path / "stopped", keep=keep, workers=1, progress=progress, stop=stop)
    folder = tmp_path / "stopped" / "quixo-3"
    assert not (folder / "manifest.json").exists() and list(folder.glob("*.table"))
    again = solve("quixo:3", tables=tmp_path / "stopped", keep=keep)
    assert 0 < again.reused < again.entries
    assert content_of(tmp_path / "stopped") == content_of(tmp_path / "whole")


def test_kernels_look_at_the_request() -> None:
    """Asked before it begins, a pair ends without a result; nothing is kept."""
    stop = Stop()
    stop.ask()
    game = lm.game("quixo:3")
    with pytest.raises(Stopped):
        CpuPairSolver(game, tile_tables(game)).solve_pair(Pair(9, 0), stop)
    with pytest.raises(Stopped):
        solve_tiles(game, stop=stop)
    with pytest.raises(Stopped):
        solve("tictactoe", stop=stop)
    with pytest.raises(Stopped):
        solve("dots:2x2", stop=stop)
    with pytest.raises(Stopped):
        verify(solve("quixo:2"), stop=stop)
    with pytest.raises(Stopped):
        verify(solve("tictactoe"), stop=stop)
    prover = Prover(lm.game("mnk:4,4,4"), memory_mb=16)
    with pytest.raises(Stopped):
        prover.prove(lm.game("mnk:4,4,4").start(), stop=stop)
    later = lm.game("mnk:4,4,4").position("XXO./OOX./XO../.... x")
    assert prover.prove(later).value == Prover(lm.game("mnk:4,4,4"), memory_mb=16).prove(later).value  # and is as good as new


def test_a_run_that_goes_on_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it could be stopped or not, whoever comes second hears of it at once."""
    waits: list[bool] = []
    monkeypatch.setattr(locking._changed, "wait_for", lambda is_free, seconds: waits.append(not is_free()))
    for stop in (Stop(), None):
        with locked(tmp_path, stop):
            with pytest.raises(LudometerError, match="another run"), locked(tmp_path):
                pass
            assert waits.pop() is False and waits.pop() is False
    assert not waits


def test_a_run_that_was_asked_to_stop_is_waited_for(tmp_path: Path) -> None:
    """The folder is free a moment after Stopped; the next run does not hear of another one."""
    stop, holding, let_go = Stop(), threading.Event(), threading.Event()

    def hold() -> None:
        with locked(tmp_path, stop):
            holding.set()
            let_go.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait()
    with pytest.raises(LudometerError, match="another run"), locked(tmp_path):
        pass
    stop.ask()
    threading.Timer(0.05, let_go.set).start()
    with locked(tmp_path):
        assert let_go.is_set()
    thread.join()


# ---- threads share ----


def test_one_search_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that share a prover wait for each other and get what a prover of their own would say."""
    from ludometer.solvers.acyclic import search

    game = lm.game("mnk:3,3,3")
    positions = [game.start().play(move) for move in game.start().legal]
    expected = [Prover(game, memory_mb=1).prove(position).value for position in positions]
    prover, inside, run = Prover(game, memory_mb=1), threading.Lock(), search.run_watched

    def watched(*arguments: Any) -> Any:
        assert inside.acquire(blocking=False), "two searches write into one table"
        try:
            return run(*arguments)
        finally:
            inside.release()

    monkeypatch.setattr(search, "run_watched", watched)
    found: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda place=place: found.update({place: prover.prove(positions[place]).value}))
        for place in range(len(positions))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[place] for place in range(len(positions))] == expected


def test_threads_ask_one_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are let go and mapped again all the time, and every segment is checked once."""
    from ludometer.solvers.files import table_files, table_folders

    solve("quixo:3", tables=tmp_path)
    monkeypatch.setattr(table_folders, "CHECKED_AT_OPENING", 0)
    monkeypatch.setattr(table_files, "_maps", table_files._Maps(2))
    checks: list[Path] = []
    agrees = table_files.TableFile._agrees

    def counted(self: table_files.TableFile, flat: np.ndarray, number: int) -> bool:
        checks.append(self.file)
        return agrees(self, flat, number)

    game = lm.game("quixo:3")
    solution = open_solution(game, tmp_path)
    monkeypatch.setattr(table_files.TableFile, "_agrees", counted)
    expected = solve(game)
    generator = np.random.default_rng(1)
    positions = [game.start()]
    while len(positions) < 60:
        last = positions[-1]
        positions.append(game.start() if last.is_over else last.play(int(generator.choice(last.legal))))
    wrong: list[str] = []

    def ask(offset: int) -> None:
        for position in positions[offset:] + positions[:offset]:
            try:
                if solution.probe(position) != expected.probe(position):
                    wrong.append(str(position))
            except Exception as error:
                wrong.append(repr(error))

    threads = [threading.Thread(target=ask, args=(20 * number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and checks and len(checks) == len(set(checks))
