"""Progress of solving a tile game, pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludometer.core.progress import OnProgress
from ludometer.solvers.tiles.pairs import Pair


class PairProgress:
    """Adds up the entries of finished pairs and reports them."""

    def __init__(self, callback: OnProgress | None, sizes: Mapping[Pair, int]) -> None:
        self._callback = callback
        self._sizes = sizes
        self._all = sum(sizes.values())
        self.done = 0

    def add(self, pairs: Iterable[Pair], text: str) -> None:
        self.done += sum(self._sizes[pair] for pair in pairs)
        if self._callback is not None:
            self._callback(self.done, self._all, text)

    def solved(self, pair: Pair) -> None:
        self.add([pair], f"{pair.more} and {pair.fewer} tiles")
