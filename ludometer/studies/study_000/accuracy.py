"""Section 3.4: how often MCTS makes a move that a perfect player could make, at uniformly random boards on which the game goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.arena.experiments.ladder_points import Point
from ludometer.core.position import Position
from ludometer.games import game
from ludometer.studies.agreement import equal, holds, whole_figure, within
from ludometer.studies.entry import Entry, Kind, Measured, NotRun
from ludometer.studies.figures import Figure
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.committed import digitised, has_table_5x5, table_5x5
from ludometer.studies.study_000.curves import READING_ERROR, Plateau, Rung, drawn, outcome_rung, plateau, rows_of
from ludometer.studies.study_000.outcomes import AGENT, ALL_RUNGS, PLIES, QUICK_RUNGS

if TYPE_CHECKING:
    from ludometer.solvers.solution import Solution

POSITIONS = 2000  # of each rung; the report has five times as many
POSITIONS_OF_REPORT = 10_000
QUICK_POSITIONS = 200
_LADDER = f"ludometer ladder quixo:3 quixo:4 --agent {AGENT} --measure accuracy --games {POSITIONS}"
Curves = Mapping[str, Sequence[Rung]]  # 3.lenient, 3.strict, … -> rungs


def _rung(point: Point, share: float, interval: Sequence[float]) -> Rung:
    """A share of right moves in percent; one wrong and one right move are added, so that no error is nought."""
    even = (share * point.units + 1) / (point.units + 2)
    spread = 100 * sqrt(even * (1 - even))
    low, high = (100 * one for one in interval)
    error = spread / sqrt(point.units)
    return Rung(int(point.budget), 100 * share, low, high, error, spread / sqrt(POSITIONS_OF_REPORT), point.seconds_per_move)


def accuracy_curves(size: int, lab: Laboratory) -> Curves:
    """Lenient and, where distances are known, strict accuracy by rung."""
    return lab.once(f"000 accuracy {size}", lambda: _judged(size, lab))


def _judged(size: int, lab: Laboratory) -> Curves:
    if size == 5:
        table_5x5(lab)
    found = lab.ladder(
        f"quixo:{size}",
        agent=AGENT,
        rungs=lab.pick(QUICK_RUNGS if size == 3 else QUICK_RUNGS[:2], ALL_RUNGS),
        measure="accuracy",
        positions=lab.games(QUICK_POSITIONS, POSITIONS),
    )
    curves = {f"{size}.lenient": [_rung(point, point.value, (point.interval.low, point.interval.high)) for point in found.points]}
    if found.points[0].more["strict"] is not None:
        curves[f"{size}.strict"] = [_rung(point, point.more["strict"], point.more["strict_interval"]) for point in found.points]
    return curves


def _all_curves(lab: Laboratory) -> tuple[dict[str, Sequence[Rung]], str]:
    """The curves of all sizes that can be measured here, and what is missing."""
    curves: dict[str, Sequence[Rung]] = {**accuracy_curves(3, lab), **accuracy_curves(4, lab)}
    try:
        return {**curves, **accuracy_curves(5, lab)}, ""
    except NotRun as error:
        return curves, f"without 5×5, which {error}"


def _figure(lab: Laboratory) -> Measured:
    curves, missing = _all_curves(lab)
    reported = digitised("accuracy")
    picture = Figure(
        name="000-accuracy",
        title="Quixo: accuracy of the moves of MCTS",
        x_label="iterations of MCTS per move",
        y_label="right moves in %",
        curves=[drawn(_label(name), rungs, reported, name) for name, rungs in curves.items()],
        x_scale="symlog",
    )
    by_time = Figure(
        name="000-accuracy-time",
        title="Quixo: accuracy of the moves of MCTS by time",
        x_label="seconds per move, on this machine",
        y_label="right moves in %",
        curves=[drawn(_label(name), rungs[1:], axis="seconds") for name, rungs in curves.items()],
        x_scale="log",
    )
    last = {name: round(rungs[-1].value, 1) for name, rungs in curves.items()}
    units = lab.games(QUICK_POSITIONS, POSITIONS)
    points = [share_row(reported.at(name, rung.budget), rung.value, units) for name, rungs in curves.items() for rung in rungs]
    data = {"points": points, "curves": rows_of(curves)}
    positions = f"{units:,} positions per rung"
    return Measured(last, data=data, figures=(picture, by_time), note=f"{positions}, {missing}" if missing else positions)


def share_row(reported: float | None, ours: float, units: int) -> list[float | None]:
    """A row for `agreement.whole_figure`, in percent: both errors come from the share of all moves of both sides together.

    One wrong and one right move are added, so that no error is nought; from ours alone, 200 right moves of 200 would have none.
    """
    theirs = ours if reported is None else reported
    together = (units * ours + POSITIONS_OF_REPORT * theirs + 100) / (units + POSITIONS_OF_REPORT + 2) / 100
    variance = 1e4 * together * (1 - together)
    return [reported, ours, sqrt(variance / POSITIONS_OF_REPORT + READING_ERROR**2), sqrt(variance / units)]


def _label(curve: str) -> str:
    size, _, kind = curve.partition(".")
    return f"{size}×{size} {kind}"


def _at_1000(lab: Laboratory) -> Measured:
    curves = accuracy_curves(3, lab)
    strict, lenient = ([rung for rung in curves[f"3.{kind}"] if rung.budget == 1000][0] for kind in ("strict", "lenient"))
    units = lab.games(QUICK_POSITIONS, POSITIONS)
    rows = [share_row(said, rung.value, units) for said, rung in ((95, strict), (99, lenient))]
    text = ", ".join(f"{kind} {one.value:.1f} [{one.low:.1f}, {one.high:.1f}]" for kind, one in (("strict", strict), ("lenient", lenient)))
    return Measured([strict.value, lenient.value], text, data={"points": rows})


def _discrepancy(lab: Laboratory) -> Measured:
    """The same agent's scores against two opponents that err as often as it does."""
    rows, texts, values = [], [], []
    for versus, blunder, said in (("optimal", 0.01, 40), ("optimal:steps", 0.05, 47)):
        found = lab.ladder(
            "quixo:3", agent=AGENT, rungs=(1000,), versus=versus, blunder=[blunder], games=lab.games(200, 2000), ply_limit=PLIES
        )
        rung = outcome_rung(found.points[0])
        rows.append([said, rung.value, sqrt(rung.reported_error**2 + READING_ERROR**2), rung.error])
        values.append(rung.value)
        texts.append(f"{rung.value:.1f} [{rung.low:.1f}, {rung.high:.1f}]")
    return Measured(values, " and ".join(texts), data={"points": rows})


