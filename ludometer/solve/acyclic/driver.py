"""Games that never come back to a position: a table of all positions where it fits into memory, else a search that proves values.

What is kept in a folder (`solve.table_files` writes it):

- "positions 1": the arrays of `solve.strong`; the manifest has the totals and the value of the start.
- "proven start 1": `start` (1, int16) and `moves` (one for each legal move of the start, int16): final margins, or 1, 0, −1 for win, draw,
  loss, for the player who begins.  A move that was not proven has NOT_PROVEN.  All other positions are searched when asked about.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.solve.acyclic.search import Proof, ProofSolution
from ludometer.solve.acyclic.table import MEMORY_MB, StrongSolution, TableTooLarge, estimate, solve_strong
from ludometer.solve.solution import Value
from ludometer.solve.table_files import (
    DamagedTable,
    ForeignTable,
    MissingTable,
    ProgressCallback,
    open_folder,
    store_arrays,
)

if TYPE_CHECKING:
    from ludometer.solve import Forecast

LAYOUT = "positions 1"
PROVEN_LAYOUT = "proven start 1"
NOT_PROVEN = -(1 << 15)

# The values of the start's moves are proven too, unless the start was costly or they cost many times what it did.
_COSTLY_NODES = 100_000_000
_MORE_NODES = 8
_FREE_NODES = 20_000_000

_ENTRIES_PER_SECOND = {True: 4e7, False: 5e5}  # dense tables, and positions found by playing; on one core of an AMD EPYC
_ARRAYS = 4096  # bytes of a table file beside its data


class PositionTable(StrongSolution):
    """A table of all positions."""

    layout = LAYOUT
    keep = "distances"
    stated: dict[str, Any] | None = None  # what the folder's manifest says: states, win, loss, draw, start

    @property
    def reduced(self) -> bool:
        """Whether one entry stands for all images of a position."""
        return self._plan.reduced

    def summary(self) -> dict[str, Any]:
        which = "every state there can be" if self.is_dense else "all positions that can be reached from the start"
        answer = super().summary()
        return {**answer, "histogram": {"win": {}, "loss": {}, **answer["histogram"]}, "method": f"table of {which}"}

    def classes(self) -> list[dict[str, Any]]:
        """{moves, mover, other, win, loss, draw} by number of moves played.

        `mover` and `other` are the moves made by the player to move and by the other; None in games with points, where a player
        may move several times in a row.
        """
        rows: list[dict[str, Any]] = []
        for row in self.counts_by_moves():
            moves = row["moves"]
            mover, other = (None, None) if self.game.kind.scored else (moves // 2, moves - moves // 2)
            rows.append({"moves": moves, "mover": mover, "other": other, **{key: row[key] for key in ("win", "loss", "draw")}})
        return rows


class ProvenSolution(ProofSolution):
    """Values found by search when they are asked for; those of the start and its moves are known from before."""

    layout = PROVEN_LAYOUT
    keep = "distances"  # search knows none, and nothing kept could tell more

    def __init__(
        self, game: Game, start: int | None = None, moves: np.ndarray | None = None, progress: ProgressCallback | None = None
    ) -> None:
        super().__init__(game, progress=progress)
        self._seconds: float | None = None
        self._proven: dict[Position, Value] = {}
        begin = game.start()
        self.start_value = start
        self.move_values = np.full(len(begin.legal), NOT_PROVEN, np.int16) if moves is None else moves
        if start is not None:
            self._proven[begin] = _value(game, start)
        for move, value in zip(begin.legal, self.move_values.tolist()):
            if value != NOT_PROVEN:
                after = begin.play(move)
                seen = _value(game, value)
                self._proven[after] = seen if after.player == begin.player else seen.for_other_player()

    def value(self, position: Position) -> Value:
        found = self._proven.get(position)
        return super().value(position) if found is None else found

    def prove_start(self) -> None:
        """Prove the value of the start and then, as far as the work allows, of each of its moves."""
        since = time.perf_counter()
        begin = self.game.start()
        proof = self.start_proof()
        self.start_value = _number(proof.value)
        self._proven[begin] = proof.value
        for place, move in enumerate(begin.legal):
            if proof.nodes > _COSTLY_NODES or self._prover.nodes > _MORE_NODES * proof.nodes + _FREE_NODES:
                break
            after = begin.play(move)
            seen = self.value(after)
            self._proven[after] = seen
            self.move_values[place] = _number(seen if after.player == begin.player else seen.for_other_player())
        self._seconds = time.perf_counter() - since

    def start_proof(self) -> Proof:
        """The proof of the value of the start; what is known from before costs no nodes."""
        begin = self.game.start()
        if self._start is None and begin in self._proven:
            return Proof(begin, self._proven[begin], (), 0, 0, 0.0)
        return super().start_proof()

    def summary(self) -> dict[str, Any]:
        answer = super().summary()
        found = "proven before" if answer["nodes"] == 0 else f"proven by search, {answer['nodes']:,} positions looked at"
        seconds = answer["seconds"] if self._seconds is None else self._seconds
        return {**answer, "histogram": {"win": {}, "loss": {}}, "seconds": seconds, "method": f"{found}; other positions are not counted"}


def _value(game: Game, number: int) -> Value:
    outcome = WIN if number > 0 else LOSS if number < 0 else DRAW
    return Value(outcome, margin=number) if game.kind.scored else Value(outcome)


def _number(value: Value) -> int:
    return value.outcome if value.margin is None else value.margin


def forecast_acyclic(game: Game, stored: bool) -> Forecast:
    """What solving such a game will take."""
    from ludometer.solve import Forecast

    expected = estimate(game)
    fits = 0 < expected.memory <= MEMORY_MB << 20
    if fits:
        dense = expected.memory == expected.stored
        return Forecast(
            states=expected.entries if dense else None,
            entries=expected.entries,
            memory=expected.memory + expected.stored,
            disk=4 * _ARRAYS + expected.stored if stored else 0,
            seconds=expected.entries / _ENTRIES_PER_SECOND[dense],
            where="1 core",
            workers=None,
        )
    known = expected.entries > 0
    return Forecast(
        states=None,
        entries=expected.entries,
        memory=MEMORY_MB << 20,
        disk=2 * _ARRAYS if stored else 0,
        seconds=None,
        where="1 core",
        workers=None,
        time_text="too many for a table: the start is proven by search" if known else "a table if it fits, else a search",
    )


def solve_acyclic(
    game: Game, folder: Path | None = None, keep: str = "distances", progress: ProgressCallback | None = None
) -> PositionTable | ProvenSolution:
    """Solve a game without repetition: a PositionTable where that fits into memory, else a ProvenSolution.

    `folder`: keep it there, or take it from there if it is whole.  `keep="none"` writes nothing; "values" and "distances" are the same
    here, because the tables are small and hold both.
    """
    if keep not in ("none", "values", "distances"):
        raise LudometerError(f"keep={keep!r} should be one of none, values, distances")
    found = None if folder is None else _found(game, folder)
    if found is not None:
        return found
    try:
        solved = solve_strong(game, progress)
    except TableTooLarge:
        return _prove(game, folder, keep, progress)
    solution = _table(game, solved.tables())
    solution.seconds = solved.seconds
    if folder is not None and keep != "none":
        summary = solution.summary()
        meta = {key: summary[key] for key in ("states", "win", "loss", "draw", "start")}
        store_arrays(folder, game, LAYOUT, solution.tables(), meta)
    return solution


def _found(game: Game, folder: Path) -> PositionTable | ProvenSolution | None:
    """What a folder has; None if solving again is to fill or repair it."""
    try:
        return open_acyclic(game, folder)
    except (MissingTable, DamagedTable):
        return None


def _prove(game: Game, folder: Path | None, keep: str, progress: ProgressCallback | None) -> ProvenSolution:
    solution = ProvenSolution(game, progress=progress)
    if folder is None or keep == "none":
        solution.start_proof()
        return solution
    solution.prove_start()
    arrays = {"start": np.array([solution.start_value], np.int16), "moves": solution.move_values}
    store_arrays(folder, game, PROVEN_LAYOUT, arrays, {"nodes": solution.start_proof().nodes})
    return solution


def open_acyclic(game: Game, folder: Path) -> PositionTable | ProvenSolution:
    """The solution kept in a folder; raises MissingTable, DamagedTable or ForeignTable."""
    opened = open_folder(folder, game)
    if opened.origin.layout == LAYOUT:
        table = _table(game, {name: file.array() for name, file in opened.tables.items()})
        table.stated = opened.meta
        return table
    if opened.origin.layout == PROVEN_LAYOUT:
        arrays = {name: table.array() for name, table in opened.tables.items()}
        return ProvenSolution(game, int(arrays["start"][0]), np.array(arrays["moves"]))
    known = f"{LAYOUT!r} and {PROVEN_LAYOUT!r}"
    raise ForeignTable(f"the tables in {str(folder)!r} have layout {opened.origin.layout!r}; of {game.spec} this program reads {known}")


def _table(game: Game, arrays: Mapping[str, np.ndarray]) -> PositionTable:
    table = PositionTable.from_tables(game, arrays)
    assert isinstance(table, PositionTable)
    return table
