"""Packed tables: how small they get with which codec, and how fast they are read.

`ludometer bench packing` measures 4×4 Quixo.  For tables that are there already, each in a fresh process:

    python -m benchmarks.packing read quixo:5 TABLES                 # from a cold start: random positions, perfect moves
    python -m benchmarks.packing same quixo:5 TABLES PLAIN 10000000  # random positions, packed and plain compared

Distances that nobody has room for, from one part in 2000 of every table, drawn at random while the game is solved:

    python -m benchmarks.packing sample quixo:5 cuda 2000
"""

from __future__ import annotations

import lzma
import multiprocessing
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ludometer import agents
from ludometer.core.game import Game
from ludometer.core.machine import usable_cores
from ludometer.core.position import Position
from ludometer.games import game
from ludometer.solvers import open_solution, solve
from ludometer.solvers.files.packed_files import BLOCK, LEVEL, PackedFile
from ludometer.solvers.solvable import folder_for
from ludometer.solvers.tiles.filling import FILLS
from ludometer.solvers.tiles.index import Rows, state_with_tiles
from ludometer.solvers.tiles.packing import pack_marked_values, pack_values
from ludometer.solvers.tiles.solution import TileSolution

SPEC = "quixo:4"
BLOCKS = (2048, BLOCK, 8192, 65536)
PROBES = 20_000
MOVES = 1_000
TOY = {"SPEC": "quixo:2", "BLOCKS": (BLOCK,), "PROBES": 20, "MOVES": 5}


def compare() -> list[dict[str, Any]]:
    """Bytes by codec and size of blocks, entries as they are and filled; then reading at random, nothing decoded before."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        solve(SPEC, tables=folder / "plain")
        rows = list(_sizes(open_solution(SPEC, folder / "plain")))
        for keep in ("values", "distances"):
            solve(SPEC, tables=folder / keep, keep=keep, pack=True)
            for what, rate in _reading(game(SPEC), folder / keep).items():
                rows.append(_row(f"packed {SPEC} {keep} {what}", rate))
    return rows


def _row(name: str, ours: float) -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": None, "ratio": None}


# ---- sizes ----


def _sizes(solution: Any) -> Iterator[dict[str, Any]]:
    tables = [np.array(table.array()) for table in solution.tables.values()]
    for keep in ("values", "distances"):
        for filled in (False, True):
            for block in BLOCKS:
                contents = [_content(codes, keep, filled, block) for codes in tables]
                for codec, compress in _codecs().items():
                    since = time.process_time()
                    size = sum(len(compress(one[at : at + block])) for one in contents for at in range(0, len(one), block))
                    speed = sum(map(len, contents)) / 1e6 / max(1e-9, time.process_time() - since)
                    text = f"{keep} {'filled' if filled else 'as they are'} {codec} in {block // 1024} KiB ({speed:.0f} MB/s)"
                    yield _row(f"{text} bytes", size)


def _content(codes: np.ndarray, keep: str, filled: bool, block: int) -> bytes:
    """What is compressed of one table."""
    content = codes.copy()
    if keep == "values":
        content = np.empty(-(-codes.size // 4), np.uint8)
        (pack_marked_values if filled else pack_values)(codes, content)
    if filled:
        FILLS[keep](content, block)
    return content.tobytes()


def _codecs() -> dict[str, Callable[[bytes], bytes]]:
    """Those that every Python has, and zstandard where it is installed."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 0, "lp": 0, "pb": 0}]
    found: dict[str, Callable[[bytes], bytes]] = {
        f"deflate {level}": lambda data, level=level: zlib.compress(data, level, -15)  # type: ignore[misc]
        for level in (1, LEVEL, 6, 9)
    }
    found["LZMA"] = lambda data: lzma.compress(data, lzma.FORMAT_RAW, filters=filters)
    try:
        import zstandard

        found["zstandard 19"] = zstandard.ZstdCompressor(level=19).compress
    except ImportError:
        pass
    return found


# ---- reading ----