def _boards(size: int) -> Iterator[Position]:
    """All boards on which X is to move and the game goes on."""
    quixo = game(f"quixo:{size}")
    for cells in product(".XO", repeat=size * size):
        rows = ["".join(cells[start : start + size]) for start in range(0, size * size, size)]
        position = quixo.position(f"{'/'.join(rows)} x")
        if not position.is_over:
            yield position


def _random_move(lab: Laboratory) -> Measured:
    """Mean share of right moves over all boards of 3×3: the accuracy of a random player, without chance."""
    solution = lab.solution("quixo:3")
    lenient = strict = number = 0.0
    for position in _boards(3):
        found = solution.probe(position)
        lenient += len(found.keeping) / len(found.moves)
        strict += len(found.best) / len(found.moves)
        number += 1
    value = [100 * lenient / number, 100 * strict / number]
    return Measured(value, f"lenient {value[0]:.2f} %, strict {value[1]:.2f} %, over all {number:,.0f} boards")


def _ratios(lab: Laboratory) -> Measured:
    """40 / 50 and 47 / 50; and what a player scores against perfect play who errs with a given probability in each move."""
    punished = {f"{error:.0%}": round(100 * score_of_errors(error, lab), 2) for error in (0.01, 0.05)}
    said = ", ".join(f"errs in {error} of its moves scores {score}" for error, score in punished.items())
    note = f"how mistakes are punished, exactly: on 3×3, where perfect play scores 50, a player that {said} against perfect play"
    return Measured([100 * 40 / 50, 100 * 47 / 50], "80 % and 94 %", data=punished, note=note)


