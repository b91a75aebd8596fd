"""Words and numbers laid out for people."""

from __future__ import annotations

import pytest

from ludometer.core.text import aligned, bytes_of, duration, in_columns, short_number, signed, size_at_least, size_text


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


@pytest.mark.parametrize(
    ("text", "count"),
    [("24GB", 24 * 10**9), ("7.5 gb", 7_500_000_000), ("512MiB", 512 << 20), ("8000", 8000), ("1k", 1000), ("2TiB", 2 << 40), ("0", 0)]
    + [(text, None) for text in ("", "GB", "-1GB", "1e9", "24 G B", "5iB", "٣GB", "nan", "1.GB")],
)
def test_bytes_as_people_write_them(text: str, count: int | None) -> None:
    assert bytes_of(text) == count


@pytest.mark.parametrize("count", [1, 99, 100, 12_345, 7_000_000_000, 7_000_000_001, 7_049_999_999, 123_456_789])
def test_a_limit_that_is_said_is_enough(count: int) -> None:
    said = bytes_of(size_at_least(count))
    assert said is not None and count <= said <= 1.02 * count + 100


def test_limits_are_short() -> None:
    assert (size_at_least(7_000_000_000), size_at_least(7_000_000_001), size_at_least(99_900_000)) == ("7GB", "7.1GB", "99.9MB")
