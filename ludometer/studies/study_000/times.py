"""Sections 3.3.3 and 3.3.4: the ladders against time, what they have in common, and what the text says of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.studies.agreement import ALPHA, hardware, holds, wrong_if
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.figures import Figure
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.committed import WITHOUT_5X5, digitised, has_table_5x5, table_5x5
from ludometer.studies.study_000.curves import Plateau, drawn, in_order_of_size, outcome_rung, plateau
from ludometer.studies.study_000.outcomes import AGENT, PLIES, QUICK_GAMES, SETUPS, Setup, outcome_curves

if TYPE_CHECKING:
    from ludometer.arena.work.store import Run

_SECONDS = {
    "5.opt": (10_000, 0.314),
    "4.opt": (10_000, 0.157),
    "3.opt": (2_000, 0.014),
    "4.steps": (10_000, 0.157),
    "3.steps": (10_000, 0.081),
}
# Microseconds per iteration by iterations, from the report's own figures of 5×5: the time is read at each of these points.
_MICROSECONDS_5X5 = {2_000: 16, 2_500: 27, 10_000: 31, 30_000: 55}
_LAST_RUNG, _LAST_GAMES = 30_000, 40
SMALL = ("3.opt", "3.steps", "4.opt", "4.steps")
_LADDERS = "the ladders 000.ladder.out"


def _against_time(setup: Setup, lab: Laboratory) -> Measured:
    curves = outcome_curves(setup, lab)
    last = [rung for rung in next(iter(curves.values())) if rung.seconds][-1]
    rate = last.budget / float(last.seconds or 1)
    picture = Figure(
        name=f"000-ladder-time-{setup.name.replace('.', '-')}",
        title=f"Quixo {setup.title}: score by time",
        x_label="seconds per move, on this machine",
        y_label="score out of 100",
        curves=[drawn(f"blunder {name}", rungs, axis="seconds") for name, rungs in curves.items()],
        x_scale="log",
        more={"y_limits": (-2, 102)},
    )
    text = f"{rate:,.0f} iterations/s on one core ({1000 * float(last.seconds or 0):.2g} ms at n = {last.budget:,})"
    return Measured(rate, text, data={"seconds": {name: [r.seconds for r in rungs] for name, rungs in curves.items()}}, figures=(picture,))


def _time_entry(setup: Setup) -> Entry:
    budget, seconds = _SECONDS[setup.name]
    return Entry(
        name=f"000.ladder.time.{setup.name.replace('.', '')}",
        title=f"the ladder of {setup.title} against seconds per move",
        where="3.3.3, figure",
        kind=Kind.HARDWARE,
        reported=budget / seconds,
        settings=f"ludometer reproduce 000.ladder.out.{setup.name}; ladder --axis seconds",
        measure=partial(_against_time, setup),
        rule=hardware("iterations per second"),
        reported_text=f"{seconds} s per move at n = {budget:,}: {budget / seconds:,.0f} iterations/s",
        note="score as a function of n is the same curve as in 000.ladder.out; only the axis differs",
    )


# ---- what the text says ----


def _linear(lab: Laboratory) -> Measured:
    """How linear the time is in the iterations, here; and how much a single iteration takes in the report's own points."""
    squares = {}
    for name in SMALL:
        rungs = [rung for rung in outcome_curves(SETUPS[name], lab)["0"] if rung.seconds]
        squares[name] = round(float(np.corrcoef([r.budget for r in rungs], [float(r.seconds or 0) for r in rungs])[0, 1] ** 2), 4)
    per_iteration = list(_MICROSECONDS_5X5.values())
    value = {"R² here": squares, "longest ÷ shortest iteration in the report": round(max(per_iteration) / min(per_iteration), 2)}
    return Measured(value)


def _plateau_of(name: str, lab: Laboratory, blunder: str = "0", most: int = 10**9) -> Plateau:
    """Iterations at which a ladder has 90 % of its last score; n = 0, which is another player, left out."""
    rungs = [rung for rung in outcome_curves(SETUPS[name], lab)[blunder] if 0 < rung.budget <= most]
    return plateau([r.budget for r in rungs], [r.value for r in rungs], [r.error for r in rungs], seed=lab.seed)


