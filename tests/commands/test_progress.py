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
