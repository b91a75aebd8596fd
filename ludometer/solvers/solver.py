"""What a solver is to the rest of the package.  Loads no compiler."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ludometer.core.errors import LudometerError
from ludometer.solvers.options import Abilities, SolveOptions, VerifyOptions

if TYPE_CHECKING:
    from pathlib import Path

    from ludometer.core.game import Game
    from ludometer.core.position import Position
    from ludometer.solvers.check_findings import Findings
    from ludometer.solvers.forecasts import Forecast
    from ludometer.solvers.solution import Solution


class NotAble(LudometerError):
    """A game whose structure, as found out while solving, is not one that this solver takes."""


class Solver(ABC):
    """A way of solving games.  A subclass declares `layouts` and `devices`, loads its modules inside the methods, and joins
    `routing.SOLVERS`.
    """

    layouts: frozenset[str]  # of its tables in folders
    devices: Mapping[str, Abilities]  # what it supports on each device; the keys are the devices it knows

    @abstractmethod
    def is_able(self, game: Game) -> bool:
        """True if it solves games of this structure, whatever their size."""

    @abstractmethod
    def forecast(self, game: Game, options: SolveOptions, measure: bool) -> Forecast:
        """What `solve` will take; `measure`: run a short trial for the time.  Raises OptionError for too little memory."""

    @abstractmethod
    def solve(self, game: Game, options: SolveOptions) -> Solution:
        """Solve a game with options that `check_options` has accepted; raises LudometerError, Stopped.

        Raises NotAble if another solver should try.
        """

    @abstractmethod
    def open(self, folder: Path, game: Game) -> Solution:
        """The solution kept in a folder; raises TableError."""

    @abstractmethod
    def verify(self, solution: Solution, options: VerifyOptions) -> tuple[int, Findings]:
        """(entries checked, errors): every entry, or a sample, compared with its successors.  Raises OptionError, Stopped."""

    def solve_small(self, game: Game, most: int, options: SolveOptions) -> Solution | None:
        """Solve a game whose forecast has no number of entries, in memory; None if it has more than `most` positions.  Raises NotAble."""
        return None

    def predecessors(self, position: Position) -> list[tuple[int, Position]]:
        """(move, position before it) of every legal move that leads to this position; raises LudometerError if there is no way to tell."""
        raise LudometerError(f"predecessors are known for games of tiles only, and {position.game.spec} is none")
