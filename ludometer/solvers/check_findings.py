"""What a check found wrong: the first lines, and how many there were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SHOWN = 20  # errors that are described

Report = dict[str, Any]  # {ok, checked, errors}


class Findings:
    """Errors as they are found.  Only the first are described and kept, however many there are."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines: list[str] = []
        self.number = 0
        self.add(*lines)

    def add(self, *lines: str) -> None:
        """Errors that are described."""
        self.number += len(lines)
        self.lines += lines[: SHOWN - len(self.lines)]

    def add_further(self, number: int) -> None:
        """So many errors more, without a description."""
        self.number += number

    def __bool__(self) -> bool:
        return self.number > 0

    def report(self, checked: int) -> Report:
        """{ok, checked, errors}; the last of 20 lines says how many more there are."""
        shown = list(self.lines)
        if self.number > len(shown):
            rest = f"… and {self.number - len(shown) + (len(shown) == SHOWN)} more"
            shown = [*shown[: SHOWN - 1], rest]
        return {"ok": not self, "checked": checked, "errors": shown}
