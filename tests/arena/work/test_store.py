"""The store of experiments: chunks, gaps, runs that share series, damage, files that are not stores, a full disk."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.arena.work.store import FORMAT, Store, StoreError, canonical, pack, unpack

KEY = {"game": "quixo:3", "players": ["mcts:10", "random"], "seed": 0}


class Failures:
    """Remembers what went wrong in threads."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is not None:
            self.seen.append(error)


def results(first: int, count: int) -> dict[str, np.ndarray]:
    """What a series of work would give for these units: numbers that depend on their place alone."""
    return {"results": (np.arange(first, first + count) * 7 % 3 - 1).astype(np.int8), "lengths": np.arange(first, first + count)}


def test_arrays_come_back_as_they_were() -> None:
    arrays = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.zeros(0, np.float64), "é": np.array([1.5, np.nan])}
    for name, array in unpack(pack(arrays)).items():
        assert array.dtype == arrays[name].dtype and array.shape == arrays[name].shape
        np.testing.assert_array_equal(array, arrays[name])


@pytest.mark.parametrize("place", [0, 3, 5, 9, 40, -1])
def test_a_flipped_bit_is_noticed(place: int) -> None:
    content = bytearray(pack(results(0, 20)))
    content[place] ^= 4
    with pytest.raises(ValueError, match="damaged"):
        unpack(bytes(content))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 15)), max_size=12), st.integers(0, 70))
def test_gaps(tmp_path_factory: pytest.TempPathFactory, chunks: list[tuple[int, int]], units: int) -> None:
    """Against the set of units: what is added twice is refused, what is missing is exactly what nobody added."""
    there: set[int] = set()
    with Store(tmp_path_factory.mktemp("store") / "s.sqlite") as store:
        series = store.series(KEY)
        for first, count in chunks:
            new = set(range(first, first + count))
            assert store.add(series, first, count, 0.5, results(first, count)) == (not new & there)
            there |= new if not new & there else set()
        missing = [unit for first, count in store.missing(series, units) for unit in range(first, first + count)]
        assert missing == [unit for unit in range(units) if unit not in there]
        assert store.done(series, units) == len(there & set(range(units)))
        kept = [(first, array) for first, _, _, arrays in store.chunks(series) for first, array in [(first, arrays["lengths"])]]
        assert [int(n) for _, array in kept for n in array] == sorted(there)
        joined = store.arrays(series, units).get("lengths", np.zeros(0))
        assert list(joined) == sorted(there & set(range(units)))


