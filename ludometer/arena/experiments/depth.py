"""The depth of games: their scales, measured and compared.

    depth("quixo:3", "quixo:4")                 # within two minutes a game
    depth("my_game.py", precision=0.3, budget="10min")
    plan_depth("quixo:4", budget="1h")          # what would be played, and how long it takes

docs/depth.md explains the numbers, docs/statistics.md the estimators.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludometer import __version__
from ludometer.arena.experiments.scale_climb import Played, ScaleClimb, Wanted
from ludometer.arena.experiments.scale_documents import FORMAT, GameScale, comparison_document
from ludometer.arena.experiments.scale_plan import (
    LEAST_RUNGS,
    MOST_RUNGS,
    OPENING_PLIES,
    YARDSTICK,
    ScalePlan,
    Speed,
    plan_within,
    planned_games,
)
from ludometer.arena.experiments.scale_speed import measure_speed
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing, origin_of
from ludometer.arena.measurements.totals import PairTotals, Thinking
from ludometer.arena.statistics.scale_results import Comparison, compare_scales
from ludometer.arena.work.execution import Execution, StartedExecution
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.random import stream
from ludometer.core.text import seconds_of
from ludometer.games import game as find_game

PRECISION = 0.4  # levels
BUDGET = 120.0  # seconds for each game
_TABLES = ":tables="  # in the spec of a perfect player, before the folder


@dataclass(frozen=True)
class PlannedScale:
    """A plan and how long it takes here."""

    plan: ScalePlan
    seconds: float | None  # of wall time, at most; None if not measured

    def document(self) -> dict[str, Any]:
        """For JSON."""
        plan = self.plan
        return {
            "game": find_game(plan.game).spec,
            **plan.document(),
            "digest": plan.digest,
            "games": planned_games(plan),
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class DepthPlan:
    """What would be played to measure the depth of some games."""

    scales: tuple[PlannedScale, ...]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {"plans": [one.document() for one in self.scales], "seconds": sum(one.seconds or 0.0 for one in self.scales)}

    def __str__(self) -> str:
        from ludometer.view.results.scales import plan_text

        return plan_text(self)


@dataclass(frozen=True)
class Depth:
    """The scales of several games, and how they compare."""

    games: tuple[GameScale, ...]
    comparisons: tuple[Comparison, ...]
    run: int | None = None

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "games": [game.document() for game in self.games],
            "comparisons": [comparison_document(one) for one in self.comparisons],
            "run": self.run,
        }

    @classmethod
    def of(cls, games: Sequence[GameScale], run: int | None = None) -> Depth:
        """Scales with their comparisons."""
        return cls(tuple(games), compare_scales({game.game: game.result for game in games}), run)

    def __str__(self) -> str:
        from ludometer.view.results.scales import depth_text

        return depth_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.scales import depth_html

        return depth_html(self)

    def plot(self, path: str | None = None) -> Any:
        """Levels against positions per decision, and growth per doubling below; a matplotlib figure, written to `path` if given."""
        from ludometer.view.results.scales import depth_plot

        return depth_plot(self, path)

    def to_latex(self) -> str:
        """The table of scales as a LaTeX tabular."""
        from ludometer.view.results.scales import depth_latex

        return depth_latex(self)

    def to_frame(self) -> Any:
        """A pandas data frame with a row for each rung of each game."""
        return data_frame(
            {
                "game": game.game,
                "player": row["player"],
                "budget": row["budget"],
                "positions": row["positions"],
                "level": row["level"],
                "low": row["interval"][0],
                "high": row["interval"][1],
                "draws": row["draws"],
                "first_move_score": row["first_move_score"],
                "open": game.is_open,
            }
            for game in self.games
            for row in game.document()["rungs"]
        )


def plan_depth(
    *games: Game | str,
    precision: float | None = None,
    budget: float | str | None = None,
    rungs: int | None = None,
    seed: int = 0,
    opening_plies: int = OPENING_PLIES,
    ply_limit: int | None = None,
    perfect: bool = True,
    tables: str = "",
    yardstick: str = YARDSTICK,
    execution: Execution | None = None,
) -> DepthPlan:
    """Say what `depth` would play with the same arguments, and for how long at most.

    The speed of this machine is measured by a few games.  All arguments are those of `depth`.

        games          games or their specs
        precision      half width in levels of the 95 % interval of a scale's last level; default 0.4
        budget         time for all games, in seconds or as "10min"; default: two minutes a game
        rungs          rungs of 1, 2, 4, … iterations at most, in place of a budget
        seed           decides all chance
        opening_plies  random moves at the beginning of every pair of games
        ply_limit      moves after which a game is drawn; default: the game's own limit
        perfect        let perfect players close the scale of a solved game
        tables         folder with solved tables; default: the user's
        yardstick      family of players that climbs
        execution      workers, whose number decides the time

    >>> planned = lm.plan_depth("tictactoe", precision=2, rungs=6)
    >>> planned.scales[0].plan.rungs
    6
    """
    asked = _Asked(precision, budget, rungs, seed, opening_plies, ply_limit, perfect, tables, yardstick)
    templates = [template for template, _ in asked.templates(_distinct(games))]
    with (execution or Execution()).started() as work:
        return DepthPlan(tuple(asked.plans(templates, work)))


def depth(
    *games: Game | str,
    precision: float | None = None,
    budget: float | str | None = None,
    rungs: int | None = None,
    seed: int = 0,
    opening_plies: int = OPENING_PLIES,
    ply_limit: int | None = None,
    perfect: bool = True,
    tables: str = "",
    yardstick: str = YARDSTICK,
    execution: Execution | None = None,
) -> Depth:
    """Measure how deep games are: the length of each game's scale, in levels of 75 %.

        games          games or their specs
        precision      half width in levels of the 95 % interval of a scale's last level; default 0.4
        budget         time for all games, in seconds or as "10min": decides how many rungs are planned; default: two minutes a game
        rungs          rungs of 1, 2, 4, … iterations at most, in place of a budget
        seed           decides all chance
        opening_plies  random moves at the beginning of every pair of games
        ply_limit      moves after which a game is drawn; default: the game's own limit
        perfect        let perfect players close the scale of a solved game
        tables         folder with solved tables; default: the user's
        yardstick      family of players that climbs; scales of different families cannot be compared
        execution      workers, store, progress and stop; default: all cores, and nothing is kept

    The plan is stored before the first game.  The numbers depend on the plan and the seed alone.  Raises LudometerError for a
    precision that the budget cannot reach, with a plan that can.

    >>> found = lm.depth("tictactoe", precision=2, rungs=6, perfect=False, seed=1)
    >>> [row["budget"] for row in found.document()["games"][0]["rungs"]]
    [1, 2, 4, 8, 16, 32]
    """
    asked = _Asked(precision, budget, rungs, seed, opening_plies, ply_limit, perfect, tables, yardstick)
    found = _distinct(games)
    prepared = asked.templates(found)
    with (execution or Execution()).started() as work:
        began = time.perf_counter()
        templates = [template for template, _ in prepared]
        request = {"plans": [template.document() for template in templates], "rungs": rungs, "budget": asked.seconds, "format": FORMAT}
        run = work.store.begin_run("depth", ", ".join(game.spec for game in found), (yardstick,), request)
        plans = _stored_plans(work, run) or [one.plan for one in asked.plans(templates, work)]
        total = sum(planned_games(plan) for plan in plans)
        scales: list[GameScale] = []

        def note(current: Sequence[GameScale]) -> None:
            nonlocal began
            now = time.perf_counter()
            kept = {"planned": [plan.document() for plan in plans], **Depth.of(current, work.run_number(run)).document()}
            work.store.note(run, now - began, kept)
            began = now

        note([])  # the plan is kept before the first game
        done = 0
        for game, plan, (_, notes) in zip(found, plans, prepared):
            player = _Player(game, plan, work, run, done, total)
            climb = ScaleClimb(plan, player)
            while climb.advance():
                note([*scales, _measured(game, climb, player, notes, "going on")])
            if not climb.rungs:
                break
            scales.append(_measured(game, climb, player, notes, "stopped"))
            note(scales)
            done += planned_games(plan)
            if work.stop.asked:
                break
        if not scales:
            work.stop.check("the measuring of depth")
        return Depth.of(scales, work.run_number(run))


def _distinct(games: Sequence[Game | str]) -> list[Game]:
    """The games; raises LudometerError if there is none, or one is named twice."""
    if not games:
        raise LudometerError("depth needs a game")
    found = [find_game(game) for game in games]
    if len({game.reference for game in found}) < len(found):
        raise LudometerError("a game is named twice")
    return found


@dataclass(frozen=True)
class _Asked:
    """What was asked for; see `depth`."""

    precision: float | None
    budget: float | str | None
    rungs: int | None
    seed: int
    opening_plies: int
    ply_limit: int | None
    perfect: bool
    tables: str
    yardstick: str

    @property
    def seconds(self) -> float | None:
        """The budget for all games."""
        seconds = seconds_of(self.budget) if isinstance(self.budget, str) else self.budget
        if seconds is not None and not seconds > 0:
            raise LudometerError(f"a budget is a time above 0, not {seconds:g} s")
        return seconds

    def templates(self, games: Sequence[Game]) -> list[tuple[ScalePlan, tuple[str, ...]]]:
        """A plan for each game with as many rungs as there may be, and notes."""
        return [self._template(game) for game in games]

    def _template(self, game: Game) -> tuple[ScalePlan, tuple[str, ...]]:
        if game.kind.simultaneous:
            raise LudometerError(f"{game.spec}: moves are made at the same time; `ludometer dynamics` is for such games")
        players, note = perfect_players(game, self.tables) if self.perfect else ((), "without perfect players, as was asked for")
        plan = ScalePlan(
            game=game.reference,
            rungs=MOST_RUNGS if self.rungs is None else self.rungs,
            precision=PRECISION if self.precision is None else self.precision,
            seed=self.seed,
            opening_plies=self.opening_plies,
            ply_limit=self.ply_limit,
            perfect=players,
            yardstick=self.yardstick,
        )
        Pairing.of(game, plan.player(0), plan.player(-1), 0, self.opening_plies, self.ply_limit)  # raises what is wrong with the yardstick
        return plan, (note,) if note else ()

    def plans(self, templates: Sequence[ScalePlan], work: StartedExecution) -> list[PlannedScale]:
        """The plans to carry out; raises LudometerError if the budget does not allow one."""
        seconds = self.seconds
        share = None if seconds is None else seconds / len(templates)
        planned = []
        for template in templates:
            speed = measure_speed(template, work.crew.at_once, work.stop)
            if self.rungs is None:
                plan = plan_within(template, speed, BUDGET if share is None else share)
            else:
                plan = template
                if share is not None and speed.seconds(plan) > share:
                    _refuse(plan, speed, share)
            planned.append(PlannedScale(plan, speed.seconds(plan)))
        return planned


def perfect_players(game: Game, tables: str = "") -> tuple[tuple[str, ...], str]:
    """Specs of the perfect players of a solved or quickly solved game; or none, and why."""
    from ludometer.agents import agent

    folder = f"tables={tables}" if tables else ""
    specs = []
    for kind in ("optimal", "optimal:steps"):
        spec = ",".join(part for part in (kind, folder) if part) if ":" in kind else (f"{kind}:{folder}" if folder else kind)
        try:
            specs.append(agent(spec, game).spec)
        except LudometerError as error:
            if not specs:
                return (), f"no perfect play on top: {error}"
    return tuple(specs), ""


def _refuse(plan: ScalePlan, speed: Speed, share: float) -> None:
    shorter = ""
    if plan.rungs > LEAST_RUNGS:
        fitting = plan_within(replace(plan, rungs=plan.rungs), speed, share)
        shorter = f"; {fitting.rungs} rungs can be done in that time"
    raise LudometerError(f"{plan.rungs} rungs at ±{plan.precision:g} levels take {speed.seconds(plan):.0f} s, not {share:.0f} s{shorter}")


def _stored_plans(work: StartedExecution, run: int) -> list[ScalePlan] | None:
    """The plans that an earlier call with the same request has stored: it is continued, not planned again."""
    kept = work.store.run(run).result
    if not kept or "planned" not in kept:
        return None
    return [ScalePlan.of(plan) for plan in kept["planned"]]


class _Player:
    """Plays the matches of one game's scale into the store."""

    def __init__(self, game: Game, plan: ScalePlan, work: StartedExecution, run: int, done: int, total: int) -> None:
        self.totals: dict[tuple[str, str], PairTotals] = {}
        self._game = game
        self._plan = plan
        self._work = work
        self._run = run
        self._done, self._total = done, total  # games of the whole plan

    def __call__(self, wanted: Sequence[Wanted], what: str) -> list[Played] | None:
        plan, work = self._plan, self._work
        pairings = []
        for match in wanted:
            seed = int(stream(plan.seed, "scale", match.a, match.b)) >> 11
            pairing = Pairing.of(self._game, match.a, match.b, seed, plan.opening_plies, plan.ply_limit)
            work.store.want(self._run, work.store.series(pairing.key(), pairing.document()), match.pairs)
            pairings.append((pairing, match.pairs))
        before = sum(total.games for (a, b), total in self.totals.items() if not any((a, b) == (one.a, one.b) for one in wanted))

        def told(done: int, total: int, text: str) -> None:
            if work.progress is not None:
                work.progress(min(self._total, self._done + before + done), self._total, text)

        totals = play_pairings(pairings, replace(work, progress=told), text=f"{self._game.spec}: {what}")
        if work.stop.asked:
            return None
        self.totals |= {(match.a, match.b): total for match, total in zip(wanted, totals)}
        return [Played(total.counts, total.positions_per_decision) for total in totals]

    def seconds_per_move(self, player: str) -> float | None:
        """Of a player in all matches."""
        found = Thinking()
        for (a, b), total in self.totals.items():
            for side, one in enumerate((a, b)):
                if one == player:
                    found += total.thinking[side]
        return found.per_move


def _measured(game: Game, climb: ScaleClimb, player: _Player, notes: tuple[str, ...], otherwise: str) -> GameScale:
    result = climb.result()
    return GameScale(
        game=game.spec,
        plan=climb.plan,
        result=result,
        ended=climb.ended or otherwise,
        seconds_per_move=tuple(player.seconds_per_move(rung) for rung in result.rungs),
        notes=notes,
        origin=origin(game),
    )


def origin(game: Game) -> dict[str, Any]:
    """What a published scale says of where it comes from."""
    return {
        "version": __version__,
        **origin_of(game),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }
