"""Words and numbers laid out for people."""

from __future__ import annotations

from ludometer.core.text import aligned, duration, in_columns, short_number, signed, size_text


def test_words() -> None:
    assert [duration(s) for s in (0.04, 5, 60, 300, 9000, 1e6)] == ["0.0 s", "5.0 s", "60 s", "5 min", "2.5 h", "12 days"]
    assert [size_text(n) for n in (12, 6_300_000, 106e9)] == ["12 bytes", "6.3 MB", "106 GB"]
    assert [short_number(n) for n in (12, 1234, 5.6e9)] == ["12", "1.2 thousand", "5.6 billion"]
    assert [short_number(n) for n in (0, 0.0417, 3.14, 9.96, 10.4)] == ["0", "0.042", "3.1", "10", "10"], "slow work has a rate, too"
    assert [signed(n) for n in (2, 0, -3)] == ["+2", "0", "-3"]


def test_columns_fill_the_width() -> None:
    assert in_columns(["A1", "B2", "C3"], width=10) == "  A1  B2\n  C3"
    assert in_columns(["A1", "B2", "C3"], width=3) == "  A1\n  B2\n  C3"
    assert in_columns([]) == ""


def test_tables_are_aligned() -> None:
    lines = [["name", "games", "note"], ["a", "1,000", ""], ["longer", "7", "x"]]
    assert aligned(lines, left={0}) == "name    games  note\na       1,000\nlonger      7     x"
    assert aligned([["9"], ["10"]]) == " 9\n10"
