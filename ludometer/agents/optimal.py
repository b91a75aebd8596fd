"""The perfect player: every move straight from an exact solution, with blunders on request.

`optimal` chooses uniformly among the moves that keep the value, `optimal:steps` among those that win fastest or lose slowest, and
`optimal:blunder=0.05` plays a uniformly random legal move with that probability (which may happen to be a good one).  `optimal:trap` looks
for the move that keeps the value and after which a fallible opponent errs most.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Option, digest
from ludometer.core.errors import SpecError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.optimal_kernels import CompiledOptimal
    from ludometer.agents.trap_kernels import CompiledTrapper
    from ludometer.core.position import Position
    from ludometer.solvers.solution import Solution

_Choice = tuple[int, float | None, dict[str, Any]]  # a move, its value in points, and a report

VICTIM = 64  # iterations
TRAP_REPLIES = 4  # of the yardstick, searched after each move
MOST_ENTRIES = 2**28  # of the tables of a tile game that compiled games read into memory


class OptimalKind(AgentKind):
    """Plays games that are solved, or can be solved at once."""

    def refuses(self, game: Game) -> str | None:
        reason = super().refuses(game)
        if reason is None and not game.kind.solvable(game.parameters):
            return "it is too large to be solved"
        return reason

    def digest(self, option: Option, path: str, game: Game) -> str:
        """A digest of this game's tables; the folder may have those of other games."""
        from ludometer.solvers.solvable import folder_for

        folder = folder_for(game, Path(path).expanduser())
        return digest(folder) if folder.is_dir() else "none"  # solved on the spot


AGENT = OptimalKind(
    name="optimal",
    title="perfect play from a solved table",
    home="ludometer.agents.optimal:OptimalAgent",
    options=(
        Option("steps", False, "win as fast as possible, lose as slowly as possible"),
        Option("blunder", 0.0, "probability of a uniformly random move", least=0.0, most=1.0, outside=True),
        Option("trap", False, "keep the value by the move after which the yardstick uct errs most"),
        Option("victim", VICTIM, "iterations of the yardstick that traps are set for", least=1, most=10**6, outside=1000),
        Option("tables", "", "folder with solved tables; default: the user's", file=True),
    ),
)


