"""Monte Carlo tree search (UCT): simulated games from the position, which return to the moves that have done well so far.

By default the agent of the Quixo study: a child i of a state is chosen for the highest (1 − wᵢ/nᵢ) + √(2 ln N / nᵢ), one
uniformly random new child is explored per iteration and played out at random, and the move made has the lowest wᵢ/nᵢ.
"""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.alarm import alarm
from ludometer.core.agent import Agent, AgentKind, Decision, Option, Player
from ludometer.core.errors import SpecError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, LOSS, ONGOING, WIN
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.mcts_kernels import MctsMind
    from ludometer.core.position import Position

AGENT = AgentKind(
    name="mcts",
    title="Monte Carlo tree search",
    home="ludometer.agents.mcts:MctsAgent",
    main="iterations",
    options=(
        Option("iterations", 1000, "simulated games per move; 0: random moves", least=0, most=10**9, outside=100_000),
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


class MctsAgent(Agent):
    """Searches anew for every move; with `reuse` its players go on with the tree of their last one."""

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
        from ludometer.agents.mcts_kernels import Settings

        self.iterations = iterations
        self.threads = threads
        self.time = time
        self.settings = Settings(
            iterations=iterations,
            exploration=round(c * c, 12),  # the default is √2, and its square is to be 2
            playouts=playouts,
            by_margin=int(score == "margin"),
            by_visits=int(choice == "visits"),
            proven=int(proven),
            reuse=int(reuse),
            nanoseconds=int(time * 1e9),
        )
        self._slots = self._slots_for(max(1, memory * 2**20 // (threads * (2 if reuse else 1))), -(-iterations // threads))
        if time:
            self._prepare()

    def _slots_for(self, share: int, iterations: int) -> int:
        """Slots per tree: as many as its iterations can use, as far as its share of the memory goes."""
        from ludometer.agents.mcts_kernels import BYTES_PER_SLOT

        widest = self.game.move_bound
        enough = share // BYTES_PER_SLOT if self.time or self.settings.reuse else 1 + iterations * widest
        return max(1 + 2 * widest, min(enough, share // BYTES_PER_SLOT, 2**31 - 1))

    def _prepare(self) -> None:
        """Compile ahead: it must not take the time of the first move."""
        start = self.game.start()
        at_once = Stop()
        at_once.ask()
        if not start.is_over:
            self.player(start).choose(start, np.uint64(0), at_once)

    def mind(self, stop: Stop | None = None) -> MctsMind | None:
        """A player for compiled games; None for several trees, and where only Python can see the clock that limits it."""
        from ludometer.core.clock import HAS_CLOCK

        return self._new_mind(stop) if self.threads == 1 and (HAS_CLOCK or not self.time) else None

    def _new_mind(self, stop: Stop | None = None) -> MctsMind:
        from ludometer.agents import mcts_kernels as kernels

        try:
            trees = kernels.empty_tree(self._slots), kernels.empty_tree(self._slots if self.settings.reuse else 0)
        except MemoryError:
            raise SpecError(f"agent {self.spec}: there is no room here for a tree of {self._slots:,} slots; give less memory=…") from None
        growth = np.zeros(1, kernels.GROWTH)
        growth["node"] = kernels.NOWHERE
        return kernels.MctsMind(
            settings=self.settings,
            trees=trees,
            growth=growth,
            root=kernels.empty_root(self.game.move_bound),
            bounds=np.empty(self.game.move_bound),
            stop=(stop or Stop()).flag,
        )

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> MctsPlayer:
        return MctsPlayer(self, start or self.game.start(), side, ply_limit)


class MctsPlayer(Player):
    """Grows its trees at every move; with `reuse` it follows the game through them."""

    agent: MctsAgent

    def __init__(self, agent: MctsAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        self.minds = [agent._new_mind() for _ in range(agent.threads)]
        self._here = start
        self._ply = 0

    def observe(self, move: int, after: Position) -> None:
        if self.agent.settings.reuse:
            from ludometer.core.mind import tell_move

            for mind in self.minds:
                tell_move(self.agent.game.rules, mind, self._here.state, move, after.state)
        self._here = after
        self._ply += 1

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        since = clock.perf_counter()
        with alarm(self.agent.time, stop) as asked:
            minds = [mind._replace(stop=asked.flag) for mind in self.minds]
            move = self._decide_alone(minds[0], position, key) if len(minds) == 1 else self._decide_together(minds, position, key)
        return self._decision(minds, move, since)

    def _plies_left(self) -> int:
        from ludometer.core.mind import FOR_EVER

        return FOR_EVER if self.ply_limit is None else self.ply_limit - self._ply

    def _decide_alone(self, mind: MctsMind, position: Position, key: np.uint64) -> int:
        from ludometer.core.mind import ask

        game = self.agent.game
        buffer = np.empty(game.move_bound, np.int32)
        return int(ask(game.rules, mind, position.state, self._plies_left(), np.uint64(key), buffer))

    def _decide_together(self, minds: list[MctsMind], position: Position, key: np.uint64) -> int:
        """What the trees say together, each grown in a thread by its share of the iterations and with a key of its own."""
        from ludometer.agents.mcts_kernels import gather, grow_tree, preferred
        from ludometer.core.random import stream

        game, root = self.agent.game, minds[0].root
        root.size[0] = 0
        if self.agent.iterations == 0 and not self.agent.time:
            return self._decide_alone(minds[0], position, key)

        def run(number: int) -> None:
            share = len(range(number, self.agent.iterations, len(minds)))
            if share or self.agent.time:
                buffer = np.empty(game.move_bound, np.int32)
                tree_key = stream(int(key), number)
                grow_tree(game.rules, minds[number], position.state, self._plies_left(), tree_key, share, buffer)
                grown.append(number)

        grown: list[int] = []
        with ThreadPoolExecutor(len(minds)) as pool:
            list(pool.map(run, range(len(minds))))
        for number in sorted(grown):
            gather(minds[number], root)
        return int(root.moves[preferred(root, self.agent.settings.by_visits)])

    def _decision(self, minds: list[MctsMind], chosen: int, since: float) -> Decision:
        from ludometer.agents.mcts_kernels import value_of

        settings, root = self.agent.settings, minds[0].root
        growth = np.concatenate([mind.growth for mind in minds])
        is_random = self.agent.iterations == 0 and not self.agent.time
        places = [] if is_random else sorted(range(int(root.size[0])), key=lambda place: root.moves[place])
        values = {int(root.moves[place]): float(value_of(root, place)) for place in places}
        known = {int(root.moves[place]): int(root.known[place]) for place in places}
        report: dict[str, Any] = {
            "iterations": int(growth["iterations"].sum()),
            "playouts": int(growth["playouts"].sum()),
            "nodes": int(growth["nodes"].sum()),
            "positions": int(growth["positions"].sum()),
            "depth": int(growth["depth"].max()),
            "value": values.get(chosen),
            "visits": {int(root.moves[place]): int(root.visits[place]) for place in places},
            "values": values,
        }
        if settings.proven:
            names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
            report["proven"] = {move: names[result] for move, result in known.items() if result != ONGOING}
        report["seconds"] = clock.perf_counter() - since
        is_points = not settings.by_margin or known.get(chosen, ONGOING) != ONGOING
        return Decision(chosen, values.get(chosen) if is_points else None, report)