class SmallGame:
    """All positions that 3×3 can come to, and where right and wrong moves lead from each."""

    def __init__(self, solution: Solution) -> None:
        start = game("quixo:3").start()
        number: dict[Position, int] = {start: 0}
        queue = [start]
        self.choices: list[tuple[list[int], list[int]]] = []  # positions after moves that keep the value, after all others
        for position in queue:  # grows while it is read
            kept: list[int] = []
            failed: list[int] = []
            if not position.is_over:
                keeping = set(solution.probe(position).keeping)
                for move in position.legal:
                    after = position.play(move)
                    if after not in number:
                        number[after] = len(queue)
                        queue.append(after)
                    (kept if move in keeping else failed).append(number[after])
            self.choices.append((kept, failed))
        self.is_over = np.array([position.is_over for position in queue])
        self.for_first = np.array([{"1-0": 1.0, "0-1": 0.0}.get(str(position.result), 0.5) for position in queue])
        self.first_moves = np.array([position.player == 0 for position in queue])
        self.can_err = np.array([bool(failed) for _, failed in self.choices])

    def score(self, error: float, plies: int) -> float:
        """See `score_of_errors`."""
        mean_of, chance = _averages(self.choices), error * self.can_err
        scores = []
        for seat in (0, 1):
            own = self.for_first if seat == 0 else 1 - self.for_first
            errs, values = self.first_moves == (seat == 0), own
            for _ in range(plies):
                kept, failed = mean_of(values)
                values = np.where(self.is_over, own, np.where(errs, (1 - chance) * kept + chance * failed, kept))
            scores.append(float(values[0]))
        return sum(scores) / 2


def score_of_errors(error: float, lab: Laboratory, plies: int = PLIES) -> float:
    """The mean score over both seats at 3×3 of a player who makes a wrong move with this probability where there is one.

    His other moves, and all moves of his opponent, are drawn from those that keep the value of the position.  A draw after `plies` moves.
    """
    return lab.once("000 small game", lambda: SmallGame(lab.solution("quixo:3"))).score(error, plies)


