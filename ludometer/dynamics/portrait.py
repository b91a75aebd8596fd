"""The portrait of one game: equilibria, elimination, the field with its rest points and paths, and the ends of learners."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.dynamics.basins import Basins, basins
from ludometer.dynamics.dominance import Reduction, check_kind, eliminate
from ludometer.dynamics.equilibria import Equilibria, check_size, equilibria
from ludometer.dynamics.fields import Array, Field, field_of
from ludometer.dynamics.integration import Path, check_rounds, check_state, fictitious_play, integrate, separatrices
from ludometer.dynamics.learners import End, LearnerRuns, LearnerSettings, check_counts, learner_settings, run_learners
from ludometer.dynamics.logit import bifurcation, principal_branch
from ludometer.dynamics.payoffs import GameLike, find_game
from ludometer.dynamics.rest_points import LARGEST_LISTED, RestPoint, rest_points, rest_sets
from ludometer.games.matrix.bimatrix import Bimatrix

DRAWN = ((2, 2), (2, 3), (3, 2), (3, 3))  # sizes of games that are drawn
_PATHS, _PATH_POINTS = 6, 601
_FINE_MARKS, _COARSE_MARKS, _FINE_RUNS = (
    401,
    101,
    2_000,
)  # points kept of each run; the finer grid is for few runs


@dataclass(frozen=True)
class Portrait:
    """One game with one dynamics; prints, draws and writes itself."""

    game: Bimatrix
    spec: str
    equilibria: Equilibria
    reduction: Reduction
    field: Field
    rest_points: list[RestPoint]
    starts: list[Array]  # of the paths
    duration: float
    rounds: int = 0  # of fictitious play
    playing: Future[LearnerRuns] | None = None  # learners, which may still be running

    @cached_property
    def runs(self) -> LearnerRuns | None:
        """The runs of the learners, once they have finished; None without learners."""
        return None if self.playing is None else self.playing.result()

    @cached_property
    def paths(self) -> list[Path]:
        """Where the field leads from each start."""
        return [integrate(self.field, start, self.duration, _PATH_POINTS, 1e-8) for start in self.starts]

    @property
    def rest_points_complete(self) -> bool:
        """Whether all rest points that stand alone (of Boltzmann dynamics: those inside) are listed."""
        if self.field.kind == "replicator" and self.field.kappa == 1:
            return max(self.field.sizes) <= LARGEST_LISTED
        return self.field.kind == "best-response" or 2 in self.field.sizes

    @cached_property
    def rest_sets(self) -> list[dict[str, Any]]:
        return rest_sets(self.field)

    @cached_property
    def ends(self) -> list[End]:
        """Where the learners ended; rest points inside count as places beside the pure profiles."""
        if self.runs is None:
            return []
        followed = self.runs.field()
        if followed is None or (followed.kind, followed.tau, followed.kappa) == (self.field.kind, self.field.tau, self.field.kappa):
            return self.runs.ends(self.rest_points)
        return self.runs.ends(rest_points(followed))

    @cached_property
    def separatrices(self) -> list[Path]:
        """Paths through the inside into saddles, where states have two dimensions."""
        if sum(self.field.sizes) - len(self.field.sizes) != 2 or self.field.kind == "best-response":
            return []
        saddles = [point.state for point in self.rest_points if point.kind == "saddle"]
        return [path for state in saddles for path in separatrices(self.field, state)]

    @cached_property
    def logit(self) -> list[dict[str, Any]]:
        """Logit equilibria over the temperature, {tau, state, kind}: all where the row player has two actions, else the principal branch.

        The kind is None on the principal branch.
        """
        low, high = max(0.001, 0.02 * self.field.spread), 5 * self.field.spread
        if self.field.sizes[0] == 2:
            return bifurcation(self.game, np.geomspace(low, high, 240).tolist(), self.field.kappa, self.field.populations)
        branch = principal_branch(self.game, low, self.field.kappa, self.field.populations)
        finite = np.isfinite(branch.taus)
        return [{"tau": float(tau), "state": state, "kind": None} for tau, state in zip(branch.taus[finite], branch.states[finite])]

    @cached_property
    def fictitious(self) -> Path | None:
        """Fictitious play from the first pair of actions, if rounds of it were asked for."""
        return fictitious_play(self.game, self.rounds) if self.rounds else None

    def basins(self, resolution: int = 60) -> Basins:
        return basins(self.field, resolution, self.rest_points)

    def document(self) -> dict[str, Any]:
        """Everything as JSON."""
        from ludometer.dynamics.documents import portrait_document

        return portrait_document(self)

    def __str__(self) -> str:
        from ludometer.view.dynamics.text import heading, portrait_text

        return f"{heading(self.game, self.spec)}\n{portrait_text(self)}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from ludometer.view.dynamics.text import as_html

        picture = self._repr_svg_() or ""
        return picture[picture.find("<svg") :] + as_html(str(self))

    def _repr_svg_(self) -> str | None:
        if (len(self.game.row_labels), len(self.game.column_labels)) not in DRAWN:
            return None
        from ludometer.view.dynamics.plots import svg

        return svg(self)

    def plot(self, file: str | None = None, picture: str = "field") -> Any:
        """The picture `field`, `basins`, `curves` or `bifurcation`; written to a file if one is named."""
        from ludometer.view.dynamics import plots

        return plots.picture(self, picture, file)


def learning_dynamics(
    game: GameLike,
    column_payoffs: Any = None,
    *,
    dynamics: str = "replicator",
    tau: float = 1.0,
    kappa: int = 1,
    populations: int = 2,
    elimination: str = "strict",
    start: Sequence[float] | None = None,
    duration: float | None = None,
    fictitious: int = 0,
    learners: str | LearnerSettings | None = None,
    runs: int = 1_000,
    episodes: int = 10_000,
    seed: int = 0,
    workers: int | None = None,
    **options: Any,
) -> Portrait:
    """Compute equilibria, field, rest points and paths of a matrix game, and where learners end.

        game             a spec such as "matrix:sexes", a table made by `matrix_game`, or the row player's payoffs
        column_payoffs   the column player's payoffs if `game` is the row player's
        dynamics         replicator, boltzmann or best-response
        tau              temperature of boltzmann dynamics and of the learners that follow it
        kappa            leniency: actions are judged by the best of this many rewards
        populations      2, or 1 for a symmetric game
        elimination      of dominated strategies: strict or weak
        start            state the path starts at; default: several
        duration         length of the paths, in units of alpha times steps
        fictitious       rounds of fictitious play; 0: none
        learners         greedy, boltzmann, faq, cross, or LearnerSettings; default: none
        runs, episodes   pairs of learners, and the episodes each plays
        seed             decides all chance of the learners
        workers          threads for the learners; default: one for each core
        options          those of `learner_settings`

    The portrait prints and draws itself.  Raises LudometerError for settings that do not fit together.

    >>> lm.learning_dynamics("matrix:sexes").rest_points[-1].kind
    'saddle'
    """
    table, spec = find_game(game, column_payoffs)
    chosen_field = field_of(table, dynamics, tau, kappa, populations)
    settings = learners if isinstance(learners, LearnerSettings) else None
    if isinstance(learners, str):
        temperature = {"tau": tau} if learners in ("faq", "boltzmann") and dynamics == "boltzmann" else {}
        settings = learner_settings(learners, kappa=kappa, **{**temperature, **options})
    elif options:
        raise LudometerError(f"{', '.join(options)}: only learners take these")
    check_size(table)
    if fictitious:
        check_rounds(fictitious)
    check_kind(elimination)
    check_counts(runs=runs, episodes=episodes, workers=workers)
    starts = default_starts(chosen_field) if start is None else [check_state(chosen_field, start)]
    playing = None
    if settings is not None:  # learners are compiled code that runs beside all else
        aside = ThreadPoolExecutor(1)
        playing = aside.submit(_play, table, settings, runs, episodes, seed, workers)
        aside.shutdown(wait=False)
    points = rest_points(chosen_field)
    length = default_duration(chosen_field, points) if duration is None else duration
    return Portrait(
        table, spec, equilibria(table), eliminate(table, elimination), chosen_field, points, starts, length, fictitious, playing
    )


def _play(game: Bimatrix, settings: LearnerSettings, runs: int, episodes: int, seed: int, workers: int | None) -> LearnerRuns:
    points = _FINE_MARKS if runs <= _FINE_RUNS else _COARSE_MARKS
    return run_learners(game, runs=runs, episodes=episodes, seed=seed, points=points, workers=workers, settings=settings)


def default_starts(chosen: Field) -> list[Array]:
    """A few states spread over the interior."""
    source = np.random.default_rng(3)
    fixed: dict[tuple[int, ...], list[tuple[float, ...]]] = {
        (2, 2): [(0.15, 0.3), (0.3, 0.85), (0.5, 0.2), (0.7, 0.9), (0.85, 0.6), (0.45, 0.55)],
        (2,): [(0.05,), (0.35,), (0.65,), (0.95,)],
    }
    if chosen.sizes in fixed:
        return [np.concatenate([[share, 1 - share] for share in shares]) for shares in fixed[chosen.sizes]]
    return [chosen.join([0.9 * source.dirichlet(np.ones(size)) + 0.1 / size for size in chosen.sizes]) for _ in range(_PATHS)]


def default_duration(chosen: Field, points: Sequence[RestPoint]) -> float:
    """A duration that shows where paths lead: a few turns about an inner point, or many times the fastest rate."""
    inside = [abs(value) for point in points if (point.state > 1e-9).all() for value in point.eigenvalues]
    rate = max(inside, default=0.0) or chosen.selection * chosen.spread or 1.0
    return float(min(25.0 / rate, 1e5))
