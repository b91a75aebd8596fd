"""Depth-first search: minimax, alpha-beta and expectimax, one search with options that combine freely.

    alphabeta:4                             four plies deep
    alphabeta:rounds=2,evaluation=heur1     two moves of each player, by another evaluation
    alphabeta:time=0.25,order=history       iterative deepening for a quarter of a second, best moves of the last iteration first
    minimax:depth=9,cache=exact,symmetry=canonical

docs/agents-search.md describes the options and how to add an evaluation.
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludometer.agents.alarm import SAFETY, alarm
from ludometer.agents.search_choices import Algorithm, Cache, Order, Replacement, Shuffle, Symmetry, names
from ludometer.core.agent import Agent, AgentKind, Decision, Option, Player
from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.search_player_kernels import CompiledSearch, SearchSettings
    from ludometer.agents.searchtree import SearchTree
    from ludometer.core.position import Position

USUAL_DEPTH = 4  # plies, without a limit of depth, time or nodes
_DEEPEST = 250

GOALS = ("score", "win")


def search_options(order: str, cache: str) -> tuple[Option, ...]:
    """The options of a searching agent with these defaults."""
    return (
        Option("depth", 0, f"plies to look ahead; 0: as time and nodes allow, else {USUAL_DEPTH}", least=0, most=_DEEPEST, outside=6),
        Option("rounds", 0, "moves of each player to look ahead: two plies each", least=0, most=_DEEPEST // 2, outside=3),
        Option("time", 0.0, "seconds per move, by iterative deepening", least=0, most=86_400, outside=10.0),
        Option("nodes", 0, "positions to visit per move, by iterative deepening", least=0, most=2**62, outside=10_000_000),
        Option("evaluation", "", "name of one of the game's evaluations; default: the first", outside=True),
        Option("order", order, "move ordering: none, best or worst static evaluation first, or by the last iteration", names(Order)),
        Option("shuffle", "root", "shuffle moves of equal rank: nowhere, at the root, everywhere", names(Shuffle)),
        Option("cache", cache, "transposition table: none, of exact values, or of bounds", names(Cache)),
        Option("memory", 1_000_000, "entries of the transposition table", least=1, most=2**31 - 1, outside=4_000_000),
        Option("replace", "deep", "a full table keeps its entries, or replaces the oldest or the shallowest", names(Replacement)),
        Option("symmetry", "none", "symmetric positions: unrelated, one entry for all, an entry for each", names(Symmetry)),
        Option("early", True, "prefer nearer wins and later losses"),
        Option("beam", 0, "search only this many of the most promising moves; 0: all", least=0, most=2**31 - 1, outside=True),
        Option("variable", "no", "depth by a rule of the game, with its opening moves; yes: by its first rule", outside=True),
        Option("goal", "score", "in scored games: maximise the margin, or only win, draw or lose", GOALS),
    )


AGENTS = tuple(
    AgentKind(name=name, title=title, home=f"{__name__}:{home}", options=search_options(order, cache), main="depth")
    for name, title, home, order, cache in (
        ("minimax", "searches all moves to a certain depth", "MinimaxAgent", "none", "none"),
        ("alphabeta", "minimax with alpha-beta pruning", "AlphaBetaAgent", "heuristic", "bounds"),
        ("expectimax", "minimax against an opponent who moves at random", "ExpectimaxAgent", "none", "none"),
    )
)


@dataclass(frozen=True)
class SearchOptions:
    """The options of a searching agent, by their names."""

    depth: int
    rounds: int
    time: float
    nodes: int
    evaluation: str
    order: str
    shuffle: str
    cache: str
    memory: int
    replace: str
    symmetry: str
    early: bool
    beam: int
    variable: str
    goal: str

    @property
    def is_limited(self) -> bool:
        """True with a limit of time or nodes."""
        return self.time > 0 or self.nodes > 0

    @property
    def plies(self) -> int:
        """The depth to search."""
        return self.depth or 2 * self.rounds or (_DEEPEST if self.is_limited else USUAL_DEPTH)

    @property
    def entries(self) -> int:
        """Entries of the transposition table."""
        return self.memory if self.cache != "none" or self.order == "history" else 0


class SearchAgent(Agent):
    """Depth-first search.  The transposition table lasts for one game and belongs to the player."""

    algorithm: ClassVar[Algorithm]

    def __init__(self, game: Game, spec: str, **options: Any) -> None:
        super().__init__(game, spec)
        from ludometer.agents import search_kernels  # noqa: F401  # registers the compiled search

        self.options = SearchOptions(**options)
        self._check()
        self.settings = self._settings()
        self._warm()

    def _check(self) -> None:
        """Raise SpecError for options that contradict each other."""
        options = self.options
        if options.depth and options.rounds:
            raise SpecError(f"agent {self.spec}: depth and rounds both set the depth; give one of them")
        if options.symmetry != "none" and options.cache == "none":
            raise SpecError(f"agent {self.spec}: symmetry={options.symmetry} needs a cache; add cache=exact or cache=bounds")
        if options.cache == "bounds" and self.algorithm is not Algorithm.ALPHABETA:
            raise SpecError(f"agent {self.spec}: only alphabeta finds bounds; write cache=exact")
        if options.variable != "no" and (options.depth or options.rounds):
            raise SpecError(f"agent {self.spec}: variable={options.variable} sets the depth; leave depth and rounds out")

    def _settings(self) -> SearchSettings:
        """The options for compiled code."""
        from ludometer.agents.search_player_kernels import SearchSettings

        options = self.options
        rule = "" if options.variable == "yes" else options.variable
        return SearchSettings(
            algorithm=int(self.algorithm),
            cache=int(Cache[options.cache.upper()]),
            symmetry=int(Symmetry[options.symmetry.upper()]),
            order=int(Order[options.order.upper()]),
            shuffle=int(Shuffle[options.shuffle.upper()]),
            beam=options.beam,
            evaluation=_number_of(self.game, "EVALUATIONS", "evaluation", options.evaluation),
            # A mean of near and far wins measures no distance.
            early=int(options.early and self.algorithm is not Algorithm.EXPECTIMAX),
            by_margin=int(self.game.kind.scored and options.goal == "score"),
            depth=options.plies,
            deepens=int(options.is_limited or options.order == "history"),
            depth_rule=-1 if rule == "no" else _number_of(self.game, "DEPTH_RULES", "depth rule", rule),
            most_nodes=options.nodes,
            nanoseconds=int(max(options.time / 2, options.time - SAFETY) * 1e9),
        )

    def compiled_player(self, stop: Stop | None = None) -> CompiledSearch | None:
        """The compiled player; None with a time limit if compiled code has no clock."""
        from ludometer.core.compiling.clock import HAS_CLOCK

        return self.new_compiled(stop) if HAS_CLOCK or not self.options.time else None

    def new_compiled(self, stop: Stop | None = None) -> CompiledSearch:
        """A compiled player with an empty table; raises SpecError if there is not enough memory."""
        from ludometer.agents import search_player_kernels as kernels
        from ludometer.agents import transposition_kernels

        entries = self.options.entries
        try:
            table = transposition_kernels.new_table(entries, int(Replacement[self.options.replace.upper()]))
            variant = self._variant()
        except MemoryError:
            raise SpecError(f"agent {self.spec}: there is no room here for memory={entries}; give a smaller number") from None
        shape = max(self.settings.depth, kernels.RULE_DEPTH), self.game.move_bound
        return kernels.CompiledSearch(
            settings=self.settings,
            table=table,
            scratch=kernels.Scratch(np.empty(shape, np.int32), np.empty(shape)),
            run=np.zeros(1, kernels.RUN),
            trace=kernels.NO_TRACE,
            stop=(stop or Stop()).flag,
            variant=variant,
        )

    def _variant(self) -> Any:
        """The variant of the search, see `search_player_kernels.Standard`."""
        from ludometer.agents.search_player_kernels import Standard

        return Standard()

    def _warm(self) -> None:
        """Compile or load the code that `choose` calls, so that it takes no time from the first move."""
        at_once = Stop()
        at_once.ask()
        start = self.game.start()
        if not start.is_over:
            SearchPlayer(self, start, start.player, None).choose(start, np.uint64(0), at_once)

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> SearchPlayer:
        return SearchPlayer(self, start or self.game.start(), side, ply_limit)

    def tree(self, position: Position, key: np.uint64, limit: int = 1_000_000, stop: Stop | None = None) -> SearchTree:
        """The tree of a search at this position, at most `limit` visited nodes and cut moves of it."""
        if position.is_over:
            raise LudometerError(f"the game is over at {position}; there is nothing to search")
        player = self.player(position, position.player)
        player.keep_trace(limit)
        decision = player.choose(position, key, stop)
        tree = player.last_tree(position, decision)
        if tree is None:
            move = position.move_text(decision.move)
            raise LudometerError(f"agent {self.spec} plays the opening move {move} at {position} without a search")
        return tree


class SearchPlayer(Player):
    """Searches at every move, with the transposition table of its game."""

    agent: SearchAgent

    def __init__(self, agent: SearchAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self.search = agent.new_compiled()

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        from ludometer.core.compiling.compiled_player import FOR_EVER, ask

        began = clock.perf_counter()
        game = self.agent.game
        with alarm(self.agent.options.time, stop) as asked:
            search = self.search._replace(stop=asked.flag)
            move = int(ask(game.rules, search, position.state, FOR_EVER, np.uint64(key), np.empty(game.move_bound, np.int32)))
        run = search.run[0]
        value = None if np.isnan(run["value"]) else float(run["value"]) + 0.0
        report = {"score": value, **_counts(search), "depth": int(run["reached"]), "seconds": clock.perf_counter() - began}
        return Decision(move, self._points(value), report)

    def keep_trace(self, limit: int) -> None:
        """Record the nodes of each search from now on, at most `limit` of them, for `last_tree`."""
        from ludometer.agents.search_player_kernels import TRACE

        self.search = self.search._replace(trace=np.empty(limit, TRACE))

    def last_tree(self, position: Position, decision: Decision) -> SearchTree | None:
        """The tree of the last search, which was of this position; None for a move made without a search."""
        from ludometer.agents.searchtree import SearchTree

        traced = int(self.search.run[0]["traced"])
        return SearchTree.from_trace(position, self.agent.spec, decision, self.search.trace[:traced]) if traced else None

    def _points(self, value: float | None) -> float | None:
        """The points that a value means if the search has seen the end of the game; None for an evaluation."""
        from ludometer.agents.search_player_kernels import WIN

        settings, run = self.search.settings, self.search.run[0]
        if value is None or not (run["is_whole"] or run["is_decided"] and settings.beam == 0):
            return None
        if settings.algorithm == Algorithm.EXPECTIMAX:
            return None if settings.by_margin else 0.5 + 0.5 * value / WIN
        return 0.5 + 0.5 * float(np.sign(value))


class MinimaxAgent(SearchAgent):
    algorithm = Algorithm.MINIMAX


class AlphaBetaAgent(SearchAgent):
    algorithm = Algorithm.ALPHABETA


class ExpectimaxAgent(SearchAgent):
    algorithm = Algorithm.EXPECTIMAX


def _counts(search: CompiledSearch) -> dict[str, int]:
    """Counts of the last search, by the names of a report."""
    from ludometer.agents.search_player_kernels import BYTES_PER_KEY

    run = search.run[0]
    keys = min(int(search.table.use[0]["stored"]), len(search.table.entries))
    return {
        "nodes": int(run["nodes"]),
        "expanded": int(run["expanded"]),
        "leaves": int(run["leaves"]),
        "pruned": int(run["pruned"]),
        "cache_hits": int(run["hits"]),
        "cache_keys": keys,
        "cache_bytes": keys * BYTES_PER_KEY,
    }


def _number_of(game: Game, table: str, what: str, name: str) -> int:
    """The place of a name in one of the game's tuples of names, the first for ""; raises SpecError."""
    from ludometer.core.protocol import searching

    known = searching.evaluations(game) if table == "EVALUATIONS" else searching.depth_rules(game)
    if not name and (known or table == "EVALUATIONS"):
        return 0
    if name not in known:
        have = f"it has {', '.join(known)}" if known else "it has none to choose from"
        raise SpecError(f"game {game.spec} has no {what} {shorten(name or 'yes')}; {have}")
    return int(known.index(name))


def evaluation(position: Position, name: str = "") -> float:
    """A static evaluation for the player to move; a finished game is worth 10,000, 0 or −10,000.

    Raises SpecError for a name the game does not have.
    """
    from ludometer.agents.search_kernels import evaluation_of
    from ludometer.agents.search_player_kernels import WIN

    number = _number_of(position.game, "EVALUATIONS", "evaluation", name)
    if position.is_over:
        return WIN * position.outcome
    return float(evaluation_of(position.game.rules, position.state, number))