def _reading(chosen: Game, tables: Path) -> dict[str, float]:
    """Random positions and perfect moves a second, time of the process and of the clock; nothing was decoded before."""
    positions = _random_positions(chosen, PROBES + MOVES, 7)
    agent = agents.agent(f"optimal:tables={tables}", chosen)
    agent.solution.probe(chosen.start())  # compiles
    agent.solution.value(chosen.start())
    keys = np.random.default_rng(3).integers(0, 1 << 63, MOVES).astype(np.uint64)
    going_on = [position for position in positions[PROBES:] if not position.is_over]
    found = {}
    for what, ask, number in (
        ("probes", lambda: [agent.solution.value(position) for position in positions[:PROBES]], PROBES),
        ("perfect moves", lambda: [agent.choose(position, key) for position, key in zip(going_on, keys)], len(going_on)),
    ):
        since, used = time.perf_counter(), time.process_time()
        ask()
        found[f"{what}/s"] = number / (time.perf_counter() - since)
        found[f"{what}/s of processor time"] = number / max(1e-9, time.process_time() - used)
    return found


def _random_tiles(cells: int, number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """(tiles of the mover, tiles of the other) of boards on which each cell is blank or either's with equal chance."""
    drawn = np.random.default_rng(seed).integers(0, 3, (number, cells), dtype=np.uint8)
    powers = np.uint64(1) << np.arange(cells, dtype=np.uint64)
    return tuple(((drawn == owner) * powers).sum(axis=1, dtype=np.uint64) for owner in (1, 2))  # type: ignore[return-value]


def _random_positions(chosen: Game, number: int, seed: int) -> list[Position]:
    from ludometer.solvers.tiles.board import count_cells

    movers, others = _random_tiles(int(count_cells(chosen.rules)), number, seed)
    return [Position(chosen, state_with_tiles(chosen.rules, *tiles)) for tiles in zip(movers, others)]


# ---- the same answers ----


def _same(chosen: Game, packed: TileSolution, plain: TileSolution, number: int, seed: int = 1) -> dict[str, Any]:
    """Random positions looked up in both, class by class, each block decoded once; then some through `value` and `probe`."""
    from benchmarks.packing_kernels import locate_all
    from ludometer.solvers.tiles.board import count_cells
    from ludometer.solvers.tiles.codes import WIN_BASE, WIN_IN_1
    from ludometer.solvers.tiles.packing import CODE_OF_PACKED

    assert packed.keep == plain.keep and packed.filled and not plain.packed
    values = packed.keep == "values"
    rows = packed.rows
    assert isinstance(rows, Rows)
    movers, others = _random_tiles(int(count_cells(chosen.rules)), number, seed)
    places = np.empty((number, 4), np.int64)
    parts = np.array_split(np.arange(number), 4 * usable_cores())
    with ThreadPoolExecutor(usable_cores()) as pool:
        list(pool.map(lambda p: locate_all(chosen.rules, rows, movers[p[0] : p[-1] + 1], others[p[0] : p[-1] + 1],
                                           places[p[0] : p[-1] + 1]), parts))  # fmt: skip
    classes = places[:, 0] * 32 + places[:, 1]
    order = np.lexsort((places[:, 2], classes))
    groups = [
        group[at : at + _GROUP]
        for group in np.split(order, np.flatnonzero(np.diff(classes[order])) + 1)
        for at in range(0, len(group), _GROUP)
    ]
    code_of = np.array(CODE_OF_PACKED)

    def codes(table: Any, entries: np.ndarray) -> np.ndarray:
        at = entries >> 2 if values else entries
        stored = table.take(at) if isinstance(table, PackedFile) else table.unchecked[at]
        return code_of[stored >> (2 * (entries & 3)).astype(np.uint8) & 3] if values else stored.astype(np.int64)

    def different(group: np.ndarray) -> int:
        place = int(places[group[0], 0]), int(places[group[0], 1])
        entries, known = places[group, 2], places[group, 3]
        if values:
            known = np.where(known == WIN_IN_1, WIN_BASE, known)
        found = np.where(known >= 0, known, codes(packed.tables[place], entries))
        return int(np.count_nonzero(found != codes(plain.tables[place], entries)))

    wrong = _in_processes(different, groups)
    some = _random_positions(chosen, 100_000, seed + 1)
    wrong_values = sum(packed.value(position) != plain.value(position) for position in some)
    wrong_probes = sum(packed.probe(position) != plain.probe(position) for position in some[:2000])
    known = int(np.count_nonzero(places[:, 3] >= 0))
    return {
        "positions": number, "decided by the rules": known, "different": wrong,
        "values compared": len(some), "values different": wrong_values, "probes compared": 2000, "probes different": wrong_probes,
    }  # fmt: skip


_GROUP = 20_000  # positions of a class compared at a time


def _in_processes(work: Callable[[np.ndarray], int], groups: list[np.ndarray]) -> int:
    """The sum of `work` over the groups, shared by as many forks of this process as there are cores: decoding is mostly Python."""
    global _forked_work
    _forked_work = work
    with multiprocessing.get_context("fork").Pool(usable_cores()) as pool:
        return sum(pool.imap_unordered(_one_group, groups))


_forked_work: Callable[[np.ndarray], int]


def _one_group(group: np.ndarray) -> int:
    return _forked_work(group)


# ---- distances from a sample ----


def _sample(chosen: Game, device: str, part: int, seed: int = 1) -> dict[str, float]:
    """Bytes of all tables with distances by codec, estimated from one in `part` stretches of 64 KiB of each table."""
    from ludometer.core.stopping import Stop
    from ludometer.solvers.tiles.lookup import tile_tables
    from ludometer.solvers.tiles.pair_solvers import solver_for
    from ludometer.solvers.tiles.pairs import all_pairs, needed_by, no_longer_needed

    tables = tile_tables(chosen)
    solver = solver_for(device)(chosen, tables)
    chance = np.random.default_rng(seed)
    pairs = all_pairs(tables.cells)
    waiting = needed_by(pairs, tables.cells)
    sizes: dict[str, float] = {}
    seen = 0
    for pair in pairs:
        solver.solve_pair(pair, Stop())
        for side in pair.sides:
            codes = solver.fetch(pair, side)
            places = chance.integers(0, max(1, codes.size - _STRETCH + 1), max(1, codes.size // part // _STRETCH))
            stretches = [codes[place : place + _STRETCH] for place in places]
            here = sum(one.size for one in stretches)
            seen += here
            for name, bytes_of_stretch in _SAMPLED.items():
                sizes[name] = sizes.get(name, 0.0) + sum(map(bytes_of_stretch, stretches)) * codes.size / here
        for done in no_longer_needed(pair, tables.cells, waiting):
            solver.forget(done)
    return {"entries sampled": seen, **sizes}


def _deflated(codes: np.ndarray, filled: bool, block: int, level: int) -> int:
    content = _content(codes, "distances", filled, block)
    return sum(len(zlib.compress(content[at : at + block], level, -15)) for at in range(0, len(content), block))


_STRETCH = 65536
_SAMPLED: dict[str, Callable[[np.ndarray], int]] = {
    "as stored, 4 KiB, deflate 4": lambda codes: _deflated(codes, False, BLOCK, LEVEL),
    "filled, 4 KiB, deflate 4": lambda codes: _deflated(codes, True, BLOCK, LEVEL),
    "filled, 64 KiB, deflate 6": lambda codes: _deflated(codes, True, _STRETCH, 6),
    "filled, 64 KiB, LZMA": lambda codes: len(_codecs()["LZMA"](_content(codes, "distances", True, _STRETCH))),
}


def main(arguments: list[str]) -> int:
    began = time.perf_counter()
    what, spec, tables = arguments[:3]
    chosen = game(spec)
    if what == "sample":
        for name, number in _sample(chosen, tables, int(arguments[3])).items():
            print(f"{name:<40} {number:>20,.0f}")
        return 0
    if what == "read":
        open_solution(chosen, tables).value(chosen.start())
        print(f"first answer after {time.perf_counter() - began:.2f} s (packages loaded before)")
        for name, rate in _reading(chosen, Path(tables)).items():
            print(f"{name:<40} {rate:>12,.0f}")
        return 0
    plain = open_solution(chosen, arguments[3])
    packed = open_solution(chosen, tables)
    assert isinstance(plain, TileSolution) and isinstance(packed, TileSolution)
    report = _same(chosen, packed, plain, int(arguments[4]))
    print({**report, "seconds": round(time.perf_counter() - began, 1), "folder": str(folder_for(chosen, Path(tables)))})
    return 1 if any(count for name, count in report.items() if name.endswith("different")) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
