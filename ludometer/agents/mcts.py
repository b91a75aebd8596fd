"""Monte Carlo tree search (UCT).

A child i of a state is selected for the highest (1 − wᵢ/nᵢ) + c √(ln N / nᵢ). Each iteration adds one uniformly random unvisited child and
plays it out at random.  By default results are proven where possible, the tree is reused for the next move, and the most visited move is
made; docs/results/agents.md has the measurements behind these defaults.
"""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.alarm import alarm
from ludometer.core.agent import Agent, AgentKind, Decision, Option, Player
from ludometer.core.errors import SpecError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, LOSS, ONGOING, WIN
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.mcts_kernels import CompiledMcts
    from ludometer.core.position import Position

_REUSED_MOVES = 32  # a reused tree has slots for the iterations of this many moves: few iterations end up in the part that is reused

# The tree search of textbooks.
TEXTBOOK = (("c", 2**0.5), ("choice", "value"), ("proven", False), ("reuse", False))

ITERATIONS = Option("iterations", 1000, "simulated games per move; 0: random moves", least=0, most=10**9, outside=100_000)
TIME = Option("time", 0.0, "seconds per move instead of a number of iterations", least=0.0, most=1e6, outside=10.0)

AGENT = AgentKind(
    name="mcts",
    title="Monte Carlo tree search",
    home="ludometer.agents.mcts:MctsAgent",
    main="iterations",
    options=(
        ITERATIONS,
        Option("c", 0.3, "exploration constant", least=0.0, most=1e6, outside=True),
        Option("choice", "visits", "make the move of best value, or the most visited one", choices=("value", "visits")),
        Option("proven", True, "prove wins and losses in the tree (MCTS-Solver) and rely on them"),
        Option("reuse", True, "reuse the tree below the position reached for the next move"),
        Option("playouts", 1, "random playouts per iteration", least=1, most=10**6, outside=10),
        Option("score", "result", "score playouts by result only, or by margin as well", choices=("result", "margin")),
        Option(
            "study",
            "none",
            "settings under one name: textbook sets c=1.414…, choice=value, proven=no, reuse=no",
            choices=("none", "textbook"),
            implies=(("textbook", TEXTBOOK),),
        ),
        Option("threads", 1, "independent trees searched in parallel, their statistics added up", least=1, most=256),
        TIME,
        Option("memory", 512, "megabytes for all trees; a full tree stops growing", least=1, most=2**20, outside=512),
    ),
)


@dataclass(frozen=True)
class MctsOptions:
    """The options of `mcts`, by the names of `AGENT.options`."""

    iterations: int
    c: float
    choice: str
    reuse: bool
    time: float
    memory: int
    proven: bool = False
    playouts: int = 1
    score: str = "result"
    study: str = "none"
    threads: int = 1

    @property
    def exploration(self) -> float:
        """The square of the exploration constant; rounded, so that (√2)² is 2."""
        return round(self.c * self.c, 12)

    @property
    def nanoseconds(self) -> int:
        """The time limit; 0: none."""
        return int(self.time * 1e9)

    @property
    def plays_at_random(self) -> bool:
        return self.iterations == 0 and not self.time


