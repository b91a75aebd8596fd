"""Depth-first search: minimax, alpha-beta and expectimax, one search with options that go with each other freely.

    alphabeta:4                             four plies deep
    alphabeta:rounds=2,evaluation=heur1     two moves of each player, by another evaluation
    alphabeta:time=0.25,order=history       as deep as a quarter of a second allows, best moves of the last depth first
    minimax:depth=9,cache=exact,symmetry=canonical

docs/agents-search.md describes the options and how to add an evaluation.
"""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludometer.agents.alarm import SAFETY, alarm
from ludometer.core.agent import Agent, AgentKind, Decision, Option, Player
from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.search_mind_kernels import SearchMind, Settings
    from ludometer.agents.searchtree import SearchTree
    from ludometer.core.position import Position

USUAL_DEPTH = 4  # plies, when neither depth nor time nor nodes are limited
_DEEPEST = 250

CACHES = ("none", "exact", "bounds", "unpruned")
REPLACEMENTS = ("keep", "fifo", "deep", "lru")
SYMMETRIES = ("none", "canonical", "all", "lookup")
ORDERS = ("none", "heuristic", "reversed", "history")
SHUFFLES = ("no", "root", "yes")
GOALS = ("score", "win")
ROOTS = ("narrow", "full")
KEYS = ("updated", "anew")


