"""Type of progress callbacks."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int, str], None]  # (done, total or 0 if unknown, what was done last)
