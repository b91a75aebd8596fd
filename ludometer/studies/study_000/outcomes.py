"""Section 3.3: ladders of MCTS against the perfect player, by outcomes of games.

The agent is the program that the study really ran: `study000:mcts` (docs/results/study-000.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludometer.studies.agreement import whole_figure
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.figures import Figure
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.committed import Digitised, digitised, table_5x5
from ludometer.studies.study_000.curves import GAMES, Rung, drawn, figure_rows, outcome_rung, rows_of

AGENT = "study000:mcts"
PLIES = 400  # 200 turns of both
BLUNDERS = ("0", "0.01", "0.05", "0.1", "0.2", "0.5")
FEW_RUNGS = (0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600, 1800, 2000)
ALL_RUNGS = (*FEW_RUNGS, 2500, 3000, 3500, 4000, 4500, 5000, 6000, 8000, 10000)
QUICK_RUNGS = (0, 100, 300, 1000)
QUICK_BLUNDERS = ("0", "0.05", "0.5")
QUICK_GAMES = 40


@dataclass(frozen=True)
class Setup:
    """One of the five ladders."""

    name: str  # 4.steps
    size: int
    versus: str
    rungs: tuple[int, ...]
    time: str  # of a full run on two cores

    @property
    def game(self) -> str:
        return f"quixo:{self.size}"

    @property
    def title(self) -> str:
        return f"{self.size}×{self.size} against {'opt-steps' if self.versus.endswith('steps') else 'opt'}"

    @property
    def command(self) -> str:
        rungs = ",".join(map(str, self.rungs))
        return (
            f"ludometer ladder {self.game} --agent {AGENT} --versus {self.versus} --rungs {rungs} "
            f"--blunder {','.join(BLUNDERS)} --games {GAMES} --limit {PLIES}"
        )


SETUPS = {
    setup.name: setup
    for setup in (
        Setup("5.opt", 5, "optimal", ALL_RUNGS, "11 minutes on 16 cores"),
        Setup("4.opt", 4, "optimal", ALL_RUNGS, "17 minutes"),
        Setup("3.opt", 3, "optimal", FEW_RUNGS, "1 minute"),
        Setup("4.steps", 4, "optimal:steps", ALL_RUNGS, "16 minutes"),
        Setup("3.steps", 3, "optimal:steps", ALL_RUNGS, "1 minute"),
    )
}

Curves = Mapping[str, Sequence[Rung]]  # blunder -> rungs


def outcome_curves(setup: Setup, lab: Laboratory) -> Curves:
    """A ladder by the opponent's blunders, played or taken from the store; raises NotRun without a table of 5×5."""
    if setup.size == 5:
        table_5x5(lab)
        lab.only_in_full(setup.time)
    return lab.once(f"000 outcomes {setup.name}", lambda: _played(setup, lab))


def _played(setup: Setup, lab: Laboratory) -> Curves:
    rungs = lab.pick(QUICK_RUNGS if setup.size == 3 else QUICK_RUNGS[:-1], setup.rungs)
    return curves_by_blunder(lab, setup.game, AGENT, rungs, setup.versus, PLIES)


def curves_by_blunder(lab: Laboratory, game: str, agent: str, rungs: Sequence[int], versus: str, plies: int) -> Curves:
    """A ladder against the perfect player for every probability of a blunder."""
    blunders = lab.pick(QUICK_BLUNDERS, BLUNDERS)
    measured = lab.ladder(
        game,
        agent=agent,
        rungs=rungs,
        versus=versus,
        blunder=[float(blunder) for blunder in blunders],
        games=lab.games(QUICK_GAMES, GAMES),
        ply_limit=plies,
    )
    names: dict[float | None, str] = {float(text): text for text in blunders}
    return {names[blunder]: [outcome_rung(point) for point in points] for (_, _, blunder), points in measured.curves().items()}


def ladder_over_figure(lab: Laboratory, curves: Curves, reported: Digitised, name: str, title: str, x_label: str) -> Measured:
    """A ladder by blunders over the report's points."""
    picture = Figure(
        name=name,
        title=title,
        x_label=x_label,
        y_label="score out of 100",
        curves=[drawn(f"blunder {blunder}", rungs, reported, blunder) for blunder, rungs in curves.items()],
        x_scale="symlog",
        more={"y_limits": (-2, 102)},
    )
    last = {blunder: round(rungs[-1].value, 1) for blunder, rungs in curves.items()}
    budget = next(iter(curves.values()))[-1].budget
    text = f"n = {budget:,}: {', '.join(f'{value:g}' for value in last.values())} for p = {', '.join(last)}"
    games = f"{lab.games(QUICK_GAMES, GAMES)} games per point"
    data = {"points": figure_rows(curves, reported), "curves": rows_of(curves)}
    return Measured(last, text, data=data, figures=(picture,), note=games)


def _ladder(setup: Setup, lab: Laboratory) -> Measured:
    return ladder_over_figure(
        lab,
        outcome_curves(setup, lab),
        digitised(f"score.{setup.name}"),
        f"000-ladder-out-{setup.name.replace('.', '-')}",
        f"Quixo {setup.title}: score by iterations",
        "iterations of MCTS per move",
    )


def _reported_ends(name: str) -> tuple[dict[str, Any], str]:
    """The last points that can be read off a figure, as data and in words."""
    figure = digitised(f"score.{name}")
    last = {}
    for curve, points in figure.curves.items():
        known = [(rung, point) for rung, point in zip(figure.rungs, points) if point is not None]
        last[curve] = known[-1][1]
    return (
        last,
        f"{sum(len(points) for points in figure.curves.values())} points; the last of each p: {', '.join(f'{v:g}' for v in last.values())}",
    )


def _entry(setup: Setup) -> Entry:
    reported, text = _reported_ends(setup.name)
    return Entry(
        name=f"000.ladder.out.{setup.name}",
        title=f"score of MCTS on {setup.title}, {len(setup.rungs)} rungs × 6 p",
        where="3.3.2, figure",
        kind=Kind.STATISTICAL,
        reported=reported,
        settings=setup.command,
        measure=partial(_ladder, setup),
        rule=whole_figure(),
        reported_text=text,
    )


ENTRIES: tuple[Entry, ...] = tuple(_entry(setup) for setup in SETUPS.values())