def _seconds_per_iteration(name: str, lab: Laboratory) -> float:
    rungs = [rung for rung in outcome_curves(SETUPS[name], lab)["0"] if rung.seconds and rung.budget >= 1000]
    return float(np.mean([float(rung.seconds or 0) / rung.budget for rung in rungs]))


def _overlay(blunder: str, lab: Laboratory) -> Measured:
    lab.only_in_full("as long as the ladders 000.ladder.out")
    found, curves = {}, []
    sizes = (*SMALL, "5.opt") if has_table_5x5(lab) else SMALL
    for name in sizes:
        at, scale = _plateau_of(name, lab, blunder), _seconds_per_iteration(name, lab)
        found[name] = [1000 * scale * one for one in (at.budget, at.low, at.high)]
        rungs = [replace(rung, seconds=scale * rung.budget) for rung in outcome_curves(SETUPS[name], lab)[blunder] if rung.budget]
        curves.append(drawn(SETUPS[name].title, rungs, axis="seconds"))
    picture = Figure(
        name=f"000-overlay-p{blunder.replace('.', '')}",
        title=f"Quixo: all sizes against time, blunder {blunder}",
        x_label="seconds per move: iterations × mean time of one, on this machine",
        y_label="score out of 100",
        curves=curves,
        x_scale="log",
        note="" if "5.opt" in found else "5×5 needs a table",
    )
    text = "; ".join(f"{SETUPS[name].title} {one:.2g} ms ({low:.2g} to {high:.2g})" for name, (one, low, high) in found.items())
    note = "" if "5.opt" in found else WITHOUT_5X5
    return Measured(found, f"90 % of the last score at: {text}", figures=(picture,), note=note)


def _later_on_the_larger_board(found: dict[str, list[float]]) -> bool:
    return in_order_of_size({name: at for name, (at, _, _) in found.items()})


def _plateau_times(lab: Laboratory) -> Measured:
    """Where the report's own curve of 5×5 is at 0.018 s and at 0.18 s; times from its microseconds per iteration."""
    figure = digitised("score.5.opt")
    at = {rung: point for rung, point in zip(figure.rungs, figure.curves["0"]) if point is not None}
    early, late = 500, 6000  # 500 iterations take about 8 ms there, 6,000 about 0.186 s
    value = {"score at 0.008 s": at[early], "score at 0.019 s": at[1200], "score at 0.19 s": at[late]}
    return Measured(value, f"by the report's own figure 5×5 has {at[1200]} at n = 1,200 (0.019 s) and {at[late]} at n = {late:,} (0.19 s)")


def _monotone(lab: Laboratory) -> Measured:
    """Largest drop of the score between neighbouring values of p, in standard errors, and its critical value for their number."""
    from scipy.special import ndtri

    drops = []
    for name in SMALL:
        curves = list(outcome_curves(SETUPS[name], lab).values())
        for lower, upper in zip(curves, curves[1:]):
            drops += [(a.value - b.value) / sqrt(a.error**2 + b.error**2) for a, b in zip(lower, upper)]
    bound = float(-ndtri(ALPHA / len(drops)))
    worse = sum(drop > 0 for drop in drops)
    text = f"{worse} of {len(drops)} steps go down, by at most {max(drops):.1f} standard errors; chance allows {bound:.1f}"
    return Measured({"largest drop": max(drops), "bound": bound}, text)


def _advantage(size: int, lab: Laboratory) -> tuple[float, float]:
    """Mean of score against opt − score against opt-steps over common rungs and all p, and its standard error."""
    opt, steps = (outcome_curves(SETUPS[f"{size}.{kind}"], lab) for kind in ("opt", "steps"))
    gaps, errors = [], []
    for name in opt:
        others = {rung.budget: rung for rung in steps[name]}
        for rung in opt[name]:
            if rung.budget > 0 and rung.budget in others:
                gaps.append(rung.value - others[rung.budget].value)
                errors.append(rung.error**2 + others[rung.budget].error ** 2)
    return sum(gaps) / len(gaps), sqrt(sum(errors)) / len(errors)


