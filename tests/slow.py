"""The list of tests that `make quick` leaves out because they take long, beside those marked slow by hand.

    make slow       # runs what `make quick` runs and those in the list, and writes the list (slow.txt) again

A test is one line, `tests/test_cli.py::test_help`; one that is run on several values stands there with the value that takes long.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

LIST = Path(__file__).with_name("slow.txt")
LONG = 0.3  # seconds, with what is prepared for the test alone


def slow_tests() -> frozenset[str]:
    """The names in the list."""
    return frozenset(LIST.read_text(encoding="utf-8").split("\n")) - {""}


def durations(report: str) -> Counter[str]:
    """Seconds of each test in what `pytest --durations=0` prints."""
    found: Counter[str] = Counter()
    for seconds, name in re.findall(r"^\s*([\d.]+)s (?:call|setup|teardown)\s+(.+?)\s*$", report, re.MULTILINE):
        found[name] += float(seconds)
    return found


def main() -> int:
    LIST.write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "2", "-m", "not slow", "-vv", "--durations=0"]
    run = subprocess.run(command, cwd=LIST.parents[1], capture_output=True, text=True)
    taken = durations(run.stdout)
    if run.returncode or not taken:
        print(run.stdout[-3000:], file=sys.stderr)
        return 1
    here = f"{LIST.parents[1]}/"
    slow = sorted(name.replace(here, "") for name, seconds in taken.items() if seconds >= LONG)
    LIST.write_text("".join(f"{name}\n" for name in slow), encoding="utf-8")
    rest = sum(seconds for seconds in taken.values() if seconds < LONG)
    print(f"{len(slow)} of {len(taken)} tests take {LONG} s and more; the others {rest:.0f} s together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
