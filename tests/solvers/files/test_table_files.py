"""Files of tables: what was written comes back, and nothing else is believed."""

from __future__ import annotations

import importlib.util
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.solvers.files import table_files, table_folders
from ludometer.solvers.files.locking import locked
from ludometer.solvers.files.table_files import (
    FORMAT,
    SEGMENT,
    DamagedTable,
    ForeignTable,
    MissingTable,
    Origin,
    TableError,
    TableFile,
    write_table,
)
from ludometer.solvers.files.table_folders import MANIFEST, open_folder, store_arrays
from ludometer.solvers.solvable import folder_for, tables_root
from ludometer.solvers.tiles.solution import LAYOUT, open_solution
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles

ORIGIN = Origin("quixo:2", "0123456789abcdef", "test 1")


@pytest.mark.parametrize(
    "array",
    [
        np.arange(100, dtype=np.uint8),
        np.arange(24, dtype=np.int32).reshape(2, 3, 4),
        np.array([], np.uint16),
        np.array(5, np.int64),
        np.linspace(0, 1, 7),
        np.arange(10, dtype=">u4"),
        np.arange(40, dtype=np.int16).reshape(8, 5).T,
    ],
)
def test_arrays_come_back(array: np.ndarray, tmp_path: Path) -> None:
    table = TableFile(write_table(tmp_path, "some", array, ORIGIN, "raw", {"answer": 42}), ORIGIN)
    assert np.array_equal(table.array(), array) and table.array().shape == array.shape
    assert (table.name, table.encoding, table.meta) == ("some", "raw", {"answer": 42})
    flat = array.reshape(-1)
    assert [table.item(index) for index in range(flat.size)] == flat.tolist()


def test_the_layout_of_a_file(tmp_path: Path) -> None:
    """The bytes are as documented, read here without the program's own reader."""
    data = np.random.default_rng(0).integers(0, 256, 2 * SEGMENT + 17, np.uint8)
    raw = write_table(tmp_path, "bytes", data, ORIGIN, "raw", {}).read_bytes()
    magic, version, text_length, head_length, _ = struct.unpack_from("<8sIIII", raw)
    assert (magic, version, head_length % 4096) == (b"LUDOTABL", 1, 0)
    assert json.loads(raw[24 : 24 + text_length])["shape"] == [data.size]
    assert raw[head_length:] == data.tobytes()


def test_mapped_tables_cannot_change_the_file(tmp_path: Path) -> None:
    file = write_table(tmp_path, "some", np.zeros(10, np.uint8), ORIGIN, "raw", {})
    before = file.read_bytes()
    TableFile(file).array()[:] = 7
    assert file.read_bytes() == before


def test_a_table_in_use_stays_mapped_while_others_come_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "_maps", table_files._Maps(2))
    for name in "abcde":
        write_table(tmp_path, name, np.arange(9), ORIGIN, "plain", {})
    busy, *others = (TableFile(tmp_path / f"{name}.table", ORIGIN) for name in "abcde")
    assert busy.item(3) == 3
    mapped = busy._flat
    for table in others:
        assert busy.item(3) == 3 and table.item(4) == 4
        table.used = False  # not asked again
    assert busy._flat is mapped and [table._flat is not None for table in others] == [False, False, False, True]
    busy.used, others[-1].used = False, True
    assert others[0].item(5) == 5 and busy._flat is None, "what was not used lately is let go"
    assert busy.item(6) == 6, "and mapped again when it is asked"


@pytest.mark.exhaustive
def test_every_changed_byte_of_a_file_is_noticed(tmp_path: Path) -> None:
    file = write_table(tmp_path, "some", np.arange(200, dtype=np.uint8), ORIGIN, "raw", {"answer": 42})
    whole = file.read_bytes()
    generator = np.random.default_rng(1)
    for place in [*range(600), *range(600, 4000, 11), *range(4000, len(whole))]:  # in between are zeros up to the data
        changed = bytearray(whole)
        changed[place] ^= int(generator.integers(1, 256))
        file.write_bytes(changed)
        with pytest.raises(TableError) as caught:
            TableFile(file, ORIGIN).array()
        assert "\n" not in str(caught.value)