def _stronger(lab: Laboratory) -> Measured:
    lab.only_in_full("as long as the ladders 000.ladder.out")
    (four, error_4), (three, error_3) = _advantage(4, lab), _advantage(3, lab)
    value = {"4×4": four, "3×3": three, "error 4×4": error_4, "error 3×3": error_3}
    return Measured(value, f"opt − opt-steps in points: 4×4 {four:.1f} ± {error_4:.1f}, 3×3 {three:.1f} ± {error_3:.1f} (standard errors)")


def _stronger_on_4x4(value: dict[str, float]) -> bool:
    more = value["4×4"] - value["3×3"]
    return value["4×4"] > 2.6 * value["error 4×4"] and more > 2.6 * sqrt(value["error 4×4"] ** 2 + value["error 3×3"] ** 2)


def _same_place(lab: Laboratory) -> Measured:
    lab.only_in_full("as long as the ladders 000.ladder.out")
    found = {}
    for size, most in ((3, 2000), (4, 10_000)):  # rungs that both have
        for kind in ("opt", "steps"):
            at = _plateau_of(f"{size}.{kind}", lab, most=most)
            found[f"{size}.{kind}"] = [at.budget, at.low, at.high]
    text = "; ".join(f"{SETUPS[name].title} n = {one:,.0f} ({low:,.0f} to {high:,.0f})" for name, (one, low, high) in found.items())
    return Measured(found, f"90 % of the last score at p = 0: {text}")


def _overlapping(found: dict[str, list[float]]) -> bool:
    pairs = [(found[f"{size}.opt"], found[f"{size}.steps"]) for size in (3, 4)]
    return all(a[1] <= b[2] and b[1] <= a[2] for a, b in pairs)


def _asymptotes(lab: Laboratory) -> Measured:
    """The report's last rung, which its figure has for two p only."""
    table_5x5(lab)
    lab.only_in_full("two minutes on 16 cores")
    found = lab.ladder(
        "quixo:5",
        agent=AGENT,
        rungs=(_LAST_RUNG,),
        versus="optimal",
        blunder=[0.0, 0.01],
        games=lab.games(QUICK_GAMES, _LAST_GAMES),
        ply_limit=PLIES,
    )
    rungs = [outcome_rung(point) for point in found.points]
    text = " and ".join(f"{rung.value:.1f} [{rung.low:.1f}, {rung.high:.1f}]" for rung in rungs)
    games = f"{lab.games(QUICK_GAMES, _LAST_GAMES)} games each"
    return Measured([[rung.value, rung.low, rung.high] for rung in rungs], text, data=[rung.row() for rung in rungs], note=games)


def _near_asymptotes(value: Any) -> bool:
    """Whether our intervals reach 50 ± 3 and 85 ± 5."""
    return all(low <= said + about and high >= said - about for (_, low, high), (said, about) in zip(value, ((50, 3), (85, 5))))


def _days(lab: Laboratory) -> Measured:
    lab.only_in_full("as long as the ladders 000.ladder.out")
    for name in SMALL:
        outcome_curves(SETUPS[name], lab)
    seconds = sum(run.seconds for run in lab.store.runs() if _is_small_ladder(run))
    return Measured(seconds, f"{seconds / 3600:.2g} h for the four ladders of 3×3 and 4×4")


def _is_small_ladder(run: Run) -> bool:
    """Whether a run in the store is one of the four ladders."""
    return run.kind == "ladder" and run.key.get("measure") == "outcome" and run.game != "quixo:5"


def _noise(lab: Laboratory) -> Measured:
    error = 100 * sqrt(0.25 / 200)
    return Measured(error, f"a score of 50 from 200 games has a standard error of {error:.2f}, a 95 % interval of ±{1.96 * error:.1f}")


def _claim(name: str, title: str, where: str, said: str, measure: Any, rule: Any, **more: Any) -> Entry:
    kind, settings = more.pop("kind", Kind.CLAIM), more.pop("settings", _LADDERS)
    return Entry(f"000.{name}", title, where, kind, said, settings, measure, rule, **more)


