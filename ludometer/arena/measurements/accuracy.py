"""Move accuracy: how often an agent's move is one that a perfect player could make.

    judged = Judging.of("quixo:4", "mcts:100", seed=1)
    accuracy(store.arrays(store.series(judged.key()), 1000))

Unit i of the series is one position: a random state in which the game goes on, the agent's move there, and its value by the exact
solution.  A move is right *leniently* if it keeps the value of the position, and *strictly* if it also wins as fast or loses as slowly
as possible.  The *value lost* is the difference in points (win 1, draw ½, loss 0) between the best move and the one made.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents import AgentLike
from ludometer.arena.measurements.random_states import random_states, states_text
from ludometer.arena.measurements.single_agent import OneAgent
from ludometer.arena.measurements.solutions import solution_of
from ludometer.arena.play.compiled_games import position_of
from ludometer.arena.play.roster import agent_named, enter
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.work.series import MeasuredUnits
from ludometer.core.agent import Agent, Decision
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.games import game as find_game

if TYPE_CHECKING:
    from ludometer.solvers.solution import Solution


@dataclass(frozen=True)
class Judging(OneAgent):
    """Series of an agent's moves at random positions of a solved game, named by specs so that another process can do the work."""

    game: str
    agent: str
    seed: int = 0
    tables: str = ""  # folder with the solution; "": the user's, or solved on the spot

    @classmethod
    def of(cls, game: Game | str, agent: AgentLike, seed: int = 0, tables: str = "") -> Judging:
        """The series with canonical specs; raises LudometerError for a game without an exact solution."""
        game = find_game(game)
        solution_of(game.reference, tables)
        return cls(game.reference, enter(game, agent), seed, tables)

    def key(self) -> dict[str, Any]:
        """Everything that the results depend on, for the store."""
        return self.key_of("judged position", seed=self.seed, states=states_text(find_game(self.game)))

    def __str__(self) -> str:
        return f"{self.agent} at positions of {find_game(self.game).spec}"

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> MeasuredUnits:
        """Judge the moves at positions `first` … `first + count − 1`; raises Stopped once asked."""
        began = time.perf_counter()
        game, agent, solution = find_game(self.game), agent_named(self.game, self.agent), solution_of(self.game, self.tables)
        self._warm(game, agent)
        kept = {name: np.zeros(count, kind) for name, kind in _ARRAYS.items()}
        for place, row in enumerate(random_states(game, self.seed, first, first + count)):
            position = position_of(game, row)
            since = time.perf_counter()
            decision = agent.choose(position, stream(self.seed, "judged", first + place), stop)
            if stop is not None:
                stop.check("the judging of moves")
            kept["seconds"][place] = time.perf_counter() - since
            if not isinstance(decision, Decision):
                raise LudometerError(f"agent {agent} gives no move at {position}")
            kept["positions"][place] = np.nan if decision.positions is None else decision.positions
            kept["keeps"][place], kept["best"][place], kept["lost"][place], kept["margin"][place] = judge(solution, position, decision.move)
        return MeasuredUnits(kept, time.perf_counter() - began)

    def _warm(self, game: Game, agent: Agent) -> None:
        """Compile or load what `choose` calls before time is measured."""
        agent.choose(position_of(game, random_states(game, self.seed, 0, 1)[0]), stream(self.seed, "judged", 0))


_ARRAYS = {
    "keeps": np.uint8,  # 1: right leniently
    "best": np.uint8,  # 1: right strictly
    "lost": np.float32,  # points lost
    "margin": np.float32,  # of the final score lost, in scored games
    "positions": np.float32,  # visited for the decision; NaN if the agent does not report it
    "seconds": np.float32,
}


def judge(solution: Solution, position: Position, move: int) -> tuple[bool, bool, float, int]:
    """Whether a move is right leniently, whether strictly, and the points and the margin it loses."""
    probe = solution.probe(position)
    made, best = dict(probe.moves)[move], dict(probe.moves)[probe.best[0]]
    margin = best.margin - made.margin if best.margin is not None and made.margin is not None else 0
    return move in probe.keeping, move in probe.best, (best.outcome - made.outcome) / 2, margin


@dataclass(frozen=True)
class Accuracy:
    """Shares of right moves and points lost per move, with 95 % intervals unless made with another `alpha`."""

    positions: int
    lenient: float
    lenient_interval: Interval
    strict: float | None  # None if the solution has no distances
    strict_interval: Interval | None
    lost: float  # points per move
    lost_interval: Interval
    margin_lost: float | None  # of the final score per move, in scored games
    margin_lost_interval: Interval | None
    seconds_per_move: float
    positions_per_move: float | None

    def document(self) -> dict[str, Any]:
        """JSON object with the fields; an interval is a list of its ends."""
        return {name: value.document() if isinstance(value, Interval) else value for name, value in vars(self).items()}

    def __str__(self) -> str:
        from ludometer.view.results.measurements import accuracy_text

        return accuracy_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.measurements import accuracy_html

        return accuracy_html(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each measure: value, low, high; needs pandas."""
        return data_frame(
            {"measure": name, "value": value, "low": None if ends is None else ends.low, "high": None if ends is None else ends.high}
            for name, value, ends in self.measures()
        )

    def measures(self) -> list[tuple[str, float, Interval | None]]:
        """(name, value, interval) of the measures that are known."""
        rows = (
            ("lenient", self.lenient, self.lenient_interval),
            ("strict", self.strict, self.strict_interval),
            ("lost", self.lost, self.lost_interval),
            ("margin_lost", self.margin_lost, self.margin_lost_interval),
            ("seconds_per_move", self.seconds_per_move, None),
            ("positions_per_move", self.positions_per_move, None),
        )
        return [(name, value, ends) for name, value, ends in rows if value is not None]


def accuracy(units: Mapping[str, np.ndarray], scored: bool, has_distances: bool, alpha: float = 0.05) -> Accuracy:
    """Accuracy from the independent units of a `Judging`; raises LudometerError without a unit."""
    from ludometer.arena.statistics.match_statistics import clopper_pearson
    from ludometer.arena.statistics.means import mean_interval
    from ludometer.arena.statistics.pair_bounds import score_interval

    count = len(units["keeps"])
    if not count:
        raise LudometerError("no move was judged")
    right, best = int(units["keeps"].sum()), int(units["best"].sum())
    lost = np.bincount(np.rint(4 * units["lost"]).astype(np.int64), minlength=5)
    visited = float(np.mean(units["positions"], dtype=np.float64))
    strict = best / count if has_distances else None
    return Accuracy(
        positions=count,
        lenient=right / count,
        lenient_interval=clopper_pearson(right, count, alpha),
        strict=strict,
        strict_interval=None if strict is None else clopper_pearson(best, count, alpha),
        lost=float(np.mean(units["lost"], dtype=np.float64)),
        lost_interval=score_interval(lost, alpha),
        margin_lost=float(np.mean(units["margin"], dtype=np.float64)) if scored else None,
        margin_lost_interval=mean_interval(units["margin"], alpha) if scored else None,
        seconds_per_move=float(np.mean(units["seconds"], dtype=np.float64)),
        positions_per_move=None if np.isnan(visited) else visited,
    )
