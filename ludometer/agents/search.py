"""Depth-first search: minimax, alpha-beta and expectimax, one search with options that go with each other freely.

    alphabeta:4                             four plies deep
    alphabeta:rounds=2,evaluation=heur1     two moves of each player, by another evaluation
    alphabeta:time=0.25,order=history       as deep as a quarter of a second allows, best moves of the last depth first
    minimax:depth=9,cache=exact,symmetry=canonical

docs/agents-search.md describes the options and how to add an evaluation.
"""

from __future__ import annotations

import threading
import time as clock
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Option
from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.core.game import Game

if TYPE_CHECKING:
    from ludometer.agents.searchtree import SearchTree
    from ludometer.core.position import Position

USUAL_DEPTH = 4  # plies, when neither depth nor time nor nodes are limited
_DEEPEST = 250
_SAFETY = 0.002  # seconds before the limit at which a search is told to stop

CACHES = ("none", "exact", "bounds")
REPLACEMENTS = ("keep", "fifo", "deep")
SYMMETRIES = ("none", "canonical", "all")
ORDERS = ("none", "heuristic", "reversed", "history")
SHUFFLES = ("no", "root", "yes")
GOALS = ("score", "win")


def _options(order: str, cache: str) -> tuple[Option, ...]:
    return (
        Option("depth", 0, f"plies to look ahead; 0: as time and nodes allow, else {USUAL_DEPTH}", least=0, most=_DEEPEST, outside=6),
        Option("rounds", 0, "moves of each player to look ahead: two plies each", least=0, most=_DEEPEST // 2, outside=3),
        Option("time", 0.0, "seconds for a move; deepens ply by ply until then", least=0, most=86_400, outside=10.0),
        Option("nodes", 0, "positions to look at for a move; deepens ply by ply until then", least=0, most=2**62, outside=10_000_000),
        Option("evaluation", "", "which of the game's evaluations", outside=True),
        Option("order", order, "which moves come first: as listed, by promise, against it, or by the last depth's values", ORDERS),
        Option("shuffle", "root", "moves of equal promise in random order: nowhere, at the root, everywhere", SHUFFLES),
        Option("cache", cache, "what is remembered of positions met: nothing, exact values, bounds too", CACHES),
        Option("memory", 1_000_000, "positions remembered at most", least=1, most=2**31 - 1, outside=4_000_000),
        Option("replace", "deep", "what a full memory does: keep the first, forget the oldest, forget the shallow", REPLACEMENTS),
        Option("symmetry", "none", "images of a position: not seen, one key for all, or stored under all keys", SYMMETRIES),
        Option("early", True, "prefer nearer wins and later losses"),
        Option("beam", 0, "look at the so many most promising moves only; 0: at all", least=0, most=2**31 - 1, outside=True),
        Option("variable", "no", "depth by one of the game's own rules, with its opening moves; yes: the first rule", outside=True),
        Option("goal", "score", "what an end is worth in games with scores: the score, or only win, draw and loss", GOALS),
    )


AGENTS = tuple(
    AgentKind(name=name, title=title, home=f"{__name__}:{home}", options=_options(order, cache), main="depth")
    for name, title, home, order, cache in (
        ("minimax", "looks at all moves to a certain depth", "MinimaxAgent", "none", "none"),
        ("alphabeta", "minimax that leaves out what cannot matter", "AlphaBetaAgent", "heuristic", "bounds"),
        ("expectimax", "minimax against an opponent who moves at random", "ExpectimaxAgent", "none", "none"),
    )
)


class SearchAgent(Agent):
    """A player who searches.  What it remembers lasts until the next game begins."""

    algorithm: ClassVar[int]

    def __init__(self, game: Game, spec: str, **options: Any) -> None:
        super().__init__(game, spec)
        from ludometer.agents import search_kernels as kernels
        from ludometer.agents.transposition_kernels import new_table

        self._kernels = kernels
        self._options = options
        self._check(options)
        limited = options["time"] > 0 or options["nodes"] > 0
        plies = options["depth"] or 2 * options["rounds"]
        self.depth = plies or (_DEEPEST if limited else USUAL_DEPTH)
        self._deepens = limited or options["order"] == "history"
        self._depth_rule = _number_of(game, "DEPTH_RULES", "depth rule", "" if options["variable"] == "yes" else options["variable"])
        self._settings = self._numbers(options)
        remembers = options["cache"] != "none" or options["order"] == "history"
        self._entries, self._heads = new_table(options["memory"] if remembers else 0)
        self._stored = 0
        levels = max(self.depth, kernels.RULE_DEPTH)
        self._moves = np.empty(levels * game.move_bound, np.int32)
        self._promises = np.empty(levels * game.move_bound, np.float64)
        self._warm()

    def _check(self, options: dict[str, Any]) -> None:
        if options["depth"] and options["rounds"]:
            raise SpecError(f"agent {self.spec}: depth and rounds say the same twice; give one of them")
        if options["symmetry"] != "none" and options["cache"] == "none":
            raise SpecError(f"agent {self.spec}: symmetry={options['symmetry']} needs a cache; add cache=exact or cache=bounds")
        if options["cache"] == "bounds" and self.algorithm != self._kernels.ALPHABETA:
            raise SpecError(f"agent {self.spec}: only alphabeta finds bounds; write cache=exact")
        if options["variable"] != "no" and (options["depth"] or options["rounds"]):
            raise SpecError(f"agent {self.spec}: variable={options['variable']} sets the depth; leave depth and rounds out")

    def _numbers(self, options: dict[str, Any]) -> np.ndarray:
        """The settings as compiled code reads them."""
        kernels = self._kernels
        numbers = np.zeros(kernels.LENGTH, np.int64)
        numbers[kernels.ALGORITHM] = self.algorithm
        numbers[kernels.CACHE] = CACHES.index(options["cache"])
        numbers[kernels.SYMMETRY] = SYMMETRIES.index(options["symmetry"])
        numbers[kernels.ORDER] = ORDERS.index(options["order"])
        numbers[kernels.SHUFFLE] = SHUFFLES.index(options["shuffle"])
        numbers[kernels.BEAM] = options["beam"]
        numbers[kernels.EVALUATION] = max(0, _number_of(self.game, "EVALUATIONS", "evaluation", options["evaluation"]))
        # An average of near and far wins is no longer the nearness of anything.
        numbers[kernels.EARLY] = options["early"] and self.algorithm != kernels.EXPECTIMAX
        numbers[kernels.BY_MARGIN] = self.game.kind.scored and options["goal"] == "score"
        numbers[kernels.REPLACEMENT] = REPLACEMENTS.index(options["replace"])
        numbers[kernels.MOST_NODES] = options["nodes"]
        numbers[kernels.MOVE_BOUND] = self.game.move_bound
        return numbers

    def _warm(self) -> None:
        """Compile or load now what `choose` will call, so that no clock runs meanwhile."""
        start = self.game.start()
        numbers = self._settings.copy()
        numbers[self._kernels.STOP] = 1
        self._run(start, 1, 1, numbers, self._kernels.NO_TRACE)
        if self._options["variable"] != "no":
            self._kernels.opening_and_depth(self.game.rules, start.state, np.uint64(0), self._depth_rule)

    def begin(self) -> None:
        if self._stored:
            self._heads.fill(-1)
            self._stored = 0

    def choose(self, position: Position, key: np.uint64, stop: Any = None) -> Decision:
        return self._choose(position, key, self._kernels.NO_TRACE)[0]

    def tree(self, position: Position, key: np.uint64, limit: int = 1_000_000) -> SearchTree:
        """The search at this position with all nodes visited and moves cut off, at most `limit` of them."""
        from ludometer.agents.searchtree import SearchTree

        if position.is_over:
            raise LudometerError(f"the game is over at {position}; there is nothing to search")
        trace = np.empty(limit, self._kernels.TRACE)
        decision, numbers = self._choose(position, key, trace)
        if numbers[self._kernels.TRACED] == 0:
            move = position.move_text(decision.move)
            raise LudometerError(f"agent {self.spec} plays the opening move {move} at {position} without a search")
        return SearchTree.from_trace(position, self.spec, decision, trace[: int(numbers[self._kernels.TRACED])])

    def _choose(self, position: Position, key: np.uint64, trace: np.ndarray) -> tuple[Decision, np.ndarray]:
        began = clock.perf_counter()
        kernels = self._kernels
        numbers = self._settings.copy()  # a new one for each move: a late timer stops nothing but its own search
        numbers[kernels.STORED] = self._stored
        numbers[kernels.ROOT_PLAYER] = position.player
        numbers[kernels.RANDOM_KEY] = np.uint64(key).astype(np.int64)
        depth = self.depth
        if self._options["variable"] != "no":
            opening, depth = kernels.opening_and_depth(self.game.rules, position.state, np.uint64(key), self._depth_rule)
            if opening >= 0:
                return Decision(int(opening), None, {**_report(kernels, numbers, self._entries), "depth": 0, "seconds": 0.0}), numbers
        timer = self._start_clock(numbers)
        try:
            move, value, reached = self._run(position, 1 if self._deepens else depth, depth, numbers, trace)
        finally:
            if timer is not None:
                timer.cancel()
        self._stored = int(numbers[kernels.STORED])
        seconds = clock.perf_counter() - began
        report = {**_report(kernels, numbers, self._entries), "depth": reached, "seconds": seconds}
        return Decision(move, value, report), numbers

    def _start_clock(self, numbers: np.ndarray) -> threading.Timer | None:
        """Set the deadline; the thread that keeps it where compiled code cannot see the clock."""
        limit = self._options["time"]
        if limit == 0:
            return None
        seconds = max(limit / 2, limit - _SAFETY)
        if self._kernels.HAS_CLOCK:
            numbers[self._kernels.DEADLINE] = clock.clock_gettime_ns(clock.CLOCK_MONOTONIC) + int(seconds * 1e9)
            return None
        timer = threading.Timer(seconds, _stop, (numbers, self._kernels.STOP))
        timer.daemon = True
        timer.start()
        return timer

    def _run(self, position: Position, first: int, last: int, numbers: np.ndarray, trace: np.ndarray) -> tuple[int, float | None, int]:
        """Search with growing depth: (best move, its value, depth of the last completed search).

        Ends after depth `last`, when the game is decided or searched to all its ends, and when stopped.  If not even the first
        search was completed, the move is the best one so far, without a value, and the depth is 0.
        """
        kernels = self._kernels
        move, value, reached = position.legal[0], None, 0
        key = np.uint64(position.key if len(self._entries) else 0)
        for depth in range(first, last + 1):
            numbers[kernels.BEST_MOVE] = -1
            numbers[kernels.HORIZON] = 0
            numbers[kernels.TRACED] = 0
            numbers[kernels.NODES] += 1
            root = -1
            if len(trace):
                trace[0] = (-1, -1, 0, position.player, kernels.INNER, 0, 0.0, -1)
                root, numbers[kernels.TRACED] = 0, 1
            found = kernels.search(
                self.game.rules,
                position.state,
                depth,
                0,
                -np.inf,
                np.inf,
                key,
                root,
                numbers,
                self._moves,
                self._promises,
                self._entries,
                self._heads,
                trace,
            )
            if numbers[kernels.STOP]:
                if not reached and numbers[kernels.BEST_MOVE] >= 0:
                    move = int(numbers[kernels.BEST_MOVE])
                break
            move, value, reached = int(numbers[kernels.BEST_MOVE]), float(found) + 0.0, depth
            if len(trace):
                trace[0]["value"] = found
            if numbers[kernels.HORIZON] == 0 or self._is_decided(found):
                break
        return move, value, reached

    def _is_decided(self, value: float) -> bool:
        """Whether a value is that of a won or lost game, which no deeper search would change."""
        if self._settings[self._kernels.BY_MARGIN]:
            return False
        # An average of wins and draws decides nothing.
        least = self._kernels.WIN if self.algorithm == self._kernels.EXPECTIMAX else self._kernels.MOST_CLAIMED + 1
        return abs(value) >= least


class MinimaxAgent(SearchAgent):
    algorithm = 0


class AlphaBetaAgent(SearchAgent):
    algorithm = 1


class ExpectimaxAgent(SearchAgent):
    algorithm = 2


def _stop(numbers: np.ndarray, place: int) -> None:
    numbers[place] = 1


def _report(kernels: Any, numbers: np.ndarray, entries: np.ndarray) -> dict[str, Any]:
    keys = min(int(numbers[kernels.STORED]), len(entries))
    return {
        "nodes": int(numbers[kernels.NODES]),
        "expanded": int(numbers[kernels.EXPANDED]),
        "leaves": int(numbers[kernels.LEAVES]),
        "pruned": int(numbers[kernels.PRUNED]),
        "cache_hits": int(numbers[kernels.HITS]),
        "cache_keys": keys,
        "cache_bytes": keys * kernels.BYTES_PER_KEY,
    }


def _number_of(game: Game, table: str, what: str, name: str) -> int:
    """The place of a name in one of the game's tuples of names; the first for "", −1 for "no"; raises SpecError."""
    if name == "no":
        return -1
    from ludometer.core import searching

    names = searching.evaluations(game) if table == "EVALUATIONS" else searching.depth_rules(game)
    if not name and (names or table == "EVALUATIONS"):
        return 0
    if name not in names:
        have = f"it has {', '.join(names)}" if names else "it has none to choose from"
        raise SpecError(f"game {game.spec} has no {what} {shorten(name or 'yes')}; {have}")
    return int(names.index(name))


def evaluation(position: Position, name: str = "") -> float:
    """What an evaluation of the game says for the player to move; a finished game is worth 10,000, 0 or −10,000.

    Raises SpecError for a name the game does not have.
    """
    from ludometer.agents import search_kernels as kernels

    number = _number_of(position.game, "EVALUATIONS", "evaluation", name)
    if position.is_over:
        return kernels.WIN * position.outcome
    return float(kernels.evaluation_of(position.game.rules, position.state, number))
