"""Entries of large tables, read from their files where they are asked for."""

from __future__ import annotations

import numpy as np

from ludometer.solvers.files.table_files import TableFile
from ludometer.solvers.retrograde.keys import KeyLayout, word_count


class FileEntries:
    """Keys and values in plain files; a segment is compared with its checksum before its first use."""

    def __init__(self, layout: KeyLayout, keys: TableFile, values: TableFile) -> None:
        self.layout = layout
        self.keys_file, self.values_file = keys, values
        self._width = word_count(layout)
        self._count = keys.shape[0]

    def find(self, keys: np.ndarray, count: int) -> list[int]:
        return [self._find(tuple(keys[self._width * index : self._width * (index + 1)].tolist())) for index in range(count)]

    def _find(self, key: tuple[int, ...]) -> int:
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._key(middle) < key:
                low = middle + 1
            else:
                high = middle
        return low if low < self._count and self._key(low) == key else -1

    def _key(self, number: int) -> tuple[int, ...]:
        return tuple(int(self.keys_file.item(self._width * number + word)) for word in range(self._width))

    def value(self, number: int) -> int:
        return int(self.values_file.item(number))
