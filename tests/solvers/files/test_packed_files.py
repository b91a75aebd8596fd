"""Packed tables: what was written comes back from any place, nothing damaged or foreign is believed, and little is held."""

from __future__ import annotations

import os
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest

from ludometer.core.stopping import Stop, Stopped
from ludometer.solvers.files import packed_files
from ludometer.solvers.files.block_reading import Lately
from ludometer.solvers.files.packed_files import BLOCK, PackedFile, write_packed
from ludometer.solvers.files.table_files import DamagedTable, ForeignTable, MissingTable, Origin, TableError, write_table

ORIGIN = Origin("quixo:2", "0123456789abcdef", "test 1")


def packed(folder: Path, array: np.ndarray, **more) -> PackedFile:
    return PackedFile(write_packed(folder, "one", array, ORIGIN, "raw", {"entries": array.size}, **more), ORIGIN)


def table_of(size: int, seed: int = 0) -> np.ndarray:
    """Runs of equal bytes, as tables have, and a stretch of noise that deflate cannot make shorter."""
    generator = np.random.default_rng(seed)
    array = np.repeat(generator.integers(0, 4, size // 7 + 1, dtype=np.uint8), 7)[:size]
    array[size // 3 : size // 3 + 2 * BLOCK] = generator.integers(0, 256, array[size // 3 : size // 3 + 2 * BLOCK].size, dtype=np.uint8)
    return array


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 17, 200 * BLOCK])
def test_what_is_written_comes_back(tmp_path: Path, size: int) -> None:
    array = table_of(size)
    file = packed(tmp_path, array)
    np.testing.assert_array_equal(file.array(), array)
    places = np.random.default_rng(1).integers(0, max(1, size), 300 if size else 0)
    assert [file.item(int(place)) for place in places] == array[places].tolist()
    np.testing.assert_array_equal(file.take(places), array[places])
    assert file.bad_segments() == [] and file.meta == {"entries": size} and file.shape == (size,)
    file.check_all()


def test_entries_behind_those_decoded_so_far(tmp_path: Path) -> None:
    """The first entry asked for decodes its block up to itself; the next one is one further."""
    array = np.arange(BLOCK, dtype=np.uint8)
    file = packed(tmp_path, array)
    assert [file.item(place) for place in (3, 4, 2, BLOCK - 1)] == [3, 4, 2, (BLOCK - 1) % 256]


def test_a_block_that_deflate_makes_neither_shorter_nor_longer(tmp_path: Path) -> None:
    """Its length is what tells a reader that it is stored as it is."""
    generator = np.random.default_rng(4)
    for length in range(8, 300):
        array = generator.integers(0, 256, length, dtype=np.uint8)
        repeated = length // 2 + int(generator.integers(0, length // 2))
        array[repeated:] = array[: length - repeated]
        if len(zlib.compress(array.tobytes(), packed_files.LEVEL, packed_files._WRITTEN)) == length:
            break
    else:
        raise AssertionError("no such block was met")
    file = packed(tmp_path, array)
    np.testing.assert_array_equal(file.array(), array)
    assert file.bad_segments() == [] and file.item(0) == array[0]


def test_it_is_smaller_and_the_same_bytes_every_time(tmp_path: Path) -> None:
    array = np.repeat(np.arange(64, dtype=np.uint8), BLOCK)
    one = packed(tmp_path, array)
    content = one.file.read_bytes()
    assert len(content) < array.size // 50
    assert packed(tmp_path, array).file.read_bytes() == content


def test_blocks_are_independent_deflate(tmp_path: Path) -> None:
    """The format as documented, read by hand."""
    array = table_of(9 * BLOCK + 100)
    content = packed(tmp_path, array).file.read_bytes()
    head = int.from_bytes(content[16:20], "little")
    listed = np.frombuffer(content, np.dtype([("length", "<u2"), ("checksum", "<u4")]), 10, head)
    at, found = head + listed.nbytes, b""
    for length, checksum in listed.tolist():
        raw = content[at : at + length]
        assert zlib.crc32(raw) == checksum
        expected = min(BLOCK, array.size - len(found))
        found += raw if length == expected else zlib.decompress(raw, -12)
        at += length
    assert at == len(content) and found == array.tobytes()


def test_fill_changes_whole_blocks_only(tmp_path: Path) -> None:
    """`fill` gets copies of pieces made of whole blocks; the array that is written stays as it was."""
    array = table_of(150 * BLOCK + 5)
    before = array.copy()

    def fill(piece: np.ndarray, block: int) -> None:
        assert block == BLOCK and piece.size % block in (0, 5)
        piece[::block] = 77

    file = packed(tmp_path, array, fill=fill)
    np.testing.assert_array_equal(array, before)
    before[::BLOCK] = 77
    np.testing.assert_array_equal(file.array(), before)


def test_every_flipped_byte_is_found(tmp_path: Path) -> None:
    file = packed(tmp_path, table_of(3 * BLOCK)).file
    content = file.read_bytes()
    generator = np.random.default_rng(2)
    for at in {*range(300), *generator.integers(0, len(content), 300).tolist(), len(content) - 1}:
        file.write_bytes(content[:at] + bytes([content[at] ^ (1 << int(generator.integers(8)))]) + content[at + 1 :])
        with pytest.raises((DamagedTable, ForeignTable)):
            PackedFile(file, ORIGIN).array()
        with pytest.raises((DamagedTable, ForeignTable)):
            PackedFile(file, ORIGIN).check_all()


def test_a_flipped_byte_is_found_by_who_reads_its_block(tmp_path: Path) -> None:
    array = table_of(20 * BLOCK)
    file = packed(tmp_path, array).file
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    read = PackedFile(file, ORIGIN)
    assert read.item(0) == array[0] and read.bad_segments() == [19]
    with pytest.raises(DamagedTable, match="block 20 of 20"):
        read.item(array.size - 1)
    with pytest.raises(DamagedTable, match="block 20 of 20"):
        read.take(np.array([0, array.size - 1]))


def test_files_that_are_refused(tmp_path: Path) -> None:
    array = table_of(4 * BLOCK)
    file = packed(tmp_path, array).file
    with pytest.raises(MissingTable, match="no table"):
        PackedFile(tmp_path / "other.packed", ORIGIN)
    with pytest.raises(ForeignTable, match="is of .*quixo:2.*, not of quixo:3"):
        PackedFile(file, Origin("quixo:3", ORIGIN.rules, ORIGIN.layout))
    with pytest.raises(ForeignTable, match="other rules"):
        PackedFile(file, Origin(ORIGIN.game, "other", ORIGIN.layout))
    plain = write_table(tmp_path, "plain", array, ORIGIN, "raw", {})
    with pytest.raises(ForeignTable, match="not a table of ludometer"):
        PackedFile(plain, ORIGIN)
    content = file.read_bytes()
    for length in (0, 5, 30, 200, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:length])
        with pytest.raises((DamagedTable, ForeignTable)):
            PackedFile(file, ORIGIN)
    with pytest.raises(TableError, match="single bytes"):
        packed(tmp_path, np.arange(5))


