"""The solution of a tile game: its tables by class, in memory or in files, and how they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ludometer import games
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.states import States
from ludometer.core.stopping import Stop
from ludometer.solvers.files.table_files import Origin, TableError
from ludometer.solvers.files.table_folders import TableFolder, open_folder
from ludometer.solvers.solution import VALUE_NAMES, Move, OutsideTable, Probe, Solution, Value, Values
from ludometer.solvers.tiles.codes import LOSS_BASE, WIN_BASE, WIN_IN_1, decode, histogram
from ludometer.solvers.tiles.estimate import sizes_of_game
from ludometer.solvers.tiles.index import Rows, locate, locate_successors
from ludometer.solvers.tiles.known_kernels import NOT_KNOWN, locate_known, locate_known_successors
from ludometer.solvers.tiles.many_kernels import NO_STATE, locate_states
from ludometer.solvers.tiles.packing import CODE_OF_PACKED
from ludometer.solvers.tiles.pairs import Class

LAYOUT = "tile classes 1"
ENCODINGS = {"none": "nothing", "values": "values, 2 bits", "distances": "codes of values and distances, 1 byte"}
ROWS = "rows"  # the table of representatives
_LONG_WAY = 1000  # moves, more than any code can say

_OUTCOMES = np.array([decode(code)[0] for code in range(256)], np.int8)
_DISTANCES = np.array([-1 if distance is None else distance for _, distance in map(decode, range(256))], np.int32)
_CODES_OF_PACKED = np.array(CODE_OF_PACKED, np.int64)


class TileSolution(Solution):
    """Exact values of a tile game by class, in memory or in files."""

    layout = LAYOUT

    def __init__(
        self,
        game: Game,
        keep: str,
        counts: Mapping[Class, np.ndarray],
        tables: Mapping[Class, Any],
        rows: Rows | None,
        start_code: int,
        folder: Path | None = None,
    ) -> None:
        self.game = game
        self._keep = keep
        self.counts = counts  # class -> positions by code (256)
        self.tables = tables  # class -> array, TableFile or PackedFile of codes, or of values four to a byte; none with keep="none"
        self.rows = rows
        self.folder = folder
        self.start_code = start_code
        self.filled = False  # whether entries that the rules decide at once mean nothing, see `tiles.filling`
        self.packed = False  # whether the tables are packed files
        self.stated_totals: dict[str, int] | None = None  # what the folder's manifest says: states, win, loss, draw

    @property
    def keep(self) -> str:
        return self._keep

    @property
    def entries(self) -> int:
        return sum(sizes_of_game(self.game).values())

    @property
    def total(self) -> np.ndarray:
        """All positions by code (256)."""
        total: np.ndarray = np.sum(list(self.counts.values()), axis=0)
        return total

    def code(self, position: Position) -> int:
        """The code of a position (see `tiles.codes`); with values only, win and loss have distance 0."""
        rows = self._rows_for(position)
        if self.filled:
            return self._code_unless_known(*locate_known(self.game.rules, position.state, rows))
        return self._code_at(*locate(self.game.rules, position.state, rows))

    def _rows_for(self, position: Position) -> Rows:
        if position.game != self.game:
            raise OutsideTable(f"this is a solution of {self.game.spec}, not of {position.game.spec}")
        if self.rows is None:
            raise OutsideTable(f"{self.game.spec}: only totals were kept, no values; solve with values or distances kept")
        return self.rows

    def _code_at(self, mover: int, other: int, index: int) -> int:
        table = self._table_of(mover, other)
        if self.keep == "distances":
            return int(table.item(index))
        return CODE_OF_PACKED[int(table.item(index >> 2)) >> 2 * (index & 3) & 3]

    def _table_of(self, mover: int, other: int) -> Any:
        table = self.tables.get((mover, other))
        if table is None:
            raise OutsideTable(f"{self.game.spec}: no table is kept of positions with {mover} tiles of the mover and {other} of the other")
        return table

    def _code_unless_known(self, mover: int, other: int, index: int, known: int) -> int:
        if known == NOT_KNOWN:
            return self._code_at(mover, other, index)
        return WIN_BASE if known == WIN_IN_1 and self.keep == "values" else known

    def value(self, position: Position, stop: Stop | None = None) -> Value:
        if self.filled:  # then the rules were asked, and have said whether the game is over
            code, over = self._found(*locate_known(self.game.rules, position.state, self._rows_for(position)))
        else:
            code, over = self.code(position), self.keep == "values" and position.is_over
        outcome, distance = decode(code)
        return Value(outcome, distance if self.keep == "distances" else 0 if over else None)

    def probe(self, position: Position, stop: Stop | None = None) -> Probe:
        """Value and all moves, found with one call of compiled code; raises OutsideTable."""
        rows = self._rows_for(position)
        bound = self.game.move_bound
        moves, places = np.empty(bound, np.int32), np.empty((bound + 1, 4), np.int64)
        find = locate_known_successors if self.filled else locate_successors
        count = int(find(self.game.rules, position.state, rows, moves, places))
        exact = self.keep == "distances"
        (code, over), *after = [self._found(*place) for place in places[: count + 1].tolist()]
        outcome, distance = decode(code)
        seen = [_seen_from_before(code, exact or over) for code, over in after]
        listed = [Move.of(move, position) for move in moves[:count].tolist()]
        top = max((preference for _, preference in seen), default=None)
        return Probe(
            Value(outcome, distance if exact or over else None),
            tuple((move, value) for move, (value, _) in zip(listed, seen)),
            best=tuple(move for move, (_, preference) in zip(listed, seen) if preference == top),
            keeping=tuple(move for move, (_, preference) in zip(listed, seen) if top is not None and preference[0] == top[0]),
            position=position,
        )

    def _found(self, mover: int, other: int, index: int, last: int) -> tuple[int, bool]:
        """(code, whether the game is over) of a place of `locate_successors`, or of `locate_known_successors` if entries are filled."""
        if self.filled:
            return self._code_unless_known(mover, other, index, last), last not in (NOT_KNOWN, WIN_IN_1)
        return self._code_at(mover, other, index), last == 1

    def _values_of(self, states: States) -> Values:
        if self.rows is None:
            raise OutsideTable(f"{self.game.spec}: only totals were kept, no values; solve with values or distances kept")
        places = np.empty((len(states), 4), np.int64)
        locate_states(self.game.rules, states.rows, self.rows, self.filled, places)
        wrong = np.flatnonzero(places[:, 0] == NO_STATE)
        if wrong.size:
            raise OutsideTable(f"row {wrong[0]} is no position of {self.game.spec}")
        known = places[:, 3]
        codes = known.copy()
        to_ask = np.flatnonzero(known == NOT_KNOWN)
        classes, class_of = np.unique(places[to_ask, 0] << 8 | places[to_ask, 1], return_inverse=True)
        for number, place in enumerate(classes.tolist()):
            chosen = to_ask[class_of == number]
            codes[chosen] = self._codes_at(place >> 8, place & 255, places[chosen, 2])
        if self.keep == "distances":
            distances = _DISTANCES[codes]
        else:
            distances = np.where((known != NOT_KNOWN) & (known != WIN_IN_1), 0, -1).astype(np.int32)
        return Values(_OUTCOMES[codes], distances, None)

    def _codes_at(self, mover: int, other: int, entries: np.ndarray) -> np.ndarray:
        """The codes of these entries of one class."""
        table = self._table_of(mover, other)
        if self.keep == "distances":
            return _take(table, entries)
        codes: np.ndarray = _CODES_OF_PACKED[_take(table, entries >> 2) >> (2 * (entries & 3)) & 3]
        return codes

    def _draw(self, number: int, by: str, seed: int) -> tuple[States, npt.NDArray[np.float64]]:
        from ludometer.solvers.tiles.sampling import draw_positions

        return draw_positions(self, number, by, seed)

    def summary(self) -> dict[str, Any]:
        total = self.total
        outcome, distance = decode(self.start_code)
        return {
            "game": self.game.spec,
            "states": int(total.sum()),
            **totals_of(total),
            "start": {"value": VALUE_NAMES[outcome], "distance": distance},
            "histogram": histogram(total),
            "seconds": self.seconds,
            "device": self.device,  # "none" if all was in the folder already
            "reused": self.device == "none",
        }

    def classes(self) -> list[dict[str, int]]:
        """{mover, other, win, loss, draw} for every class, by number of tiles."""
        ordered = sorted(self.counts, key=lambda c: (c[0] + c[1], c))
        return [{"mover": mover, "other": other, **totals_of(self.counts[mover, other])} for mover, other in ordered]


def _take(table: Any, entries: np.ndarray) -> np.ndarray:
    """Entries of a table, which is an array or a file."""
    found: np.ndarray = table[entries] if isinstance(table, np.ndarray) else table.take(entries)
    return found.astype(np.int64)


@lru_cache(maxsize=2 * 256)
def _seen_from_before(code: int, exact: bool) -> tuple[Value, tuple[int, int]]:
    """What a move to an entry with this code is worth to the player who makes it, and how he ranks it.

    `exact`: the distance in the code is right.  A distance that is not known counts as a long way, so that a win at
    once is better and a loss at once worse.
    """
    outcome, distance = decode(code)
    value = Value(outcome, distance if exact else None).for_other_player().before_a_move()
    return value, value.preference() if value.distance is not None else (value.outcome, -value.outcome * _LONG_WAY)


def totals_of(counts: np.ndarray) -> dict[str, int]:
    return {
        "win": int(counts[WIN_BASE:LOSS_BASE].sum()),
        "loss": int(counts[LOSS_BASE:255].sum()),
        "draw": int(counts[0]),
    }


def open_solution(folder: Path, game: Game | None = None) -> TileSolution:
    """The solution in a finished folder; raises MissingTable, DamagedTable or ForeignTable."""
    opened = open_folder(folder, game, LAYOUT if game else None)
    if opened.origin.layout != LAYOUT:
        raise TableError(f"the tables in {str(folder)!r} are {opened.origin.layout!r}, not {LAYOUT!r}")
    found = game or games.game(opened.origin.game)
    if game is None:
        Origin.of(found, LAYOUT).check(vars(opened.origin), folder)
    return solution_of(found, opened)


def solution_of(game: Game, opened: TableFolder) -> TileSolution:
    by_class = {class_named(name): table for name, table in opened.tables.items() if name != ROWS}
    rows = rows_of(opened)
    counts = {place: dense(table.meta["counts"]) for place, table in by_class.items()}
    solution = TileSolution(game, opened.meta["keep"], counts, by_class if rows else {}, rows, opened.meta["start"], opened.path)
    solution.filled = opened.meta.get("filled", False)
    solution.packed = opened.packed
    solution.stated_totals = {key: opened.meta[key] for key in ("states", "win", "loss", "draw")}
    return solution


def rows_of(opened: TableFolder) -> Rows | None:
    """The rows of all tables; None where only totals are kept."""
    if ROWS not in opened.tables:
        return None
    table = opened.tables[ROWS]
    return Rows(np.array(table.array()), np.array(table.meta["first_row"], np.int64))


def name_of(place: Class) -> str:
    return f"{place[0]:02d}-{place[1]:02d}"


def class_named(name: str) -> Class:
    mover, other = name.split("-")
    return int(mover), int(other)


def sparse(counts: np.ndarray) -> dict[str, int]:
    return {str(code): int(count) for code, count in enumerate(counts) if count}


def dense(counts: Mapping[str, int]) -> np.ndarray:
    dense = np.zeros(256, np.int64)
    for code, count in counts.items():
        dense[int(code)] = count
    return dense
