"""`bench`: every benchmark runs; what it prints of ratios; without a checkout, or without a peer, one line."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import benchmarks
from ludometer.commands import bench
from ludometer.core.errors import LudometerError


def test_ratios_near_one_keep_the_digits_that_say_what_something_costs() -> None:
    assert [bench._ratio(one) for one in (0.9874, 1.0, 1.9996, 2.04, 31.27)] == ["0.987", "1.000", "2.000", "2.0", "31.3"]


def test_helpers_are_no_benchmarks() -> None:
    assert {"counting", "lab", "window"} <= set(benchmarks.names())
    assert "packing_kernels" not in benchmarks.names() and all(map(benchmarks.title, benchmarks.names()))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", benchmarks.names())
def test_every_benchmark_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    rows = benchmarks.measure(name, toy=True)
    if name == "solving_gpu":
        assert rows == [] and "not measured" in capsys.readouterr().err
        return
    assert rows and all({"name", "ours", "peer", "ratio"} <= row.keys() for row in rows)
    assert all(isinstance(row["ours"], (int, float)) and (row["peer"] is None) == (row["ratio"] is None) for row in rows)


def test_a_missing_peer_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyspiel" else found(name))
    benchmarks.has_peer.cache_clear()
    try:
        rows: list[dict[str, Any]] = benchmarks.measure("playouts", toy=True)
        assert rows and all(row["peer"] is None for row in rows)
        assert benchmarks.measure("mcts", toy=True) == []
        assert capsys.readouterr().err.splitlines() == ["not measured beside pyspiel, which is not installed"]
    finally:
        benchmarks.has_peer.cache_clear()


def test_an_installed_package_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "__file__", str(tmp_path / "site-packages" / "ludometer" / "commands" / "bench.py"))
    with pytest.raises(LudometerError, match="part of a checkout"):
        bench.bench()


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    bench.bench(listed=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == benchmarks.names()
    with pytest.raises(LudometerError, match="no benchmark is called 'speed'; there are counting"):
        bench.bench(["speed"])
