"""Packed tables: arrays of bytes in compressed blocks, each of which is read and checked by itself.

    bytes 0–7     LUDOPACK
    8–11          format version (1)
    12–15         length of the JSON description
    16–19         length of the head; the list of blocks begins there
    20–23         CRC-32 of the head with these four bytes zero
    24 …          JSON description: that of a plain table, with `block`, `list` and `data` instead of `segment`
    then          the list: for each block the length of its compressed bytes (2 bytes) and their CRC-32 (4 bytes)
    then          the blocks one after the other

All numbers are little-endian.  `block` is the length of a block when decoded, `list` the CRC-32 of the list, `data` the length of all
blocks.  A block is raw deflate (RFC 1951); one that deflate would not make shorter is stored as it is, which its length shows.

Why deflate in blocks of 4 KiB: `ludometer bench packing` and docs/tables.md.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import threading
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.core.machine import usable_cores
from ludometer.core.stopping import Stop
from ludometer.solvers.files.block_reading import MOST_BYTES, MOST_OPEN, Descriptor, Lately
from ludometer.solvers.files.table_files import Origin, TableError, damaged, make_head, read_head, replace
from ludometer.solvers.task_graph import run_all

MAGIC = b"LUDOPACK"
SUFFIX = ".packed"
BLOCK = 4096  # bytes of a block when decoded
LEVEL = 4  # of deflate

# zlib's parameters of raw deflate: written with a window of 4 KiB, which is faster to set up; read with any window.
_WRITTEN, _READ = -12, -15
_BLOCKS_PER_TASK = 512
_LISTED = np.dtype([("length", "<u2"), ("checksum", "<u4")])

# Replaces entries that a reader computes by what compresses best, in place: (whole blocks, bytes of a block).
Fill = Callable[[np.ndarray, int], None]

_numbers = itertools.count()
_open_files: Lately[int, Descriptor] = Lately(MOST_OPEN)
_decoded: Lately[tuple[int, int], bytes] = Lately(MOST_BYTES)


# ---- writing ----


def write_packed(
    folder: Path,
    name: str,
    array: np.ndarray,
    origin: Origin,
    encoding: str,
    meta: Mapping[str, Any],
    fill: Fill | None = None,
    stop: Stop | None = None,
) -> Path:
    """Write an array of bytes as `name`.packed, whole or not at all; the compressed blocks lie in memory until then.

    Equal arguments and an equal zlib give equal bytes.  Raises TableError, and Stopped when asked to by `stop`.
    """
    data = np.ascontiguousarray(array).reshape(-1)
    if data.dtype != np.uint8:
        raise TableError(f"{name}: only tables of single bytes are packed, not of {data.dtype}")
    step = BLOCK * _BLOCKS_PER_TASK
    pieces = range(0, data.size, step)
    parts: dict[int, tuple[list[bytes], list[int]]] = {}

    def work(begin: int) -> tuple[int, tuple[list[bytes], list[int]]]:
        return begin, _compressed(data[begin : begin + step], fill)

    for begin, found in run_all(_packers(os.getpid()), work, pieces, 4 * usable_cores(), stop):
        parts[begin] = found
    listed = np.empty(-(-data.size // BLOCK), _LISTED)
    listed["length"] = [len(block) for begin in pieces for block in parts[begin][0]]
    listed["checksum"] = [checksum for begin in pieces for checksum in parts[begin][1]]
    raw = listed.tobytes()
    description = {
        "game": origin.game, "rules": origin.rules, "layout": origin.layout, "name": name, "encoding": encoding,
        "dtype": "|u1", "shape": array.shape, "block": BLOCK, "list": zlib.crc32(raw), "data": int(listed["length"].sum(dtype=np.int64)),
        "meta": meta,
    }  # fmt: skip
    head = make_head(MAGIC, description, b"", 8)
    file = folder / f"{name}{SUFFIX}"
    replace(file, chain([head, raw], (block for begin in pieces for block in parts[begin][0])))
    return file


@lru_cache(maxsize=1)
def _packers(process: int) -> ThreadPoolExecutor:
    """Threads of this process that compress and decode: zlib lets go of the interpreter lock."""
    return ThreadPoolExecutor(usable_cores(), "packing")


def _compressed(piece: np.ndarray, fill: Fill | None) -> tuple[list[bytes], list[int]]:
    """(the blocks of a piece of an array compressed, their checksums)."""
    if fill is not None:
        piece = piece.copy()
        fill(piece, BLOCK)
    view = memoryview(piece)  # type: ignore[arg-type]
    blocks = []
    for begin in range(0, piece.size, BLOCK):
        plain = view[begin : begin + BLOCK]
        block = zlib.compress(plain, LEVEL, _WRITTEN)
        blocks.append(block if len(block) < len(plain) else bytes(plain))
    return blocks, [zlib.crc32(block) for block in blocks]


# ---- reading ----


class PackedFile:
    """An array of bytes in compressed blocks.  Opening checks size and head; a block is checked whenever it is decoded.

    Safe to use from several threads.  Caches 64 MiB of decoded blocks and keeps at most 64 files open, over all instances.  Raises
    MissingTable, DamagedTable or ForeignTable.
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, file: Path, origin: Origin | None = None) -> None:
        self.file = file
        head, text, self._identity = read_head(file, MAGIC)
        try:
            description = json.loads(text)
            self.name: str = description["name"]
            self.encoding: str = description["encoding"]
            self.meta: dict[str, Any] = description["meta"]
            self.shape: tuple[int, ...] = tuple(description["shape"])
            self.block: int = description["block"]
            self._list_checksum: int = description["list"]
            data: int = description["data"]
        except (ValueError, KeyError, TypeError) as error:
            raise damaged(file, "its description cannot be read") from error
        if origin is not None:
            origin.check(description, file)
        self.head_checksum = hashlib.sha256(head).hexdigest()[:16]
        self.bytes = self._identity[0]
        self.size = int(np.prod(self.shape, dtype=np.int64))
        self.blocks = -(-self.size // self.block)
        self._list_at = len(head)
        self._begin = self._list_at + _LISTED.itemsize * self.blocks
        if self.bytes != self._begin + data:
            raise damaged(file, f"it has {self.bytes:,} bytes instead of {self._begin + data:,}")
        self._number = next(_numbers)
        self._guard = threading.Lock()
        self._listed: tuple[np.ndarray, np.ndarray] | None = None

    def item(self, index: int) -> int:
        """The entry with this index as it is stored, from a block whose checksum agrees; raises DamagedTable."""
        number, place = divmod(index, self.block)
        key = self._number, number
        found = _decoded.get(key)
        if found is None or len(found) <= place:
            # The first to ask for a block decodes it up to his entry, the second all of it.
            found = self.decode(number, place + 1 if found is None else self.block)
            _decoded.put(key, found, len(found))
        return found[place]

    def take(self, indices: np.ndarray) -> np.ndarray:
        """The entries with these indices (int64, any order) as they are stored; each block is decoded once."""
        order = np.argsort(indices, kind="stable")
        numbers = indices[order] // self.block
        found = np.empty(indices.size, np.uint8)
        for part in np.split(np.arange(indices.size), np.flatnonzero(np.diff(numbers)) + 1) if indices.size else []:
            block = np.frombuffer(self.decode(int(numbers[part[0]])), np.uint8)
            chosen = order[part]
            found[chosen] = block[indices[chosen] % self.block]
        return found

    def array(self) -> np.ndarray:
        """The whole array as it is stored, decoded into memory; raises DamagedTable."""
        whole = np.empty(self.size, np.uint8)

        def work(first: int) -> None:
            for number in range(first, min(first + _BLOCKS_PER_TASK, self.blocks)):
                block = self.decode(number)
                whole[number * self.block : number * self.block + len(block)] = np.frombuffer(block, np.uint8)

        for _ in run_all(_packers(os.getpid()), work, range(0, self.blocks, _BLOCKS_PER_TASK), 4 * usable_cores()):
            pass
        return whole.reshape(self.shape)

    def check_all(self) -> None:
        """Raise DamagedTable unless all checksums agree."""
        bad = self.bad_segments()
        if bad:
            raise damaged(self.file, _wrong_block(bad[0], self.blocks))

    def bad_segments(self, stop: Stop | None = None) -> list[int]:
        """Numbers of the blocks whose checksum does not agree; reads everything again.  Raises Stopped, DamagedTable."""
        offsets, checksums = self._list()
        source = self._descriptor()
        bad = []
        for first in range(0, self.blocks, _BLOCKS_PER_TASK):
            if stop is not None:
                stop.check(f"reading {self.name}")
            last = min(first + _BLOCKS_PER_TASK, self.blocks)
            begin = int(offsets[first])
            raw = source.read(begin, int(offsets[last]) - begin)
            for number in range(first, last):
                if zlib.crc32(raw[offsets[number] - begin : offsets[number + 1] - begin]) != checksums[number]:
                    bad.append(number)
        return bad

    def decode(self, number: int, most: int | None = None) -> bytes:
        """A block, or its first bytes, `most` of them at most; the checksum is that of the whole block.  Raises DamagedTable."""
        offsets, checksums = self._listed or self._list()
        begin = offsets.item(number)
        raw = self._descriptor().read(begin, offsets.item(number + 1) - begin)
        if zlib.crc32(raw) != checksums.item(number):
            raise damaged(self.file, _wrong_block(number, self.blocks))
        length = min(self.block, self.size - number * self.block)
        if len(raw) == length:
            return raw
        length = min(length, most or length)
        try:
            block = zlib.decompressobj(_READ).decompress(raw, length)
        except zlib.error as error:
            raise damaged(self.file, f"block {number + 1} of {self.blocks} cannot be decoded") from error
        if len(block) != length:
            raise damaged(self.file, f"block {number + 1} of {self.blocks} has {len(block)} bytes instead of {length}")
        return block

    def _list(self) -> tuple[np.ndarray, np.ndarray]:
        """(where each block begins, and the last one ends, in the file (int64); checksums (uint32)): read when first needed."""
        with self._guard:
            if self._listed is None:
                raw = self._descriptor().read(self._list_at, self._begin - self._list_at)
                if zlib.crc32(raw) != self._list_checksum:
                    raise damaged(self.file, "the checksum of its list of blocks does not agree")
                listed = np.frombuffer(raw, _LISTED)
                offsets = np.empty(self.blocks + 1, np.int64)
                offsets[0] = self._begin
                np.cumsum(listed["length"], dtype=np.int64, out=offsets[1:])
                offsets[1:] += self._begin
                if offsets[-1] != self.bytes:
                    raise damaged(self.file, "its list of blocks is not that of its blocks")
                self._listed = offsets, listed["checksum"].copy()
            return self._listed

    def _descriptor(self) -> Descriptor:
        found = _open_files.get(self._number)
        if found is None:
            found = Descriptor(self.file, self._identity)
            _open_files.put(self._number, found)
        return found


def _wrong_block(number: int, blocks: int) -> str:
    return f"the checksum of block {number + 1} of {blocks} does not agree"
