"""Monte Carlo tree search (UCT): simulated games from the position, which return to the moves that have done well so far.

A child i of a state is chosen for the highest (1 − wᵢ/nᵢ) + c √(ln N / nᵢ), one uniformly random new child is explored per iteration
and played out at random.  By default results are proven where they can be, the tree is kept for the next move, and the move made is the one
most visited: the settings that did best over all games (docs/agents-learning.md).  `study=` names other sets.
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
    from ludometer.agents.mcts_table_kernels import TableMind, TableSettings
    from ludometer.core.position import Position

_KEPT = 32  # moves whose iterations a kept tree has room for: few of them go into the part that is kept

# The tree search of textbooks, and of the text of the Quixo study.
TEXTBOOK = (("c", 2**0.5), ("choice", "value"), ("proven", False), ("reuse", False))

# What the program of the Quixo study did, said or not said in its text.
QUIXO_STUDY = (
    *TEXTBOOK,
    ("statistics", "boards"),
    ("enter", "all"),
    ("doubled", True),
    ("ties", "random"),
    ("untried", "half"),
    ("horizon", 1000),
)

AGENT = AgentKind(
    name="mcts",
    title="Monte Carlo tree search",
    home="ludometer.agents.mcts:MctsAgent",
    main="iterations",
    options=(
        Option("iterations", 1000, "simulated games per move; 0: random moves", least=0, most=10**9, outside=100_000),
        Option("c", 0.3, "exploration constant", least=0.0, most=1e6, outside=True),
        Option("choice", "visits", "the move made has the most visits or the best value", choices=("value", "visits")),
        Option("proven", True, "prove wins and losses in the tree (MCTS-Solver) and rely on them"),
        Option("reuse", True, "keep the part of the tree that is still of use for the next move"),
        Option("playouts", 1, "random playouts per iteration", least=1, most=10**6, outside=10),
        Option("score", "result", "what a playout counts: its result, or the margin too", choices=("result", "margin")),
        Option(
            "statistics",
            "nodes",
            "what shares visits and points: nothing, equal states, or equal boards",
            choices=("nodes", "states", "boards"),
        ),
        Option("enter", "one", "states of a playout that are entered: the first one or all", choices=("one", "all")),
        Option("doubled", False, "count visits twice in the upper confidence bound"),
        Option("ties", "first", "which of equal children and moves is taken", choices=("first", "random")),
        Option("untried", "never", "a move not explored is never made, or counts as half a point", choices=("never", "half")),
        Option(
            "horizon", 0, "positions after which an iteration is drawn; 0: as the game that is played", least=0, most=10_000, outside=1000
        ),
        Option(
            "study",
            "none",
            "settings under one name: the textbook's, or those of the Quixo study's program",
            choices=("none", "textbook", "quixo"),
            implies=(("textbook", TEXTBOOK), ("quixo", QUIXO_STUDY)),
        ),
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
        statistics: str,
        enter: str,
        doubled: bool,
        ties: str,
        untried: str,
        horizon: int,
        study: str,
        threads: int,
        time: float,
        memory: int,
    ) -> None:
        super().__init__(game, spec)
        from ludometer.agents.mcts_kernels import Settings

        self.iterations = iterations
        self.threads = threads
        self.time = time
        exploration = round(c * c, 12)  # the square of √2 is to be 2
        of_table = {"statistics": statistics, "enter": enter, "doubled": doubled, "ties": ties, "untried": untried, "horizon": horizon}
        self.table = self._table_settings(of_table, exploration, choice, reuse)
        if self.table is not None:
            of_tree = {"proven": proven, "playouts": playouts, "score": score, "threads": threads}
            self._refuse_options_of_trees(of_tree, of_table)
        self.settings = Settings(
            iterations=iterations,
            exploration=exploration,
            playouts=playouts,
            by_margin=int(score == "margin"),
            by_visits=int(choice == "visits"),
            proven=int(proven),
            reuse=int(reuse),
            nanoseconds=int(time * 1e9),
        )
        share = max(1, memory * 2**20 // (threads * (2 if reuse and self.table is None else 1)))
        self._slots = self._slots_for(share, -(-iterations // threads))
        self._entries = self._entries_for(share)
        if time:
            self._prepare()

    def _table_settings(self, of_table: dict[str, Any], exploration: float, choice: str, reuse: bool) -> TableSettings | None:
        """Settings of a search with a table; None if every option is as in a tree."""
        if of_table == {name: AGENT.option(name).default for name in of_table}:
            return None
        from ludometer.agents import mcts_table_kernels as kernels

        return kernels.TableSettings(
            iterations=self.iterations,
            exploration=exploration,
            shared={"nodes": kernels.NODES, "states": kernels.STATES, "boards": kernels.BOARDS}[of_table["statistics"]],
            enter_all=int(of_table["enter"] == "all"),
            doubled=int(of_table["doubled"]),
            ties_at_random=int(of_table["ties"] == "random"),
            untried_half=int(of_table["untried"] == "half"),
            horizon=of_table["horizon"],
            by_visits=int(choice == "visits"),
            reuse=int(reuse),
            nanoseconds=int(self.time * 1e9),
        )

    def _refuse_options_of_trees(self, of_tree: dict[str, Any], of_table: dict[str, Any]) -> None:
        """Raise SpecError for what only a tree can do."""
        plain = {"proven": False, "playouts": 1, "score": "result", "threads": 1}
        for name, value in of_tree.items():
            if value != plain[name]:
                option = AGENT.option(name)
                cause = next(other for other, chosen in of_table.items() if chosen != AGENT.option(other).default)
                setting = f"{cause}={AGENT.option(cause).format(of_table[cause])}"
                raise SpecError(
                    f"agent mcts: {name}={option.format(value)} does not go with {setting}; write {name}={option.format(plain[name])}"
                )

    def _slots_for(self, share: int, iterations: int) -> int:
        """Slots per tree: as many as its iterations can use, as far as its share of the memory goes."""
        from ludometer.agents.mcts_kernels import BYTES_PER_SLOT

        widest = self.game.move_bound
        kept = _KEPT if self.settings.reuse else 1
        enough = share // BYTES_PER_SLOT if self.time else 1 + kept * iterations * widest
        return max(1 + 2 * widest, min(enough, share // BYTES_PER_SLOT, 2**31 - 1))

    def _entries_for(self, share: int) -> int:
        """Entries of a table: as many as its iterations can use, as far as the memory goes."""
        if self.table is None:
            return 0
        from ludometer.agents.mcts_table_kernels import BYTES_PER_ENTRY, LONGEST

        widest = self.game.move_bound
        enough = share if self.time or self.table.reuse else 1 + self.iterations * (widest + (LONGEST if self.table.enter_all else 1))
        return max(1 + 2 * widest, min(enough, share // BYTES_PER_ENTRY, 2**29))

    def _prepare(self) -> None:
        """Compile ahead: it must not take the time of the first move."""
        start = self.game.start()
        at_once = Stop()
        at_once.ask()
        if not start.is_over:
            self.player(start).choose(start, np.uint64(0), at_once)

    def mind(self, stop: Stop | None = None) -> MctsMind | TableMind | None:
        """A player for compiled games; None for several trees, and where only Python can see the clock that limits it."""
        from ludometer.core.compiling.clock import HAS_CLOCK

        return self._new_mind(stop) if self.threads == 1 and (HAS_CLOCK or not self.time) else None

    def _new_mind(self, stop: Stop | None = None) -> MctsMind | TableMind:
        return self._new_tree(stop) if self.table is None else self._new_table(stop)

    def _new_table(self, stop: Stop | None) -> TableMind:
        from ludometer.agents import mcts_kernels, mcts_table_kernels

        try:
            table = mcts_table_kernels.empty_table(self._entries, self.game.move_bound)
        except MemoryError:
            raise SpecError(
                f"agent {self.spec}: there is no room here for a table of {self._entries:,} entries; give less memory=…"
            ) from None
        growth = np.zeros(1, mcts_kernels.GROWTH)
        growth["node"] = mcts_kernels.NOWHERE
        assert self.table is not None
        root = mcts_kernels.empty_root(self.game.move_bound)
        return mcts_table_kernels.TableMind(self.table, table, growth, root, (stop or Stop()).flag)

    def _new_tree(self, stop: Stop | None) -> MctsMind:
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
            from ludometer.core.compiling.compiled_player import tell_move

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
        from ludometer.core.compiling.compiled_player import FOR_EVER

        return FOR_EVER if self.ply_limit is None else self.ply_limit - self._ply

    def _decide_alone(self, mind: MctsMind | TableMind, position: Position, key: np.uint64) -> int:
        from ludometer.core.compiling.compiled_player import ask

        game = self.agent.game
        buffer = np.empty(game.move_bound, np.int32)
        return int(ask(game.rules, mind, position.state, self._plies_left(), np.uint64(key), buffer))

    def _decide_together(self, minds: list[MctsMind | TableMind], position: Position, key: np.uint64) -> int:
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

    def _decision(self, minds: list[MctsMind | TableMind], chosen: int, since: float) -> Decision:
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
            "value": values.get(chosen, 0.5 if places and self.agent.table else None),  # a move not explored counts as half a point
            "visits": {int(root.moves[place]): int(root.visits[place]) for place in places},
            "values": values,
        }
        if settings.proven:
            names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
            report["proven"] = {move: names[result] for move, result in known.items() if result != ONGOING}
        report["seconds"] = clock.perf_counter() - since
        is_points = not settings.by_margin or known.get(chosen, ONGOING) != ONGOING
        return Decision(chosen, report["value"] if is_points else None, report)
