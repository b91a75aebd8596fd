"""Packed keys: blocks of differences, which compress well because keys ascend.

A block of `BLOCK` bytes holds as many keys as fit.  In each of their words, every key but the first is the difference to the one before it,
modulo 2^64; the bytes are stored plane by plane, all lowest bytes of the first words first.  Places behind the last key repeat it, so their
differences are 0.  `first` has the first key of each block.  Values are packed as their bytes.
"""

from __future__ import annotations

import numpy as np

from ludometer.solvers.files.block_reading import MOST_BYTES, Lately
from ludometer.solvers.files.packed_files import BLOCK, PackedFile
from ludometer.solvers.retrograde.keys import KeyLayout, word_count
from ludometer.solvers.retrograde.query_kernels import block_of_keys

_BLOCKS_AT_ONCE = 1 << 12


def keys_per_block(width: int) -> int:
    """Keys of `width` words in a block."""
    return BLOCK // (8 * width)


def packed_keys(keys: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """(bytes of all blocks, the first key of each block) of a flat array of keys."""
    size = keys_per_block(width)
    rows = keys.reshape(-1, width)
    blocks = -(-len(rows) // size)
    packed = np.zeros((blocks, BLOCK), np.uint8)
    for begin in range(0, blocks, _BLOCKS_AT_ONCE):
        end = min(begin + _BLOCKS_AT_ONCE, blocks)
        part = rows[begin * size : end * size]
        part = np.concatenate([part, np.repeat(part[-1:], (end - begin) * size - len(part), axis=0)]).reshape(-1, size, width)
        part[:, 1:] -= part[:, :-1].copy()
        planes = part.astype("<u8").view(np.uint8).transpose(0, 2, 1)
        packed[begin:end, : size * 8 * width] = planes.reshape(end - begin, -1)
    return packed.reshape(-1), np.ascontiguousarray(rows[::size]).reshape(-1)


def unpacked_keys(packed: np.ndarray, width: int, count: int) -> np.ndarray:
    """The first `count` keys, flat, of the bytes of some blocks."""
    size = keys_per_block(width)
    blocks = packed.reshape(-1, BLOCK)
    keys = np.empty((len(blocks), size, width), np.uint64)
    for begin in range(0, len(blocks), _BLOCKS_AT_ONCE):
        part = blocks[begin : begin + _BLOCKS_AT_ONCE, : size * 8 * width].reshape(-1, 8 * width, size)
        differences = np.ascontiguousarray(part.transpose(0, 2, 1)).view("<u8")
        np.cumsum(differences, axis=1, dtype=np.uint64, out=keys[begin : begin + _BLOCKS_AT_ONCE])
    return keys.reshape(-1)[: count * width]


class PackedEntries:
    """Keys and values in packed files; blocks used lately are kept decoded."""

    def __init__(self, layout: KeyLayout, keys: PackedFile, first: np.ndarray, values: PackedFile, dtype: np.dtype) -> None:
        self.layout = layout
        self.keys_file, self.values_file = keys, values
        self._first = first  # flat: the first key of each block
        self._dtype = dtype  # of a value
        self._width = word_count(layout)
        self._count = values.size // dtype.itemsize
        self._blocks: Lately[int, np.ndarray] = Lately(MOST_BYTES)

    def find(self, keys: np.ndarray, count: int) -> list[int]:
        return [self._find(keys[self._width * index : self._width * (index + 1)]) for index in range(count)]

    def _find(self, key: np.ndarray) -> int:
        number = int(block_of_keys(self.layout, self._first, key))
        if number < 0:
            return -1
        equal = np.flatnonzero((self._block(number) == key).all(axis=1))
        return number * keys_per_block(self._width) + int(equal[0]) if equal.size else -1

    def _block(self, number: int) -> np.ndarray:
        """The keys of a block (keys, words)."""
        found = self._blocks.get(number)
        if found is None:
            size = keys_per_block(self._width)
            count = min(size, self._count - number * size)
            found = unpacked_keys(np.frombuffer(self.keys_file.decode(number), np.uint8), self._width, count).reshape(-1, self._width)
            self._blocks.put(number, found, found.nbytes)
        return found

    def value(self, number: int) -> int:
        size = self._dtype.itemsize
        raw = bytes(int(self.values_file.item(size * number + place)) for place in range(size))
        return int(np.frombuffer(raw, self._dtype)[0])

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """(flat keys, values), all decoded; raises DamagedTable."""
        keys = unpacked_keys(self.keys_file.array(), self._width, self._count)
        return keys, self.values_file.array().view(self._dtype)
