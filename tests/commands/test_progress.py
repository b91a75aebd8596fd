"""How far long work is, in words."""

from __future__ import annotations

import pytest

from ludometer.commands import progress
from ludometer.commands.progress import shown_progress


def test_lines_elsewhere_than_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(1000))
    monkeypatch.setattr(progress.time, "perf_counter", lambda: float(next(now)))
    with shown_progress("solving", "entries") as report:
        for done in range(0, 101, 10):
            report(done, 100, "some tiles")
        report(7, 0, "no end in sight")
    lines = capsys.readouterr().err.splitlines()
    assert 3 <= len(lines) < 9 and all(line.startswith("solving: ") for line in lines)
    assert any("of 100 entries" in line and "/s" in line and "left; some tiles" in line for line in lines)


def test_a_bar_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
    with shown_progress("solving", "entries") as report:
        report(10, 100, "some tiles")
        report(100, 100, "other tiles")
    assert capsys.readouterr().out == ""


def test_the_time_left_is_that_of_the_work_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter was there before and says nothing of the rate; the next quarter took 10 s, so the half that is left takes 20 s."""
    clock = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: clock[0])
    with shown_progress("solving", "entries") as report:
        report(100, 400, "found from an earlier run")
        clock[0] = 10.0
        report(200, 400, "some tiles")
        clock[0] = 20.0
        report(300, 0, "no end in sight")
    assert capsys.readouterr().err.splitlines() == [
        "solving: 200 of 400 entries (50%), 10/s, 20 s left; some tiles",
        "solving: 300 entries, 10/s; no end in sight",
    ]
