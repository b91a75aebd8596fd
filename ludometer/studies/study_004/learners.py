"""Sections 3.2 and 3.3: where Q-learners end, over many runs instead of the one, or five, of the report."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludometer.dynamics.learners import LearnerRuns, run_learners
from ludometer.studies.agreement import ALPHA, holds, wrong_if
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Rule, Verdict
from ludometer.studies.figures import Figure, FigureCurve
from ludometer.studies.laboratory import Laboratory

PANELS = {"a": "dispersion", "b": "sexes", "c": "prisoners", "d": "brps"}
TITLES = {"a": "dispersion game", "b": "battle of the sexes", "c": "prisoner's dilemma", "d": "biased rock-paper-scissors"}
ENDS = {"a": ("(A,B)", "(B,A)"), "b": ("(O,O)", "(M,M)"), "c": ("(D,D)",), "d": ("(P,P)",)}
ONE_RUN = {"a": "(B,A)", "b": "(O,O)", "c": "(D,D)", "d": "(P,P)"}  # figure 3
WILD = (-4.0, 4.0)  # first Q-values of figures 3 and 4
FIVE = 5
_DRAWN = 5


def runs_of(lab: Laboratory, panel: str, kind: str, wild: bool, **options: Any) -> LearnerRuns:
    """Pairs of learners with the report's settings, 10,000 episodes each; measured once for all entries that ask."""
    count = lab.pick(200, 1000)
    more: dict[str, Any] = {"q0": WILD} if wild else {}
    name = f"004 learners {panel} {kind} {wild} {count} {options}"
    return lab.once(name, lambda: run_learners(f"matrix:{PANELS[panel]}", kind, runs=count, seed=lab.seed + 1, **more, **options))


def shares_of(runs: LearnerRuns) -> dict[str, float]:
    """Shares of runs by where they end."""
    return {end.label: end.share for end in runs.ends()}


def _described(runs: LearnerRuns) -> str:
    ends = runs.ends()
    return ", ".join(f"{end.label} {100 * end.share:.1f} % [{100 * end.interval[0]:.1f}, {100 * end.interval[1]:.1f}]" for end in ends[:4])


def _trajectories(runs: LearnerRuns, panel: str, name: str, title: str, kind: str) -> Figure:
    """What the row player does with the action of the first end that was reported, in a few runs."""
    shown = runs.frequency if kind == "greedy" else runs.policy
    label = ENDS[panel][0][1]
    action = runs.game.row_labels.index(label)
    curves = [FigureCurve(f"run {run + 1}", runs.marks.tolist(), shown[run, :, action].astype(float).tolist()) for run in range(_DRAWN)]
    what = f"how often {label} was chosen" if kind == "greedy" else f"probability of {label}"
    return Figure(name, title, "episode", what, curves, more={"y_limits": (-0.02, 1.02)})


def could_happen(reported: Any, measured: Measured) -> Judgement:
    """Whether what the report saw has a chance of at least one in a hundred."""
    chance = float(measured.data["chance"])
    return Judgement(Verdict.AGREES if chance >= ALPHA else Verdict.DIFFERS, f"what was seen has a chance of {chance:.2f} here")


def _one_run(panel: str, wild: bool) -> Any:
    wanted = (ONE_RUN[panel],) if wild else ENDS[panel]
    figure = 3 if wild else 1

    def measure(lab: Laboratory) -> Measured:
        runs = runs_of(lab, panel, "greedy", wild)
        shares = shares_of(runs)
        chance = sum(shares.get(label, 0.0) for label in wanted)
        picture = _trajectories(runs, panel, f"004-fig{figure}{panel}", f"ε-greedy Q-learning, {TITLES[panel]}", "greedy")
        return Measured(shares, _described(runs), data={"chance": chance}, figures=(picture,))

    return measure


def _settling(panel: str) -> Any:
    def measure(lab: Laboratory) -> Measured:
        runs = runs_of(lab, panel, "boltzmann", False, points=1001)
        settled = runs.settled()
        done = settled[settled >= 0]
        median = float(np.median(done)) if len(done) else float("nan")
        picture = _trajectories(runs, panel, f"004-fig2{panel}", f"Boltzmann Q-learning, {TITLES[panel]}", "boltzmann")
        text = (
            f"episode {median:,.0f} (median; entropy below 0.1 bits from there on; {len(settled) - len(done)} of {len(settled)} runs never)"
        )
        return Measured(median, text, data={"never": int(len(settled) - len(done))}, figures=(picture,), note=_described(runs))

    return measure


def _five_runs(panel: str) -> Any:
    """The chance that five runs end as reported: at both equilibria, or all at one."""

    def measure(lab: Laboratory) -> Measured:
        runs = runs_of(lab, panel, "boltzmann", True)
        shares = shares_of(runs)
        parts = [shares.get(label, 0.0) for label in ENDS[panel]]
        together = sum(parts)
        chance = together**FIVE - (sum(part**FIVE for part in parts) if len(parts) > 1 else 0.0)
        picture = _trajectories(runs, panel, f"004-fig4{panel}", f"Boltzmann Q-learning from Q in [−4, 4], {TITLES[panel]}", "boltzmann")
        return Measured(shares, _described(runs), data={"chance": chance}, figures=(picture,))

    return measure