class OptimalAgent(Agent):
    """Looks up every move in a solution, which for a small game is made on the spot."""

    def __init__(
        self,
        game: Game,
        spec: str,
        steps: bool = False,
        blunder: float = 0.0,
        trap: bool = False,
        victim: int = VICTIM,
        tables: str = "",
        solution: Solution | None = None,
    ) -> None:
        super().__init__(game, spec)
        if trap and (steps or blunder):
            raise SpecError(f"agent {spec}: trap chooses among all moves that keep the value; leave out {'steps' if steps else 'blunder'}")
        if victim != VICTIM and not trap:
            raise SpecError(f"agent {spec}: victim says whom traps are set for; add trap, or leave it out")
        self.trap = trap
        self.victim = victim
        self.steps = steps
        self.blunder = blunder
        if solution is None:
            from ludometer.solvers import solution_for

            solution = solution_for(game, tables or None, need_distances=steps)
        self.solution = solution
        self._lookup = lookup_of(solution)
        if trap and self._lookup is None:
            raise SpecError(
                f"agent {spec}: traps need the values of all positions in memory, and those of {game.spec} are searched or too large"
            )

    def compiled_player(self, stop: Stop | None = None) -> CompiledOptimal | CompiledTrapper | None:
        """A compiled player; None if values are found by search, or the tables are too large to be read into memory."""
        return self._trapper(stop) if self.trap else self._table_player()

    def _table_player(self) -> CompiledOptimal | None:
        from ludometer.agents.optimal_kernels import CompiledOptimal

        if self._lookup is None:
            return None
        return CompiledOptimal(self._lookup, int(self.steps), self.blunder, np.empty((self.game.move_bound, 2), np.int64))

    def _trapper(self, stop: Stop | None = None) -> CompiledTrapper:
        from ludometer.agents.trap_kernels import CompiledTrapper
        from ludometer.agents.uct import UctAgent

        victim = UctAgent(self.game, f"uct:{self.victim}", self.victim).new_compiled(stop)
        widest = self.game.move_bound
        numbers = np.empty((2, widest), np.int64)
        return CompiledTrapper(self._lookup, victim, TRAP_REPLIES, numbers[0], numbers[1], np.empty(widest, np.int32))

    def _set_trap(self, position: Position, key: np.uint64) -> tuple[int, float | None, dict[str, Any]]:
        """(move, points, report)."""
        from ludometer.core.compiling.compiled_player import FOR_EVER, ask

        trapper = self._trapper()
        move = int(ask(self.game.rules, trapper, position.state, FOR_EVER, np.uint64(key), np.empty(self.game.move_bound, np.int32)))
        place = position.legal.index(move)
        worth = int(trapper.worth[place])
        kept = int((trapper.worth[: len(position.legal)] == worth).sum())
        known = {"margin": worth} if self.game.kind.scored else {"distance": None}
        return move, _points(worth), {"blunder": False, **known, "choices": kept, "errors": int(trapper.errors[place])}

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        """A random move among the best ones; raises OutsideTable if the solution has no answer."""
        since = time.perf_counter()
        if position.game != self.game:
            raise SpecError(f"{self.spec} was made for {self.game.spec} and is asked about {position.game.spec}")
        if self.trap:
            move, points, report = self._set_trap(position, key)
            return Decision(move, points, {**report, "seconds": time.perf_counter() - since})
        player = self._table_player()
        found = None if player is None else self._choose_compiled(player, position, key)
        move, points, report = found or self._choose_by_probe(position, key, stop)
        return Decision(move, points, {**report, "seconds": time.perf_counter() - since})

    def _choose_compiled(
        self, player: CompiledOptimal, position: Position, key: np.uint64
    ) -> tuple[int, float | None, dict[str, Any]] | None:
        """(move, points, report); None if the table lacks a position."""
        from ludometer.agents.optimal_kernels import NOT_KNOWN, choose_and_value

        buffer = np.empty(self.game.move_bound, np.int32)
        chosen, value = choose_and_value(self.game.rules, player, position.state, np.uint64(key), buffer)
        move, choices, is_blunder = chosen
        is_known, worth, distance = value
        if is_blunder:
            return int(move), None, {"blunder": True}
        if move < 0 or not is_known:
            return None
        distance = None if distance == NOT_KNOWN else int(distance)
        return int(move), _points(worth), self._report(int(worth), distance, int(choices))

    def _choose_by_probe(self, position: Position, key: np.uint64, stop: Stop | None) -> _Choice:
        """(move, points, report) from the solution."""
        chance, pick = (int(key) >> 32) / 2**32, int(key) & 0xFFFFFFFF
        if chance < self.blunder:
            return position.legal[pick * len(position.legal) >> 32], None, {"blunder": True}
        probe = self.solution.probe(position, stop)
        moves = probe.best if self.steps else probe.keeping
        worth = probe.value.margin if probe.value.margin is not None else probe.value.outcome
        return moves[pick * len(moves) >> 32], _points(worth), self._report(worth, probe.value.distance, len(moves))

    def _report(self, worth: int, distance: int | None, choices: int) -> dict[str, Any]:
        known = {"margin": worth} if self.game.kind.scored else {"distance": distance}
        return {"blunder": False, **known, "choices": choices}


def _points(worth: int) -> float:
    """The points of a value: 1 for a win, ½ for a draw."""
    return 0.5 + 0.5 * ((worth > 0) - (worth < 0))


_lookups: WeakKeyDictionary[Solution, Any] = WeakKeyDictionary()  # shared by all agents with one solution


def lookup_of(solution: Solution) -> Any:
    """The tables of a solution for compiled code, with all checksums verified; None if it has none or they are too large."""
    if solution not in _lookups:
        _lookups[solution] = _new_lookup(solution)
    return _lookups[solution]


def _new_lookup(solution: Solution) -> Any:
    from ludometer.agents import optimal_kernels as kernels
    from ludometer.solvers.acyclic.solution import PositionTable
    from ludometer.solvers.files.table_files import TableFile
    from ludometer.solvers.retrograde.solution import ArrayEntries, RetrogradeSolution
    from ludometer.solvers.tiles.solution import TileSolution
    from ludometer.solvers.tiles.whole_tables import WholeTables

    if isinstance(solution, PositionTable):
        tables, scored = solution.tables(), int(solution.game.kind.scored)
        if solution.is_dense:
            return kernels.DenseLookup(tables["values"], scored)
        return kernels.ListedLookup(tables["keys"], tables["values"], int(solution.reduced), scored)
    if isinstance(solution, RetrogradeSolution):
        entries = solution.found
        if not isinstance(entries, ArrayEntries):
            return None
        exact = int(solution.has_distances)
        return kernels.KeyLookup(solution.key_layout, solution.symmetries, entries.keys, entries.values, exact)
    if not isinstance(solution, TileSolution) or solution.rows is None or solution.entries > MOST_ENTRIES:
        return None
    whole = WholeTables(solution, Stop())
    most = max(max(place) for place in solution.tables) + 1
    first = np.full((most, most), -1, np.int64)
    parts, length = [], 0
    for place, table in solution.tables.items():
        array = table.array() if isinstance(table, TableFile) else whole.get(place)
        first[place] = length
        parts.append(array.reshape(-1))
        length += array.size
    return kernels.TileLookup(solution.rows, np.concatenate(parts), first, int(not solution.has_distances))
