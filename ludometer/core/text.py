"""Text for people: columns, tables, sizes, times."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Sequence

from ludometer.core.errors import LudometerError, shorten

_FILE_SPEC = re.compile(r"((?:[A-Za-z]:[\\/])?[^=:]*\.py)(?::(.*))?\Z", re.DOTALL)  # polito:path=player.py begins with no file


def in_columns(words: Sequence[str], width: int = 0) -> str:
    """Words in aligned columns, read from left to right; as many columns as fit into `width`, by default the terminal's."""
    width = width or min(100, shutil.get_terminal_size().columns)
    step = max(map(len, words), default=0) + 2
    per_line = max(1, (width - 2) // step)
    lines = ["".join(f"{word:<{step}}" for word in words[at : at + per_line]) for at in range(0, len(words), per_line)]
    return "\n".join("  " + line.rstrip() for line in lines)


def aligned(lines: Sequence[Sequence[str]], left: Collection[int] = ()) -> str:
    """A table with one line of cells below the other.  Columns in `left` (from 0) are aligned to the left, others to the right.

    All lines have the same number of cells; the first is usually the head.
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def line_text(line: Sequence[str]) -> str:
        cells = (cell.ljust(width) if place in left else cell.rjust(width) for place, (cell, width) in enumerate(zip(line, widths)))
        return "  ".join(cells).rstrip()

    return "\n".join(map(line_text, lines))


def split_file_spec(spec: str) -> tuple[str, str] | None:
    """(path, parameters) of a spec that begins with the path of a Python file, such as `my_agent.py:depth=4`; None for others."""
    found = _FILE_SPEC.match(spec.strip())
    return None if found is None else (found[1], found[2] or "")


def short_spec(spec: str) -> str:
    """The spec of a game or agent for people: a file by its name without folders."""
    found = split_file_spec(spec)
    if found is None:
        return spec
    name = re.split(r"[/\\]", found[0])[-1]
    return f"{name}:{found[1]}" if found[1] else name


def count_text(count: int, noun: str) -> str:
    """A number and a noun: 1 move, 23 moves, 1,200 games."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def signed(points: int) -> str:
    """A margin with its sign: +2, 0, -3."""
    return f"{points:+d}" if points else "0"


def short_number(number: float) -> str:
    """A number with two or three significant digits: 0.042, 3.1, 950, 1.2 million, 3.4 billion."""
    for size, name in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if number >= size:
            return f"{number / size:.1f}{name}"
    return f"{number:.0f}" if number >= 10 or number == 0 else f"{number:.2g}"


def size_text(count: float) -> str:
    """A size in bytes with a unit: 6.3 MB, 106 GB."""
    for size, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= size:
            return f"{count / size:.1f} {name}" if count < 100 * size else f"{count / size:.0f} {name}"
    return f"{count:.0f} bytes"


def size_at_least(count: int) -> str:
    """A size in bytes as an option value, rounded up: 7.3GB."""
    for size, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            tenths = -(-count * 10 // size)
            return f"{tenths // 10}{name}" if tenths % 10 == 0 else f"{tenths / 10:.1f}{name}"
    return f"{count}"


def bytes_of(text: str) -> int | None:
    """Bytes from text such as 24GB, 7.5 GB, 512MiB or 8000000000; None for other text."""
    found = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*(k|m|g|t)?(i)?(b)?\s*", text.lower(), re.ASCII)
    if found is None or (found[3] and not found[2]):
        return None
    base = 1024 if found[3] else 1000
    return int(float(found[1]) * base ** (" kmgt".index(found[2] or " ")))


def seconds_of(text: str) -> float:
    """Seconds in a time such as 60s, 5min or 2h; a bare number is in seconds.  Raises LudometerError.

    >>> seconds_of("5min")
    300.0
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min|h)?\s*", text)
    if found is None or float(found[1]) <= 0:
        raise LudometerError(f"a time is written as 60s, 5min or 2h, not {shorten(text.strip()) or 'nothing'}")
    return float(found[1]) * {"ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}[found[2] or "s"]


def duration(seconds: float) -> str:
    """A duration with a unit: 3 s, 5 min, 2.5 h, 3 days."""
    if seconds < 120:
        return f"{seconds:.0f} s" if seconds >= 9.5 else f"{seconds:.1f} s"
    if seconds < 2 * 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"
