"""What solvers find, frozen: totals, classes and every byte of tables; and what they say beforehand."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from ludometer.core.errors import LudometerError
from ludometer.games import game, kinds
from ludometer.solvers import Forecast, background, check_room, forecast, forecasts, solution_cache, solving, verification
from ludometer.solvers.check_findings import SHOWN, Findings
from ludometer.solvers.files.table_folders import open_folder
from ludometer.solvers.retrograde import driver as retrograde_driver
from ludometer.solvers.solution import Value, probe_of
from ludometer.solvers.task_graph import run_graph
from ludometer.solvers.tiles import forecasting
from tests.freezing import frozen


@pytest.mark.parametrize("spec", ["quixo:2", "quixo:3", "tictactoe", "mnk:2,3,2", "dots:1x2", "dots:2x2"])
def test_totals_classes_and_bytes(spec: str, tmp_path: Path) -> None:
    chosen = game(spec)
    solution = solving.solve(chosen, tables=tmp_path)
    summary = {name: value for name, value in solution.summary().items() if name != "seconds"}
    (folder,) = tmp_path.iterdir()
    opened = open_folder(folder)
    digest = hashlib.sha256()
    for name in sorted(opened.tables):
        digest.update(f"{name} ".encode() + opened.tables[name].array().tobytes())
    lines = [json.dumps(summary), *(json.dumps(row) for row in solution.classes()), f"{len(opened.tables)} tables {digest.hexdigest()}"]
    lines += [f"{solution.keep} {solution.has_distances} {solution.entries} entries"]
    position = chosen.start()
    for _ in range(4):
        found = solution.probe(position)
        value = f"Value(outcome={found.value.outcome}, distance={found.value.distance}, margin={found.value.margin})"
        best, keeping = (tuple(map(int, moves)) for moves in (found.best, found.keeping))
        lines.append(f"{position}: {value} best {best} keeping {keeping}")
        position = position.play(position.legal[-1])
    frozen(f"solved-{chosen.spec.replace(':', '-').replace(',', '-')}.txt", "\n".join(lines))


def test_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (forecasting, retrograde_driver):
        monkeypatch.setattr(module, "free_memory", lambda: 8 * 10**9)
        monkeypatch.setattr(module, "usable_cores", lambda: 4)
    lines = []
    for spec in (spec for kind in kinds().values() for spec in kind.listed):
        for options in ({}, {"tables": "x"}, {"tables": "x", "keep": "values"}, {"keep": "none"}, {"tables": "x", "workers": 3}):
            try:
                found = {
                    name: f"{value:.4g}" if isinstance(value, float) else value for name, value in asdict(forecast(spec, **options)).items()
                }
            except LudometerError as error:
                found = str(error)
            lines.append(f"{spec} {options}: {found}")
    frozen("forecasts.txt", "\n".join(lines), 1e-3)


def test_memory_as_it_is_free_or_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is free is used, as far as more makes a difference; threads do not depend on it."""
    least, most = (getattr(forecast("quixo:4", workers=3, tables="x"), name) for name in ("least_memory", "all_memory"))
    assert 0 < least < most
    for free, used in ((10 * most, most), (most, most), (most - 1, most - 1), (least, least), (least - 1, least), (None, most)):
        monkeypatch.setattr(forecasting, "free_memory", lambda free=free: free)
        expected = forecast("quixo:4", tables="x", workers=3)
        assert (expected.memory, expected.workers, expected.limit) == (used, 3, free)
        given = forecast("quixo:4", tables="x", workers=3, memory=least + 1)
        assert (given.memory, given.limit) == (least + 1, least + 1)
    with pytest.raises(LudometerError, match=r"cannot be solved in .*; the least is memory [0-9.]+MB"):
        forecast("quixo:4", tables="x", workers=3, memory=least - 1)
    with pytest.raises(LudometerError, match="without a folder"):
        forecast("quixo:4", workers=3, memory=least)


def test_memory_that_just_suffices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "free_memory", lambda: 10**9)
    for memory, fits in ((10**9, True), (10**9 + 1, False)):
        expected = Forecast(states=1, entries=1, memory=memory, disk=0, seconds=1.0, where="1 core", workers=1)
        if fits:
            check_room(game("quixo:3"), expected, None)
        else:
            with pytest.raises(LudometerError, match=r"quixo:3 needs 1\.0 GB of memory, of which 1\.0 GB are free here"):
                check_room(game("quixo:3"), expected, None)


def test_errors_beyond_twenty_are_counted() -> None:
    for number in (0, 1, SHOWN, SHOWN + 1, SHOWN + 5):
        found = Findings([f"error {place}" for place in range(number)])
        report = found.report(7)
        assert report["ok"] == (number == 0) and report["checked"] == 7
        if number <= SHOWN:
            assert report["errors"] == [f"error {place}" for place in range(number)]
        else:
            assert report["errors"] == [*(f"error {place}" for place in range(SHOWN - 1)), f"… and {number - SHOWN + 1} more"]
    bit_by_bit = Findings()
    for place in range(SHOWN + 5):
        bit_by_bit.add(f"error {place}")
    assert len(bit_by_bit.lines) == SHOWN and bit_by_bit.report(7)["errors"][-1] == "… and 6 more"
    few = Findings(["one"])
    few.add_further(3)
    assert few and few.report(1)["errors"] == ["one", "… and 3 more"]