def test_a_file_replaced_while_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_files, "_open_files", Lately(1))
    file = packed(tmp_path, table_of(3 * BLOCK))
    other = PackedFile(write_packed(tmp_path, "two", table_of(BLOCK), ORIGIN, "raw", {}))
    packed(tmp_path, table_of(3 * BLOCK, seed=5))  # under the same name
    other.item(0)
    with pytest.raises(DamagedTable, match="replaced"):
        file.item(0)


def test_stopping(tmp_path: Path) -> None:
    stop = Stop()
    stop.ask()
    with pytest.raises(Stopped):
        packed(tmp_path, table_of(300 * BLOCK), stop=stop)
    assert list(tmp_path.iterdir()) == []
    file = packed(tmp_path, table_of(300 * BLOCK))
    with pytest.raises(Stopped):
        file.bad_segments(stop)


def test_what_is_held_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_files, "_open_files", open_files := Lately(3))
    monkeypatch.setattr(packed_files, "_decoded", decoded := Lately(10 * BLOCK))
    array = table_of(8 * BLOCK)
    files = [PackedFile(write_packed(tmp_path, f"t{number}", array, ORIGIN, "raw", {})) for number in range(12)]
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for index in np.random.default_rng(0).integers(0, array.size, 2000).tolist():
        for file in files:
            assert file.item(index) == array[index]
        assert decoded.weight <= 10 * BLOCK and len(open_files) <= 3
    if before:
        assert len(os.listdir("/proc/self/fd")) <= before + 3


def test_several_threads_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_files, "_open_files", Lately(2))
    monkeypatch.setattr(packed_files, "_decoded", Lately(4 * BLOCK))
    arrays = [table_of(16 * BLOCK, seed) for seed in range(4)]
    files = [PackedFile(write_packed(tmp_path, f"t{number}", array, ORIGIN, "raw", {})) for number, array in enumerate(arrays)]
    wrong: list[object] = []

    def ask(seed: int) -> None:
        try:
            generator = np.random.default_rng(seed)
            for _ in range(500):
                which, index = int(generator.integers(4)), int(generator.integers(arrays[0].size))
                if files[which].item(index) != arrays[which][index]:
                    wrong.append((which, index))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