def test_a_file_cut_short_anywhere_is_noticed(tmp_path: Path) -> None:
    file = write_table(tmp_path, "some", np.arange(200, dtype=np.uint8), ORIGIN, "raw", {})
    whole = file.read_bytes()
    for length in [*range(40), *range(40, len(whole), 97), len(whole) - 1]:
        file.write_bytes(whole[:length])
        with pytest.raises(TableError):
            TableFile(file, ORIGIN).array()
    file.write_bytes(whole + b"x")
    with pytest.raises(DamagedTable, match="bytes instead of"):
        TableFile(file, ORIGIN)


def test_a_damaged_segment_is_noticed_when_it_is_first_used(tmp_path: Path) -> None:
    file = write_table(tmp_path, "some", np.zeros(3 * SEGMENT, np.uint8), ORIGIN, "raw", {})
    with open(file, "r+b") as stream:
        stream.seek(-5, 2)
        stream.write(b"\x01")
    table = TableFile(file, ORIGIN)
    assert table.item(0) == 0 and table.item(2 * SEGMENT - 1) == 0
    with pytest.raises(DamagedTable, match="segment 3 of 3"):
        table.item(2 * SEGMENT)
    assert table.bad_segments() == [2]


def test_other_versions_are_refused(tmp_path: Path) -> None:
    for version in (FORMAT - 1, FORMAT + 1):
        file = write_table(tmp_path, "some", np.zeros(3, np.uint8), ORIGIN, "raw", {})
        raw = bytearray(file.read_bytes())
        struct.pack_into("<I", raw, 8, version)
        file.write_bytes(raw)
        with pytest.raises(ForeignTable, match=f"format {version}, this program reads format {FORMAT}"):
            TableFile(file)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    file = write_table(tmp_path, "some", np.zeros(3, np.uint8), ORIGIN, "raw", {})
    for origin, message in (
        (Origin("quixo:3", ORIGIN.rules, ORIGIN.layout), "is of 'quixo:2', not of quixo:3"),
        (Origin("quixo:2", "f" * 16, ORIGIN.layout), "other rules of quixo:2"),
        (Origin("quixo:2", ORIGIN.rules, "test 2"), "has layout 'test 1', this program reads 'test 2'"),
    ):
        with pytest.raises(ForeignTable, match=message):
            TableFile(file, origin)
    (tmp_path / "text.table").write_text("hello, this is no table at all")
    with pytest.raises(ForeignTable, match="not a table of ludometer"):
        TableFile(tmp_path / "text.table")
    with pytest.raises(MissingTable):
        TableFile(tmp_path / "nothing.table")
    (tmp_path / "folder.table").mkdir()
    with pytest.raises(TableError, match="is a directory"):
        TableFile(tmp_path / "folder.table")


# ---- folders ----


def test_arrays_of_other_solvers_are_stored_the_same_way(tmp_path: Path) -> None:
    game = lm.game("mnk:3,3,3")
    arrays = {"values": np.arange(-5, 5, dtype=np.int8), "keys": np.arange(10, dtype=np.uint64)}
    store_arrays(tmp_path / "a", game, "strong 1", arrays, {"positions": 10})
    opened = open_folder(tmp_path / "a", game, "strong 1")
    assert opened.meta == {"positions": 10}
    assert all(np.array_equal(opened.tables[name].array(), arrays[name]) for name in arrays)
    store_arrays(tmp_path / "a", game, "strong 1", {"values": arrays["values"]}, {"positions": 10})
    assert list(open_folder(tmp_path / "a", game, "strong 1").tables) == ["values"]
    assert not list((tmp_path / "a").glob("keys*"))
    with pytest.raises(ForeignTable, match="layout"):
        open_folder(tmp_path / "a", game, "strong 2")
    with pytest.raises(TableError, match="are 'strong 1', not 'tile classes 1'"):
        open_solution(tmp_path / "a")


