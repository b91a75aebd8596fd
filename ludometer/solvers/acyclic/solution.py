"""The solution of a game without repetition: a table of all positions, or a search that proves values when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.progress import OnProgress
from ludometer.core.states import States
from ludometer.core.stopping import Stop
from ludometer.solvers.acyclic.many_kernels import look_up_numbered_states, look_up_states
from ludometer.solvers.acyclic.naming import Naming
from ludometer.solvers.acyclic.search import MEMORY_MB, Proof, Prover
from ludometer.solvers.acyclic.table_kernels import count_dense, look_up, look_up_dense
from ludometer.solvers.files.table_files import TableError
from ludometer.solvers.solution import VALUE_NAMES, OutsideTable, Probe, Solution, Value, Values, probe_of

LAYOUT = "positions 1"
PROVEN_LAYOUT = "proven start 1"
NOT_PROVEN = -(1 << 15)
LARGEST_DENSE_VALUE = 127

# The values of the start's moves are proven too, unless the start was costly or they cost many times what it did.
_COSTLY_NODES = 100_000_000
_MORE_NODES = 8
_FREE_NODES = 20_000_000

_LISTED = {"keys": np.uint64, "values": np.int16, "moves": np.int16, "counts": np.int16}
_DENSE = {"values": np.int8}
_FIRST_ROWS = 64  # moves made that a count of numbered states begins with


class PositionTable(Solution):
    """The values of all positions, in arrays.

    Two kinds of tables:

    - listed: the positions that can be reached from the start, one for each orbit of symmetries, in the order of their packed words
          keys (positions × words, uint64), values (int16), moves (int16, made before), counts (int16, positions it stands for)
    - dense: games that number their states (`core.protocol.numbering`); every state counts, reachable or not
          values (entries, int8)

    `table_kernels` says what the values mean.
    """

    layout = LAYOUT

    def __init__(self, game: Game, tables: Mapping[str, np.ndarray]) -> None:
        """`tables`: arrays in memory or mapped from files; raises TableError if their names, types or shapes are wrong."""
        self.game = game
        self.stated: dict[str, Any] | None = None  # what the folder's manifest says: states, win, loss, draw, start
        self._tables = dict(tables)
        self._naming = Naming(game)
        self._counted: np.ndarray | None = None
        layout = {name: np.dtype(kind) for name, kind in (_DENSE if self.is_dense else _LISTED).items()}
        if {name: array.dtype for name, array in tables.items()} != layout:
            raise TableError(f"a table of {game.spec} has the arrays {', '.join(layout)}, not {', '.join(tables) or 'none'}")
        shapes = {name: array.shape for name, array in tables.items()}
        entries = self._naming.dense if self.is_dense else len(tables["keys"])
        expected = {name: (entries, self._naming.used) if name == "keys" else (entries,) for name in layout}
        if shapes != expected:
            raise TableError(f"the arrays of a table of {game.spec} have the shapes {expected}, not {shapes}")

    @property
    def keep(self) -> str:
        return "values" if self.game.kind.scored else "distances"

    @property
    def entries(self) -> int:
        return len(self._tables["values"])

    @property
    def is_dense(self) -> bool:
        """Whether the table has an entry for every state of the game, by its number."""
        return self._naming.dense > 0

    @property
    def reduced(self) -> bool:
        """Whether one entry stands for all images of a position."""
        return self._naming.reduced

    def tables(self) -> dict[str, np.ndarray]:
        """The arrays by name (see above)."""
        return dict(self._tables)

    def value(self, position: Position, stop: Stop | None = None) -> Value:
        return self._look_up(position, False)[0][1]

    def probe(self, position: Position, stop: Stop | None = None) -> Probe:
        """Value and all moves, found with one call of compiled code; raises OutsideTable."""
        (player, value), *after = self._look_up(position, True)
        seen = [(one if whose == player else one.for_other_player()).before_a_move() for whose, one in after]
        return probe_of(value, list(zip(position.legal, seen)), position)

    def _values_of(self, states: States) -> Values:
        found = self._look_up_many(states)
        stored, margins = found[:, 1], found[:, 3]
        if self.game.kind.scored:
            total = margins + stored
            return Values(np.sign(total).astype(np.int8), np.full(len(total), -1, np.int32), total)
        return Values(np.sign(stored).astype(np.int8), (np.abs(stored) - 1).astype(np.int32), None)

    def stored_values(self, states: States) -> npt.NDArray[np.int64]:
        """What the table stores for each state, see `table_kernels`."""
        return self._look_up_many(states)[:, 1]

    def _look_up_many(self, states: States) -> npt.NDArray[np.int64]:
        """(entry, stored value, player to move, margin so far) of each state; raises OutsideTable for the first that has no entry."""
        found = np.empty((len(states), 4), np.int64)
        if self.is_dense:
            look_up_numbered_states(self.game.rules, states.rows, self._tables["values"], found)
        else:
            look_up_states(self.game.rules, states.rows, self.reduced, self._tables["keys"], self._tables["values"], found)
        outside = np.flatnonzero(found[:, 0] < 0)
        if outside.size:
            raise OutsideTable(f"{self.game.spec}: state {outside[0]} cannot be reached from the start, so it is not in the table")
        return found

    def _draw(self, number: int, by: str, seed: int) -> tuple[States, npt.NDArray[np.float64]]:
        from ludometer.solvers.acyclic.sampling import draw_positions

        return draw_positions(self, number, by, seed)

    def _look_up(self, position: Position, successors: bool) -> list[tuple[int, Value]]:
        """(player to move, value for him) of a position and, if asked for, of those after each legal move; raises OutsideTable."""
        if position.game != self.game:
            raise OutsideTable(f"this is a solution of {self.game.spec}, not of {position.game.spec}")
        bound = self.game.move_bound
        moves, found = np.empty(bound, np.int32), np.empty((bound + 1, 4), np.int64)
        rules, state, values = self.game.rules, position.state, self._tables["values"]
        if self.is_dense:
            count = look_up_dense(rules, state, successors, values, moves, found)
        else:
            count = look_up(rules, state, successors, self.reduced, self._tables["keys"], values, moves, found)
        rows = found[: int(count) + 1].tolist()
        if any(entry < 0 for entry, *_ in rows):
            raise OutsideTable(f"{self.game.spec}: the position {position} cannot be reached from the start, so it is not in the table")
        return [(player, self._value_of(stored, margin)) for _, stored, player, margin in rows]

    def _value_of(self, stored: int, margin: int) -> Value:
        if self.game.kind.scored:
            total = margin + stored
            return Value(WIN if total > 0 else LOSS if total < 0 else DRAW, margin=total)
        return Value(WIN, stored - 1) if stored > 0 else Value(LOSS, -stored - 1) if stored < 0 else Value(DRAW)

    # ---- counting ----

    @property
    def _least(self) -> int:
        """The value that the first column of `_counts` counts."""
        return -LARGEST_DENSE_VALUE if self.is_dense else int(self._tables["values"].min())

    @property
    def _counts(self) -> np.ndarray:
        """Positions by moves made and by value − the least value; counted when first asked for."""
        if self._counted is None:
            self._counted = self._count_numbered() if self.is_dense else self._count_listed()
        return self._counted

    def _count_numbered(self) -> np.ndarray:
        values, rows = self._tables["values"], _FIRST_ROWS
        while True:
            counts = np.zeros((rows, 2 * LARGEST_DENSE_VALUE + 1), np.int64)
            needed = int(count_dense(self.game.rules, values, self._least, counts))
            if needed <= rows:
                return counts
            rows = needed

    def _count_listed(self) -> np.ndarray:
        values, moves = self._tables["values"].astype(np.int64), self._tables["moves"].astype(np.int64)
        counts = np.zeros((int(moves.max()) + 1, int(values.max()) - self._least + 1), np.int64)
        np.add.at(counts, (moves, values - self._least), self._tables["counts"].astype(np.int64))
        return counts

    def _totals(self, by_value: np.ndarray) -> dict[str, int]:
        sign = np.sign(np.arange(self._least, self._least + by_value.size))
        return {name: int(by_value[sign == outcome].sum()) for outcome, name in VALUE_NAMES.items()}

    def counts_by_moves(self) -> list[dict[str, int]]:
        """{moves, win, loss, draw} for every number of moves made; `win` counts positions won for the player to move.

        With points, a position is won when more points are to be gained from it than lost, whatever the score so far.
        """
        return [{"moves": moves, **self._totals(row)} for moves, row in enumerate(self._counts) if row.any()]

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

    def summary(self) -> dict[str, Any]:
        """As the `solve` command says it.  With points, the histogram counts positions by what is to be gained from them."""
        total = self._counts.sum(axis=0)
        start = self.value(self._naming.start)
        by_value = {place + self._least: int(count) for place, count in enumerate(total) if count}
        histogram: dict[str, dict[int, int]] = {"win": {}, "loss": {}}
        if self.game.kind.scored:
            histogram["margin"] = by_value
            start_found: dict[str, Any] = {"margin": start.margin}
        else:
            histogram["win"] = {value - 1: count for value, count in by_value.items() if value > 0}
            histogram["loss"] = {-value - 1: count for value, count in sorted(by_value.items(), reverse=True) if value < 0}
            start_found = {"value": VALUE_NAMES[start.outcome], "distance": start.distance}
        which = "every state there can be" if self.is_dense else "all positions that can be reached from the start"
        return {
            "game": self.game.spec,
            "states": int(total.sum()),
            **self._totals(total),
            "start": start_found,
            "histogram": histogram,
            "seconds": self.seconds,
            "device": self.device,
            "method": f"table of {which}",
        }


class ProvenSolution(Solution):
    """Values proven by search when they are asked for; those of the start and its moves may be known from before."""

    layout = PROVEN_LAYOUT
    keep = "values"  # search knows no distances

    def __init__(
        self,
        game: Game,
        start: int | None = None,
        moves: np.ndarray | None = None,
        *,
        memory_mb: int = MEMORY_MB,
        seconds_allowed: float | None = None,
        progress: OnProgress | None = None,
    ) -> None:
        """`start` and `moves` as they are kept (see `acyclic.store`).  `seconds_allowed` limits each question."""
        self.game = game
        self.seconds_allowed = seconds_allowed
        self._prover = Prover(game, memory_mb)
        self._progress = progress
        self._known: dict[Position, Value] = {}
        self._start: Proof | None = None  # if it was proven here
        begin = game.start()
        self.start_value = start
        self.move_values = np.full(len(begin.legal), NOT_PROVEN, np.int16) if moves is None else moves
        if start is not None:
            self._known[begin] = _value(game, start)
        for move, value in zip(begin.legal, self.move_values.tolist()):
            if value != NOT_PROVEN:
                after = begin.play(move)
                seen = _value(game, value)
                self._known[after] = seen if after.player == begin.player else seen.for_other_player()

    @property
    def entries(self) -> int:
        return int(self.start_value is not None) + int(np.sum(self.move_values != NOT_PROVEN))

    def value(self, position: Position, stop: Stop | None = None) -> Value:
        """The value, looked up or searched; raises Stopped, and OutOfBudget if `seconds_allowed` is exceeded."""
        if position not in self._known:
            self._known[position] = self._prover.prove(position, self._progress, self.seconds_allowed, stop=stop).value
        return self._known[position]

    def prove_start(self, moves_too: bool, stop: Stop | None = None) -> None:
        """Prove the value of the start and, with `moves_too`, of its moves until that costs too many nodes."""
        since = time.perf_counter()
        begin = self.game.start()
        proof = self.start_proof(stop)
        self.start_value = _number(proof.value)
        for place, move in enumerate(begin.legal if moves_too else ()):
            if proof.nodes > _COSTLY_NODES or self._prover.nodes > _MORE_NODES * proof.nodes + _FREE_NODES:
                break
            after = begin.play(move)
            seen = self.value(after, stop)
            self.move_values[place] = _number(seen if after.player == begin.player else seen.for_other_player())
        self.seconds = time.perf_counter() - since

    def start_proof(self, stop: Stop | None = None) -> Proof:
        """The proof of the value of the start; what is known from before costs no nodes."""
        begin = self.game.start()
        if self._start is not None:
            return self._start
        if begin in self._known:
            return Proof(begin, self._known[begin], (), 0, 0, 0.0)
        self._start = self._prover.prove(begin, self._progress, self.seconds_allowed, stop=stop)
        self._known[begin] = self._start.value
        return self._start

    def summary(self) -> dict[str, Any]:
        """The start's value; there are no totals, because the search leaves out most positions (states and counts are None)."""
        proof = self.start_proof()
        start = {"margin": proof.value.margin} if self.game.kind.scored else {"value": VALUE_NAMES[proof.value.outcome], "distance": None}
        found = "proven before" if proof.nodes == 0 else f"proven by search, {proof.nodes:,} positions looked at"
        return {
            "game": self.game.spec,
            "states": None,
            "win": None,
            "loss": None,
            "draw": None,
            "start": start,
            "histogram": {"win": {}, "loss": {}},
            "seconds": self.seconds or proof.seconds,
            "device": self.device,
            "nodes": proof.nodes,
            "table_entries": proof.table_entries,
            "method": f"{found}; other positions are not counted",
        }


def _value(game: Game, number: int) -> Value:
    outcome = WIN if number > 0 else LOSS if number < 0 else DRAW
    return Value(outcome, margin=number) if game.kind.scored else Value(outcome)


def _number(value: Value) -> int:
    return value.outcome if value.margin is None else value.margin