def test_what_was_stopped_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where work does not notice a request itself, its name is in the message."""

    def named(work: object, stop: object, what: str) -> str:
        return what

    solution = solving.solve("quixo:2", tables=tmp_path)
    monkeypatch.setattr(background, "run_stoppable", named)
    monkeypatch.setattr(verification, "run_stoppable", named)
    assert solving.solve("quixo:2") == "solving quixo:2" and solving.solve("tictactoe") == "solving mnk:3,3,3"
    assert verification.verify(solution) == verification.verify(tmp_path / "quixo-2") == "verifying"


def test_games_of_simultaneous_moves_have_no_value() -> None:
    with pytest.raises(LudometerError, match="^matrix:prisoners: moves are made at the same time, so no position has one exact value$"):
        solving.solve("matrix:prisoners")


def test_values_of_moves() -> None:
    """A fast win before a slow one, a slow loss before a fast one, unknown distances last among wins and first among losses."""
    values = {0: Value(1, 5), 1: Value(1, 3), 2: Value(0), 3: Value(-1, 8), 4: Value(-1, 2), 5: Value(1)}
    order = sorted(values, key=lambda move: values[move].preference(), reverse=True)
    assert order == [1, 0, 5, 2, 3, 4]
    found = probe_of(values[1], list(values.items()))
    assert found.best == (1,) and found.keeping == (0, 1, 5)
    assert Value(1, 4).for_other_player() == Value(-1, 4) and Value(1, margin=3).for_other_player() == Value(-1, margin=-3)
    assert Value(1, 4).before_a_move() == Value(1, 5) and Value(0, None).before_a_move() == Value(0, None)
    points = probe_of(Value(1, margin=2), [(0, Value(1, margin=2)), (1, Value(1, margin=1)), (2, Value(1, margin=2))])
    assert points.best == points.keeping == (0, 2)
    assert probe_of(Value(0), []).best == probe_of(Value(0), []).keeping == ()


def test_the_longest_way_goes_first() -> None:
    """Of what is ready, what most waits for; one at a time."""
    from concurrent.futures import Future

    needs = {"a": [], "b": [], "c": ["a"], "d": ["c"], "e": ["b", "elsewhere"], "f": []}
    sizes = {"a": 1, "b": 2.5, "c": 1, "d": 4, "e": 2, "f": 5.5}
    order: list[str] = []

    def submit(task: str) -> Future[str]:
        future: Future[str] = Future()
        future.set_result(task)
        return future

    run_graph(needs, sizes.__getitem__, submit, lambda task, result: order.append(result), at_once=1)
    assert order == ["a", "f", "c", "b", "d", "e"], "their ways are 6, 5.5, 5, 4.5, 4 and 2 long"


def test_what_is_known_before_and_what_is_solved_on_the_spot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    chosen = game("quixo:2")
    entries = forecast(chosen).entries
    solution_cache._solved_here.clear()
    for most, quick in ((entries, True), (entries - 1, False)):
        monkeypatch.setattr(solution_cache, "QUICK_ENTRIES", most)
        if quick:
            assert solution_cache.solution_for(chosen).has_distances
        else:
            with pytest.raises(LudometerError, match="quixo:2 is not solved here; run `ludometer solve quixo:2` first"):
                solution_cache.solution_for(chosen)
    solving.solve(chosen, tables=tmp_path / "tables", keep="none")
    with pytest.raises(LudometerError, match="quixo:2 is not solved with values kept here"):
        solution_cache.solution_for(chosen)
    assert solution_cache.solution_for(chosen, need_values=False).keep == "none"
    with pytest.raises(LudometerError, match="only totals were kept in"):
        solution_cache.solution_for(chosen, tmp_path / "tables")
    solving.solve(chosen, tables=tmp_path / "tables", keep="values")
    assert solution_cache.solution_for(chosen).keep == "values"
    with pytest.raises(LudometerError, match="quixo:2 is not solved with distances here"):
        solution_cache.solution_for(chosen, need_distances=True)
    with pytest.raises(LudometerError, match="leave out steps"):
        solution_cache.solution_for(game("dots:1x1"), need_distances=True)


def test_solutions_are_held_and_let_go() -> None:
    shared = solution_cache._Shared()
    made: list[int] = []

    def make(number: int) -> object:
        made.append(number)
        return object()

    for number in (*range(solution_cache._MOST_OPEN), 0, solution_cache._MOST_OPEN, 0, 1):
        shared.get(number, lambda number=number: make(number))
    assert made == [*range(solution_cache._MOST_OPEN + 1), 1], "the one asked for longest ago went, and only that"
