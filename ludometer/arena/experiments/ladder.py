"""Strategy ladders: strength against resources, for any agent that has a budget.

    ladder("quixo:3", "quixo:4", agent="mcts", rungs=(1, 10, 100, 1000), versus="optimal", blunder=(0, 0.05))
    ladder("quixo:4", agent="mcts", rungs=(10, 100), measure="accuracy")

Each rung is one agent of a family (see `families`).  What is measured of it:

    outcome    its score (win 1, draw ½) against a fixed opponent, from both seats; with `versus="rungs"` all rungs play each other, and
               the value is a rating in Elo, the first rung at 0
    accuracy   the share of its moves that a perfect player could make, at random positions of a solved game (see `accuracy`)
    length     moves of a game against the opponent

Resources stand beside it three times: the budget, the positions visited per decision, and the seconds per move as measured here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ludometer.agents import AgentLike, kind, kinds, spec_of
from ludometer.arena.experiments.families import Family
from ludometer.arena.experiments.ladder_points import RUNGS, LadderCurve, LadderSettings, Point, measure_curve
from ludometer.arena.measurements.pairs import pairs_of
from ludometer.arena.work.execution import Execution
from ludometer.core.agent import split_spec
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.games import game as find_game

MEASURES = ("outcome", "accuracy", "length")
AXES = ("budget", "positions", "seconds")


@dataclass(frozen=True)
class Ladder:
    """Points in the order of games, agents, blunders and rungs."""

    measure: str
    points: tuple[Point, ...]
    seed: int
    notes: tuple[str, ...] = ()
    run: int | None = None  # its number in the store
    ended: str = "done"  # or "stopped": some rungs have fewer units than were asked for

    def curves(self) -> dict[tuple[str, str, float | None], list[Point]]:
        """The points by (game, agent, blunder)."""
        found: dict[tuple[str, str, float | None], list[Point]] = {}
        for point in self.points:
            found.setdefault((point.game, point.agent, point.blunder), []).append(point)
        return found

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "measure": self.measure,
            "seed": self.seed,
            "points": [point.document() for point in self.points],
            "ended": self.ended,
            "notes": list(self.notes),
            "run": self.run,
        }

    def __str__(self) -> str:
        from ludometer.view.results.ladders import ladder_text

        return ladder_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.ladders import ladder_html

        return ladder_html(self)

    def plot(self, path: str | None = None, axis: str = "budget", normalised: bool = False) -> Any:
        """Strength against a resource (see AXES); a matplotlib figure, written to `path` if one is given."""
        from ludometer.view.results.ladders import ladder_plot

        return ladder_plot(self, path, axis, normalised)

    def to_frame(self) -> Any:
        """A pandas data frame with a row for each point."""
        return data_frame(point.document() for point in self.points)


def ladder(
    *rules: Game | str,
    agent: AgentLike | Sequence[AgentLike] = "mcts",
    rungs: Iterable[str | float] = (1, 10, 100),
    versus: AgentLike = "optimal",
    blunder: Iterable[float] = (),
    measure: str = "outcome",
    games: int | None = None,
    positions: int | None = None,
    seed: int = 0,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    tables: str = "",
    execution: Execution | None = None,
) -> Ladder:
    """Measure how one or more families of agents improve with their budget, at one or more games.

        rules           games or their specs
        agent           a family or several, such as `mcts`, `alphabeta:nodes` or `qlearning:learner=tabular`; also functions and classes
        rungs           their budgets
        versus          the opponent: an agent, or `rungs` for all rungs against each other; not used for accuracy
        blunder         probabilities that the opponent plays a random move, a curve for each
        measure         outcome, accuracy or length
        games           games of each rung, an even number; default: 200
        positions       positions at which a rung is judged, for accuracy; default: 1000
        seed            decides all chance
        opening_plies   random moves before the agents take over
        ply_limit       moves after which a game is drawn; default: the game's own limit
        tables          folder with solved tables; default: the user's
        execution       workers, store, progress and stop; default: all cores, and nothing is kept

    Raises LudometerError for options that do not fit together.

    >>> ladder = lm.ladder("tictactoe", agent="mcts", rungs=(1, 10), versus="random", games=20, seed=1)
    >>> [point.document()["rung"] for point in ladder.points]
    ['1', '10']
    """
    curves = _curves(rules, agent, rungs, versus, tuple(blunder), measure, tables)
    pairs, judged = _sizes(measure, games, positions)
    began = time.perf_counter()
    with (execution or Execution()).started() as work:
        request = {
            "unit_size": 1 if measure == "accuracy" else 2,
            "measure": measure,
            "curves": [[one.game.reference, one.family.spec, list(one.rungs), one.versus, one.blunder] for one in curves],
            "seed": seed,
            "opening_plies": opening_plies,
            "ply_limit": ply_limit,
        }
        names = tuple(dict.fromkeys(player for one in curves for player in one.players()))
        run = work.store.begin_run("ladder", ", ".join(dict.fromkeys(one.game.spec for one in curves)), names, request)
        settings = LadderSettings(seed, pairs, judged, opening_plies, ply_limit, tables, run, work)
        points: list[Point] = []
        notes: list[str] = []
        try:
            for curve in curves:
                if work.stop.asked:
                    break
                found, said = measure_curve(curve, settings)
                points += found
                notes += said
        finally:
            work.store.note(run, time.perf_counter() - began)
        if not points:
            work.stop.check("the ladder")
        ended = "stopped" if work.stop.asked else "done"
        result = Ladder(measure, tuple(points), seed, tuple(dict.fromkeys(notes)), work.run_number(run), ended)
        work.store.note(run, 0.0, result.document())
        return result


def _curves(
    rules: Sequence[Game | str],
    agent: AgentLike | Sequence[AgentLike],
    rungs: Iterable[str | float],
    versus: AgentLike,
    blunders: tuple[float, ...],
    measure: str,
    tables: str,
) -> list[LadderCurve]:
    """What to measure, checked before anything is played."""
    if not rules:
        raise LudometerError("a ladder needs a game")
    if measure not in MEASURES:
        raise LudometerError(f"a ladder measures {', '.join(MEASURES)}, not {measure!r}")
    families = [Family.of(each) for each in (agent if isinstance(agent, Sequence) and not isinstance(agent, str) else [agent])]
    versus = spec_of(versus)
    texts = tuple(rung if isinstance(rung, str) else f"{rung:g}" if isinstance(rung, float) else str(rung) for rung in rungs)
    if not texts:
        raise LudometerError("a ladder has at least one rung")
    if versus == RUNGS and (measure != "outcome" or len(texts) < 2):
        raise LudometerError("rungs against each other need two rungs or more, and the measure outcome")
    if blunders and (measure == "accuracy" or versus == RUNGS):
        raise LudometerError("there is no opponent to blunder: leave the blunders out")
    found = []
    for game in rules:
        chosen = find_game(game)
        for family in families:
            for rung in texts:
                family.rung(rung)  # says what is wrong with it
            if measure == "accuracy" or versus == RUNGS:
                found.append(LadderCurve(chosen, family, texts, measure, None if measure == "accuracy" else RUNGS, None))
                continue
            for blunder in blunders or (None,):
                opponent = _opponent(versus, blunder, tables)
                found.append(LadderCurve(chosen, family, texts, measure, opponent, blunder))
    return found


def _opponent(versus: str, blunder: float | None, tables: str) -> str:
    """The spec of the opponent with its blunders; raises LudometerError for one that cannot blunder on request."""
    name, parameters = split_spec(versus)
    options = [option.name for option in kind(name).options]
    if blunder is not None and "blunder" not in options:
        raise LudometerError(f"{versus} has no blunders to set; blunders are for {' or '.join(_blundering())}")
    added = [parameters] if parameters else []
    if blunder is not None:
        added.append(f"blunder={blunder!r}")
    if tables and "tables" in options:
        added.append(f"tables={tables}")
    return f"{name}:{','.join(added)}" if added else versus


def _blundering() -> list[str]:
    return [each.name for each in kinds().values() if any(option.name == "blunder" for option in each.options)]


def _sizes(measure: str, games: int | None, positions: int | None) -> tuple[int, int]:
    """(pairs, positions) of each rung; raises LudometerError."""
    if measure == "accuracy":
        if games is not None:
            raise LudometerError("accuracy is measured at positions, without games; give positions instead of games")
        judged = 1000 if positions is None else positions
        if judged < 1:
            raise LudometerError(f"moves are judged at 1 position or more, not {judged}")
        return 0, judged
    if positions is not None:
        raise LudometerError(f"{measure} is measured in games; positions are for accuracy")
    return pairs_of(200 if games is None else games), 0