_AGAINST_WEAK = (
    "5×5 and 4×4 become level at the same time here, within the errors; in the report's own points of p = 0.05 5×5 comes first: 90 % of "
    "the last score at n ≈ 2,550 (0.07 s) against n ≈ 5,300 (0.09 s)"
)
_OVERLAYS = (("p0", "0"), ("p01", "0.01"), ("p05", "0.05"))

ENTRIES: tuple[Entry, ...] = (
    *(_time_entry(setup) for setup in SETUPS.values()),
    _claim(
        "claim.linear",
        "time is linear in the number of iterations",
        "3.3.3",
        "roughly linear",
        _linear,
        wrong_if(
            lambda value: value["longest ÷ shortest iteration in the report"] > 1.5,
            "the report's own points of 5×5 have 16 µs per iteration at n = 2,000, 27 at 2,500, 31 at 10,000 and 55 at 30,000: its "
            "times, and the times of its plateaus, carry a factor of 2 to 3; ours are linear (R² beside)",
        ),
    ),
    *(
        _claim(
            f"overlay.{name}",
            f"order of the sizes by time at p = {blunder}",
            "3.3.4, figure",
            "a horizontal asymptote is reached first on 3×3, then on 4×4, then on 5×5",
            partial(_overlay, blunder),
            holds(_later_on_the_larger_board, "4×4 takes longer than 3×3, and 5×5, if measured, longer than 4×4"),
            reason=_AGAINST_WEAK if blunder == "0.05" else "",
        )
        for name, blunder in _OVERLAYS
    ),
    _claim(
        "claim.plateau",
        "where the score of 5×5 becomes level",
        "3.3.4",
        "3×3 at about 0.02 s, 4×4 at about 0.04 s, 5×5 at about 0.018 s",
        _plateau_times,
        wrong_if(
            lambda value: value["score at 0.019 s"] < 0.5 * value["score at 0.19 s"],
            "in its own figure the curve of 5×5 is below 10 of 50 there and level only from 0.18 s on: 0.018 is a misprint for 0.18",
        ),
        settings="arithmetic on the report's own points",
        in_suite=True,
    ),
    _claim(
        "claim.monotone.p",
        "the score rises with p",
        "3.3.2",
        "increasing values of the score with increasing p",
        _monotone,
        holds(lambda value: value["largest drop"] <= value["bound"], "every drop is within chance"),
    ),
    _claim(
        "claim.steps.stronger",
        "opt-steps is the stronger opponent, more so on 4×4",
        "3.3.4",
        "performs better; more pronounced for 4×4 than for 3×3",
        _stronger,
        holds(_stronger_on_4x4, "the advantage is above nought on 4×4 and above that on 3×3 by 2.6 standard errors"),
        kind=Kind.STATISTICAL,
    ),
    _claim(
        "claim.steps.depth",
        "the place of the plateau does not depend on opt or opt-steps",
        "3.3.4",
        "does not change",
        _same_place,
        holds(_overlapping, "the intervals overlap on 3×3 and on 4×4"),
        kind=Kind.STATISTICAL,
    ),
    _claim(
        "claim.asymptote5",
        "scores of 5×5 in the end",
        "3.6.1",
        "about 50 for p = 0, about 85 for p = 0.01",
        _asymptotes,
        holds(_near_asymptotes, "the intervals reach 50 ± 3 and 85 ± 5"),
        kind=Kind.STATISTICAL,
        settings=f"ludometer ladder quixo:5 --agent {AGENT} --versus optimal --rungs {_LAST_RUNG} --blunder 0,0.01 "
        f"--games {_LAST_GAMES} --limit {PLIES}",
    ),
    Entry(
        "000.claim.days",
        "time for the five ladders",
        "3.3.2",
        Kind.HARDWARE,
        5 * 86400.0,
        _LADDERS,
        _days,
        hardware(),
        "about 5 days on one thread, 5×5 included",
        note="seconds that somebody waited for the ladders in the store; without 5×5",
    ),
    _claim(
        "claim.noise",
        "sampling error of a point",
        "3.3.2",
        "200 games per point might not be enough to smooth out chance",
        _noise,
        holds(lambda error: error > 3, "the error of a point is above 3"),
        kind=Kind.EXACT,
        settings="√(¼ / 200)",
        in_suite=True,
    ),
)
