"""What is killed goes on where it stopped; a full disk and a store that may not be written to lose nothing; workers may die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ludometer.arena.experiments.match import match
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store, StoreError

ROOT = Path(__file__).parent.parent.parent


def killing(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.arena.killing", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stderr
    report: dict[str, Any] = json.loads(run.stdout)
    return report


@pytest.mark.kill
@pytest.mark.parametrize("kills", [8, pytest.param(30, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("work", ["match", "tournament", "ladder", "accuracy"])
def test_killed_at_random_moments(work: str, kills: int, tmp_path: Path) -> None:
    report = killing(work, str(kills), "1", str(tmp_path))
    assert report["equal"] and report["killed"] == kills and report["after_some_chunks"] >= kills // 3, report


class LittleRoom(Store):
    """A store on a disk that is nearly full."""

    def __init__(self, path: Path, pages: int) -> None:
        super().__init__(path)
        self._connection.execute(f"PRAGMA max_page_count = {pages}")


class Forbidden(Store):
    """A store in a file that may only be read."""

    def _open(self, address: str) -> Any:
        return super()._open(f"{address}?mode=ro")


def test_a_full_disk_ends_a_match_with_one_line_and_loses_nothing(tmp_path: Path) -> None:
    with LittleRoom(tmp_path / "s.sqlite", 30) as store, pytest.raises(StoreError, match="full; what it holds is kept") as caught:
        match("tictactoe", "random", "mcts:5", 100_000, seed=2, execution=Execution(store))
    assert "\n" not in str(caught.value)
    with Store(tmp_path / "s.sqlite") as store:
        assert 0 < store.runs()[0].done < 50_000
        done = 2 * (store.runs()[0].done // 2)
        found = match("tictactoe", "random", "mcts:5", 2_000, seed=2, execution=Execution(store))
    assert found.counts == match("tictactoe", "random", "mcts:5", 2_000, seed=2).counts and done


def test_a_store_that_may_not_be_written_to_ends_a_match_with_one_line(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        kept = match("tictactoe", "random", "mcts:5", 20, execution=Execution(store))
    with (
        Forbidden(tmp_path / "s.sqlite") as store,
        pytest.raises(StoreError, match="may not be written to; what it holds is kept") as caught,
    ):
        match("tictactoe", "random", "mcts:5", 40, execution=Execution(store))
    assert "\n" not in str(caught.value)
    with Store(tmp_path / "s.sqlite") as store:
        assert match("tictactoe", "random", "mcts:5", 20, execution=Execution(store)).counts == kept.counts and store.runs()[0].wanted == 10


def descendants(process: int) -> set[int]:
    """Ids of the processes below one."""
    found: set[int] = set()
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            found |= {child} | descendants(child)
    return found


def is_alive(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def has_results(path: Path) -> bool:
    """Whether a store somebody else is filling holds finished work by now; it may be seen before its tables are made."""
    if not path.is_file():
        return False
    try:
        with Store(path, read_only=True) as store:
            return any(run.done for run in store.runs())
    except StoreError:
        return False


@pytest.mark.kill
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_working_processes_end_with_a_killed_parent(tmp_path: Path) -> None:
    words = ["match", "tictactoe", "mcts:300,threads=2", "random", "--games", "100000", "--store", str(tmp_path / "s.sqlite")]
    with started("ludometer", *words) as process:
        deadline = time.monotonic() + 240
        while not has_results(tmp_path / "s.sqlite") and time.monotonic() < deadline:
            time.sleep(0.5)
        below = descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(below) >= 2
    deadline = time.monotonic() + 30
    while any(map(is_alive, below)) and time.monotonic() < deadline:
        time.sleep(0.2)
    left = [child for child in below if is_alive(child)]
    for child in left:
        os.kill(child, signal.SIGKILL)
    assert not left


@pytest.mark.kill
def test_a_cluster_whose_worker_is_killed_gives_the_same_result(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    settings: Any = {"game": "tictactoe", "a": "mcts:200", "b": "random", "games": 3000, "seed": 8}
    alone = match(**settings)
    address_file = tmp_path / "scheduler.json"
    scheduler = ("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file))
    worker = ("distributed.cli.dask_worker", "--scheduler-file", str(address_file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with started(*scheduler), started(*worker), started(*worker), started(*worker) as victim:
        deadline = time.monotonic() + 60
        while not address_file.is_file() and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(address_file.read_text())["address"]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(3, timeout=120)
            killed: list[int] = []

            def kill_one(done: int, total: int, text: str) -> None:
                if done >= 300 and not killed:
                    victim.kill()
                    killed.append(done)

            with Store(tmp_path / "s.sqlite") as store:
                shared = match(**settings, execution=Execution(store, cluster=address, progress=kill_one))
                assert store.runs()[0].done == 1500
            assert len(client.scheduler_info()["workers"]) == 2
    assert killed and killed[0] < 3000
    assert shared.counts == alone.counts and shared.lengths == alone.lengths and shared.anytime_interval == alone.anytime_interval
