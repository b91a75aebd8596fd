"""Section VI: how the effort grows with depth and changes with the turn, and what a limit is worth; section IX: who goes first.

Where the report limits time, positions are counted here: the same on every machine, and about as many as its program looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log10
from typing import Any

import numpy as np

from ludometer.agents import agent
from ludometer.games import game
from ludometer.studies.agreement import ALPHA, holds, shares
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Verdict
from ludometer.studies.figures import Figure, FigureCurve
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_001.matches import GAME, PLAIN, TENTH, alpha_beta, played, random_positions

LIMITED = "alphabeta:nodes={},early=no"
DEPTHS = range(1, 8)  # plies
BUDGETS_2 = (30, 100, 300, 1000, 3000)
BUDGETS_3 = (300, 1000, 3000, 10_000, 30_000)
MULTIPLES = (0.25, 0.5, 1, 2, 4, 8, 16)
_BIN = 5  # turns drawn as one point
_VALLEY = range(20, 46)  # where the least effort before the leap may lie, "about 30-40 moves in"


# ---- equal limits ----


def _against_minimax(lab: Laboratory) -> Measured:
    budgets = (TENTH // 3, TENTH, 3 * TENTH)
    found = [
        played(lab, LIMITED.format(nodes), f"minimax:nodes={nodes},early=no", lab.games(60, 1000 if nodes == TENTH else 200))
        for nodes in budgets
    ]
    curve = ", ".join(f"{100 * one.value:.1f} % at {nodes:,} positions" for nodes, one in zip(budgets, found))
    return Measured(found[1].value, found[1].text, found[1].interval, found[1].data, note=curve)


def _first_player(lab: Laboratory) -> Measured:
    player = LIMITED.format(TENTH)
    result = lab.match(GAME, player, player, lab.games(100, 1000))
    first = result.statistics.first_player
    text = f"{100 * first.score:.2f} % of {result.games:,} games"
    return Measured(first.score, text, (first.interval.low, first.interval.high), data={"games": result.games})


# ---- effort ----


def _effort_by_depth(lab: Laboratory) -> Measured:
    """Positions looked at by depth, the geometric mean over positions of random games, and how well a line fits their logarithms."""
    positions = random_positions(lab.pick(12, 60), 5, range(5, 35))
    depths = list(DEPTHS)[: lab.pick(6, len(DEPTHS))]
    means = []
    for depth in depths:
        player = agent(f"alphabeta:{depth},{PLAIN}", game(GAME))
        means.append(float(np.mean([log10(decided(player, one).report["nodes"]) for one in positions])))
    slope, intercept = np.polyfit(depths, means, 1)
    residual = np.array(means) - np.polyval([slope, intercept], depths)
    fit = 1 - float(np.sum(residual**2) / np.sum((np.array(means) - np.mean(means)) ** 2))
    curve = FigureCurve("alpha-beta, no ordering, no table", depths, [10**mean for mean in means])
    figure = Figure("001-effort-by-depth", "Positions looked at by depth", "plies", "positions", [curve], y_scale="log")
    text = f"× {10**slope:.1f} for each ply, R² = {fit:.3f}"
    return Measured(fit, text, data={"depths": depths, "positions": [10**mean for mean in means]}, figures=(figure,))


def _effort_by_turn(lab: Laboratory, rounds: int, games: int) -> Measured:
    """Positions looked at in each turn, means over games of the agent against itself."""
    from ludometer.arena.play.turn_reports import play_with_reports

    chosen = game(GAME)
    player = agent(f"alphabeta:rounds={rounds},{PLAIN}", chosen)
    played_games: list[list[float]] = []
    for seed in range(games):
        lab.stop.check("the games")
        played_games.append([float(count) for count in play_with_reports(chosen, player, player, seed=seed).column("nodes")])
    rows = [[one[turn] for one in played_games if turn < len(one)] for turn in range(max(map(len, played_games)))]
    means = [float(np.mean(row)) for row in rows]
    errors = [1.96 * float(np.std(row)) / len(row) ** 0.5 for row in rows]
    low, high = [max(1.0, mean - error) for mean, error in zip(means, errors)], [mean + error for mean, error in zip(means, errors)]
    curve = FigureCurve(f"mean of {games} games", list(range(1, len(means) + 1)), means, low, high)
    title = f"Positions looked at in each turn, depth {rounds}"
    picture = Figure(f"001-effort-by-turn-{rounds}", title, "turn", "positions", [curve], y_scale="log")
    return Measured(*_valley(played_games, means), data={"means": [round(mean, 1) for mean in means]}, figures=(picture,))


def _valley(played_games: Sequence[Sequence[float]], means: Sequence[float]) -> tuple[dict[str, Any], str]:
    """The least effort 20 to 45 turns in, and the greatest after it, in bins of five turns; p-values compare games' means of the bins."""
    from scipy.stats import ttest_ind

    bins: dict[int, list[float]] = {}
    for one in played_games:
        for begin in range(_BIN, len(one) - _BIN + 1, _BIN):
            bins.setdefault(begin + 1, []).append(float(np.mean(one[begin : begin + _BIN])))
    level = {begin: float(np.mean(found)) for begin, found in bins.items() if 2 * len(found) > len(played_games)}
    least = min((begin for begin in level if begin in _VALLEY), key=level.__getitem__)
    before = max((begin for begin in level if begin < least), key=level.__getitem__)
    after = max((begin for begin in level if begin > least), key=level.__getitem__)
    p_values = [float(ttest_ind(bins[least], bins[other], equal_var=False, alternative="less").pvalue) for other in (before, after)]
    value = {"most_at": 1 + means.index(max(means)), "least_at": least, "p_decline": p_values[0], "p_leap": p_values[1]}
    steps = ", ".join(f"{level[begin]:,.0f} in turns {begin} to {begin + _BIN - 1}" for begin in (before, least, after))
    return value, f"most at turn {value['most_at']}; {steps} (p = {p_values[0]:.1g} and {p_values[1]:.1g})"