def _averages(choices: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Any:
    """A function that gives, for a value of every state, the means over the right and over the wrong moves of every state."""
    from scipy.sparse import csr_matrix

    states, matrices = len(choices), []
    for kind in (0, 1):
        rows = np.repeat(np.arange(states), [len(one[kind]) for one in choices])
        columns = np.array([target for one in choices for target in one[kind]], np.int64)
        weights = np.array([1 / len(one[kind]) for one in choices for _ in one[kind]])
        matrices.append(csr_matrix((weights, (rows, columns)), (states, states)))
    return lambda values: (matrices[0] @ values, matrices[1] @ values)


def _order(lab: Laboratory) -> Measured:
    curves, _ = _all_curves(lab)
    lenient = {rung.budget: rung.value for name, rungs in curves.items() if name == "4.lenient" for rung in rungs}
    smallest = min(
        next(one.value for one in curves[f"{size}.lenient"] if one.budget == rung.budget) - rung.value
        for size in (3, 4)
        for rung in curves[f"{size}.strict"]
    )
    return Measured(smallest >= 0, f"lenient − strict is at least {smallest:.1f} points over {2 * len(lenient)} rungs")


def gains(lab: Laboratory, kind: str = "lenient") -> dict[str, Plateau]:
    """Iterations at which 90 % of the gain from n = 0 to the last rung is reached, by size."""
    found = {}
    for size in (3, 4, 5) if has_table_5x5(lab) else (3, 4):
        rungs = accuracy_curves(size, lab)[f"{size}.{kind}"]
        values = [rung.value - rungs[0].value for rung in rungs]
        found[f"{size}×{size}"] = plateau([r.budget for r in rungs], values, [r.error for r in rungs], seed=lab.seed)
    return found


def _same_time(lab: Laboratory) -> Measured:
    lab.only_in_full("15 minutes")
    value, texts = {}, []
    for name, at in gains(lab).items():
        rungs = accuracy_curves(int(name[0]), lab)[f"{name[0]}.lenient"]
        per_iteration = [float(rung.seconds or 0) / rung.budget for rung in rungs if rung.budget >= 1000]
        scale = 1000 * sum(per_iteration) / len(per_iteration)
        value[name] = [scale * at.budget, scale * at.low, scale * at.high]
        texts.append(f"{name} {value[name][0]:.2g} ms ({value[name][1]:.2g} to {value[name][2]:.2g})")
    return Measured(value, f"90 % of the gain over a random player after {', '.join(texts)}")


def overlap(value: dict[str, list[float]]) -> bool:
    """Whether the intervals of any two sizes have something in common."""
    return all(a[1] <= b[2] and b[1] <= a[2] for a, b in combinations(value.values(), 2))


_REPORTED = {name: points[-1] for name, points in digitised("accuracy").curves.items()}
BY_EYE = (
    "the report looks at the curves; by numbers 3×3 comes first, also in its own points: 90 % of the gain over n = 0 is there at n ≈ 100 "
    "on 3×3, 1,200 on 4×4 and 1,800 on 5×5"
)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "000.acc.iter",
        "accuracy of moves, lenient and strict, 25 rungs",
        "3.4.2, figure",
        Kind.STATISTICAL,
        _REPORTED,
        f"{_LADDER} --rungs {','.join(map(str, ALL_RUNGS))}",
        _figure,
        whole_figure(),
        note=f"the report has {POSITIONS_OF_REPORT:,} positions per rung",
    ),
    Entry(
        "000.acc.zero",
        "accuracy of a random player on 3×3 (n = 0), lenient and strict, exactly",
        "3.4.2, figure",
        Kind.EXACT,
        [66.7, 37.5],
        "mean share of right moves over all boards",
        _random_move,
        within(1.0),
        "lenient 66.7, strict 37.5, read off the figure",
        note="10,000 boards have a standard error of 0.3 and less, reading the figure as much",
    ),
    Entry(
        "000.acc.1000",
        "accuracy on 3×3 at n = 1,000",
        "3.4.2",
        Kind.STATISTICAL,
        [95, 99],
        f"{_LADDER} --rungs 1000",
        _at_1000,
        whole_figure(),
        "95 % strict, 99 % lenient",
    ),
    Entry(
        "000.acc.discrepancy",
        "scores of the same agent against opponents that err as often",
        "3.4.2",
        Kind.STATISTICAL,
        [40, 47],
        f"ludometer ladder quixo:3 --agent {AGENT} --rungs 1000 --versus optimal --blunder 0.01 (optimal:steps: 0.05) --games 2000",
        _discrepancy,
        whole_figure(),
        "40 and 47",
    ),
    Entry(
        "000.acc.ratio",
        "accuracy by outcomes of games",
        "3.4.2",
        Kind.EXACT,
        [80, 94],
        "40 / 50, 47 / 50; values of all positions of 3×3",
        _ratios,
        equal(),
        "80 % and 94 %",
        in_suite=True,
    ),
    Entry(
        "000.acc.sanity",
        "lenient accuracy is above strict accuracy",
        "3.4.2",
        Kind.CLAIM,
        True,
        _LADDER,
        _order,
        equal(),
    ),
    Entry(
        "000.acc.time",
        "by accuracy all sizes become level at about the same time",
        "3.4.2, second figure",
        Kind.CLAIM,
        "at approximately the same amount of computation time",
        _LADDER,
        _same_time,
        holds(overlap, "the intervals of all sizes overlap"),
        reason=BY_EYE,
    ),
)