def test_a_series_is_found_by_its_key(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        one = store.series(KEY)
        assert store.series(dict(reversed(KEY.items()))) == one and store.find_series(KEY) == one
        assert store.find_series({**KEY, "seed": 1}) is None
        assert store.series({**KEY, "seed": 1}) != one
        assert store.key_of(one) == KEY
    assert canonical({"b": 1, "a": [2]}) == '{"a":[2],"b":1}'


def test_runs_share_series_and_deleting_one_keeps_what_the_other_wants(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        shared, own = store.series(KEY), store.series({**KEY, "seed": 1})
        match = store.begin_run("match", "quixo:3", ("mcts:10", "random"), {"seed": 0})
        ladder = store.begin_run("ladder", "quixo:3", ("mcts", "random"), {"seed": 0})
        assert store.begin_run("match", "quixo:3", ("mcts:10", "random"), {"seed": 0}) == match != ladder
        for run, series, units in ((match, shared, 10), (match, own, 5), (ladder, shared, 20), (match, shared, 4)):
            store.want(run, series, units)
        store.add(shared, 0, 12, 1.0, results(0, 12))
        store.add(own, 0, 1, 1.0, results(0, 1))
        store.note(match, 2.5)
        store.note(match, 0.5, {"score": 0.5})
        found = store.run(match)
        assert (found.wanted, found.done, found.seconds, found.result) == (15, 11, 3.0, {"score": 0.5})
        document = found.document()
        assert (document["games"], document["done"], document["kind"], document["players"]) == (30, 22, "match", ["mcts:10", "random"])
        assert store.parts(match) == [(shared, 10), (own, 5)]
        store.delete(match)
        assert [run.id for run in store.runs()] == [ladder] and store.done(shared, 20) == 12
        assert store.find_series({**KEY, "seed": 1}) is None
        with pytest.raises(StoreError, match="there is no run"):
            store.delete(match)


def test_readers_see_what_a_writer_has_finished(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as writer, Store(tmp_path / "s.sqlite", read_only=True) as reader:
        series = writer.series(KEY)
        writer.add(series, 0, 3, 0.1, results(0, 3))
        assert reader.done(series, 5) == 3
        with pytest.raises(StoreError, match="may not be written to") as caught:
            reader.add(series, 3, 1, 0.1, results(3, 1))
        assert "\n" not in str(caught.value)


def test_two_processes_with_the_same_work_double_nothing(tmp_path: Path) -> None:
    """Several connections add overlapping chunks at the same time; every unit is there exactly once."""

    def work(offset: int) -> None:
        with failures, Store(tmp_path / "s.sqlite") as store:
            series = store.series(KEY)
            for first in range(offset, 60, 5):
                store.add(series, first, 5, 0.0, results(first, 5))

    failures = Failures()
    threads = [threading.Thread(target=work, args=(offset,)) for offset in (0, 2, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures.seen == []
    with Store(tmp_path / "s.sqlite") as store:
        series = store.series(KEY)
        for first, count in store.missing(series, 60):  # chunks of one thread may have kept out those of another: then both left a gap
            assert store.add(series, first, count, 0.0, results(first, count))
        kept = [int(n) for *_, arrays in store.chunks(series) for n in arrays["lengths"]]
    assert kept[:60] == [int(n) for n in results(0, 60)["lengths"]] and kept == sorted(set(kept))


def test_files_that_are_no_stores(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, and longer than a page of one would need to be told apart\n" * 20)
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE t (x)")
    with Store(tmp_path / "new.sqlite") as store:
        store._connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    for name, message in (
        ("text", "file is not a database"),
        ("other.sqlite", "is not a store of experiments"),
        ("new.sqlite", f"has format {FORMAT + 1}"),
        ("text/below", "what it holds is kept"),
    ):
        with pytest.raises(StoreError, match=message) as caught:
            Store(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "absent.sqlite", read_only=True)
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(StoreError, match="there is nothing in"):
        Store(tmp_path / "empty.sqlite", read_only=True)
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("t",)], "a foreign file is left alone"


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        series = store.series(KEY)
        store.add(series, 0, 10, 0.1, results(0, 10))
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="full; what it holds is kept"):
            store.add(series, 10, 100_000, 0.1, results(10, 100_000))
        assert store.done(series, 20) == 10
    with Store(tmp_path / "s.sqlite") as again:
        assert again.add(series, 10, 10, 0.1, results(10, 10)) and again.missing(series, 20) == []


def test_damage_is_named(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        series = store.series(KEY)
        store.add(series, 0, 10, 0.1, results(0, 10))
        store._connection.execute("UPDATE chunks SET payload = zeroblob(40)")
        with pytest.raises(StoreError, match="units from 0: the numbers are damaged"):
            list(store.chunks(series))


def test_the_runs_of_a_store_print_as_a_table() -> None:
    with Store.in_memory() as store:
        store.begin_run("match", "quixo:3", ("mcts:10", "<random>"), {"seed": 0})
        found = store.runs()
    assert "match" in str(found) and "quixo:3" in str(found) and "<random>" in str(found)
    assert found._repr_html_().startswith("<pre>") and "&lt;random&gt;" in found._repr_html_()
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert list(frame["game"]) == ["quixo:3"] and list(frame["run"]) == [1]


def test_the_chunk_with_a_unit() -> None:
    with Store.in_memory() as store:
        series = store.series(KEY)
        store.add(series, 2, 3, 0.1, results(2, 3))
        store.add(series, 7, 2, 0.1, results(7, 2))
        found = [store.chunk_with(series, unit) for unit in range(10)]
    assert [None if one is None else one[0] for one in found] == [None, None, 2, 2, 2, None, None, 7, 7, None]
