"""Laboratory of measuring functions: the effort, and the experiments of the arena with store, seed and workers set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.studies.entry import NotRun

if TYPE_CHECKING:
    from ludometer.arena.experiments.ladder import Ladder
    from ludometer.arena.experiments.match import MatchResult
    from ludometer.arena.experiments.tournament import TournamentResult
    from ludometer.arena.work.execution import Execution
    from ludometer.arena.work.store import Store
    from ludometer.core.game import Game
    from ludometer.solvers.solution import Solution

Setting = TypeVar("Setting")


@dataclass
class Laboratory:
    """Settings of experiments; with `full` they have the report's own numbers of games, otherwise they take a few seconds each."""

    full: bool = False
    seed: int = 0
    tables: str = ""  # folder with solved games; "": the user's
    kept: Store | None = None  # store of games, so that experiments can be resumed; None: in memory
    workers: int | None = None  # None: one for each core
    stop: Stop = field(default_factory=Stop)
    progress: OnProgress | None = None
    most_games: int | None = None  # of a match or a point of a ladder, in place of the effort's number; even
    shared: dict[str, Any] = field(default_factory=dict)  # measurements that several entries share, by name

    @cached_property
    def store(self) -> Store:
        """Store of all games of this laboratory."""
        from ludometer.arena.work.store import Store

        return self.kept or Store.in_memory()

    @property
    def execution(self) -> Execution:
        """How all experiments of this laboratory are executed."""
        from ludometer.arena.work.execution import Execution

        return Execution(self.store, self.workers, progress=self.progress, stop=self.stop)

    def once(self, name: str, measure: Callable[[], Setting]) -> Setting:
        """Result of `measure`, computed on the first call with this name."""
        if name not in self.shared:
            self.shared[name] = measure()
        found: Setting = self.shared[name]
        return found

    def pick(self, quick: Setting, full: Setting) -> Setting:
        """`full` or `quick`, by the effort."""
        return full if self.full else quick

    def games(self, quick: int, full: int) -> int:
        """Games of a match, or of a point of a ladder."""
        return self.most_games or self.pick(quick, full)

    def only_in_full(self, time: str) -> None:
        """Raise NotRun unless the effort is full; `time` says how long it takes ("20 minutes")."""
        if not self.full:
            raise NotRun(f"takes {time}: --full")

    def match(self, game: Game | str, a: str, b: str, games: int, **options: Any) -> MatchResult:
        """A match whose games are kept; options as of `arena.experiments.match.match`.  Raises Stopped if it is not finished."""
        from ludometer.arena.experiments.match import match

        result = match(game, a, b, games, **{"seed": self.seed, "execution": self.execution, **options})
        self.stop.check("the match")
        return result

    def ladder(self, *games: Game | str, **options: Any) -> Ladder:
        """A ladder whose games are kept; options as of `arena.experiments.ladder.ladder`.  Raises Stopped if it is not finished."""
        from ludometer.arena.experiments.ladder import ladder

        given = {"seed": self.seed, "execution": self.execution, "tables": self.tables}
        result = ladder(*games, **{**given, **options})
        self.stop.check("the ladder")
        return result

    def tournament(self, game: Game | str, *agents: str, **options: Any) -> TournamentResult:
        """All against all; options as of `arena.experiments.tournament.tournament`.  Raises Stopped if it is not finished."""
        from ludometer.arena.experiments.tournament import tournament

        result = tournament(game, agents, **{"seed": self.seed, "execution": self.execution, **options})
        self.stop.check("the tournament")
        return result

    def solution(self, game: Game | str) -> Solution:
        """The exact solution of a game, solved on the spot if it is small; raises NotRun if there is none."""
        from ludometer.core.errors import LudometerError
        from ludometer.games import game as find_game
        from ludometer.solvers import solution_for

        found = find_game(game)
        try:
            return solution_for(found, self.tables or None)
        except LudometerError as error:
            raise NotRun(f"needs the exact solution of {found.spec}: {error}") from error
