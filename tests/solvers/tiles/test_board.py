"""The board of a tile game and its look-up tables: against plain Python, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.solvers.tiles import board, lookup
from ludometer.solvers.tiles.binomials import WAYS, columns_of
from ludometer.solvers.tiles.index import Rows, locate
from ludometer.solvers.tiles.lookup import packed, table_entry, tile_tables, unpacked
from ludometer.solvers.tiles.pair_solvers import start_entry
from ludometer.solvers.tiles.pairs import Pair
from tests.solvers.solving_tiles import solve_tiles

TOYS = Path(__file__).parent


def plainly_packed(selected: int, mask: int) -> int:
    cells = [cell for cell in range(32) if selected >> cell & 1]
    return sum(1 << place for place, cell in enumerate(cells) if mask >> cell & 1)


@pytest.mark.parametrize("cells", [4, 9, 16, 17, 25])
def test_packing_and_its_inverse(cells: int) -> None:
    """25 cells need four chunks of eight; every one of them counts."""
    compress, spread = lookup._byte_tables()
    chunks = max(2, -(-cells // 8))
    chance = np.random.default_rng(cells)
    for _ in range(200):
        selected, mask = (int(chance.integers(1 << cells)) for _ in range(2))
        value = int(packed(compress, chunks, np.uint32(selected), np.uint32(mask)))
        assert value == plainly_packed(selected, mask)
        assert int(unpacked(spread, chunks, np.uint32(selected), np.uint32(value))) == selected & mask


@pytest.mark.parametrize("spec", ["quixo:3", "quixo:4", f"{TOYS / 'row_game.py'}:18,18"])
def test_both_ways_of_finding_an_entry_agree(spec: str) -> None:
    """The look-up tables, ranks in two parts among them, against the definition."""
    game = lm.game(spec)
    tables = tile_tables(game)
    rows = Rows(tables.representatives, tables.first_row)
    chance = np.random.default_rng(1)
    for _ in range(300):
        colour = chance.integers(0, 3, tables.cells)
        mover, other = (sum(1 << cell for cell in range(tables.cells) if colour[cell] == side) for side in (1, 2))
        pair, side, entry = table_entry(tables, mover, other)
        state = type(game.start().state)(np.uint64(mover), np.uint64(other), np.uint64(0))
        tiles = locate(game.rules, state, rows)
        assert tiles == (mover.bit_count(), other.bit_count(), entry)
        assert pair == Pair(max(tiles[:2]), min(tiles[:2])) and side == (0 if tiles[0] >= tiles[1] else 1)
    assert start_entry(game, rows) == ((0, 0), 0)


def test_binomials() -> None:
    assert WAYS[25, 12] == 5_200_300 and WAYS[3, 5] == 0
    assert [int(columns_of(4, more, 2)) for more in range(5)] == [6, 3, 1, 0, 0]


@pytest.mark.parametrize(
    ("limit", "most", "message"),
    [
        ("MOST_SYMMETRIES", 7, "quixo:2: 8 symmetries are more than the solver's 7"),
        ("MOST_MOVES", 3, "quixo:2: 8 moves are more than the solver's 3"),
        ("MOST_CELLS", 3, "quixo:2: 4 cells are more than the solver's 3"),
    ],
)
def test_boards_beyond_the_solver(limit: str, most: int, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, limit, most)
    with pytest.raises(LudometerError, match=message):
        solve_tiles(lm.game("quixo:2"))


def test_the_limits_are_those_of_the_tables() -> None:
    """A symmetry has three bits, a set of moves is a word, an entry of a list has 32 bits."""
    assert (board.MOST_SYMMETRIES, board.MOST_MOVES, lookup.MOST_ENTRIES) == (8, 64, 2**32 - 1)
    with pytest.raises(LudometerError, match="row_game.py:34,3: 34 cells are more than the solver's 25"):
        solve_tiles(lm.game(f"{TOYS / 'row_game.py'}:34,3"))


def test_tables_with_too_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "MOST_ENTRIES", 3)
    with pytest.raises(LudometerError, match="a table of 4 entries is beyond the solver's 3"):
        tile_tables(lm.game("quixo:2"))


@pytest.mark.parametrize(("kind", "where"), [("blank", "0 and 0 tiles"), ("own", "1 and 0 tiles")])
def test_a_win_in_two_is_refused(kind: str, where: str) -> None:
    """It has no code; each of the two places that can meet one must notice it by itself."""
    with pytest.raises(LudometerError, match=f"positions with {where} have a distance that has no code"):
        solve_tiles(lm.game(f"{TOYS / 'two_cells.py'}:{kind}"))
    assert solve_tiles(lm.game(f"{TOYS / 'two_cells.py'}:right")).summary()["draw"] == 9