def _panel(name: str, panel: str, figure: int, title: str, reported: str, settings: str, measure: Any, rule: Rule, note: str = "") -> Entry:
    return Entry(
        name=f"004.{name}.{panel}",
        title=f"{title}, {TITLES[panel]}",
        where=f"figure {figure} ({panel})",
        kind=Kind.STATISTICAL,
        reported=reported,
        settings=settings,
        measure=measure,
        rule=rule,
        note=note,
    )


_COMMAND = "ludometer dynamics matrix:{} --learners {}{} --runs 1000 --seed 1"
_NO_EQUILIBRIUM = "(P,P) is where learners stop, and no equilibrium (004.ne.brps)"


def _panels() -> tuple[Entry, ...]:
    found = []
    for panel, name in PANELS.items():
        note = _NO_EQUILIBRIUM if panel == "d" else ""
        ends = " or ".join(ENDS[panel])
        command = _COMMAND.format(name, "greedy", "")
        found.append(
            _panel("fig1", panel, 1, "where ε-greedy learners end", f"at {ends}", command, _one_run(panel, False), could_happen, note)
        )
    for panel, name in PANELS.items():
        around = holds(lambda median: 7700 <= median <= 8300, "half of the runs have settled within 300 episodes of 8,000")
        why = "T is at its least after (80 − 0.01)/0.01 = 7,999 episodes"
        command = _COMMAND.format(name, "boltzmann", "")
        found.append(
            _panel("fig2", panel, 2, "when Boltzmann learners settle", "around episode 8000", command, _settling(panel), around, why)
        )
    for panel, name in PANELS.items():
        note = _NO_EQUILIBRIUM if panel == "d" else ""
        command = _COMMAND.format(name, "greedy", " --q0 -4,4")
        reported = f"one run at {ONE_RUN[panel]}"
        found.append(_panel("fig3", panel, 3, "where one ε-greedy run ends", reported, command, _one_run(panel, True), could_happen, note))
    for panel, name in PANELS.items():
        note = _NO_EQUILIBRIUM if panel == "d" else ""
        command = _COMMAND.format(name, "boltzmann", " --q0 -4,4")
        reported = f"five runs, {'at both ' if len(ENDS[panel]) > 1 else 'all at '}{' and '.join(ENDS[panel])}"
        found.append(_panel("fig4", panel, 4, "where five Boltzmann runs end", reported, command, _five_runs(panel), could_happen, note))
    return tuple(found)


# ---- formulas ----


def _printed_update(lab: Laboratory) -> Measured:
    """The largest value that learners reach in the battle of the sexes with the update as printed, and as it is usually written."""
    count = lab.pick(50, 200)
    largest = [
        float(
            np.abs(run_learners("matrix:sexes", "greedy", runs=count, episodes=20_000, epsilon=0.05, printed=printed, seed=1).values).max()
        )
        for printed in (True, False)
    ]
    return Measured(largest, f"values up to {largest[0]:,.0f} as printed, up to {largest[1]:.2f} with the bracket closed before − Q(a)")


def _lenience(lab: Laboratory) -> Measured:
    """Shares of Boltzmann learners that end where the report's did, without leniency and with κ = 5."""
    value = {}
    for panel in PANELS:
        both = []
        for kappa in (1, 5):
            shares = shares_of(runs_of(lab, panel, "boltzmann", False, **({"kappa": kappa} if kappa > 1 else {"points": 1001})))
            both.append(sum(shares.get(label, 0.0) for label in ENDS[panel]))
        value[PANELS[panel]] = both
    text = ", ".join(f"{name} {100 * plain:.1f} and {100 * lenient:.1f} %" for name, (plain, lenient) in value.items())
    return Measured(value, f"κ = 1 and κ = 5: {text}")


ENTRIES = (
    *_panels(),
    Entry(
        name="004.update.formula",
        title="the update rule as printed",
        where="3.1.1",
        kind=Kind.CLAIM,
        reported="Q(a) + α(R + γ max_a(Q(a′) − Q(a)))",
        settings="run_learners('matrix:sexes', 'greedy', episodes=20000, epsilon=0.05, printed=True|False, seed=1)",
        measure=_printed_update,
        rule=wrong_if(
            lambda largest: largest[0] > 10 * largest[1],
            "the bracket closes in the wrong place: as printed the best action's own term is zero, so that its value grows by αR for ever",
        ),
    ),
    Entry(
        name="004.lenient",
        title="learners called lenient: how much does the leniency matter, which is not given",
        where="3.1.3",
        kind=Kind.CLAIM,
        reported="κ is not said",
        settings="ludometer dynamics matrix:GAME --learners boltzmann --kappa 1|5 --runs 1000 --seed 1",
        measure=_lenience,
        note="with κ = 5 hardly a pair ends at (P,P) in biased rock-paper-scissors, where all five of the report did: it was less lenient",
        rule=holds(lambda value: all(plain > 0.5 for plain, _ in value.values()), "most runs end where the report's did without leniency"),
    ),
)