def _options(order: str, cache: str) -> tuple[Option, ...]:
    return (
        Option("depth", 0, f"plies to look ahead; 0: as time and nodes allow, else {USUAL_DEPTH}", least=0, most=_DEEPEST, outside=6),
        Option("rounds", 0, "moves of each player to look ahead: two plies each", least=0, most=_DEEPEST // 2, outside=3),
        Option("time", 0.0, "seconds for a move; deepens ply by ply until then", least=0, most=86_400, outside=10.0),
        Option("nodes", 0, "positions to look at for a move; deepens ply by ply until then", least=0, most=2**62, outside=10_000_000),
        Option("evaluation", "", "which of the game's evaluations", outside=True),
        Option("order", order, "move ordering: as listed, best or worst static evaluation first, or by the last depth's values", ORDERS),
        Option("shuffle", "root", "equally good moves in random order: nowhere, at the root, everywhere", SHUFFLES),
        Option("cache", cache, "transposition table: none, exact values, bounds too, or unpruned values", CACHES),
        Option("memory", 1_000_000, "positions remembered at most", least=1, most=2**31 - 1, outside=4_000_000),
        Option("replace", "deep", "a full table keeps the first, forgets the oldest, the shallow, the least recently used", REPLACEMENTS),
        Option("symmetry", "none", "symmetric positions: not seen, one entry for all, an entry for each, each looked up", SYMMETRIES),
        Option("early", True, "prefer nearer wins and later losses"),
        Option("beam", 0, "look at the so many most promising moves only; 0: at all", least=0, most=2**31 - 1, outside=True),
        Option("variable", "no", "depth by one of the game's own rules, with its opening moves; yes: the first rule", outside=True),
        Option("goal", "score", "what an end is worth in games with scores: the score, or only win, draw and loss", GOALS),
        Option("root", "narrow", "window of the root's moves: narrowed by the best one so far, or full for each", ROOTS),
        Option("ceiling", True, "cut off where nothing better can come: after a move that wins at once"),
        Option("keys", "updated", "keys of positions: updated move by move, where the game can, or worked out anew", KEYS),
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
    """A way to search.  What a search remembers lasts for one game, so the players keep it."""

    algorithm: ClassVar[int]

    def __init__(self, game: Game, spec: str, **options: Any) -> None:
        super().__init__(game, spec)
        from ludometer.agents import search_kernels, search_mind_kernels  # noqa: F401  # with the first loaded, minds can decide

        self._parts = search_mind_kernels
        self._check(options)
        limited = options["time"] > 0 or options["nodes"] > 0
        plies = options["depth"] or 2 * options["rounds"]
        self.depth = plies or (_DEEPEST if limited else USUAL_DEPTH)
        self.time = options["time"]
        self.settings = self._settings(options, limited or options["order"] == "history")
        uncommon = options["keys"] == "anew" or options["symmetry"] == "lookup" or options["replace"] == "lru"
        self._keys = KEYS.index(options["keys"]) if uncommon else None
        self._remembered = options["memory"] if options["cache"] != "none" or options["order"] == "history" else 0
        self._replacement = REPLACEMENTS.index(options["replace"])
        self._warm()

    def _check(self, options: dict[str, Any]) -> None:
        if options["depth"] and options["rounds"]:
            raise SpecError(f"agent {self.spec}: depth and rounds say the same twice; give one of them")
        if options["symmetry"] != "none" and options["cache"] == "none":
            raise SpecError(f"agent {self.spec}: symmetry={options['symmetry']} needs a cache; add cache=exact or cache=bounds")
        if options["cache"] in ("bounds", "unpruned") and self.algorithm != self._parts.ALPHABETA:
            does = "finds bounds" if options["cache"] == "bounds" else "prunes"
            raise SpecError(f"agent {self.spec}: only alphabeta {does}; write cache=exact")
        if self.algorithm != self._parts.ALPHABETA and (options["root"] == "full" or not options["ceiling"]):
            raise SpecError(f"agent {self.spec}: only alphabeta has a window and cuts off; leave root and ceiling out")
        if options["variable"] != "no" and (options["depth"] or options["rounds"]):
            raise SpecError(f"agent {self.spec}: variable={options['variable']} sets the depth; leave depth and rounds out")

    def _settings(self, options: dict[str, Any], deepens: bool) -> Settings:
        """The options as compiled code reads them."""
        rule = "" if options["variable"] == "yes" else options["variable"]
        return self._parts.Settings(
            algorithm=self.algorithm,
            cache=CACHES.index(options["cache"]),
            symmetry=SYMMETRIES.index(options["symmetry"]),
            order=ORDERS.index(options["order"]),
            shuffle=SHUFFLES.index(options["shuffle"]),
            beam=options["beam"],
            evaluation=_number_of(self.game, "EVALUATIONS", "evaluation", options["evaluation"]),
            # An average of near and far wins is no longer the nearness of anything.
            early=int(options["early"] and self.algorithm != self._parts.EXPECTIMAX),
            by_margin=int(self.game.kind.scored and options["goal"] == "score"),
            depth=self.depth,
            deepens=int(deepens),
            depth_rule=-1 if rule == "no" else _number_of(self.game, "DEPTH_RULES", "depth rule", rule),
            most_nodes=options["nodes"],
            nanoseconds=int(max(self.time / 2, self.time - SAFETY) * 1e9),
            full_root=ROOTS.index(options["root"]),
            ceiling=int(options["ceiling"]),
        )

    def mind(self, stop: Stop | None = None) -> SearchMind | None:
        """A player for compiled games; None where only Python can see the clock that limits it."""
        from ludometer.core.compiling.clock import HAS_CLOCK

        return self._new_mind(stop) if HAS_CLOCK or not self.time else None

    def _new_table(self) -> Any:
        from ludometer.agents.transposition_kernels import new_table

        try:
            return new_table(self._remembered, self._replacement)
        except MemoryError:
            raise SpecError(f"agent {self.spec}: there is no room here for memory={self._remembered}; give a smaller number") from None

    def _new_recency(self) -> np.ndarray:
        from ludometer.agents.transposition_kernels import new_recency

        return new_recency(self._remembered if self._replacement == REPLACEMENTS.index("lru") else 0)

    def _new_mind(self, stop: Stop | None = None) -> SearchMind:
        parts = self._parts
        room = max(self.depth, parts.RULE_DEPTH), self.game.move_bound
        made: SearchMind = parts.SearchMind(
            settings=self.settings,
            table=self._new_table(),
            scratch=parts.Scratch(np.empty(room, np.int32), np.empty(room)),
            run=np.zeros(1, parts.RUN),
            trace=parts.NO_TRACE,
            stop=(stop or Stop()).flag,
            ways=parts.UsualWays(0) if self._keys is None else parts.StudyWays(self._keys, self._new_recency()),
        )
        return made

    def _warm(self) -> None:
        """Compile or load now what `choose` will call, so that no clock runs meanwhile."""
        at_once = Stop()
        at_once.ask()
        start = self.game.start()
        if not start.is_over:
            SearchPlayer(self, start, start.player, None).choose(start, np.uint64(0), at_once)

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> SearchPlayer:
        return SearchPlayer(self, start or self.game.start(), side, ply_limit)

    def tree(self, position: Position, key: np.uint64, limit: int = 1_000_000, stop: Stop | None = None) -> SearchTree:
        """The search at this position with all nodes visited and moves cut off, at most `limit` of them."""
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
    """Searches every position it is asked about, with what it remembers of this game."""

    agent: SearchAgent

    def __init__(self, agent: SearchAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self.mind = agent._new_mind()

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        from ludometer.core.compiling.compiled_player import FOR_EVER, ask

        began = clock.perf_counter()
        game = self.agent.game
        with alarm(self.agent.time, stop) as asked:
            mind = self.mind._replace(stop=asked.flag)
            move = int(ask(game.rules, mind, position.state, FOR_EVER, np.uint64(key), np.empty(game.move_bound, np.int32)))
        run = mind.run[0]
        value = None if np.isnan(run["value"]) else float(run["value"]) + 0.0
        report = {
            "score": value,
            **_counts(self.agent._parts, mind),
            "depth": int(run["reached"]),
            "seconds": clock.perf_counter() - began,
        }
        return Decision(move, self._points(value), report)

    def keep_trace(self, limit: int) -> None:
        """From now on write down the nodes of each search, at most `limit` of them, for `last_tree`."""
        self.mind = self.mind._replace(trace=np.empty(limit, self.agent._parts.TRACE))

    def last_tree(self, position: Position, decision: Decision) -> SearchTree | None:
        """The tree of the last search, of this position; None for a move made without one."""
        from ludometer.agents.searchtree import SearchTree

        traced = int(self.mind.run[0]["traced"])
        return SearchTree.from_trace(position, self.agent.spec, decision, self.mind.trace[:traced]) if traced else None

    def _points(self, value: float | None) -> float | None:
        """The points this value means, where the search has seen the end of the game; an evaluation says nothing of points."""
        parts, settings, run = self.agent._parts, self.mind.settings, self.mind.run[0]
        if value is None or not (run["is_whole"] or run["is_decided"] and settings.beam == 0):
            return None
        if settings.algorithm == parts.EXPECTIMAX:
            return None if settings.by_margin else 0.5 + 0.5 * value / parts.WIN
        return 0.5 + 0.5 * float(np.sign(value))


class MinimaxAgent(SearchAgent):
    algorithm = 0


class AlphaBetaAgent(SearchAgent):
    algorithm = 1


class ExpectimaxAgent(SearchAgent):
    algorithm = 2


def _counts(parts: Any, mind: SearchMind) -> dict[str, Any]:
    run = mind.run[0]
    keys = min(int(mind.table.use[0]["stored"]), len(mind.table.entries))
    return {
        "nodes": int(run["nodes"]),
        "expanded": int(run["expanded"]),
        "leaves": int(run["leaves"]),
        "pruned": int(run["pruned"]),
        "cache_hits": int(run["hits"]),
        "cache_keys": keys,
        "cache_bytes": keys * parts.BYTES_PER_KEY,
    }


def _number_of(game: Game, table: str, what: str, name: str) -> int:
    """The place of a name in one of the game's tuples of names, the first for ""; raises SpecError."""
    from ludometer.core.protocol import searching

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
    from ludometer.agents.search_mind_kernels import WIN

    number = _number_of(position.game, "EVALUATIONS", "evaluation", name)
    if position.is_over:
        return WIN * position.outcome
    return float(kernels.evaluation_of(position.game.rules, position.state, number))
