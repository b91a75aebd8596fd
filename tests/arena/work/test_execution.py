"""Settings of measuring work: refused where they cannot be, opened once, and without influence on results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludometer as lm
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"workers": 0}, "workers are 1 or more, not 0"),
        ({"workers": 2, "cluster": "tcp://here:8786"}, "a cluster has workers of its own"),
        ({"pool": "threads", "cluster": "tcp://here:8786"}, "a cluster has workers of its own"),
        ({"cluster": "here:8786"}, "is not an address like tcp://host:8786"),
        ({"pool": "fibres"}, "pool is one of auto, threads, processes, not 'fibres'"),
        ({"seconds": 0}, "seconds are a time above 0, not 0"),
        ({"seconds": float("nan")}, "seconds are a time above 0, not nan"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(LudometerError, match=said) as caught:
        Execution(**settings)
    assert "--" not in str(caught.value), "the library speaks of parameters"


def test_a_path_is_opened_and_closed_and_a_store_of_the_caller_stays_open(tmp_path: Path) -> None:
    with Execution(tmp_path / "a.sqlite").started() as work:
        assert work.is_kept and work.store.runs() == [] and work.run_number(3) == 3
    with pytest.raises(LudometerError):
        work.store.runs()
    with Store(tmp_path / "b.sqlite") as store:
        with Execution(store).started() as work:
            assert work.store is store
        assert store.runs() == []
    with Execution().started() as work:
        assert not work.is_kept and work.run_number(3) is None and not work.stop.asked


def test_started_once() -> None:
    """Whatever is handed a started execution shares its store, its workers and its stop."""
    stop = Stop()
    with Execution(workers=3, stop=stop).started() as outer, outer.started() as inner:
        assert inner is outer and inner.stop is stop and inner.crew.at_once == 3
    assert not outer.is_stopped


def test_time_asks_for_the_end_and_leaves_the_callers_stop_alone() -> None:
    stop = Stop()
    with Execution(seconds=0.01, stop=stop).started() as work:
        while not work.stop.asked:  # ends, or the test never does
            pass
    assert not stop.asked
    with Execution(seconds=1e9, stop=stop).started() as work:
        stop.ask()
        while not work.stop.asked:
            pass
    assert work.is_stopped


def test_a_match_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "experiments.sqlite"
    told: list[tuple[int, int, str]] = []
    execution = lm.Execution(workers=2, store=str(file), progress=lambda *at: told.append(at))
    result = lm.match("tictactoe", "mcts:5", "random", games=40, execution=execution)
    assert result.run == 1 and told[-1][:2] == (40, 40) and told[-1][2].startswith("score ")
    assert result.counts == lm.match("tictactoe", "mcts:5", "random", games=40).counts
    again = lm.match("tictactoe", "mcts:5", "random", games=40, execution=lm.Execution(store=file))
    assert again.document() == result.document()


@pytest.mark.exhaustive
@pytest.mark.parametrize("pool", ["threads", "processes"])
def test_the_pool_changes_nothing(pool: str) -> None:
    """Compiled pairs in processes, and pairs played by Python in threads."""
    for a in ("mcts:5", "mcts:5,threads=2"):
        found = lm.match("tictactoe", a, "random", games=8, execution=lm.Execution(workers=2, pool=pool))
        assert found.counts == lm.match("tictactoe", a, "random", games=8).counts
