"""Solutions made before, each opened once in a process, and small games solved on the spot."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.solvers.options import SolveOptions
from ludometer.solvers.routing import solver_of, solver_of_folder, tried
from ludometer.solvers.solvable import folder_for, tables_root

if TYPE_CHECKING:
    from ludometer.core.stopping import Stop
    from ludometer.solvers.solution import Solution

QUICK_ENTRIES = 20_000_000  # table entries of the largest game that is solved on demand, in seconds
QUICK_POSITIONS = 2_000_000  # one that does not say how many positions it has is explored up to this number

_MOST_OPEN = 8  # solutions held; the one that was asked for longest ago is let go


class _Shared:
    """Solutions by what they are of: several agents, and several threads, ask one object."""

    def __init__(self) -> None:
        self._found: OrderedDict[Any, Solution] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: Any, make: Callable[[], Solution]) -> Solution:
        """The solution kept under this key, or the one `make` gives; a second thread waits for the first."""
        with self._guard:
            found = self._found.pop(key, None) or make()
            self._found[key] = found
            while len(self._found) > _MOST_OPEN:
                self._found.popitem(last=False)
            return found

    def clear(self) -> None:
        with self._guard:
            self._found.clear()


_opened = _Shared()
_solved_here = _Shared()


def open_solution(game: Game | str, tables: str | Path | None = None) -> Solution:
    """Open the solution of a game that was solved into a folder before.

        game      a game or its spec
        tables    the folder; default: the user's

    A folder that has not changed is opened once in a process.  Raises LudometerError if the game has no tables there.

    >>> solved = lm.solve("dots:1x1", tables="solved")
    >>> lm.open_solution("dots:1x1", tables="solved").value(lm.game("dots:1x1").start()).margin
    -1
    """
    from ludometer import games
    from ludometer.solvers.files.table_folders import folder_stamp

    chosen = games.game(game)
    folder = folder_for(chosen, Path(tables).expanduser() if tables is not None else tables_root())
    return _opened.get((folder.absolute(), chosen, folder_stamp(folder)), lambda: solver_of_folder(chosen, folder).open(folder, chosen))


def solution_in(folder: Path) -> Solution:
    """The solution in a folder of one game's tables, whichever game it is; raises TableError."""
    from ludometer import games
    from ludometer.solvers.files.table_folders import read_manifest

    game = games.game(read_manifest(folder)["game"])
    return solver_of_folder(game, folder).open(folder, game)


def solution_for(
    game: Game,
    tables: str | Path | None = None,
    need_distances: bool = False,
    need_values: bool = True,
    progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Solution:
    """What was solved before, or a game solved on the spot if that takes seconds; raises LudometerError otherwise.

    `need_distances`: a solution that does not know them is not enough.  `need_values=False`: totals are enough.
    """
    from ludometer.solvers.files.table_files import MissingTable

    if need_distances and game.kind.scored:
        raise LudometerError(f"{game.spec} is about points: its values have no distance to the end; leave out steps")
    try:
        found = open_solution(game, tables)
    except MissingTable:
        found = None
    lacking = "solved"
    if found is not None:
        if found.keep == "none" and need_values:
            if tables is not None:
                raise LudometerError(f"of {game.spec} only totals were kept in {str(tables)!r}; solve it with values or distances kept")
            lacking = "solved with values kept"
        elif need_distances and not found.has_distances:
            lacking = "solved with distances"
        else:
            return found
    found = _on_the_spot(game, lacking, progress, stop)
    if need_distances and not found.has_distances:
        raise LudometerError(f"{game.spec} is too large for a table: values are found by search, without distances; leave out steps")
    return found


def _on_the_spot(game: Game, lacking: str, progress: OnProgress | None, stop: Stop | None) -> Solution:
    """Kept, because every agent of a match asks for it."""
    from ludometer.solvers.forecasts import forecast
    from ludometer.solvers.solving import solve

    entries = forecast(game, keep="distances").entries
    if entries is None:
        return _solved_here.get(game, lambda: _explored(game, progress, stop))
    if entries > QUICK_ENTRIES:
        raise LudometerError(f"{game.spec} is not {lacking} here; run `ludometer solve {game.spec}` first")
    return _solved_here.get(game, lambda: solve(game, progress=progress, stop=stop))


def _explored(game: Game, progress: OnProgress | None, stop: Stop | None) -> Solution:
    """A game whose size is not known beforehand, if it turns out to be small."""
    from ludometer.core.stopping import Stop
    from ludometer.solvers.background import run_stoppable

    options = SolveOptions(progress=progress, stop=stop or Stop())
    what = f"solving {game.spec}"

    def solved(stop: Stop) -> Solution | None:
        return tried(game, solver_of(game), lambda able: able.solve_small(game, QUICK_POSITIONS, options))

    found = run_stoppable(solved, options.stop, what)
    if found is None:
        raise LudometerError(
            f"{game.spec} has more than {QUICK_POSITIONS:,} positions, too many for solving it on the spot; "
            f"run `ludometer solve {game.spec}` first"
        )
    return found
