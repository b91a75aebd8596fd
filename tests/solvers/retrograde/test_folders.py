"""Tables by retrograde analysis in folders: killed and resumed, equal bytes for all numbers of threads, damage and wrong entries found."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.game import Game
from ludometer.core.stopping import Stop, Stopped
from ludometer.solvers.files.table_files import DamagedTable
from ludometer.solvers.options import SolveOptions, VerifyOptions
from ludometer.solvers.repacking import repack_folder
from ludometer.solvers.retrograde import store
from ludometer.solvers.retrograde.check import check_retrograde
from ludometer.solvers.retrograde.driver import solve_retrograde
from ludometer.solvers.retrograde.packing import keys_per_block, packed_keys, unpacked_keys
from ludometer.solvers.retrograde.snapshots import Snapshots
from ludometer.solvers.retrograde.solution import ArrayEntries, RetrogradeSolution
from ludometer.solvers.retrograde.store import keep_solution, locked_folder, open_retrograde
from tests.naive.circles import all_positions
from tests.solvers.folders import content_of
from tests.solvers.retrograde.games import written

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return lm.game(f"{written(tmp_path_factory.mktemp('games'), 'graph.py')}:3,400,4,1")


@pytest.mark.kill
def test_killed_around_every_write(graph: Game, tmp_path: Path) -> None:
    """Snapshots of positions found level by level, of all positions, of every round; then the tables and the manifest."""
    command = [sys.executable, "-m", "tests.solvers.retrograde.killing", graph.reference, str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert report["equal"], report
    assert report["killed"] > 40 and report["resumed"] > 30


def test_bytes_do_not_depend_on_threads_or_memory(graph: Game, tmp_path: Path) -> None:
    for name, options in (("one", {"workers": 1}), ("three", {"workers": 3}), ("little", {"memory": 10_000_000})):
        for game in (graph, lm.game("quixo:3")):
            solve_retrograde(game, SolveOptions(folder=tmp_path / name / game.kind.name[-5:-3], **options))  # type: ignore[arg-type]
    assert content_of(tmp_path / "one") == content_of(tmp_path / "three") == content_of(tmp_path / "little")


@pytest.mark.parametrize("rounds", [1, 3, 6])
def test_a_stopped_run_is_continued(graph: Game, tmp_path: Path, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, kept = Stop(), Snapshots.keep_decided
    written_rounds = []

    def keep(self: Snapshots, values: np.ndarray, distance: int) -> None:
        kept(self, values, distance)
        written_rounds.append(distance)
        if len(written_rounds) == rounds:
            stop.ask()

    monkeypatch.setattr(Snapshots, "keep_decided", keep)
    with pytest.raises(Stopped):
        solve_retrograde(graph, SolveOptions(folder=tmp_path, stop=stop), interval=0.0)
    assert written_rounds[-1] == rounds
    after = []
    monkeypatch.setattr(Snapshots, "keep_decided", lambda self, values, distance: after.append(distance))
    solution = solve_retrograde(graph, SolveOptions(folder=tmp_path), interval=0.0)
    assert after[0] == rounds + 1  # rounds that were kept are not played again
    assert not check_retrograde(solution, VerifyOptions())[1]


def test_what_is_kept(graph: Game, tmp_path: Path) -> None:
    whole = solve_retrograde(graph, SolveOptions())
    for keep in ("values", "none"):
        folder = tmp_path / keep
        made = solve_retrograde(graph, SolveOptions(folder=folder, keep=keep))
        opened = open_retrograde(graph, folder)
        for solution in (made, opened):
            assert solution.keep == keep and not solution.has_distances
            assert solution.summary()["histogram"] == whole.summary()["histogram"]
            assert not check_retrograde(solution, VerifyOptions())[1]
        if keep == "values":
            for position in all_positions(graph.start()):
                value = opened.value(position)
                assert value.outcome == whole.value(position).outcome
                assert value.distance == (0 if position.is_over and value.outcome else None)
    assert solve_retrograde(graph, SolveOptions(folder=tmp_path / "values", keep="none")).keep == "values"  # more than is asked for
    assert solve_retrograde(graph, SolveOptions(folder=tmp_path / "values")).keep == "distances"


def test_large_tables_are_read_entry_by_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = lm.game("quixo:3")
    whole = solve_retrograde(game, SolveOptions(folder=tmp_path))
    monkeypatch.setattr(store, "WHOLE", 0)
    opened = open_retrograde(game, tmp_path)
    assert not isinstance(opened.found, ArrayEntries)
    for position in all_positions(game.start())[::97]:
        assert opened.probe(position) == whole.probe(position)
    assert not check_retrograde(opened, VerifyOptions())[1]


def test_every_flipped_bit_is_found(graph: Game, tmp_path: Path) -> None:
    solve_retrograde(graph, SolveOptions(folder=tmp_path))
    chance = random.Random(1)
    files = [file for file in tmp_path.iterdir() if file.suffix in (".table", ".json")]
    assert len(files) == 3
    for file in files:
        content = file.read_bytes()
        for _ in range(25):
            place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
            file.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
            report = lm.verify(tmp_path, game=graph)
            assert not report["ok"] and report["errors"], (file, place)
        file.write_bytes(content)
    assert lm.verify(tmp_path, game=graph)["ok"]


def test_a_damaged_folder_is_refused_and_repaired(graph: Game, tmp_path: Path) -> None:
    solve_retrograde(graph, SolveOptions(folder=tmp_path))
    whole = content_of(tmp_path)
    file = tmp_path / "values.table"
    file.write_bytes(file.read_bytes()[:-1] + b"\x55")
    with pytest.raises(DamagedTable):
        open_retrograde(graph, tmp_path)
    solve_retrograde(graph, SolveOptions(folder=tmp_path))
    assert content_of(tmp_path) == whole


def altered(solution: RetrogradeSolution, keys: np.ndarray, values: np.ndarray) -> RetrogradeSolution:
    entries = ArrayEntries(solution.key_layout, np.ascontiguousarray(keys).reshape(-1), values)
    totals = solution.totals
    return RetrogradeSolution(
        solution.game,
        "distances",
        solution.key_layout,
        solution.symmetries,
        type(totals)(totals.counts, len(values), totals.start),
        entries,
    )


def test_wrong_entries_are_found_although_all_checksums_agree(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solution = solve_retrograde(game, SolveOptions())
    assert isinstance(solution.found, ArrayEntries)
    keys, values = solution.found.keys.reshape(-1, 1), solution.found.values
    chance = random.Random(2)
    for _ in range(60):
        wrong = values.copy()
        place = chance.randrange(values.size)
        wrong[place] += chance.choice((-3, -2, -1, 1, 2, 3))
        assert check_retrograde(altered(solution, keys, wrong), VerifyOptions())[1], place
    swapped = np.where(values == 2, -1, values).astype(np.int8)
    assert check_retrograde(altered(solution, keys, swapped), VerifyOptions())[1]
    without = np.delete(np.arange(values.size), 4000)
    lines = check_retrograde(altered(solution, keys[without], values[without]), VerifyOptions())[1].lines
    assert any("is not in the table" in line for line in lines)
    lines = check_retrograde(altered(solution, keys[::-1], values), VerifyOptions())[1].lines
    assert any("ascending" in line for line in lines)
    stray = np.setdiff1d(np.arange(int(keys.max()), dtype=np.uint64), keys.reshape(-1))[1000:1001]
    more = np.sort(np.concatenate([keys.reshape(-1), stray]))
    place = int(np.searchsorted(more, stray[0]))
    found = check_retrograde(altered(solution, more.reshape(-1, 1), np.insert(values, place, 0)), VerifyOptions())[1].lines
    assert any("cannot be reached" in line for line in found)


def test_draws_stored_for_wins_and_wins_stored_for_draws_are_found(graph: Game) -> None:
    """A circle of wins that never arrive contradicts its distances."""
    solution = solve_retrograde(graph, SolveOptions())
    assert isinstance(solution.found, ArrayEntries)
    keys, values = solution.found.keys, solution.found.values
    for place in np.flatnonzero(values == 0)[:40]:
        for value in (1, -1, 9, -8):
            wrong = values.copy()
            wrong[place] = value
            assert check_retrograde(altered(solution, keys, wrong), VerifyOptions())[1]
    for place in np.flatnonzero(values)[:40]:
        wrong = values.copy()
        wrong[place] = 0
        assert check_retrograde(altered(solution, keys, wrong), VerifyOptions())[1]


def test_samples_are_checked(graph: Game) -> None:
    solution = solve_retrograde(graph, SolveOptions())
    checked, findings = check_retrograde(solution, VerifyOptions(sample=50, seed=3))
    assert checked == 50 and not findings
    assert isinstance(solution.found, ArrayEntries)
    wrong = solution.found.values + np.int8(20)
    assert check_retrograde(altered(solution, solution.found.keys, wrong), VerifyOptions(sample=50))[1].number > 0


def test_wrong_totals_are_found(graph: Game, tmp_path: Path) -> None:
    solution = solve_retrograde(graph, SolveOptions())
    counts = dict(solution.totals.counts)
    counts[0] = counts.get(0, 0) + 1
    solution.totals = type(solution.totals)(counts, solution.totals.entries, solution.totals.start)
    with locked_folder(tmp_path, Stop()):
        keep_solution(solution, tmp_path, False, Stop())
    assert any("counts by value" in line for line in lm.verify(tmp_path, game=graph)["errors"])


@pytest.mark.parametrize("keep", ["distances", "values"])
@pytest.mark.parametrize("which", ["graph", "quixo:3", "line"])
def test_packed_tables_answer_as_plain_ones(graph: Game, tmp_path: Path, keep: str, which: str) -> None:
    """Keys of three words and of one, values of one byte and of two."""
    line = written(tmp_path, "line.py")
    game = graph if which == "graph" else lm.game(f"{line}:700") if which == "line" else lm.game(which)
    plain = solve_retrograde(game, SolveOptions(folder=tmp_path / "plain", keep=keep))
    solve_retrograde(game, SolveOptions(folder=tmp_path / "packed", keep=keep, pack=True))
    packed = open_retrograde(game, tmp_path / "packed")
    assert packed.is_packed and packed.keep == keep
    if which == "line" and keep == "distances":
        assert max(plain.totals.counts) > 127
    for position in all_positions(game.start())[::7]:
        assert packed.probe(position) == plain.probe(position)
    whole = lm.verify(tmp_path / "packed", game=game)
    assert whole == {"ok": True, "checked": plain.entries, "errors": []}
    size = {name: sum(map(len, content_of(tmp_path / name).values())) for name in ("plain", "packed")}
    assert size["packed"] < size["plain"]


def test_packing_in_place_and_back(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solve_retrograde(game, SolveOptions(folder=tmp_path / "a"))
    plain = content_of(tmp_path / "a")
    repack_folder(tmp_path / "a", True)
    solve_retrograde(game, SolveOptions(folder=tmp_path / "b", pack=True))
    assert content_of(tmp_path / "a") == content_of(tmp_path / "b") != plain
    repack_folder(tmp_path / "a", False)
    assert content_of(tmp_path / "a") == plain
    solve_retrograde(game, SolveOptions(folder=tmp_path / "a", pack=True))
    assert content_of(tmp_path / "a") == content_of(tmp_path / "b")


def test_flipped_bits_of_packed_tables_are_found(graph: Game, tmp_path: Path) -> None:
    solve_retrograde(graph, SolveOptions(folder=tmp_path, pack=True))
    chance = random.Random(4)
    for file in sorted(tmp_path.glob("*.packed")):
        content = file.read_bytes()
        for _ in range(25):
            place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
            file.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
            assert not lm.verify(tmp_path, game=graph)["ok"], (file, place)
        file.write_bytes(content)


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [1, 100, 511, 512, 513, 5000])
def test_packed_keys_come_back(width: int, count: int) -> None:
    keys = np.random.default_rng(count).integers(0, (1 << 64) - 1, width * count, np.uint64)
    packed, first = packed_keys(keys, width)
    assert np.array_equal(unpacked_keys(packed, width, count), keys)
    assert np.array_equal(first.reshape(-1, width), keys.reshape(-1, width)[:: keys_per_block(width)])