def falls_and_leaps(value: dict[str, Any]) -> bool:
    """Most positions in the first turn, and a valley 20 to 45 turns in that is real on both sides."""
    return bool(value["most_at"] == 1 and max(value["p_decline"], value["p_leap"]) < ALPHA)


def _turns(rounds: int, quick: int, full: int) -> Entry:
    return Entry(
        name=f"001.fig.turns{rounds}",
        title=f"effort of depth {rounds} by turn",
        where="VI, figure",
        kind=Kind.CLAIM,
        reported="a decline until about 30-40 moves in, then a leap",
        settings=f"play_with_reports with alphabeta:rounds={rounds},{PLAIN} on both sides, {full} games",
        measure=lambda lab: _effort_by_turn(lab, rounds, lab.pick(quick, full)),
        rule=holds(falls_and_leaps, "the effort is greatest at first, falls to a valley 20 to 45 turns in and rises again (p < 0.01 each)"),
        reason="the valley and the rise are there, but so few games do not show the rise beyond chance",
    )


# ---- more and less time ----


def _curve(lab: Laboratory, budgets: Sequence[float], opponent: str, name: str, title: str, quick: int, full: int) -> Measured:
    """Scores of limited players by their budgets against one opponent."""
    found = [played(lab, LIMITED.format(round(budget)), opponent, lab.games(quick, full)) for budget in budgets]
    scores = [100 * one.value for one in found]
    low, high = [100 * (one.interval or (0, 0))[0] for one in found], [100 * (one.interval or (0, 0))[1] for one in found]
    curve = FigureCurve("score", list(budgets), scores, low, high)
    picture = Figure(
        name, title, "positions for a move", "score of the limited player, %", [curve], x_scale="log", more={"y_limits": (0, 100)}
    )
    text = ", ".join(f"{score:.1f} % at {budget:,.0f}" for budget, score in zip(budgets, scores))
    data = {"budgets": [float(budget) for budget in budgets], "low": low, "high": high}
    return Measured(scores, text, data=data, figures=(picture,))


def _against_depth_2(lab: Laboratory) -> Measured:
    return _curve(lab, BUDGETS_2, alpha_beta(2), "001-timed-v2", "A limited player against depth 2", 60, 200)


def _against_depth_3(lab: Laboratory) -> Measured:
    found = _curve(lab, BUDGETS_3, alpha_beta(3), "001-timed-v3", "A limited player against depth 3", 40, 200)
    player = agent(alpha_beta(3), game(GAME))
    mean = float(np.mean([decided(player, one).report["nodes"] for one in random_positions(100, 6, range(1, 60))]))
    crossing = crossing_of(found.data["budgets"], found.value, 50.0)
    where = (
        "no crossing"
        if crossing is None
        else f"½ is crossed at about {crossing:,.0f} positions, {crossing / mean:.1f} × the mean of depth 3"
    )
    return Measured(found.value, found.text, None, {**found.data, "crossing": crossing, "mean": mean}, found.figures, note=where)


def crossing_of(budgets: Sequence[float], scores: Sequence[float], level: float) -> float | None:
    """Where a curve first comes up to a level, between budgets by their logarithms."""
    for place in range(1, len(budgets)):
        if scores[place - 1] < level <= scores[place]:
            share = (level - scores[place - 1]) / (scores[place] - scores[place - 1])
            return float(np.exp(log(budgets[place - 1]) + share * log(budgets[place] / budgets[place - 1])))
    return None


