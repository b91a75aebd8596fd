"""Packed tables of tile games: the same answers as plain ones, by every way of making them, and after every kill."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.agents.optimal import OptimalAgent
from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.core.stopping import Stop, Stopped
from ludometer.solvers.files import packed_files
from ludometer.solvers.files.table_files import DamagedTable, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import open_folder, write_manifest
from ludometer.solvers.solvable import folder_for
from ludometer.solvers.tiles.check_kernels import tiles_of_entry
from ludometer.solvers.tiles.codes import LOSS_BASE, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.filling import fill_codes, fill_values
from ludometer.solvers.tiles.index import state_with_tiles
from ludometer.solvers.tiles.known_kernels import NOT_KNOWN, locate_known
from ludometer.solvers.tiles.packing import LEFT_OUT, pack_marked_values
from ludometer.solvers.tiles.repacking import pack_folder, unpack_folder
from ludometer.solvers.tiles.solution import TileSolution, open_solution
from ludometer.solvers.tiles.whole_tables import WholeTables
from ludometer.solvers.verification import verify
from tests.solvers.folders import content_of
from tests.solvers.solving_tiles import solve_tiles

LEFT = (WIN_BASE, LOSS_BASE, WIN_IN_1)
BOTH = pytest.mark.parametrize("keep", ["values", "distances"])


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that the tables of a small board have many."""
    monkeypatch.setattr(packed_files, "BLOCK", 16)


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """4×4 Quixo, plain and packed, values and distances."""
    folder = tmp_path_factory.mktemp("four")
    for keep in ("values", "distances"):
        solve_tiles(lm.game("quixo:4"), folder=folder / keep, keep=keep)
        solve_tiles(lm.game("quixo:4"), folder=folder / f"packed-{keep}", keep=keep, pack=True)
    return folder


@pytest.mark.exhaustive
def test_what_is_left_to_the_reader_is_what_the_codes_say(four: Path) -> None:
    """Finished games and wins in one, found from the rules, are the codes 1, 128 and 2, and nothing else; a naive twin agrees."""
    solution = open_solution(four / "distances")
    game, rows = solution.game, solution.rows
    generator = np.random.default_rng(0)
    for place, table in solution.tables.items():
        codes = table.array()
        for entry in generator.integers(0, codes.size, 12).tolist():
            state = state_with_tiles(game.rules, *map(np.uint64, tiles_of_entry(game.rules, rows, *place, entry)))
            position = Position(game, state)
            *_, known = locate_known(game.rules, position.state, rows)
            code = int(codes[entry])
            assert (code if code in LEFT else NOT_KNOWN) == known
            wins = not position.is_over and any((after := position.play(m)).is_over and after.outcome == -1 for m in position.legal)
            assert (position.is_over or wins) == (known != NOT_KNOWN)


