"""Exact values by search, for positions of games whose whole table would not fit into memory.

    proof = prove(game("dots:4x4").start())        # Proof(value=Value(outcome=0, margin=0), …)
    ProvenSolution(game("mnk:5,5,4"))              # a Solution that searches whenever it is asked

The search asks "is it worth at least b?" again and again until the value is squeezed in (MTD(f): Plaat and others, 1996).  It
knows no distances.  Equal questions to a new `prove` cost equal numbers of nodes.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np

from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.progress import OnProgress
from ludometer.core.protocol import proving
from ludometer.core.stopping import Stop
from ludometer.solvers.acyclic.search_kernels import BUCKET, ENTRIES, KEY, LOOKED_UP_AT_ONCE, NODES, STOP, TOO_DEEP, Run, search
from ludometer.solvers.background import run_watched
from ludometer.solvers.solution import OutsideTable, Value

MEMORY_MB = 1024
LONGEST_GAME = 1000  # moves in a row that a search follows

_SPARE_MOVES = 2  # a search may have a few moves more than the rules, each of which stands for several
_WIDEST = 32000  # no margin is larger
_CACHE_LINE = 64


class OutOfBudget(LudometerError):
    """A search that was to take longer than allowed."""


@dataclass(frozen=True)
class Proof:
    """What a search found out."""

    position: Position
    value: Value  # for the player to move
    best: tuple[int, ...]  # all moves that keep the value, ascending; empty unless asked for
    nodes: int
    table_entries: int
    seconds: float


def prove(
    position: Position,
    progress: OnProgress | None = None,
    memory_mb: int = MEMORY_MB,
    seconds: float | None = None,
    best: bool = False,
    stop: Stop | None = None,
) -> Proof:
    """The exact value of a position and, if `best`, all moves that keep it.

    `progress(nodes, 0, text)` is called now and then.  Raises OutOfBudget after `seconds`, and Stopped.
    """
    return Prover(position.game, memory_mb).prove(position, progress, seconds, best, stop)


@kernel
def _key_lengths(rules, state):
    """(words of a packed state, how many of them are in use or 0 for all, words of a deep key in use)."""
    return len(proving.pack(rules, state)), np.int64(proving.packed_words(rules)), np.int64(proving.deep_words(rules))


@kernel
def _search_tables(rules):
    return proving.search_tables(rules)


def _new_table(words: int, used: int) -> np.ndarray:
    """A table for keys of `used` words (0: none) that takes at most `words` words and begins at a cache line."""
    if not used:
        return np.zeros(0, np.uint64)
    bucket = BUCKET * (used + 1)
    size = bucket << (words // bucket).bit_length() - 1
    wide = np.zeros(size + _CACHE_LINE // 8 - 1, np.uint64)
    begin = -wide.ctypes.data % _CACHE_LINE // 8
    return wide[begin : begin + size]


class Prover:
    """A search with its table, which makes later questions about the same game cheaper."""

    def __init__(self, game: Game, memory_mb: int = MEMORY_MB) -> None:
        if game.kind.simultaneous or game.kind.ply_limit is not None:
            raise LudometerError(f"{game.spec} is not a game in turns without repetition; this search cannot prove values of it")
        if memory_mb < 1:
            raise LudometerError(f"the memory for a search is at least 1 MB, not {memory_mb}")
        self.game = game
        words, used, deep_used = (int(number) for number in _key_lengths(game.rules, game.start().state))
        self._used = used or words
        words_free = (memory_mb << 20) // 8
        deep = _new_table(words_free // 2, deep_used)
        table = _new_table(words_free // 2 if deep_used else words_free, self._used)
        self._control = np.zeros(4, np.int64)
        self._guard = threading.Lock()  # one search at a time: keys and bounds are written one after the other
        self._most = _WIDEST if game.kind.scored else WIN
        buffers = np.empty((LONGEST_GAME, game.move_bound + _SPARE_MOVES), np.int32)
        tables = _search_tables(game.rules)
        ahead = np.empty((LOOKED_UP_AT_ONCE, KEY + self._used), np.uint64)
        self._run = Run(-self._most, self._most, self._used, tables, table, deep, buffers, ahead, self._control)

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self._control[NODES])

    @property
    def entries(self) -> int:
        """Entries of the table in use."""
        return int(self._control[ENTRIES])

    def prove(
        self,
        position: Position,
        progress: OnProgress | None = None,
        seconds: float | None = None,
        best: bool = False,
        stop: Stop | None = None,
    ) -> Proof:
        """See the function `prove`; the nodes are those of this call.  Another thread's question waits for this one."""
        if position.game != self.game:
            raise OutsideTable(f"this is a search of {self.game.spec}, not of {position.game.spec}")
        began = time.perf_counter()
        with self._guard:
            nodes = self.nodes
            budget = _Budget(seconds, progress, stop)
            gain = self._gain(position, budget)
            moves = tuple(move for move in position.legal if self._keeps(position, move, gain, budget)) if best else ()
            nodes = self.nodes - nodes
        value = _value_of(position, gain)
        return Proof(position, value, moves, nodes, self.entries, time.perf_counter() - began)

    def _gain(self, position: Position, budget: _Budget) -> int:
        """What the player to move still gains: the value less the margin so far."""
        if position.is_over:
            return 0
        low, high, guess = -self._most, self._most, 0
        while low < high:
            bound = max(guess, low + 1)
            guess = self._search(position, bound, budget)
            if guess >= bound:
                low = guess
            else:
                high = guess
        return low

    def _keeps(self, position: Position, move: int, gain: int, budget: _Budget) -> bool:
        """Whether the player to move still gains as much with this move; one question is enough."""
        after = position.play(move)
        same = after.player == position.player
        margin = position.margin + gain  # at the end
        wanted = (margin if same else -margin) - after.margin
        if after.is_over:
            return wanted == 0
        if same:
            return self._search(after, wanted, budget) >= wanted
        return self._search(after, wanted + 1, budget) <= wanted

    def _search(self, position: Position, bound: int, budget: _Budget) -> int:
        """A number ≥ bound that the gain is at least, or one < bound that it is at most."""
        control = self._control
        control[STOP] = 0
        found = run_watched(
            lambda: search(self.game.rules, position.state, bound, 0, self._run),
            control,
            STOP,
            budget.left(),
            lambda: budget.report(self.nodes, bound),
            budget.stop,
        )
        if control[STOP] == TOO_DEEP:
            raise LudometerError(f"{self.game.spec} goes on for more than {LONGEST_GAME} moves; this search cannot prove values of it")
        if control[STOP]:
            raise OutOfBudget(
                f"{self.game.spec}: no proof within {budget.seconds:g} s ({self.nodes:,} positions looked at); "
                "allow more time or ask later in the game"
            )
        return int(found)


class _Budget:
    """The time a proof may take, and whom to tell how far it is."""

    def __init__(self, seconds: float | None, progress: OnProgress | None, stop: Stop | None) -> None:
        self.seconds = seconds
        self.stop = stop
        self._end = None if seconds is None else time.monotonic() + seconds
        self._progress = progress

    def left(self) -> float | None:
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def report(self, nodes: int, bound: int) -> None:
        if self._progress is not None:
            self._progress(nodes, 0, f"is it {bound:+d} or more?")


def _value_of(position: Position, gain: int) -> Value:
    total = position.margin + gain
    outcome = WIN if total > 0 else LOSS if total < 0 else DRAW
    if position.game.kind.scored:
        return Value(outcome, margin=total)
    return Value(outcome, distance=0 if position.is_over and outcome != DRAW else None)