def _against_itself(lab: Laboratory) -> Measured:
    budgets = [TENTH * multiple for multiple in MULTIPLES]
    return _curve(lab, budgets, LIMITED.format(TENTH), "001-timed-v01", f"Limited players against one of {TENTH:,} positions", 40, 200)


def rises(reported: Any, measured: Measured) -> Judgement:
    """Whether more positions win more: the last score above the first, beyond their intervals."""
    gap = measured.data["low"][-1] - measured.data["high"][0]
    text = f"from {measured.value[0]:.1f} to {measured.value[-1]:.1f} %"
    return Judgement(Verdict.AGREES if gap > 0 else Verdict.DIFFERS, text)


def crosses(reported: Any, measured: Measured) -> Judgement:
    """Whether the limited player passes the one of constant depth somewhere."""
    if measured.data["crossing"] is None:
        return Judgement(Verdict.DIFFERS, "½ is not crossed")
    return Judgement(Verdict.AGREES, "the curve rises through ½; the report's seconds depend on its machine")


def levels_off(reported: Any, measured: Measured) -> Judgement:
    """Whether the slope falls: the gain per doubling in the second half of the curve below that in the first; one-sided."""
    from scipy.special import ndtr

    scores, middle = measured.value, len(measured.value) // 2
    errors = [(high - low) / 3.92 for low, high in zip(measured.data["low"], measured.data["high"])]
    early, late = (scores[middle] - scores[0]) / middle, (scores[-1] - scores[middle]) / (len(scores) - 1 - middle)
    spread = (errors[-1] ** 2 + errors[0] ** 2 + 4 * errors[middle] ** 2) ** 0.5 / middle
    p_value = float(ndtr((late - early) / spread)) if spread else 1.0
    text = f"gain per doubling {early:.1f} points, then {late:.1f}"
    return Judgement(Verdict.AGREES if p_value < ALPHA else Verdict.DIFFERS, f"{text}; p = {p_value:.2g}")


ENTRIES = (
    Entry(
        name="001.time.abvmm",
        title="alpha-beta against minimax with the same limit",
        where="VI",
        kind=Kind.STATISTICAL,
        reported=0.7115,
        reported_text="71.15 % of 1,000 games, 0.1 s for a move",
        settings=f"ludometer match {GAME} {LIMITED.format(TENTH)} minimax:nodes={TENTH},early=no --games 1000",
        measure=_against_minimax,
        rule=shares(1000),
        reason="how many positions the report's program looked at in 0.1 s is an estimate, and the score depends on it",
    ),
    Entry(
        name="001.fig.timedepth",
        title="effort of alpha-beta by depth",
        where="VI, first figure",
        kind=Kind.CLAIM,
        reported="grows exponentially",
        settings=f"alphabeta:DEPTH,{PLAIN} at positions of random games",
        measure=_effort_by_depth,
        rule=holds(lambda fit: fit > 0.95, "a line fits the logarithms (R² > 0.95)"),
    ),
    _turns(2, 40, 100),
    _turns(3, 6, 40),
    Entry(
        name="001.fig.timed.v2",
        title="a limited player against constant depth 2, by its limit",
        where="VI, figure",
        kind=Kind.CLAIM,
        reported="more time wins more",
        settings=f"ludometer match {GAME} {LIMITED.format('N')} {alpha_beta(2)} --games 200 for N = {', '.join(map(str, BUDGETS_2))}",
        measure=_against_depth_2,
        rule=rises,
    ),
    Entry(
        name="001.fig.timed.v3",
        title="a limited player against constant depth 3, by its limit",
        where="VI, figure",
        kind=Kind.CLAIM,
        reported="surpasses it somewhere between t = 1 and t = 2",
        settings=f"ludometer match {GAME} {LIMITED.format('N')} {alpha_beta(3)} --games 200 for N = {', '.join(map(str, BUDGETS_3))}",
        measure=_against_depth_3,
        rule=crosses,
    ),
    Entry(
        name="001.fig.timed.v01",
        title="limited players against one of 0.1 s, by their limit",
        where="VI, last figure",
        kind=Kind.CLAIM,
        reported="more time wins more, but the slope levels off",
        settings=f"ludometer match {GAME} {LIMITED.format('N')} {LIMITED.format(TENTH)} --games 200, N from {TENTH // 4} to {16 * TENTH}",
        measure=_against_itself,
        rule=levels_off,
        reason="the gain per doubling falls, but so few games do not show it beyond chance",
    ),
    Entry(
        name="001.first",
        title="score of the first player between two equal limited players",
        where="IX",
        kind=Kind.STATISTICAL,
        reported=0.5617,
        reported_text="56.17 % of 300 games, 0.1 s for a move",
        settings=f"ludometer match {GAME} {LIMITED.format(TENTH)} {LIMITED.format(TENTH)} --games 1000",
        measure=_first_player,
        rule=shares(300),
    ),
)