class MctsAgent(Agent):
    """Tree search.  With `reuse` its players continue with the tree of their last move, otherwise every move starts a new one."""

    value_of_unvisited: float | None = None  # of a move that is made without a visit

    def __init__(self, game: Game, spec: str, **options: Any) -> None:
        super().__init__(game, spec)
        self.options = MctsOptions(**options)
        self._prepare()

    def _prepare(self) -> None:
        """Compile ahead, so that compilation takes no time from the first move."""
        start = self.game.start()
        if self.options.time and not start.is_over:
            at_once = Stop()
            at_once.ask()
            self.player(start).choose(start, np.uint64(0), at_once)

    def compiled_player(self, stop: Stop | None = None) -> Any:
        """The compiled player; None with several threads, and with a time limit if compiled code has no clock."""
        from ludometer.core.compiling.clock import HAS_CLOCK

        return self.new_compiled(stop) if self.options.threads == 1 and (HAS_CLOCK or not self.options.time) else None

    def new_compiled(self, stop: Stop | None = None) -> Any:
        """A compiled player with an empty tree; raises SpecError if there is not enough memory."""
        from ludometer.agents import mcts_kernels as kernels
        from ludometer.agents.mcts_tree_kernels import empty_tree

        options, slots = self.options, self._slots()
        try:
            trees = empty_tree(slots), empty_tree(slots if options.reuse else 0)
        except MemoryError:
            raise SpecError(f"agent {self.spec}: not enough memory for a tree of {slots:,} slots; give less memory=…") from None
        return kernels.CompiledMcts(
            settings=kernels.MctsSettings(
                iterations=options.iterations,
                exploration=options.exploration,
                playouts=options.playouts,
                by_margin=int(options.score == "margin"),
                by_visits=int(options.choice == "visits"),
                proven=int(options.proven),
                reuse=int(options.reuse),
                nanoseconds=options.nanoseconds,
            ),
            trees=trees,
            run=kernels.new_run(),
            root=kernels.empty_root(self.game.move_bound),
            bounds=np.empty(self.game.move_bound),
            stop=(stop or Stop()).flag,
        )

    def _slots(self) -> int:
        """Slots per tree: as many as its iterations can use, within its share of the memory."""
        from ludometer.agents.mcts_tree_kernels import BYTES_PER_SLOT

        options, widest = self.options, self.game.move_bound
        trees = options.threads * (2 if options.reuse else 1)
        affordable = max(1, options.memory * 2**20 // trees) // BYTES_PER_SLOT
        iterations = -(-options.iterations // options.threads)
        enough = affordable if options.time else 1 + (_REUSED_MOVES if options.reuse else 1) * iterations * widest
        return max(1 + 2 * widest, min(enough, affordable, 2**31 - 1))

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> MctsPlayer:
        return MctsPlayer(self, start or self.game.start(), side, ply_limit)


class MctsPlayer(Player):
    """Searches at every move; with `reuse` it follows the game through its trees."""

    agent: MctsAgent

    def __init__(self, agent: MctsAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self.searches = [agent.new_compiled() for _ in range(agent.options.threads)]
        self._here = start
        self._ply = 0

    def observe(self, move: int, after: Position) -> None:
        if self.agent.options.reuse:
            from ludometer.core.compiling.compiled_player import tell_move

            for search in self.searches:
                tell_move(self.agent.game.rules, search, self._here.state, move, after.state)
        self._here = after
        self._ply += 1

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        since = clock.perf_counter()
        with alarm(self.agent.options.time, stop) as asked:
            searches = [search._replace(stop=asked.flag) for search in self.searches]
            move = self._decide_alone(searches[0], position, key) if len(searches) == 1 else self._decide_together(searches, position, key)
        return self._decision(searches, move, since)

    def _plies_left(self) -> int:
        from ludometer.core.compiling.compiled_player import FOR_EVER

        return FOR_EVER if self.ply_limit is None else self.ply_limit - self._ply

    def _decide_alone(self, search: Any, position: Position, key: np.uint64) -> int:
        from ludometer.core.compiling.compiled_player import ask

        game = self.agent.game
        buffer = np.empty(game.move_bound, np.int32)
        return int(ask(game.rules, search, position.state, self._plies_left(), np.uint64(key), buffer))

    def _decide_together(self, searches: list[CompiledMcts], position: Position, key: np.uint64) -> int:
        """The move of all trees together, each searched in its own thread with its own key and its share of the iterations."""
        from ludometer.agents.mcts_kernels import add_root_statistics, preferred, search_tree
        from ludometer.core.random import stream

        game, root, options = self.agent.game, searches[0].root, self.agent.options
        root.size[0] = 0
        if options.plays_at_random:
            return self._decide_alone(searches[0], position, key)

        def run(number: int) -> None:
            share = len(range(number, options.iterations, len(searches)))
            if share or options.time:
                buffer = np.empty(game.move_bound, np.int32)
                tree_key = stream(int(key), number)
                search_tree(game.rules, searches[number], position.state, self._plies_left(), tree_key, share, buffer)
                searched.append(number)

        searched: list[int] = []
        with ThreadPoolExecutor(len(searches)) as pool:
            list(pool.map(run, range(len(searches))))
        for number in sorted(searched):
            add_root_statistics(searches[number], root)
        return int(root.moves[preferred(root, int(options.choice == "visits"))])

    def _decision(self, searches: list[CompiledMcts], chosen: int, since: float) -> Decision:
        from ludometer.agents.mcts_kernels import value_of

        options, root = self.agent.options, searches[0].root
        run = np.concatenate([search.run for search in searches])
        places = [] if options.plays_at_random else sorted(range(int(root.size[0])), key=lambda place: root.moves[place])
        values = {int(root.moves[place]): float(value_of(root, place)) for place in places}
        known = {int(root.moves[place]): int(root.known[place]) for place in places}
        report: dict[str, Any] = {
            "iterations": int(run["iterations"].sum()),
            "playouts": int(run["playouts"].sum()),
            "nodes": int(run["nodes"].sum()),
            "positions": int(run["positions"].sum()),
            "depth": int(run["depth"].max()),
            "value": values.get(chosen, self.agent.value_of_unvisited if places else None),
            "visits": {int(root.moves[place]): int(root.visits[place]) for place in places},
            "values": values,
        }
        if options.proven:
            names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
            report["proven"] = {move: names[result] for move, result in known.items() if result != ONGOING}
        report["seconds"] = clock.perf_counter() - since
        is_points = options.score == "result" or known.get(chosen, ONGOING) != ONGOING
        return Decision(chosen, report["value"] if is_points else None, report)