def test_a_changed_byte_anywhere_in_a_folder_is_noticed_on_opening(tmp_path: Path) -> None:
    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path)
    files = [file for file in sorted(tmp_path.iterdir()) if file.stat().st_size]
    generator = np.random.default_rng(2)
    for file in files:
        whole = file.read_bytes()
        places = generator.integers(0, len(whole), 200 if file.name == MANIFEST else 10)
        for place in places:
            changed = bytearray(whole)
            changed[place] ^= int(generator.integers(1, 256))
            file.write_bytes(changed)
            with pytest.raises(LudometerError):
                open_solution(tmp_path, game)
        file.write_bytes(whole)
    assert open_solution(tmp_path, game).game == game


def test_large_folders_are_checked_when_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path)
    file = tmp_path / "01-00.table"
    file.write_bytes(file.read_bytes()[:-1] + b"\x05")
    monkeypatch.setattr(table_folders, "CHECKED_AT_OPENING", 0)
    solution = open_solution(tmp_path, game)
    assert solution.value(game.start()).distance == 3
    with pytest.raises(DamagedTable, match="01-00.table"):
        solution.value(game.position("X./.. x"))


def test_an_exchanged_file_is_noticed(tmp_path: Path) -> None:
    """A sound file under another name, one of another run that is sound in itself, and one that is missing."""
    game = lm.game("quixo:2")
    solve_tiles(game, folder=tmp_path)
    kept = (tmp_path / "01-00.table").read_bytes()
    (tmp_path / "01-00.table").write_bytes((tmp_path / "00-01.table").read_bytes())
    with pytest.raises(DamagedTable, match="not the file the manifest lists"):
        open_solution(tmp_path, game)
    table = TableFile(tmp_path / "02-00.table")
    other = table.array().copy()
    other[0] ^= 1
    sound = (tmp_path / "02-00.table").read_bytes()
    (tmp_path / "01-00.table").write_bytes(kept)
    write_table(tmp_path, "02-00", other, Origin.of(game, LAYOUT), table.encoding, table.meta)  # same name, same size, good checksums
    assert TableFile(tmp_path / "02-00.table").bytes == len(sound)
    with pytest.raises(DamagedTable, match="02-00.table' is damaged: it is not the file the manifest lists"):
        open_solution(tmp_path, game)
    (tmp_path / "02-00.table").write_bytes(sound)
    open_solution(tmp_path, game)
    (tmp_path / "02-00.table").unlink()
    with pytest.raises(MissingTable, match="02-00.table"):
        open_solution(tmp_path, game)


