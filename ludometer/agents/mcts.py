"""Monte Carlo tree search (UCT): simulated games from the position, which return to the moves that have done well so far.

By default the agent of the Quixo study: a child i of a state is chosen for the highest (1 − wᵢ/nᵢ) + √(2 ln N / nᵢ), one
uniformly random new child is explored per iteration and played out at random, and the move made has the lowest wᵢ/nᵢ.
"""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Option
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN

if TYPE_CHECKING:
    from ludometer.core.position import Position

AGENT = AgentKind(
    name="mcts",
    title="Monte Carlo tree search",
    home="ludometer.agents.mcts:MctsAgent",
    main="iterations",
    options=(
        Option("iterations", 1000, "simulated games per move", least=1, most=10**9, outside=100_000),
        Option("c", 2**0.5, "exploration constant", least=0.0, most=1e6, outside=True),
        Option("choice", "value", "the move made has the best value or the most visits", choices=("value", "visits")),
        Option("proven", False, "prove wins and losses in the tree (MCTS-Solver) and rely on them"),
        Option("reuse", False, "keep the part of the tree that is still of use for the next move"),
        Option("playouts", 1, "random playouts per iteration", least=1, most=10**6, outside=10),
        Option("score", "result", "what a playout counts: its result, or the margin too", choices=("result", "margin")),
        Option("threads", 1, "trees grown at the same time and added up", least=1, most=256),
        Option("time", 0.0, "seconds per move instead of a number of iterations", least=0.0, most=1e6, outside=10.0),
        Option("memory", 512, "megabytes for the trees; full trees stop growing", least=1, most=2**20, outside=512),
    ),
)

_MOST_ITERATIONS = 2**31 - 2  # visits are counted in 32 bits
_RESERVE = 0.002  # seconds kept for putting the answer together when time is limited
_STRETCH = 0.002  # seconds between two looks at the clock


@dataclass
class Statistics:
    """What is known of a move at the root, all trees together."""

    visits: int = 0
    points: float = 0.0  # of the player who makes the move
    known: int = ONGOING  # the proven outcome for that player

    @property
    def value(self) -> float:
        """The player's expected points: 1 is a win, ½ a draw."""
        return 1.0 - (self.visits - self.points) / self.visits if self.known == ONGOING else 0.5 + 0.5 * self.known


class Sapling:
    """One tree: its arrays, and what is counted while it grows."""

    def __init__(self, slots: int, reuse: bool) -> None:
        from ludometer.agents import mcts_kernels

        self.tree = mcts_kernels.empty_tree(slots)
        self.spare = mcts_kernels.empty_tree(slots if reuse else 0)
        self.clear()

    def clear(self) -> None:
        """Count from nothing: the tree is a root alone."""
        self.used = self.nodes = 1
        self.kept = 0  # visits of the root that earlier moves have left
        self.iterations = self.playouts = self.depth = 0