def test_filling_is_as_documented() -> None:
    """Against a plain loop: within a block, what is left out becomes the stored entry before, at its beginning the first one stored."""
    generator = np.random.default_rng(1)
    codes = generator.choice(np.array([0, 1, 2, 3, 128, 130, 140], np.uint8), 1000)
    codes[128:192] = generator.choice(np.array(LEFT, np.uint8), 64)  # a block with nothing stored
    expected = codes.copy()
    for begin in range(0, 1000, 64):
        block = expected[begin : begin + 64]
        stored = [code for code in block.tolist() if code not in LEFT]
        last = stored[0] if stored else 0
        for place in range(block.size):
            last = block[place] if block[place] not in LEFT else last
            block[place] = last
    filled = codes.copy()
    fill_codes(filled, 64)
    np.testing.assert_array_equal(filled, expected)

    values = np.empty(250, np.uint8)
    pack_marked_values(codes, values)
    assert [int(values[i // 4]) >> 2 * (i % 4) & 3 for i in range(1000)] == [
        LEFT_OUT if code in LEFT else 0 if code == 0 else 1 if code < 128 else 2 for code in codes.tolist()
    ]
    fill_values(values, 16)
    of_code = {0: 0, 3: 1, 130: 2, 140: 2}
    assert [int(values[i // 4]) >> 2 * (i % 4) & 3 for i in range(1000)] == [of_code[code] for code in expected.tolist()]


@pytest.mark.exhaustive
@BOTH
def test_all_entries_of_the_4x4_board(four: Path, keep: str) -> None:
    plain, packed = open_solution(four / keep), open_solution(four / f"packed-{keep}")
    assert packed.packed and packed.filled and not plain.packed and not plain.filled
    whole = WholeTables(packed, Stop())
    for place, table in plain.tables.items():
        np.testing.assert_array_equal(table.array(), whole.get(place))
    assert packed.summary() == {**plain.summary(), "device": packed.summary()["device"]}
    assert packed.classes() == plain.classes()
    size = {name: sum(f.stat().st_size for f in (four / name).glob("??-*")) for name in (keep, f"packed-{keep}")}
    assert size[f"packed-{keep}"] < size[keep] * (0.12 if keep == "distances" else 0.13)


@pytest.mark.exhaustive
@BOTH
def test_the_same_answers_from_every_side(four: Path, keep: str) -> None:
    """Values and probes of random boards, of random games and of finished games; and the moves of the perfect player."""
    plain, packed = open_solution(four / keep), open_solution(four / f"packed-{keep}")
    game = plain.game
    positions = random_boards(plain, 1500) + random_games(plain, 300)
    assert any(position.is_over for position in positions)
    for position in positions:
        assert packed.value(position) == plain.value(position)
        assert packed.code(position) == plain.code(position)
        assert packed.probe(position) == plain.probe(position)
    option = "optimal:steps" if keep == "distances" else "optimal"
    players = [OptimalAgent(game, option, steps=keep == "distances", solution=solution) for solution in (plain, packed)]
    lookups = [player.compiled_player().lookup for player in players]
    assert all(np.array_equal(one, other) for one, other in zip(*([look.codes, look.first] for look in lookups)))
    for number, position in enumerate(p for p in positions[:200] if not p.is_over):
        one, other = (player.choose(position, np.uint64(number * 0x9E3779B97F4A7C15 % 2**64)).move for player in players)
        assert one == other
        if keep == "distances":
            continue
        by_probe = players[1]._choose_by_probe(position, np.uint64(number * 0x9E3779B97F4A7C15 % 2**64), None)[0]
        assert by_probe == one


def random_boards(solution: TileSolution, number: int) -> list[Position]:
    generator = np.random.default_rng(4)
    boards = []
    for _ in range(number):
        owners = generator.integers(0, 3, 16)
        tiles = (np.uint64(sum(1 << cell for cell in np.flatnonzero(owners == who).tolist())) for who in (1, 2))
        boards.append(Position(solution.game, state_with_tiles(solution.game.rules, *tiles)))
    return boards


def random_games(solution: TileSolution, number: int) -> list[Position]:
    generator, position, found = np.random.default_rng(5), solution.game.start(), []
    while len(found) < number:
        found.append(position)
        position = solution.game.start() if position.is_over else position.play(int(generator.choice(position.legal)))
    return found


@pytest.mark.exhaustive
@BOTH
def test_every_way_of_packing_gives_the_same_bytes(tmp_path: Path, keep: str, small_blocks: None) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path / "plain", keep=keep)
    solve_tiles(game, folder=tmp_path / "packed", keep=keep, pack=True)
    plain, packed = content_of(tmp_path / "plain"), content_of(tmp_path / "packed")
    assert not any(name.endswith(".table") for name in packed if name != "rows.table")
    shutil.copytree(tmp_path / "plain", tmp_path / "one")
    pack_folder(tmp_path / "one")
    assert content_of(tmp_path / "one") == packed
    unpack_folder(tmp_path / "one")
    assert content_of(tmp_path / "one") == plain
    solve_tiles(game, folder=tmp_path / "one", keep=keep, pack=True)  # found solved, and packed
    assert content_of(tmp_path / "one") == packed
    assert solve_tiles(game, folder=tmp_path / "one", keep=keep).packed  # found as it is
    assert content_of(tmp_path / "one") == packed


@pytest.mark.exhaustive
@BOTH
def test_as_stored(tmp_path: Path, keep: str, small_blocks: None) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path / "a", keep=keep)
    plain = content_of(tmp_path / "a")
    pack_folder(tmp_path / "a", as_stored=True)
    solution = open_solution(tmp_path / "a")
    assert solution.packed and not solution.filled
    assert verify(tmp_path / "a")["ok"]
    unpack_folder(tmp_path / "a")
    assert content_of(tmp_path / "a") == plain


@BOTH
def test_a_table_left_by_another_way_of_packing_is_packed_again(tmp_path: Path, keep: str) -> None:
    plain, left, direct = tmp_path / "plain", tmp_path / "left", tmp_path / "direct"
    solve_tiles(lm.game("quixo:2"), folder=plain, keep=keep)
    for folder in (left, direct):
        shutil.copytree(plain, folder)
    pack_folder(left, as_stored=True)
    pack_folder(direct)
    files = sorted(left.glob("*.packed"))
    assert files
    for file in files:  # as a run leaves them that was killed before it wrote the manifest
        shutil.copy(file, plain)
    pack_folder(plain)
    assert content_of(plain) == content_of(direct)


@BOTH
def test_verification_reads_packed_tables(tmp_path: Path, keep: str, small_blocks: None) -> None:
    game, folder = lm.game("quixo:3"), tmp_path / "a"
    solve_tiles(game, folder=folder, keep=keep, pack=True)
    assert verify(folder) == {"ok": True, "checked": 3732, "errors": []}
    file = folder / "04-03.packed"
    content = bytearray(file.read_bytes())
    content[-1] ^= 64
    file.write_bytes(content)
    report = verify(folder)
    assert not report["ok"] and "04-03.packed: the checksum of block" in report["errors"][0]
    with pytest.raises(DamagedTable):
        open_solution(folder)
    solve_tiles(game, folder=folder, keep=keep, pack=True)  # repairs
    assert verify(folder)["ok"]


@BOTH
def test_verification_finds_a_wrong_entry_in_a_sound_file(tmp_path: Path, keep: str) -> None:
    """An entry that a reader does look up is changed before it is packed; checksums agree, successors do not."""
    game, folder = lm.game("quixo:3"), tmp_path / "a"
    solve_tiles(game, folder=folder, keep=keep)
    solution = open_solution(folder)
    name, table = "03-02", solution.tables[3, 2]
    codes = np.array(table.array())
    exact = solve_tiles(game).tables[3, 2]
    entry = next(entry for entry in range(exact.size) if exact[entry] not in LEFT and exact[entry] != 0)
    if keep == "distances":
        codes[entry] = 0
    else:
        codes[entry >> 2] &= ~(3 << 2 * (entry & 3)) & 255
    opened = open_folder(folder)
    write_table(folder, name, codes, opened.origin, table.encoding, table.meta)
    tables = {**opened.tables, name: TableFile(folder / f"{name}.table", opened.origin)}
    write_manifest(folder, tables, opened.origin, opened.meta)
    pack_folder(folder)
    report = verify(folder)
    assert not report["ok"] and any("(3, 2)" in error for error in report["errors"])


@pytest.mark.exhaustive
def test_what_cannot_be_packed(tmp_path: Path) -> None:
    game = lm.game("quixo:2")
    with pytest.raises(LudometerError, match="leave out pack"):
        solve_tiles(game, pack=True)
    with pytest.raises(LudometerError, match="leave out pack"):
        solve_tiles(game, folder=tmp_path / "none", keep="none", pack=True)
    with pytest.raises(LudometerError, match="tables of games without repetition are not packed"):
        lm.solve("tictactoe", tables=tmp_path, pack=True)
    lm.solve("tictactoe", tables=tmp_path)
    with pytest.raises(TableError, match="tables of games without repetition are not packed"):
        pack_folder(folder_for(lm.game("tictactoe"), tmp_path))
    solve_tiles(game, folder=tmp_path / "totals", keep="none")
    with pytest.raises(TableError, match="nothing to pack"):
        pack_folder(tmp_path / "totals")
    with pytest.raises(TableError, match="no finished table"):
        pack_folder(tmp_path)


def test_stopping_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    solve_tiles(game, folder=tmp_path / "a")
    before = {name: content for name, content in content_of(tmp_path / "a").items() if name != "lock"}
    stop = Stop()

    def progress(done: int, total: int, text: str) -> None:
        if done > total // 2:
            stop.ask()

    with pytest.raises(Stopped):
        pack_folder(tmp_path / "a", progress=progress, stop=stop)
    after = content_of(tmp_path / "a")
    assert {name: after[name] for name in before} == before
    assert open_solution(tmp_path / "a").summary()["win"] > 0


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_every_write(tmp_path: Path) -> None:
    """kill -9 just before and after each renaming: the folder can be used, and the next run ends with the same bytes."""
    command = [sys.executable, "-m", "tests.solvers.tiles.killing_packs", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["killed"] > 20 and report["wrong"] == [], report
