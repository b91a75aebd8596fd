"""How far long work is, in words."""

from __future__ import annotations

import pytest

from ludometer.commands import progress
from ludometer.commands.progress import duration, short_number, shown_progress, size_text


def test_words() -> None:
    assert [duration(s) for s in (0.04, 5, 60, 300, 9000, 1e6)] == ["0.0 s", "5.0 s", "60 s", "5 min", "2.5 h", "12 days"]
    assert [size_text(n) for n in (12, 6_300_000, 106e9)] == ["12 bytes", "6.3 MB", "106 GB"]
    assert [short_number(n) for n in (12, 1234, 5.6e9)] == ["12", "1.2 thousand", "5.6 billion"]


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
