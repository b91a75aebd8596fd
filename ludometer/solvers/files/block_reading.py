"""Shared by all packed files of a process: a bounded set of open files, and a bounded cache of decoded blocks."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Generic, TypeVar

from ludometer.core.files import reason
from ludometer.solvers.files.table_files import DamagedTable, MissingTable, TableError, file_identity, shown

MOST_OPEN = 64  # files at a time
MOST_BYTES = 64 << 20  # of decoded blocks

Key = TypeVar("Key")
Thing = TypeVar("Thing")


class Descriptor:
    """A file open for reading at any offset, by several threads; closed with its last reference."""

    def __init__(self, file: Path, identity: tuple[int, ...]) -> None:
        self._number = -1
        self._file = file
        try:
            self._number = os.open(file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
        except FileNotFoundError as error:
            raise MissingTable(f"there is no table {shown(file)}") from error
        except OSError as error:
            raise TableError(f"cannot read {shown(file)}: {reason(error)}") from error
        if file_identity(self._number) != identity:
            raise DamagedTable(f"{shown(file)} was replaced while it was in use; open it again")
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(self._number, 0, 0, os.POSIX_FADV_RANDOM)  # no read-ahead: neighbouring blocks are not needed
        self._guard = threading.Lock()

    def read(self, begin: int, length: int) -> bytes:
        """These bytes; fewer at the end of the file."""
        try:
            if hasattr(os, "pread"):
                return os.pread(self._number, length, begin)
            with self._guard:
                os.lseek(self._number, begin, os.SEEK_SET)
                return os.read(self._number, length)
        except OSError as error:
            raise TableError(f"cannot read {shown(self._file)}: {reason(error)}") from error

    def __del__(self) -> None:
        if self._number >= 0:
            os.close(self._number)


class Lately(Generic[Key, Thing]):
    """Cache that evicts the least recently used things once their total weight exceeds `most`.  Thread-safe."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.weight = 0
        self._kept: OrderedDict[Key, tuple[Thing, int]] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: Key) -> Thing | None:
        with self._guard:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: Key, thing: Thing, weight: int = 1) -> None:
        with self._guard:
            replaced = self._kept.pop(key, None)
            self._kept[key] = thing, weight
            self.weight += weight - (replaced[1] if replaced else 0)
            while self.weight > self.most and len(self._kept) > 1:
                _, (_, freed) = self._kept.popitem(last=False)
                self.weight -= freed

    def __len__(self) -> int:
        return len(self._kept)