class MctsAgent(Agent):
    """Searches anew for every move; with `reuse` it goes on with the tree of its last one."""

    def __init__(
        self,
        game: Game,
        spec: str,
        iterations: int,
        c: float,
        choice: str,
        proven: bool,
        reuse: bool,
        playouts: int,
        score: str,
        threads: int,
        time: float,
        memory: int,
    ) -> None:
        super().__init__(game, spec)
        self.iterations = iterations
        self.exploration = round(c * c, 12)  # the default is √2, and its square is to be 2
        self.by_visits = choice == "visits"
        self.proven = proven
        self.reuse = reuse
        self.playouts = playouts
        self.by_margin = score == "margin"
        self.time = time
        share = max(1, memory * 2**20 // (threads * (2 if reuse else 1)))
        slots = self._slots_for(share, -(-iterations // threads))
        self._trees = [Sapling(slots, reuse) for _ in range(threads)]
        self._before: Position | None = None  # the root of the trees, when they may be reused …
        self._made = -1  # … and the move made there
        if time:
            self._prepare()

    def _slots_for(self, share: int, iterations: int) -> int:
        """Slots per tree: as many as its iterations can use, as far as its share of the memory goes."""
        from ludometer.agents.mcts_kernels import BYTES_PER_SLOT

        widest = self.game.move_bound
        enough = share // BYTES_PER_SLOT if self.time or self.reuse else 1 + iterations * widest
        return max(1 + 2 * widest, min(enough, share // BYTES_PER_SLOT, 2**31 - 1))

    def _prepare(self) -> None:
        """Compile ahead: it must not take the time of the first move."""
        position = self.game.start()
        if not position.is_over:
            self._begin_search(position)
            for number in range(len(self._trees)):
                self._grow(self._trees[number], position, np.uint64(number), 2)
            self._gather(position)
        self.begin()

    def begin(self) -> None:
        self._before = None

    def choose(self, position: Position, key: np.uint64, stop: Any = None) -> Decision:
        from ludometer.core.random import stream

        since = clock.perf_counter()
        deadline = since + self.time - _RESERVE if self.time else None
        self._begin_search(position)
        if deadline is not None and len(position.legal) == 1:
            deadline = since  # nothing to think about
        keys = [stream(int(key), number) for number in range(len(self._trees))]
        if len(self._trees) == 1:
            self._run(self._trees[0], position, keys[0], self.iterations, deadline)
        else:
            shares = [len(range(number, self.iterations, len(self._trees))) for number in range(len(self._trees))]
            with ThreadPoolExecutor(len(self._trees)) as pool:
                list(pool.map(self._run, self._trees, [position] * len(keys), keys, shares, [deadline] * len(keys)))
        moves = self._gather(position)
        decision = self._decision(moves, since)
        self._before = position if self.reuse else None
        self._made = decision.move
        return decision

    def _run(self, sapling: Sapling, position: Position, key: np.uint64, iterations: int, deadline: float | None) -> None:
        """Grow one tree by so many iterations, or until the deadline but by one at least."""
        if deadline is None:
            if iterations:
                self._grow(sapling, position, key, iterations)
            return
        stretch = 1
        while sapling.kept + sapling.iterations + stretch < _MOST_ITERATIONS:
            begin = clock.perf_counter()
            if self._grow(sapling, position, key, stretch) < stretch:
                return
            end = clock.perf_counter()
            if end >= deadline:
                return
            each = max((end - begin) / stretch, 1e-8)
            stretch = max(1, min(2 * stretch, int(min(_STRETCH, (deadline - end) / 2) / each)))

    def _grow(self, sapling: Sapling, position: Position, key: np.uint64, count: int) -> int:
        """Run the next `count` iterations of a tree; returns how many it took to prove the result, or `count`."""
        from ludometer.agents.mcts_kernels import search

        widest = self.game.move_bound
        count = min(count, _MOST_ITERATIONS - sapling.kept - sapling.iterations)
        used, run, nodes, playouts, depth = search(
            self.game.rules,
            position.state,
            sapling.tree,
            sapling.used,
            key,
            sapling.iterations,
            sapling.iterations + count,
            self.exploration,
            self.playouts,
            self.game.kind.ply_limit or 0,
            self.by_margin,
            self.proven,
            np.empty(widest, np.int32),
            np.empty(widest, np.float64),
        )
        sapling.used = int(used)
        sapling.iterations += int(run)
        sapling.nodes += int(nodes)
        sapling.playouts += int(playouts)
        sapling.depth = max(sapling.depth, int(depth))
        return int(run)

    def _begin_search(self, position: Position) -> None:
        """Make the position the root of every tree, with what a tree already knows of it."""
        from ludometer.agents.mcts_kernels import keep_subtree, plant

        for sapling in self._trees:
            found = -1 if self._before is None else self._node_of(sapling, self._before, position)
            sapling.clear()
            if found < 0:
                plant(self.game.rules, position.state, sapling.tree)
            else:
                sapling.used, sapling.nodes = (int(count) for count in keep_subtree(sapling.tree, found, sapling.spare))
                sapling.tree, sapling.spare = sapling.spare, sapling.tree
                sapling.kept = int(sapling.tree.visits[0])

    def _node_of(self, sapling: Sapling, before: Position, position: Position) -> int:
        """The node of the position in a tree whose root is the agent's last one, or −1."""
        from ludometer.agents.mcts_kernels import find_reply

        if before.player != position.player:
            return -1
        rooms = np.empty(sapling.used, np.int32), np.empty(sapling.used, np.int32)
        return int(find_reply(self.game.rules, before.state, sapling.tree, self._made, np.uint64(position.key), *rooms))

    def _gather(self, position: Position) -> dict[int, Statistics]:
        """What the trees say about each move explored, in the order of exploration."""
        moves: dict[int, Statistics] = {}
        for sapling in self._trees:
            tree = sapling.tree
            if tree.explored[0] == 0:
                continue
            for child in range(int(tree.first[0]), int(tree.first[0] + tree.explored[0])):
                found = moves.setdefault(int(tree.move[child]), Statistics())
                visits, points, known = int(tree.visits[child]), float(tree.points[child]), int(tree.result[child])
                turned = tree.player[child] != position.player
                found.visits += visits
                found.points += visits - points if turned else points
                if self.proven and known != ONGOING:
                    found.known = -known if turned else known
        return moves

    def _decision(self, moves: dict[int, Statistics], since: float) -> Decision:
        def preference(move: int) -> tuple[Any, ...]:
            known, value, visits = moves[move].known, moves[move].value, moves[move].visits
            certainty = {WIN: 1, LOSS: -1}.get(known, 0)
            return (certainty, visits, value) if self.by_visits or certainty else (certainty, value)

        chosen = max(moves, key=preference)
        report: dict[str, Any] = {
            "iterations": sum(sapling.iterations for sapling in self._trees),
            "playouts": sum(sapling.playouts for sapling in self._trees),
            "nodes": sum(sapling.nodes for sapling in self._trees),
            "depth": max(sapling.depth for sapling in self._trees),
            "value": moves[chosen].value,
            "visits": {move: moves[move].visits for move in sorted(moves)},
            "values": {move: moves[move].value for move in sorted(moves)},
        }
        if self.proven:
            names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
            report["proven"] = {move: names[moves[move].known] for move in sorted(moves) if moves[move].known != ONGOING}
        report["seconds"] = clock.perf_counter() - since
        return Decision(chosen, moves[chosen].value, report)
