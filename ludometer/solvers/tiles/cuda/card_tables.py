"""Tables of pairs that move between the card and the host's memory, and the position lists that give way to them."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.solvers.tiles.cuda.allocation import Card
from ludometer.solvers.tiles.cuda.layout import Items
from ludometer.solvers.tiles.cuda.memory import ITEM, Plan
from ludometer.solvers.tiles.pairs import Pair

TableKey = tuple[Pair, int]  # pair and side to move


@dataclass
class StoredTable:
    """The codes of one side of a pair: on the card, in the host's memory, or both."""

    card: Any = None
    host: np.ndarray | None = None


class CardTables:
    """Tables of codes within the memory that a plan allows.  Safe to use from several threads.

    When room is needed, the lists are freed first.  Then tables move to the host's memory, the least recently used first.
    """

    def __init__(self, card: Card, plan: Plan) -> None:
        self._card = card
        self._plan = plan
        self._tables: dict[TableKey, StoredTable] = {}  # the most recently used last
        self._lock = threading.RLock()  # drivers forget tables while the next pair is solved
        self.drop_lists()

    def drop_lists(self) -> None:
        """Free the lists."""
        self._list_size = 0
        self.lists: list[Items] = []  # positions that may be lost: one list for each side of the pair at work, and a spare
        self.lost: Any = None  # uint32, as long as a list: positions found lost

    def ensure_lists(self, size: int) -> None:
        """Make lists with room for at least `size` positions; what shorter lists held is lost."""
        if self._list_size >= size:
            return
        self.drop_lists()
        self._reserve(ITEM * size)
        array = self._card.array
        self.lists = [Items(*(array(size, kind) for kind in (np.uint32, np.uint16, np.uint32))) for _ in range(3)]
        self.lost = array(size, np.uint32)
        self._list_size = size

    @property
    def list_size(self) -> int:
        """Positions that each list has room for now."""
        return self._list_size

    def largest_list(self, pair: Pair) -> int:
        """Positions of a pair for which lists can be made: what is planned, or what is free now if all tables stay on the card."""
        planned = self._plan.list_room(pair)
        left = (self._plan.budget - self._card.used) // ITEM + self._list_size if self._plan.resident else 0
        return max(planned, min(left, self._plan.entries[pair]))

    def array(self, size: int, kind: Any) -> Any:
        """A new array on the card, for which lists and tables give way; raises LudometerError if it does not fit even so."""
        self._reserve(size * np.dtype(kind).itemsize)
        return self._card.array(size, kind)

    def copied(self, array: np.ndarray) -> Any:
        """A copy of an array on the card, with room made as by `array`."""
        self._reserve(array.nbytes)
        return self._card.put(array)

    def on_card(self, pair: Pair, side: int) -> Any:
        """The codes of one table on the card, copied there if they were on the host only."""
        with self._lock:
            self.touch([(pair, side)])
            table = self._tables[pair, side]
            if table.card is None:
                assert table.host is not None
                table.card = self.copied(np.ascontiguousarray(table.host))
            return table.card

    def touch(self, keys: Iterable[TableKey]) -> None:
        """Mark tables as the most recently used."""
        with self._lock:
            for key in keys:
                self._tables[key] = self._tables.pop(key)

    def fetch(self, pair: Pair, side: int) -> np.ndarray:
        """The codes of one table in the host's memory."""
        with self._lock:
            table = self._tables[pair, side]
            fetched: np.ndarray = table.card.copy_to_host() if table.host is None else table.host
            if not self._plan.resident:
                table.host = fetched  # so that it need not be copied again
            return fetched

    def keep(self, pair: Pair, codes: dict[int, Any]) -> None:
        """Keep the tables of a pair that are on the card, by side."""
        with self._lock:
            self._tables.update({(pair, side): StoredTable(card=on_card) for side, on_card in codes.items()})

    def put(self, pair: Pair, side: int, codes: np.ndarray) -> None:
        """Keep a table that comes from the host; copied to the card at once if tables stay there."""
        with self._lock:
            table = self._tables[pair, side] = StoredTable(host=codes)
            if self._plan.resident:
                self.on_card(pair, side)
                table.host = None

    def forget(self, pair: Pair) -> None:
        """Free the tables of a pair."""
        with self._lock:
            for side in pair.sides:
                self._tables.pop((pair, side), None)

    def clear(self) -> None:
        """Free all tables."""
        self._tables.clear()

    def __len__(self) -> int:
        return len(self._tables)

    def count_on_card(self) -> int:
        """Number of tables that are on the card."""
        return sum(table.card is not None for table in self._tables.values())

    def _reserve(self, size: int) -> None:
        """Make `size` bytes of the card free, if freeing lists and tables suffices."""
        if self._card.has_room(size):
            return
        self.drop_lists()
        with self._lock:
            for table in list(self._tables.values()):
                if self._card.has_room(size):
                    return
                if table.card is not None:
                    if table.host is None:
                        table.host = table.card.copy_to_host()
                    table.card = None
