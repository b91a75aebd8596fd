"""How long work tells others how far it is: the one type of such a function."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int, str], None]  # (done, all or 0 where that is not known, what was done last)