def test_a_write_that_ends_midway_leaves_an_unfinished_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old manifest goes first: it must not vouch for a mixture of old and new files that happen to look alike."""
    game = lm.game("mnk:3,3,3")
    store_arrays(tmp_path, game, "test 1", {"a": np.zeros(3), "b": np.zeros(3)}, {})
    write = table_folders.write_table

    def write_one(folder: Path, name: str, *rest: object) -> Path:
        if name == "b":
            raise TableError("the disk is full")
        return write(folder, name, *rest)

    monkeypatch.setattr(table_folders, "write_table", write_one)
    with pytest.raises(TableError, match="full"):
        store_arrays(tmp_path, game, "test 1", {"a": np.zeros(3), "b": np.zeros(3)}, {})
    with pytest.raises(MissingTable, match="no finished table"):
        open_folder(tmp_path, game, "test 1")


def test_tables_are_on_the_disk_before_the_manifest_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power failure can lose what was not flushed: first every table and the names of the tables, then the manifest, then its name."""
    happened: list[tuple[str, str]] = []
    sync, rename = os.fsync, os.replace

    def watched_sync(descriptor: int) -> None:
        happened.append(("sync", Path(os.readlink(f"/proc/self/fd/{descriptor}")).name))
        sync(descriptor)

    def watched_rename(source: Path, target: Path) -> None:
        happened.append(("rename", Path(target).name))
        rename(source, target)

    monkeypatch.setattr(os, "fsync", watched_sync)
    monkeypatch.setattr(os, "replace", watched_rename)
    folder = tmp_path / "folder"
    store_arrays(folder, lm.game("mnk:3,3,3"), "test 1", {"a": np.zeros(3), "b": np.zeros(3)}, {})
    place = {step: number for number, step in enumerate(happened)}
    final = place["rename", MANIFEST]
    for name in ("a.table", "b.table"):
        assert place["rename", name] < place["sync", name] < final
    folder_syncs = [number for number, step in enumerate(happened) if step == ("sync", "folder")]
    written = max(place["sync", "a.table"], place["sync", "b.table"])
    assert any(written < number < final for number in folder_syncs) and folder_syncs[-1] > final
    (temporary,) = [number for number, (what, name) in enumerate(happened) if what == "sync" and name.startswith(f".{MANIFEST}")]
    assert max(number for number in folder_syncs if number < final) < temporary < final


def test_an_unfinished_folder_is_refused(tmp_path: Path) -> None:
    solve_tiles(lm.game("quixo:2"), folder=tmp_path)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(MissingTable, match="no finished table"):
        open_solution(tmp_path)
    with pytest.raises(MissingTable, match="no finished table"):
        open_folder(tmp_path / "nowhere")


def test_equal_work_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        solve_tiles(lm.game("quixo:2"), folder=tmp_path / name)
    assert content_of(tmp_path / "a") == content_of(tmp_path / "b")
    assert "01-00.table" in content_of(tmp_path / "a")


def test_where_tables_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    assert folder_for(lm.game("quixo:4")) == tmp_path / "tables" / "quixo-4"
    assert folder_for(lm.game("tictactoe"), Path("/x")) == Path("/x/mnk-3-3-3")
    monkeypatch.delenv("LUDOMETER_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert tables_root() == tmp_path / "data" / "ludometer" / "tables"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert tables_root() == Path.home() / ".local" / "share" / "ludometer" / "tables"


def test_a_lock_keeps_out_other_processes(tmp_path: Path) -> None:
    code = "import sys\nfrom pathlib import Path\nfrom ludometer.solvers.files.locking import locked\n"
    code += "with locked(Path(sys.argv[1])): print('in')"
    command = [sys.executable, "-c", code, str(tmp_path)]
    with locked(tmp_path):
        refused = subprocess.run(command, capture_output=True, text=True)
        assert refused.returncode != 0 and "another run is solving in" in refused.stderr
    assert subprocess.run(command, capture_output=True, text=True).stdout == "in\n"


def test_a_system_without_fcntl_locks_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the lock is one of msvcrt, on the first byte."""
    calls: list[tuple[int, int]] = []

    class Msvcrt(ModuleType):
        LK_NBLCK = 3

        @staticmethod
        def locking(descriptor: int, mode: int, length: int) -> None:
            calls.append((mode, length))
            if len(calls) > 1:
                raise PermissionError("held")

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "fcntl" else find(name, *rest))
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt("msvcrt"))
    with locked(tmp_path):
        assert calls == [(3, 1)]
    with pytest.raises(TableError, match="another run"), locked(tmp_path):
        pass
    assert "fcntl" not in Path(table_folders.__file__).read_text() + Path(table_files.__file__).read_text()


def test_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="cannot write .*no such file or directory"):
        write_table(tmp_path / "nowhere", "some", np.zeros(3, np.uint8), ORIGIN, "raw", {})
    with pytest.raises(TableError, match="cannot write in"), locked(tmp_path / "nowhere"):
        pass
